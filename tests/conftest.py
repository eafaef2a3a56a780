"""Names of tests are the same in every process, whatever bytes they are given."""


def pytest_make_parametrize_id(val, argname):
    """Compressed bytes hold the time they were made at: they are named by their length."""
    return f"{argname}-{len(val)}-bytes" if isinstance(val, bytes) and len(val) > 12 else None

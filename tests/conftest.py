"""What holds for all tests: their names, and the programs that they start."""

import os

# Tests start hundreds of programs: what one has compiled serves the next.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_make_parametrize_id(val, argname):
    """Names are the same in every process: compressed bytes, which hold the time they were made at, go by length."""
    return f"{argname}-{len(val)}-bytes" if isinstance(val, bytes) and len(val) > 12 else None

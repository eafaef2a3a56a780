"""The flat public API: what is promised is there, documented, and cheap to import."""

import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import honeyguide as hg

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


def test_every_promised_name_is_there_and_says_what_it_is():
    for name in hg.__all__:
        assert getattr(hg, name).__doc__, name
    assert set(hg.__all__) <= set(dir(hg))


def test_no_name_is_hidden_by_a_module_of_the_same_name():
    modules = {module.name for module in pkgutil.iter_modules(hg.__path__)}
    assert not modules & set(hg.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'spider'"):
        hg.spider  # noqa: B018


def test_importing_honeyguide_loads_nothing_else():
    code = "import sys, honeyguide; print([m for m in sys.modules if m.startswith(('honeyguide.', 'numpy'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['honeyguide.lazily']"


def test_a_process_that_reads_pages_loads_no_crawler():
    code = "import sys, honeyguide.web.worker; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "honeyguide.parse" in loaded
    assert not {"aiohttp", "asyncio", "sqlite3", "honeyguide.web.live", "honeyguide.atlas"} & set(loaded)


@pytest.mark.parametrize("example", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_the_examples_run(example, tmp_path):
    done = subprocess.run(
        [sys.executable, str(example)], capture_output=True, text=True, cwd=tmp_path, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()

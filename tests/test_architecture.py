"""The shape of the code: imports go one way, examples in docstrings are true, nothing dangerous is used."""

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import honeyguide

ROOT = Path(__file__).parent.parent
MODULES = sorted(module.name for module in pkgutil.walk_packages(honeyguide.__path__, "honeyguide."))


def test_imports_go_one_way():
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_examples_in_docstrings_are_true(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_nothing_is_pickled_or_evaluated():
    wrong = re.compile(r"\b(?:import (?:pickle|marshal|shelve)|(?<!\.)(?:eval|exec)\(|yaml\.load|allow_pickle=True)")
    found = [path for path in (ROOT / "src").rglob("*.py") if wrong.search(path.read_text())]
    assert found == []

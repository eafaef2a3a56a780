"""Every row of docs/reliability.md has its tests, and every test it names exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "reliability.md").read_text()
ROWS = dict(re.findall(r"^\| ([A-Z]\d+) \| (.*) \|$", TEXT, re.MULTILINE))
GROUPS = {"T": 5, "R": 6, "S": 5, "H": 10, "C": 5, "E": 3, "D": 7, "B": 8, "P": 4, "N": 4, "M": 8, "A": 19}
TESTS = {
    path.relative_to(ROOT).as_posix(): set(re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE))
    for path in ROOT.glob("tests/**/test_*.py")
}


def test_no_row_is_missing():
    assert sorted(ROWS) == sorted(f"{letter}{n + 1}" for letter, count in GROUPS.items() for n in range(count))


@pytest.mark.parametrize("row", ROWS)
def test_every_row_has_a_test(row):
    of_the_row = [name for names in TESTS.values() for name in names if name.startswith(f"test_{row.lower()}_")]
    assert of_the_row or re.search(r"`tests/\S+\.py(?:::\w+)?`", ROWS[row]), (
        "no test is named after it, none is given"
    )


def test_what_is_named_is_there():
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", TEXT)
    assert len(named) > 10
    assert [(path, name) for path, name in named if name and name not in TESTS.get(path, ())] == []
    assert [path for path, _ in named if not (ROOT / path).exists()] == []

"""The docs: made from the code where they can be, and true where that can be checked."""

import contextlib
import os
import pkgutil
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import honeyguide
from honeyguide.cli.reference import reference
from honeyguide.cli.tables_page import tables, with_tables
from honeyguide.store.schema import MARKS, TABLES

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGES.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_reference_is_what_the_code_says():
    assert (ROOT / "docs" / "reference.md").read_text() == reference(), "run: make docs"


def test_every_file_the_docs_point_to_exists():
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_package_has_its_line_in_the_architecture():
    text = (ROOT / "docs" / "architecture.md").read_text()
    for module in pkgutil.iter_modules(honeyguide.__path__):
        assert f"`{module.name}`" in text or module.name == "__main__", module.name


def test_the_tables_are_what_the_schema_says():
    text = (ROOT / "docs" / "format.md").read_text()
    assert with_tables(text) == text, "run: make docs"


def test_the_tables_are_those_that_sqlite_makes():
    told = {}
    for part in tables().split("### ")[1:]:
        told[part.split("\n", 1)[0]] = set(re.findall(r"^\| `(\w+)` \| (\w+)", part, re.MULTILINE))
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.executescript(f"{TABLES}; {MARKS}")
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            columns = database.execute(f"PRAGMA table_info({name})").fetchall()
            assert told[name] == {(column[1], column[2]) for column in columns}, name
        assert [column[1] for column in database.execute("PRAGMA table_info(edges)")] == [
            "source",
            "target",
            "anchor",
        ]


def test_every_page_has_its_place_on_the_site():
    nav = re.findall(r"(\w+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert sorted(nav) == sorted(page.name for page in (ROOT / "docs").glob("*.md"))


def test_the_site_can_be_built_and_loads_nothing_from_elsewhere(tmp_path):
    options = ["build", "--strict", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", *options],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    for page in (tmp_path / "site").glob("*.html"):
        html = page.read_text()
        assert not re.findall(r'<(?:script|img|link|iframe)[^>]+(?:src|href)="(?:https?:)?//', html), page.name
        assert "--8<--" not in html, page.name

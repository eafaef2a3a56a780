"""A crawl directory on a medium that cannot be written to can be looked at, or it is said what to do."""

import shutil
import sqlite3
import subprocess
import sys

import pytest

from exported_crawl import make_crawl
from read_only import run_read_only

HONEYGUIDE = [sys.executable, "-m", "honeyguide"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A crawl that ended."""
    return make_crawl(tmp_path_factory.mktemp("read_only") / "crawl#1?x")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["report", "{crawl}", "-o", "{tmp}/report.html"], "Report: "),
        (["export", "{crawl}", "-o", "{tmp}/pages.jsonl"], "16 pages"),
        (["search", "{crawl}", "honey"], "/honey"),
        (["explain", "{crawl}", "http://bees.test/nothing"], "never seen"),
        (["simulate", "{crawl}", "--topic", "keyword:bees"], "relevant"),
        (["import", "{crawl}", "-o", "{tmp}/web"], "Imported"),
    ],
    ids=lambda given: given[0] if isinstance(given, list) else "",
)
def test_a_crawl_that_cannot_be_written_to_is_read(finished, tmp_path, command, said):
    before = sorted(path.name for path in finished.iterdir())
    done = run_read_only(finished, *HONEYGUIDE, *(part.format(crawl=finished, tmp=tmp_path) for part in command))
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in finished.iterdir()) == before


def test_python_reads_it_too(finished):
    code = "import sys, honeyguide as hg; print(sum(1 for page in hg.open(sys.argv[1]) if page.text))"
    done = run_read_only(finished, sys.executable, "-c", code, finished)
    assert (done.stdout, done.stderr) == ("16\n", "")


def test_what_must_be_written_there_is_refused_with_a_way_out(finished):
    report = run_read_only(finished, *HONEYGUIDE, "report", finished)
    crawl = run_read_only(finished, *HONEYGUIDE, "crawl", finished, "--pages", "99")
    for done in (report, crawl):
        assert done.returncode == 1
        assert "cannot be written to" in done.stderr
        assert "Traceback" not in done.stderr


def test_an_empty_log_beside_the_database_holds_nothing(finished, tmp_path):
    directory = shutil.copytree(finished, tmp_path / "crawl")
    (directory / "crawl.db-wal").touch()
    done = run_read_only(directory, *HONEYGUIDE, "export", directory, "-o", tmp_path / "pages.jsonl")
    assert "16 pages" in done.stdout


def unfinished(finished, directory, shared):
    """A copy of a crawl whose process was killed: its last changes stand beside the database."""
    shutil.copytree(finished, directory)
    code = "import sqlite3, sys, os; d = sqlite3.connect(sys.argv[1]); d.execute('PRAGMA journal_mode = WAL');"
    code += "d.execute('UPDATE visits SET title = \"changed\"'); d.commit(); os._exit(0)"
    subprocess.run([sys.executable, "-c", code, directory / "crawl.db"], check=True)
    assert (directory / "crawl.db-wal").stat().st_size
    if not shared:
        (directory / "crawl.db-shm").unlink()
    return directory


@pytest.mark.parametrize("shared", [True, False])
def test_changes_beside_the_database_are_read_or_it_is_said_what_to_do(finished, tmp_path, shared):
    directory = unfinished(finished, tmp_path / "crawl", shared)
    code = "import sys, honeyguide as hg; print({page.title for page in hg.open(sys.argv[1])})"
    done = run_read_only(directory, sys.executable, "-c", code, directory)
    if done.returncode:
        assert "copy the directory to where it can be written to" in done.stderr
    else:
        assert done.stdout == "{'changed'}\n"
    writable = shutil.copytree(directory, tmp_path / "copy")
    assert sqlite3.connect(writable / "crawl.db").execute("SELECT DISTINCT title FROM visits").fetchall() == [
        ("changed",)
    ]

"""The command `search`, on an imported web, on a crawl, and on hostile pages."""

import subprocess
import sys

import pytest

from honeyguide import Crawl
from honeyguide.base import BadInput, Page
from honeyguide.cli.searching import search_directory
from loopback import Loopback, answer
from small_webs import stored


@pytest.fixture
def directory(tmp_path):
    return stored(
        tmp_path / "web",
        Page("http://a.test/", "Bees \x1b[2J", main="They make\x1b]0;owned\x07 honey\nall day."),
        Page("http://b.test/", "", main="Honey, honey, honey."),
        Page("http://c.test/", "Only honey"),
    )


def test_pages_are_listed_with_title_and_snippet(directory):
    assert list(search_directory(directory, "honey", 10)) == [
        "1. http://c.test/",
        "   Only honey",
        "2. http://b.test/",
        "   Honey, honey, honey.",
        "3. http://a.test/",
        "   Bees [2J",
        "   They make ]0;owned honey all day.",
    ]


def test_only_as_many_as_wanted(directory):
    assert list(search_directory(directory, "honey", 1)) == ["1. http://c.test/", "   Only honey"]


def test_nothing_found_is_said(directory):
    (line,) = search_directory(directory, "wasp\x1b", 10)
    assert line.endswith("/web has any of these words: wasp\\x1b")


def test_what_is_no_stored_web_is_refused(tmp_path):
    with pytest.raises(BadInput, match="is not a stored web"):
        list(search_directory(tmp_path, "bees", 10))


def test_a_crawl_is_searched_in_its_warc_files(tmp_path):
    pages = {
        "/": answer(b"<title>Hive</title><p>bees make honey <a href='/1'>more</a>"),
        "/1": answer(b"<title>Rails</title><p>trains run on time"),
    }
    with Loopback(pages) as server:
        Crawl(
            [f"{server.origin}/"], "keyword:bees", directory=tmp_path / "crawl", pages=2, delay=0, allow_private=True
        ).run()
        origin = server.origin
    assert next(search_directory(tmp_path / "crawl", "trains", 10)) == f"1. {origin}/1"
    assert (tmp_path / "crawl" / "search.db").exists()


def test_the_command(directory):
    command = [sys.executable, "-m", "honeyguide", "search", str(directory), 'bees "make honey"', "--limit", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[0] == "1. http://a.test/"
    assert done.stderr == ""

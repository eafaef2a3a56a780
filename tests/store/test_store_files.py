"""What a crawl directory holds is written over by nothing else; files appear as a whole or not at all."""

import os

import pytest

from honeyguide.base import BadInput
from honeyguide.store.files import new_file, spare_own_files

OWN = """crawl.toml crawl.toml.new crawl.db crawl.db-wal crawl.db-shm crawl.lock crawl-00000.warc.gz marked-1.hg
dashboard.json search.db CRAWL.DB strategy-0123456789abcdef.toml""".split()


@pytest.fixture
def directory(tmp_path):
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "crawl.toml").touch()
    return tmp_path / "crawl"


@pytest.mark.parametrize("name", OWN)
def test_files_of_a_crawl_are_spared(directory, name):
    with pytest.raises(BadInput, match="choose another name"):
        spare_own_files(directory / name)


@pytest.mark.parametrize(
    "name", ["report.html", "pages.jsonl", "visits", "crawl.log", "crawl.html", "further/crawl.db"]
)
def test_other_files_may_be_written_into_its_directory(directory, name):
    spare_own_files(directory / name, directory)


def test_files_of_a_crawl_that_has_not_begun_are_spared(tmp_path):
    spare_own_files(tmp_path / "new" / "crawl.db")
    with pytest.raises(BadInput, match="choose another name"):
        spare_own_files(tmp_path / "new" / "crawl.db", tmp_path / "new")


def test_a_link_to_a_file_of_a_crawl_is_seen_through(directory, tmp_path):
    (tmp_path / "page.html").symlink_to(directory / "crawl.db")
    with pytest.raises(BadInput, match="choose another name"):
        spare_own_files(tmp_path / "page.html")


def test_files_of_a_stored_web_are_spared(tmp_path):
    (tmp_path / "web.json").touch()
    for name in ("web.json", "urls.bin", "search.db"):
        with pytest.raises(BadInput, match="choose another name"):
            spare_own_files(tmp_path / name)
    spare_own_files(tmp_path / "crawl.db")


def test_a_new_file_takes_the_place_of_what_a_link_leads_to(tmp_path):
    (tmp_path / "old").write_text("old")
    (tmp_path / "link").symlink_to("old")
    with new_file(tmp_path / "link") as fresh:
        fresh.write_text("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "old").read_text() == "new"


def test_a_pipe_is_written_to_and_stays_one(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reading = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    with new_file(tmp_path / "pipe") as fresh:
        fresh.write_text("new")
    assert os.read(reading, 10) == b"new"
    os.close(reading)
    assert (tmp_path / "pipe").is_fifo()


def test_what_fails_leaves_nothing(tmp_path):
    with pytest.raises(ZeroDivisionError), new_file(tmp_path / "folder" / "file") as fresh:
        fresh.write_text(str(1 / 0))
    assert list((tmp_path / "folder").iterdir()) == []

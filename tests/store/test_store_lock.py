"""The lock of a crawl directory: one writes, and anybody may ask whether somebody does."""

import contextlib
import subprocess
import sys

import pytest

from honeyguide.settings import Settings
from honeyguide.store import Store, StoreError, being_crawled

ASKS = """
import sys
from pathlib import Path
from honeyguide.store import being_crawled
print("asking", flush=True)
while True:
    being_crawled(Path(sys.argv[1]))
"""


@pytest.fixture
def directory(tmp_path):
    """A crawl that nobody writes."""
    Store.create(tmp_path / "crawl", Settings(topic="keyword:bee", seed=["http://a.example/"])).close()
    return tmp_path / "crawl"


@contextlib.contextmanager
def asked(directory):
    """Another process that asks all the time whether the directory is being crawled."""
    with subprocess.Popen([sys.executable, "-c", ASKS, str(directory)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "asking\n"
        try:
            yield process
        finally:
            process.kill()


def test_who_begins_is_not_refused_because_somebody_asks(directory):
    with asked(directory) as process:
        for _ in range(300):
            Store.open(directory).close()
        assert process.poll() is None


def test_who_asks_is_not_taken_for_one_who_writes(directory):
    with asked(directory) as process:
        assert not any(being_crawled(directory) for _ in range(2000))
        assert process.poll() is None


def test_who_writes_is_seen_by_others(directory):
    with Store.open(directory):
        code = "import sys; from pathlib import Path; from honeyguide.store import being_crawled; "
        code += "print(being_crawled(Path(sys.argv[1])))"
        command = [sys.executable, "-c", code, str(directory)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout == "True\n"
        with pytest.raises(StoreError, match="another process is crawling into"):
            Store.open(directory)
    assert not being_crawled(directory)


def test_a_directory_without_a_lock_is_not_being_crawled_and_gets_none(directory):
    (directory / "crawl.lock").unlink()
    assert not being_crawled(directory)
    assert not (directory / "crawl.lock").exists()

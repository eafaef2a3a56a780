"""The crawls that exports are made of, once for all tests of a process."""

import pytest

from exported_crawl import make_crawl


@pytest.fixture(scope="session")
def crawled(tmp_path_factory):
    """A crawl of a small site with traps for exports."""
    return make_crawl(tmp_path_factory.mktemp("exported") / "crawl")


@pytest.fixture(scope="session")
def crawled_again(tmp_path_factory):
    """The same, made twice: what had not changed is a revisit."""
    return make_crawl(tmp_path_factory.mktemp("exported") / "again", again=True)

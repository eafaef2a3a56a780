"""What is asked of all rivals beside the contract: that they choose the same after a crawl was broken off."""

import sqlite3

import pytest

import honeyguide as hg
from small_webs import topical_web, web_of

RIVALS = ["ache:limit=10", "ache:levels,limit=10,hard_focus=0", "anthelion:random_share=0.5", "craw4llm"]
RIVALS += ["deep-deep:switch=10", "anthelion:thompson,batch=2"]


def holed_web():
    """A web that some links lead out of."""
    return web_of(*(p for url, p in topical_web()._pages.items() if not url.endswith("7")))


def crawl_to(pages, strategy, directory=None):
    crawl = hg.Crawl(["http://h0.test/1"], "label:bees", strategy, web=holed_web(), pages=pages, directory=directory)
    crawl.run()
    return [crawl.graph.url(i) for i in crawl.graph.visited().tolist()]


@pytest.mark.parametrize("strategy", RIVALS)
@pytest.mark.parametrize("forgotten", [False, True])
def test_a_broken_off_crawl_goes_on_the_same_way(strategy, forgotten, tmp_path):
    whole = crawl_to(100, strategy)
    crawl_to(55, strategy, tmp_path / "crawl")
    if forgotten:
        with sqlite3.connect(tmp_path / "crawl" / "crawl.db") as database:
            database.execute("DELETE FROM knowledge")
        database.close()
    assert crawl_to(100, strategy, tmp_path / "crawl") == whole

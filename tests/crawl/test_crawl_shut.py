"""An origin whose robots.txt cannot be had: it waits, and its host goes on with its other one."""

import math

import honeyguide as hg
from honeyguide.base import NotNow, Reply
from small_webs import FunctionWeb, page

PAGES = {
    "http://a.test/": ["https://a.test/x", "https://a.test/y", *(f"http://a.test/{n}" for n in range(5))],
    **{f"http://a.test/{n}": [f"http://a.test/more/{n}", "https://a.test/x"] for n in range(5)},
}


def crawl(opens, strategy="best-first", **settings):
    """Ask for all of it; https opens after so many seconds."""

    def answer(url):
        if url.startswith("https:") and web.now() < opens:
            raise NotNow("robots_unavailable", opens, "unreachable")
        return Reply(page(url, *PAGES.get(url, ()), text="bees"))

    web = FunctionWeb(answer, delay=1.0)
    job = hg.Crawl(["http://a.test/"], "keyword:bees", strategy, web=web, pages=50, **settings)
    return job, job.run(), web.asked


def test_what_is_left_of_the_host_is_fetched():
    job, summary, asked = crawl(math.inf)
    assert (summary.fetched, summary.stopped, summary.queued) == (11, "nothing_may_be_fetched", 2)
    assert (summary.held_back, summary.balanced) == (0, True)
    assert job.beside_the_frontier() == {"under_way": 0, "not_ranked_yet": 0, "shut": 2, "held_back": 0}
    assert sum(url.startswith("https:") for url in asked) == 1, "the others of its origin are not even tried"


def test_it_is_tried_again_in_its_time():
    for settings in ({}, {"strategy": "honeyguide"}, {"current_list": 3}):
        _, summary, asked = crawl(7.5, **settings)
        assert (summary.fetched, summary.stopped) == (13, "nothing_left")
        assert [url for url in asked if url.startswith("https:")][1:] != []


def test_a_blocked_host_stays_so_when_an_origin_opens():
    job, *_ = crawl(math.inf)
    job.block("a.test")
    assert job.guide.next(math.inf) is None
    assert job.graph.books() == {"queued": 0, "done": 11, "failed": 0, "excluded": 2}


def test_a_host_with_nothing_else_rests_as_a_whole():
    web = FunctionWeb(lambda url: (_ for _ in ()).throw(NotNow("robots_unavailable", math.inf, "status 503")))
    job = hg.Crawl(["https://a.test/x"], "keyword:bees", web=web, pages=5)
    job.run()
    assert [host for host, _ in job.frontier.resting()] == [0]
    assert not job.guide.shut_origins

"""The loop: what it fetches, when it stops, how it waits, and that the books balance."""

import asyncio
import itertools
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import honeyguide as hg
from honeyguide.base import Excluded, FetchError, NotNow, Reply
from small_webs import FunctionWeb, page, topical_web, web_of

A = "http://a.test"


def order(crawl):
    return [crawl.graph.url(i) for i in crawl.graph.visited().tolist()]


def test_a_crawl_fetches_everything_reachable_once():
    web = topical_web()
    crawl = hg.Crawl(["http://h0.test/1"], "label:bees", "breadth-first", web=web, pages=10_000)
    summary = crawl.run()
    fetched = order(crawl)
    assert len(fetched) == len(set(fetched)) == summary.fetched
    assert summary.stopped == "nothing_left"
    assert summary.relevant == sum(p.label == "bees" for p in web.pages() if p.url in set(fetched))
    assert summary.harvest == summary.relevant / summary.fetched


def test_visits_come_as_they_happen():
    async def run():
        crawl = hg.Crawl([f"{A}/"], "label:x", web=web_of(page(f"{A}/", f"{A}/1", label="x"), page(f"{A}/1")))
        return [(v.number, v.url, v.relevant, v.targets.tolist()) async for v in crawl]

    assert asyncio.run(run()) == [(0, f"{A}/", True, [1]), (1, f"{A}/1", False, [])]


def test_any_function_is_a_topic():
    crawl = hg.Crawl([f"{A}/"], lambda p: "bee" in p.text, web=web_of(page(f"{A}/", text="a bee")))
    assert crawl.run().relevant == 1


def test_the_number_of_pages_is_kept_to_the_letter():
    crawl = hg.Crawl(["http://h0.test/1"], "label:bees", web=topical_web(), pages=17)
    summary = crawl.run()
    assert (summary.fetched, summary.stopped) == (17, "pages")


def test_pages_an_archive_does_not_hold_are_counted_and_not_fetched():
    web = web_of(page(f"{A}/", f"{A}/held", f"{A}/missing"), page(f"{A}/held"))
    summary = hg.Crawl([f"{A}/"], "label:x", web=web).run()
    assert summary.fetched == 2
    assert summary.excluded == {"not_in_archive": 1}
    assert summary.to_dict()["not_in_archive"] == 1


def test_pages_that_forbid_following_are_not_followed():
    shut = hg.Page(url=f"{A}/", robots=frozenset(["nofollow"]), links=(hg.Link(f"{A}/1"),))
    assert hg.Crawl([f"{A}/"], "label:x", web=web_of(shut, page(f"{A}/1"))).run().discovered == 1


def test_a_url_that_redirects_to_itself_has_an_end():
    web = FunctionWeb(lambda url: Reply(redirect=url, status=302))
    summary = hg.Crawl([f"{A}/"], "label:x", web=web).run()
    assert web.asked == [f"{A}/"]
    assert summary.failed == {"redirect_loop": 1}
    assert summary.balanced


def test_two_urls_that_redirect_to_each_other_are_each_asked_once():
    web = FunctionWeb(lambda url: Reply(redirect=f"{A}/2" if url.endswith("1") else f"{A}/1", status=302))
    summary = hg.Crawl([f"{A}/1"], "label:x", web=web).run()
    assert web.asked == [f"{A}/1", f"{A}/2"]
    assert (summary.redirects, summary.done, summary.failed) == (1, 1, {"redirect_loop": 1})


def test_a_chain_of_redirects_has_an_end():
    web = FunctionWeb(lambda url: Reply(redirect=f"{url}x", status=302))
    summary = hg.Crawl([f"{A}/"], "label:x", web=web).run()
    assert summary.redirects == summary.fetched == 21
    assert summary.excluded == {"redirect_chain": 1}
    assert summary.balanced


def test_not_now_means_later():
    tries = []

    def answer(url):
        tries.append(web.now())
        if len(tries) < 3:
            raise NotNow("busy", web.now() + 10)
        return Reply(page(url))

    web = FunctionWeb(answer)
    summary = hg.Crawl([f"{A}/"], "label:x", web=web).run()
    assert tries == [0, 10, 20]
    assert (summary.fetched, summary.done) == (1, 1)


def test_the_longest_rest_counts_where_several_are_asked_for():
    asked = []

    class Busy(FunctionWeb):
        concurrency = 2

        async def get(self, url):
            asked.append((url[-1], self.now()))
            if self.now() == 0:
                raise NotNow("busy", {"1": 50.0, "2": 5.0}[url[-1]])
            return Reply(page(url))

    hg.Crawl([f"{A}/1", f"{A}/2"], "label:x", web=Busy(None)).run()
    assert sorted(asked) == [("1", 0), ("1", 50), ("2", 0), ("2", 50)]


def test_excluded_means_never_and_is_not_a_fetch():
    def answer(url):
        raise Excluded("robots")

    summary = hg.Crawl([f"{A}/"], "label:x", web=FunctionWeb(answer)).run()
    assert (summary.fetched, summary.excluded) == (0, {"robots": 1})


def test_hosts_rest_on_the_clock_of_the_web():
    pages = [page(f"http://{h}.test/{i}", f"http://{h}.test/{i + 1}") for h in "ab" for i in range(4)]
    web = web_of(*pages, delay=5.0)

    async def run():
        crawl = hg.Crawl(["http://a.test/0", "http://b.test/0"], "label:x", web=web, pages=8)
        return [(v.url, v.started) async for v in crawl]

    visits = asyncio.run(run())
    for host in "ab":
        times = [started for url, started in visits if url.startswith(f"http://{host}")]
        assert [later - sooner for sooner, later in itertools.pairwise(times)] == [5.0, 5.0, 5.0]
    assert web.now() == 15.0


def test_limits_of_time_bytes_depth_and_host():
    chain = [page(f"{A}/{i}", f"{A}/{i + 1}", text="x" * 100) for i in range(20)]

    def run(delay=0.0, **limits):
        return hg.Crawl([f"{A}/0"], "label:x", web=web_of(*chain, delay=delay), **limits).run()

    assert (run(max_bytes=500).fetched, run(max_bytes=500).stopped) == (5, "max_bytes")
    assert (run(1.0, max_time=3.5).fetched, run(1.0, max_time=3.5).stopped) == (4, "max_time")
    assert run(depth=2).fetched == 3
    assert run(depth=2).excluded == {"too_deep": 1}
    assert run(per_host=4).fetched == 4
    assert run(per_host=4).excluded == {"per_host": 1}


@pytest.mark.parametrize("strategy", ["best-first", "evolved:best-first"])
def test_a_url_too_deep_is_taken_up_when_a_shorter_way_is_found(strategy):
    # Going by relevance, /x is first found over three links and later over two.
    web = web_of(
        page(f"{A}/", f"{A}/long", f"{A}/other"),
        page(f"{A}/long", f"{A}/longer", label="yes"),
        page(f"{A}/longer", f"{A}/x", label="yes"),
        page(f"{A}/other", f"{A}/x"),
        page(f"{A}/x"),
    )
    crawl = hg.Crawl([f"{A}/"], "label:yes", strategy, web=web, depth=2)
    summary = crawl.run()
    assert order(crawl) == [f"{A}/", f"{A}/long", f"{A}/longer", f"{A}/other", f"{A}/x"]
    assert summary.excluded == {}


def test_a_limit_by_host_counts_only_pages_that_were_asked_for():
    shut = [f"{A}/shut/{i}" for i in range(4)]

    class Web(FunctionWeb):
        concurrency = 8

        async def get(self, url):
            await asyncio.sleep(0)
            if "/shut/" in url:
                raise Excluded("robots")
            return Reply(page(url))

    summary = hg.Crawl([*shut, f"{A}/1", f"{A}/2"], "label:x", web=Web(None), per_host=3).run()
    assert summary.fetched == 2
    assert summary.excluded == {"robots": 4}


def test_a_full_queue_drops_the_worst():
    hub = page(f"{A}/", *(f"{A}/{i}" for i in range(300)), label="yes")
    good = [page(f"{A}/{i}", label="yes") for i in range(300)]
    summary = hg.Crawl([f"{A}/"], "label:yes", web=web_of(hub, *good), pages=1000, max_queue=100).run()
    assert summary.excluded == {"queue_full": 200}
    assert summary.fetched == 101
    assert summary.balanced


def test_seeds_come_before_everything_found():
    web = web_of(page(f"{A}/1", f"{A}/child", label="yes"), page(f"{A}/2"), page(f"{A}/3"), page(f"{A}/child"))
    crawl = hg.Crawl([f"{A}/1", f"{A}/2", f"{A}/3"], "label:yes", "best-first", web=web)
    crawl.run()
    assert order(crawl) == [f"{A}/1", f"{A}/2", f"{A}/3", f"{A}/child"]


def test_stop_ends_the_crawl_with_its_reason():
    async def run():
        crawl = hg.Crawl(["http://h0.test/1"], "label:bees", web=topical_web())
        async for visit in crawl:
            if visit.number == 4:
                crawl.stop("seen enough")
        return crawl.summary()

    summary = asyncio.run(run())
    assert (summary.fetched, summary.stopped) == (5, "seen enough")


def test_many_requests_are_under_way_at_once():
    class Slow(FunctionWeb):
        concurrency = 4
        under_way = most = 0

        async def get(self, url):
            self.under_way += 1
            self.most = max(self.most, self.under_way)
            await asyncio.sleep(0.001)
            self.under_way -= 1
            return Reply(page(url, *(f"{url}{i}" for i in range(3))))

    web = Slow(None)
    summary = hg.Crawl([f"{A}/"], "label:x", web=web, pages=40).run()
    assert summary.fetched == 40
    assert web.most == 4


def test_an_error_in_a_topic_ends_the_crawl_by_name():
    def broken(page):
        raise ZeroDivisionError("oops")

    with pytest.raises(hg.HoneyguideError, match="broken"):
        hg.Crawl([f"{A}/"], broken, web=web_of(page(f"{A}/"))).run()


def test_when_the_budget_of_a_judge_is_spent_the_crawl_stops():
    topic = hg.function(lambda p: True, budget=3)
    summary = hg.Crawl(["http://h0.test/1"], topic, web=topical_web()).run()
    assert summary.stopped == "judge_budget_spent"
    assert summary.relevant == 3
    assert summary.fetched == 4
    assert summary.balanced


def test_an_async_judge_gets_pages_in_batches():
    sizes = []

    async def judge(pages):
        sizes.append(len(pages))
        await asyncio.sleep(0.005)
        return [0.9] * len(pages)

    class Quick(FunctionWeb):
        concurrency = 8

        async def get(self, url):
            await asyncio.sleep(0)
            return Reply(page(url, *(f"{url}{i}" for i in range(5))))

    summary = hg.Crawl([f"{A}/"], hg.function(judge, batch=8), web=Quick(None), pages=40).run()
    assert summary.relevant == 40
    assert sum(sizes) == 40
    assert max(sizes) > 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"seeds": [], "topic": "label:x"}, "needs at least one seed"),
        ({"seeds": [f"{A}/"]}, "needs a topic"),
        ({"seeds": ["nonsense"], "topic": "label:x"}, "'nonsense' is no URL"),
        ({"seeds": [f"{A}/"], "topic": "keyword:a & ~keyword:a"}, "can match nothing"),
        ({"seeds": [f"{A}/"], "topic": "label:x", "strategy": "clever"}, "no strategy 'clever'"),
        ({"seeds": [f"{A}/"], "topic": "label:x", "pages": 0}, "pages = 0 is out of bounds"),
    ],
)
def test_bad_input_is_told_in_a_sentence(arguments, said):
    with pytest.raises(hg.BadInput, match=said):
        hg.Crawl(**arguments, web=web_of()).run()


def test_an_unreachable_seed_is_a_failure_with_a_reason():
    def answer(url):
        raise FetchError("unreachable", "connection refused")

    summary = hg.Crawl([f"{A}/"], "label:x", web=FunctionWeb(answer)).run()
    assert summary.failed == {"unreachable": 1}


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_books_balance_whatever_the_web_does(data):
    urls = [f"http://h{h}.test/{i}" for h in range(3) for i in range(5)]
    outcome = st.sampled_from(["page", "404", "redirect", "excluded", "timeout", "not now"])
    postponed = set()

    def answer(url):
        what = data.draw(outcome)
        targets = data.draw(st.lists(st.sampled_from(urls), max_size=6))
        if what == "404":
            return Reply(error="http_404", status=404)
        if what == "redirect":
            return Reply(redirect=data.draw(st.sampled_from(urls)), status=301)
        if what == "excluded":
            raise Excluded("robots")
        if what == "timeout":
            raise FetchError("timeout")
        if what == "not now" and url not in postponed:
            postponed.add(url)
            raise NotNow("busy", web.now() + 1)
        return Reply(page(url, *targets, label=data.draw(st.sampled_from(["yes", "no"]))))

    async def run():
        crawl = hg.Crawl(
            urls[:2], "label:yes", data.draw(st.sampled_from(["host-odds", "random"])), web=web, pages=12
        )
        async for _ in crawl:
            assert crawl.summary().balanced
        return crawl.summary()

    web = FunctionWeb(answer, delay=data.draw(st.sampled_from([0.0, 1.0])))
    summary = asyncio.run(run())
    assert summary.balanced
    assert summary.fetched == summary.done + sum(summary.failed.values())
    assert summary.fetched <= 12


def test_crawls_can_run_in_threads_at_the_same_time():
    found = []
    threads = [
        threading.Thread(
            target=lambda: found.append(hg.Crawl(["http://h0.test/1"], "label:bees", web=topical_web()).run())
        )
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0].relevant == found[1].relevant > 0

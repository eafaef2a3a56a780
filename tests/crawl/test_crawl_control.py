"""Telling a running crawl what to do: pause and proceed, block a host and take it in again."""

import asyncio

import honeyguide as hg
from honeyguide.crawl.rejudging import rejudge
from honeyguide.store import Store, being_crawled
from honeyguide.web import LiveWeb
from loopback import Loopback, answer, never, settings
from small_webs import topical_web

SEEDS = ["http://h0.test/1", "http://h1.test/0"]


def crawl_of(directory=None, pages=120, **given):
    return hg.Crawl(SEEDS, "label:bees", "best-first", web=topical_web(), directory=directory, pages=pages, **given)


def blocking(crawl, host, after=10):
    """Run a crawl, and block a host after some visits; the URLs visited."""

    async def run():
        visited = []
        async for visit in crawl:
            visited.append(visit.url)
            if len(visited) == after:
                crawl.block(host)
        return visited

    return asyncio.run(run())


def hosts(urls):
    return {url.split("/")[2] for url in urls}


def test_a_paused_crawl_asks_for_nothing_until_it_proceeds():
    pages = {f"/{i}": answer(f"<p>bees {i}</p><a href=/{i + 1}>on</a>".encode()) for i in range(40)}

    async def run(server):
        asks = settings(seed=[server.origin + "/0"], topic="keyword:bees", pages=20, strategy="breadth-first")
        crawl = hg.Crawl.from_settings(asks, hg.keyword("bees"), LiveWeb(asks))
        asked = []

        async def go():
            async for visit in crawl:
                if visit.number == 5:
                    crawl.pause()
                    asked.append(len(server.requests))

        running = asyncio.create_task(go())
        while not crawl.paused:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)  # a chain of pages: at most the one request under way could come
        asked.append(len(server.requests))
        assert not running.done()
        crawl.proceed()
        await running
        return asked, crawl.summary()

    with Loopback(pages) as server:
        asked, summary = asyncio.run(run(server))
    assert asked[1] - asked[0] <= 1
    assert (summary.fetched, summary.stopped) == (20, "pages")


def test_a_paused_crawl_can_be_stopped():
    crawl = crawl_of()

    async def run():
        async for visit in crawl:
            if visit.number == 3:
                crawl.pause()
                asyncio.get_running_loop().call_later(0.05, crawl.stop, "terminated")

    asyncio.run(run())
    assert crawl.summary().stopped == "terminated"
    assert crawl.fetched < 10


def test_a_blocked_host_is_never_asked_again_and_the_books_say_so():
    free = blocking(crawl_of(), "h9.test")
    assert "h2.test" in hosts(free[11:])
    crawl = crawl_of()
    visited = blocking(crawl, "h2.test")
    summary = crawl.summary()
    assert "h2.test" not in hosts(visited[10:])
    assert summary.excluded["blocked"] > 0
    assert summary.balanced


def test_a_resumed_crawl_knows_of_blocked_hosts(tmp_path):
    blocking(crawl_of(tmp_path / "crawl", pages=40), "h2.test")
    crawl = crawl_of(tmp_path / "crawl", pages=200)
    before = Store.open(tmp_path / "crawl", write=False)
    known = before.visits_made
    before.close()
    crawl.run()
    later = [crawl.graph.url(i) for i in crawl.graph.visited().tolist()[known:]]
    assert later
    assert "h2.test" not in hosts(later)
    assert crawl.guide.blocked == ["h2.test"]
    assert crawl.summary().balanced


def test_an_unblocked_host_is_asked_again_also_after_resuming(tmp_path):
    crawl = crawl_of(tmp_path / "crawl", pages=40)
    blocking(crawl, "h2.test", after=10)

    async def unblock():
        again = crawl_of(tmp_path / "crawl", pages=60)
        async for visit in again:
            if visit.number == 45:
                assert again.unblock("h2.test") > 0
        return again

    again = asyncio.run(unblock())
    assert again.guide.blocked == []
    last = crawl_of(tmp_path / "crawl", pages=200)
    last.run()
    visited = [last.graph.url(i) for i in last.graph.visited().tolist()]
    assert "h2.test" in hosts(visited[45:])
    assert "blocked" not in last.summary().excluded


def test_a_block_outlives_a_crawl_that_begins_again(tmp_path):
    blocking(crawl_of(tmp_path / "crawl", pages=40), "h2.test")
    with Store.open(tmp_path / "crawl") as store:
        store.begin_again()
    crawl = crawl_of(tmp_path / "crawl", pages=100)
    crawl.run()
    assert "h2.test" not in hosts(crawl.graph.url(i) for i in crawl.graph.visited().tolist())


def test_why_hosts_rest_is_known():
    web = topical_web()
    web.delay = 2.0
    crawl = hg.Crawl(SEEDS, "label:bees", "best-first", web=web, pages=30)
    crawl.run()
    assert set(crawl.resting.why.values()) == {"gap"}


def test_who_listens_hears_what_happens_beside_visits():
    crawl, heard = crawl_of(), []
    crawl.tell = lambda kind, about: heard.append((kind, about))
    blocking(crawl, "h2.test")
    assert ("block", {"host": "h2.test", "urls": 4}) in heard


def test_a_directory_being_crawled_is_told_from_one_that_is_not(tmp_path):
    crawl = crawl_of(tmp_path / "crawl")

    async def run():
        seen = set()
        async for _ in crawl:
            seen.add(being_crawled(tmp_path / "crawl"))
        return seen

    assert asyncio.run(run()) == {True}
    assert not being_crawled(tmp_path / "crawl")


def test_marks_are_kept_by_url_and_the_last_one_counts(tmp_path):
    crawl_of(tmp_path / "crawl", pages=10).run()
    with Store.open(tmp_path / "crawl") as store:
        assert store.marks() == {}
        store.mark("http://h0.test/1", True)
        store.mark("http://h0.test/1", False)
        store.commit()
    with Store.open(tmp_path / "crawl", write=False) as store:
        assert store.marks() == {"http://h0.test/1": False}


def test_judging_anew_says_how_far_it_is(tmp_path):
    crawl_of(tmp_path / "crawl", pages=30).run()
    seen = []
    asyncio.run(rejudge(tmp_path / "crawl", topical_web(), hg.keyword("trains"), seen.append))
    assert seen == list(range(1, 31))


def test_requests_that_are_called_back_are_not_held_back(tmp_path, monkeypatch):
    monkeypatch.setattr("honeyguide.crawl.loop.GRACE", 0.1)
    links = answer(b"<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a>")
    with Loopback({"/": links, "/1": never, "/2": never, "/3": never}) as server:
        summary = hg.Crawl(
            [server.origin + "/"], "keyword:bees", directory=tmp_path, delay=0, allow_private=True, max_time=0.5
        ).run()
    assert (summary.queued, summary.held_back, summary.stopped) == (3, 0, "max_time")


def test_a_loop_that_is_left_early_is_closed_and_gone_on_with(tmp_path):
    async def some(count):
        visited = []
        async with crawl_of(tmp_path / "crawl") as crawl:
            async for visit in crawl:
                visited.append(visit.url)
                if len(visited) == count:
                    break
        return visited

    async def run():
        return [*await some(5), *await some(7), *await some(1000)]

    assert asyncio.run(run()) == [visit.url for visit in asyncio.run(_all(crawl_of()))]


async def _all(crawl):
    return [visit async for visit in crawl]


def test_a_live_loop_that_is_left_early_leaves_nothing_behind(tmp_path):
    pages = {f"/{n}": answer(b"".join(b"<a href=/%d>bees</a>" % k for k in range(40))) for n in range(40)}

    async def run(server):
        given = {"delay": 0, "allow_private": True, "workers": 0, "directory": tmp_path / "crawl"}
        for _ in range(3):
            async with hg.Crawl([f"{server.origin}/0"], "keyword:bees", pages=40, **given) as crawl:
                async for _ in crawl:
                    break
            assert not being_crawled(tmp_path / "crawl")
        return len(asyncio.all_tasks())

    with Loopback(pages) as server:
        assert asyncio.run(run(server)) == 1

"""The dashboard of a running crawl: what it shows, and that what is asked for on it is done."""

import asyncio
import json
import shutil
import threading

import aiohttp
import pytest

import honeyguide as hg
from dashboards import (
    Asker,
    bees_and_contests,
    is_about_bees,
    live_crawl,
    opened,
    remaker,
    slow_to_close,
    watched,
)
from honeyguide.base import BadInput
from honeyguide.dashboard import Journal, lesson, teacher
from honeyguide.report import write_report
from honeyguide.store import Store, read_settings
from honeyguide.store.own_models import known_topic
from honeyguide.topic.argument import quote
from honeyguide.topic.parts import leaves
from honeyguide.web import LiveWeb
from loopback import Loopback, answer, settings
from small_webs import topical_web

TAUGHT = "(keyword:bees | classifier:marked-1.hg@0.6) & classifier:marked-1.hg@0.4"
PARTS = {"about", "state", "figures", "curve", "speed", "pages", "books", "frontier", "next", "hosts", "unsure"}


def crawl_of(directory=None, pages=120, **given):
    return hg.Crawl(["http://h0.test/1"], "label:bees", web=topical_web(), directory=directory, pages=pages, **given)


def run(crawl, story, **given):
    """Let a story happen to a crawl that begins paused."""

    async def told():
        crawl.pause()
        async with watched(crawl, lambda _: topical_web(), **given) as asker:
            await asker.phase("paused")
            return await story(asker)

    return asyncio.run(told())


def test_the_stream_tells_everything_at_first_and_then_what_changed(tmp_path):
    async def story(asker):
        first = await asker.seen(lambda told: "unsure" in told)
        await asker.act("resume")
        last = await asker.phase("resting")
        return first, last

    first, last = run(crawl_of(tmp_path / "crawl"), story)
    assert set(first) == PARTS
    assert first["figures"]["fetched"] == 0
    assert (last["figures"]["fetched"], last["state"]["reason"]) == (120, "pages")
    assert last["curve"][-1] == [120, last["figures"]["relevant"]]
    assert len(last["pages"]) == 50
    assert last["pages"][0]["number"] == 120


def test_what_is_shown_is_what_the_crawl_did(tmp_path):
    crawl = crawl_of(tmp_path / "crawl")

    async def story(asker):
        await asker.act("resume")
        return await asker.seen(lambda told: told.get("books", {}).get("done") == 120)

    shown = run(crawl, story)
    books = {name: shown["books"][name] for name in ("done", "failed", "excluded", "queued")}
    assert books == crawl.graph.books()
    assert sum(shown["frontier"]["counts"]) + shown["frontier"]["first"] == len(crawl.frontier)
    best = shown["next"][0]
    assert best["why"]
    assert best["url"] == crawl.graph.url(crawl.guide.next(0.0)[0])


def test_a_pause_holds_and_a_stop_stops_a_live_crawl():
    pages = {f"/{i}": answer(f"<p>bees {i}</p><a href=/{i + 1}>on</a>".encode()) for i in range(6000)}

    async def story(server):
        asks = settings(seed=[server.origin + "/0"], topic="keyword:bees", pages=5000, strategy="breadth-first")
        async with watched(live_crawl(asks), LiveWeb) as asker:
            await asker.seen(lambda told: told["figures"]["fetched"] >= 3)
            assert (await asker.act("pause"))[0] == 200
            await asyncio.sleep(0.1)  # what was under way comes in
            held = len(server.requests)
            await asyncio.sleep(0.3)
            assert len(server.requests) == held
            await asker.act("resume")
            await asker.seen(lambda told: told["figures"]["fetched"] > held)
            await asker.act("stop")
            last = await asker.phase("resting")
            return last, len(server.requests), await asker.act("pause")

    with Loopback(pages) as server:
        last, asked, late = asyncio.run(story(server))
    assert last["state"]["reason"] == "dashboard"
    assert asked < 5000
    assert late == (409, {"error": "the crawl does not run"})


def test_blocking_on_a_live_crawl_ends_all_requests_to_the_host():
    links = "".join(f"<a href=http://b.test:PORT/{i}>b</a><a href=http://a.test:PORT/{i}>a</a>" for i in range(1, 60))

    async def slowly(request, writer):
        await asyncio.sleep(0.02)
        port = writer.get_extra_info("sockname")[1]
        writer.write(answer(f"<p>bees {request.path}</p>{links.replace('PORT', str(port))}".encode()))
        await writer.drain()

    async def story(server):
        asks = settings(
            seed=[f"http://a.test:{server.port}/0"], topic="keyword:bees", pages=90, strategy="breadth-first",
            resolve=["a.test=127.0.0.1", "b.test=127.0.0.1"], concurrency=2,
        )  # fmt: skip
        crawl = live_crawl(asks)
        async with watched(crawl, LiveWeb) as asker:
            await asker.seen(lambda told: told["figures"]["fetched"] >= 5)
            await asker.act("pause")
            await asyncio.sleep(0.2)
            status, told = await asker.act("block", host=f"b.test:{server.port}")
            before = len(server.requests)
            await asker.act("resume")
            last = await asker.seen(lambda told: told["state"]["phase"] == "resting" and told["books"]["blocked"])
            return status, told, [r.headers["host"] for r in server.requests[before:]], last

    with Loopback({f"/{i}": slowly for i in range(60)}) as server:
        status, told, later, last = asyncio.run(story(server))
    assert status == 200
    assert told["urls"] > 0
    assert later
    assert not any(host.startswith("b.test") for host in later)
    assert last["books"]["reasons"]["excluded"]["blocked"] >= told["urls"]


def test_what_makes_no_sense_is_refused_with_a_reason(tmp_path):
    async def story(asker):
        await asker.act("resume")
        await asker.phase("resting")
        return [
            await asker.act(*asked[:1], **asked[1])
            for asked in [
                ("fly", {}), ("mark", {}), ("mark", {"id": "0", "relevant": True}),
                ("mark", {"id": 10**9, "relevant": True}),
                ("mark", {"id": -1, "relevant": True}), ("mark", {"id": 0, "relevant": 1}), ("learn", {}),
                ("block", {"host": "nowhere.test"}), ("go_on", {"pages": 10}), ("stop", {}),
            ]
        ]  # fmt: skip

    for status, told in run(crawl_of(tmp_path / "crawl"), story):
        assert status == 409
        assert told["error"]


def test_hosts_are_blocked_and_unblocked_at_rest(tmp_path):
    directory = tmp_path / "crawl"
    crawl_of(directory, pages=40).run()

    async def ruled(action):
        async with opened(directory, lambda _: topical_web()) as asker:
            host = next(h for h in asker.session.crawl.graph.hosts if h != "h0.test")
            assert (await asker.act(action, host=host))[0] == 200
            return asker.session.crawl.guide.blocked, asker.session.crawl.graph.books()

    async def reopened():
        async with opened(directory, lambda _: topical_web()) as asker:
            return asker.session.crawl.guide.blocked, asker.session.crawl.graph.books()

    before = asyncio.run(reopened())
    blocked = asyncio.run(ruled("block"))
    assert len(blocked[0]) == 1
    assert blocked[1]["excluded"] > before[1]["excluded"]
    assert asyncio.run(reopened()) == blocked
    crawl = remaker(directory, lambda _: topical_web())(read_settings(directory))
    crawl.settings.pages = 45
    crawl.run()
    assert asyncio.run(reopened())[0] == blocked[0]
    asyncio.run(ruled("unblock"))
    after = asyncio.run(reopened())
    assert after[0] == []
    assert "blocked" not in remade_reasons(directory)


def remade_reasons(directory):
    """Why URLs are excluded, after a crawl went on."""
    crawl = remaker(directory, lambda _: topical_web())(read_settings(directory))
    crawl.settings.pages = 50
    return crawl.run().excluded


def test_a_block_is_logged_with_its_host_and_how_many_urls_it_leaves_out(tmp_path):
    told = []

    async def story(asker):
        asker.session.crawl.tell = lambda kind, about: told.append((kind, about))
        return await asker.act("block", host="h0.test")

    _, answer_ = run(crawl_of(), story)
    assert answer_["urls"] == 1
    assert ("block", {"host": "h0.test", "urls": 1}) in told


def test_an_error_while_learning_is_told_and_the_crawl_goes_on(tmp_path, monkeypatch):
    def broken(*_):
        raise RuntimeError("out of order")

    monkeypatch.setattr(lesson, "learned", broken)
    crawl = contest_crawl(tmp_path / "crawl", pages=75)

    async def story():
        async with watched(crawl, lambda _: bees_and_contests(), 40) as asker:
            await marking_and_learning(asker)
            told = await asker.seen(
                lambda told: told["state"]["phase"] == "paused" and "nothing" in told["state"]["note"]
            )
            await asker.act("resume")
            return told["state"]["note"], (await asker.phase("resting"))["figures"]["fetched"]

    assert asyncio.run(story()) == ("nothing was learned: RuntimeError: out of order", 75)


# -- marks and learning --------------------------------------------------------------------------------------------


async def marking_and_learning(asker):
    """Mark eight of forty pages while the crawl is paused, and let it learn."""
    shown = await asker.seen(lambda told: told["state"]["phase"] == "paused" and len(told["pages"]) == 40)
    await marking(asker, shown["pages"][:8])
    await asker.act("learn")


async def marking(asker, rows):
    """Say of pages what they are."""
    for row in rows:
        status, _ = await asker.act("mark", id=row["id"], relevant=is_about_bees(row["url"]))
        assert status == 200


def contest_crawl(directory, topic="keyword:bees", pages=50, web=None):
    web = web or bees_and_contests()
    return hg.Crawl(["http://h0.test/0"], topic, "breadth-first", web=web, directory=directory, pages=pages)


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    """A directory that was opened, marked, let learn, and gone on with; and what was shown after each of it."""
    directory = tmp_path_factory.mktemp("marked") / "crawl"
    contest_crawl(directory).run()

    async def story():
        async with opened(directory, lambda _: bees_and_contests()) as asker:
            shown = await asker.seen(lambda told: "unsure" in told)
            await marking(asker, shown["pages"][:8])
            after = await asker.seen(lambda told: told["state"]["lesson"]["new"] == 8 and len(told["unsure"]) < 10)
            await asker.act("learn")
            learned = await asker.seen(lambda told: "learned" in told["state"]["note"])
            await asker.phase("resting")
            assert (await asker.act("go_on", pages=25))[0] == 200
            last = await asker.seen(lambda told: told["state"]["phase"] == "resting" and told["curve"][-1][0] == 75)
            return shown, after, learned, last

    return directory, *asyncio.run(story())


def test_marks_are_shown_and_asked_for_no_more(marked):
    _, shown, after, *_ = marked
    told = {row["url"] for row in shown["pages"][:8]}
    assert after["state"]["lesson"]["new"] == 8
    assert {row["url"] for row in after["pages"] if row["mark"] is not None} == told
    assert not told & {row["url"] for row in after["unsure"]}


def test_pages_it_asks_about_are_of_several_hosts_and_the_least_sure(marked):
    _, shown, *_ = marked
    hosts = [row["host"] for row in shown["unsure"]]
    assert 2 <= len(hosts) <= 10
    assert max(map(hosts.count, hosts)) <= 2


def test_learning_changes_verdicts_without_asking_the_web_again(marked):
    directory, _, _, learned, last = marked
    assert "verdicts changed" in learned["state"]["note"]
    assert last["state"]["lesson"]["new"] == 0
    with Store.open(directory, write=False) as store:
        verdicts = {visit.url: bool(visit.relevant) for visit in store.visits()}
    assert len(verdicts) == 75
    assert all(relevant == is_about_bees(url) for url, relevant in verdicts.items())


def test_a_crawl_that_goes_on_keeps_what_was_learned(marked):
    directory = marked[0]
    assert read_settings(directory).topic == known_topic(TAUGHT, directory)
    crawl = remaker(directory, lambda _: bees_and_contests())(read_settings(directory))
    crawl.settings.pages = 80
    summary = crawl.run()
    assert summary.balanced
    assert summary.relevant == sum(is_about_bees(crawl.graph.url(i)) for i in crawl.graph.visited().tolist())


def test_a_crawl_that_has_learned_can_be_copied_and_moved(marked, tmp_path):
    directory = marked[0]
    assert str(directory) not in (directory / "crawl.toml").read_text()
    moved = tmp_path / 'a "new" place'
    shutil.copytree(directory, moved)
    model = quote(str(moved / "marked-1.hg"))
    assert read_settings(moved).topic == TAUGHT.replace("marked-1.hg", model)
    for _ in range(2):
        crawl = remaker(moved, lambda _: bees_and_contests())(read_settings(moved))
        crawl.settings.pages = 80
        assert crawl.run().balanced
        assert {leaf.source for leaf in leaves(crawl.topic) if isinstance(leaf, hg.Classifier)} == {
            str(moved / "marked-1.hg")
        }
        assert f'topic = "{TAUGHT}"' in (moved / "crawl.toml").read_text()


def test_a_model_that_is_gone_is_told_with_what_to_do(marked, tmp_path):
    shutil.copytree(marked[0], tmp_path / "copy")
    (tmp_path / "copy" / "marked-1.hg").unlink()
    with pytest.raises(BadInput, match=r"copy/marked-1.hg' cannot be read: there is no such file.*--topic") as raised:
        remaker(tmp_path / "copy", lambda _: bees_and_contests())(read_settings(tmp_path / "copy"))
    assert "Errno" not in str(raised.value)


def test_what_was_asked_at_first_is_told_in_the_report(marked, tmp_path):
    with Store.open(marked[0], write=False) as store:
        assert [event.query for event in store.events() if event.kind == "topic"] == ["keyword:bees"]
    text = write_report(marked[0], tmp_path / "report.html").read_text()
    assert "asked for <b>keyword:bees</b>" in text


def test_the_mark_wins_where_the_model_would_say_otherwise(tmp_path):
    directory = tmp_path / "crawl"
    contest_crawl(directory, "keyword:honey", 60).run()

    async def story():
        async with opened(directory, lambda _: bees_and_contests()) as asker:
            shown = await asker.seen(lambda told: told["pages"])
            row = next(row for row in shown["pages"] if row["relevant"])
            await asker.act("mark", id=row["id"], relevant=False)
            await asker.act("learn")
            told = await asker.seen(lambda told: "learned" in told["state"]["note"])
            return row["url"], told["state"]["note"]

    url, note = asyncio.run(story())
    assert "learned from 1 mark" in note
    with Store.open(directory, write=False) as store:
        verdicts = {visit.url: (visit.relevance, bool(visit.relevant)) for visit in store.visits()}
    assert verdicts.pop(url) == (0.0, False)
    others = [relevant for each, (_, relevant) in verdicts.items() if is_about_bees(each)]
    assert sum(others) > 0.9 * len(others)


def test_a_running_crawl_learns_and_goes_on_as_it_was(tmp_path):
    crawl = contest_crawl(tmp_path / "crawl", pages=75)

    async def story(journal):
        async with watched(crawl, lambda _: bees_and_contests(), 40, journal=journal) as asker:
            await marking_and_learning(asker)
            again = await asker.seen(
                lambda told: told["state"]["phase"] == "paused" and told["about"]["topic"] == TAUGHT
            )
            await asker.act("resume")
            return again, await asker.phase("resting"), asker.visits

    with Journal(tmp_path / "log") as journal:
        again, last, visits = asyncio.run(story(journal))
    assert again["figures"]["fetched"] == 40
    assert again["figures"]["relevant"] == 20
    assert last["figures"]["fetched"] == len({visit.url for visit in visits}) == 75
    events = [json.loads(line)["event"] for line in (tmp_path / "log").read_text().splitlines()]
    assert {"begun", "marked", "learned", "resumed", "ended", "visit"} <= set(events)
    assert (events.count("begun"), events.count("visit")) == (2, 75)


def test_too_few_examples_to_learn_from_are_told_and_the_topic_stays(tmp_path):
    directory = tmp_path / "crawl"
    hg.Crawl(["http://h0.test/1"], "keyword:zebra", web=topical_web(), directory=directory, pages=30).run()

    async def story():
        async with opened(directory, lambda _: topical_web()) as asker:
            await asker.act("mark", id=0, relevant=True)
            await asker.act("learn")
            return await asker.seen(lambda told: "nothing was learned" in told["state"]["note"])

    told = asyncio.run(story())
    assert "at least 2 positive examples" in told["state"]["note"]
    assert read_settings(directory).topic == "keyword:zebra"


def test_marks_of_both_kinds_lead_to_one_lesson_by_themselves(tmp_path, monkeypatch):
    monkeypatch.setattr(teacher, "QUIET", 0.5)
    crawl = contest_crawl(tmp_path / "crawl", pages=75)

    async def story(journal):
        async with watched(crawl, lambda _: bees_and_contests(), 40, journal=journal) as asker:
            shown = await asker.seen(lambda told: told["state"]["phase"] == "paused" and len(told["pages"]) == 40)
            await marking(asker, shown["pages"][:8])
            await asker.seen(lambda told: "learned from 8 marks" in told["state"]["note"])
            await asker.phase("paused")
            await asker.act("resume")
            return await asker.phase("resting")

    with Journal(tmp_path / "log") as journal:
        last = asyncio.run(story(journal))
    assert last["about"]["topic"] == TAUGHT
    assert last["about"]["first_topic"] == "keyword:bees"
    assert last["state"]["lesson"]["new"] == 0
    events = [json.loads(line)["event"] for line in (tmp_path / "log").read_text().splitlines()]
    assert events.count("learned") == 1


def test_marks_of_one_kind_only_wait_for_some_of_the_other(tmp_path, monkeypatch):
    monkeypatch.setattr(teacher, "QUIET", 0.0)
    directory = tmp_path / "crawl"
    contest_crawl(directory).run()

    async def story():
        async with opened(directory, lambda _: bees_and_contests()) as asker:
            shown = await asker.seen(lambda told: told["pages"])
            rows = [row for row in shown["pages"] if is_about_bees(row["url"])]
            others = [row for row in shown["pages"] if not is_about_bees(row["url"])]
            await marking(asker, [*rows[:4], others[0]])
            few = asker.session.parts()["state"]["lesson"]
            await marking(asker, others[1:2])
            enough = asker.session.parts()["state"]["lesson"]
            await asker.seen(lambda told: "learned from 6 marks" in told["state"]["note"])
            return few, enough

    few, enough = asyncio.run(story())
    assert (few["state"], few["on"], few["off"]) == ("", 4, 1)
    assert enough["state"]
    assert read_settings(directory).topic == known_topic(TAUGHT, directory)


def test_a_crawl_goes_on_while_a_lesson_is_prepared_and_takes_later_marks_to_heart(tmp_path, monkeypatch):
    monkeypatch.setattr(teacher, "QUIET", 0.0)
    monkeypatch.setattr(teacher, "REST", 0)
    go, train = threading.Event(), lesson.learned
    monkeypatch.setattr(lesson, "learned", lambda *given: (train(*given), go.wait(60))[0])
    crawl = contest_crawl(tmp_path / "crawl", pages=75)

    async def story():
        async with watched(crawl, lambda _: bees_and_contests(), 40) as asker:
            shown = await asker.seen(lambda told: told["state"]["phase"] == "paused" and len(told["pages"]) == 40)
            await marking(asker, shown["pages"][:8])
            await asker.seen(lambda told: told["state"]["lesson"]["state"] == "training")
            pause_at(60, asker)
            await asker.act("resume")
            await asker.seen(lambda told: told["state"]["phase"] == "paused" and told["figures"]["fetched"] == 60)
            await marking(asker, shown["pages"][8:9])
            go.set()
            await asker.seen(lambda told: "learned from 9 marks" in told["state"]["note"])
            await asker.phase("paused")
            await asker.act("resume")
            return await asker.phase("resting"), len(asker.visits)

    last, visits = asyncio.run(story())
    assert (last["figures"]["fetched"], visits) == (75, 75)
    with Store.open(tmp_path / "crawl", write=False) as store:
        assert all(bool(visit.relevant) == is_about_bees(visit.url) for visit in store.visits())


def pause_at(number, asker):
    """Pause a crawl once more."""
    took, crawl = asker.session.watch.took, asker.session.crawl
    asker.session.watch.took = lambda visit, title: (took(visit, title), visit.number == number - 1 and crawl.pause())


def test_a_lesson_that_is_not_ready_when_the_last_page_is_there_is_waited_for(tmp_path, monkeypatch):
    go, train = threading.Event(), lesson.learned
    monkeypatch.setattr(lesson, "learned", lambda *given: (train(*given), go.wait(60))[0])
    crawl = contest_crawl(tmp_path / "crawl", pages=60)

    async def story():
        async with watched(crawl, lambda _: bees_and_contests(), 40) as asker:
            await marking_and_learning(asker)
            await asker.act("resume")
            await asker.phase("judging")
            go.set()
            return await asker.phase("resting")

    last = asyncio.run(story())
    assert (last["figures"]["fetched"], last["state"]["reason"]) == (60, "pages")
    assert last["about"]["topic"] == TAUGHT


def test_hosts_that_rest_and_rules_that_were_read_outlast_a_lesson(tmp_path, monkeypatch):
    lessons, prepare = [], lesson.prepared
    monkeypatch.setattr(lesson, "prepared", lambda *given: lessons.append(prepare(*given)) or lessons[-1])
    asked = b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n"
    pages = {f"/{i}": answer(f"<p>{bees_or_contest(i)}</p><a href=/{i + 1}>on</a>".encode()) for i in range(60)}
    first = "<p>bees honey</p><a href=/1>on</a><a href=http://b.test:PORT/busy>b</a>"

    async def begins(request, writer):
        port = writer.get_extra_info("sockname")[1]
        writer.write(answer(first.replace("PORT", str(port)).encode()))
        await writer.drain()

    async def story(server):
        asks = settings(
            seed=[f"http://a.test:{server.port}/0"], topic="keyword:bees", pages=40, strategy="breadth-first",
            resolve=["a.test=127.0.0.1", "b.test=127.0.0.1"], max_time=3600,
        )  # fmt: skip
        async with watched(live_crawl(asks, tmp_path / "crawl"), LiveWeb, 20) as asker:
            shown = await asker.phase("paused")
            for row in shown["pages"][:8]:
                await asker.act("mark", id=row["id"], relevant="honey" in row["title"] or row["number"] % 2 == 0)
            began = asker.session.crawl._limits._began
            await asker.act("learn")
            await asker.seen(lambda told: "learned" in told["state"]["note"] and told["state"]["phase"] == "paused")
            await asker.act("resume")
            await asker.phase("resting")
            assert asker.session.crawl is lessons[0].ahead  # what was made ready beside is gone on with
            return began, asker.session.crawl._limits._began

    with Loopback({**pages, "/0": begins, "/busy": asked}) as server:
        before, after = asyncio.run(story(server))
        requests = [request.path for request in server.requests]
    assert requests.count("/busy") == 1
    assert requests.count("/robots.txt") == 2
    assert before == after  # the time that was used counts


def bees_or_contest(i):
    return f"bees honey hive nectar {i}" if i % 2 else f"bees spelling contest words {i}"


def test_a_crawl_that_is_told_to_end_while_it_learns_ends(tmp_path):
    crawl = contest_crawl(tmp_path / "crawl", pages=75)

    async def story():
        async with watched(crawl, lambda _: bees_and_contests(), 40) as asker:
            await marking_and_learning(asker)
            asker.session.stop("terminated")
            await asker.phase("resting")
            return len(asker.visits), asker.session.crawl.summary()

    visits, summary = asyncio.run(story())
    assert (visits, summary.stopped, summary.fetched) == (40, "terminated", 40)
    with Store.open(tmp_path / "crawl", write=False) as store:
        assert len(store.marks()) == 8


def slow_crawl(directory):
    """A crawl whose web takes a while to close; its books are closed before."""
    return contest_crawl(directory, pages=75, web=slow_to_close(bees_and_contests()))


def closed(crawl):
    """Wait until a crawl has let go of its directory."""

    async def waited():
        while not crawl.store.closed:
            await asyncio.sleep(0.01)

    return asyncio.wait_for(waited(), 30)


def test_the_stream_goes_on_to_the_end_when_a_crawl_is_stopped_while_a_lesson_trains(tmp_path, monkeypatch):
    go = threading.Event()
    monkeypatch.setattr(lesson, "learned", lambda *_: go.wait(60))
    crawl = slow_crawl(tmp_path / "crawl")

    async def story():
        async with aiohttp.ClientSession(read_bufsize=2**22) as window:
            async with watched(crawl, lambda _: bees_and_contests(), 40) as asker:
                await marking_and_learning(asker)
                looking = Asker(asker.server, asker.session, window)
                shown = asyncio.create_task(looking.seen(lambda _: False))
                await looking.seen(lambda told: told["state"]["lesson"]["state"] == "training")
                assert (await asker.act("stop"))[0] == 200
                await asker.phase("resting")
            go.set()
            return await shown

    told = asyncio.run(story())
    assert (told["state"]["phase"], told["state"]["reason"]) == ("resting", "dashboard")
    assert told["figures"]["fetched"] == 40
    assert "unseen" not in told


def test_pages_are_shown_and_marked_while_a_crawl_that_let_go_of_its_directory_ends(tmp_path):
    crawl = slow_crawl(tmp_path / "crawl")

    async def story():
        async with watched(crawl, lambda _: bees_and_contests(), 40) as asker:
            shown = await asker.seen(lambda told: len(told["pages"]) == 40)
            crawl.keep()
            before = asker.session.slow_parts()["unsure"]
            await asker.act("stop")
            await closed(crawl)
            assert asker.session.phase == "running"
            after = asker.session.slow_parts()["unsure"]
            await marking(asker, shown["pages"][:1])
            return before, after

    before, after = asyncio.run(story())
    assert before
    assert before == after
    with Store.open(tmp_path / "crawl", write=False) as store:
        assert len(store.marks()) == 1


def test_a_window_sees_a_crawl_through_its_change_over(tmp_path):
    crawl = slow_crawl(tmp_path / "crawl")

    async def story():
        async with watched(crawl, lambda _: bees_and_contests(), 40) as asker:
            changed = asyncio.create_task(
                asker.seen(lambda told: told["state"]["phase"] == "paused" and told["about"]["topic"] == TAUGHT)
            )
            await marking_and_learning(asker)
            return await changed

    told = asyncio.run(story())
    assert told["about"]["topic"] == TAUGHT
    assert "unseen" not in told

"""What the dashboard is made of: curve, log, metrics and note."""

import asyncio
import json
import math
import os
import re
import stat

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import honeyguide as hg
from dashboards import families, opened, values, watched
from honeyguide.base import HoneyguideError
from honeyguide.dashboard import Journal, Note, Server, Session, leave_note, looking, read_note
from honeyguide.dashboard.looks import Looks
from honeyguide.dashboard.metrics import Metric, exposition
from honeyguide.dashboard.note import take_note_back
from honeyguide.dashboard.watch import MOST_POINTS, Curve
from loopback import Loopback, answer
from small_webs import page, topical_web, web_of

ESCAPE = "\x1b[2J\x1b]0;owned\x07"
ATTACK = f"<img src=x onerror=alert(1)></script><script>alert(2)</script>{ESCAPE}\u202e\r\nHTTP/1.1"


def hostile_web():
    """A web whose titles and anchors are attacks."""
    evil = hg.Page(url="http://a.test/%3Cscript%3E", title=ATTACK, text="bees", main="bees", links=())
    return web_of(page("http://a.test/", evil.url, "http://gone.test/", text="bees", anchor=ATTACK), evil)


def hostile_crawl(directory):
    return hg.Crawl(["http://a.test/"], "keyword:bees", web=hostile_web(), directory=directory)


# -- the curve -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", [0, 1, 399, 400, 401, 5000])
@pytest.mark.parametrize("after", [0, 1, 1000, 20_000])
def test_the_curve_stays_small_and_true(before, after):
    hits = np.random.default_rng(before + after).random(before + after) < 0.3
    curve = Curve(hits[:before])
    for hit in hits[before:].tolist():
        curve.add(hit)
    points = curve.points()
    assert len(points) <= MOST_POINTS + 2
    assert [asked for asked, _ in points] == sorted({asked for asked, _ in points})
    assert points[-1][0] == before + after
    assert all(found == np.count_nonzero(hits[:asked]) for asked, found in points)


# -- the log -------------------------------------------------------------------------------------------------------


def test_every_visit_is_a_line_and_nothing_remote_gets_out_of_it(tmp_path):
    async def run():
        with Journal(tmp_path / "log") as journal:
            session = Session(hostile_crawl(tmp_path / "crawl"), lambda _: None, journal)
            return [visit async for visit in session]

    visits = asyncio.run(run())
    text = (tmp_path / "log").read_bytes()
    assert re.fullmatch(rb"[\x20-\x7e\n]*", text)
    lines = [json.loads(line) for line in text.splitlines()]
    told = [line for line in lines if line["event"] == "visit"]
    assert [line["url"] for line in told] == [visit.url for visit in visits]
    assert told[1]["title"] == ATTACK
    assert told[0]["score"] is None  # a seed's is infinite, which JSON has no word for
    assert lines[-1]["event"] == "ended"
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]{12}Z", line["time"]) for line in lines)
    missing = [line for line in lines if line["event"] == "excluded"]
    assert [(line["url"], line["reason"]) for line in missing] == [("http://gone.test/", "not_in_archive")]


def test_the_log_is_appended_to_and_one_that_cannot_be_written_is_told(tmp_path):
    for number in range(2):
        with Journal(tmp_path / "log") as journal:
            journal.event("begun", {"number": number, "odd": math.nan})
    assert [json.loads(line)["number"] for line in (tmp_path / "log").read_text().splitlines()] == [0, 1]
    with pytest.raises(hg.HoneyguideError, match="log"):
        Journal(tmp_path / "nowhere" / "log")


# -- metrics -------------------------------------------------------------------------------------------------------


def test_prometheus_reads_what_is_written_whatever_labels_hold():
    wild = {'quo"te': 1, "back\\slash": 2.5, "new\nline": math.inf, ATTACK: 3}
    found = families(
        exposition([Metric("things", "What there is", wild, "kind"), Metric("none", "None", {}, "kind")])
    )
    assert values(found["honeyguide_things"]) == {(name,): value for name, value in wild.items()}


def test_the_metrics_are_the_figures_of_the_crawl():
    crawl = hg.Crawl(["http://h0.test/1"], "label:bees", web=topical_web(), pages=150)

    async def run():
        async with watched(crawl, lambda _: topical_web(), 150) as asker:
            await asker.seen(lambda told: told["figures"]["fetched"] == 150)
            status, text, headers = await asker.get("/metrics")
            assert headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
            return status, text, crawl.summary()

    status, text, summary = asyncio.run(run())
    assert status == 200
    found = families(text)
    single = {name: next(iter(values(family).values())) for name, family in found.items() if len(values(family)) == 1}
    assert single["honeyguide_pages_fetched"] == 150
    assert single["honeyguide_relevant_pages"] == summary.relevant
    assert single["honeyguide_received_bytes"] == summary.bytes
    assert found["honeyguide_pages_fetched"].type == "counter"
    states = values(found["honeyguide_urls"])
    assert sum(states.values()) == summary.discovered
    assert states[("queued",)] == summary.queued
    bounds = values(found["honeyguide_forecast_relevant_pages"])
    assert bounds[("low",)] <= bounds[("expected",)] <= bounds[("high",)]


def test_what_was_noted_counts_for_all_runs_and_what_is_no_request_has_another_name(tmp_path):
    class Noting(type(topical_web())):
        def notes(self):
            return {"robots_requests": 2, "rendered": 3}

    def web(_=None):
        made = topical_web()
        made.__class__ = Noting
        return made

    directory = tmp_path / "crawl"
    hg.Crawl(["http://h0.test/1"], "label:bees", web=web(), pages=20, directory=directory).run()

    async def run():
        async with opened(directory, web) as asker:
            return families((await asker.get("/metrics"))[1])

    found = asyncio.run(run())
    assert values(found["honeyguide_requests_beside_pages"]) == {("robots_requests",): 4}
    assert values(found["honeyguide_noted"]) == {("rendered",): 6}


# -- the note ------------------------------------------------------------------------------------------------------


def test_the_note_is_for_its_owner_only_and_is_taken_back(tmp_path):
    note = Note(os.getpid(), 8123, "secret")
    (tmp_path / "dashboard.json").write_text("an old one that all may read")
    leave_note(tmp_path, note)
    assert stat.S_IMODE((tmp_path / "dashboard.json").stat().st_mode) == 0o600
    assert read_note(tmp_path) == note
    assert note.address == "http://127.0.0.1:8123/#token=secret"
    take_note_back(tmp_path)
    assert read_note(tmp_path) is None


def test_the_note_of_another_process_is_left_alone_and_one_that_is_out_of_date_is_known_as_such(tmp_path):
    leave_note(tmp_path, Note(os.getppid(), 1, "theirs"))
    take_note_back(tmp_path)
    assert not read_note(tmp_path).holds()


@pytest.mark.parametrize("huge", ["pid", "port"])
def test_a_note_with_numbers_that_cannot_be_does_not_hold(tmp_path, huge):
    (tmp_path / "dashboard.json").write_text(json.dumps({"pid": os.getpid(), "port": 1, "token": "", huge: 10**30}))
    assert not read_note(tmp_path).holds()


def test_a_note_that_cannot_be_left_is_told_in_a_sentence(tmp_path):
    (tmp_path / "dashboard.json").mkdir()
    with pytest.raises(HoneyguideError, match=re.escape(str(tmp_path))):
        leave_note(tmp_path, Note(1, 1, ""))


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}', '{"pid": "x", "port": 1, "token": ""}', "\xff"])
def test_a_note_that_cannot_be_read_is_none(tmp_path, text):
    (tmp_path / "dashboard.json").write_text(text)
    assert read_note(tmp_path) is None


# -- what somebody sees --------------------------------------------------------------------------------------------


def test_nothing_remote_reaches_the_stream_as_anything_but_text(tmp_path):
    hostile_crawl(tmp_path / "crawl").run()

    async def run():
        async with (
            opened(tmp_path / "crawl", lambda _: hostile_web()) as asker,
            asker.client.get(asker.origin + "/api/events", headers=asker.own) as answer,
        ):
            assert answer.headers["Content-Type"] == "text/event-stream"
            return await answer.content.readline()

    line = asyncio.run(run())
    assert re.fullmatch(rb"data: [\x20-\x7e]*\n", line)
    assert ATTACK in [row["title"] for row in json.loads(line[6:])["pages"]]


def test_headers_of_live_answers_change_nothing(tmp_path):
    """In the status line, in headers that are kept, and in one that says why a page is not taken."""
    evil = "<img src=x onerror=alert(1)>\x9b2J \"'=1"
    kept = {"Last_Modified": evil, "ETag": evil, "X_Robots_Tag": f"noai, {evil}", "Content_Language": evil}
    body = b"<title>Bees</title>bees <a href=/other>other</a>"
    sites = {"/": answer(body, f"200 {evil}", **kept), "/other": answer(b"bees", type=evil)}

    async def run(server):
        asked = {"workers": 0, "allow_private": True, "delay": 0}
        crawl = hg.Crawl([server.origin + "/"], "keyword:bees", directory=tmp_path / "crawl", **asked)
        with Journal(tmp_path / "log") as journal:
            session = Session(crawl, lambda _: None, journal)
            visits = [visit async for visit in session]
            return visits, json.dumps({**session.parts(), **session.slow_parts()}, ensure_ascii=True)

    with Loopback(sites) as server:
        visits, shown = asyncio.run(run(server))
    assert (len(visits), visits[0].relevant) == (2, True)
    text = (tmp_path / "log").read_bytes()
    assert re.fullmatch(rb"[\x20-\x7e\n]*", text)
    assert [json.loads(line)["event"] for line in text.splitlines()][-1] == "ended"
    assert "onerror" not in text.decode() + shown


def test_nothing_is_looked_at_when_nobody_looks_and_not_too_often_when_somebody_does(tmp_path):
    looks = []

    class Counted(Session):
        def parts(self):
            looks.append("quick")
            return super().parts()

        def slow_parts(self):
            looks.append("slow")
            return super().slow_parts()

    async def run():
        session = Counted(hg.Crawl(["http://h0.test/1"], "label:bees", web=topical_web(), pages=50), lambda _: None)
        async with Server(session):
            async for _ in session:
                pass
        assert not looks
        shown = Looks(session)
        for _ in range(100):
            shown.now()
        assert looks == ["quick", "slow"]

    asyncio.run(run())


@pytest.mark.parametrize("strategy", ["honeyguide", "breadth-first"])
def test_the_books_tell_which_queued_urls_are_not_in_the_frontier(strategy):
    pages = {
        f"/{i}": answer(f"bees {i} <a href=/{2 * i + 1}>a</a><a href=/{2 * i + 2}>b</a>".encode()) for i in range(60)
    }
    asked = {"workers": 0, "allow_private": True, "delay": 0, "pages": 40}

    async def run(server):
        crawl = hg.Crawl([server.origin + "/0"], "keyword:bees", strategy, **asked)
        shown = []
        async for _ in crawl:
            books = looking.books(crawl)
            shown.append(books["reasons"]["queued"])
            assert books["queued"] == len(crawl.frontier) + sum(shown[-1].values())
        return shown, crawl.summary().held_back

    with Loopback(pages) as server:
        shown, held_back = asyncio.run(run(server))
    names = {name for reasons in shown for name in reasons}
    assert {"under_way"} <= names <= {"under_way", "not_ranked_yet"}
    assert all(count > 0 for reasons in shown for count in reasons.values())
    assert held_back == 0


class Failing:
    """A view that can be looked at now and then."""

    def __init__(self):
        self.trouble, self.number = None, 0

    def version(self):
        return self.number

    def parts(self):
        self.number += 1
        return {"figures": self.number}

    def slow_parts(self):
        if self.trouble:
            raise self.trouble
        return {"books": self.number}


def test_a_look_that_fails_is_counted_and_told_and_what_was_seen_before_stays():
    view = Failing()
    looks = Looks(view)
    assert looks.now() == {"figures": "1", "books": "1"}
    view.trouble = RuntimeError("the books are closed")
    failing = looks.now(anew=True)
    assert (failing["figures"], failing["books"]) == ("2", "1")
    assert "a look at the crawl failed: RuntimeError: the books are closed" in failing["unseen"]
    assert "honeyguide_looks_failed_total 1" in exposition([looks.metric()])
    view.trouble = None
    assert looks.now(anew=True) == {"figures": "3", "books": "3", "unseen": '""'}


def test_a_stream_goes_on_after_a_look_that_failed(monkeypatch):
    crawl = hg.Crawl(["http://h0.test/1"], "label:bees", web=topical_web(), pages=150)

    async def run():
        async with watched(crawl, lambda _: topical_web(), 20) as asker:
            await asker.phase("paused")
            with monkeypatch.context() as broken:
                broken.setattr(looking, "queue", lambda _: {}["queue"])
                reading = asyncio.create_task(asker.seen(lambda told: told.get("unseen") == ""))
                await asker.seen(lambda told: told.get("unseen"))
            await asker.act("resume")
            return await reading, families((await asker.get("/metrics"))[1])

    told, found = asyncio.run(run())
    assert told["books"]
    assert values(found["honeyguide_looks_failed"])[()] >= 1


@given(st.lists(st.sampled_from([0.5, 1.0, math.inf]), min_size=1, max_size=40), st.integers(1, 12))
def test_of_equally_good_urls_those_found_first_come_first(scores, most):
    ids = 7 + 3 * np.arange(len(scores))
    expected = sorted(range(len(scores)), key=lambda place: (-scores[place], ids[place]))
    assert looking.best_places(ids, np.array(scores), most).tolist() == expected[:most]

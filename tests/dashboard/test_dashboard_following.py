"""The view of a crawl that another process makes: what its directory tells, its queue included."""

import asyncio

import numpy as np
import pytest

import honeyguide as hg
from dashboards import families, remaker, values
from honeyguide.base import BadInput
from honeyguide.dashboard import Following, hindsight
from honeyguide.dashboard.metrics import exposition
from honeyguide.store import Store, read_settings
from small_webs import topical_web


def test_another_process_crawl_is_followed_and_cannot_be_steered(tmp_path):
    crawl = hg.Crawl(["http://h0.test/1"], "label:bees", web=topical_web(), pages=90, directory=tmp_path / "crawl")

    async def run():
        view, seen = None, []
        async for visit in crawl:
            if visit.number == 20:
                crawl.keep()
                view = following(tmp_path / "crawl")
                seen.append(view.parts()["figures"]["fetched"])
                crawl.block("h3.test")
                crawl.store.mark(visit.url, True)
                seen.append(view.parts()["state"]["phase"])
        view.slow_parts()
        assert view.version()[:2] == (90, True)
        seen.append(view.parts()["figures"]["fetched"])
        shown = {**view.parts(), **view.slow_parts()}
        with pytest.raises(BadInput, match="honeyguide dashboard"):
            await view.act("pause", {})
        with pytest.raises(BadInput, match="is being read"):
            view.why(0)
        figures = families(exposition(view.metrics()))
        view.close()
        return seen, shown, figures

    seen, shown, figures = asyncio.run(run())
    summary = crawl.summary()
    assert seen == [21, "following", 90]
    assert shown["state"]["phase"] == "ended"
    assert sum(row["mark"] is True for row in shown["pages"]) == 0  # it is not among the last ones
    assert f"honeyguide dashboard {tmp_path / 'crawl'}" in shown["state"]["note"]
    assert shown["books"]["blocked"] == ["h3.test"]
    assert values(figures["honeyguide_phase"])[("ended",)] == 1
    assert shown["figures"]["relevant"] == summary.relevant
    assert len(shown["pages"]) == 50
    assert shown["books"]["queued"] == summary.queued
    assert sum(values(figures["honeyguide_urls"]).values()) == summary.discovered


def following(directory):
    """A view of a crawl that is made elsewhere, on the web of these tests."""
    return Following(directory, lambda: remaker(directory, lambda _: topical_web())(read_settings(directory)))


def test_the_queue_of_another_process_is_read_from_its_directory(tmp_path):
    directory = tmp_path / "crawl"
    crawl = hg.Crawl(["http://h0.test/1"], "label:bees", web=topical_web(), pages=60, directory=directory)

    async def run():
        view = None
        async for visit in crawl:
            if visit.number == 39:
                crawl.keep()
                queued = len(crawl.frontier)
                view = following(directory)
                shown = await looked(view)
                why = view.why(shown["next"][0]["id"])
                best = crawl.graph.url(crawl.guide.ranking()[0][np.argmax(crawl.guide.ranking()[1])])
        view.close()
        return queued, shown, why, best

    queued, shown, why, best = asyncio.run(run())
    assert shown["figures"]["queued"] == queued
    assert sum(shown["frontier"]["counts"]) + shown["frontier"]["first"] == queued
    assert (shown["next"][0]["url"], shown["next"][0]["is_next"]) == (best, False)
    assert sum(row["queued"] for row in shown["hosts"]) == queued
    assert why
    assert "after 40 visits" in shown["queue_note"]


async def looked(view):
    """What is shown when the queue was read."""
    async with asyncio.timeout(60):
        view.slow_parts()
        while "frontier" not in view.parts() and "cannot" not in view.parts()["queue_note"]:
            await asyncio.sleep(0.01)
    return view.parts()


def test_a_queue_that_cannot_be_read_is_told_and_so_is_one_that_is_too_long(tmp_path, monkeypatch):
    directory = tmp_path / "crawl"
    hg.Crawl(["http://h0.test/1"], "label:bees", web=topical_web(), pages=30, directory=directory).run()

    def broken():
        raise BadInput("this crawl ran on a web that was made in Python")

    async def run():
        view = Following(directory, broken)
        shown = await looked(view)
        monkeypatch.setattr(hindsight, "MOST", 10)
        view.slow_parts()
        later = view.parts()
        view.close()
        return shown["queue_note"], later["queue_note"]

    broken_note, long_note = asyncio.run(run())
    assert broken_note == "the queue cannot be shown: this crawl ran on a web that was made in Python"
    assert "held in memory a second time" in long_note


def test_visits_made_while_nobody_looked_are_not_taken_for_speed(tmp_path):
    directory = tmp_path / "crawl"
    crawl = hg.Crawl(["http://h0.test/1"], "label:bees", web=topical_web(), pages=90, directory=directory)

    async def run():
        view = None
        async for visit in crawl:
            if visit.number == 20:
                crawl.keep()
                view = following(directory)
        with Store.open(directory) as store:
            store.database.execute("UPDATE visits SET date = '2001-01-01T00:00:00Z'")
            store.commit()
        view.version()
        shown = view.parts()
        view.close()
        return shown

    shown = asyncio.run(run())
    assert shown["figures"]["fetched"] == 90
    assert (shown["figures"]["speed"], sum(shown["speed"])) == (0, 0)

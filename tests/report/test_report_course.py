"""When a crawl was made, how long its runs took, and why it ended."""

import asyncio
import re

import pytest

import honeyguide as hg
from honeyguide.report import gather, write_report, write_side_by_side
from honeyguide.report.course import course
from honeyguide.report.figures import Figures
from honeyguide.settings import Settings
from honeyguide.store import Store
from hostile import crawled
from html_shape import Shape
from loopback import Loopback, answer
from small_webs import page, topical_web, web_of


def crawl(directory, pages=40, **given):
    return hg.Crawl(["http://h0.test/1"], "label:bees", web=topical_web(), pages=pages, directory=directory, **given)


def beginning(directory):
    return Shape(write_report(directory).read_text()).sections[""]


def told(**values):
    return re.sub("<[^>]*>", "", course(Figures(Settings(topic="keyword:bees"), **values)))


def test_the_report_of_a_live_crawl_has_dates_duration_and_reason(tmp_path):
    with Loopback({"/": answer(b"<p>bees <a href='/2'>on</a>"), "/2": answer(b"more bees")}) as server:
        crawled(server, [server.origin + "/"], tmp_path / "crawl")
    date = r"\d{4}-\d\d-\d\d \d\d:\d\d"
    times = rf"Crawled (on {date}|from {date} to [\d :-]+) UTC, in one run of \d+ s\. "
    reason = r"Stopped: every URL found was fetched or excluded\."
    assert re.search(times + reason, beginning(tmp_path / "crawl"))


def test_the_runs_of_a_crawl_are_counted(tmp_path):
    for pages in (20, 40):
        crawl(tmp_path / "crawl", pages).run()
    said = r"In 2 runs of \d+ s in all\. Stopped: as many pages as were asked for\."
    assert re.search(said, beginning(tmp_path / "crawl"))


def test_seconds_are_those_of_all_runs(tmp_path):
    summary = crawl(tmp_path / "crawl").run()
    with Store.open(tmp_path / "crawl", write=False) as store:
        assert 0 < gather(store).seconds <= summary.seconds


def test_times_are_told_in_units_that_suit():
    said = told(runs=1, seconds=7500, begun="2026-03-01T10:00:00Z", last="2026-03-02T12:05:00Z")
    assert said == "Crawled from 2026-03-01 10:00 to 2026-03-02 12:05 UTC, in one run of 2 h 5 min."
    assert told() == ""


@pytest.mark.parametrize("reason", ["interrupted", "max_time", "some_reason_of_a_strategy"])
def test_the_reason_is_the_one_that_was_given(tmp_path, reason):
    async def run(stopped):
        async for visit in stopped:
            if visit.number == 5:
                stopped.stop(reason)

    asyncio.run(run(crawl(tmp_path / "crawl")))
    words = {"interrupted": "you stopped it", "max_time": "the time was up"}
    assert f"Stopped: {words.get(reason, 'some reason of a strategy')}." in beginning(tmp_path / "crawl")


def test_of_a_crawl_that_goes_on_again_no_reason_is_told(tmp_path):
    crawl(tmp_path / "crawl", 20).run()
    asyncio.run(begun(crawl(tmp_path / "crawl", 40)))
    assert "Stopped" not in beginning(tmp_path / "crawl")


async def begun(crawl):
    async for _ in crawl:
        crawl.store.commit()
        return


def test_what_was_not_kept_is_derived_where_it_can_be(tmp_path):
    crawl(tmp_path / "pages").run()
    hg.Crawl(["http://a.test/"], "label:x", web=web_of(page("http://a.test/")), directory=tmp_path / "all").run()
    asyncio.run(begun(crawl(tmp_path / "cut")))
    for name in ("pages", "all", "cut"):
        with Store.open(tmp_path / name) as store:
            store.database.execute("DROP TABLE endings")
            store.commit()
    assert "Stopped: as many pages as were asked for." in beginning(tmp_path / "pages")
    assert "Stopped: every URL found was fetched or excluded." in beginning(tmp_path / "all")
    assert "Stopped" not in beginning(tmp_path / "cut")


def test_urls_that_a_strategy_holds_back_were_not_fetched():
    assert "nothing is left that the strategy would fetch" in told(
        runs=1, stopped="nothing_left", books={"queued": 3}
    )


def test_crawls_side_by_side_have_both(tmp_path):
    for name in ("one", "two"):
        crawl(tmp_path / name).run()
    made = write_side_by_side([tmp_path / "one", tmp_path / "two"], tmp_path / "page.html")
    figures = Shape(made.read_text()).sections["figures"]
    assert re.search(r"took\d+ s\d+ s", figures)
    assert "stoppedas many pages as were asked for" in figures

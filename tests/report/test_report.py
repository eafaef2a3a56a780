"""The report: its numbers are those of the crawl, and nothing remote becomes markup."""

import re

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.report import gather, write_report
from honeyguide.report.curve import lift_curve
from honeyguide.store import Store
from html_shape import Shape
from small_webs import page, topical_web, web_of


@pytest.fixture
def crawl(tmp_path):
    crawl = hg.Crawl(["http://h0.test/1"], "label:bees", web=topical_web(), pages=90, directory=tmp_path / "crawl")
    return crawl, crawl.run(), tmp_path / "crawl"


def test_the_figures_are_those_of_the_crawl(crawl):
    _, summary, directory = crawl
    with Store.open(directory) as store:
        figures = gather(store)
    assert (figures.fetched, figures.relevant, figures.discovered) == (
        summary.fetched,
        summary.relevant,
        summary.discovered,
    )
    assert figures.books["queued"] == summary.queued
    assert figures.curve == sorted(figures.curve)
    assert sum(h.fetched for h in figures.hosts.values()) == 90
    assert sum(h.relevant for h in figures.hosts.values()) == summary.relevant


def test_the_books_in_the_report_add_up(crawl):
    _, summary, directory = crawl
    text = Shape(write_report(directory).read_text()).text
    books = {name: int(n.replace(",", "")) for name, n in re.findall(r"(done|failed|excluded|queued)([\d,]+)", text)}
    assert sum(books.values()) == summary.discovered
    assert f"discovered (the sum){summary.discovered:,}" in text


def test_nothing_remote_becomes_markup(tmp_path):
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'>"
    hostile = hg.Page(url="http://a.test/%3Cscript%3E", title=evil, text="bees", type=evil, language=evil)
    web = web_of(page("http://a.test/", hostile.url, text="bees"), hostile)
    hg.Crawl(["http://a.test/"], "keyword:bees", web=web, directory=tmp_path / "crawl").run()
    shape = Shape(write_report(tmp_path / "crawl").read_text())
    assert not {"script", "img"} & set(shape.tags)
    assert not any(name.startswith("on") for name in shape.attributes)
    assert evil in shape.text


def test_the_page_stands_alone(crawl):
    html = write_report(crawl[2]).read_text()
    assert "default-src 'none'" in html
    assert not re.search(r"(?:src|href)\s*=", html)
    assert len(html) < 200_000


def test_an_empty_crawl_has_a_report(tmp_path):
    hg.Crawl(["http://a.test/"], "label:x", web=web_of(), directory=tmp_path / "crawl").run()
    assert "No page was fetched" in write_report(tmp_path / "crawl").read_text()


@pytest.mark.parametrize("curve", [[0], [1], [0, 0, 1], list(range(1, 5001)), [0] * 3000])
def test_the_curve_stays_in_its_frame(curve):
    points = [tuple(map(float, p.split(","))) for p in re.findall(r"[\d.]+,[\d.]+(?=[ \"])", lift_curve(curve))]
    assert points
    assert all(0 <= x <= 720 and 0 <= y <= 320 for x, y in points)
    ticks = re.findall(r'class="tick[^>]*>([\d,]+)<', lift_curve(curve))
    assert 2 <= len(ticks) <= 30


class Boastful(hg.Strategy):
    """Searches once, and has much to say of it."""

    name = "test-boastful"

    def learn(self, visit):
        return hg.Lesson(search=("<b>bees</b>",) if visit.number == 0 else ())

    def score(self, ids):
        return np.zeros(len(ids), np.float32)

    def figures(self):
        return {"filtering <rate>": "63 % of <i>all</i>"}


def test_what_was_learned_and_searched_for_is_shown_and_escaped(tmp_path):
    settings = {"web": topical_web(), "pages": 9, "directory": tmp_path / "crawl"}
    summary = hg.Crawl(["http://h0.test/1"], "label:bees", Boastful(), **settings).run()
    assert summary.learned == {"filtering <rate>": "63 % of <i>all</i>"}
    html = write_report(tmp_path / "crawl").read_text()
    assert "<b>filtering &lt;rate&gt;</b>: 63 % of &lt;i&gt;all&lt;/i&gt;" in html
    assert "<h2>Searches</h2>" in html
    assert "<td>&lt;b&gt;bees&lt;/b&gt;</td><td class=n>" in html

"""The report: its numbers are those of the crawl, and nothing remote becomes markup."""

import csv
import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.report import gather, write_report, write_side_by_side
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
    text = Shape(write_report(directory).read_text()).sections["books"]
    books = {name: int(n.replace(",", "")) for name, n in re.findall(r"(done|failed|excluded|queued)([\d,]+)", text)}
    assert sum(books.values()) == summary.discovered
    assert f"discovered (the sum){summary.discovered:,}" in text


def test_a_crawl_that_goes_on_meanwhile_changes_nothing(crawl, monkeypatch):
    _, summary, directory = crawl
    visits = Store.visits

    def disturbed(store):
        yield from visits(store)
        with Store.open(directory) as other:
            other.database.execute("INSERT INTO urls VALUES (99999, 'http://new.test/', 1, 'done', '')")
            other.commit()

    monkeypatch.setattr(Store, "visits", disturbed)
    text = Shape(write_report(directory).read_text()).sections["books"]
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


def test_the_files_of_the_crawl_are_not_written_over(crawl, tmp_path):
    before = (crawl[2] / "crawl.db").read_bytes()
    for write in (write_report, lambda directory, path: write_side_by_side([directory], path)):
        with pytest.raises(hg.BadInput, match="choose another name"):
            write(crawl[2], crawl[2] / "crawl.db")
    assert (crawl[2] / "crawl.db").read_bytes() == before


def test_folders_are_made_and_an_old_report_goes_only_for_a_whole_one(crawl, tmp_path, monkeypatch):
    path = write_report(crawl[2], tmp_path / "new" / "folder" / "page.html")
    whole = path.read_text()
    monkeypatch.setattr("honeyguide.report.render", lambda _: whole[:100] + "\ud800")
    with pytest.raises(UnicodeEncodeError):
        write_report(crawl[2], path)
    assert path.read_text() == whole
    assert list(path.parent.iterdir()) == [path]


def test_the_page_stands_alone(crawl):
    html = write_report(crawl[2]).read_text()
    shape = Shape(html)
    assert "default-src 'none'" in html
    assert not {"src", "srcset", "action", "xlink:href"} & set(shape.attributes)
    assert not {"script", "link", "img", "iframe", "object", "form", "base"} & set(shape.tags)
    assert {link.partition("/")[0].partition(";")[0] for link in shape.links if link[0] != "#"} == {
        "data:image",
        "data:text",
        "http:",  # the most relevant pages
    }
    assert not re.search(r"url\(|@import", html)
    assert len(html) < 300_000


def test_every_section_is_there_and_can_be_gone_to(crawl):
    shape = Shape(write_report(crawl[2]).read_text())
    assert len(shape.ids) == len(set(shape.ids))
    sections = ["asked", "lift", "places", "map", "learned", "top", "trouble", "books", "kinds"]
    assert [name for name in shape.sections if name] == sections
    assert [link[1:] for link in shape.links if link.startswith("#")] == sections


def test_every_figure_can_be_saved_as_a_drawing_and_as_numbers(crawl):
    shape = Shape(write_report(crawl[2]).read_text())
    drawn = {name.removesuffix(".svg") for name in shape.files if name.endswith(".svg")}
    assert drawn == {id_.removeprefix("figure-") for id_ in shape.ids if id_.startswith("figure-")}
    assert {"lift", "depth", "distance", "nearest", "cohesion", "map", "weights", "best-hosts"} <= drawn
    for name in drawn:
        root = ElementTree.fromstring(shape.files[f"{name}.svg"])
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert "var(" not in shape.files[f"{name}.svg"]  # colours are its own
        rows = list(csv.reader(io.StringIO(shape.files[f"{name}.csv"])))
        assert len({len(row) for row in rows}) == 1
        assert len(rows) > 1


def test_the_numbers_of_the_curve_are_those_of_the_crawl(crawl):
    _, summary, directory = crawl
    shape = Shape(write_report(directory).read_text())
    rows = list(csv.DictReader(io.StringIO(shape.files["lift.csv"])))
    assert (rows[-1]["fetched"], rows[-1]["relevant"]) == (str(summary.fetched), str(summary.relevant))
    hosts = list(csv.DictReader(io.StringIO(shape.files["hosts.csv"])))
    assert sum(int(row["relevant"]) for row in hosts) == summary.relevant
    assert sum(int(row["fetched"]) for row in hosts) == summary.fetched
    linked = list(csv.DictReader(io.StringIO(shape.files["map-links.csv"])))
    assert len(linked) == shape.files["map.svg"].count('class="edge"') > 0
    assert {row["host"] for row in linked} <= {row["host"] for row in hosts}


def test_what_was_asked_is_told_but_no_secrets(tmp_path):
    settings = {"web": topical_web(), "pages": 9, "directory": tmp_path / "crawl"}
    given = {"deny": ["*.pdf"], "header": ["Authorization: Secret-Honey"], "proxy": "http://bee:Secret-Honey@p.test/"}
    hg.Crawl(["http://h0.test/1"], "label:bees", "host-odds", **settings, **given).run()
    html = write_report(tmp_path / "crawl").read_text()
    asked = Shape(html).sections["asked"]
    assert "label:bees, with strategy host-odds" in asked
    assert "deny*.pdf" in asked
    assert "Secret-Honey" not in html


def test_an_empty_crawl_has_a_report(tmp_path):
    hg.Crawl(["http://a.test/"], "label:x", web=web_of(), directory=tmp_path / "crawl").run()
    assert "No page was fetched" in write_report(tmp_path / "crawl").read_text()


@pytest.mark.parametrize("wanted", ["label:bees", "label:nothing", "url:test"])
@pytest.mark.parametrize("pages", [1, 2, 150])
def test_crawls_of_any_kind_have_a_report(tmp_path, wanted, pages):
    settings = {"web": topical_web(), "pages": pages, "directory": tmp_path / "crawl"}
    summary = hg.Crawl(["http://h0.test/1"], wanted, **settings).run()
    shape = Shape(write_report(tmp_path / "crawl").read_text())
    assert f"{summary.relevant:,}relevant pages" in shape.text
    for name, content in shape.files.items():
        assert name.endswith(".csv") or ElementTree.fromstring(content) is not None


def test_a_damaged_database_is_told_in_a_sentence(crawl):
    with Store.open(crawl[2]) as store:
        store.database.execute("UPDATE links SET targets = 'x'")
        store.commit()
    with pytest.raises(hg.StoreError, match="damaged"):
        write_report(crawl[2])


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
    assert "<h3>Searches</h3>" in html
    assert "<td>&lt;b&gt;bees&lt;/b&gt;</td><td class=n>" in html

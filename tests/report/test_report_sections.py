"""What single sections say, on webs small enough to know it beforehand."""

import asyncio
import csv
import io
import re
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.base import Link, Reply
from honeyguide.report import gather, write_report
from honeyguide.report.figures import Figures
from honeyguide.report.host_map import MOST_HOSTS
from honeyguide.report.layout import moved_apart, placed
from honeyguide.report.linked import Pages
from honeyguide.report.markup import shown, web_link
from honeyguide.report.places import cohesion
from honeyguide.report.trouble import trouble
from honeyguide.settings import Settings
from honeyguide.store import Store
from html_shape import Shape
from small_webs import FunctionWeb, page, topical_web, web_of

A, B, C, D, E = (f"http://{name}.test/" for name in "abcde")


def report(tmp_path, web, *seeds, topic="keyword:bees", **settings):
    return Shape(report_file(tmp_path, web, *seeds, topic=topic, **settings).read_text())


def report_file(tmp_path, web, *seeds, topic="keyword:bees", **settings):
    hg.Crawl(list(seeds), topic, "breadth-first", web=web, directory=tmp_path / "crawl", **settings).run()
    return write_report(tmp_path / "crawl")


def figures_of(tmp_path):
    with Store.open(tmp_path / "crawl", write=False) as store:
        return gather(store)


def rows(shape, name):
    return list(csv.DictReader(io.StringIO(shape.files[f"{name}.csv"])))


def small_web():
    """A seed that is not relevant links to two relevant pages, which link to each other and to another one."""
    return web_of(
        page(A, B, C, anchor="go on"),
        page(B, C, D, text="bees", anchor="hive"),
        page(C, B, text="bees", anchor="hive"),
        page(D, A, text="trains", anchor="home"),
    )


def test_distances_are_counted_in_links(tmp_path):
    shape = report(tmp_path, small_web(), A)
    assert [tuple(row.values()) for row in rows(shape, "depth")] == [
        ("0", "0", "1"),
        ("1", "2", "0"),
        ("2", "0", "1"),
    ]
    assert rows(shape, "distance") == rows(shape, "depth")
    assert [tuple(row.values()) for row in rows(shape, "nearest")] == [("0", "0"), ("1", "2")]
    assert "0 lead to none" in shape.sections["places"]


def test_cohesiveness_by_hand(tmp_path):
    shape = report(tmp_path, small_web(), A)
    from_good, from_other, expected, inside = cohesion(figures_of(tmp_path))
    assert (from_good, from_other, expected, inside) == (2 / 3, 2 / 3, 0.5, 1.0)
    assert "67% lead to relevant pages, 1.3 times as many" in shape.sections["places"]
    assert [row["share_relevant"] for row in rows(shape, "cohesion")] == ["0.666667", "0.666667", "0.5"]


def test_redirects_stand_for_what_they_lead_to(tmp_path):
    pages = {A: page(A, B, anchor="to the hive"), C: page(C, A, text="bees")}
    web = FunctionWeb(lambda url: Reply(redirect=C, status=301) if url == B else Reply(pages[url]))
    shape = report(tmp_path, web, A)
    linked = figures_of(tmp_path).linked
    assert sorted(zip(linked.sources.tolist(), linked.targets.tolist(), strict=True)) == [(0, 2), (2, 0)]
    assert "with the words “to the hive”" in shape.sections["top"]


def test_redirects_in_a_circle_lead_nowhere():
    pages = Pages()
    for id_, target in ((0, None), (1, 2), (2, 3), (3, 1), (4, 0), (5, 9)):
        targets = [] if target is None else [target]
        visit = SimpleNamespace(
            number=id_, id=id_, error="" if target is None else "redirect", targets=targets, score=1.0
        )
        pages.add(visit, 0)
    assert pages.by_id()[:6].tolist() == [0, -1, -1, -1, 0, -1]


def test_the_reason_of_a_page_is_the_link_that_led_to_it(tmp_path):
    top = report(tmp_path, small_web(), A).sections["top"]
    assert "Linked from the page “visit 1”, with the words “go on”; score" in top  # it has no title
    assert "Linked from the relevant page “visit 2”, with the words “hive”" in top
    assert "1 of the 2 pages that linked to it by then are relevant" in top


def test_the_reason_goes_with_the_file(tmp_path):
    shape = report(tmp_path, small_web(), A)
    told = {row["url"]: row["why_fetched"] for row in rows(shape, "top")}
    assert told[B].startswith("Linked from the page “visit 1”, with the words “go on”; score ")
    assert all(why.replace("\n", "") in shape.sections["top"] for why in told.values())


def test_the_most_relevant_pages_can_be_gone_to(tmp_path):
    html = report_file(tmp_path, small_web(), A).read_text()
    assert f'<a href="{B}" rel="noopener noreferrer nofollow">{B}</a>' in html
    assert "<meta http-equiv=x-dns-prefetch-control content=off>" in html  # nobody learns that it is read


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,<b>", "file:///etc/passwd", "//a.test/", "http://a.test/\u202ex"]
)
def test_only_addresses_of_the_web_become_links(url):
    assert web_link(url, 200) == shown(url)


def test_a_link_stays_within_its_quotation_marks_and_its_length():
    assert web_link('http://a.test/"><b onclick=x>', 200).count('"') == 4
    assert web_link("https://a.test/" + "x" * 300, 20).endswith(">https://a.test/xxxx…</a>")
    assert "<a" not in web_link("https://a.test/" + "x" * 3000, 20)


def test_the_files_of_the_map_say_what_they_hold(tmp_path):
    told = report(tmp_path, small_web(), A).sections["map"]
    assert told.endswith("Save: SVG CSV CSV of the links")


def test_where_nothing_is_left_nothing_is_promised(tmp_path):
    web = web_of(*(page(f"{A}{n}", f"{A}{n + 1}", text="bees") for n in range(300)))
    text = report_file(tmp_path, web, f"{A}0").read_text()
    assert "No URL is left that could be fetched." in text
    assert "of the next 1,000" not in text
    assert not figures_of(tmp_path).ahead_by_host


def test_a_seed_needs_no_reason(tmp_path):
    assert "A seed." in report(tmp_path, small_web(), B, pages=1).sections["top"]


def test_words_of_anchors_are_counted_by_pages(tmp_path):
    good = [f"http://good.test/{i}" for i in range(6)]
    bad = [f"http://bad.test/{i}" for i in range(9)]
    links = [*(Link(url, "Sweet honey") for url in good), *(Link(url, "old trains") for url in bad)]
    web = web_of(
        hg.Page(A, text="start", links=tuple(links + links)),
        *(page(url, text=f"bees {url}") for url in good),
        *(page(url, text=f"rails {url}") for url in bad),
    )
    shape = report(tmp_path, web, A)
    assert {tuple(row.values()) for row in rows(shape, "best-words")} == {("sweet", "6", "6"), ("honey", "6", "6")}
    assert {tuple(row.values()) for row in rows(shape, "worst-words")} == {("old", "0", "9"), ("trains", "0", "9")}
    assert [row["name"] for row in rows(shape, "best-hosts")] == ["good.test"]
    assert next(row["name"] for row in rows(shape, "worst-hosts")) == "bad.test"


def test_weights_over_time_are_drawn(tmp_path):
    settings = {"web": topical_web(), "pages": 120, "directory": tmp_path / "crawl"}
    crawl = hg.Crawl(["http://h0.test/1"], "label:bees", "honeyguide", **settings)
    crawl.run()
    shape = Shape(write_report(tmp_path / "crawl").read_text())
    told = rows(shape, "weights")
    assert [row["fetched"] for row in told] == ["0", "20", "40", "60", "80", "100", "120"]
    last = {name: float(value) for name, value in told[-1].items() if name != "fetched"}
    assert last == pytest.approx(crawl.strategy.evidence_weights(), abs=1e-5)
    heaviest = max(last, key=lambda name: abs(last[name]))
    assert f"In the end {heaviest} counts most" in shape.sections["learned"]


def test_weights_go_on_where_a_crawl_goes_on(tmp_path):
    for pages in (50, 90):
        settings = {"web": topical_web(), "pages": pages, "directory": tmp_path / "crawl"}
        hg.Crawl(["http://h0.test/1"], "label:bees", "honeyguide", **settings).run()
    assert [visits for visits, _ in figures_of(tmp_path).weights] == [0, 20, 40, 50, 60, 80, 90]


def test_a_crawl_under_way_has_a_report(tmp_path):
    async def run():
        crawl = hg.Crawl(
            ["http://h0.test/1"], "label:bees", web=topical_web(), pages=90, directory=tmp_path / "crawl"
        )
        async for visit in crawl:
            if visit.number == 50:
                crawl.store.commit()
                write_report(tmp_path / "crawl")

    asyncio.run(run())
    assert "<b>51</b>pages fetched" in (tmp_path / "crawl" / "report.html").read_text()


def test_a_strategy_without_weights_has_no_figure_of_them(tmp_path):
    assert "weights.csv" not in report(tmp_path, small_web(), A).files


def test_errors_are_told_by_reason_and_host(tmp_path):
    web = FunctionWeb(lambda url: Reply(page(A, B, C)) if url == A else Reply(error="http_404", status=404))
    trouble = report(tmp_path, web, A).sections["trouble"]
    assert "ErrorsURLshttp_4042" in trouble
    assert re.search(r"Hosts with most errorspages(b\.test1c\.test1|c\.test1b\.test1)", trouble)


def test_rendering_is_told_apart_from_other_requests():
    notes = Counter(robots_requests=3, rendered=5, render_gained=4, render_requests=12)
    said = trouble(Figures(Settings(topic="keyword:bees"), choices=9, notes=notes))
    assert "<p>Beside the pages: 3 robots requests.</p>" in said
    assert "<p>Rendered in a browser: 5 pages, of which 4 gained by it; 0 failed." in said
    assert "Rendered" not in trouble(Figures(Settings(topic="keyword:bees"), choices=9, notes=Counter(rendered=0)))


def test_the_map_names_what_it_leaves_out(tmp_path):
    hosts = [f"http://h{i}.test/" for i in range(MOST_HOSTS + 5)]
    web = web_of(page(A, *hosts), *(page(url, A, text=f"bees {i}") for i, url in enumerate(hosts)))
    shape = report(tmp_path, web, A)
    assert len(rows(shape, "map")) == MOST_HOSTS
    assert "Not on the map: 6 smaller hosts with 6 pages" in shape.sections["map"]
    assert shape.tags.count("circle") == MOST_HOSTS


def test_linked_nodes_are_put_near_each_other_the_same_every_time():
    sources, targets = np.array([0, 1, 2, 3, 4, 5]), np.array([1, 2, 0, 4, 5, 3])
    spots = placed(6, sources, targets, np.ones(6))
    assert (spots == placed(6, sources, targets, np.ones(6))).all()
    assert spots.min() >= 0
    assert spots.max() <= 1
    apart = np.linalg.norm(spots[:, None] - spots[None, :], axis=2)
    assert apart[:3, :3].max() < apart[:3, 3:].min()


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_nodes_have_a_place_too(count):
    nothing = np.zeros(0, np.int64)
    assert np.isfinite(placed(count, nothing, nothing, np.zeros(0))).all()


def test_discs_do_not_overlap():
    spots = np.random.default_rng(1).random((40, 2)) * 400
    radii = np.full(40, 10.0)
    moved = moved_apart(spots, radii, 500)
    apart = np.linalg.norm(moved[:, None] - moved[None, :], axis=2) + np.eye(40) * 99
    assert apart.min() > 19


@pytest.mark.parametrize("text", ["\x00", "\x1b", "\u202e", "\u2067", "\ufffe", "\x85", "\ud800"])
def test_what_is_not_seen_is_shown(text):
    assert shown(f"a{text}b") == "a�b"


def test_joined_letters_of_scripts_that_need_it_stay():
    assert shown("می\u200cخواهم") == "می\u200cخواهم"


def test_it_says_on_which_kind_of_web(tmp_path):
    hg.Crawl([A], "keyword:bees", web=web_of(page(A)), directory=tmp_path / "crawl").run()
    told = write_report(tmp_path / "crawl").read_text()
    assert "on a web that was made in Python, from" in told
    assert "stored web" not in told

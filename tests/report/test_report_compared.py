"""The page of a comparison: its figures, its curves, and nothing that a browser would load or run."""

import csv
import dataclasses
import io
import re
from xml.etree import ElementTree

import pytest

from honeyguide import Page
from honeyguide.evaluate import Collection, Design, compare
from honeyguide.evaluate.curves import lift, share_of_possible
from honeyguide.report.compared import render, write_comparison
from honeyguide.report.curves import legend
from honeyguide.report.style import SERIES_LIGHT
from html_shape import Shape
from small_webs import topical_web

STRATEGIES = ["breadth-first", "host-odds", "random"]
HOSTILE = '<script>alert(1)</script>"><img src=x onerror=alert(2)>'


@pytest.fixture(scope="module")
def made():
    design = Design(seeds=2, seed_sets=2, pages="60", at="10%,1R")
    web = Collection.of(topical_web().pages(), "ring")
    return compare(web, STRATEGIES, ["label:bees", "keyword:trains"], design)


@pytest.fixture(scope="module")
def html(made):
    return render(made)


def test_all_figures_of_the_tables_are_there(made, html):
    text = Shape(html).text
    for start in ("near", "far"):
        for row in made.rows(start):
            assert f"{row.nauc.mean:.3f} [{row.nauc.low:.3f}, {row.nauc.high:.3f}]" in text
            assert f"/ {row.cuts[0].recall:.3f}" in text
    assert "ring: 240 pages. Topics: 2;" in text
    assert "keyword:trains" in text


def test_each_strategy_has_a_curve_and_a_band_near_and_far(html):
    assert html.count('class="mean"') == 2 * (3 + 3 + 3)  # together, alone, and the yardstick behind each
    assert html.count('class="band"') == 2 * (3 + 3 + 3)
    assert html.count("<figcaption><b>host-odds</b>") == 2


def test_every_figure_can_be_taken_along_as_svg_and_as_csv(made, html):
    shape = Shape(html)
    names = [f"lift-{start}" for start in ("near", "far")]
    names += [f"share-{start}-{number}" for start in ("near", "far") for number in (1, 2, 3)]
    assert sorted(shape.files) == sorted(f"{name}.{kind}" for name in names for kind in ("svg", "csv"))
    assert shape.tags.count("figure") == len(names)
    assert all(link.startswith("data:") for link in shape.links)
    assert len(shape.ids) == len(set(shape.ids))
    for name in names:
        drawing = ElementTree.fromstring(shape.files[f"{name}.svg"])
        assert drawing.findall(".//{*}polyline")
    rows = list(csv.DictReader(io.StringIO(shape.files["lift-far.csv"])))
    curve = lift(made, "far")[-1]
    own = [float(row["mean"]) for row in rows if row["strategy"] == curve.strategy]
    assert own == pytest.approx(list(curve.mean), abs=1e-5)


def test_what_is_not_seen_in_names_is_shown(made):
    body = render(dataclasses.replace(made, web="bees\x00\u202etxt")).partition("<h1>")[2]
    assert body.startswith("Strategies on bees\ufffd\ufffdtxt")


def test_nothing_is_loaded_or_run(html):
    shape = Shape(html)
    assert not {"script", "img", "link", "iframe", "object"} & set(shape.tags)
    assert not {name for name in shape.attributes if name.startswith("on") or name == "src"}
    assert "default-src 'none'" in html
    assert "url(" not in html


def test_light_and_dark(html):
    assert "prefers-color-scheme: dark" in html
    assert len(set(re.findall(r"--c0: #\w{6}", html))) == 2


def test_names_from_outside_are_escaped():
    pages = [Page(p.url, text=p.text, label=HOSTILE if p.label else "", links=p.links) for p in topical_web().pages()]
    topic = [lambda page: "bees" in page.text]
    topic[0].__name__ = HOSTILE
    made = compare(
        Collection.of(pages, f"web {HOSTILE}"), ["random"], topic, Design(seeds=2, seed_sets=1, pages="20")
    )
    shape = Shape(render(made))
    assert not {"script", "img"} & set(shape.tags)
    assert f"web {HOSTILE}" in shape.text


def test_a_curve_ends_where_the_crawls_ended(made):
    for start in ("near", "far"):
        for curve, share in zip(lift(made, start), share_of_possible(made, start), strict=True):
            own = made.own(curve.strategy, start)
            assert curve.mean[-1] == pytest.approx(sum(result.found[-1] for result in own) / len(own), abs=1e-3)
            assert all(low <= mean <= high for low, mean, high in zip(curve.low, curve.mean, curve.high, strict=True))
            assert all(0 <= value <= 1 for value in share.high)


def test_the_mean_height_of_the_share_is_the_nauc(made):
    by_name = {curve.strategy: curve for curve in share_of_possible(made, "near")}
    for row in made.rows("near"):
        curve = by_name[row.strategy]
        assert sum(curve.mean) / len(curve.mean) == pytest.approx(row.nauc.mean, abs=1e-3)


def test_a_comparison_without_a_crawl_has_a_page(made, tmp_path):
    nothing = dataclasses.replace(made, results=())
    assert "No crawl could be made." in write_comparison(nothing, tmp_path / "page.html").read_text()


def test_more_strategies_than_colours_are_dashed(made):
    names = [f"s{i}" for i in range(len(SERIES_LIGHT) + 1)]
    drawn = legend(names, {name: i for i, name in enumerate(names)})
    assert drawn.count('class="s0"') == 1
    assert drawn.count('class="s0 more"') == 1

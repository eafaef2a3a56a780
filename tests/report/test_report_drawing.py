"""Drawings: what is saved is what is shown, stays in its frame, and no cell is a formula."""

import csv
import io
import itertools
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from honeyguide.crawl.forecast import forecast
from honeyguide.report.axes import Axes, spread, thinned
from honeyguide.report.bars import COLUMNS, Bar, lying, standing
from honeyguide.report.curve import lift_curve
from honeyguide.report.drawing import alone, as_csv, figure
from honeyguide.report.lines import Series, curves
from html_shape import Shape

HOSTILE = "</style></svg><script>alert(1)</script>\x00\x1b]0;x\x07\u202e\"'&"
FORMULAS = ["=1+2", "+1", "-1+2", "@SUM(A1)", "\t=1", "\r=1", "  =1", "\uff1d1", "\uff0b1", "\uff0d1", "\uff201"]


def all_points(content):
    return [tuple(map(float, p.split(","))) for p in re.findall(r"[\d.]+,[\d.]+(?=[ \"])", content)]


@pytest.mark.parametrize("curve", [[0], [1], [0, 0, 1], list(range(1, 5001)), [0] * 3000])
def test_the_curve_and_the_forecast_stay_in_their_frame(curve):
    hits = np.diff(np.array(curve), prepend=0).astype(bool)
    for ahead in (None, forecast(hits, 1000, least=2)):
        content = lift_curve(curve, ahead).content
        assert all(0 <= x <= 720 and 0 <= y <= 320 for x, y in all_points(content))
        assert len(all_points(content)) <= 410
        ticks = re.findall(r'class="tick[^>]*>([\d,]+)<', content)
        assert 2 <= len(ticks) <= 30
        assert ('class="range"' in content) == (ahead is not None)


def test_the_forecast_is_in_the_numbers():
    hits = np.arange(400) % 4 == 0
    ahead = forecast(hits, 200)
    *_, last = lift_curve(np.cumsum(hits).tolist(), ahead).rows
    assert last == (600, "", 100 + ahead.expected, 100 + ahead.low, 100 + ahead.high)


def test_a_drawing_that_stands_alone_has_its_colours_and_shows_the_same():
    drawing = lying("x", "Shares", [Bar(HOSTILE, 0.5, "1 of 2")], ("name", "share"), [(HOSTILE, 0.5)])
    root = ElementTree.fromstring(alone(drawing))
    assert [element.tag for element in root.iter() if element.tag.endswith("script")] == []
    assert "var(" not in alone(drawing)
    assert drawing.content in alone(drawing)
    saved = Shape(figure(drawing)).files
    assert saved["x.svg"] == alone(drawing)
    assert saved["x.csv"] == as_csv(drawing.head, drawing.rows)
    assert not {"script"} & set(Shape(figure(drawing)).tags)


def test_numbers_come_back_from_the_csv():
    rows = list(csv.reader(io.StringIO(as_csv(("a", "b"), [('x, "y"\n', -1.25), ("bees", -3)]))))
    assert rows == [["a", "b"], ['x, "y"\n', "-1.25"], ["bees", "-3"]]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_is_a_formula(text):
    ((_,), (cell,)) = csv.reader(io.StringIO(as_csv(("a",), [(text,)]), newline=""))
    assert cell == "'" + text.replace("\r", "\n")


def test_bars_say_how_much_of_the_track_they_take():
    content = lying("x", "Shares", [Bar("all", 1.0, ""), Bar("half", 0.5, ""), Bar("none", 0.0, "")], (), []).content
    widths = [float(w) for w in re.findall(r'class="good"[^>]*width="([\d.]+)"', content)]
    assert widths == [widths[0], widths[0] / 2, 0]


def test_columns_beyond_the_last_are_put_together():
    drawing = standing("x", "Pages", "links", [1] * 40, [2] * 40)
    assert len(re.findall('class="good"', drawing.content)) == COLUMNS
    assert f"{COLUMNS - 1}+: {40 - COLUMNS + 1} relevant, {2 * (40 - COLUMNS + 1)} others" in drawing.content
    assert len(drawing.rows) == 40


def test_curves_below_zero_have_room_and_names_do_not_meet():
    series = [Series(f"s{i}", [0, 10], [0, -0.5 + 0.01 * i]) for i in range(12)]
    axes = Axes(10, 1.0, least_y=-0.6, right=150, fine=True)
    content = curves(axes, series, "x", "y")
    assert all(0 <= y <= 320 for _, y in all_points(content))
    assert ">-0.6<" in content or ">-0.5<" in content or ">-0.4<" in content
    ends = sorted(float(y) for y in re.findall(r'class="left own" x="\d+" y="([\d.]+)"', content))
    assert min(b - a for a, b in itertools.pairwise(ends)) >= 13.9


def test_spread_keeps_within_bounds():
    placed = spread([95.0, 96.0, 97.0], 10, 0, 100)
    assert placed == [80, 90, 100]


def test_a_long_curve_is_thinned_to_what_can_be_seen():
    assert len(thinned(1_000_000)) == 401
    assert (thinned(1_000_000)[0], thinned(1_000_000)[-1]) == (0, 1_000_000)

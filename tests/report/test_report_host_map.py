"""The map of hosts: names stand beside discs, not on them."""

import re

import pytest

import honeyguide as hg
from honeyguide.report import write_report
from honeyguide.report.host_map import LETTER, LINE
from html_shape import Shape

DISC = re.compile(r'<circle[^>]* cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"')
NAME = re.compile(r'<text class="name" x="([\d.]+)" y="([\d.]+)">([^<]*)<')


@pytest.mark.parametrize("seed", [1, 4])
def test_no_name_stands_on_a_disc_or_another_name(tmp_path, seed):
    world = hg.generate(pages=1200, seed=seed).at_port(34257)
    settings = {"web": hg.SyntheticWeb(world), "pages": 300, "directory": tmp_path}
    hg.Crawl(world.portal_seeds(5), world.query("heat pumps"), "breadth-first", **settings).run()
    svg = Shape(write_report(tmp_path).read_text()).files["map.svg"]
    discs = [(x - r, y - r, x + r, y + r) for x, y, r in (map(float, found) for found in DISC.findall(svg))]
    names = [box(float(x), float(y), text) for x, y, text in NAME.findall(svg)]
    assert len(names) >= 8
    assert not [(a, b) for i, a in enumerate(names) for b in (*names[:i], *discs) if meet(a, b)]


def box(x, y, text):
    """What a name covers, but for rounded numbers."""
    wide = LETTER * len(text) / 2
    return x - wide + 1, y + 3 - LINE + 1, x + wide - 1, y + 3 - 1


def meet(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]

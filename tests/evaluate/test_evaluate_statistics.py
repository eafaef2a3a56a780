"""What webs are like: figures that can be counted by hand, and those of a generated web."""

import math

import numpy as np
import pytest

from honeyguide.base import Link, Page
from honeyguide.evaluate import Collection
from honeyguide.evaluate.calibration import statistics_of
from honeyguide.evaluate.linked import DEAD, UNKNOWN, LinkedWeb, linked_collection, linked_world
from honeyguide.evaluate.statistics import Edges, measure, tail_exponent, template_share
from honeyguide.evaluate.statistics_table import told_statistics
from honeyguide.evaluate.target import FIGURES, PER_TOPIC, fits
from honeyguide.synthetic import generate
from honeyguide.web import SyntheticWeb


def web(rows, relevant, hosts=None):
    start = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    marks = np.isin(np.arange(len(rows)), relevant)
    targets = np.array([target for row in rows for target in row], np.int32)
    host = np.array(hosts or [0] * len(rows), np.int32)
    return LinkedWeb(
        "by hand", start, targets, host, {"bees": marks}, lambda i: "bees honey" if i in relevant else "tax"
    )


def test_degrees_hosts_and_dead_links():
    made = measure(web([[1, 2, DEAD], [2, UNKNOWN], [], [2]], [2], hosts=[0, 0, 0, 1])).figures
    assert made["links"] == (4,)
    assert made["out-degree mean, median, p99"][:2] == (1, 1)
    assert made["in-degree median, p99"][0] == 0.5
    assert made["in-degree max, share of pages"] == (0.75,)
    assert made["hosts"] == (2,)
    assert made["largest host, share of pages"] == (0.75,)
    assert made["share of links on the host"] == (0.75,)
    assert made["dead share of links"] == (0.2,)


def test_topics_along_links():
    #  0 and 1 are relevant and know each other; 2 is relevant and only 3 knows it
    made = measure(web([[1, 3], [0], [], [2, 0]], [0, 1, 2])).per_topic
    assert made["base rate of a topic"] == (0.75,)
    assert made["P(relevant given relevant parent)"] == (pytest.approx(2 / 3),)
    assert made["lift at 1 link"] == (pytest.approx(2 / 3 / 0.75),)
    assert made["relevant pages with irrelevant parents only"] == (pytest.approx(1 / 3),)


def test_blocks_are_links_in_a_row_on_relevant_pages():
    made = measure(web([[1, 2, 3, 1, 2], [], [], [1, 2]], [0, 1, 2])).per_topic
    assert made["P(next link relevant given relevant)"] == (pytest.approx(2 / 3),)
    assert made["P(next link relevant given irrelevant)"] == (1,)


def test_two_links_do_not_count_the_way_back():
    made = measure(web([[1], [0, 2], []], [0])).per_topic
    assert made["lift at 2 links"] == (0,)


def test_texts_are_alike_where_links_stay_on_the_topic():
    made = measure(web([[1], [0], [3], [2]], [0, 1])).figures
    assert made["text likeness at 1, 2, 3, 4 links"][0] == pytest.approx(1)
    assert math.isnan(made["text likeness at 1, 2, 3, 4 links"][1])
    assert 0.1 < made["text likeness of siblings, any two"][1] < 0.6


def test_template_links_are_those_of_the_pages_around():
    rows = [[40, 20 + i] for i in range(20)] + [[] for _ in range(21)]
    assert template_share(Edges.of(web(rows, []))) == 0.5


def test_the_exponent_of_a_power_law_is_found():
    drawn = np.floor(4.5 * (1 - np.random.default_rng(0).random(200_000)) ** (-1 / 1.1) + 0.5)
    assert tail_exponent(drawn.astype(np.int64)) == pytest.approx(2.1, abs=0.05)


def test_a_collection_is_measured_by_its_links_redirects_and_topics():
    pages = [
        Page("http://a.test/", title="Bees", text="bees", links=(Link("http://a.test/b"), Link("http://a.test/"))),
        Page("http://a.test/b", title="Bees", links=(Link("http://b.test/c"), Link("http://b.test/c"))),
        Page("http://b.test/c", title="Bees", links=(Link("http://nowhere.test/"),)),
        *(Page(f"http://b.test/{i}", title="Tax", text="tax") for i in range(40)),
    ]
    made = linked_collection(Collection.of(pages))
    assert made.targets[made.start[0] : made.start[2]].tolist() == [1, 42]
    assert made.targets[-1] == UNKNOWN
    assert made.host.tolist() == [0] * 2 + [1] * 41
    assert made.topics["keyword:bees"].sum() == 3


def test_the_arrays_of_a_world_measure_like_its_pages():
    world = generate(600, hosts=12, topics=3)
    arrays = world.arrays
    by_arrays = linked_world("world", arrays)
    held = Collection.of(arrays.page(i) for i in range(len(arrays.label)))
    one, other = measure(by_arrays).figures, measure(linked_collection(held)).figures
    redirected = 0.05  # links by way of redirects, which a collection of pages alone does not know
    for name in ("links", "out-degree mean, median, p99", "share of links on the host"):
        assert one[name][0] == pytest.approx(other[name][0], rel=redirected)
    assert SyntheticWeb(world).world is world


@pytest.fixture(scope="module")
def calibrated():
    return statistics_of("synthetic:3:20000")


def test_the_generated_web_is_within_a_quarter_of_the_real_one(calibrated):
    verdicts = fits(calibrated)
    assert verdicts.keys() == FIGURES.keys() | PER_TOPIC.keys()
    wrong = {name for name, fine in verdicts.items() if not fine}
    assert not {name for name in wrong if "likeness" not in name}


def test_the_table_has_a_column_a_web_and_verdicts(calibrated):
    by_hand = measure(web([[1], [0], [3], [2]], [0, 1]))
    lines = told_statistics([calibrated, by_hand], calibrated).splitlines()
    assert lines[0] == "| statistic | 88-host crawl | synthetic:3:20000 | by hand | within 25 % |"
    cells = {line.split(" | ")[0].removeprefix("| "): line.split(" | ") for line in lines}
    assert cells["largest host, share of pages"][1] == ".600"
    assert cells["largest host, share of pages"][3:] == ["1", "yes |"]
    assert cells["lift at 2 links"][1] == cells["lift at 2 links"][4].removesuffix(" |") == "–"

"""Where links and keywords stand on a page, and what paths are made of."""

import itertools
import random

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.base import Link, Page
from honeyguide.running import run_async
from honeyguide.strategy.path_features import SETS, Reader, distances, keywords, places, spaced, spans
from small_webs import web_of

BEES = [" bees "]


def words_of(*pairs, size=40):
    """A text of so many words, all different but for those given with their places."""
    text = [f"word{i}" for i in range(size)]
    for place, word in pairs:
        text[place] = word
    return " ".join(text)


def test_a_part_of_a_phrase_is_no_keyword_unless_it_is_asked_for():
    assert keywords({"operating": 0.5, "system": 0.5, "operating system": 1.0}) == ["operating system"]
    assert keywords({"heat": 1.0, "pump": 0.5, "heat pump": 1.0}) == ["heat", "heat pump"]
    assert keywords({"bees": 1.0, "hive": 0.4}) == ["bees", "hive"]


def test_the_sets_are_those_of_the_paper():
    assert set(SETS["poor"]) == {"count1", "count2", "count3", "valuable1", "distance1"}
    assert set(SETS["medial"]) - set(SETS["poor"]) == {"mean1", "mean2", "mean3", "hops1", "hops2", "hops3"}
    assert len(SETS["rich"]) == 17  # six of each of three links, but whether the last one leads to a valuable page
    assert set(SETS["medial"]) < set(SETS["rich"])


def test_keywords_are_found_by_the_number_of_their_word():
    text = spaced("Bees, bees! A bee's hive; heat pumps and a HEAT pump.")
    assert places(text, BEES).tolist() == [0, 1]
    assert places(text, [" bee ", " hive "]).tolist() == [3, 5]
    assert places(text, [" heat  pump "]).tolist() == [10]
    assert places("", BEES).tolist() == []


def test_links_stand_where_their_anchors_do_each_after_the_one_before():
    text = spaced("read more here and read more there and more")
    first, last = spans(text, ["Read more", "read more", "more"])
    assert first.tolist() == [0, 4, 8]
    assert last.tolist() == [1, 5, 8]


def test_a_link_without_an_anchor_on_the_page_stands_between_its_neighbours():
    text = spaced(words_of((10, "one"), (30, "two")))
    first, last = spans(text, ["one", "not here", "", "nor this", "two"])
    assert first.tolist() == last.tolist() == [10, 15, 20, 25, 30]
    # With nothing to go by, the links are spread over the text: 40 words, links 0 to 2 between -1 and 3.
    assert spans(text, ["x", "y", "z"])[0].tolist() == [10, 20, 30]


def test_distances_by_hand():
    # A link of words 10 and 11; keywords at 4, 10, 14 and 99: 6 before it, on it, 3 after it, and beyond the cap.
    least, mean = distances(np.array([10]), np.array([11]), np.array([4, 10, 14, 99]), 50)
    assert least.tolist() == [0]
    assert mean.tolist() == [(6 + 0 + 3 + 50) / 4]
    least, mean = distances(np.array([20, 90]), np.array([21, 90]), np.array([4, 14, 99]), 50)
    assert least.tolist() == [6, 9]
    assert mean.tolist() == pytest.approx([(16 + 6 + 50) / 3, (50 + 50 + 9) / 3])


@pytest.mark.parametrize("seed", range(5))
def test_distances_equal_those_counted_one_by_one(seed):
    rng = np.random.default_rng(seed)
    first = np.sort(rng.integers(0, 300, 20))
    last = first + rng.integers(0, 4, 20)
    found = np.sort(rng.choice(300, rng.integers(1, 12), replace=False))
    for cap in (1, 7, 100, 1000):
        each = [[min(max(f - k, k - e, 0), cap) for k in found] for f, e in zip(first, last, strict=True)]
        least, mean = distances(first, last, found, cap)
        assert least.tolist() == [min(row) for row in each]
        assert mean == pytest.approx([sum(row) / len(row) for row in each], rel=1e-6)


def test_a_page_is_read():
    text = words_of((5, "bees"), (20, "hive"), (8, "anchor"), (30, "far"))
    links = (Link("http://a.test/1", "anchor"), Link("http://a.test/2", "far"))
    page = Page("http://a.test/", "All about bees", text, links=links)
    count, least, mean = Reader(["bees", "hive"], 100).read(page)
    assert count == 3  # with the title
    assert least.tolist() == [3, 10]
    assert mean.tolist() == [(3 + 12) / 2, (25 + 10) / 2]


def test_pages_without_text_links_or_keywords_are_read():
    reader = Reader(["bees"], 60)
    links = (Link("http://a.test/1", "one"),)
    assert [part.tolist() for part in reader.read(Page("http://a.test/", links=links))[1:]] == [[60], [60]]
    assert reader.read(Page("http://a.test/", text="bees"))[0] == 1
    count, least, _ = reader.read(Page("http://a.test/", text="no such word", links=links))
    assert (count, least.tolist()) == (0, [60])


def test_a_keyword_in_a_language_without_blanks_is_found():
    assert len(places(spaced("我们喜欢蜜蜂和蜂蜜"), Reader(["蜜蜂"], 10).needles)) == 1


# -- paths, against counting them all one by one ------------------------------------------------------------------

CAP, MOST_HOPS = 25, 5


def random_web(seed, size=60):
    rng = random.Random(seed)
    pages = []
    for i in range(size):
        targets = [rng.randrange(size) for _ in range(rng.randrange(5))]
        marks = [(3 * k + 1, f"to{n}") for k, n in enumerate(targets)]
        bees = [(3 * rng.randrange(12) + 2, "bees") for _ in range(rng.randrange(4))]
        links = tuple(Link(f"http://a.test/{n}", f"to{n}", position=k) for k, n in enumerate(targets))
        pages.append(Page(f"http://a.test/{i}", text=words_of(*marks, *bees), links=links))
    return pages


class BruteForce:
    """The features of a link, from the pages alone and the order they were fetched in."""

    def __init__(self, crawl, visits):
        self.pages = {v.id: v.page for v in visits}
        starts = crawl.strategy.book.starts
        self.layer = {v.id: max(k for k, s in enumerate(starts) if s <= n) for n, v in enumerate(visits)}
        self.valuable = {v.id: v.relevant for v in visits}
        self.links = {}  # (source, target): the places of the links
        for v in visits:
            for target, link in zip(v.targets.tolist(), v.page.links, strict=True):
                self.links.setdefault((v.id, target), []).append(3 * link.position + 1)

    def into(self, id_, layer):
        """The pages of earlier layers that link to it."""
        return [s for s, t in self.links if t == id_ and self.layer[s] < layer]

    def hops(self, id_):
        if self.valuable[id_]:
            return 0
        behind = [self.hops(s) + 1 for s in self.into(id_, self.layer[id_])]
        return min([*behind, MOST_HOPS])

    def harvest(self, id_):
        upto = [i for i in self.pages if self.layer[i] <= self.layer[id_]]
        return sum(self.valuable[i] for i in upto) / len(upto)

    def link(self, source, target):
        bees = [k for k, word in enumerate(self.pages[source].text.split()) if word == "bees"]
        each = [[min(abs(k - at), CAP) for k in bees] or [CAP] for at in self.links[source, target]]
        means = [sum(row) / len(row) for row in each]
        return {
            "distance": min(map(min, each)),
            "mean": sum(means) / len(means),
            "count": len(bees),
            "hops": self.hops(source),
            "harvest": self.harvest(source),
        }

    def paths(self, page):
        """Ways back from a page: as far as two links, and as far as there are any."""
        first = self.into(page, self.layer[page])
        for second in first or [None]:
            thirds = self.into(second, self.layer[second]) if second is not None else []
            for third in thirds or [None]:
                yield second, third

    def features(self, page, target):
        rows = []
        for second, third in self.paths(page):
            row = {f"{k}1": v for k, v in self.link(page, target).items()} | {"valuable1": self.valuable[page]}
            missing = {"distance": CAP, "mean": CAP, "count": 0, "hops": MOST_HOPS, "harvest": 0}
            link2 = missing if second is None else self.link(second, page)
            link3 = missing if third is None else self.link(third, second)
            row |= {f"{k}2": v for k, v in link2.items()} | {f"{k}3": v for k, v in link3.items()}
            row["valuable2"] = 0 if second is None else self.valuable[second]
            rows.append(row)
        return {name: sum(row[name] for row in rows) / len(rows) for name in SETS["rich"]}


@pytest.mark.parametrize("seed", range(6))
def test_paths_equal_those_counted_one_by_one(seed):
    web = web_of(*random_web(seed))
    seeds = [f"http://a.test/{i}" for i in (0, 1, 2)]
    crawl = hg.Crawl(seeds, "keyword:bees", f"paths:breadth=4,cap={CAP},features=rich", web=web, pages=45)
    visits = run_async(all_of(crawl))
    book, truth = crawl.strategy.book, BruteForce(crawl, visits)
    assert book.layer > 4
    found = book.features(np.arange(book.count), SETS["rich"])
    pairs = [(int(book.graph.visited()[s]), t) for s, t in zip(book.source, book.target.tolist(), strict=True)]
    for column, (source, target) in enumerate(pairs):
        expected = truth.features(source, target)
        assert found[:, column] == pytest.approx([expected[name] for name in SETS["rich"]], rel=1e-5)
    closed = {v.id for v in visits if truth.layer[v.id] < book.layer}
    upward = {
        (s, t)
        for s, t in truth.links
        if s in closed and s != t and (t not in truth.layer or truth.layer[s] < truth.layer[t])
    }
    assert set(pairs) == upward
    assert len(pairs) == len(upward)
    assert max(len(list(itertools.islice(truth.paths(s), 9))) for s, _ in pairs) > 1


async def all_of(crawl):
    return [visit async for visit in crawl]

"""Where crawls start, on webs small enough to see."""

import random

import numpy as np
import pytest

from honeyguide import Link, Page, Reply
from honeyguide.evaluate.collection import Collection
from honeyguide.evaluate.design import Design
from honeyguide.evaluate.network import Network
from honeyguide.evaluate.relevance import judge
from honeyguide.evaluate.starting import draw_starts, far_seeds, near_seeds
from small_webs import page


def address(name):
    return f"http://w.test/{name}"


def linked(**links):
    """A web of pages named by letters; capitals are about bees."""
    return Collection.of(
        page(address(name), *map(address, targets), text="bees" if name.isupper() else "trains")
        for name, targets in links.items()
    )


# a → b → c → D → E, f → D, g alone, E → a
CHAIN = linked(a="b", b="c", c="D", D="E", E="a", f="D", g="")


@pytest.fixture
def network():
    return Network(CHAIN)


@pytest.fixture
def bees():
    return judge(["keyword:bees"], CHAIN.pages)[0]


def by_name(network, distances):
    return {url.removeprefix("http://w.test/"): d for url, d in zip(network.urls, distances.tolist(), strict=True)}


def names(seeds):
    return sorted(url.removeprefix("http://w.test/") for url in seeds)


def test_how_far_the_nearest_relevant_page_is(network, bees):
    assert by_name(network, network.links_to(bees.ids)) == {"a": 3, "b": 2, "c": 1, "D": 0, "E": 0, "f": 1, "g": -1}


def test_how_far_each_page_is_from_the_seeds(network):
    start = np.array([network.urls.index(address("c"))])
    assert by_name(network, network.links_from(start)) == {"a": 3, "b": 4, "c": 0, "D": 1, "E": 2, "f": -1, "g": -1}


def test_links_go_through_redirects_and_not_where_a_page_forbids_it():
    pages = [page(address("a"), address("old")), page(address("b")), page(address("c"), address("b"))]
    pages[2] = Page(address("c"), links=(Link(address("b")),), robots=frozenset(["nofollow"]))
    replies = {p.url: Reply(p) for p in pages} | {address("old"): Reply(redirect=address("b"), status=301)}
    network = Network(Collection("web", replies))
    assert network.links_to(np.array([1])).tolist() == [1, 0, -1]


def test_a_redirect_that_leads_to_itself_ends():
    replies = {
        address("a"): Reply(page(address("a"), address("loop"))),
        address("loop"): Reply(redirect=address("loop"), status=301),
    }
    assert Network(Collection("web", replies)).links_from(np.array([0])).tolist() == [0]


def test_near_seeds_are_relevant_pages_and_no_more_than_there_are():
    distances = np.array([0, 2, 0, -1, 0], np.int32)
    assert sorted(near_seeds(distances, 9, random.Random(1)).tolist()) == [0, 2, 4]
    assert len(near_seeds(distances, 2, random.Random(1))) == 2


def test_far_seeds_are_far_enough_where_there_are_enough():
    distances = np.array([0, 1, 2, 3, 4, 5, -1], np.int32)
    drawn = [sorted(far_seeds(distances, 2, random.Random(s)).tolist()) for s in range(30)]
    assert {i for seeds in drawn for i in seeds} == {3, 4, 5}


def test_far_seeds_are_the_farthest_there_are_where_too_few_are_far():
    distances = np.array([0, 1, 2, 3, -1], np.int32)
    assert far_seeds(distances, 2, random.Random(1)).tolist() == [3, 2]
    assert far_seeds(distances, 9, random.Random(1)).tolist() == [3, 2, 1]
    assert far_seeds(np.array([0, -1], np.int32), 1, random.Random(1)).tolist() == []


def test_starts_know_what_can_be_reached_and_how_far_it_is(network, bees):
    near, far = draw_starts(network, bees, Design(seeds=1, seed_sets=1))
    assert (near.start, near.distance, near.reachable) == ("near", 0, 2)
    assert (far.start, names(far.seeds), far.distance, far.reachable) == ("far", ["a"], 3, 2)


def test_only_what_links_lead_to_counts_as_reachable():
    web = linked(a="B", B="", C="a", d="C")
    bees = judge(["keyword:bees"], web.pages)[0]
    far = next(draw_starts(Network(web), bees, Design(seeds=1, seed_sets=1, start="far")))
    reach = {"a": 1, "d": 2}
    assert far.reachable == reach[names(far.seeds)[0]]


def test_no_far_start_where_nothing_leads_to_the_topic():
    web = linked(A="b", b="")
    assert list(draw_starts(Network(web), judge(["keyword:bees"], web.pages)[0], Design(start="far"))) == []


def test_the_same_random_seed_draws_the_same_and_seed_sets_differ(network, bees):
    drawn = [tuple(draw_starts(network, bees, Design(seeds=1, seed_sets=9, random_seed=s))) for s in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len({start.seeds for start in drawn[0] if start.start == "near"}) == 2


def test_copies_of_a_relevant_page_are_to_be_found_once():
    text = " ".join(f"bees{i} bees honey" for i in range(40))
    pages = [Page(address(n), title="Bees", text=text, fingerprint=77) for n in "ab"] + [
        page(address("c"), text=text)
    ]
    bees = judge(["keyword:bees"], Collection.of(pages).pages)[0]
    assert len(bees.ids) == 3
    assert bees.distinct(bees.ids) == 2


def test_gates_and_lists_of_links_are_never_relevant():
    pages = [Page(address("a"), text="bees", gate="login"), Page(address("b"), text="bees", listing="sitemap")]
    assert judge(["keyword:bees"], pages)[0].share == 0

"""The compiled loop visits what `Crawl` with `evolved` visits, in the same order."""

import math
import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import honeyguide as hg
from honeyguide.base import Excluded, Link, Page
from honeyguide.evolve.ground import Ground, label_topics
from honeyguide.running import run_async
from honeyguide.simulate import Simulator
from honeyguide.simulate.from_pages import from_pages
from honeyguide.strategy import rank_board
from honeyguide.strategy.evolved import Evolved
from honeyguide.strategy.rank_weights import TABLE_1, filled_up
from honeyguide.synthetic import generate
from honeyguide.synthetic.storing import store_generated
from honeyguide.topic import as_topic
from honeyguide.web import open_web
from honeyguide.web.synthetic import SyntheticWeb
from linked_webs import SmallWeb, Told
from small_webs import FunctionWeb, stored

# What the compiled loop knows nothing of: traps, and pages that are copies of others.
OFF = {"trap_after": 0, "copy_bits": -1, "soft_404_after": 0, "mirror_after": 0}
ALL = {
    "hub": 0.1, "authority": 0.1, "comm_in": 0.1, "comm_out": 0.2, "parent_1": 0.2, "parent_2": 0.1,
    "parent_3": 0.05, "anchor": 0.1, "host": 0.05,
}  # fmt: skip
WEIGHTS = {
    "table 1": TABLE_1,
    "parent_1": {"parent_1": 1.0},
    "all": ALL,
    "comm_out": {"comm_out": 1.0},
    "host and hub": {"host": 0.7, "hub": 0.3},
}


def crawled(web, seeds, weights, pages, topic=None, drift=0.01, **rest):
    strategy = Evolved(given=weights if isinstance(weights, dict) else {}, drift=drift)
    if not isinstance(weights, dict):
        strategy.stages = weights
    crawl = hg.Crawl(seeds, topic or Told(), strategy, web=web, pages=pages, **OFF, **rest)

    async def run():
        return [visit.url async for visit in crawl]

    return run_async(run()), crawl


def simulated(arrays, addresses, seeds, weights, pages, **rest):
    number = {url: i for i, url in enumerate(addresses)}
    seeds = [number.setdefault(seed, len(number)) for seed in seeds]
    found = Simulator(arrays).run(seeds, weights, pages, **rest)
    return [addresses[i] for i in found.visited.tolist()], found


def assert_same(small, weights, pages=80, **rest):
    arrays, addresses = from_pages(small.pages, Told(), small.redirects, small.gone)
    seeds = [seed for seed in small.seeds if seed in addresses]
    visits, crawl = crawled(small.web(), seeds, weights, pages, **rest)
    again, found = simulated(arrays, addresses, seeds, weights, pages, **rest)
    assert again == visits
    assert np.count_nonzero(found.relevant) == crawl.relevant
    return visits, crawl


@pytest.mark.parametrize("current_list", [0, 10])
@pytest.mark.parametrize("drift", [0.0, 0.01])
@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS)
def test_the_same_visits_on_random_webs(weights, drift, current_list):
    for seed in range(12):
        assert_same(SmallWeb(seed), weights, drift=drift, current_list=current_list, random_seed=seed)


STAGES = {
    "others count later": [(0, {"parent_1": 1.0}), (20, {"host": 0.5, "comm_out": 0.3, "anchor": 0.2}), (45, ALL)],
    "fewer count later": [(0, ALL), (11, {"hub": 1.0}), (12, {"authority": 1.0}), (70, {"parent_3": 1.0})],
}


@pytest.mark.parametrize("current_list", [0, 10])
@pytest.mark.parametrize("drift", [0.0, 0.01])
@pytest.mark.parametrize("stages", STAGES.values(), ids=STAGES)
def test_the_same_visits_where_weights_change(stages, drift, current_list):
    full = [(after, filled_up(weights, 5, "test")) for after, weights in stages]
    for seed in range(8):
        assert_same(SmallWeb(seed), full, drift=drift, current_list=current_list, random_seed=seed)


webs = st.builds(
    SmallWeb,
    st.integers(0, 10**9),
    size=st.integers(4, 50),
    hosts=st.integers(1, 5),
    links=st.integers(2, 12),
    kinds=st.sampled_from([(1, 0, 0, 0), (3, 3, 1, 1), (2, 0, 0, 5), (1, 8, 0, 0)]),
    relevances=st.sampled_from([None, (0.0, 1.0), (0.2, 0.5, 0.9)]),
)


@settings(max_examples=40, deadline=None)
@given(
    webs,
    st.lists(st.integers(0, 9), min_size=9, max_size=9).filter(any),
    st.sampled_from([0.0, 0.01, 0.3]),
    st.integers(0, 12),
    st.integers(0, 3),
)
@example(SmallWeb(1, size=16, hosts=1, links=3, kinds=(1, 8, 0, 0)), [0, 0, 0, 0, 0, 0, 0, 1, 0], 0.01, 0, 1).via(
    "a seed leads to an address that is queued already, whose rank stays as it is"
)
def test_the_same_visits_on_any_web(small, parts, drift, current_list, max_redirects):
    names = (*list(ALL)[:6], "parent_4", "anchor", "host")
    weights = {name: part / sum(parts) for name, part in zip(names, parts, strict=True)}
    weights.setdefault("parent_3", 0.0)
    assert_same(small, weights, drift=drift, current_list=current_list, max_redirects=max_redirects)


def test_the_random_webs_have_all_there_is():
    redirects = gone = missing = 0
    for seed in range(12):
        _, crawl = assert_same(SmallWeb(seed), TABLE_1)
        summary = crawl.summary()
        redirects += summary.redirects
        gone += summary.failed.get("http_404", 0)
        missing += summary.excluded.get("not_in_archive", 0)
    assert min(redirects, gone, missing) > 10


@pytest.mark.parametrize("current_list", [0, 100])
@pytest.mark.parametrize("weights", [TABLE_1, ALL, {"parent_1": 1.0}], ids=["table 1", "all", "parent_1"])
def test_the_same_visits_where_ranks_are_made_known_late(monkeypatch, weights, current_list):
    monkeypatch.setattr(rank_board, "BEST", 20)
    monkeypatch.setattr(rank_board, "SPREAD", 2)
    small = SmallWeb(7, size=3000, hosts=30, links=14, kinds=(4, 1, 1, 4))  # four of ten addresses are missing
    visits, crawl = assert_same(small, weights, 900, current_list=current_list)
    assert len(visits) > 500
    assert crawl.strategy.board.floor > -math.inf


def test_the_same_visits_when_the_compiled_heap_runs_dry():
    small = SmallWeb(3, size=9000, hosts=50, links=24, kinds=(20, 1, 1, 2), relevances=(0.0, 0.3, 1.0))
    for weights in (TABLE_1, {"parent_1": 1.0}):
        visits, _ = assert_same(small, weights, 2500, current_list=100)
        assert len(visits) == 2500


@pytest.mark.parametrize("current_list", [0, 100])
def test_the_same_visits_on_a_generated_web(current_list):
    world = generate(pages=2000, hosts=30, seed=3)
    web = SyntheticWeb(world)
    topic = as_topic(world.query(world.topics[0]), None)
    found = {url: run_async(_reply(web, url)) for url in world.urls}
    pages = {url: reply.page for url, reply in found.items() if reply and reply.page}
    trap = {link.url for page in pages.values() for link in page.links} - set(world.urls)
    pages |= {url: reply.page for url in sorted(trap) if (reply := run_async(_reply(web, url))) and reply.page}
    redirects = {url: reply.redirect for url, reply in found.items() if reply and reply.redirect}
    gone = [url for url, reply in found.items() if reply and reply.error]
    arrays, addresses = from_pages(pages, topic, redirects, gone)
    seeds = world.topic_seeds(world.topics[0], 5)
    archive = FunctionWeb(lambda url: found.get(url) or _missing())
    visits, crawl = crawled(archive, seeds, TABLE_1, 600, topic=topic, current_list=current_list)
    again, _ = simulated(arrays, addresses, seeds, TABLE_1, 600, current_list=current_list)
    assert again == visits
    assert crawl.relevant > 50


async def _reply(web, url):
    try:
        return await web.get(url)
    except Excluded:
        return None


def _missing():
    raise Excluded("not_in_archive")


@pytest.mark.parametrize("current_list", [0, 20])
@pytest.mark.parametrize("weights", [TABLE_1, {"comm_out": 0.9, "host": 0.1}], ids=["table 1", "host"])
def test_the_same_visits_on_a_stored_web(tmp_path, weights, current_list):
    store_generated(tmp_path / "web", 600, seed=5)
    ground = Ground.open(str(tmp_path / "web"))
    topic = label_topics(ground.atlas)[0]
    judged = ground.judged(topic)
    seeds = ground.seeds(judged, True, 5, random.Random(1)).tolist()
    found = Simulator(ground.arrays(judged)).run(seeds, weights, 200, current_list=current_list, random_seed=3)
    urls = [ground.atlas.urls[seed] for seed in seeds]
    web = open_web(tmp_path / "web")
    visits, _ = crawled(web, urls, weights, 200, topic=topic, current_list=current_list, random_seed=3)
    assert [ground.atlas.urls[i] for i in found.visited.tolist()] == visits
    assert len(visits) == 200


@pytest.mark.parametrize("current_list", [0, 20])
def test_the_same_visits_by_anchors_on_a_stored_web(tmp_path, current_list):
    """Several anchors to one page, of which the best counts; and lists of links, which are never relevant."""
    chance, words = random.Random(4), ["solar", "panel", "roads", ""]
    links = {n: [(chance.randrange(80), chance.choice(words)) for _ in range(12)] for n in range(80)}
    pages = [
        Page(
            f"http://h{n % 3}.test/{n}",
            text="solar panel" if n % 4 == 0 else "roads",
            links=tuple(Link(f"http://h{to % 3}.test/{to}", anchor) for to, anchor in links[n]),
            listing="sitemap" if n % 8 == 0 else "",
        )
        for n in range(80)
    ]
    topic, weights = as_topic("keyword:all(solar, panel)"), {"anchor": 0.7, "comm_out": 0.3}
    ground = Ground.open(str(stored(tmp_path / "web", *pages)))
    judged = ground.judged(topic, with_anchors=True)
    found = Simulator(ground.arrays(judged)).run([0, 5], weights, 60, current_list=current_list, random_seed=3)
    urls = [ground.atlas.urls[seed] for seed in (0, 5)]
    visits, crawl = crawled(
        open_web(tmp_path / "web"), urls, weights, 60, topic, current_list=current_list, random_seed=3
    )
    assert [ground.atlas.urls[i] for i in found.visited.tolist()] == visits[: len(found.visited)]
    wanted = {page.url for page in pages if "solar" in page.text and not page.listing}
    assert found.relevant.tolist() == [url in wanted for url in visits[: len(found.visited)]]
    assert crawl.relevant == len(wanted.intersection(visits))

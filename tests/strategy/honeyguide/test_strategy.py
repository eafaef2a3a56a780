"""The strategy as a whole: webs that one kind of evidence solves, what it says of itself, and what outlives it."""

import math
import random
import re

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.base import BadInput, Link, Page
from honeyguide.running import run_async
from honeyguide.strategy import create
from honeyguide.strategy.honeyguide.pace import AT_A_LOSS, LOST
from honeyguide.strategy.honeyguide.priors import GROUPS, KINDS
from honeyguide.web import Archive
from small_webs import page, topical_web, web_of

A = "http://a.test"
SEEDS = ["http://h0.test/1", "http://h1.test/0"]
TOPIC = "keyword:all(bees, hive)"


def crawled(strategy, web, seeds, pages, topic="label:yes", **settings):
    async def run():
        crawl = hg.Crawl(seeds, topic, strategy, web=web, pages=pages, **settings)
        return [visit async for visit in crawl], crawl

    return run_async(run())


def harvest(strategy, web, seeds, pages, **settings):
    return crawled(strategy, web, seeds, pages, **settings)[1].relevant


def lists(link, A=A):
    """Thirty lists of thirty links in a ring, every tenth link good; `link` makes the good and the bad ones."""
    pages = {}
    for n in range(30):
        links = [link(n, k, k % 10 == 3) for k in range(30)]
        links.append(Link(f"{A}/list/{(n + 1) % 30}", "next"))
        pages[f"{A}/list/{n}"] = Page(f"{A}/list/{n}", links=tuple(links), label="no", text="a list")
        for each in links[:-1]:
            label = "yes" if "good" in each.rel else "no"
            pages[each.url] = Page(each.url, label=label, text="words of this and that")
    return Archive(pages)


def about_bees(host, seed=0):
    """Lists on a host whose good links say so in their anchors."""

    def link(n, k, good):
        chance = random.Random(1000 * seed + n * 31 + k)
        name = "queen bee" if good else chance.choice(["wide road", "old bridge", "long river"])
        return Link(f"{host}/p/{n}x{k}", name, rel=frozenset(["good"] if good else []))

    return lists(link, host)


def test_words_of_anchors_find_what_lists_lead_to():
    web = about_bees(A)
    found = harvest("honeyguide", web, [f"{A}/list/0"], 200)
    assert found >= 2.5 * harvest("breadth-first", web, [f"{A}/list/0"], 200)
    assert found > 1.5 * harvest("honeyguide:without=links", web, [f"{A}/list/0"], 200)


@pytest.mark.parametrize("seed", range(4))
def test_pages_that_lead_to_relevant_ones_are_credited(seed):
    """No list is relevant, and each leads to three pages that are, and to the next list."""
    web = about_bees(A, seed)
    found = harvest("honeyguide", web, [f"{A}/list/0"], 120)
    assert found > 1.6 * harvest("honeyguide:future=0", web, [f"{A}/list/0"], 120)


def test_seeds_are_queued_before_they_have_a_rank():
    crawl = hg.Crawl(["http://h0.test/1", "http://h1.test/0"], "keyword:hive", web=topical_web())
    run_async(crawl.begin())
    assert len(crawl.frontier) == 2
    assert not any(crawl.beside_the_frontier().values())


def test_what_waits_for_its_rank_is_not_held_back():
    """Some of these crawls end between two times at which visits are learned from."""
    crawls = [crawled("honeyguide", about_bees(A), [f"{A}/list/0"], pages)[1] for pages in range(100, 112)]
    assert any(crawl.guide.to_be_ranked for crawl in crawls)
    assert not any(crawl.summary().held_back for crawl in crawls)


def test_what_waits_for_its_rank_is_told_the_one_it_would_have():
    crawls = (crawled("honeyguide", about_bees(A), [f"{A}/list/0"], pages)[1] for pages in range(100, 112))
    crawl = next(crawl for crawl in crawls if crawl.guide.to_be_ranked)
    strategy, newest = crawl.strategy, int(crawl.graph.queued().max())
    assert strategy.unranked(newest)
    told = re.match(
        r"no rank yet; as things stand it would be ([-+]\d+\.\d\d): a chance of ", strategy.explain(newest)[0]
    )
    strategy.idle()
    assert not strategy.unranked(newest)
    assert float(told[1]) == pytest.approx(float(strategy.score(np.array([newest]))[0]), abs=0.2)
    assert strategy.explain(newest)[0].startswith("the crawl goes by ")


def test_folders_tell_where_to_look():
    def link(n, k, good):
        return Link(f"{A}/{'hives' if good else 'roads'}/{n}x{k}", "more", rel=frozenset(["good"] if good else []))

    web = lists(link)
    found = harvest("honeyguide", web, [f"{A}/list/0"], 150)
    assert found >= 2.5 * harvest("breadth-first", web, [f"{A}/list/0"], 150)


def test_neighbours_of_good_links_come_first():
    """Lists of ten good and fifty bad links, in one row each; nothing but their place tells them apart."""
    pages = {}
    for n in range(12):
        first = 5 + 3 * n
        names = [("good" if first <= k < first + 10 else "bad") + f"{n * 100 + k}" for k in range(60)]
        urls = [f"{A}/{n * 60 + i}" for i in range(60)]
        pages[f"{A}/l{n}"] = page(f"{A}/l{n}", *urls, label="no")
        for url, name in zip(urls, names, strict=True):
            pages[url] = page(url, label="yes" if name.startswith("good") else "no")
    seeds = [f"{A}/l{n}" for n in range(12)]
    with_it, without = (
        harvest(name, Archive(pages), seeds, 200) for name in ("honeyguide", "honeyguide:without=siblings")
    )
    assert with_it > 1.3 * without


def test_it_beats_the_counting_rules_where_hosts_are_topical():
    for seeds, pages in ((SEEDS, 80), (["http://h1.test/0"], 120)):
        found = {
            name: harvest(name, topical_web(), seeds, pages, topic=TOPIC)
            for name in ("honeyguide", "breadth-first", "random")
        }
        assert found["honeyguide"] > 1.3 * max(found["breadth-first"], found["random"]), found


def noise(seed):
    """A web on which one page of ten is relevant, whatever links to it and whatever it says."""
    chance = random.Random(seed)
    return Archive(
        {
            f"{A}/{n}": Page(
                f"{A}/{n}",
                links=tuple(Link(f"{A}/{chance.randrange(1500)}") for _ in range(8)),
                label="yes" if chance.random() < 0.1 else "no",
                text=f"w{chance.randrange(500)}",
            )
            for n in range(1500)
        }
    )


def test_where_relevance_is_noise_it_is_no_worse_than_random():
    found = {
        name: sum(harvest(name, noise(seed), [f"{A}/1", f"{A}/2"], 400) for seed in range(5))
        for name in ("honeyguide", "random")
    }
    spread = (2 * 5 * 400 * 0.1 * 0.9) ** 0.5  # of the difference, where both go by chance
    assert found["honeyguide"] > found["random"] - 2 * spread, found


def test_it_says_why_in_plain_words():
    _, crawl = crawled("honeyguide", topical_web(), SEEDS, 60, topic=TOPIC)
    queued = crawl.graph.queued()
    best = int(queued[np.argmax(crawl.strategy.score(queued))])
    lines = crawl.strategy.explain(best)
    assert lines[0].startswith("the crawl goes by ")
    said = "\n".join(lines)
    for part in (
        "fetched parents relevant",
        "host ",
        "its folder",
        "anchor words",
        "other links of its parents led to",
    ):
        assert part in said
    assert len(lines) == 2 + len(GROUPS)
    odds, chance = sum(float(line.split()[0]) for line in lines[1:]), float(re.search(r"chance of (\d+)%", said)[1])
    assert 100 / (1 + math.exp(-odds)) == pytest.approx(chance, abs=1.5)


def late_topic():
    """A web of links drawn at random, of whose pages the ten that are relevant are far away."""
    chance = random.Random(3)
    urls = [f"{A}/roads/{k}" for k in range(590)] + [f"{A}/bees/{k}" for k in range(10)]
    near = {k: range(max(0, k - 60), min(600, k + 60)) for k in range(600)}
    return web_of(
        *(
            page(url, *(urls[j] for j in chance.sample(near[k], 6)), label="yes" if "bees" in url else "no")
            for k, url in enumerate(urls)
        )
    )


def order(random_seed, pages=400, strategy="honeyguide"):
    visits, crawl = crawled(strategy, late_topic(), [f"{A}/roads/0"], pages, random_seed=random_seed)
    return [visit.url for visit in visits], next((n for n, visit in enumerate(visits) if visit.relevant), 0), crawl


def test_chance_has_a_say_when_much_has_failed_and_none_when_something_was_found():
    one, first, _ = order(1)
    other, later, _ = order(2)
    assert one == order(1)[0]
    assert one[:AT_A_LOSS] == other[:AT_A_LOSS]
    assert min(first, later) > LOST  # or else this web tells nothing
    assert one[:first] != other[:first]
    assert order(1, strategy="honeyguide:exploration=0")[0] == order(2, strategy="honeyguide:exploration=0")[0]
    for pages, said in ((first - 1, True), (first + 40, False)):
        crawl = order(1, pages)[2]
        queued = crawl.graph.queued()
        told = crawl.strategy.explain(int(queued[0]))[0]
        assert ("until a relevant page is found, chance adds" in told) == said == (crawl.strategy.randomness > 0)


def test_it_says_what_it_learned():
    _, crawl = crawled("honeyguide", topical_web(), SEEDS, 80, topic=TOPIC)
    told = crawl.strategy.figures()
    assert "hive" in told["words of relevant pages"]
    assert "keywords +" in told["weights"]


def test_it_learned_nothing_of_evidence_that_it_does_not_use():
    for strategy, topic in (("honeyguide:without=keywords", TOPIC), ("honeyguide", "label:yes")):
        _, crawl = crawled(strategy, topical_web(), SEEDS, 30, topic=topic)
        assert "keywords" not in crawl.strategy.figures()["weights"]


def test_evidence_can_be_left_out_and_wrong_names_are_refused():
    strategy = create("honeyguide:without=place+url")
    assert [k for k, used in zip(KINDS, strategy.used(), strict=True) if not used] == [
        "host",
        "folder",
        "url",
        "same_host",
    ]
    with pytest.raises(BadInput, match="nothing is neither of"):
        crawled("honeyguide:without=nothing", topical_web(), SEEDS, 5, topic=TOPIC)


def test_every_kind_of_evidence_is_in_one_group():
    assert sorted(kind for kinds in GROUPS.values() for kind in kinds) == sorted(KINDS)


def test_what_one_crawl_learned_helps_the_next(tmp_path):
    crawled("honeyguide", about_bees(A), [f"{A}/list/0"], 200, directory=tmp_path / "first")
    other = "http://b.test"
    fresh, taught = (
        harvest("honeyguide", about_bees(other), [f"{other}/list/0"], 40, **more)
        for more in ({}, {"learn_from": str(tmp_path / "first")})
    )
    assert taught > 1.3 * fresh  # of 30 that could be found


def test_knowledge_of_something_else_is_refused():
    strategy = create("honeyguide")
    _, crawl = crawled("honeyguide", topical_web(), SEEDS, 20, topic=TOPIC)
    strategy.begin(crawl.graph, crawl.topic, 0)
    known = crawl.strategy.knowledge()
    for wrong in ({}, {**known, "weights": [1.0]}, {**known, "kinds": ["x"]}, {**known, "counts": [[1]]}):
        with pytest.raises(BadInput, match="no knowledge of a honeyguide crawl"):
            strategy.adopt(wrong)


def test_a_page_without_links_or_text_teaches_without_harm():
    web = web_of(page(f"{A}/", f"{A}/1", f"{A}/gone"), page(f"{A}/1"))
    visits, crawl = crawled("honeyguide", web, [f"{A}/"], 10)
    assert len(visits) == 2
    assert np.isfinite(crawl.strategy.model.weights).all()


def test_a_crawl_without_a_link_is_taken_up_and_explained():
    _, crawl = crawled("honeyguide", web_of(page(f"{A}/", label="yes")), [f"{A}/"], 5)
    fresh = create("honeyguide")
    fresh.begin(crawl.graph, crawl.topic, 0)
    fresh.load(crawl.strategy.save())
    assert fresh.explain(0) == crawl.strategy.explain(0)

"""Intelligent crawling: the paper's numbers, formulas worked out by hand, and webs where only its ideas help."""

import math
import random
import sqlite3
from collections import Counter

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.base import FetchError, Reply
from honeyguide.evaluate.measures import found_by, nauc
from honeyguide.running import run_async
from honeyguide.store import state
from honeyguide.strategy import create
from honeyguide.strategy.interest import Knowledge, Rule, Tally, balancing_weights, sibling_logs, significance
from honeyguide.strategy.page_words import InLinks, PageWords
from honeyguide.strategy.url_tokens import url_tokens
from honeyguide.synthetic import generate
from honeyguide.text import content_words
from honeyguide.web import SyntheticWeb
from small_webs import FunctionWeb, page, web_of

A = "http://a.test"
SEEDS = ["http://h0.test/1", "http://h1.test/0"]
TOPIC = "keyword:all(bees, hive)"


def crawled(strategy, web, seeds, pages=1000, topic="label:yes", **settings):
    async def run():
        crawl = hg.Crawl(seeds, topic, strategy, web=web, pages=pages, **settings)
        return [visit async for visit in crawl], crawl

    return run_async(run())


def harvest(strategy, web, seeds, pages, **settings):
    return crawled(strategy, web, seeds, pages, **settings)[1].relevant


def score_of(crawl, url):
    return float(crawl.strategy.score(np.array([crawl.graph.table.find(url)]))[0])


def tally_of(**counts):
    tally = Tally()
    for text, (seen, relevant) in counts.items():
        number = tally.numbers([text])
        tally.seen[number], tally.relevant[number] = seen, relevant
    return tally


# -- the paper's numbers --------------------------------------------------------------------------------------


def test_five_percent_where_a_thousandth_is_usual_is_a_ratio_of_fifty():
    # Half a page is added everywhere: (5 + ½) / (109 + 1) = 5 %, and (5 + ½) / (5499 + 1) = 0.1 %.
    known = Knowledge(crawled=5499, relevant=5, words=tally_of(eshop=(109, 5)))
    assert known.base == pytest.approx(0.001)
    assert math.exp(known.belief(Rule()).words[0]) == pytest.approx(50)


def test_seven_percent_of_links_where_one_is_expected_is_a_ratio_of_seven():
    # (2 + ½) / (24 + 1) = 0.1 of the pages; (3 + ½) / (49 + 1) = 0.07 of the links join two relevant ones.
    links = np.array([[40, 4], [2, 3]])
    known = Knowledge(crawled=24, relevant=2, links=links)
    belief = known.belief(Rule())
    assert math.exp(belief.log_p) == pytest.approx(7)
    assert math.exp(belief.log_q) == pytest.approx((4.5 / 50) / (0.1 * 0.9))


def test_nine_of_fifteen_siblings_where_a_tenth_is_usual_is_a_ratio_of_six():
    ratios = np.exp(sibling_logs(np.array([9, 0, 0]), np.array([15, 0, 15]), 0.1))
    assert ratios == pytest.approx([6, 1, 0.5 / (1.5 + 0.5)])


def test_significance_is_counted_in_standard_deviations_of_the_relevant_pages():
    # (0.3 - 0.1) / sqrt(0.1 * 0.9 / (8 + ½))
    assert significance(np.array([0.3]), 0.1, 8) == pytest.approx([0.2 / math.sqrt(0.09 / 8.5)])


def test_only_significant_words_tell_something():
    # 9 of 99 relevant: P(C) = 0.095; a standard deviation is sqrt(0.095 * 0.905 / 9.5) = 0.0951.
    tally = tally_of(often=(9, 5), usual=(50, 5), never=(100, 0), rare=(1, 1), once=(1, 0))
    logs = tally.logs(0.095, 9, Rule(2.0))
    assert logs == pytest.approx([math.log(0.55 / 0.095), 0, 0, math.log(0.75 / 0.095), 0])
    assert np.flatnonzero(tally.logs(0.095, 9, Rule(0.9))).tolist() == [0, 2, 3, 4]
    assert np.flatnonzero(tally.logs(0.095, 9, Rule(0.9, least=2))).tolist() == [0, 2]
    # |log| × √seen: often 5.3, never 29.6, rare 2.1, once 1.0
    assert np.flatnonzero(tally.logs(0.095, 9, Rule(0.9, most=2))).tolist() == [0, 2]


def test_weights_make_all_kinds_of_evidence_count_alike():
    logs = np.array([[1.0, -3.0], [0.0, 0.0], [0.1, 0.3]])
    assert balancing_weights(logs) == pytest.approx([0.5, 0, 5])
    assert balancing_weights(logs[:, :0]).tolist() == [0, 0, 0]


def test_urls_are_split_at_dots_and_slashes():
    assert url_tokens("https://www.ski.test/alps/ski.html?a=b") == ["www", "ski", "test", "alps", "html?a=b"]


# -- a graph worked out by hand -------------------------------------------------------------------------------


def two_pages(strategy="intelligent:significance=0.5"):
    """Two crawled pages, one of them relevant, which link to each other, to x and, the relevant one, to y."""
    pages = [
        page(f"{A}/0", f"{A}/1", f"{A}/x", f"{A}/0/y", f"{A}/0", label="yes", text="alpha beta"),
        page(f"{A}/1", f"{A}/0", f"{A}/x", f"{A}/x", label="no", text="beta gamma"),
    ]
    return crawled(strategy, web_of(*pages), [p.url for p in pages], pages=2)[1]


def test_the_four_ratios_and_the_priority_of_a_small_graph():
    crawl = two_pages()
    # One of two pages is relevant: P(C) = 1.5 / 3 = ½. alpha 1.5 / 2, beta 1.5 / 3, gamma 0.5 / 2; tokens 0 and 1
    # likewise. Links: 0 to 1 (relevant to not), 1 to 0 (not to relevant): p = (0.5 / 3) / ¼, q = (1.5 / 3) / ¼.
    # x: words alpha, beta, gamma; one of two parents relevant; siblings 1 (of 0) and 0 (of 1): one of two relevant.
    # y: words alpha, beta; token 0; its parent is relevant; sibling 1 is not: half a one to (½ + ½).
    x = {"content": 1.5 * 0.5, "url": 1, "links": (2 / 3) * 2, "siblings": 1 / (2 * 0.5)}
    y = {"content": 1.5, "url": 1.5, "links": 2 / 3, "siblings": 0.5}
    log_x, log_y = ([math.log(ratio) for ratio in each.values()] for each in (x, y))
    ids = np.array([crawl.graph.table.find(f"{A}/x"), crawl.graph.table.find(f"{A}/0/y")])
    assert pytest.approx(np.array([log_x, log_y])) == crawl.strategy.logs(ids).T
    weights = [2 / (abs(a) + abs(b)) for a, b in zip(log_x, log_y, strict=True)]
    assert crawl.strategy.belief.weights == pytest.approx(weights)
    for url, logs in ((f"{A}/x", log_x), (f"{A}/0/y", log_y)):
        assert score_of(crawl, url) == pytest.approx(
            sum(w * log for w, log in zip(weights, logs, strict=True)), rel=1e-5
        )


@pytest.mark.parametrize(
    ("factor", "x", "y"),
    [("content", 0.75, 1.5), ("url", 1, 1.5), ("links", 4 / 3, 2 / 3), ("siblings", 1, 0.5)],
)
def test_a_factor_may_be_used_alone(factor, x, y):
    crawl = two_pages(f"intelligent:{factor},significance=0.5")
    weight = 2 / (abs(math.log(x)) + abs(math.log(y)))
    assert score_of(crawl, f"{A}/x") == pytest.approx(weight * math.log(x), abs=1e-6)
    assert score_of(crawl, f"{A}/0/y") == pytest.approx(weight * math.log(y), abs=1e-6)


def test_a_url_is_explained_by_its_words_tokens_parents_and_siblings():
    crawl = two_pages()
    lines = crawl.strategy.explain(crawl.graph.table.find(f"{A}/0/y"))
    assert lines[0].startswith(f"interest {score_of(crawl, f'{A}/0/y'):.3f} = ")
    assert lines[1:] == [
        "content: 1 tell (alpha ×1.5) among the words of pages that link here",
        "URL: 1 tell (0 ×1.5) among its tokens",
        "links: 1 of 1 fetched parents relevant; a relevant one ×0.667, another ×2",
        "siblings: 0 of 1 crawled ones relevant, 0.50 expected",
    ]
    assert "0 of 1 fetched parents relevant" in crawl.strategy.explain(crawl.graph.table.find(f"{A}/0"))[3]
    assert crawl.strategy.figures()["pages"] == "1 of 2 crawled pages relevant"
    assert "alpha ×1.5" in crawl.strategy.figures()["words"]


def test_before_the_first_hit_the_order_is_random():
    seed = page(f"{A}/", *(f"{A}/{i}" for i in range(30)))
    _, crawl = crawled("intelligent", web_of(seed), [seed.url], pages=1, random_seed=3)
    drawn = create("random")
    drawn.begin(crawl.graph, crawl.topic, 3)
    ids = np.arange(1, 31)
    assert crawl.strategy.score(ids).tolist() == drawn.score(ids).tolist()
    assert "none of 1 crawled pages is relevant yet" in crawl.strategy.explain(1)[0]
    assert crawl.strategy.figures() == {"pages": "0 of 1 crawled pages relevant"}


def test_a_redirect_hands_on_words_and_siblings_and_failures_teach_nothing():
    hub = page(f"{A}/hub", f"{A}/good", f"{A}/old", f"{A}/dead", text="alpha")
    good = page(f"{A}/good", label="yes", text="beta")

    def answer(url):
        if url.endswith("old"):
            return Reply(redirect=f"{A}/new", status=301)
        if url.endswith("dead"):
            raise FetchError("timeout")
        return Reply({hub.url: hub, good.url: good}[url])

    seeds = [f"{A}/hub", f"{A}/good", f"{A}/old", f"{A}/dead"]
    _, crawl = crawled("intelligent:significance=0", FunctionWeb(answer), seeds, pages=4)
    known, new = crawl.strategy.known, np.array([crawl.graph.table.find(f"{A}/new")])
    assert (known.crawled, known.relevant) == (2, 1)
    assert known.links.tolist() == [[0, 1], [0, 0]]
    # One of two relevant: ½. alpha stands on an irrelevant page: (0.5 / 2) / ½; q = (1.5 / 2) / ¼; good is a sibling.
    assert crawl.strategy.logs(new)[:, 0] == pytest.approx([math.log(0.5), 0, math.log(3), math.log(1 / 0.5)])


# -- against an implementation of a few loops -----------------------------------------------------------------


class BruteForce:
    """The strategy as the paper has it: all candidates valued after every page, with dicts and loops."""

    def __init__(self, pages, relevant):
        self.pages, self.relevant, self.visited = pages, relevant, []
        self.words = {url: set(content_words(p.title + " " + p.text)) for url, p in pages.items()}
        self.links = {url: {link.url for link in p.links} - {url} for url, p in pages.items()}

    def scores(self):
        visited, hits = self.visited, [url for url in self.visited if self.relevant[url]]
        self.base, self.hits = (len(hits) + 0.5) / (len(visited) + 1), len(hits) + 0.5
        words, tokens = (self.telling(of) for of in (self.words.get, self.tokens))
        kinds, total = Counter(), 0
        for source in visited:
            for target in self.links[source] & set(visited):
                kinds[self.relevant[source], self.relevant[target]] += 1
                total += 1
        p = (kinds[True, True] + 0.5) / (total + 1) / self.base**2
        q = (kinds[False, True] + 0.5) / (total + 1) / (self.base * (1 - self.base))
        logs = {}
        for url in {link for source in visited for link in self.links[source]} - set(visited):
            parents = [source for source in visited if url in self.links[source]]
            good = sum(self.relevant[parent] for parent in parents)
            siblings = [child for parent in parents for child in self.links[parent] if child in visited]
            found, expected = sum(self.relevant[child] for child in siblings), len(siblings) * self.base
            logs[url] = (
                sum(words.get(word, 0) for word in set().union(*(self.words[parent] for parent in parents))),
                sum(tokens.get(token, 0) for token in self.tokens(url)),
                good * math.log(p) + (len(parents) - good) * math.log(q),
                math.log(found / expected if found else 0.5 / (expected + 0.5)),
            )
        means = [sum(abs(each[i]) for each in logs.values()) / len(logs) for i in range(4)]
        return {
            url: sum(log / mean for log, mean in zip(each, means, strict=True) if mean) for url, each in logs.items()
        }

    @staticmethod
    def tokens(url):
        return {token for part in url.split("://")[1].split("/") for token in part.split(".") if token}

    def telling(self, of):
        seen, good = Counter(), Counter()
        for url in self.visited:
            seen.update(of(url))
            good.update(of(url) if self.relevant[url] else ())
        shares = {text: (good[text] + 0.5) / (seen[text] + 1) for text in seen}
        deviation = math.sqrt(self.base * (1 - self.base) / self.hits)
        return {t: math.log(s / self.base) for t, s in shares.items() if abs(s - self.base) / deviation >= 2}


def wordy_web(size=120, seed=5, kinds="abc"):
    """Pages about one of some things, with links that half stay with it, and words that mostly belong to it."""
    rng = random.Random(seed)
    about = [rng.choice(kinds) for _ in range(size)]
    urls = [f"http://{rng.choice('xyz')}.test/{kind}{rng.randrange(3)}/p{i}" for i, kind in enumerate(about)]
    pages = []
    for i, kind in enumerate(about):
        near = [j for j in range(size) if about[j] == kind and j != i]
        links = [*rng.sample(near, 3), *rng.sample(range(size), 3)]
        text = " ".join(f"{rng.choice((kind, kind, 'z'))}word{rng.randrange(12)}" for _ in range(15))
        pages.append(page(urls[i], *(urls[j] for j in links), label="yes" if kind == "a" else "", text=text))
    return pages


def test_ranking_after_every_page_equals_brute_force():
    pages = wordy_web()
    seeds = [next(p.url for p in pages if p.label), next(p.url for p in pages if not p.label)]
    exact = "intelligent:batch=1,growth=0,parents=0,most=0,least=1"
    visits, _ = crawled(exact, web_of(*pages), seeds, pages=80)
    brute = BruteForce({p.url: p for p in pages}, {p.url: p.label == "yes" for p in pages})
    brute.visited = seeds.copy()
    clear = 0
    for visit in visits[2:]:
        scores = brute.scores()
        best, second = sorted(scores.values(), reverse=True)[:2]
        assert visit.score == pytest.approx(scores[visit.url], rel=1e-4, abs=1e-5)
        assert visit.score == pytest.approx(best, rel=1e-4, abs=1e-5)
        clear += best - second > 1e-3
        brute.visited.append(visit.url)
    assert clear > 50


def test_words_on_several_pages_count_once_however_many_words_there_are():
    rng = np.random.default_rng(1)
    logs = np.where(rng.random(30_000) < 0.6, rng.normal(size=30_000), 0)  # more than are looked at together
    seeds = [
        page(f"{A}/{i}", f"{A}/x", *([f"{A}/y"] if i else []), *([f"{A}/z"] if i == 2 else [])) for i in range(3)
    ]
    _, crawl = crawled("intelligent", web_of(*seeds), [p.url for p in seeds], pages=3)
    words, in_links, rows = PageWords(), InLinks(crawl.graph, 8), [rng.permutation(30_000)[:2000] for _ in range(3)]
    in_links.make_room()
    for i, row in enumerate(rows):
        in_links.add(crawl.graph.table.find(f"{A}/{i}"), words.add(row.astype(np.int32)))
    expected = [sum(logs[w] for w in set().union(*map(set, rows[i:]))) for i in range(3)]
    ids = np.array([crawl.graph.table.find(f"{A}/{name}") for name in "xyz"])
    assert words.values(in_links, ids, logs) == pytest.approx(expected)


def test_the_newest_parents_are_all_parents_where_there_are_no_more():
    pages = wordy_web()
    seeds = [pages[0].url, pages[1].url]
    few, many, every = (crawled(f"intelligent:parents={n}", web_of(*pages), seeds, 60)[0] for n in (2, 60, 0))
    assert [(visit.url, visit.score) for visit in many] == [(visit.url, visit.score) for visit in every]
    assert [visit.url for visit in few] != [visit.url for visit in every]


def test_ranking_now_and_then_is_about_as_good_as_after_every_page():
    world = generate(pages=2500, hosts=40, topics=6)

    def gained(strategy):
        found = []
        for topic in (world.topics[0], world.topics[2]):
            seeds, web = world.topic_seeds(topic, 3), SyntheticWeb(world)
            visits, _ = crawled(strategy, web, seeds, 400, world.query(topic))
            found.append(nauc(found_by([v.relevant for v in visits], 400, 300), 300))
        return np.mean(found)

    exact = gained("intelligent:growth=0")
    assert gained("intelligent") > exact - 0.01
    assert gained("intelligent:batch=60") < exact - 0.05  # so that the web tells the difference


# -- webs where one idea is all there is ----------------------------------------------------------------------


LISTS = [f"{A}/list-{i}" for i in range(20)]


def web_of_lists(length=20, good=(15, 17, 18)):
    """Lists that all read alike; what some of them list is relevant, and links nowhere."""
    pages = []
    for i, url in enumerate(LISTS):
        listed = [f"{A}/page-{i}-{k}" for k in range(length)]
        pages.append(page(url, *listed, text="a list of pages"))
        pages += [page(each, label="yes" if i in good else "", text="nothing") for each in listed]
    return web_of(*pages)


def test_siblings_lead_where_nothing_else_does():
    found = {
        name: harvest(name, web_of_lists(), LISTS, 140)
        for name in ("intelligent", "intelligent:siblings", "random", "breadth-first", "best-first", "host-odds")
    }
    assert min(found["intelligent"], found["intelligent:siblings"]) >= 55  # of 60
    assert max(found["random"], found["breadth-first"], found["best-first"], found["host-odds"]) <= 25


def tangled_web(size=800, seed=2):
    """Links lead anywhere; one page of ten is relevant, and its URL says so in a word nobody told the crawl."""
    rng = random.Random(seed)
    good = [rng.random() < 0.1 for _ in range(size)]
    urls = [f"{A}/{'apiary' if is_good else rng.choice(('rail', 'road'))}/{i}" for i, is_good in enumerate(good)]
    texts = [" ".join(rng.choices(["one", "two", "three", "four", "five", "six"], k=4)) for _ in urls]
    links = [rng.sample(urls, 10) for _ in urls]
    return web_of(
        *(
            page(url, *out, label="yes" if is_good else "", text=text)
            for url, out, text, is_good in zip(urls, links, texts, good, strict=True)
        )
    ), [url for url, is_good in zip(urls, good, strict=True) if not is_good][:2]


def test_url_tokens_lead_where_nothing_else_does():
    web, seeds = tangled_web()
    found = {
        name: harvest(name, web, seeds, 120)
        for name in ("intelligent", "intelligent:url", "random", "breadth-first", "best-first", "host-odds")
    }
    others = max(found["random"], found["breadth-first"], found["best-first"], found["host-odds"])
    assert found["intelligent"] > 1.2 * others  # three kinds of evidence mean nothing here, and count as much
    assert found["intelligent:url"] > 3 * others


# -- stopping, keeping, going on ------------------------------------------------------------------------------


def test_the_crawl_stops_when_nothing_is_interesting_any_more():
    # Siblings without a relevant one are worth less than 1, and those of which none was tried are worth 1.
    _, crawl = crawled("intelligent:siblings,min_ratio=0.9", web_of_lists(), LISTS, 420)
    assert (crawl.stopped, crawl.relevant) == ("not_interesting", 60)
    assert crawl.fetched < 150
    _, crawl = crawled("intelligent:growth=0,min_ratio=1e9", web_of_lists(), [f"{A}/page-15-0", *LISTS], 420)
    assert (crawl.stopped, crawl.fetched) == ("not_interesting", 21)  # not before all seeds were tried


def rough_web(size=200, seed=9):
    """Like any web: some URLs lead elsewhere, some fail, some may not be asked for."""
    pages = {p.url: p for p in wordy_web(size, seed)}
    fate = random.Random(seed)
    fates = {url: fate.random() for url in pages}

    def answer(url):
        plain = url.removesuffix("/moved")
        if fates[plain] < 0.08 and url == plain:
            return Reply(redirect=f"{url}/moved", status=301)
        if fates[plain] > 0.95:
            return Reply(error="http_404", status=404)
        if fates[plain] > 0.8:
            raise hg.Excluded("robots")
        return Reply(pages[plain])

    return FunctionWeb(answer), [url for url, f in fates.items() if 0.1 < f < 0.7 and not pages[url].label][:3]


def rough_crawl(pages, directory=None):
    web, seeds = rough_web()
    visits, crawl = crawled("intelligent", web, seeds, pages, directory=directory)
    return [(visit.url, visit.score) for visit in visits], crawl


def kept(directory):
    with sqlite3.connect(directory / "crawl.db") as books:
        return books.execute("SELECT * FROM knowledge").fetchone()


def test_a_crawl_goes_on_as_if_it_had_never_stopped(tmp_path):
    through, crawl = rough_crawl(120)
    summary = crawl.summary()
    assert min(summary.redirects, summary.failed["http_404"], summary.excluded["robots"], summary.relevant) > 3
    first, second = (rough_crawl(pages, tmp_path)[0] for pages in (60, 120))
    assert first + second == through


@pytest.mark.parametrize("visits_kept", [0, 25, 40])
def test_a_crawl_goes_on_as_if_it_had_never_been_killed(tmp_path, visits_kept):
    through, _ = rough_crawl(120)
    first, _ = rough_crawl(visits_kept, tmp_path) if visits_kept else ([], None)
    old = kept(tmp_path) if visits_kept else None
    second, _ = rough_crawl(70, tmp_path)
    with sqlite3.connect(tmp_path / "crawl.db") as books:
        books.execute("DELETE FROM knowledge")
        if old:
            books.execute(f"INSERT INTO knowledge VALUES ({','.join('?' * len(old))})", old)
    third, _ = rough_crawl(120, tmp_path)
    assert first + second + third == through


def test_what_was_learned_survives_being_written_down():
    _, crawl = rough_crawl(90)
    fresh = create("intelligent")
    fresh.begin(crawl.graph, crawl.topic, 0)
    fresh.load(state.load(state.dump(crawl.strategy.save())))
    ids = np.arange(len(crawl.graph))
    assert fresh.score(ids).tolist() == crawl.strategy.score(ids).tolist()
    assert fresh.logs(ids).tolist() == crawl.strategy.logs(ids).tolist()
    assert [fresh.explain(i) for i in range(20)] == [crawl.strategy.explain(i) for i in range(20)]
    again, before = state.dump(fresh.save()), state.dump(crawl.strategy.save())
    assert state.load(again).keys() == state.load(before).keys()


# -- starting from what another crawl learned -----------------------------------------------------------------


def test_what_one_crawl_learned_helps_another(tmp_path):
    def pages_and_seeds(seed):
        pages = wordy_web(400, seed, "abcdefgh")
        return web_of(*pages), [p.url for p in pages if not p.label][:2]

    crawled("intelligent", *pages_and_seeds(1), 150, directory=tmp_path)
    others = [pages_and_seeds(seed) for seed in (10, 11, 12)]
    without = [harvest("intelligent", *other, 40) for other in others]
    with_it = [harvest("intelligent", *other, 40, learn_from=str(tmp_path)) for other in others]
    assert all(after > before for before, after in zip(without, with_it, strict=True))
    assert sum(with_it) > 1.5 * sum(without)


def test_counts_of_another_crawl_are_added_to():
    first, second = (two_pages().strategy for _ in range(2))
    second.adopt(state.load(state.dump(first.knowledge())))
    assert (second.known.crawled, second.known.relevant) == (4, 2)
    assert second.known.links.tolist() == [[0, 2], [2, 0]]
    alpha = second.known.words.number["alpha"]
    assert (second.known.words.seen[alpha], second.known.words.relevant[alpha]) == (2, 2)
    assert second.known.tokens.seen[second.known.tokens.number["test"]] == 4


@pytest.mark.parametrize(
    "change",
    [
        {"crawled": 1, "relevant": 2},
        {"crawled": "many"},
        {"links": [1, 2, 3]},
        {"words": ["one"]},
        {"words": 3},
        {"tokens_relevant": np.array([99, 99, 99, 99])},
        {"words_seen": np.array([-1, -1, -1]), "words_relevant": np.array([-2, -2, -2])},
    ],
)
def test_other_knowledge_is_refused(change):
    strategy = two_pages().strategy
    with pytest.raises(hg.BadInput, match="no knowledge of an intelligent crawl"):
        strategy.adopt({**strategy.knowledge(), **change})
    with pytest.raises(hg.BadInput, match="--strategy intelligent"):
        strategy.adopt({})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("intelligent:luck", "choose one of all, content, url, links, siblings"),
        ("intelligent:batch=0", "out of bounds"),
        ("intelligent:least=half", "a whole number is needed"),
        ("intelligent:depth=3", "it has: factor"),
    ],
)
def test_wrong_settings_are_answered_with_a_way_out(text, said):
    with pytest.raises(hg.BadInput, match=said):
        create(text)


def test_fetched_pages_are_explained_between_two_rankings_too():
    world = generate(pages=900, hosts=20, topics=6)
    topic = world.topics[0]
    web, seeds = SyntheticWeb(world), world.topic_seeds(topic, 3)
    visits, crawl = crawled("intelligent:batch=50", web, seeds, 140, world.query(topic))
    assert all(crawl.strategy.explain(visit.id) for visit in visits)

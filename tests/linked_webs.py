"""Webs of random links, with redirects, failures and missing pages, for comparing two loops."""

import random

import honeyguide as hg
from honeyguide.base import Excluded, Reply
from honeyguide.topic import Topic
from small_webs import FunctionWeb


class Told(Topic):
    """A page says itself how relevant it is; two keywords."""

    kind = "told"

    def __init__(self, threshold=0.5):
        self.threshold = threshold

    def score(self, page):
        return float(page.title)

    def words(self):
        return {"bees": 1.0, "hive": 1.0}


class SmallWeb:
    """Pages with links at random; addresses that redirect, that fail, and that are not there."""

    def __init__(self, seed, size=60, hosts=4, links=7, kinds=(12, 2, 1, 2), relevances=None):
        rng = random.Random(seed)
        urls = [f"http://h{rng.randrange(hosts)}.test/{n}" for n in range(size)]
        kind = dict(zip(urls, rng.choices(["page", "moved", "gone", "missing"], kinds, k=size), strict=True))
        kind[urls[0]] = "page"
        self.redirects = {url: rng.choice(urls) for url in urls if kind[url] == "moved"}
        self.gone = [url for url in urls if kind[url] == "gone"]
        self.pages = {}
        for url in urls:
            found = tuple(
                hg.Link(rng.choice(urls), rng.choice(["bees", "", "the hive", "bees in a hive"]))
                for _ in range(rng.randrange(links))
            )
            if kind[url] == "page":
                score = rng.choice(relevances) if relevances else rng.random()
                self.pages[url] = hg.Page(url, title=str(score), links=found)
        self.seeds = [urls[0], *rng.sample(urls, 3)]

    def web(self):
        return FunctionWeb(self._answer)

    def _answer(self, url):
        if url in self.pages:
            return Reply(self.pages[url])
        if url in self.redirects:
            return Reply(redirect=self.redirects[url], status=301)
        if url in self.gone:
            return Reply(error="http_404", status=404)
        raise Excluded("not_in_archive")

"""A strategy of one's own: prefer short URLs on pages that were relevant."""

import numpy as np

import honeyguide as hg


@hg.register
class ShortAndRelevant(hg.Strategy):
    """Half a point for a relevant parent, less for every character of the URL."""

    name = "short-and-relevant"

    def score(self, ids):
        length = np.array([len(self.graph.url(int(i))) for i in ids], np.float32)
        return 0.5 * (self.graph.relevant_parents[ids] > 0) + 1 / (1 + length)

    def explain(self, id):
        return [f"{len(self.graph.url(id))} characters; {self.graph.relevant_parents[id]} relevant parents"]


world = hg.generate(pages=1200, hosts=30, seed=7)
crawl = hg.Crawl(
    world.topic_seeds("sailing", 3),
    world.query("sailing"),
    "short-and-relevant",
    web=hg.SyntheticWeb(world),
    pages=200,
)
print(crawl.run())
best = crawl.frontier.pop(0.0)
if best:
    print("next:", crawl.graph.url(best[0]), crawl.strategy.explain(best[0]))

"""Compare two strategies on a generated web, without sending a request."""

import honeyguide as hg

world = hg.generate(pages=1200, hosts=30, seed=7)
topic = world.query("astronomy")
for strategy in ("breadth-first", "host-odds"):
    crawl = hg.Crawl(world.portal_seeds(3), topic, strategy, web=hg.SyntheticWeb(world), pages=250)
    summary = crawl.run()
    print(f"{strategy:14} {summary.relevant:4} relevant of {summary.fetched} fetched")

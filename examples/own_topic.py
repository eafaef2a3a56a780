"""Topics in Python: built-in kinds combined with a function that may be slow, cached and on a budget."""

import asyncio

import honeyguide as hg


async def ask_an_expensive_judge(pages):
    """Stands for a model behind an HTTP endpoint; it is given pages in batches."""
    await asyncio.sleep(0.01)
    return [min(1.0, page.text.count("telescope") / 3) for page in pages]


topic = hg.keyword("nebula", "telescope") & ~hg.url("shop") & hg.function(ask_an_expensive_judge, batch=8, budget=500)


async def main():
    world = hg.generate(pages=1200, hosts=30, seed=7)
    crawl = hg.Crawl(world.topic_seeds("astronomy", 3), topic, web=hg.SyntheticWeb(world), pages=100)
    async for visit in crawl:
        if visit.relevant:
            print(f"{visit.relevance:.2f}  {visit.url}  {visit.page.title}")
    print(crawl.summary())


asyncio.run(main())

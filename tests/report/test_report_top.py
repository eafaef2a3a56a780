"""The most relevant pages: under the numbers that everybody else knows them by."""

import re

import honeyguide as hg
from honeyguide.base import Reply
from small_webs import FunctionWeb, page

SITE = "http://a.test"


def answer(url):
    name = url.removeprefix(SITE)
    if name == "/sitemap.xml":
        links = tuple(hg.Link(f"{SITE}/listed/{n}") for n in range(3))
        return Reply(hg.Page(url, links=links, listing="sitemap"))
    targets = [f"{SITE}/sitemap.xml", f"{SITE}/linked"] if name == "/" else []
    return Reply(page(url, *targets, text="bees" if name != "/" else ""))


def test_pages_keep_their_visits_numbers_beside_sitemaps(tmp_path):
    crawl = hg.Crawl([f"{SITE}/"], "keyword:bees", "breadth-first", web=FunctionWeb(answer), directory=tmp_path / "c")
    crawl.run()
    text = hg.write_report(tmp_path / "c").read_text()
    shown = re.findall(r"<tr><td[^>]*>(\d+)</td><td[^>]*>[\d.]+</td>.*?href=\"([^\"]+)\"", text, re.DOTALL)
    assert {url: int(number) for number, url in shown} == {
        crawl.graph.url(int(id_)): number
        for number, id_ in enumerate(crawl.graph.visited(), 1)
        if crawl.graph.relevant[id_]
    }
    assert min(int(number) for number, _ in shown) == 3, "the sitemap is visit 2"
    assert text.count("<br>Listed in a sitemap") == 3

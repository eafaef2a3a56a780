"""What is told of a URL: where it stands, and what speaks for it."""

import honeyguide as hg
from honeyguide.cli.explaining import explain_url
from small_webs import topical_web


def crawled(directory, pages=60, strategy="honeyguide"):
    crawl = hg.Crawl(
        ["http://h0.test/1"], "label:bees", strategy, web=topical_web(), directory=directory, pages=pages
    )
    crawl.run()
    return crawl


def test_a_crawl_on_a_web_made_in_python_is_explained(tmp_path):
    crawl = crawled(tmp_path / "crawl")
    fetched, queued = int(crawl.graph.visited()[3]), int(crawl.graph.queued()[0])
    said = explain_url(tmp_path / "crawl", crawl.graph.url(fetched))
    assert ": visit 4 of 60; " in said[1]
    assert "by the topic" not in "\n".join(said)  # its page is gone
    assert "queued" in explain_url(tmp_path / "crawl", crawl.graph.url(queued))[1]


def test_a_url_that_waits_for_its_rank_is_not_held_back(tmp_path):
    crawls = (crawled(tmp_path / str(pages), pages) for pages in range(60, 80))
    crawl = next(crawl for crawl in crawls if crawl.guide.to_be_ranked)
    newest = int(crawl.graph.queued().max())
    said = "\n".join(explain_url(crawl.directory, crawl.graph.url(newest)))
    assert "queued, not ranked yet, it is with the next pages; " in said
    assert "honeyguide says of it, as things stand now:" in said
    assert "held back" not in said
    assert "inf" not in said

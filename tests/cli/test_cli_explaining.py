"""What is told of a URL: where it stands, and what speaks for it."""

import honeyguide as hg
from honeyguide.cli.explaining import explain_url
from small_webs import topical_web


def crawled(directory, pages=60, strategy="honeyguide"):
    crawl = hg.Crawl(["http://h0.test/1"], "label:bees", strategy, web=topical_web(), directory=directory, pages=pages)
    crawl.run()
    return crawl


def test_a_crawl_on_a_web_made_in_python_is_explained(tmp_path):
    crawl = crawled(tmp_path / "crawl")
    fetched, queued = int(crawl.graph.visited()[3]), int(crawl.graph.queued()[0])
    said = explain_url(tmp_path / "crawl", crawl.graph.url(fetched))
    assert ": visit 4 of 60; " in said[1]
    assert "by the topic" not in "\n".join(said)  # its page is gone
    assert "queued" in explain_url(tmp_path / "crawl", crawl.graph.url(queued))[1]

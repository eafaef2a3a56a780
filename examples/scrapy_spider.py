"""An ordinary Scrapy spider that follows every link; two settings make it crawl best-first for a topic.

    scrapy runspider examples/scrapy_spider.py -a start=https://… -o pages.jsonl \\
        -s SCHEDULER=honeyguide.contrib.scrapy.Scheduler -s HONEYGUIDE_TOPIC='keyword:"heat pump"'
"""

from collections.abc import Iterator
from typing import Any

import scrapy
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor


class Pages(scrapy.Spider):
    """Brings every page, with its title; `start` holds one or more URLs, separated by spaces."""

    name = "pages"
    links = LinkExtractor()

    def __init__(self, start: str, **rest: Any) -> None:
        super().__init__(**rest)
        self.start_urls = start.split()

    def parse(self, response: Response) -> Iterator[Any]:
        """One item a page, then its links."""
        if not isinstance(response, HtmlResponse):
            return
        yield {"url": response.url, "title": response.css("title::text").get()}
        for link in self.links.extract_links(response):
            yield response.follow(link, self.parse)


if __name__ == "__main__":
    print(__doc__)

"""Scrapy in benchmarks.live: fetches and extracts links, nothing else. Runs where Scrapy is, without honeyguide."""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTINGS = {
    "LOG_LEVEL": "ERROR",
    "ROBOTSTXT_OBEY": False,
    "CONCURRENT_REQUESTS": 16,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": False,
    "COOKIES_ENABLED": False,
    "RETRY_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "MEMUSAGE_ENABLED": False,
}


class Spider(scrapy.Spider):
    """Follows every link of the site."""

    name = "documentation"

    def __init__(self, url: str, got: list[str], **rest: Any) -> None:
        super().__init__(**rest)
        self.start_urls, self.got = [url], got
        site = url[: url.index("/", 8) + 1].replace(".", r"\.")
        self.links = LinkExtractor(allow=[f"^{site}"], tags=["a"], deny_extensions=[])

    def parse(self, response: Any) -> Iterator[scrapy.Request]:
        """Only answers with status 200 come here."""
        self.got.append(response.url)
        if isinstance(response, HtmlResponse):
            for link in self.links.extract_links(response):
                yield scrapy.Request(link.url)


def main() -> None:
    """Crawl everything and write what came of it."""
    url, file = sys.argv[1:]
    got: list[str] = []
    process = CrawlerProcess(SETTINGS)
    process.crawl(Spider, url=url, got=got)
    before, began = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    process.start()
    seconds, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    name = f"Scrapy {scrapy.__version__}"
    outcome = {"name": name, "seconds": seconds, "cpu": cpu, "got": got}
    Path(file).write_text(json.dumps(outcome))


if __name__ == "__main__":
    main()

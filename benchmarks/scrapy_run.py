"""One run of a spider in a process of its own, for a reactor runs only once: python -m benchmarks.scrapy_run JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from scrapy.crawler import CrawlerProcess
from scrapy.resolver import dnscache
from scrapy.utils.misc import load_object

QUIET = {"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "MEMUSAGE_ENABLED": False}


def main() -> None:
    """Crawl; `items` gets what the spider scraped, in its order, `stats` what Scrapy counted."""
    run = json.loads(sys.argv[1])
    for host in run.get("hosts", ()):
        dnscache[host] = "127.0.0.1"
    feeds = {run["items"]: {"format": "jsonlines", "overwrite": False}}
    process = CrawlerProcess({**QUIET, "FEEDS": feeds, **run["settings"]})
    crawler = process.create_crawler(load_object(run["spider"]))
    process.crawl(crawler, **run.get("arguments", {}))
    process.start()
    stats = crawler.stats.get_stats() if crawler.stats else {}
    Path(run["stats"]).write_text(json.dumps(stats, default=str), encoding="utf-8")


if __name__ == "__main__":
    main()

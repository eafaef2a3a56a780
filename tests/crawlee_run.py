"""One run of Crawlee in a process of its own: prints the URLs it handled, in their order, and what was counted."""

from __future__ import annotations

import asyncio
import json
import logging
import sys

from crawlee import ConcurrencySettings
from crawlee.crawlers import ParselCrawler
from crawlee.storage_clients import MemoryStorageClient

from honeyguide.contrib.crawlee import RequestManager


async def main(start, pages, ours, **given):
    """Follow every link."""
    visited, failed = [], []
    manager = RequestManager("keyword:bees", **given) if ours else None
    crawler = ParselCrawler(
        request_manager=manager,
        max_requests_per_crawl=pages or None,
        max_request_retries=1,
        concurrency_settings=ConcurrencySettings(desired_concurrency=2, max_concurrency=2),
        storage_client=MemoryStorageClient(),
        configure_logging=False,
    )
    if manager:
        crawler.post_navigation_hook(manager.learn)

    @crawler.router.default_handler
    async def handle(context):
        visited.append(context.request.url)
        await context.enqueue_links()

    @crawler.failed_request_handler
    async def give_up(context, error):
        failed.append(context.request.url)

    await crawler.run([start])
    print(json.dumps({"visited": visited, "failed": failed, "figures": manager.figures if manager else {}}))


if __name__ == "__main__":
    logging.disable(logging.ERROR)
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3] == "ours", **json.loads(sys.argv[4])))

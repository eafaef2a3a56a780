"""Spiders that tests run in processes of their own, with and without the scheduler."""

from __future__ import annotations

from typing import ClassVar

import scrapy
from scrapy.http import TextResponse


class Follow(scrapy.Spider):
    """Follows every link and tells of every page."""

    name = "follow"

    def __init__(self, start, **rest):
        super().__init__(**rest)
        self.start_urls = start.split()

    def parse(self, response):
        """One item a page."""
        yield {"url": response.url}
        for link in response.css("a"):
            yield response.follow(link)


class Everything(Follow):
    """Makes all kinds of requests from the first page, and tells what came of each, and by which way."""

    name = "everything"
    handle_httpstatus_list = (404,)

    def parse(self, response):
        """The first page."""
        origin = response.url.rstrip("/")
        for path in ("/moved", "/gone", "/plain", "/picture", "/shop?utm_source=x&b=2&a=1", "/broken", "/closed"):
            yield response.follow(path, self.page, errback=self.failed, cb_kwargs={"way": "followed"})
        for number in (1, 2):
            yield scrapy.FormRequest(
                f"{origin}/search",
                formdata={"q": str(number)},
                callback=self.page,
                cb_kwargs={"way": f"form {number}"},
            )
            yield scrapy.Request(f"{origin}/plain", self.page, dont_filter=True, cb_kwargs={"way": f"again {number}"})
        yield scrapy.Request("data:,not%20of%20the%20web", self.page, cb_kwargs={"way": "data"})
        yield scrapy.Request(
            f"{origin}/picture#odd", lambda page: self.page(page, "odd"), meta={"odd": object()}, dont_filter=True
        )
        yield scrapy.Request(f"{origin}/plain", self.page, cb_kwargs={"way": "a duplicate"})

    def page(self, response, way):
        """What came, and for what."""
        request = response.request
        yield {
            "url": response.url,
            "way": way,
            "status": response.status,
            "method": request.method,
            "sent": request.body.decode(),
            "priority": request.priority,
            "text": response.text if isinstance(response, TextResponse) else "",
        }

    def failed(self, failure):
        """What did not come."""
        yield {"url": failure.request.url, "way": "failed", "why": type(failure.value).__name__}


async def thinks(page):
    """A topic that takes its time."""
    import asyncio

    await asyncio.sleep(0.01)
    return "bees" in page.text


class Judged(Follow):
    """Has its settings with it, and a topic in Python."""

    name = "judged"
    custom_settings: ClassVar = {"SCHEDULER": "honeyguide.contrib.scrapy.Scheduler", "HONEYGUIDE_TOPIC": thinks}

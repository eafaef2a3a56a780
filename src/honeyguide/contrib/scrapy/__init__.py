"""A scheduler for Scrapy: `SCHEDULER = "honeyguide.contrib.scrapy.Scheduler"` makes a spider crawl best-first."""

from __future__ import annotations

__all__ = ["Scheduler"]

try:
    import scrapy as _  # noqa: F401
except ImportError as error:
    raise ImportError("the Scrapy scheduler needs Scrapy: pip install honeyguide[scrapy]") from error

from honeyguide.contrib.scrapy.scheduler import Scheduler

"""The crawl: one loop for live and stored webs."""

from __future__ import annotations

from honeyguide.crawl.loop import Crawl
from honeyguide.crawl.summary import Summary

__all__ = ["Crawl", "Summary"]

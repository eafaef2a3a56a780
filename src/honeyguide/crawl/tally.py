"""What a crawl counts as it goes along."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from honeyguide.base import BESIDE, RESOURCES

if TYPE_CHECKING:
    from honeyguide.base import Visit


class Tally:
    """Counts of visits, the same whether they happen or are replayed."""

    def __init__(self) -> None:
        self.fetched = self.relevant = self.redirects = self.unjudged = self.bytes = 0
        self.sitemaps = self.resources = self.bad_links = self.cut_links = 0
        self.flags: Counter[str] = Counter()  # pages that do not count, by why
        self.changes: Counter[str] = Counter()  # pages against the crawl before

    def count(self, visit: Visit) -> None:
        """Count one visit."""
        self.fetched += visit.flag not in BESIDE
        self.sitemaps += visit.flag == "sitemap"
        self.resources += visit.flag in RESOURCES
        self.relevant += visit.relevant
        self.redirects += visit.error == "redirect"
        self.unjudged += visit.error == "unjudged"
        self.bytes += visit.size
        self.bad_links += visit.bad_links
        self.cut_links += visit.cut_links
        if visit.flag:
            self.flags[visit.flag] += 1
        if visit.change:
            self.changes[visit.change] += 1

    def lost_links(self) -> dict[str, int]:
        """Links that lead nowhere, and requests beside those for pages."""
        counts = {"sitemaps": self.sitemaps, "bad_links": self.bad_links, "cut_links": self.cut_links}
        return {**counts, "resources": self.resources} if self.resources else counts

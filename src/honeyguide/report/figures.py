"""The numbers of a report, all taken from the visits and the books."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from honeyguide import urls
from honeyguide.base import BESIDE
from honeyguide.crawl.forecast import REMEMBERED, Yield, by_host, forecast
from honeyguide.crawl.traps import pattern

if TYPE_CHECKING:
    from honeyguide.settings import Settings
    from honeyguide.store import Store, StoredVisit

TOP_PAGES = 25
TOP_HOSTS = 25


@dataclass
class HostCount:
    """What was fetched from a host, and how much of it was relevant."""

    fetched: int = 0
    relevant: int = 0


@dataclass
class Figures:
    """Everything a report shows."""

    settings: Settings
    curve: list[int] = field(default_factory=list)  # relevant pages found after each visit
    latest: deque[tuple[str, bool]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))  # hosts and verdicts
    hosts: dict[str, HostCount] = field(default_factory=dict)
    top: list[StoredVisit] = field(default_factory=list)
    books: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, dict[str, int]] = field(default_factory=dict)  # by state
    types: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)  # pages that do not count, by why
    changes: Counter[str] = field(default_factory=Counter)  # against the crawl before
    opt_outs: Counter[str] = field(default_factory=Counter)
    robots: Counter[str] = field(default_factory=Counter)  # noindex and the like
    traps: Counter[str] = field(default_factory=Counter)  # patterns of excluded URLs
    bad_links: int = 0
    cut_links: int = 0
    choices: int = 0  # of URLs by their score
    waited: int = 0  # choices in which a better URL waited for its host's rest
    given_up: float = 0.0  # the score that cost, in all
    scored: float = 0.0  # the scores of all choices
    learned: dict[str, str] = field(default_factory=dict)  # what the strategy says of it
    searches: list[tuple[str, int]] = field(default_factory=list)  # words, and how many pages they brought
    redirects: int = 0
    bytes: int = 0
    seconds: float = 0.0

    @property
    def fetched(self) -> int:
        """Pages asked for."""
        return len(self.curve)

    @property
    def relevant(self) -> int:
        """Relevant pages among them."""
        return self.curve[-1] if self.curve else 0

    @property
    def ahead(self) -> Yield | None:
        """Relevant pages to be expected if the crawl went on."""
        return forecast(np.array([relevant for _, relevant in self.latest], np.bool_))

    @property
    def ahead_by_host(self) -> dict[str, Yield]:
        """The same for hosts that were asked often of late."""
        return by_host([host for host, _ in self.latest], np.array([hit for _, hit in self.latest], np.bool_))

    @property
    def discovered(self) -> int:
        """All URLs in the books."""
        return sum(self.books.values())


def gather(store: Store) -> Figures:
    """Read a crawl directory."""
    figures = Figures(store.settings)
    best: list[StoredVisit] = []
    for visit in store.visits():
        _count(figures, visit)
        if visit.relevant:
            best.append(visit)
    figures.top = sorted(best, key=lambda v: (-v.relevance, v.number))[:TOP_PAGES]
    for state, reason, count in store.reasons():
        figures.books[state] = figures.books.get(state, 0) + count
        if reason:
            figures.reasons.setdefault(state, {})[reason] = count
    figures.learned = store.learned()
    figures.searches = [(e.query, len(e.found)) for e in store.events() if e.kind in ("seeds", "search")]
    lost = "SELECT count(DISTINCT url) FROM earlier JOIN urls USING (url) WHERE state = 'excluded'"
    figures.changes += Counter(excluded=store.database.execute(lost).fetchone()[0])
    rows = store.database.execute("SELECT url FROM urls WHERE reason LIKE 'trap%' OR reason = 'mirror'")
    figures.traps.update(pattern(url) for (url,) in rows)
    return figures


def _count(figures: Figures, visit: StoredVisit) -> None:
    figures.bytes += visit.size
    figures.flags.update([visit.flag] if visit.flag else ())
    figures.opt_outs.update(visit.opt_outs.split())
    figures.robots.update(visit.robots.split())
    figures.bad_links += visit.bad_links
    figures.cut_links += visit.cut_links
    if visit.flag in BESIDE:
        return
    figures.curve.append(figures.relevant + visit.relevant)
    figures.changes.update([visit.change] if visit.change else ())
    if visit.score is not None:
        figures.choices += 1
        figures.waited += visit.given_up > 0
        figures.given_up += visit.given_up
        figures.scored += visit.score
    name = urls.host(visit.url)
    figures.latest.append((name, visit.relevant))
    host = figures.hosts.setdefault(name, HostCount())
    host.fetched += 1
    host.relevant += visit.relevant
    figures.redirects += visit.error == "redirect"
    figures.seconds = max(figures.seconds, visit.started + visit.seconds)
    if not visit.error:
        figures.types[visit.type or "unknown"] += 1
        figures.languages[visit.language or "unknown"] += 1

"""The numbers of a report, all taken from the visits and the books, which are read once."""

from __future__ import annotations

import functools
import heapq
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from honeyguide import urls
from honeyguide.base import BESIDE
from honeyguide.crawl.forecast import REMEMBERED, Yield, by_host, forecast
from honeyguide.crawl.traps import pattern
from honeyguide.report.linked import Linked, Pages, read_links

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.settings import Settings
    from honeyguide.store import Store, StoredVisit

TOP_PAGES = 30


@dataclass
class HostCount:
    """What was fetched from a host, and how much of it was relevant."""

    number: int
    fetched: int = 0
    relevant: int = 0
    failed: int = 0

    @property
    def share(self) -> float:
        """Of relevant pages."""
        return self.relevant / self.fetched


class Found(NamedTuple):
    """A relevant page, and what it was chosen by."""

    page: int  # its number among the pages
    relevance: float
    score: float | None  # None: a seed
    title: str
    url: str


@dataclass
class Figures:
    """Everything a report shows."""

    settings: Settings
    asked_before: list[str] = field(default_factory=list)  # topics, the first one first
    curve: list[int] = field(default_factory=list)  # relevant pages found after each visit
    pages: Pages = field(default_factory=Pages)
    in_sitemaps: set[int] = field(default_factory=set)  # ids of URLs that sitemaps list
    linked: Linked = field(default_factory=Linked)
    hosts: dict[str, HostCount] = field(default_factory=dict)
    found: list[Found] = field(default_factory=list)
    top: list[Found] = field(default_factory=list)
    books: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, dict[str, int]] = field(default_factory=dict)  # by state
    waiting: dict[tuple[str, str], int] = field(default_factory=dict)  # URLs by origin, and why they wait
    types: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)  # pages that do not count, by why
    changes: Counter[str] = field(default_factory=Counter)  # against the crawl before
    opt_outs: Counter[str] = field(default_factory=Counter)
    robots: Counter[str] = field(default_factory=Counter)  # noindex and the like
    traps: Counter[str] = field(default_factory=Counter)  # patterns of excluded URLs
    notes: Counter[str] = field(default_factory=Counter)  # requests beside those for pages, second tries
    bad_links: int = 0
    cut_links: int = 0
    choices: int = 0  # of URLs by their score
    waited: int = 0  # choices in which a better URL waited for its host's rest
    given_up: float = 0.0  # the score that cost, in all
    scored: float = 0.0  # the scores of all choices
    learned: dict[str, str] = field(default_factory=dict)  # what the strategy says of it
    weights: list[tuple[int, dict[str, float]]] = field(default_factory=list)  # of evidence, after so many visits
    searches: list[tuple[str, int]] = field(default_factory=list)  # words, and how many pages they brought
    redirects: int = 0
    bytes: int = 0
    begun: str = ""  # when the first page came, in UTC; empty where nothing was fetched from anywhere
    last: str = ""  # and the last one
    runs: int = 0
    seconds: float = 0.0  # that all of them took
    stopped: str = ""  # why the last one ended; empty where nobody knows

    @property
    def fetched(self) -> int:
        """Pages asked for."""
        return len(self.curve)

    @property
    def relevant(self) -> int:
        """Relevant pages among them."""
        return self.curve[-1] if self.curve else 0

    @property
    def harvest(self) -> float:
        """Relevant pages by pages asked for."""
        return self.relevant / self.fetched if self.fetched else 0.0

    @functools.cached_property
    def hits(self) -> NDArray[np.bool_]:
        """Whether each page is relevant, in the order of the crawl; asked for when all are counted."""
        return np.diff(np.array(self.curve, np.int64), prepend=0).astype(np.bool_)

    @property
    def is_open(self) -> bool:
        """Whether anything is left to fetch."""
        return bool(self.books.get("queued"))

    def ahead(self, fetches: int | None = None) -> Yield | None:
        """Relevant pages to be expected if the crawl went on; None where nothing is left to fetch."""
        if not self.is_open:
            return None
        latest = self.hits[-REMEMBERED:]
        return forecast(latest) if fetches is None else forecast(latest, fetches)

    @property
    def ahead_by_host(self) -> dict[str, Yield]:
        """The same for hosts that were asked often of late."""
        if not self.is_open:
            return {}
        names = list(self.hosts)
        return by_host([names[host] for host in self.pages.hosts[-REMEMBERED:]], self.hits[-REMEMBERED:])

    @property
    def discovered(self) -> int:
        """All URLs in the books."""
        return sum(self.books.values())


def gather(store: Store) -> Figures:
    """Read a crawl directory."""
    figures = Figures(store.settings)
    for visit in store.visits():
        _count(figures, visit)
    figures.top = heapq.nsmallest(TOP_PAGES, figures.found, key=lambda page: (-page.relevance, page.page))
    _read_books(figures, store)
    happened = store.events()
    figures.asked_before = [event.query for event in happened if event.kind == "topic"]
    events = [event for event in happened if event.kind in ("seeds", "search")]
    figures.searches = [(event.query, len(event.found)) for event in events]
    searched = {id_ for event in events for id_ in event.found}
    figures.linked = read_links(store, figures.pages, figures.hits, [page.page for page in figures.top], searched)
    figures.learned, figures.weights = store.learned(), store.weights()
    return figures


def _read_books(figures: Figures, store: Store) -> None:
    figures.books, figures.reasons = store.books_and_reasons()
    lost = "SELECT count(DISTINCT url) FROM earlier JOIN urls USING (url) WHERE state = 'excluded'"
    figures.changes += Counter(excluded=store.database.execute(lost).fetchone()[0])
    rows = store.database.execute("SELECT url FROM urls WHERE reason LIKE 'trap%' OR reason = 'mirror'")
    figures.traps.update(pattern(url) for (url,) in rows)
    figures.seconds, figures.notes = store.runs()
    figures.runs, figures.stopped = store.runs_made, store.stopped()
    figures.waiting = store.waiting()


def _count(figures: Figures, visit: StoredVisit) -> None:
    """Count one visit."""
    figures.bytes += visit.size
    figures.redirects += visit.error == "redirect"
    if visit.date:
        figures.begun, figures.last = min(figures.begun or visit.date, visit.date), max(figures.last, visit.date)
    figures.flags.update([visit.flag] if visit.flag else ())
    figures.opt_outs.update(visit.opt_outs.split())
    figures.robots.update(visit.robots.split())
    figures.bad_links += visit.bad_links
    figures.cut_links += visit.cut_links
    if visit.flag == "sitemap":
        figures.in_sitemaps.update(visit.targets.tolist())
    if visit.flag not in BESIDE:
        _count_page(figures, visit)


def _count_page(figures: Figures, visit: StoredVisit) -> None:
    figures.curve.append(figures.relevant + visit.relevant)
    figures.changes.update([visit.change] if visit.change else ())
    if visit.score is not None:
        figures.choices += 1
        figures.waited += visit.given_up > 0
        figures.given_up += visit.given_up
        figures.scored += visit.score
    _count_host(figures, visit)
    if not visit.error:
        figures.types[visit.type or "unknown"] += 1
        figures.languages[visit.language or "unknown"] += 1
    if visit.relevant:
        found = Found(figures.fetched - 1, visit.relevance, visit.score, visit.title, visit.url)
        figures.found.append(found)


def _count_host(figures: Figures, visit: StoredVisit) -> None:
    name = urls.host(visit.url)
    host = figures.hosts.setdefault(name, HostCount(len(figures.hosts)))
    host.fetched += 1
    host.relevant += visit.relevant
    host.failed += visit.error not in ("", "redirect", "unjudged")
    figures.pages.add(visit, host.number)

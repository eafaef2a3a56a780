"""Several crawls in one page: figures, curves, settings and troubles beside each other, and what only one found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.crawl.forecast import HORIZON
from honeyguide.crawl.summary import duration
from honeyguide.report.asked import all_told, told
from honeyguide.report.course import ended
from honeyguide.report.drawing import csv_below
from honeyguide.report.markup import boxes, document, section, shown, table
from honeyguide.report.page import contents
from honeyguide.report.places import cohesion
from honeyguide.report.progress import hosts, lift
from honeyguide.report.shared import alone, overlap
from honeyguide.report.trouble import waits_for_hosts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from honeyguide.report.figures import Figures

    Crawls = Mapping[str, Figures]  # by name
    Rows = Sequence[tuple[str, Sequence[str]]]  # what is told, and a cell a crawl


def render(crawls: Crawls) -> str:
    """The whole page."""
    sections = [part(crawls) for part in (_key_figures, lift, hosts, _asked, overlap, alone, _trouble)]
    everything = {page.url for figures in crawls.values() for page in figures.found}
    largest = [
        (f"{len(crawls):,}", "crawls"),
        (f"{sum(figures.fetched for figures in crawls.values()):,}", "pages fetched, in all"),
        (f"{len(everything):,}", "different relevant pages"),
    ]
    head = f"<h1>{len(crawls):,} crawls side by side</h1>{boxes(largest)}"
    return document("Crawls side by side", head + contents(sections) + "".join(sections))


def _key_figures(crawls: Crawls) -> str:
    shortest = min(figures.fetched for figures in crawls.values())
    rows = [
        ("strategy", [figures.settings.strategy for figures in crawls.values()]),
        ("pages fetched", [f"{figures.fetched:,}" for figures in crawls.values()]),
        ("relevant pages", [f"{figures.relevant:,}" for figures in crawls.values()]),
        ("harvest", [f"{figures.harvest:.1%}" for figures in crawls.values()]),
        (f"relevant after {shortest:,} pages", [f"{_after(figures, shortest):,}" for figures in crawls.values()]),
        (f"to be expected of the next {HORIZON:,}", [_expected(figures) for figures in crawls.values()]),
        ("hosts", [f"{len(figures.hosts):,}" for figures in crawls.values()]),
        ("hosts with relevant pages", [_with_some(figures) for figures in crawls.values()]),
        ("links of relevant pages to such", [_cohesive(figures) for figures in crawls.values()]),
        ("URLs discovered", [f"{figures.discovered:,}" for figures in crawls.values()]),
        ("failed", [f"{figures.books.get('failed', 0):,}" for figures in crawls.values()]),
        ("excluded", [f"{figures.books.get('excluded', 0):,}" for figures in crawls.values()]),
        ("queued", [f"{figures.books.get('queued', 0):,}" for figures in crawls.values()]),
        ("took", [duration(figures.seconds) for figures in crawls.values()]),
        ("stopped", [ended(figures) or "–" for figures in crawls.values()]),
        ("received", [f"{figures.bytes / 1e6:,.1f} MB" for figures in crawls.values()]),
    ]
    return section("figures", "Figures", _beside("figures", crawls, rows))


def _beside(name: str, crawls: Crawls, rows: Rows) -> str:
    """A table with a column a crawl, and its file."""
    head = ["", *crawls]
    cells = [[shown(what), *map(shown, values)] for what, values in rows]
    return table(list(map(shown, head)), cells) + csv_below(name, head, [(what, *values) for what, values in rows])


def _expected(figures: Figures) -> str:
    ahead = figures.ahead()
    return f"{ahead.expected:,.0f} ({ahead.low:,.0f} to {ahead.high:,.0f})" if ahead else "–"


def _after(figures: Figures, pages: int) -> int:
    return figures.curve[pages - 1] if pages else 0


def _with_some(figures: Figures) -> str:
    return f"{sum(host.relevant > 0 for host in figures.hosts.values()):,}"


def _cohesive(figures: Figures) -> str:
    return f"{cohesion(figures)[0]:.0%}" if figures.relevant else "–"


def _asked(crawls: Crawls) -> str:
    names = dict.fromkeys(name for figures in crawls.values() for name in told(figures.settings))
    settings = [all_told(figures.settings) for figures in crawls.values()]
    values = {name: [each[name] for each in settings] for name in names}
    common = [[shown(name), shown(all_[0])] for name, all_ in values.items() if len(set(all_)) == 1]
    differing = [[shown(name), *map(shown, all_)] for name, all_ in values.items() if len(set(all_)) > 1]
    every = range(len(crawls) + 1)
    parts = (
        "<h3>The same for all</h3>" + table(["setting", "value"], common, texts=every) if common else "",
        "<h3>Different</h3>" + table(["setting", *map(shown, crawls)], differing, texts=every) if differing else "",
    )
    return section("asked", "What was asked", *parts)


def _trouble(crawls: Crawls) -> str:
    """Why URLs failed or were left out, and what politeness cost, a column a crawl."""
    rows = [*_reasons(crawls, "failed"), *_reasons(crawls, "excluded"), *_not_asked(crawls)]
    rows.append(("waits for a host", _waits(crawls)))
    words = "<p>URLs by reason; waits: choices in which a URL with a better score waited for its host to rest.</p>"
    return section("trouble", "Errors, exclusions, politeness", words, _beside("trouble", crawls, rows))


def _reasons(crawls: Crawls, state: str) -> Iterator[tuple[str, list[str]]]:
    """The reasons of all crawls, the most frequent one first."""
    told = [figures.reasons.get(state, {}) for figures in crawls.values()]
    names = {name for reasons in told for name in reasons}
    for name in sorted(names, key=lambda name: (-sum(each.get(name, 0) for each in told), name)):
        yield f"{state}: {name}", [f"{each.get(name, 0):,}" for each in told]


def _not_asked(crawls: Crawls) -> Iterator[tuple[str, list[str]]]:
    waiting = [sum(figures.waiting.values()) for figures in crawls.values()]
    if any(waiting):
        yield "queued: host could not be asked", [f"{count:,}" for count in waiting]


def _waits(crawls: Crawls) -> list[str]:
    return [
        f"{figures.waited:,} of {figures.choices:,} choices" if waits_for_hosts(figures) else "–"
        for figures in crawls.values()
    ]

"""What went wrong, what was left out, and what politeness cost."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from honeyguide.base import BESIDE
from honeyguide.crawl.summary import RENDERING, rendering_told
from honeyguide.report.drawing import csv_below
from honeyguide.report.markup import section, shown, table
from honeyguide.web import Kind, kind_of

if TYPE_CHECKING:
    from honeyguide.report.figures import Figures

ROWS = 12


def trouble(figures: Figures) -> str:
    """Hosts not asked, errors and exclusions by reason, what does not count, links that lead nowhere, and waiting."""
    failing = Counter({name: host.failed for name, host in figures.hosts.items()})
    parts = [
        ("Errors", "URLs", Counter(figures.reasons.get("failed", {}))),
        ("Hosts with most errors", "pages", failing),
        ("Exclusions", "URLs", Counter(figures.reasons.get("excluded", {}))),
        ("Fetched, but not counted", "pages", figures.flags),
        ("Since the crawl before", "pages", figures.changes),
        ("Asked for by owners, on pages", "pages", figures.robots),
        ("Reserved from machine learning", "pages", figures.opt_outs),
        ("Traps and mirrors", "URLs not asked for", figures.traps),
        (
            "Links that could not be followed",
            "links",
            Counter({"not a URL": figures.bad_links, "beyond a limit": figures.cut_links}),
        ),
    ]
    told = "".join(_table(*part) for part in parts)
    panels = f"<div class='panels two'>{told}</div>" if told else ""
    nothing = "" if panels or figures.waiting else "<p>Nothing failed, and nothing was left out.</p>"
    title = "Errors, exclusions, politeness"
    return section("trouble", title, _not_asked(figures), panels, nothing, _politeness(figures))


def _not_asked(figures: Figures) -> str:
    """Hosts whose URLs wait: without its robots.txt, say, none is asked for a page."""
    found = [(origin, why, count) for (origin, why), count in figures.waiting.items()]
    if not found:
        return ""
    rows = [[shown(origin), shown(why), f"{count:,}"] for origin, why, count in found[:ROWS]]
    more = f" (the first {ROWS} of {len(found):,})" if len(found) > ROWS else ""
    words = "<p>Going on with the crawl tries these again, once they have rested.</p>"
    saved = csv_below("waiting", ("host", "why", "urls_waiting"), found)
    shown_table = table(["host", "why, when it was last tried", "URLs that wait"], rows, texts=(0, 1))
    return f"<h3>Hosts that could not be asked{more}</h3>{words}{shown_table}{saved}"


def _table(name: str, unit: str, counts: Counter[str]) -> str:
    rows = [[shown(what), f"{count:,}"] for what, count in counts.most_common(ROWS) if count]
    kinds = sum(count > 0 for count in counts.values())
    more = f" (the first {ROWS} of {kinds:,})" if kinds > ROWS else ""
    return f"<div><h3>{name}{more}</h3>{table(['', unit], rows)}</div>" if rows else ""


def _politeness(figures: Figures) -> str:
    """What it cost to let hosts rest, and requests beside those for pages."""
    if not waits_for_hosts(figures):
        return ""
    share, mean = figures.waited / figures.choices, figures.given_up / figures.choices
    chosen = figures.scored / figures.choices
    flagged = {f"{kind}s": figures.flags[kind] for kind in sorted(BESIDE)}
    notes = {name: count for name, count in {**figures.notes, **flagged}.items() if count and name not in RENDERING}
    beside = ", ".join(f"{count:,} {shown(name.replace('_', ' '))}" for name, count in notes.items())
    rendering = rendering_told(figures.notes)
    return (
        f"<h3>What politeness cost</h3><p>In {figures.waited:,} of {figures.choices:,} choices ({share:.0%}) a URL "
        f"with a better score had to wait for its host to rest. The score given up is {mean:.4g} a choice on "
        f"average, where the URL chosen instead scored {chosen:.4g}.</p>"
        + (f"<p>Beside the pages: {beside}.</p>" if beside else "")
        + (f"<p>{shown(rendering)}</p>" if rendering else "")
    )


def waits_for_hosts(figures: Figures) -> bool:
    """Whether hosts were let rest: a simulated crawl does not wait."""
    return bool(figures.choices) and kind_of(figures.settings.web) is Kind.LIVE

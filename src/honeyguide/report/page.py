"""The HTML of a crawl's report. Whatever came from the web is escaped here."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from honeyguide.report.curve import lift_curve
from honeyguide.report.figures import TOP_HOSTS
from honeyguide.report.markup import boxes, document, table

if TYPE_CHECKING:
    from honeyguide.report.figures import Figures

SEARCHES_SHOWN = 25


def render(figures: Figures) -> str:
    """The whole page."""
    body = "".join(
        (
            _head(figures),
            f"<h2>Lift curve</h2>{lift_curve(figures.curve)}",
            "<p class=asked>The dashed line is a crawl in which every page is relevant.</p>",
            _ahead(figures),
            _hosts(figures),
            _top(figures),
            _learned(figures),
            _books(figures),
            _left_out(figures),
            _politeness(figures),
            _kinds(figures),
        )
    )
    return document(f"Crawl: {figures.settings.topic}", body)


def _head(figures: Figures) -> str:
    settings = figures.settings
    harvest = figures.relevant / figures.fetched if figures.fetched else 0.0
    shown = [
        (f"{figures.relevant:,}", "relevant pages"),
        (f"{figures.fetched:,}", "pages fetched"),
        (f"{harvest:.1%}", "harvest"),
        (f"{sum(h.relevant > 0 for h in figures.hosts.values()):,}", "hosts with relevant pages"),
        (f"{figures.bytes / 1e6:,.1f} MB", "received"),
    ]
    web = f" on {settings.web}" if settings.web else ""
    seeds = ", ".join(settings.seed[:5]) + (f" and {len(settings.seed) - 5} more" if len(settings.seed) > 5 else "")
    return (
        f"<h1>{escape(settings.topic)}</h1>"
        f"<p class=asked>Strategy {escape(settings.strategy)}{escape(web)}, from {escape(seeds)}</p>"
        f"{boxes(shown)}"
    )


def _ahead(figures: Figures) -> str:
    ahead = figures.ahead
    if ahead is None:
        return ""
    return (
        f"<p>If it went on: about <b>{ahead.expected:,.0f}</b> relevant pages among the next {ahead.fetches:,}; four"
        f" times in five from {ahead.low:,.0f} to {ahead.high:,.0f}.</p>"
    )


def _hosts(figures: Figures) -> str:
    ahead = figures.ahead_by_host
    ranked = sorted(figures.hosts.items(), key=lambda item: (-item[1].relevant, -item[1].fetched, item[0]))
    rows = [
        [
            escape(name),
            f"{count.relevant:,}",
            f"{count.fetched:,}",
            f'<span class=bar style="width:{6 * count.relevant / count.fetched:.2f}rem"></span> '
            f"{count.relevant / count.fetched:.0%}",
            escape(str(ahead[name])) if name in ahead else "–",
        ]
        for name, count in ranked[:TOP_HOSTS]
    ]
    more = f" (the first {TOP_HOSTS} of {len(ranked):,})" if len(ranked) > TOP_HOSTS else ""
    return f"<h2>Hosts{more}</h2>{table(['host', 'relevant', 'fetched', 'share', 'to be expected'], rows)}"


def _top(figures: Figures) -> str:
    rows = [
        [
            f"{visit.number + 1:,}",
            f"{visit.relevance:.3f}",
            "seed" if visit.score is None else f"{visit.score:.4g}",
            f"{escape(visit.title or '(no title)')}<br><span class=asked>{escape(visit.url)}</span>",
        ]
        for visit in figures.top
    ]
    return f"<h2>Most relevant pages</h2>{table(['visit', 'relevance', 'score when chosen', 'page'], rows, 3)}"


def _learned(figures: Figures) -> str:
    """What the strategy made of it, and what it searched for."""
    lines = "".join(f"<p><b>{escape(name)}</b>: {escape(value)}</p>" for name, value in figures.learned.items())
    learned = f"<h2>What the strategy learned</h2>{lines}" if lines else ""
    asked = [[escape(query), f"{count:,}"] for query, count in figures.searches[:SEARCHES_SHOWN]]
    more = f" (the first {len(asked)} of {len(figures.searches):,})" if len(asked) < len(figures.searches) else ""
    return learned + (f"<h2>Searches{more}</h2>{table(['words', 'pages found'], asked)}" if asked else "")


def _books(figures: Figures) -> str:
    rows = []
    for state in ("done", "failed", "excluded", "queued"):
        rows.append([f"<b>{state}</b>", f"<b>{figures.books.get(state, 0):,}</b>"])
        if state == "done" and figures.redirects:
            rows.append(["&emsp;of these, redirects", f"{figures.redirects:,}"])
        reasons = sorted(figures.reasons.get(state, {}).items(), key=lambda item: -item[1])
        rows += [[f"&emsp;{escape(reason)}", f"{count:,}"] for reason, count in reasons]
    rows.append(["<b>discovered</b> (the sum)", f"<b>{figures.discovered:,}</b>"])
    return f"<h2>The books</h2>{table(['URLs', 'count'], rows)}"


def _left_out(figures: Figures) -> str:
    """Pages that came but do not count, what owners ask for, what changed, and URLs that led nowhere."""
    parts = [
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
    return "".join(
        f"<h2>{name}</h2>" + table(["", unit], [[escape(what), f"{n:,}"] for what, n in counts.most_common(12) if n])
        for name, unit, counts in parts
        if any(counts.values())
    )


def _politeness(figures: Figures) -> str:
    """What it cost to let hosts rest."""
    if not figures.choices or figures.settings.web:
        return ""
    share, mean = figures.waited / figures.choices, figures.given_up / figures.choices
    chosen = figures.scored / figures.choices
    return (
        f"<h2>What politeness cost</h2><p>In {figures.waited:,} of {figures.choices:,} choices ({share:.0%}) a URL "
        f"with a better score had to wait for its host to rest. The score given up is {mean:.4g} a choice on "
        f"average, where the URL chosen instead scored {chosen:.4g}.</p>"
    )


def _kinds(figures: Figures) -> str:
    rows = [[escape(name), f"{count:,}"] for name, count in figures.types.most_common(12)]
    spoken = [[escape(name), f"{count:,}"] for name, count in figures.languages.most_common(12)]
    return f"<h2>Types</h2>{table(['type', 'pages'], rows)}<h2>Languages</h2>{table(['language', 'pages'], spoken)}"

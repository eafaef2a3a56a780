"""What was asked, and what came of it in a few numbers."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from honeyguide.report.course import course
from honeyguide.report.markup import boxes, section, shown, table
from honeyguide.web import Kind, kind_of

if TYPE_CHECKING:
    from honeyguide.report.figures import Figures
    from honeyguide.settings import Settings

SEEDS_SHOWN = 5
VALUES_SHOWN = 8  # of a list
IN_THE_HEADING = frozenset(["topic", "seed", "strategy", "web"])


def heading(figures: Figures) -> str:
    """The topic, the largest figures, and when it was."""
    settings = figures.settings
    with_some = sum(host.relevant > 0 for host in figures.hosts.values())
    largest = [
        (f"{figures.relevant:,}", "relevant pages"),
        (f"{figures.fetched:,}", "pages fetched"),
        (f"{figures.harvest:.1%}", "harvest"),
        (f"{with_some:,}", "host with relevant pages" if with_some == 1 else "hosts with relevant pages"),
        (f"{figures.bytes / 1e6:,.1f} MB", "received"),
    ]
    return f"<h1>{shown(settings.topic)}</h1>{boxes(largest)}{course(figures)}"


def asked(figures: Figures) -> str:
    """The settings that were chosen otherwise than they come."""
    chosen = {name: value for name, value in told(figures.settings).items() if name not in IN_THE_HEADING}
    rows = [[shown(name), shown(value)] for name, value in chosen.items()]
    settings = figures.settings
    more = len(settings.seed) - SEEDS_SHOWN
    words = (
        f"<p class=asked>Pages that match <b>{shown(settings.topic)}</b>, with strategy"
        f" <b>{shown(settings.strategy)}</b>{_where(settings)},"
        f" from {', '.join(map(shown, settings.seed[:SEEDS_SHOWN])) or _unnamed_seeds(settings)}"
        f"{f' and {more:,} further seeds' if more > 0 else ''}.</p>"
    )
    if figures.asked_before:
        topics = ", then ".join(f"<b>{shown(topic)}</b>" for topic in figures.asked_before)
        words += f"<p>Before that it was asked for {topics}; what was stored then was judged anew.</p>"
    rest = table(["setting", "value"], rows, texts=(0, 1)) if rows else "<p>All settings are as they come.</p>"
    return section("asked", "What was asked", words, rest)


def _where(settings: Settings) -> str:
    kind = kind_of(settings.web)
    if kind is Kind.LIVE:
        return ""
    return f" on the stored web {shown(settings.web)}" if kind is Kind.STORED else f" on {kind.value}"


def _unnamed_seeds(settings: Settings) -> str:
    return "where it began" if kind_of(settings.web) is Kind.HANDED else "what a search found"


def told(settings: Settings) -> dict[str, str]:
    """The settings that differ from those a crawl comes with; secret ones are not told."""
    values = all_told(settings)
    return {f.name: values[f.name] for f in dataclasses.fields(settings) if getattr(settings, f.name) != _default(f)}


def all_told(settings: Settings) -> dict[str, str]:
    """All settings; of secret ones only whether they were made."""
    return {f.name: _value(getattr(settings, f.name), "secret" in f.metadata) for f in dataclasses.fields(settings)}


def _default(field: dataclasses.Field[object]) -> object:
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def _value(value: object, secret: bool) -> str:
    if secret and value:
        return "(set, not shown)"
    if not isinstance(value, list):
        return "–" if value in ("", None) else str(value)
    more = f" and {len(value) - VALUES_SHOWN:,} more" if len(value) > VALUES_SHOWN else ""
    return ", ".join(map(str, value[:VALUES_SHOWN])) + more or "–"

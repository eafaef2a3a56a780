"""When a crawl was made, how long it took, and why it ended; what nobody knows is not said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.crawl.summary import duration, why_stopped
from honeyguide.report.markup import shown

if TYPE_CHECKING:
    from honeyguide.report.figures import Figures


def course(figures: Figures) -> str:
    """Dates, duration and reason in two sentences."""
    crawled = ", ".join(filter(None, (_dates(figures.begun, figures.last), _runs(figures))))
    reason = ended(figures)
    sentences = (f"{crawled[:1].upper()}{crawled[1:]}." if crawled else "", f"Stopped: {reason}." if reason else "")
    words = " ".join(filter(None, sentences))
    return f"<p class=asked>{shown(words)}</p>" if words else ""


def ended(figures: Figures) -> str:
    """Why the last run ended, in words; of one that did not write it down, what its books tell."""
    queued = figures.books.get("queued", 0)
    reason = figures.stopped
    if not reason and figures.fetched:
        reason = "pages" if figures.fetched >= figures.settings.pages else "" if queued else "nothing_left"
    return why_stopped(reason, held_back=queued > 0)


def _dates(begun: str, last: str) -> str:
    """From when to when, to the minute; the day is said once where it is the same.

    >>> _dates("2026-03-01T10:04:59Z", "2026-03-01T12:00:01Z")
    'crawled from 2026-03-01 10:04 to 12:00 UTC'
    """
    first, end = _minute(begun), _minute(last)
    if first == end:
        return f"crawled on {first} UTC" if first else ""
    same_day = first[:10] == end[:10]
    return f"crawled from {first} to {end[11:] if same_day else end} UTC"


def _runs(figures: Figures) -> str:
    if not figures.runs:
        return ""
    took = duration(figures.seconds)
    return f"in one run of {took}" if figures.runs == 1 else f"in {figures.runs:,} runs of {took} in all"


def _minute(date: str) -> str:
    """A date as WARC files have it, for people.

    >>> _minute("2026-03-01T10:04:59Z")
    '2026-03-01 10:04'
    """
    return date[:16].replace("T", " ")

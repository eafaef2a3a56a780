"""What the page shows of a crawl of this process, part by part."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from honeyguide.dashboard import looking, unsure
from honeyguide.dashboard.marks import NEEDED
from honeyguide.dashboard.watch import page_row
from honeyguide.store import Store
from honeyguide.store.own_models import kept_topic

if TYPE_CHECKING:
    from pathlib import Path

    from honeyguide.dashboard.session import Session

    Part = dict[str, Any]


def parts(session: Session) -> Part:
    """What is quick to tell."""
    crawl, watch, marks = session.crawl, session.watch, session.marks.by_url
    running = session.phase == "running"
    # While a crawl is replayed its figures begin at 0 again: those that were shown before stay.
    counts = {} if session.phase == "starting" and watch.curve.asked else looking.figures(crawl, watch, running)
    return {
        "about": _about(session),
        "state": _state(session),
        **({"figures": counts} if counts else {}),
        "curve": watch.curve.points(),
        "speed": watch.speed.by_second() if running else [],
        "pages": [{**row, "mark": marks.get(url)} for url, row in reversed(watch.pages)],
    }


def slow_parts(session: Session) -> Part:
    """What takes a look at all that is queued or was fetched."""
    if session.phase not in ("running", "resting"):
        return {}
    return {"books": looking.books(session.crawl), **looking.queue(session.crawl), "unsure": _unsure(session)}


def phase(session: Session) -> str:
    """What the crawl does, in a word."""
    if session.phase == "running" and session.crawl.stopped:
        return "stopping"
    return "paused" if session.phase == "running" and session.crawl.paused else session.phase


def _about(session: Session) -> Part:
    settings, directory = session.crawl.settings, session.crawl.directory
    return {
        "topic": kept_topic(settings.topic, directory) if directory else settings.topic,
        "first_topic": session.first_topic,
        "strategy": settings.strategy,
        "directory": str(directory or ""),
        "steered": session.steered,
    }


def _state(session: Session) -> Part:
    return {
        "phase": phase(session),
        "note": session.note,
        "reason": session.crawl.stopped,
        "markable": session.crawl.directory is not None,
        "lesson": _lesson(session),
    }


def _lesson(session: Session) -> Part:
    """How far learning from marks has come."""
    marks, teacher = session.marks, session.teacher
    return {
        "state": teacher.state,
        "judged": teacher.judged,
        "new": marks.new_to(session.crawl.topic),
        "on": marks.of(True),
        "off": marks.of(False),
        "needed": NEEDED,
    }


def _unsure(session: Session) -> list[Part]:
    """Pages that a mark would tell most about."""
    crawl = session.crawl
    if crawl.directory is None:
        return []
    rows: list[Part] = []
    with _books(session, crawl.directory) as store:
        for id_ in unsure.least_sure(crawl, session.marks.by_url):
            visit = store.visit(int(crawl.graph.visit_of[id_]) - 1)
            if visit and not visit.flag and not visit.error:
                rows.append({**page_row(visit, visit.title), "mark": None})
            if len(rows) == unsure.ASKED_ABOUT:
                break
    return rows


def _books(session: Session, directory: Path) -> contextlib.AbstractContextManager[Store]:
    return contextlib.nullcontext(session.store) if session.store else Store.open(directory, write=False)

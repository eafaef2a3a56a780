"""What somebody may ask for on the page, each checked before it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from honeyguide.base import BadInput
from honeyguide.graph import DONE

if TYPE_CHECKING:
    from honeyguide.dashboard.session import Session

    Given = dict[str, Any]

MOST_PAGES = 100_000_000  # that somebody may ask for at once


def steered(session: Session, action: str, given: Given) -> dict[str, Any]:
    """Do what was asked for, or raise why not."""
    if action not in _ACTIONS:
        raise BadInput(f"there is no action {action!r:.40}")
    return _ACTIONS[action](session, given) or {}


def _pause(session: Session, _: Given) -> None:
    _need_running(session)
    session.crawl.pause()
    session.journal.event("paused", {})


def _resume(session: Session, _: Given) -> None:
    _need_running(session)
    session.crawl.proceed()
    session.journal.event("resumed", {})


def _stop(session: Session, _: Given) -> None:
    if session.phase == "resting":
        raise BadInput("the crawl does not run")
    session.stop("dashboard")


def _go_on(session: Session, given: Given) -> None:
    more = given.get("pages")
    if type(more) is not int or not 0 < more <= MOST_PAGES:
        raise BadInput("say how many more pages: a whole number")
    session.go_on(more)


def _block(session: Session, given: Given) -> dict[str, Any]:
    return {"urls": session.keep_rule("block", _host(session, given))}


def _unblock(session: Session, given: Given) -> dict[str, Any]:
    return {"urls": session.keep_rule("unblock", _host(session, given))}


def _mark(session: Session, given: Given) -> None:
    id_, relevant, graph = given.get("id"), given.get("relevant"), session.crawl.graph
    if type(id_) is not int or type(relevant) is not bool:
        raise BadInput("a mark names a page by its id, and says whether it is relevant")
    if not 0 <= id_ < len(graph) or graph.state[id_] != DONE or session.crawl.guide.redirected(id_):
        raise BadInput("only pages that were fetched can be marked")
    session.keep_mark(graph.url(id_), relevant)
    session.journal.event("marked", {"url": graph.url(id_), "relevant": relevant})


def _learn(session: Session, _: Given) -> None:
    session.learn()


def _need_running(session: Session) -> None:
    if session.phase != "running" or session.crawl.stopped:
        raise BadInput("the crawl does not run")


def _host(session: Session, given: Given) -> str:
    host, crawl = given.get("host"), session.crawl
    if not isinstance(host, str) or (host not in crawl.graph.hosts and host not in crawl.guide.blocked):
        raise BadInput("no such host is known to this crawl")
    return host


_ACTIONS = {
    "pause": _pause,
    "resume": _resume,
    "stop": _stop,
    "go_on": _go_on,
    "block": _block,
    "unblock": _unblock,
    "mark": _mark,
    "learn": _learn,
}

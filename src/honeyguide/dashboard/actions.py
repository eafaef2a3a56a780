"""What somebody may ask for on the page, each checked before it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from honeyguide.base import BadInput
from honeyguide.graph import DONE
from honeyguide.store import Store

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
    return {"urls": _rule(session, "block", _host(session, given))}


def _unblock(session: Session, given: Given) -> dict[str, Any]:
    return {"urls": _rule(session, "unblock", _host(session, given))}


def _rule(session: Session, kind: str, host: str) -> int:
    """How many URLs it concerns that a host is blocked or not."""
    crawl = session.crawl
    if session.phase == "running" and not crawl.stopped:
        return crawl.block(host) if kind == "block" else crawl.unblock(host)
    if session.phase != "resting":
        raise BadInput("wait until the crawl runs or rests")
    if crawl.directory is None:
        raise BadInput("the crawl is over, and has no directory to keep that in")
    with Store.open(crawl.directory) as store:
        store.record_at_rest(kind, host)
        store.commit()
    count = crawl.guide.block(host) if kind == "block" else crawl.guide.unblock(host)
    session.journal.event(kind, {"host": host, "urls": count})
    return count


def _mark(session: Session, given: Given) -> None:
    id_, relevant, graph = given.get("id"), given.get("relevant"), session.crawl.graph
    if type(id_) is not int or type(relevant) is not bool:
        raise BadInput("a mark names a page by its id, and says whether it is relevant")
    if not 0 <= id_ < len(graph) or graph.state[id_] != DONE or session.crawl.guide.redirected(id_):
        raise BadInput("only pages that were fetched can be marked")
    _keep_mark(session, graph.url(id_), relevant)
    session.journal.event("marked", {"url": graph.url(id_), "relevant": relevant})
    if session.marks.suffice and session.marks.new_to(session.crawl.topic):
        session.teacher.marked()


def _keep_mark(session: Session, url: str, relevant: bool) -> None:
    crawl = session.crawl
    if crawl.directory is None:
        raise BadInput("marks are kept in the crawl directory, and this crawl has none: add -o DIR")
    if session.phase not in ("running", "resting"):
        raise BadInput("wait until the pages are judged anew")
    if session.store:
        session.marks.keep(session.store, url, relevant)
    else:
        with Store.open(crawl.directory) as store:
            session.marks.keep(store, url, relevant)


def _learn(session: Session, _: Given) -> None:
    if not session.marks.new_to(session.crawl.topic):
        raise BadInput("there is no new mark to learn from: mark some pages first")
    session.teacher.begin()


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

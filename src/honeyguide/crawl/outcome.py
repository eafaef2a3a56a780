"""From what came of a request to the visit that is learned from, stored and reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from honeyguide.base import BESIDE, WITH_PAGE, Excluded, FetchError, Reply, Visit
from honeyguide.graph import NO_LINKS
from honeyguide.topic import BudgetSpent

if TYPE_CHECKING:
    from honeyguide.base import Page
    from honeyguide.crawl.copies import Copies
    from honeyguide.crawl.flights import Landing
    from honeyguide.crawl.guide import Guide
    from honeyguide.settings import Settings
    from honeyguide.topic import Topic
    from honeyguide.web import Web

SLOW_ANSWER = 2.0  # seconds


class Outcomes:
    """Makes visits of landings, and remembers pages so that later copies are known as such."""

    def __init__(self, settings: Settings, topic: Topic, web: Web, guide: Guide, copies: Copies) -> None:
        self._settings = settings
        self._topic = topic
        self._web = web
        self._guide = guide
        self._copies = copies

    def visit(self, landing: Landing) -> Visit:
        """The visit that a request for a page came to; its links are entered in the graph."""
        reply, reason = landing.reply or Reply(status=0), _reason(landing)
        guide, graph = self._guide, self._guide.graph
        if reason == "redirect" and guide.redirects.lead_back(landing.id, reply.redirect):
            reason = "redirect_loop"
        if kind := guide.resources.kind(landing.id):
            return self._made(landing, reply, reason, targets=NO_LINKS, flag=kind)  # neither judged nor followed
        if reason == "redirect" and not guide.bounds.has_room_for(reply.redirect):
            reason = "max_known"
        page = guide.bounds.within(reply.page) if reply.page else None
        if page and self._copies.says_nothing(graph.host.item(landing.id), reply.digest):
            reason = "soft_404"
        flag, copy_of = self._flag(page, reply.digest) if page and not reason else ("", -1)
        if page and reason not in ("", "redirect"):
            page = replace(page, links=())  # they are not followed
        targets = guide.targets(landing.id, page, reply.redirect) if reason in ("", "redirect") else NO_LINKS
        refreshes = graph.table.find(page.refresh) if page and page.refresh else None
        return self._made(
            landing,
            reply,
            reason,
            targets=targets,
            refreshes=-1 if refreshes is None else refreshes,
            page=page,
            relevance=landing.relevance,
            relevant=not (landing.error or reason or flag) and self._topic.relevant(landing.relevance),
            flag=flag,
            copy_of=copy_of,
            given_up=landing.given_up,
            change="" if flag in BESIDE else self._web.memory.change(landing.url, reply, reason),
            bad_links=page.bad_links if page else 0,
            cut_links=page.cut_links if page else 0,
            fingerprint=page.fingerprint if page else 0,
        )

    def _made(self, landing: Landing, reply: Reply, reason: str, **of_a_page: Any) -> Visit:
        return Visit(
            number=self._guide.graph.visits,
            id=landing.id,
            url=landing.url,
            score=landing.score,
            error=reason,
            detail=landing.error.detail if isinstance(landing.error, FetchError) else reply.detail,
            status=reply.status,
            size=reply.size,
            started=landing.started,
            seconds=landing.seconds,
            digest=reply.digest,
            **of_a_page,
        )

    def _flag(self, page: Page, digest: bytes) -> tuple[str, int]:
        """Why a page does not count, and which page it is a copy of."""
        if page.listing or page.gate:
            return page.listing or page.gate, -1
        flag, copy_of = self._copies.original(digest, page.fingerprint)
        if not flag and page.opt_outs and self._settings.skip_opted_out:
            flag = "opted_out"
        return flag, copy_of

    def remember(self, visit: Visit) -> None:
        """Let later copies of a page be known as such."""
        host = self._guide.graph.host.item(visit.id)
        if visit.copy_of >= 0:
            original = self._guide.graph.host.item(visit.copy_of)
            self._copies.add_copy(host, visit.digest, original)
            if self._copies.is_mirror(host, original):
                self._guide.close(host, "mirror")
        elif visit.error in WITH_PAGE and visit.flag in ("", "opted_out"):
            self._copies.add(visit.id, host, visit.digest, visit.fingerprint)


def answered_quickly(landing: Landing) -> bool:
    """Whether a server answered in good time, whatever it said."""
    return landing.seconds < SLOW_ANSWER and (landing.reply is not None or isinstance(landing.error, Excluded))


def _reason(landing: Landing) -> str:
    """Why a landing is no page to judge; empty when it is one."""
    if isinstance(landing.error, FetchError):
        return landing.error.reason
    if isinstance(landing.error, BudgetSpent):
        return "unjudged"
    reply = landing.reply or Reply()
    if reply.redirect:
        return "redirect"
    return reply.error

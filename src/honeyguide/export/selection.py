"""Which pages of a crawl are exported; imported by the command line, so it imports next to nothing."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING

from honeyguide.base import RESOURCES, WITH_PAGE, BadInput, check_bounds, knob

if TYPE_CHECKING:
    from collections.abc import Callable

    from honeyguide.store import StoredVisit


@dataclass
class Selection:
    """Relevant pages, unless told otherwise; every condition must hold."""

    all: bool = knob(False, "every page that was fetched, not only the relevant ones")
    min_relevance: float | None = knob(None, "pages at least this relevant, whatever the topic's threshold", 0, 1)
    host: list[str] = knob([], "only of this host and those below it; repeatable, with stars as in --allow")
    language: list[str] = knob([], "only in this language, by code or name; repeatable")
    since: str = knob("", "only fetched at this time or later, in UTC: 2026-05-01 or 2026-05-01T12:00")
    until: str = knob("", "only fetched at this time or earlier; a day counts to its end")
    without_opt_outs: bool = knob(False, "leave out what its owner reserved from machine learning")
    flagged: bool = knob(False, "also copies, sitemaps, login pages and the like, which never count as relevant")

    def __post_init__(self) -> None:
        check_bounds(self)
        self.since, self.until = _moment(self.since), _moment(self.until)
        if self.until and self.since[: len(self.until)] > self.until:
            raise BadInput(f"since {self.since} is later than until {self.until}: no page is of such a time")
        self._hosts = self._matchers()
        self._languages = {_language(name) for name in self.language}

    def _matchers(self) -> list[Callable[[str], bool]]:
        if not self.host:
            return []
        from honeyguide.crawl.scope import matcher

        return [matcher(rule) for rule in self.host]

    def objection(self, visit: StoredVisit) -> str:
        """Why a visit is not exported; empty when it is."""
        return _no_page(visit) or self._flag(visit) or self._too_irrelevant(visit) or self._elsewhere(visit)

    def _flag(self, visit: StoredVisit) -> str:
        return "" if self.flagged else visit.flag

    def _too_irrelevant(self, visit: StoredVisit) -> str:
        if self.min_relevance is not None:
            return "not relevant enough" if visit.relevance < self.min_relevance else ""
        wanted = self.all or visit.relevant or (self.flagged and visit.flag)
        return "" if wanted else visit.error or "not relevant"

    def _elsewhere(self, visit: StoredVisit) -> str:
        if self._hosts and not any(matches(visit.url) for matches in self._hosts):
            return "of other hosts"
        if self._languages and visit.language not in self._languages:
            return "in other languages"
        if (self.since or self.until) and not self._in_time(visit.date):
            return "of other dates"
        return "reserved by their owners" if self.without_opt_outs and visit.opt_outs else ""

    def _in_time(self, date: str) -> bool:
        return bool(date) and date >= self.since and (not self.until or date[: len(self.until)] <= self.until)


def _no_page(visit: StoredVisit) -> str:
    if visit.flag in RESOURCES:
        return visit.flag
    if visit.error in WITH_PAGE:
        return ""
    return "redirect" if visit.error == "redirect" else "failed"


def _moment(given: str | datetime.date) -> str:
    """A time as the books write it: a day, or down to the second, in UTC; Python's own times are times, too."""
    text = given.isoformat() if isinstance(given, datetime.date) else given
    if not text:
        return ""
    try:
        found = datetime.datetime.fromisoformat(text)
    except (ValueError, TypeError):
        raise BadInput(f"{text!r} is no time; write it as 2026-05-01 or 2026-05-01T12:00") from None
    if found.tzinfo:
        found = found.astimezone(datetime.UTC)
    return found.strftime("%Y-%m-%d" if len(text) <= len("2026-05-01") else "%Y-%m-%dT%H:%M:%S")


def _language(name: str) -> str:
    from honeyguide.languages import codes

    found = codes().get(name.strip().casefold())
    if not found:
        raise BadInput(f"{name!r} is no language; write its ISO code or its English name, as in de or German")
    return found[0]

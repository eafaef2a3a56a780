"""How long hosts rest after a request, and why."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from honeyguide.base import Excluded, NotNow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from honeyguide.crawl.flights import Landing
    from honeyguide.crawl.guide import Guide
    from honeyguide.web import Web

COSTLY = 0.1  # seconds of this machine's time for one page
PAUSE_BY_COST = 10.0
LONG = 60.0  # seconds; who asks for a longer rest is left alone by the next run as well


class Resting:
    """Tells the frontier which hosts may not be asked just now."""

    def __init__(self, guide: Guide, web: Web) -> None:
        self._guide = guide
        self._web = web
        self.why: dict[int, str] = {}  # hosts were last let rest
        self.asked: dict[str, float] = {}  # hosts that asked for a long rest, and until when, in seconds since 1970
        self._before: dict[str, tuple[float, str]] = {}  # hosts that a crawl before this one let rest: until, why

    def take_over(self, earlier: Resting) -> None:
        """Let hosts rest, from `begin` on, as long as another crawl of this run would have."""
        guide = earlier._guide
        rests = ((host, guide.frontier.rests_until(host), why) for host, why in earlier.why.items())
        now = self._web.now()
        self._before = {guide.graph.hosts[host]: (until, why) for host, until, why in rests if until > now}

    def recall(self, asked: Mapping[str, float]) -> None:
        """Let hosts rest, from `begin` on, as long as they asked an earlier run to."""
        self.asked = {host: until for host, until in asked.items() if until > time.time()}
        since = self._web.now() - time.time()
        for host, until in self.asked.items():
            self._before[host] = max((since + until, "host_rests"), self._before.get(host, (0.0, "")))

    def begin(self) -> None:
        """Let hosts rest that were taken over, now that they are known."""
        for host, name in enumerate(self._guide.graph.hosts):
            if name in self._before:
                self._rest(host, *self._before[name])
        self._before = {}

    def after(self, landing: Landing) -> None:
        """Let the host rest that a request went to."""
        host = self._guide.graph.host.item(landing.id)
        name = self._guide.graph.hosts[host]
        if isinstance(landing.error, NotNow) and not self._is_shut(landing, landing.error):
            self._rest(host, landing.error.until, landing.error.reason)
        elif gap := self._web.gap(name):
            asked = not isinstance(landing.error, Excluded)
            since = self._web.asked_at(name, landing.started)
            self._guide.frontier.rest(host, since + gap if asked else self._web.now())
            self.why[host] = "gap"
        if self._web.live:
            self._note(name)

    def _is_shut(self, landing: Landing, error: NotNow) -> bool:
        """Whether an origin alone has to wait, and not its host."""
        return error.reason == "robots_unavailable" and self._guide.shut_origins.shut(landing.id, error.until)

    def _note(self, name: str) -> None:
        """Remember for the next run that a host asked for a long rest."""
        seconds = self._web.rests_until(name) - self._web.now()
        if seconds >= LONG:
            self.asked[name] = max(time.time() + seconds, self.asked.get(name, 0.0))

    def pays(self, host: int, cost: float) -> bool:
        """Let a host rest whose page took much of this machine's time, where others have something to give."""
        if not self._web.live or cost <= COSTLY or self._guide.frontier.hosts < 2:
            return False
        self._rest(host, self._web.now() + PAUSE_BY_COST * cost, "costly_page")
        return True

    def _rest(self, host: int, until: float, why: str) -> None:
        """Of several reasons to rest, the longest counts."""
        self._guide.frontier.rest(host, max(until, self._guide.frontier.rests_until(host)))
        self.why[host] = why

"""How often a server may be asked: gaps by host and by address, longer where it says or shows it is busy."""

from __future__ import annotations

import email.utils
import math
import time
from datetime import UTC
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_PAUSE = 24 * 3600.0  # seconds; what a server may ask for at most
LONGEST_GAP = 60.0
SLOWER, FASTER = 2.0, 0.9  # what a busy answer and a good one make of a host's gap
BUSY = (429, 503)
AWAY = ("unreachable", "dns_unavailable")  # of a host that answered before: it, or the network, is away
AWAY_PAUSE, AWAY_TRIES = 5.0, 6  # seconds until a host that is away is tried again, twice as many each time


class Manners:
    """Gaps between requests, on a clock that never goes back. A delay of 0 lifts them all."""

    def __init__(self, delay: float, ip_delay: float, now: Callable[[], float]) -> None:
        self._delay = delay
        self._ip_delay = ip_delay if delay else 0.0
        self._now = now
        self._asked_for: dict[str, float] = {}  # Crawl-delay by host, where it is longer than ours
        self._slowness: dict[str, float] = {}  # by host, 1 and up
        self._address_free: dict[str, float] = {}
        self._host_free: dict[str, float] = {}  # hosts that were asked beside their turn, or ask for a pause
        self._reached: set[str] = set()  # hosts that have answered
        self._away: dict[str, tuple[int, float]] = {}  # those that cannot be reached any more: tries, and until when

    def gap(self, host: str) -> float:
        """Seconds between two requests to a host."""
        if not self._delay:
            return 0.0
        wanted = max(self._delay, self._asked_for.get(host, 0.0))
        return max(wanted, min(wanted * self._slowness.get(host, 1.0), LONGEST_GAP))

    def crawl_delay(self, host: str, seconds: float) -> None:
        """Keep to the delay a robots.txt asks for."""
        if seconds > self._delay:
            self._asked_for[host] = seconds
        else:
            self._asked_for.pop(host, None)

    def answered(self, host: str, status: int) -> None:
        """Go slower on a host that is busy, and faster again when it is not."""
        self._reached.add(host)
        self._away.pop(host, None)
        slowness = self._slowness.get(host, 1.0) * (SLOWER if status in BUSY else FASTER)
        if slowness > 1.0:
            self._slowness[host] = min(slowness, 1000.0)
        else:
            self._slowness.pop(host, None)

    @property
    def slowed_hosts(self) -> int:
        """How many hosts ask for a longer gap than they would get."""
        return len(self._asked_for)

    def asked_beside(self, host: str) -> None:
        """A host is asked for a part of a page, without waiting for its turn: it rests a gap more for each."""
        if gap := self.gap(host):
            self._host_free = _still_resting(self._host_free, self._now())
            self._host_free[host] = max(self.host_rests_until(host), self._now() + gap) + gap

    def away(self, host: str) -> float | None:
        """Until when to leave a host alone that cannot be reached, at last for good; None where it never answered."""
        if host not in self._reached:
            return None
        tries, until = self._away.get(host, (0, 0.0))
        if self._now() >= until:  # requests that were under way together are one try
            pause = AWAY_PAUSE * 2**tries if tries < AWAY_TRIES else math.inf
            tries, until = self._away[host] = tries + 1, self._now() + pause
        return until

    def rest(self, host: str, seconds: float) -> None:
        """Leave a host alone for as long as it asks."""
        if seconds:
            self._host_free = _still_resting(self._host_free, self._now())
            self._host_free[host] = max(self.host_rests_until(host), self._now() + seconds)

    def host_rests_until(self, host: str) -> float:
        """When a host that was asked beside its turn, or asked for a pause, may be asked for a page."""
        return self._host_free.get(host, 0.0)

    @property
    def counts_addresses(self) -> bool:
        """Whether addresses have a gap of their own."""
        return self._ip_delay > 0

    def address_rests_until(self, address: str) -> float:
        """When an address may be asked again, whatever its names."""
        return self._address_free.get(address, 0.0)

    def asked(self, address: str) -> None:
        """An address is being asked now."""
        self._address_free = _still_resting(self._address_free, self._now())
        self._address_free[address] = self._now() + self._ip_delay


def _still_resting(table: dict[str, float], now: float) -> dict[str, float]:
    """The same table; of a long one, only what still counts."""
    return {name: until for name, until in table.items() if until > now} if len(table) > 10_000 else table


def retry_after(value: str) -> float | None:
    """Seconds a Retry-After header asks for: a number or a date; None when it says nothing sensible.

    >>> retry_after("30"), retry_after("1e9"), retry_after("-5"), retry_after("soon")
    (30.0, 86400.0, 0.0, None)
    """
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = email.utils.parsedate_to_datetime(value)
            seconds = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return None
    if math.isnan(seconds):
        return None
    return min(max(seconds, 0.0), LONGEST_PAUSE)

"""What a web is: it answers URLs, keeps the clock, and says how long a host must rest."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, ParamSpec, Self, TypeVar

from honeyguide.parse.reading import THOROUGH, Reading

if TYPE_CHECKING:
    from collections.abc import Callable

    from honeyguide.base import Original, Reply
    from honeyguide.store.warc import Archived

_Args = ParamSpec("_Args")
_Result = TypeVar("_Result")


class Memory:
    """What a crawl has archived already; this one remembers nothing."""

    def by_digest(self, digest: bytes) -> Original | None:
        """A page with the same bytes."""
        return None

    def by_url(self, url: str) -> Original | None:
        """The page as an earlier crawl of the same directory found it."""
        return None

    def change(self, url: str, reply: Reply, error: str) -> str:
        """How a visit differs from the earlier one: new, same, changed, gone or failed; empty where there is none."""
        return ""

    def read(self, original: Original) -> Archived:
        """The archived response itself."""
        raise NotImplementedError


class Web(abc.ABC):
    """Subclass this and override `get`; a function is enough for a test: see `SimulatedWeb`."""

    concurrency: int = 1  # how many `get`s may be under way at once
    live: bool = False
    by_request: bool = False  # whether somebody else says which of the URLs found are asked for
    source: str = "given in Python"  # what a crawl directory remembers it by; a path where it can be opened again

    reading: Reading = THOROUGH  # what somebody reads of its pages
    memory: Memory = Memory()

    @abc.abstractmethod
    async def get(self, url: str) -> Reply:
        """What is at a URL. Raises Excluded (never asked), NotNow (ask later) or FetchError (no answer)."""

    @abc.abstractmethod
    def now(self) -> float:
        """The time in seconds, on a clock that never goes back."""

    @abc.abstractmethod
    async def wait(self, until: float) -> None:
        """Let time pass."""

    def check(self) -> None:
        """Refuse, when a crawl begins, where pages could not be fetched as they are asked for."""
        return

    def take_over(self, earlier: Web) -> None:
        """Know what another web of this run knows of its hosts: how often they may be asked, their robots.txt."""
        return

    def gap(self, host: str) -> float:
        """Seconds between two requests to a host."""
        return 0.0

    def rests_until(self, host: str) -> float:
        """Until when a host wants to be left alone, as far as it said so."""
        return 0.0

    def asked_at(self, host: str, started: float) -> float:
        """When a request that was started then reached a host: its gap counts from there."""
        return started

    async def work(self, function: Callable[_Args, _Result], *args: _Args.args, **kwargs: _Args.kwargs) -> _Result:
        """Do page-sized work where it holds nobody up."""
        return function(*args, **kwargs)

    def notes(self) -> dict[str, int]:
        """Counts to be shown beside the harvest: requests for robots.txt, pages an archive does not hold."""
        return {}

    def troubles(self) -> dict[str, str]:
        """Hosts that cannot be asked now, and why; their URLs stay queued."""
        return {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return


class SimulatedWeb(Web):
    """A web without a network: its clock jumps ahead whenever a crawl waits."""

    def __init__(self, delay: float = 0.0) -> None:
        self.delay = delay
        self._time = 0.0

    def now(self) -> float:
        return self._time

    async def wait(self, until: float) -> None:
        self._time = max(self._time, until)

    def gap(self, host: str) -> float:
        return self.delay

"""What the server needs of whatever it shows: a crawl of this process, or one that another process makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from honeyguide.dashboard.metrics import Metric


class View(Protocol):
    """Parts of the page by name, actions by name, and figures."""

    def version(self) -> Hashable:
        """Another value whenever there may be something new to show."""

    def parts(self) -> dict[str, Any]:
        """What is quick to tell, anew each time."""

    def slow_parts(self) -> dict[str, Any]:
        """What takes a look at the whole queue, and is asked for less often."""

    def why(self, id_: int) -> list[str]:
        """What speaks for a URL."""

    async def act(self, action: str, given: dict[str, Any]) -> dict[str, Any]:
        """Do what somebody asked for on the page."""

    def metrics(self) -> Iterable[Metric]:
        """Figures for Prometheus."""

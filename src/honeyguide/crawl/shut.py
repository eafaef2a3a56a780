"""Origins whose robots.txt cannot be had, while their hosts have others to give: http beside https."""

from __future__ import annotations

import math

from honeyguide import urls


class ShutOrigins:
    """Holds URLs of shut origins, which stay queued in the books, until these open."""

    def __init__(self) -> None:
        self.until: dict[str, float] = {}  # by origin that is shut
        self._held: dict[str, set[int]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._held.values()))

    def __contains__(self, id_: int) -> bool:
        return any(id_ in held for held in self._held.values())

    def shut(self, origin: str, until: float) -> None:
        """Let an origin's URLs wait."""
        self.until[origin] = until
        self._held.setdefault(origin, set())

    def hold(self, id_: int, url: str) -> bool:
        """Keep a URL where its origin is shut; whether it is."""
        held = self._held.get(urls.origin(url))
        if held is not None:
            held.add(id_)
        return held is not None

    def opened(self, now: float) -> list[int]:
        """The URLs of all origins that may be asked again."""
        found: list[int] = []
        for origin in [origin for origin, until in self.until.items() if until <= now]:
            del self.until[origin]
            found += sorted(self._held.pop(origin))
        return found

    def next_time(self) -> float:
        """When the next one opens; infinity when none will."""
        return min(self.until.values(), default=math.inf)

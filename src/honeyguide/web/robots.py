"""robots.txt as Google's parser reads it: who may fetch what, and how fast."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from urllib.parse import quote_from_bytes

from jwm.robotstxt.googlebot import ParseRobotsTxt, RobotsMatcher, RobotsParseHandler

from honeyguide import urls
from honeyguide.web.opt_outs import of_signal

LONGEST = 512_000  # bytes that are read; RFC 9309 asks for at least 500 KiB
LONGEST_DELAY = 60.0
MOST_SITEMAPS = 100
_ASCII = bytes(range(128))


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one robots.txt for one agent."""

    body: str = ""
    agent: str = "honeyguide"
    delay: float = 0.0
    sitemaps: tuple[str, ...] = ()
    signals: tuple[tuple[str, str, str], ...] = ()  # Content-Signal and Content-Usage: name, path, what it says

    def allow(self, url: str) -> bool:
        """Whether the agent may fetch a URL."""
        return not self.body or bool(RobotsMatcher().OneAgentAllowedByRobots(self.body, self.agent, url))

    def opt_outs(self, url: str) -> frozenset[str]:
        """How a URL is reserved from machine learning: of each kind of line, the one with the longest path counts."""
        path, found = urls.split(url)[2], dict[str, tuple[str, str]]()
        for name, prefix, value in self.signals:
            if path.startswith(prefix) and len(prefix) >= len(found.get(name, ("", ""))[0]):
                found[name] = (prefix, value)
        return frozenset().union(*(of_signal(name, value) for name, (_, value) in found.items()))


def read_rules(body: bytes, agent: str) -> Rules:
    """Parse a robots.txt; bytes past the limit are ignored."""
    body = body[:LONGEST].removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"")
    text = quote_from_bytes(body, _ASCII)  # the parser cuts characters in two; escaped, they mean the same to it
    agent = _product(agent)
    handler = _Handler(agent)
    ParseRobotsTxt(text, handler)
    return Rules(text, agent, handler.delay, tuple(handler.sitemaps), tuple(handler.signals))


def _product(agent: str) -> str:
    """The part of an agent's name that counts: letters, dashes and underscores, up to the first of anything else."""
    found = re.match(r"[A-Za-z_-]+", agent)
    return found[0] if found else agent


@dataclass
class _Group:
    agents: set[str] = field(default_factory=set)
    closed: bool = False  # a rule was seen: the next user-agent line opens another group


class _Handler(RobotsParseHandler):  # type: ignore[misc]
    """Finds what Google's matcher has no use for: Crawl-delay and signals meant for an agent, or else for all."""

    def __init__(self, agent: str) -> None:
        super().__init__()
        self._agent = agent.lower()
        self._group = _Group()
        self._delays: dict[str, float] = {}
        self._signals: dict[str, list[tuple[str, str, str]]] = {}
        self.sitemaps: list[str] = []

    @property
    def delay(self) -> float:
        return self._delays.get(self._agent, self._delays.get("*", 0.0))

    @property
    def signals(self) -> list[tuple[str, str, str]]:
        return self._signals.get(self._agent, self._signals.get("*", []))

    def HandleRobotsStart(self) -> None: ...  # noqa: N802

    def HandleRobotsEnd(self) -> None: ...  # noqa: N802

    def ReportLineMetadata(self, line_num: int, metadata: object) -> None: ...  # noqa: N802

    def HandleUserAgent(self, line_num: int, value: str) -> None:  # noqa: N802
        if self._group.closed:
            self._group = _Group()
        self._group.agents.add("*" if value.startswith("*") else _product(value).lower())

    def HandleAllow(self, line_num: int, value: str) -> None:  # noqa: N802
        self._group.closed = True

    def HandleDisallow(self, line_num: int, value: str) -> None:  # noqa: N802
        self._group.closed = True

    def HandleSitemap(self, line_num: int, value: str) -> None:  # noqa: N802
        if len(self.sitemaps) < MOST_SITEMAPS:
            self.sitemaps.append(value)

    def HandleUnknownAction(self, line_num: int, action: str, value: str) -> None:  # noqa: N802
        name = action.strip().lower()
        if name not in ("crawl-delay", "content-signal", "content-usage"):
            return
        self._group.closed = True
        for agent in self._group.agents:
            if name == "crawl-delay":
                self._delays.setdefault(agent, _seconds(value))
            else:
                path, _, rest = value.partition(" ") if value.startswith("/") else ("", "", value)
                self._signals.setdefault(agent, []).append((name, path, rest))


def _seconds(text: str) -> float:
    try:
        value = float(text.strip())
    except ValueError:
        return 0.0
    return min(max(value, 0.0), LONGEST_DELAY) if math.isfinite(value) else 0.0

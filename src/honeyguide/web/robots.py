"""robots.txt as Google's parser reads it: who may fetch what, and how fast."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from urllib.parse import quote_from_bytes

from jwm.robotstxt.googlebot import ParseRobotsTxt, RobotsMatcher, RobotsParseHandler

LONGEST = 512_000  # bytes that are read; RFC 9309 asks for at least 500 KiB
LONGEST_DELAY = 60.0
_ASCII = bytes(range(128))


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one robots.txt for one agent."""

    body: str = ""
    agent: str = "honeyguide"
    delay: float = 0.0

    def allow(self, url: str) -> bool:
        """Whether the agent may fetch a URL."""
        return not self.body or bool(RobotsMatcher().OneAgentAllowedByRobots(self.body, self.agent, url))


def read_rules(body: bytes, agent: str) -> Rules:
    """Parse a robots.txt; bytes past the limit are ignored."""
    body = body[:LONGEST].removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"")
    text = quote_from_bytes(body, _ASCII)  # the parser cuts characters in two; escaped, they mean the same to it
    agent = _product(agent)
    handler = _DelayHandler(agent)
    ParseRobotsTxt(text, handler)
    return Rules(text, agent, handler.delay)


def _product(agent: str) -> str:
    """The part of an agent's name that counts: letters, dashes and underscores, up to the first of anything else."""
    found = re.match(r"[A-Za-z_-]+", agent)
    return found[0] if found else agent


@dataclass
class _Group:
    agents: set[str] = field(default_factory=set)
    closed: bool = False  # a rule was seen: the next user-agent line opens another group


class _DelayHandler(RobotsParseHandler):  # type: ignore[misc]
    """Finds the Crawl-delay meant for an agent, or else for all."""

    def __init__(self, agent: str) -> None:
        super().__init__()
        self._agent = agent.lower()
        self._group = _Group()
        self._delays: dict[str, float] = {}

    @property
    def delay(self) -> float:
        return self._delays.get(self._agent, self._delays.get("*", 0.0))

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

    def HandleSitemap(self, line_num: int, value: str) -> None: ...  # noqa: N802

    def HandleUnknownAction(self, line_num: int, action: str, value: str) -> None:  # noqa: N802
        if action.strip().lower() == "crawl-delay":
            self._group.closed = True
            for agent in self._group.agents:
                self._delays.setdefault(agent, _seconds(value))


def _seconds(text: str) -> float:
    try:
        value = float(text.strip())
    except ValueError:
        return 0.0
    return min(max(value, 0.0), LONGEST_DELAY) if math.isfinite(value) else 0.0

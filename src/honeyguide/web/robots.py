"""robots.txt as Google's parser reads it: who may fetch what, and how fast."""

from __future__ import annotations

import math
import re
import zlib
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import quote_from_bytes

from jwm.robotstxt.googlebot import ParseRobotsTxt, RobotsMatcher, RobotsParseHandler

from honeyguide import urls
from honeyguide.web.opt_outs import of_signal

_T = TypeVar("_T")

LONGEST = 512_000  # bytes that are read; RFC 9309 asks for at least 500 KiB
LONGEST_DELAY = 60.0
MOST_SITEMAPS = 100
MOST_STEPS = 1_100_000  # stars of all patterns times letters of a URL: what takes longer to match is not fetched
LARGE = 20_000  # characters of rules that are kept compressed
_ASCII = bytes(range(128))


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one robots.txt for one agent, as a robots.txt with nothing else in it."""

    body: str | bytes = ""
    agent: str = "honeyguide"
    delay: float = 0.0
    sitemaps: tuple[str, ...] = ()
    signals: tuple[tuple[str, str, str], ...] = ()  # Content-Signal and Content-Usage: name, path, what it says
    stars: int = 0  # in all patterns

    def allow(self, url: str) -> bool:
        """Whether the agent may fetch a URL."""
        if self.stars * len(url) > MOST_STEPS:
            return False
        body = self.body if isinstance(self.body, str) else zlib.decompress(self.body).decode()
        return not body or bool(RobotsMatcher().OneAgentAllowedByRobots(body, self.agent, url))

    def opt_outs(self, url: str) -> frozenset[str]:
        """How a URL is reserved from machine learning: of each kind of line, the one with the longest path counts."""
        if not self.signals:
            return frozenset()
        path, found = urls.split(url)[2], dict[str, tuple[str, str]]()
        for name, prefix, value in self.signals:
            if path.startswith(prefix) and len(prefix) >= len(found.get(name, ("", ""))[0]):
                found[name] = (prefix, value)
        return frozenset().union(*(of_signal(name, value) for name, (_, value) in found.items()))


def read_rules(body: bytes, agent: str) -> Rules:
    """Parse a robots.txt; of one beyond the limit, the whole lines before it."""
    if len(body) > LONGEST:
        body = body[: 1 + max(body.rfind(b"\n", 0, LONGEST), body.rfind(b"\r", 0, LONGEST))]
    body = body.removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"")
    text = quote_from_bytes(body, _ASCII)  # the parser cuts characters in two; escaped, they mean the same to it
    agent = product(agent)
    reader = _Reader(agent)
    ParseRobotsTxt(text, reader)
    rules = "".join(reader.chosen(reader.rules))
    kept = f"user-agent: {agent}\n{rules}" if rules else ""
    signals = tuple(reader.chosen(reader.signals))
    packed = zlib.compress(kept.encode(), 1) if len(kept) > LARGE else kept
    return Rules(packed, agent, reader.delay, tuple(reader.sitemaps), signals, kept.count("*"))


def product(agent: str) -> str:
    """The part of an agent's name that counts: letters, dashes and underscores, up to the first of anything else."""
    found = re.match(r"[A-Za-z_-]+", agent)
    return found[0] if found else agent


class _Reader(RobotsParseHandler):  # type: ignore[misc]
    """Keeps what is meant for one agent, or else for all, as Google's matcher tells them apart."""

    def __init__(self, agent: str) -> None:
        super().__init__()
        self._agent = agent.lower()
        self._meant: set[str] = set()  # "own", "all", or both: whom the rules that follow are for
        self._ruled = False  # a rule was seen: the next user-agent line opens another group
        self._asked: set[str] = set()  # the same for other lines, which open a group as well
        self._said = False
        self._has_own = False
        self.rules: dict[str, list[str]] = {"own": [], "all": []}
        self.signals: dict[str, list[tuple[str, str, str]]] = {"own": [], "all": []}
        self.delays: dict[str, list[float]] = {"own": [], "all": []}
        self.sitemaps: list[str] = []

    def chosen(self, kept: dict[str, list[_T]]) -> list[_T]:
        """What was said to the agent itself, where anything was; else what was said to all."""
        return kept["own" if self._has_own else "all"]

    def HandleRobotsStart(self) -> None: ...  # noqa: N802

    def HandleRobotsEnd(self) -> None: ...  # noqa: N802

    def ReportLineMetadata(self, line_num: int, metadata: object) -> None: ...  # noqa: N802

    @property
    def delay(self) -> float:
        """The first Crawl-delay for the agent, or else for all."""
        return next(iter(self.delays["own"] or self.delays["all"]), 0.0)

    def HandleUserAgent(self, line_num: int, value: str) -> None:  # noqa: N802
        if self._ruled:
            self._meant, self._ruled = set(), False
        if self._said:
            self._asked, self._said = set(), False
        whom = self._whom(value)
        self._has_own |= whom == "own"
        self._meant.add(whom)
        self._asked.add(whom)

    def _whom(self, agent: str) -> str:
        if agent.startswith("*") and (len(agent) == 1 or agent[1].isspace()):
            return "all"
        return "own" if product(agent).lower() == self._agent else "others"

    def HandleAllow(self, line_num: int, value: str) -> None:  # noqa: N802
        self._rule(f"allow: {value}\n")

    def HandleDisallow(self, line_num: int, value: str) -> None:  # noqa: N802
        self._rule(f"disallow: {value}\n")

    def _rule(self, line: str) -> None:
        self._ruled |= bool(self._meant & {"own", "all"})
        self._said = True
        for whom in self._meant & {"own", "all"}:
            self.rules[whom].append(line)

    def HandleSitemap(self, line_num: int, value: str) -> None:  # noqa: N802
        if len(self.sitemaps) < MOST_SITEMAPS:
            self.sitemaps.append(value)

    def HandleUnknownAction(self, line_num: int, action: str, value: str) -> None:  # noqa: N802
        name = action.strip().lower()
        if name == "crawl-delay":
            self._say(self.delays, _seconds(value))
        elif name in ("content-signal", "content-usage"):
            path, _, rest = value.partition(" ") if value.startswith("/") else ("", "", value)
            self._say(self.signals, (name, path, rest))

    def _say(self, kept: dict[str, list[_T]], item: _T) -> None:
        self._said = True
        for whom in self._asked & {"own", "all"}:
            kept[whom].append(item)


def _seconds(text: str) -> float:
    try:
        value = float(text.strip())
    except ValueError:
        return 0.0
    return min(max(value, 0.0), LONGEST_DELAY) if math.isfinite(value) else 0.0

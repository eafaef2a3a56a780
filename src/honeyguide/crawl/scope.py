"""Which URLs a crawl may go to at all."""

from __future__ import annotations

import functools
import re
import string
from fnmatch import translate
from typing import TYPE_CHECKING
from urllib.parse import quote

from honeyguide import urls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from honeyguide.settings import Settings


class Scope:
    """Answers why a URL is out of bounds, or nothing when it is not."""

    def __init__(self, settings: Settings) -> None:
        self._depth = settings.depth
        self._allow = [matcher(rule) for rule in settings.allow]
        self._deny = [matcher(rule) for rule in settings.deny]
        self._sites: set[str] | None = set() if settings.same_site else None
        self._open = not (self._allow or self._deny or settings.same_site)
        self.blocked: set[str] = set()  # hosts that are never asked
        self.open_to(settings.seed)

    def open_to(self, seeds: Iterable[str]) -> None:
        """Take seeds in: where a crawl must stay on their sites, on these as well."""
        if self._sites is not None:
            self._sites.update(urls.site(seed) for seed in seeds)

    def bounded(self, depth: int) -> bool:
        """Whether anything at this depth could be out of bounds."""
        return not self._open or bool(self.blocked) or self.too_deep(depth)

    def objection(self, url: str, depth: int) -> str:
        """The reason a URL may not be fetched; empty when it may."""
        if self.blocked and urls.host(url) in self.blocked:
            return "blocked"
        if self.too_deep(depth):
            return "too_deep"
        if self._sites is not None and urls.site(url) not in self._sites:
            return "other_site"
        if any(matches(url) for matches in self._deny):
            return "denied"
        if self._allow and not any(matches(url) for matches in self._allow):
            return "not_allowed"
        return ""

    def too_deep(self, depth: int) -> bool:
        """Whether a URL is too many links away from the seeds."""
        return self._depth is not None and depth > self._depth


def matcher(rule: str) -> functools.partial[bool]:
    """Whether a URL is meant by a rule: a host and those below it, or a pattern."""
    if "/" in rule:
        rule = _as_in_urls(rule)
        return functools.partial(_matches, _pattern(rule if "*" in rule else f"*{rule}*"), str)
    name = urls.host_written(rule)
    if "*" in name:
        return functools.partial(_matches, _pattern(name), urls.host if _has_port(name) else urls.hostname)
    return functools.partial(_is_host, name)


def _as_in_urls(rule: str) -> str:
    """A pattern with the letters that URLs have: host and path of other scripts are written in ASCII there."""
    if rule.isascii():
        return rule
    scheme, colon, rest = rule.rpartition("://")
    name, slash, path = rest.partition("/")
    name = name if name.isascii() else urls.host_written(name)
    return f"{scheme}{colon}{name}{slash}{quote(path, safe=string.printable)}"


def _pattern(text: str) -> re.Pattern[str]:
    """Stars stand for anything. What fnmatch makes of it cannot backtrack from one star into another."""
    plain = re.sub(r"\*+", "*", text).replace("[", "[[]")  # which is part of an IPv6 address
    return re.compile(translate(plain), re.IGNORECASE)


def _matches(pattern: re.Pattern[str], part: Callable[[str], str], url: str) -> bool:
    return pattern.match(part(url)) is not None


def _is_host(name: str, url: str) -> bool:
    found = urls.host(url) if _has_port(name) else urls.hostname(url)
    return found == name or found.endswith("." + name)


def _has_port(name: str) -> bool:
    """Whether a port is named; the colons of an IPv6 address stand in brackets."""
    return ":" in name.rpartition("]")[2]

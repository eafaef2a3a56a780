"""URLs without end: by their shape, or because pages of one pattern bring nothing."""

from __future__ import annotations

import functools
import re
from collections import Counter
from typing import TYPE_CHECKING

from honeyguide import urls

if TYPE_CHECKING:
    from honeyguide.settings import Settings

# Numbers, and ids of hexadecimal digits, in groups or not; a word such as `defaced` is none.
_HEX = "[0-9a-fA-F]"
# Most places are passed over by the first look, which saves half of the time.
_UUID = rf"{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}"
_NUMBER = re.compile(rf"(?=[a-fA-F]*[0-9])(?:{_UUID}|{_HEX}{{8,}}|[0-9]+)|(?=[a-fA-F]{{8}}-){_UUID}")

_RANDOM = re.compile(r"=(?=[^&]*[0-9])[0-9A-Za-z_-]{12,}(?=&|$)")  # a session, say


class Traps:
    """Answers why a URL looks endless, or nothing when it does not."""

    def __init__(self, settings: Settings) -> None:
        self._limits = settings
        self._slashes = min(settings.max_segments, settings.max_repeats) + 2  # with those of http://
        self._barren: Counter[str] = Counter()  # pages in a row without a relevant one, by pattern
        self.found = False  # whether there ever were enough of one pattern

    def shape(self, url: str) -> str:
        """What is endless about a URL by itself."""
        if url.count("&") >= self._limits.max_parameters:
            return "trap_parameters"
        if url.count("/") <= self._slashes:
            return ""
        parts = Counter(urls.split(url)[2].partition("?")[0].removesuffix("/").split("/")[1:])
        if parts.total() > self._limits.max_segments:
            return "trap_path"
        return "trap_repeats" if max(parts.values(), default=0) > self._limits.max_repeats else ""

    def barren(self, url: str) -> bool:
        """Whether pages of a URL's pattern have brought nothing for so long that no more are asked for."""
        limit = self._limits.trap_after
        return bool(limit) and self._barren[pattern(url)] >= limit

    def visited(self, url: str, relevant: bool) -> None:
        """Count a page for or against its pattern."""
        if relevant:
            self._barren.pop(pattern(url), None)
        else:
            self._barren[alike := pattern(url)] += 1
            self.found |= self._barren[alike] >= self._limits.trap_after


@functools.lru_cache(maxsize=4096)  # a URL is looked at when its turn comes, and when it was visited
def pattern(url: str) -> str:
    """A URL with its numbers, and values that look drawn at random, left out.

    >>> pattern("https://bees.example/2026/05/hive-12.html?page=3&sort=up")
    'https://bees.example/0/0/hive-0.html?page=0&sort=up'
    """
    head, question, query = url.partition("?")
    scheme, host, path = urls.split(head)
    shape = f"{scheme}://{host}{_NUMBER.sub('0', path)}"
    return f"{shape}?{_NUMBER.sub('0', _RANDOM.sub('=0', query))}" if question else shape

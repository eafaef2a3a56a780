"""Which package stands for which part of the web: packages.tsv, and addresses that mean the same."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from honeyguide import urls

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

TABLE = Path(__file__).with_name("packages.tsv")
TIERS = "SML"  # each with all before it
LOCAL = "/usr/share/"  # where a page of Debian's links to what is installed beside it
REMEMBERED = 1 << 18


@dataclass(frozen=True)
class Documentation:
    """A package: its folder of pages, the public address of that folder, and what it is about."""

    tier: str
    package: str
    root: str
    base: str
    topic: str
    same: str = ""  # a pattern of addresses that are this folder, too

    @functools.cached_property
    def pattern(self) -> re.Pattern[str]:
        """Matches the beginning of every address that means this folder."""
        own = "https?" + re.escape(self.base.removeprefix("https").removeprefix("http"))
        return re.compile(f"{own}|{re.escape(LOCAL + self.root.removeprefix('usr/share/'))}/|{self.same or own}")

    def address(self, file: str) -> str | None:
        """The public address of a file below the folder; none where the one normaliser finds it is no URL.

        >>> Documentation("S", "bees-doc", "usr/share/doc/bees", "https://bees.example/", "bees").address("a b.html")
        'https://bees.example/a%20b.html'
        """
        found = urls.normalize(self.base + quote(file))
        return found if isinstance(found, str) else None


def read_table(tier: str, table: Path = TABLE) -> list[Documentation]:
    """The packages of a tier and of those before it."""
    rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]
    made = [Documentation(*(field.strip() for field in row)) for row in rows if row[0] and row[0][0] != "#"]
    return [found for found in made if found.tier in TIERS[: TIERS.index(tier) + 1]]


class Addresses:
    """Finds the page that an address means, however it is written."""

    def __init__(self, packages: Iterable[Documentation], known: Mapping[str, str]) -> None:
        self._packages: Sequence[Documentation] = list(packages)
        self._known = known
        self.public = functools.lru_cache(REMEMBERED)(self._public)

    def _public(self, url: str) -> str:
        """The address of the page that is meant; the address itself where no page of ours is."""
        for address in (url, *self._equivalent(url)):
            for found in (address, address + "index.html", address + "/index.html", address + ".html"):
                if found in self._known:
                    return self._known[found]
        return url

    def _equivalent(self, url: str) -> Iterable[str]:
        path = urls.split(url)[2]
        texts = (url, path) if path.startswith(LOCAL) else (url,)
        for package in self._packages:
            for text in texts:
                if match := package.pattern.match(text):
                    yield package.address(unquote(text[match.end() :])) or url

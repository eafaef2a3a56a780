"""The index of a WACZ: a line an answer, sorted, in packed blocks, and a list of where the blocks begin."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sqlite3
import zlib
from typing import TYPE_CHECKING

from honeyguide import urls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from honeyguide.export.exchanges import Copied

BLOCK = 1024  # lines
_WWW = re.compile(r"^www\d*\.")


def url_key(url: str) -> str:
    """What ReplayWeb.page looks a URL up by: the host backwards, all in lower case, parameters sorted.

    >>> url_key("https://www.Bees.example:8080/Honey/?q=2&a=1")
    'example,bees:8080)/honey/?a=1&q=2'
    """
    _, host, rest = urls.split(url.lower())
    name, colon, port = host.partition(":") if not host.startswith("[") else (host, "", "")
    path, question, query = rest.partition("?")
    backwards = ",".join(reversed(_WWW.sub("", name).split(".")))
    return f"{backwards}{colon}{port}){path or '/'}" + (f"?{'&'.join(sorted(query.split('&')))}" if question else "")


def line(record: Copied, filename: str, offset: int) -> str:
    """What the index says of an answer."""
    stamp = re.sub(r"\D", "", record.date)[:14]
    fields = {
        "url": record.url,
        **record.about,
        "length": str(len(record.data)),
        "offset": str(offset),
        "filename": filename,
    }
    return f"{url_key(record.url)} {stamp} {json.dumps(fields)}\n"


class Sorter:
    """Lines in order, however many: what does not fit into memory is sorted on the disk."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("")  # a file of its own that is gone when it is closed
        self._database.execute("CREATE TABLE lines (line TEXT PRIMARY KEY) WITHOUT ROWID")

    def add(self, text: str) -> None:
        """Take in a line; the same one again counts once."""
        self._database.execute("INSERT OR IGNORE INTO lines VALUES (?)", (text,))

    def __iter__(self) -> Iterator[str]:
        return (text for (text,) in self._database.execute("SELECT line FROM lines ORDER BY line"))

    def close(self) -> None:
        """Forget all lines."""
        self._database.close()


def packed(lines: Iterator[str], filename: str) -> Iterator[tuple[bytes, str]]:
    """Blocks of lines, packed, each with its line in the list of blocks."""
    yield b"", f"!meta 0 {json.dumps({'format': 'cdxj-gzip-1.0', 'filename': filename})}\n"
    offset = 0
    while block := _take(lines):
        data = zlib.compress("".join(block).encode(), wbits=31)
        place = {"offset": offset, "length": len(data), "digest": f"sha256:{hashlib.sha256(data).hexdigest()}"}
        yield data, f"{block[0].partition(' {')[0]} {json.dumps(place)}\n"
        offset += len(data)


def _take(lines: Iterator[str]) -> list[str]:
    taken: list[str] = []
    with contextlib.suppress(StopIteration):
        while len(taken) < BLOCK:
            taken.append(next(lines))
    return taken

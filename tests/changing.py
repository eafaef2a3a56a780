"""A site that changes between two crawls, for tests: pages with validators, and what became of each."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

from loopback import answer

if TYPE_CHECKING:
    import asyncio
    from pathlib import Path

    from loopback import Handler, Loopback, Request


def html(text: str, *links: str) -> bytes:
    """A page about bees."""
    return f"<title>Bees</title><p>bees: {text}</p>{''.join(f'<a href={link}>x</a>' for link in links)}".encode()


def versioned(body: bytes, **validators: str) -> Handler:
    """A page that is sent only to who does not have it: by ETag where it has one, else by Last-Modified."""

    async def handler(request: Request, writer: asyncio.StreamWriter) -> None:
        asked = request.headers.get("if-none-match") or request.headers.get("if-modified-since")
        known = validators.get("ETag") or validators.get("Last_Modified")
        unchanged = answer(b"", "304 Not Modified", **validators)
        writer.write(unchanged if asked and asked == known else answer(body, **validators))
        await writer.drain()

    return handler


MONDAY, TUESDAY = "Mon, 05 Jan 2026 10:00:00 GMT", "Tue, 06 Jan 2026 10:00:00 GMT"
BEFORE = {
    "/": versioned(html("start", "/etag", "/dated", "/plain", "/turns", "/goes", "/moved", "/missing"), ETag='"s1"'),
    "/etag": versioned(html("etag", "/behind"), ETag='W/"e1"'),
    "/dated": versioned(html("dated"), Last_Modified=MONDAY),
    "/plain": answer(html("plain")),
    "/turns": versioned(html("turns: one"), ETag='"t1"'),
    "/goes": answer(html("goes")),
    "/moved": answer(b"", "302 Found", Location="/plain"),
    "/behind": versioned(html("behind"), ETag='"b1"'),
}
AFTER = {
    **BEFORE,
    "/": versioned(html("start", "/etag", "/dated", "/plain", "/turns", "/fresh", "/moved", "/missing"), ETag='"s2"'),
    "/turns": versioned(html("turns: two"), ETag='"t2"'),
    "/goes": answer(b"gone", "404 Not Found"),
    "/fresh": answer(html("fresh")),
}
CHANGES = {
    "/": "changed",
    "/etag": "same",
    "/dated": "same",
    "/plain": "same",
    "/turns": "changed",
    "/goes": "gone",
    "/moved": "same",
    "/missing": "same",
    "/behind": "same",
    "/fresh": "new",
}


def rows(directory: Path, server: Loopback, *columns: str) -> dict[str, list[Any]]:
    """Columns of the visits, by path."""
    database = sqlite3.connect(directory / "crawl.db")
    query = f"SELECT url, {', '.join(columns)} FROM visits JOIN urls USING (id)"
    try:
        return {url.removeprefix(server.origin): rest for url, *rest in database.execute(query)}
    finally:
        database.close()

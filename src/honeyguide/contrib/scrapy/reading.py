"""From what Scrapy fetched to what a crawl takes in."""

from __future__ import annotations

import hashlib
from http import HTTPStatus
from typing import TYPE_CHECKING

from honeyguide import urls
from honeyguide.base import Reply
from honeyguide.store.archive_files import now as utc_now
from honeyguide.store.warc import header_table
from honeyguide.web.http import Exchange
from honeyguide.web.preparing import Job, prepare, replied

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Request
    from scrapy.http import Headers, Response

    from honeyguide.parse import Reading

SECRET = ("cookie", "authorization", "proxy-authorization")  # headers of a request that are not archived


def reply(url: str, response: Response, request: Request, reading: Reading, archive: bool) -> Reply:
    """The page of a response, read by the same code as in any crawl; with its WARC records where it is archived."""
    raw = tuple(_pairs(response.headers))
    exchange = Exchange(
        url,
        response.status,
        header_table((name.decode("latin-1"), value.decode("latin-1")) for name, value in raw),
        response.body,
        address=str(response.ip_address or ""),
        status_line=_status_line(response),
        digest=hashlib.sha1(response.body).digest(),  # noqa: S324 - the digest WARC files name bodies by
        raw_headers=raw,
    )
    sent = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in _pairs(request.headers))
    shown = tuple((name, value) for name, value in sent if name.lower() not in SECRET)
    job = Job(exchange, utc_now(), shown, latency(request), reading)
    return prepare(job) if archive else replied(job)


def moved(target: str, reason: object) -> Reply:
    """What stands for a redirect, which Scrapy followed by itself."""
    where = hashlib.sha1(target.encode()).digest()  # noqa: S324 - to tell it from others
    return Reply(redirect=target, status=reason if isinstance(reason, int) else 200, digest=where)


def latency(request: Request) -> float:
    """How long the answer took."""
    return float(request.meta.get("download_latency", 0.0))


def key_of(url: str) -> str | None:
    """A URL in normal form; None where it is none of the web's."""
    found = urls.normalize(url)
    return found if isinstance(found, str) else None


def _pairs(headers: Headers) -> Iterator[tuple[bytes, bytes]]:
    for name, values in headers.items():
        for value in values:
            yield name, value


def _status_line(response: Response) -> str:
    phrase = HTTPStatus(response.status).phrase if response.status in HTTPStatus._value2member_map_ else ""
    return f"{response.protocol or 'HTTP/1.1'} {response.status} {phrase}".rstrip()

"""From what a server answered to what the crawl takes in: the page, its verdict by status, and its WARC records."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass

from msgspec.structs import replace

from honeyguide import urls
from honeyguide.base import FetchError, Original, Reply
from honeyguide.parse.reading import THOROUGH, Reading
from honeyguide.parse.sniff import media_type
from honeyguide.store.visits import RENDERED
from honeyguide.store.warc import Archived, Asked, exchange_records, rendered_headers
from honeyguide.web.content import read
from honeyguide.web.exchange import Exchange  # noqa: TC001 - read when a job is decoded

# Headers of requests whose values are archived; any other may be a secret.
OPEN_HEADERS = ("host", "user-agent", "accept", "accept-encoding", "accept-language")
NOT_KEPT = "(sent, but not kept)"
LONGEST_VALIDATOR = 1000  # characters of an ETag or a date that are sent back
_TRUNCATED = {"length": "too_large", "time": "timeout", "disconnect": "incomplete"}


@dataclass(frozen=True, slots=True)
class Rendering:
    """What a browser made of a page, and what that took."""

    html: bytes
    received: int  # bytes of scripts and data
    browser: str  # its name and version


@dataclass(frozen=True, slots=True)
class Job:
    """An answer to be made a Reply of, with all that takes: it may be sent to another process."""

    exchange: Exchange
    date: str
    request: tuple[tuple[str, str], ...]  # the headers that were sent
    seconds: float = 0.0  # the exchange took
    reading: Reading = THOROUGH
    opt_outs: frozenset[str] = frozenset()  # by the site's robots.txt
    original: Original | None = None  # where the same bytes are archived already
    rendering: Rendering | None = None  # of the answer
    stored: Archived | None = None  # these, where the server says that they have not changed


def answered(job: Job) -> Reply:
    """What can be said of an answer without reading its page; it still lacks its records."""
    exchange = job.exchange
    reply = Reply(
        status=exchange.status,
        size=len(exchange.body),
        digest=exchange.digest,
        etag=exchange.headers.get("etag", "")[:LONGEST_VALIDATOR],
        modified=exchange.headers.get("last-modified", "")[:LONGEST_VALIDATOR],
        date=job.date,
        original=job.original,
    )
    location = exchange.headers.get("location")
    if 300 <= exchange.status < 400 and location:
        target = urls.normalize(location, exchange.url)
        if isinstance(target, str):
            where = hashlib.sha1(target.encode()).digest()  # noqa: S324 - to see whether it leads elsewhere one day
            return replace(reply, redirect=target, digest=where)
        if target.reason == "not http or https":
            return replace(reply, error="bad_scheme", detail=location[:200])
    if job.stored and job.original:
        known = job.original
        return replace(reply, digest=known.digest, etag=reply.etag or known.etag, modified=known.modified)
    if job.rendering:  # many pages of a site may be made of the same answer
        digest = hashlib.sha1(job.rendering.html).digest()  # noqa: S324
        return replace(reply, digest=digest, size=reply.size + job.rendering.received, detail=RENDERED)
    return replace(reply, error=failure(exchange))


def failure(exchange: Exchange) -> str:
    """Why an answer is no page."""
    if exchange.truncated:
        return _TRUNCATED[exchange.truncated]
    return "" if 200 <= exchange.status < 300 else f"http_{exchange.status}"


def prepare(job: Job) -> Reply:
    """Never raises on what a server may send."""
    began = time.perf_counter()
    return replace(archived(job, replied(job)), cost=time.perf_counter() - began)


def replied(job: Job) -> Reply:
    """The same without its WARC records."""
    reply, exchange = answered(job), job.exchange
    if _is_cut_listing(exchange):  # its links are read as far as it was
        reply = replace(reply, error="", detail="longer than a page may be, and cut")
    if not reply.redirect and not reply.error:
        try:
            damage = list[str]()
            page = read(exchange.url, *_source(job), job.reading, damage)
            if job.opt_outs:
                page = replace(page, opt_outs=page.opt_outs | job.opt_outs)
            reply = replace(reply, page=page, detail="; ".join(filter(None, [reply.detail, *damage])))
        except FetchError as error:
            reply = replace(reply, error=error.reason, detail=error.detail)
    return reply


def _source(job: Job) -> tuple[dict[str, str], bytes]:
    """Headers and body that a page is read from."""
    if job.rendering:
        return rendered_headers(job.exchange.headers), job.rendering.html
    source = job.stored or job.exchange
    return source.headers, source.body


def _is_cut_listing(exchange: Exchange) -> bool:
    if exchange.truncated != "length" or exchange.status != 200:
        return False
    return media_type(exchange.body, exchange.headers.get("content-type", "")).endswith("xml")


def archived(job: Job, reply: Reply) -> Reply:
    """A reply with its WARC records."""
    exchange = job.exchange
    record = exchange_records(
        Asked(exchange.url, job.date, exchange.address, job.request),
        exchange.status_line,
        exchange.raw_headers,
        exchange.body,
        exchange.truncated,
        job.original,
        _facts(job, reply),
        job.rendering.html if job.rendering else b"",
        exchange.digest,
    )
    return replace(reply, record=record)


def _facts(job: Job, reply: Reply) -> list[tuple[str, str]]:
    """What a metadata record says of a page."""
    facts = [("fetchTimeMs", str(round(job.seconds * 1000))), ("failed", reply.error), ("detail", reply.detail)]
    facts += [("renderedBy", job.rendering.browser)] if job.rendering else []
    if page := reply.page:
        facts += [
            ("title", page.title[:500]),
            ("language", page.language),
            ("charset", page.charset),
            ("robots", ", ".join(sorted(page.robots))),
            ("optOut", ", ".join(sorted(page.opt_outs))),
            ("gate", page.gate),
            ("links", str(len(page.links))),
        ]
    return facts

"""From what another crawler fetched to what a crawl takes in, by the code that reads any page."""

from __future__ import annotations

import hashlib
from http import HTTPStatus
from typing import TYPE_CHECKING

from honeyguide import urls
from honeyguide.base import Reply
from honeyguide.store.archive_files import now as utc_now
from honeyguide.store.warc import header_table
from honeyguide.web.exchange import Exchange
from honeyguide.web.preparing import NOT_KEPT, OPEN_HEADERS, Job, prepare, replied

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from honeyguide.parse import Reading

    Headers = Sequence[tuple[bytes, bytes]]


def reply(
    url: str,
    status: int,
    headers: Headers,
    body: bytes,
    reading: Reading,
    *,
    archive: bool = False,
    sent: Headers = (),
    seconds: float = 0.0,
    protocol: str = "HTTP/1.1",
    address: str = "",
) -> Reply:
    """The page of a response; with its WARC records where it is archived. The body is decoded, whatever was sent."""
    phrase = HTTPStatus(status).phrase if status in list(HTTPStatus) else ""
    plain = tuple((name, value) for name, value in headers if name.lower() != b"content-encoding")
    digest = hashlib.sha1(body).digest()  # noqa: S324 - the digest WARC files name bodies by
    exchange = Exchange(
        url,
        status,
        header_table(_texts(plain)),
        body,
        address=address,
        status_line=f"{protocol} {status} {phrase}".rstrip(),
        digest=digest,
        raw_headers=plain,
    )
    job = Job(exchange, utc_now(), tuple(_masked(_texts(sent))), seconds, reading)
    return prepare(job) if archive else replied(job)


def _masked(sent: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The headers of a request as they are archived, as with a live crawl: of what may be a secret only the name."""
    return ((name, value if name.lower() in OPEN_HEADERS else NOT_KEPT) for name, value in sent)


def _texts(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]


def moved(target: str, reason: object) -> Reply:
    """What stands for a redirect that the other crawler followed by itself."""
    where = hashlib.sha1(target.encode()).digest()  # noqa: S324 - to tell it from others
    return Reply(redirect=target, status=reason if isinstance(reason, int) else 200, digest=where)


def key_of(url: str) -> str | None:
    """A URL in normal form; None where it is none of the web's."""
    found = urls.normalize(url)
    return found if isinstance(found, str) else None

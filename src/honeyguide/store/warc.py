"""WARC 1.1 records: made in memory, so that a worker thread can, and read back with FastWARC."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import re
import uuid
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from isal import igzip

from honeyguide.base import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from fastwarc.warc import WarcRecord

    from honeyguide.base import Original

COMPRESSION = 1  # half the time of the best, for files that are 4 % larger
RENDERED_TYPE = "text/html; charset=utf-8"
# The block holds the body as it came out of the transfer coding, so these two no longer describe it.
_OF_THE_TRANSFER = (b"transfer-encoding", b"content-length")
_CHUNK_MARK = re.compile(rb"(?:\r?\n)?([0-9a-fA-F]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_PAIRS = [first + second for first in _LETTERS for second in _LETTERS]
# Headers that may come on several lines, and what is put between them: of X-Robots-Tag, each may name an agent.
_LISTS = {"content-encoding": ", ", "x-robots-tag": "\n"}


@dataclass(frozen=True, slots=True)
class Archived:
    """One HTTP response read back from a WARC file."""

    url: str
    status: int
    headers: dict[str, str]  # names in lower case
    body: bytes  # as sent: perhaps still compressed
    date: str = ""  # when it was fetched
    rendered: bool = False  # whether the body is what a browser made of the response
    offset: int = 0  # where its record begins


@dataclass(frozen=True, slots=True)
class Revisit:
    """A response of which only the head was kept, for an earlier record holds the same bytes."""

    url: str
    status: int
    of_url: str
    of_date: str  # of the record that holds them; empty where that is not said


def record(kind: str, fields: Iterable[tuple[str, str]], block: bytes) -> tuple[str, bytes]:
    """One record as a gzip member of its own, with its id. Fields never carry a line break into the header."""
    name = f"<urn:uuid:{uuid.uuid4()}>"
    head = [("WARC-Type", kind), ("WARC-Record-ID", name), *fields]
    head += [("WARC-Block-Digest", _digest(block)), ("Content-Length", str(len(block)))]
    lines = "".join(f"{key}: {_one_line(value)}\r\n" for key, value in head)
    return name, igzip.compress(b"WARC/1.1\r\n" + lines.encode() + b"\r\n" + block + b"\r\n\r\n", COMPRESSION)


def _one_line(value: str) -> str:
    if value.isprintable():
        return value
    return "".join(c if c >= " " and c != "\x7f" else f"%{ord(c):02X}" for c in value)


def _digest(data: bytes) -> str:
    return named_digest(hashlib.sha1(data).digest())  # noqa: S324 - WARC's usual digest


def named_digest(sha1: bytes) -> str:
    """A SHA-1 digest as WARC files write it, in base 32.

    >>> named_digest(bytes(20))
    'sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    """
    number = int.from_bytes(sha1)
    return "sha1:" + "".join([_PAIRS[number >> shift & 1023] for shift in range(150, -10, -10)])


def info_record(filename: str, date: str, software: str) -> bytes:
    """The record that opens a file and says who wrote it."""
    block = f"software: {software}\r\nformat: WARC File Format 1.1\r\n".encode()
    fields = [("WARC-Date", date), ("WARC-Filename", filename), ("Content-Type", "application/warc-fields")]
    return record("warcinfo", fields, block)[1]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a set of records is about: one request, when, and to which address."""

    url: str
    date: str
    address: str
    request: Sequence[tuple[str, str]]  # the headers sent

    def fields(self) -> list[tuple[str, str]]:
        """What all records of the exchange say."""
        shared = [("WARC-Target-URI", self.url), ("WARC-Date", self.date)]
        return [*shared, ("WARC-IP-Address", self.address)] if self.address else shared


def exchange_records(
    asked: Asked,
    status_line: str,
    response: Sequence[tuple[bytes, bytes]],
    body: bytes,
    truncated: str = "",
    original: Original | None = None,
    facts: Sequence[tuple[str, str]] = (),
    rendered: bytes = b"",
    digest: bytes = b"",
) -> bytes:
    """A response, the request it answers and what else is known of it, linked to each other.

    Where the same bytes are archived already, the response is a revisit: its head, and a reference to them. Right
    after a response comes what a browser made of it, where one did. `digest` is that of the body, where it is known.
    """
    head = status_line.encode("latin-1", "replace") + b"\r\n" + b"".join(_header(k, v) for k, v in response)
    if original:
        name, answer = _revisit(asked, head, body, original)
    else:
        head += b"Content-Length: %d\r\n" % len(body)
        payload = named_digest(digest) if digest else _digest(body)
        about = [("WARC-Payload-Digest", payload), ("Content-Type", "application/http; msgtype=response")]
        about += [("WARC-Truncated", truncated)] if truncated else []
        name, answer = record("response", [*asked.fields(), *about], head + b"\r\n" + body)
    made = _conversion(asked, name, rendered) if rendered else b""
    return answer + made + _request(asked, name) + _metadata(asked, name, facts)


def _revisit(asked: Asked, head: bytes, body: bytes, original: Original) -> tuple[str, bytes]:
    """Not modified, by the server's word, or the same bytes by their digest."""
    profile = "identical-payload-digest" if body else "server-not-modified"
    about = [
        ("WARC-Profile", f"http://netpreserve.org/warc/1.1/revisit/{profile}"),
        ("WARC-Refers-To-Target-URI", original.url),
        ("WARC-Refers-To-Date", original.date),
        ("Content-Type", "application/http; msgtype=response"),
    ]
    about += [("WARC-Payload-Digest", _digest(body))] if body else []
    return record("revisit", [*asked.fields(), *about], head + b"\r\n")


def _conversion(asked: Asked, answer: str, rendered: bytes) -> bytes:
    fields = [("WARC-Target-URI", asked.url), ("WARC-Date", asked.date), ("WARC-Refers-To", answer)]
    return record("conversion", [*fields, ("Content-Type", RENDERED_TYPE)], rendered)[1]


def rendered_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers of a response, as they are true of what a browser made of it."""
    kept = {name: value for name, value in headers.items() if name != "content-encoding"}
    return {**kept, "content-type": RENDERED_TYPE}


def _request(asked: Asked, answer: str) -> bytes:
    lines = "".join(f"{key}: {value}\r\n" for key, value in asked.request)
    fields = [("WARC-Concurrent-To", answer), ("Content-Type", "application/http; msgtype=request")]
    return record("request", [*asked.fields(), *fields], f"GET {_path(asked.url)} HTTP/1.1\r\n{lines}\r\n".encode())[
        1
    ]


def _metadata(asked: Asked, answer: str, facts: Sequence[tuple[str, str]]) -> bytes:
    lines = "".join(f"{key}: {_one_line(value)}\r\n" for key, value in facts if value)
    fields = [("WARC-Concurrent-To", answer), ("Content-Type", "application/warc-fields")]
    return record("metadata", [*asked.fields(), *fields], lines.encode("utf-8", "replace"))[1] if lines else b""


def _header(name: bytes, value: bytes) -> bytes:
    prefix = b"X-Crawler-" if name.lower() in _OF_THE_TRANSFER else b""
    return prefix + name + b": " + value.replace(b"\r", b" ").replace(b"\n", b" ") + b"\r\n"


def _path(url: str) -> str:
    return "/" + url.partition("://")[2].partition("/")[2]


def read_at(path: Path, offset: int) -> Archived:
    """The response that begins at an offset of a file."""
    with contextlib.suppress(OSError, EOFError), path.open("rb") as file:
        file.seek(offset)
        for found in responses(file):
            return found
    raise BadInput(f"{path} holds no response at byte {offset}: the file was changed after the crawl")


def member_at(path: Path, offset: int) -> bytes:
    """The gzip member that begins at an offset of a file, as it is: one record."""
    member, parts = zlib.decompressobj(31), []
    with contextlib.suppress(OSError, zlib.error), path.open("rb") as file:
        file.seek(offset)
        while not member.eof and (part := file.read(65_536)):
            _pass_by(member, part)
            parts.append(part[: len(part) - len(member.unused_data)])
    if not member.eof:
        raise BadInput(f"{path} holds no record at byte {offset}: the file was changed after the crawl")
    return b"".join(parts)


def _pass_by(member: zlib._Decompress, part: bytes) -> None:
    """Decompress and forget, a little at a time."""
    while part and not member.eof:
        member.decompress(part, 1_000_000)
        part = member.unconsumed_tail


def revisits(file: BinaryIO) -> Iterator[Revisit]:
    """The responses whose bytes stand in earlier records; those that a server only said not to have changed aside."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    for found in ArchiveIterator(file, record_types=WarcRecordType.revisit, parse_http=False):
        told = found.headers
        url, of_url = told.get("WARC-Target-URI"), told.get("WARC-Refers-To-Target-URI")
        if url and of_url and str(told.get("WARC-Profile") or "").rstrip("/").endswith("identical-payload-digest"):
            found.parse_http()
            status = found.http_headers.status_code if found.http_headers else 0
            yield Revisit(
                url.strip("<>"), status or 0, of_url.strip("<>"), str(told.get("WARC-Refers-To-Date") or "")
            )


def responses(file: BinaryIO) -> Iterator[Archived]:
    """All HTTP responses of a WARC file, in their order; EOFError when it ends within a record.

    Of a response that a browser rendered, the body is what came of it.
    """
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    at, held, name = 0, None, ""
    for found in ArchiveIterator(file, parse_http=False):
        at = found.stream_pos
        if held and _is_rendering(found, name):
            held = replace(held, headers=rendered_headers(held.headers), body=found.reader.read(), rendered=True)
            continue
        if held:  # whole, now that another record follows
            yield held
        held = None
        if found.record_type == WarcRecordType.response and found.is_http:
            found.parse_http()
            held, name = _archived(found), found.record_id or ""
    _check_end(file, at)
    if held:
        yield held


def _is_rendering(found: WarcRecord, response: str) -> bool:
    """Whether a record holds what a browser made of a response."""
    from fastwarc.warc import WarcRecordType

    told = found.headers
    refers = str(told.get("WARC-Refers-To") or "").strip("<>") == response.strip("<>")
    is_html = str(told.get("Content-Type") or "").startswith("text/html")
    return found.record_type == WarcRecordType.conversion and refers and is_html


def _archived(found: WarcRecord) -> Archived | None:
    url = found.headers.get("WARC-Target-URI")
    if not url or found.http_headers is None:
        return None
    headers, body = header_table(found.http_headers.items()), found.reader.read()
    if headers.get("transfer-encoding", "").lower().endswith("chunked"):
        body = _unchunked(body)
    date = found.headers.get("WARC-Date") or ""
    status, at = found.http_headers.status_code or 0, found.stream_pos
    return Archived(url.strip("<>"), status, headers, body, date, offset=at)


def _check_end(file: BinaryIO, at: int) -> None:
    """Raise EOFError when the last record is not all there, which FastWARC passes over in silence."""
    file.seek(at)
    rest: bytes = file.read()
    while rest.startswith(b"\x1f\x8b"):
        member = zlib.decompressobj(31)
        _pass_by(member, rest)
        if not member.eof:
            raise EOFError("it ends within a record")
        rest = member.unused_data
    while rest.startswith(b"WARC/"):
        head, _, block = rest.partition(b"\r\n\r\n")
        length = re.search(rb"(?im)^content-length:\s*(\d+)", head)
        if not length or len(block) < int(length[1]):
            raise EOFError("it ends within a record")
        rest = block[int(length[1]) :].lstrip(b"\r\n")


def _unchunked(body: bytes) -> bytes:
    """A body without chunk marks; one that has none is left alone: many archives keep only the header."""
    parts: list[bytes] = []
    at = 0
    while mark := _CHUNK_MARK.match(body, at):
        size = int(mark[1], 16)
        if not size:
            return b"".join(parts)
        at = mark.end() + size
        parts.append(body[mark.end() : at])
    return b"".join(parts) or body


def header_table(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Headers by lower-case name. Lists are joined, of anything else the last counts; no byte is left undecoded."""
    table: dict[str, str] = {}
    for name, value in headers:
        key = name.lower()
        if not value.isascii():
            value = _decoded(value.encode("utf-8", "surrogateescape"), as_url=key == "location")
        table[key] = f"{table[key]}{_LISTS[key]}{value}" if key in _LISTS and key in table else value
    return table


def _decoded(value: bytes, as_url: bool) -> str:
    """UTF-8, as far as it is; of a URL, other bytes are escaped, as browsers do."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        escaped = "".join(chr(byte) if byte < 128 else f"%{byte:02X}" for byte in value)
        return escaped if as_url else value.decode("utf-8", "replace")


def is_warc(path: Path) -> bool:
    """Whether a file begins like a WARC file, compressed or not."""
    with path.open("rb") as file:
        head = file.read(4096)
    if head.startswith(b"\x1f\x8b"):
        try:
            head = gzip.GzipFile(fileobj=io.BytesIO(head)).read1(16)
        except (OSError, EOFError, zlib.error):
            return False
    return head.startswith(b"WARC/")

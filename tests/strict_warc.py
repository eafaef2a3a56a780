"""A strict reader of WARC 1.1 files: whatever is not as the standard wants it fails."""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REQUIRED = {"WARC-Type", "WARC-Record-ID", "WARC-Date", "Content-Length", "Content-Type", "WARC-Block-Digest"}
ABOUT = {"WARC-Target-URI", "WARC-IP-Address", "WARC-Warcinfo-ID"}  # a request and its answer
REFERENCE = {"WARC-Profile", "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date"}
OPTIONAL = {
    "warcinfo": {"WARC-Filename"},
    "response": {*ABOUT, "WARC-Payload-Digest", "WARC-Truncated"},
    "revisit": {*ABOUT, *REFERENCE, "WARC-Payload-Digest", "WARC-Truncated"},
    "request": {*ABOUT, "WARC-Concurrent-To"},
    "metadata": {*ABOUT, "WARC-Concurrent-To"},
    "conversion": {"WARC-Target-URI", "WARC-Refers-To"},
}
CONTENT = {
    "warcinfo": "application/warc-fields",
    "metadata": "application/warc-fields",
    "response": "application/http; msgtype=response",
    "revisit": "application/http; msgtype=response",
    "request": "application/http; msgtype=request",
    "conversion": "text/html; charset=utf-8",
}
SHAPES = {
    "WARC-Record-ID": r"<urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}>",
    "WARC-Refers-To": r"<urn:uuid:[0-9a-f-]{36}>",
    "WARC-Concurrent-To": r"<urn:uuid:[0-9a-f-]{36}>",
    "WARC-Warcinfo-ID": r"<urn:uuid:[0-9a-f-]{36}>",
    "WARC-Date": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z",
    "WARC-Target-URI": r"https?://[\x21-\x3b\x3d\x3f-\x7e]+",
    "WARC-IP-Address": r"[0-9a-f.:]+",
    "WARC-Truncated": r"length|time|disconnect",
    "WARC-Refers-To-Target-URI": r"https?://[\x21-\x3b\x3d\x3f-\x7e]+",
    "WARC-Refers-To-Date": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z",
    "WARC-Profile": r"http://netpreserve\.org/warc/1\.1/revisit/(identical-payload-digest|server-not-modified)",
    "WARC-Filename": r"[\w.-]+",
    "Content-Length": r"0|[1-9]\d*",
}


@dataclass(frozen=True)
class Record:
    """One record, and where in its file it begins."""

    offset: int
    fields: dict[str, str]
    block: bytes

    @property
    def type(self) -> str:
        """What kind of record it is."""
        return self.fields["WARC-Type"]

    @property
    def url(self) -> str:
        """What was asked for."""
        return self.fields["WARC-Target-URI"]

    @property
    def head(self) -> bytes:
        """The head of the HTTP message in the block."""
        return self.block.partition(b"\r\n\r\n")[0]

    @property
    def body(self) -> bytes:
        """The body of the HTTP message in the block."""
        return self.block.partition(b"\r\n\r\n")[2]


def strict_records(path: Path) -> list[Record]:
    """All records of a file, each of them and their order checked."""
    records = [_record(offset, text) for offset, text in _members(path.read_bytes())]
    names = [record.fields["WARC-Record-ID"] for record in records]
    assert len(set(names)) == len(names), "an id is used twice"
    assert [record.type for record in records[:1]] == ["warcinfo"], "a file begins with a warcinfo record"
    _check_pairs(records[1:])
    return records


def _members(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Every gzip member with its offset; the file ends where the last one does."""
    offset = 0
    while offset < len(data):
        member = zlib.decompressobj(31)
        text = member.decompress(data[offset:])
        assert member.eof, f"the member at {offset} is not whole"
        yield offset, text
        offset = len(data) - len(member.unused_data)


def _record(offset: int, text: bytes) -> Record:
    version, head, rest = text.split(b"\r\n", 1)[0], *text.partition(b"\r\n\r\n")[::2]
    assert version == b"WARC/1.1", version
    fields: dict[str, str] = {}
    for line in head.split(b"\r\n")[1:]:
        assert re.fullmatch(rb"[A-Za-z-]+: [^\x00-\x1f\x7f]+", line), line
        name, _, value = line.decode().partition(": ")
        assert name not in fields, f"{name} twice"
        assert re.fullmatch(SHAPES.get(name, ".+"), value), line
        fields[name] = value
    _check_names(fields)
    length = int(fields["Content-Length"])
    assert rest[length:] == b"\r\n\r\n", "the block is not as long as it says"
    record = Record(offset, fields, rest[:length])
    _check_content(record)
    return record


def _check_names(fields: dict[str, str]) -> None:
    kind = fields.get("WARC-Type", "")
    assert kind in OPTIONAL, f"unknown type {kind}"
    assert set(fields) >= REQUIRED, f"missing: {REQUIRED - set(fields)}"
    assert set(fields) <= REQUIRED | OPTIONAL[kind], f"unknown: {set(fields) - REQUIRED - OPTIONAL[kind]}"
    assert fields["Content-Type"] == CONTENT[kind]
    datetime.fromisoformat(fields["WARC-Date"])


def _check_content(record: Record) -> None:
    assert record.fields["WARC-Block-Digest"] == _sha1(record.block)
    if CONTENT[record.type] == "application/warc-fields":
        assert re.fullmatch(rb"([A-Za-z-]+: [^\x00-\x1f\x7f]*\r\n)+", record.block), record.block
        return
    if record.type == "conversion":
        record.block.decode()
        return
    assert b"\r\n\r\n" in record.block, "the HTTP head has no end"
    first, *lines = record.head.split(b"\r\n")
    shape = rb"GET /\S* HTTP/1\.1" if record.type == "request" else rb"HTTP/1\.[01] \d{3}( [^\r\n]*)?"
    assert re.fullmatch(shape, first), first
    assert all(re.fullmatch(rb"[^\x00-\x20\x7f:]+: ?[^\r\n]*", line) for line in lines), lines
    if record.type == "response":
        assert record.fields["WARC-Payload-Digest"] == _sha1(record.body)
        _check_lengths(record, lines)
    elif record.type == "revisit":
        assert not record.body
        assert set(record.fields) >= REFERENCE


def _check_lengths(record: Record, lines: list[bytes]) -> None:
    """The body in the block has lost its transfer coding, and the head says so."""
    table = [line.partition(b":")[0].lower() for line in lines]
    assert b"transfer-encoding" not in table
    assert table.count(b"content-length") == 1
    length = lines[table.index(b"content-length")].partition(b":")[2]
    assert int(length) == len(record.body)


def _check_pairs(records: list[Record]) -> None:
    """After every answer comes the request it answers, and perhaps a word about it."""
    answer, before = None, ""
    for record in records:
        assert record.type in FOLLOWS[before], f"{record.type} after {before or 'the beginning'}"
        before = record.type
        if record.type in ("response", "revisit"):
            answer = record
            continue
        assert answer is not None
        refers = "WARC-Refers-To" if record.type == "conversion" else "WARC-Concurrent-To"
        assert record.fields[refers] == answer.fields["WARC-Record-ID"]
        assert (record.url, record.fields["WARC-Date"]) == (answer.url, answer.fields["WARC-Date"])
    assert before in ("", "request", "metadata"), "the last answer lacks its request"


FOLLOWS = {
    "": ("response", "revisit"),
    "response": ("request", "conversion"),
    "conversion": ("request",),
    "revisit": ("request",),
    "request": ("response", "revisit", "metadata"),
    "metadata": ("response", "revisit"),
}


def _sha1(data: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()

"""WARC records: written strictly by the standard, read however others wrote them."""

import base64
import gzip
import hashlib
import io
import re
import zlib

import pytest

from honeyguide.base import BadInput, Original
from honeyguide.store.warc import (
    Asked,
    exchange_records,
    header_table,
    info_record,
    is_warc,
    read_at,
    record,
    responses,
)

DATE = "2026-01-02T03:04:05Z"
URL = "http://a.example/page?q=1"


def strict_records(data: bytes) -> list[tuple[dict[str, str], bytes]]:
    """Fields and block of every record; anything that is not as WARC 1.1 wants it fails."""
    found = []
    while data:
        stream = zlib.decompressobj(31)
        text = stream.decompress(data)
        assert stream.eof, "a gzip member is not complete"
        data = stream.unused_data
        found.append(_strict_record(text))
    names = [fields["WARC-Record-ID"] for fields, _ in found]
    assert len(set(names)) == len(names)
    return found


def _strict_record(text: bytes) -> tuple[dict[str, str], bytes]:
    head, _, rest = text.partition(b"\r\n\r\n")
    version, *lines = head.split(b"\r\n")
    assert version == b"WARC/1.1"
    fields: dict[str, str] = {}
    for line in lines:
        assert re.fullmatch(rb"[A-Za-z-]+: [^\x00-\x1f\x7f]+", line), line
        name, _, value = line.decode().partition(": ")
        assert name not in fields, f"{name} twice"
        fields[name] = value
    length = int(fields["Content-Length"])
    assert rest[length:] == b"\r\n\r\n", "the block is not as long as it says, or more than one record in a member"
    block = rest[:length]
    assert re.fullmatch(r"<urn:uuid:[0-9a-f-]{36}>", fields["WARC-Record-ID"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", fields["WARC-Date"])
    assert fields["WARC-Block-Digest"] == sha1(block)
    if fields["WARC-Type"] in ("request", "response"):
        assert " " not in fields["WARC-Target-URI"]
        _, ended, body = block.partition(b"\r\n\r\n")
        assert ended
        assert fields.get("WARC-Payload-Digest", sha1(body)) == sha1(body)
    elif fields["WARC-Type"] == "revisit":
        _check_revisit(fields, block)
    elif fields.get("Content-Type") == "application/warc-fields":
        assert re.fullmatch(rb"(?:[A-Za-z]+: [^\x00-\x1f\x7f]+\r\n)*", block), block
    return fields, block


def _check_revisit(fields: dict[str, str], block: bytes) -> None:
    """It names a profile and what it refers to, and holds the head of the answer, but no body."""
    profile = fields["WARC-Profile"].removeprefix("http://netpreserve.org/warc/1.1/revisit/")
    assert profile in ("identical-payload-digest", "server-not-modified")
    assert ("WARC-Payload-Digest" in fields) == (profile == "identical-payload-digest")
    assert fields["WARC-Refers-To-Target-URI"].startswith("http")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", fields["WARC-Refers-To-Date"])
    assert fields["Content-Type"] == "application/http; msgtype=response"
    assert block.startswith(b"HTTP/1.1 ")
    assert block.endswith(b"\r\n\r\n")
    assert block.count(b"\r\n\r\n") == 1


def sha1(data: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()


def exchange(
    url=URL,
    address="192.0.2.1",
    status="HTTP/1.1 200 OK",
    headers=((b"Content-Type", b"text/html"),),
    body=b"hi",
    truncated="",
    original=None,
    facts=(),
):
    asked = [("Host", "a.example"), ("User-Agent", "bee")]
    return exchange_records(Asked(url, DATE, address, asked), status, headers, body, truncated, original, facts)


def test_an_exchange_by_the_letter():
    (answer, block), (question, asked) = strict_records(exchange())
    assert list(answer) == [
        "WARC-Type",
        "WARC-Record-ID",
        "WARC-Target-URI",
        "WARC-Date",
        "WARC-IP-Address",
        "WARC-Payload-Digest",
        "Content-Type",
        "WARC-Block-Digest",
        "Content-Length",
    ]
    assert answer["WARC-Type"] == "response"
    assert answer["WARC-Target-URI"] == question["WARC-Target-URI"] == URL
    assert answer["WARC-Date"] == question["WARC-Date"] == DATE
    assert answer["WARC-IP-Address"] == question["WARC-IP-Address"] == "192.0.2.1"
    assert answer["Content-Type"] == "application/http; msgtype=response"
    assert answer["WARC-Payload-Digest"] == "sha1:YIVV7ELYGQTASQUNN5I3FRNPJQF542SC"
    assert block == b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi"
    assert question["WARC-Type"] == "request"
    assert question["WARC-Concurrent-To"] == answer["WARC-Record-ID"]
    assert question["Content-Type"] == "application/http; msgtype=request"
    assert asked == b"GET /page?q=1 HTTP/1.1\r\nHost: a.example\r\nUser-Agent: bee\r\n\r\n"


def test_without_an_address_none_is_claimed():
    (answer, _), _ = strict_records(exchange(address=""))
    assert "WARC-IP-Address" not in answer


@pytest.mark.parametrize("why", ["length", "time", "disconnect"])
def test_a_body_that_is_not_whole_is_marked(why):
    data = exchange(headers=[(b"Content-Length", b"1000")], truncated=why)
    (answer, block), (question, _) = strict_records(data)
    assert answer["WARC-Truncated"] == why
    assert "WARC-Truncated" not in question
    assert block.endswith(b"\r\nX-Crawler-Content-Length: 1000\r\nContent-Length: 2\r\n\r\nhi")
    (found,) = responses(io.BytesIO(data))
    assert found.body == b"hi"


def test_a_body_that_is_whole_is_not():
    assert all("WARC-Truncated" not in fields for fields, _ in strict_records(exchange()))


def test_headers_of_the_transfer_do_not_describe_the_block():
    sent = [(b"Transfer-Encoding", b"chunked"), (b"content-length", b"999"), (b"Content-Encoding", b"gzip")]
    (_, block), _ = strict_records(exchange(headers=sent, body=b"12345"))
    assert block.partition(b"\r\n\r\n")[0].split(b"\r\n")[1:] == [
        b"X-Crawler-Transfer-Encoding: chunked",
        b"X-Crawler-content-length: 999",
        b"Content-Encoding: gzip",
        b"Content-Length: 5",
    ]


def test_info_record():
    ((fields, block),) = strict_records(info_record("crawl-00000.warc.gz", DATE, "honeyguide/0.1"))
    assert (fields["WARC-Type"], fields["WARC-Filename"]) == ("warcinfo", "crawl-00000.warc.gz")
    assert fields["Content-Type"] == "application/warc-fields"
    assert block == b"software: honeyguide/0.1\r\nformat: WARC File Format 1.1\r\n"


HOSTILE = ["\r\nWARC-Type:request", "a\nb", "a\rb", "a\0b", "\x1b[31m", "\x7f", "\t"]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_byte_of_the_web_becomes_a_field(text):
    (answer, _), (question, _) = strict_records(exchange(url=URL + text, address="1" + text))
    assert len(answer) == 9
    assert len(question) == 9
    assert answer["WARC-Target-URI"].startswith(URL)
    ((fields, _),) = strict_records(record("metadata", [("WARC-Date", DATE), ("X-Title", text)], b"")[1])
    assert len(fields) == 6


@pytest.mark.parametrize("text", HOSTILE)
def test_nor_a_header_of_the_block(text):
    value = b"x" + text.encode()
    (answer, block), _ = strict_records(exchange(headers=[(b"X-Bee", value), (b"Content-Type", value)]))
    assert len(answer) == 9
    assert answer["Content-Type"] == "application/http; msgtype=response"
    assert len(block.partition(b"\r\n\r\n")[0].split(b"\r\n")) == 4


def test_a_status_line_in_any_script():
    (_, block), _ = strict_records(exchange(status="HTTP/1.1 200 Très bien ✓"))
    assert block.startswith("HTTP/1.1 200 Très bien ?\r\n".encode("latin-1"))


@pytest.mark.parametrize("body", [b"", b"\r\n\r\n", b"WARC/1.1\r\n", bytes(range(256)) * 4000])
def test_any_body_comes_back(body):
    data = exchange(body=body)
    strict_records(data)
    (found,) = responses(io.BytesIO(data))
    assert (found.url, found.status, found.body) == (URL, 200, body)
    assert found.headers["content-length"] == str(len(body))


def test_responses_in_their_order_and_by_offset(tmp_path):
    path = tmp_path / "a.warc.gz"
    info, first, second = (
        info_record(path.name, DATE, "x"),
        exchange(body=b"one"),
        exchange(body=b"two", status="HTTP/1.1 404 Gone"),
    )
    path.write_bytes(info + first + second)
    with path.open("rb") as file:
        assert [(found.body, found.status) for found in responses(file)] == [(b"one", 200), (b"two", 404)]
    assert read_at(path, len(info)).body == b"one"
    assert read_at(path, len(info) + len(first)).body == b"two"


def test_nothing_at_an_offset(tmp_path):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(exchange())
    for offset in (path.stat().st_size, path.stat().st_size + 10):
        with pytest.raises(BadInput, match=f"holds no response at byte {offset}"):
            read_at(path, offset)


@pytest.mark.parametrize("inside", [1, 30])
def test_an_offset_inside_a_record_is_told_plainly(tmp_path, inside):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(exchange())
    with pytest.raises(BadInput, match="changed after the crawl"):
        read_at(path, inside)


def test_headers_on_several_lines_are_joined_where_they_are_lists():
    sent = [
        (b"X-Robots-Tag", b"noindex"),
        (b"X-Robots-Tag", b"nofollow"),
        (b"Content-Type", b"a/b"),
        (b"content-type", b"c/d"),
    ]
    (found,) = responses(io.BytesIO(exchange(headers=sent)))
    assert found.headers["x-robots-tag"] == "noindex\nnofollow"
    assert found.headers["content-type"] == "c/d"


# -- revisits and metadata ----------------------------------------------------------------------------------------

BEFORE = Original("http://a.example/first", "2025-12-31T23:59:59Z", 0, 1234)


def test_the_same_bytes_again_are_referred_to():
    (answer, block), (question, _) = strict_records(exchange(original=BEFORE, body=b"hi"))
    assert answer["WARC-Type"] == "revisit"
    assert answer["WARC-Profile"].endswith("/identical-payload-digest")
    assert answer["WARC-Payload-Digest"] == sha1(b"hi")
    assert answer["WARC-Refers-To-Target-URI"] == BEFORE.url
    assert answer["WARC-Refers-To-Date"] == BEFORE.date
    assert (answer["WARC-Target-URI"], answer["WARC-Date"]) == (URL, DATE)
    assert block == b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    assert question["WARC-Concurrent-To"] == answer["WARC-Record-ID"]


def test_so_is_what_the_server_says_has_not_changed():
    data = exchange(original=BEFORE, body=b"", status="HTTP/1.1 304 Not Modified", headers=[(b"ETag", b'"7"')])
    (answer, block), _ = strict_records(data)
    assert (answer["WARC-Type"], answer["WARC-Profile"].rpartition("/")[2]) == ("revisit", "server-not-modified")
    assert block == b'HTTP/1.1 304 Not Modified\r\nETag: "7"\r\n\r\n'


def test_a_revisit_is_no_response():
    assert list(responses(io.BytesIO(exchange(original=BEFORE)))) == []


def test_what_is_known_of_a_page_stands_in_a_record_of_its_own():
    facts = [("fetchTimeMs", "12"), ("title", "Bücher & \r\nWARC-Type: request"), ("language", ""), ("links", "3")]
    (answer, _), _, (about, block) = strict_records(exchange(facts=facts))
    assert (about["WARC-Type"], about["WARC-Concurrent-To"]) == ("metadata", answer["WARC-Record-ID"])
    assert (about["WARC-Target-URI"], about["WARC-Date"]) == (URL, DATE)
    lines = block.decode().split("\r\n")
    assert lines == ["fetchTimeMs: 12", "title: Bücher & %0D%0AWARC-Type: request", "links: 3", ""]


def test_where_nothing_is_known_there_is_none():
    assert len(strict_records(exchange(facts=[("title", "")]))) == 2


@pytest.mark.parametrize("text", HOSTILE)
def test_no_byte_of_the_web_becomes_a_field_of_these(text):
    before = Original(URL + text, DATE, 0, 0)
    (answer, _), _, (_, block) = strict_records(
        exchange(original=before, facts=[("title", "x" + text), ("detail", text)])
    )
    assert len(answer) == 12
    assert block.count(b"\r\n") == 2


# -- files of others ----------------------------------------------------------------------------------------------


def by_hand(block: bytes, url: str = URL, kind: str = "response", extra: str = "") -> bytes:
    """A record as the text of the standard has it, uncompressed."""
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:0b0a0c0d-0000-4000-8000-000000000001>\r\n"
    head += f"WARC-Date: {DATE}\r\nWARC-Target-URI: {url}\r\n{extra}"
    head += f"Content-Type: application/http; msgtype={kind}\r\nContent-Length: {len(block)}\r\n\r\n"
    return head.encode() + block + b"\r\n\r\n"


CHUNKED = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"4\r\nbees\r\n7;note=1\r\n, wasps\r\n0\r\n\r\n"
)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_chunked_body_is_put_together(pack):
    (found,) = responses(io.BytesIO(pack(by_hand(CHUNKED))))
    assert found.body == b"bees, wasps"


def test_a_body_that_says_it_is_chunked_and_is_not_is_taken_as_it_is():
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    bodies = [b"<p>bees</p>", b"feed the bees\n", b"", b"12\r\nsix"]
    found = responses(io.BytesIO(b"".join(by_hand(head + body) for body in bodies)))
    assert [item.body for item in found] == [b"<p>bees</p>", b"feed the bees\n", b"", b"six"]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_only_http_responses_are_read(pack):
    plain = b"HTTP/1.1 200 OK\r\n\r\nhi"
    records = [
        by_hand(b"GET / HTTP/1.1\r\n\r\n", kind="request"),
        by_hand(plain, url="<http://b.example/>"),
        by_hand(b"a title", kind="metadata"),
        by_hand(plain, url="http://c.example/"),
    ]
    found = list(responses(io.BytesIO(b"".join(map(pack, records)))))
    assert [item.url for item in found] == ["http://b.example/", "http://c.example/"]
    assert [item.body for item in found] == [b"hi", b"hi"]


def test_is_warc(tmp_path):
    path = tmp_path / "file"
    yes = [by_hand(CHUNKED), gzip.compress(by_hand(CHUNKED)), exchange(), exchange(body=bytes(range(256)) * 4000)]
    for data in yes:
        path.write_bytes(data)
        assert is_warc(path)


@pytest.mark.parametrize(
    "junk",
    [
        b"",
        b"WARC",
        b"<html>",
        b'{"url": "http://a.example/"}\n',
        b"\x1f\x8b",
        b"\x1f\x8b" + bytes(100),
        b"\x1f\x8b\x08" + b"\xff" * 100,
        b"\x1f\x8b\x08\0\0\0\0\0\0\0" + b"\xff" * 100,
        gzip.compress(b"hello", mtime=0),
        gzip.compress(b"WARC/1.0", mtime=0)[:12],
        b"\0" * 100,
    ],
)
def test_junk_is_no_warc(junk, tmp_path):
    path = tmp_path / "file.warc.gz"
    path.write_bytes(junk)
    assert not is_warc(path)


def test_what_a_browser_made_of_a_response_is_read_in_its_place(tmp_path):
    sent = [(b"Content-Type", b"text/html"), (b"Content-Encoding", b"br"), (b"X-Robots-Tag", b"noindex")]
    rendered = exchange_records(Asked(URL, DATE, "", ()), "HTTP/1.1 200 OK", sent, b"shell", rendered=b"<p>bees")
    path = tmp_path / "a.warc.gz"
    info = info_record("a.warc.gz", DATE, "test")
    path.write_bytes(info + rendered + exchange(body=b"next"))
    kinds = [fields["WARC-Type"] for fields, _ in strict_records(path.read_bytes())]
    assert kinds[:4] == ["warcinfo", "response", "conversion", "request"]
    with path.open("rb") as file:
        first, second = responses(file)
    assert (first.body, first.rendered, second.body, second.rendered) == (b"<p>bees", True, b"next", False)
    assert first.headers["content-type"] == "text/html; charset=utf-8"
    assert first.headers["x-robots-tag"] == "noindex"
    assert "content-encoding" not in first.headers
    assert read_at(path, len(info)) == first


def test_a_conversion_of_something_else_is_passed_over(tmp_path):
    rendered = exchange_records(Asked(URL, DATE, "", ()), "HTTP/1.1 200 OK", [], b"shell", rendered=b"<p>bees")
    members, rest = [], rendered
    while rest:
        member = zlib.decompressobj(31)
        members.append(member.decompress(rest))
        rest = member.unused_data
    other = re.sub(rb"WARC-Refers-To: <[^>]*>", b"WARC-Refers-To: <urn:uuid:0>", members[1])
    (found,) = responses(io.BytesIO(members[0] + other + members[2]))
    assert (found.body, found.rendered) == (b"shell", False)


def test_a_location_that_is_not_utf8_is_escaped_as_browsers_do():
    told = header_table([("Location", b"/stra\xdfe?q=\xe4".decode("utf-8", "surrogateescape")), ("X", "b\udcfc")])
    assert told == {"location": "/stra%DFe?q=%E4", "x": "b\ufffd"}
    assert header_table([("Location", "/straße")]) == {"location": "/straße"}

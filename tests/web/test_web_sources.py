"""Files of pages: JSONL, WARC and WACZ, sound and damaged."""

import gzip
import json
import zipfile
import zlib

import pytest

import honeyguide as hg
from honeyguide.atlas import Atlas
from honeyguide.base import BadInput, Original, Page
from honeyguide.store.warc import Asked, exchange_records, info_record
from honeyguide.web.sources import BadEntry, read_source
from loopback import Loopback, answer
from small_webs import stored

BEES = {
    "url": "HTTP://Bees.example:80/",
    "title": "Bees",
    "text": "All about bees",
    "language": "en",
    "label": "insects",
    "links": [
        {"url": "honey#jar", "anchor": "Honey"},
        {"url": "mailto:me@bees.example"},
        {"url": "http://wasps.example/", "anchor": None},
    ],
}


def jsonl(*entries):
    return "".join((entry if isinstance(entry, str) else json.dumps(entry)) + "\n" for entry in entries).encode()


def read(tmp_path, data, name="pages.jsonl"):
    path = tmp_path / name
    path.write_bytes(data)
    return list(read_source(path))


def reasons(items):
    return [str(item) if isinstance(item, BadEntry) else item.url for item in items]


# -- JSONL --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pack", "name"), [(bytes, "a.jsonl"), (gzip.compress, "a.jsonl.gz"), (gzip.compress, "a.jsonl")]
)
def test_a_page_with_links(tmp_path, pack, name):
    (page,) = read(tmp_path, pack(jsonl(BEES)), name)
    assert isinstance(page, Page)
    assert (page.url, page.title, page.text, page.main) == (
        "http://bees.example/",
        "Bees",
        "All about bees",
        "All about bees",
    )
    assert (page.language, page.label, page.bad_links) == ("en", "insects", 1)
    assert [(link.url, link.anchor, link.position) for link in page.links] == [
        ("http://bees.example/honey", "Honey", 0),
        ("http://wasps.example/", "", 1),
    ]


def test_only_the_url_is_needed(tmp_path):
    (page,) = read(tmp_path, jsonl({"url": "http://a.example/", "links": None, "extra": [1]}))
    assert (page.title, page.text, page.links, page.label) == ("", "", (), "")


def test_a_byte_order_mark_and_blank_lines(tmp_path):
    data = b"\xef\xbb\xbf" + jsonl(BEES, "", "   ", {"url": "http://a.example/"}) + b'{"url": "http://b.example/"}'
    assert reasons(read(tmp_path, data)) == ["http://bees.example/", "http://a.example/", "http://b.example/"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"url": "http://a.exa', "not JSON"),
        ("{" * 100_000, "not JSON"),
        ('{"url": "http://a.example/", "n": ' + "1" * 5000 + "}", "not JSON"),
        ("[1, 2]", 'no "url"'),
        ('"http://a.example/"', 'no "url"'),
        ({"title": "x"}, 'no "url"'),
        ({"url": 3}, 'no "url"'),
        ({"url": None}, 'no "url"'),
        ({"url": ""}, "'' is no URL (empty)"),
        ({"url": "ftp://a.example/"}, "'ftp://a.example/' is no URL (not http or https)"),
        ({"url": "http://\ud800/"}, "is no URL"),
        ({"url": "http://a.example/", "text": 3}, "not as expected"),
        ({"url": "http://a.example/", "title": ["x"]}, "not as expected"),
        ({"url": "http://a.example/", "label": {}}, "not as expected"),
        ({"url": "http://a.example/", "links": "x"}, "not as expected"),
        ({"url": "http://a.example/", "links": 7}, "not as expected"),
        ({"url": "http://a.example/", "links": ["http://b.example/"]}, "not as expected"),
        ({"url": "http://a.example/", "links": [{"anchor": "x"}]}, "not as expected"),
        ({"url": "http://a.example/", "links": [{"url": 3}]}, "not as expected"),
        ({"url": "http://a.example/", "links": [{"url": "/", "anchor": 3}]}, "not as expected"),
    ],
)
def test_a_bad_line_is_named_by_its_number(tmp_path, line, reason):
    first, bad, last = read(tmp_path, jsonl(BEES, line, {"url": "http://z.example/"}))
    assert isinstance(first, Page)
    assert isinstance(bad, BadEntry)
    assert bad.place == "line 2"
    assert reason in bad.reason
    assert last.url == "http://z.example/"


def test_bytes_that_are_no_text(tmp_path):
    _, bad, last = read(tmp_path, jsonl(BEES) + b'{"url": "http://a.example/\xff"}\n' + jsonl(BEES))
    assert (bad.place, isinstance(last, Page)) == ("line 2", True)


def test_half_a_character_does_not_stop_an_import(tmp_path):
    halves = {
        "url": "http://a.example/",
        "title": "bee \ud83d",
        "text": "\ude00 hive",
        "links": [{"url": "/b", "anchor": "\ud83d"}],
    }
    (page,) = read(tmp_path, jsonl(halves))
    assert (page.title, page.text, page.links[0].anchor) == ("bee \ufffd", "\ufffd hive", "\ufffd")
    assert Atlas(stored(tmp_path / "web", page)).page(0) == page


@pytest.mark.parametrize(
    "data", [b"<html></html>\n", b"\0\1\2", b"url,title\nhttp://a.example/,A\n", b"[\n", b"\n<html>"]
)
def test_what_is_neither_warc_nor_jsonl(tmp_path, data):
    with pytest.raises(BadInput, match="no WARC, no JSONL file and no edge list"):
        read(tmp_path, data)


def test_an_empty_file_holds_no_pages(tmp_path):
    assert read(tmp_path, b"") == []


LINES = jsonl(*({"url": f"http://a.example/{i}", "text": f"{i * 7919} bees"} for i in range(2000)))
PACKED = gzip.compress(LINES)


def packed_and_spoilt():
    stream = zlib.compressobj(wbits=31)
    return stream.compress(LINES) + stream.flush(zlib.Z_FULL_FLUSH) + b"\xff" * 100  # there is no such kind of block


@pytest.mark.parametrize(
    "data",
    [
        PACKED[:-1],
        PACKED[: len(PACKED) // 2],
        PACKED[: len(PACKED) // 2] + b"\xff" * 100 + PACKED[len(PACKED) // 2 + 100 :],
        PACKED[:-8] + b"\0" * 8,
        PACKED + b"trailing rubbish",
        packed_and_spoilt(),
    ],
)
def test_a_damaged_gz_gives_what_came_before_and_says_so(tmp_path, data):
    *items, bad = read(tmp_path, data, "a.jsonl.gz")
    assert len(items) > 500
    assert [page.url for page in items[:500]] == [f"http://a.example/{i}" for i in range(500)]
    assert isinstance(bad, BadEntry)
    assert "cut short or damaged" in bad.reason


# -- WARC ---------------------------------------------------------------------------------------------------------

DATE = "2026-01-02T03:04:05Z"


def exchange(url, body, status="HTTP/1.1 200 OK", **headers):
    sent = [(b"Content-Type", b"text/html")]
    sent += [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return exchange_records(Asked(url, DATE, "", []), status, sent, body)


def warc_of(*records):
    return info_record("x.warc.gz", DATE, "x") + b"".join(records)


WARC = warc_of(
    exchange("http://a.example/", b"<title>A</title><a href='/b'>b</a>"),
    exchange("http://a.example/gone", b"<title>no</title>", "HTTP/1.1 404 Gone"),
    exchange("http://a.example/moved", b"", "HTTP/1.1 301 Moved"),
    exchange("http://a.example/z", gzip.compress(b"<title>Z</title>"), Content_Encoding="gzip"),
    exchange("http://a.example/bad", b"x", Content_Encoding="rot13"),
    exchange("ftp://a.example/", b"x"),
    exchange("http://a.example/last", b"<title>Last</title>"),
)


@pytest.mark.parametrize(("pack", "name"), [(bytes, "a.warc.gz"), (gzip.decompress, "a.warc"), (bytes, "a.bin")])
def test_the_pages_of_a_warc(tmp_path, pack, name):
    first, packed, bad, strange, last = read(tmp_path, pack(WARC), name)
    assert (first.url, first.title, [link.url for link in first.links]) == (
        "http://a.example/",
        "A",
        ["http://a.example/b"],
    )
    assert (packed.url, packed.title) == ("http://a.example/z", "Z")
    assert str(bad) == "record of http://a.example/bad: bad_encoding: unknown content encoding 'rot13'"
    assert str(strange) == "record of 'ftp://a.example/': no URL (not http or https)"
    assert last.title == "Last"


@pytest.mark.parametrize("keep", [0.5, 0.9])
@pytest.mark.parametrize("pack", [bytes, gzip.decompress])
def test_a_warc_cut_short_says_so(tmp_path, pack, keep):
    body = b"<title>A</title>" + bytes(range(32, 127)) * 50
    whole = pack(warc_of(*(exchange(f"http://a.example/{i}", body) for i in range(10))))
    *pages, bad = read(tmp_path, whole[: int(len(whole) * keep)], "a.warc.gz")
    assert len(pages) >= 4
    assert all(isinstance(page, Page) and page.text.count("~") == 50 for page in pages)
    assert isinstance(bad, BadEntry)
    assert "cut short or damaged" in bad.reason


def test_a_damaged_warc_says_so(tmp_path):
    whole = warc_of(*(exchange(f"http://a.example/{i}", b"<title>A</title>") for i in range(10)))
    middle = len(whole) // 2
    *pages, bad = read(tmp_path, whole[:middle] + b"\xff" * 50 + whole[middle + 50 :], "a.warc.gz")
    assert len(pages) >= 4
    assert isinstance(bad, BadEntry)
    assert bad.place == "the file after the last good record"


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.wacz"])
@pytest.mark.parametrize(
    "data", [b"", b"junk", b"<html>", gzip.compress(b"junk", mtime=0), b'{"url": "http://a.example/"}']
)
def test_what_is_no_warc_though_its_name_says_so(tmp_path, name, data):
    with pytest.raises(BadInput, match="is not a WARC file, though its name says so"):
        read(tmp_path, data, name)


# -- WACZ and the rest --------------------------------------------------------------------------------------------


def wacz(tmp_path, entries, method=zipfile.ZIP_STORED):
    path = tmp_path / "a.wacz"
    with zipfile.ZipFile(path, "w", method) as package:
        for name, data in entries.items():
            package.writestr(name, data)
    return path


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_the_pages_of_a_wacz(tmp_path, method):
    one = warc_of(exchange("http://a.example/1", b"<title>1</title>"))
    two = gzip.decompress(warc_of(exchange("http://a.example/2", b"<title>2</title>")))
    path = wacz(
        tmp_path,
        {"datapackage.json": "{}", "archive/1.warc.gz": one, "archive/2.warc": two, "other/3.warc": two},
        method,
    )
    assert [page.title for page in read_source(path)] == ["1", "2"]


def test_a_zip_that_is_no_wacz(tmp_path):
    with pytest.raises(BadInput, match="not a WACZ"):
        list(read_source(wacz(tmp_path, {"readme.txt": "hello"})))


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_damaged_wacz_says_so(tmp_path, method):
    records = [exchange(f"http://a.example/{i}", b"<title>A</title>") for i in range(100)]
    path = wacz(tmp_path, {"archive/1.warc.gz": warc_of(*records), "archive/2.warc.gz": warc_of(records[0])}, method)
    data = bytearray(path.read_bytes())
    data[30_000:30_050] = b"\xff" * 50
    path.write_bytes(data)
    items = list(read_source(path))
    assert isinstance(items[-1], Page)  # of the second file
    (bad,) = [item for item in items if isinstance(item, BadEntry)]
    assert bad.place == "archive/1.warc.gz after the last good record"
    assert "cut short or damaged" in bad.reason


def test_no_file_at_all(tmp_path):
    with pytest.raises(BadInput, match="does not exist"):
        read_source(tmp_path / "nothing.jsonl")
    with pytest.raises(BadInput, match=r"is a directory; name a JSONL"):
        read_source(tmp_path)


def test_pages_that_repeat_the_bytes_of_others_are_read_with_these(tmp_path):
    body = answer(b"<title>Bees</title><p>A hive.")
    start = answer(b"<a href=/one>1</a><a href=/two>2</a>")
    with Loopback({"/": start, "/one": body, "/two": body, "/robots.txt": answer(b"", "404 Not Found")}) as server:
        given = {"directory": tmp_path / "crawl", "delay": 0, "allow_private": True, "workers": 0}
        hg.Crawl([server.origin + "/"], "keyword:hive", "breadth-first", **given).run()
    (warc,) = (tmp_path / "crawl").glob("*.warc.gz")
    pages = {page.url: page.title for page in read_source(warc)}
    assert pages == {f"{server.origin}/": "", f"{server.origin}/one": "Bees", f"{server.origin}/two": "Bees"}


def test_what_repeats_a_page_that_is_not_there_is_named(tmp_path):
    original = Original("http://a.test/1", "2026-01-02T03:04:05Z", 0, 0)
    asked = Asked("http://a.test/2", "2026-01-02T03:05:05Z", "", ())
    file = tmp_path / "one.warc.gz"
    file.write_bytes(info_record("one.warc.gz", "2026-01-02T03:04:05Z", "us") + exchange_records(
        asked, "HTTP/1.1 200 OK", [(b"Content-Type", b"text/html")], b"<p>bees", "", original))  # fmt: skip
    (bad,) = read_source(file)
    assert (str(bad), bad.damaged) == (
        "record of 'http://a.test/2': it repeats http://a.test/1, which is not in the same file", False,
    )  # fmt: skip

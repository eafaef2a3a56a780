"""Content decoding: what servers send, and what they should not."""

import gzip
import random
import tracemalloc
import zlib

import brotli
import pytest
import zstandard

from honeyguide.base import FetchError
from honeyguide.web.content import decoded, read

TEXT = b"".join(b"<p>Bee number %d of the hive.</p>\n" % i for i in range(300))
MEGABYTE = 1_000_000


def deflated(data, wbits):
    stream = zlib.compressobj(9, zlib.DEFLATED, wbits)
    return stream.compress(data) + stream.flush()


def gzipped_with_name(data):
    """As `gzip file` makes it, with the name of the file in the header."""
    plain = gzip.compress(data)
    return plain[:3] + b"\x08" + plain[4:10] + b"bees.html\0" + plain[10:]


@pytest.mark.parametrize(
    ("encodings", "body"),
    [
        ("", TEXT),
        ("identity", TEXT),
        ("gzip", gzip.compress(TEXT)),
        ("x-gzip", gzip.compress(TEXT)),
        ("GZip ", gzip.compress(TEXT)),
        ("gzip", gzipped_with_name(TEXT)),
        ("br", brotli.compress(TEXT)),
        ("zstd", zstandard.compress(TEXT)),
        ("ZSTD", zstandard.ZstdCompressor(write_content_size=False).compress(TEXT)),
        ("zstd", zstandard.compress(TEXT[:5000]) + zstandard.compress(TEXT[5000:])),
        ("zstd", b"\x50\x2a\x4d\x18\x04\0\0\0bees" + zstandard.compress(TEXT)),  # after a frame to be skipped
        ("gzip, zstd", zstandard.compress(gzip.compress(TEXT))),
        ("deflate", deflated(TEXT, -15)),
        *(("deflate", deflated(TEXT, wbits)) for wbits in range(9, 16)),
        ("gzip, br", brotli.compress(gzip.compress(TEXT))),
        ("br, gzip", gzip.compress(brotli.compress(TEXT))),
        (
            "gzip,, gzip,gzip ,gzip, gzip",
            gzip.compress(gzip.compress(gzip.compress(gzip.compress(gzip.compress(TEXT))))),
        ),
    ],
)
def test_encodings(encodings, body):
    damage = []
    assert decoded(body, encodings, MEGABYTE, damage=damage) == TEXT
    assert damage == []


@pytest.mark.parametrize("encodings", ["gzip", "br", "deflate", "zstd"])
def test_an_empty_body_stays_empty(encodings):
    assert decoded(b"", encodings, MEGABYTE) == b""


@pytest.mark.parametrize("count", [6, 1000])
def test_too_many_encodings(count):
    with pytest.raises(FetchError) as error:
        decoded(TEXT, ",".join(["gzip"] * count), MEGABYTE)
    assert (error.value.reason, error.value.detail) == ("bad_encoding", f"{count} content encodings")


def test_unknown_encoding():
    with pytest.raises(FetchError, match="bad_encoding: unknown content encoding 'rot13'"):
        decoded(TEXT, "rot13", MEGABYTE)


ZEROS = bytes(50 * MEGABYTE)
BOMBS = {
    "gzip": gzip.compress(ZEROS, 6),
    "deflate": zlib.compress(ZEROS, 6),
    "br": brotli.compress(ZEROS, quality=5),
    "zstd": zstandard.compress(ZEROS),
    "gzip, br": brotli.compress(gzip.compress(ZEROS, 6), quality=5),
}
PACKERS = {"gzip": gzip.compress, "br": brotli.compress, "deflate": zlib.compress, "zstd": zstandard.compress}
del ZEROS


@pytest.mark.parametrize("encodings", BOMBS)
def test_bombs_go_off_in_a_small_room(encodings):
    assert len(BOMBS[encodings]) < 100_000
    tracemalloc.start()
    try:
        with pytest.raises(FetchError) as error:
            decoded(BOMBS[encodings], encodings, MEGABYTE)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert error.value.reason == "too_large"
    assert peak < 8 * MEGABYTE


@pytest.mark.parametrize("encodings", ["gzip", "br", "deflate", "zstd"])
def test_a_body_of_exactly_the_limit(encodings):
    body = PACKERS[encodings](bytes(2000))
    assert decoded(body, encodings, 2000) == bytes(2000)
    with pytest.raises(FetchError, match="too_large"):
        decoded(body, encodings, 1999)


@pytest.mark.parametrize("encodings", ["gzip", "br", "deflate"])
def test_what_came_before_a_cut_is_kept(encodings):
    body = PACKERS[encodings](TEXT)
    kept = decoded(body[: len(body) // 2], encodings, MEGABYTE)
    assert TEXT.startswith(kept)
    assert len(kept) > 1000


def test_a_wrong_checksum_does_not_cost_the_page():
    body = bytearray(gzip.compress(TEXT))
    body[-6] ^= 0xFF
    kept = decoded(bytes(body), "gzip", MEGABYTE)
    assert TEXT.startswith(kept)
    assert len(kept) > len(TEXT) - 2000


def test_what_came_before_the_damage_is_kept():
    body = gzip.compress(TEXT)
    middle = len(body) // 2
    kept = decoded(body[:middle] + b"\xff" * 64 + body[middle + 64 :], "gzip", MEGABYTE)
    assert kept.startswith(TEXT[:1000])


def test_a_damaged_bomb_is_a_bomb_still():
    body = bytearray(BOMBS["gzip"])
    body[-6] ^= 0xFF
    with pytest.raises(FetchError, match="too_large"):
        decoded(bytes(body), "gzip", MEGABYTE)


@pytest.mark.parametrize("encodings", ["gzip", "br", "deflate", "zstd"])
def test_a_body_that_was_never_encoded_is_taken_as_it_came(encodings):
    assert decoded(TEXT, encodings, MEGABYTE) == TEXT


NOISE = random.Random(0).randbytes(500_000)  # as large packed: many blocks


@pytest.mark.parametrize("at", [0.5, 0.99])
def test_of_zstd_too_what_came_before_a_cut_or_the_damage_is_kept(at):
    body = zstandard.compress(NOISE)
    place = int(len(body) * at)
    cut = decoded(body[:place], "zstd", MEGABYTE)
    damaged = decoded(body[:place] + b"\xff" * (len(body) - place), "zstd", MEGABYTE)
    told = []
    decoded(body[:place], "zstd", MEGABYTE, damage=told)
    assert told == ["zstd is damaged or cut short"]
    for kept in (cut, damaged):
        assert NOISE.startswith(kept[: place - 140_000])
        assert len(kept) > place - 140_000


def test_zstd_cannot_ask_for_more_memory_than_browsers_give():
    wide = zstandard.ZstdCompressionParameters(window_log=27, enable_ldm=True, write_content_size=False)
    stream = zstandard.ZstdCompressor(compression_params=wide).compressobj()
    body = stream.compress(TEXT) + stream.flush()
    tracemalloc.start()
    try:
        assert decoded(body, "zstd", MEGABYTE) == body  # taken as it came
        assert tracemalloc.get_traced_memory()[1] < MEGABYTE
    finally:
        tracemalloc.stop()


def test_read_gives_the_page():
    headers = {"content-encoding": "gzip", "content-type": "text/html; charset=utf-8", "x-robots-tag": "noindex"}
    page = read("http://a.example/", headers, gzip.compress("<title>Bées</title><p>honey".encode()))
    assert (page.url, page.title, page.robots) == ("http://a.example/", "Bées", frozenset({"noindex"}))
    assert "honey" in page.text


def test_all_members_of_a_gzip_stream_are_read():
    damage = []
    body = gzip.compress(b"<p>one") + gzip.compress(b"<p>two")
    assert decoded(body, "gzip", 1000, damage=damage) == b"<p>one<p>two"
    assert damage == []


def test_zstd_of_many_frames_is_read_once():
    frames = zstandard.compress(b"") * 20_000 + zstandard.compress(b"bees")
    damage = []
    assert decoded(frames, "zstd", MEGABYTE, damage=damage) == b"bees"
    assert damage == []
    decoded(frames[:-3], "zstd", MEGABYTE, damage=damage)
    assert damage == ["zstd is damaged or cut short"]


@pytest.mark.parametrize(
    ("header", "target"),
    [
        ("0; url=/next", "http://a.test/next"),
        ("5;URL='http://b.test/'", "http://b.test/"),
        ('0; url=/a"><a href="/forged', "http://a.test/a%22%3E%3Ca%20href=%22/forged"),
        ("0; url=javascript:alert(1)", ""),
        ("5", "http://a.test/"),
        ("soon", ""),
    ],
)
def test_a_refresh_header_is_read_like_the_tag(header, target):
    page = read("http://a.test/", {"content-type": "text/html", "refresh": header}, b"<a href=/other>other</a>")
    assert page.refresh == target
    assert [link.url for link in page.links] == ["http://a.test/other", *([target] if target else [])]


def test_what_a_page_says_itself_counts_before_its_refresh_header():
    body = b'<meta http-equiv=refresh content="0; url=/own">'
    assert read("http://a.test/", {"content-type": "text/html", "refresh": "0; url=/sent"}, body).refresh == (
        "http://a.test/own"
    )

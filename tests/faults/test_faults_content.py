"""Bodies that are not what they seem: bombs, broken encodings, wrong charsets, wrong types."""

import codecs
import gzip
import random
import zlib

import brotli
import pytest
import zstandard

from hostile import (
    brotli_bomb,
    crawl_beside,
    endless_image,
    gzip_bomb,
    moved,
    packed,
    page,
    peak_beside,
)
from loopback import Loopback, answer

LIMIT = 1_000_000
SLACK = 32_000_000  # bytes that a crawl of bombs may take beside one of good pages
GZIP = {"Content_Encoding": "gzip"}
BEES = b"<title>Bees</title><p>All about bees.</p>" + b"<p>honey</p>" * 5000


def test_c1_a_gzip_bomb_is_given_up_at_the_limit(tmp_path):
    bomb = gzip.compress(bytes(11_500_000))
    came = crawl_beside(
        {"/bomb": packed(bomb), "/x": packed(bomb, "x-gzip")}, tmp_path / "crawl", max_page_bytes=LIMIT
    )
    assert came.ends("/bomb", "/x") == {"/bomb": "too_large", "/x": "too_large"}
    assert came.record("/bomb").body == bomb
    assert came.truncated("/bomb") == ""


def test_c1_a_bomb_of_ten_gigabytes_takes_no_memory(tmp_path):
    bomb = gzip_bomb(10_000)
    summary, grown = peak_beside({"/bomb": packed(bomb)}, tmp_path / "crawl")
    assert (summary["done"], summary["failed"]) == (3, {"too_large": 1})
    assert grown < len(bomb) + SLACK


def test_c2_a_brotli_bomb_is_given_up_at_the_limit(tmp_path):
    came = crawl_beside({"/bomb": packed(brotli_bomb(), "br")}, tmp_path / "crawl", max_page_bytes=LIMIT)
    assert len(brotli_bomb()) < 100
    assert came.end("/bomb") == "too_large"
    assert came.record("/bomb").body == brotli_bomb()


def test_c2_so_is_a_zstandard_bomb(tmp_path):
    bomb = zstandard.compress(bytes(11_500_000))
    came = crawl_beside({"/bomb": packed(bomb, "zstd")}, tmp_path / "crawl", max_page_bytes=LIMIT)
    assert (came.end("/bomb"), came.record("/bomb").body) == ("too_large", bomb)


def test_c3_a_stack_of_encodings_is_refused(tmp_path):
    data = gzip.compress(b"bees")
    lines = answer(data).replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip" * 100 + b"\r\n\r\n", 1)
    pages = {
        "/thousand": packed(data, ", ".join(["gzip"] * 1000)),
        "/lines": lines,
        "/six": packed(data, "gzip," * 6),
    }
    came = crawl_beside(pages, tmp_path / "crawl")
    assert came.ends(*pages) == dict.fromkeys(pages, "bad_encoding")
    assert came.record("/thousand").body == data


def test_c3_a_small_stack_is_unpacked(tmp_path):
    data = BEES
    for _ in range(5):
        data = gzip.compress(data)
    assert crawl_beside({"/five": packed(data, "gzip," * 5)}, tmp_path / "crawl").title("/five") == "Bees"


def test_c3_a_bomb_in_a_bomb(tmp_path):
    bomb = gzip.compress(gzip.compress(bytes(50_000_000)))
    came = crawl_beside({"/nested": packed(bomb, "gzip, gzip")}, tmp_path / "crawl", max_page_bytes=LIMIT)
    assert came.end("/nested") == "too_large"


def test_c4_a_bomb_on_a_redirect_or_an_error_is_not_unpacked(tmp_path):
    bomb = gzip.compress(bytes(50_000_000))
    pages = {
        "/moved": answer(bomb, "301 Moved", Location="/good", **GZIP),
        "/missing": answer(bomb, "404 Not Found", **GZIP),
        "/broken": answer(bomb, "500 Oh no", **GZIP),
    }
    came = crawl_beside(pages, tmp_path / "crawl", max_page_bytes=LIMIT)
    assert came.ends(*pages) == {"/moved": "done", "/missing": "http_404", "/broken": "http_500"}


def test_c4_a_bomb_for_a_robots_txt_shuts_the_host(tmp_path):
    with Loopback({"/robots.txt": packed(gzip_bomb(100)), "/a": page()}, host="127.0.0.2") as shut:
        came = crawl_beside({"/out": moved(shut.origin + "/a")}, tmp_path / "crawl")
        assert set(shut.paths) == {"/robots.txt"}
    assert came.end(shut.origin + "/a") == "queued"


LONG = BEES + random.Random(1).randbytes(200_000).hex().encode()
PACKED = gzip.compress(LONG)
BROKEN = {
    "/cut": packed(PACKED[: len(PACKED) // 2]),
    "/no-trailer": packed(PACKED[:-8]),
    "/bad-crc": packed(PACKED[:-8] + b"\xff" * 8),
    "/cut-brotli": packed(brotli.compress(LONG, quality=1)[:-300], "br"),
    "/cut-zstd": packed(zstandard.compress(LONG)[:-300], "zstd"),
}


def test_c5_what_can_be_decoded_is_read(tmp_path):
    came = crawl_beside(BROKEN, tmp_path / "crawl")
    assert came.ends(*BROKEN) == dict.fromkeys(BROKEN, "done")
    assert {path: came.title(path) for path in BROKEN} == dict.fromkeys(BROKEN, "Bees")


def test_c5_a_damaged_body_is_flagged(tmp_path):
    came = crawl_beside(BROKEN, tmp_path / "crawl")
    assert all(came.detail(path) for path in BROKEN)
    assert came.detail("/good") == ""


def test_c5_a_wrong_label_does_no_harm(tmp_path):
    bare = zlib.compressobj(wbits=-15)
    pages = {
        "/plain-as-gzip": packed(BEES),
        "/plain-as-br": packed(BEES, "br"),
        "/plain-as-zstd": packed(BEES, "zstd"),
        "/plain-as-deflate": packed(BEES, "deflate"),
        "/raw-deflate": packed(bare.compress(BEES) + bare.flush(), "deflate"),
        "/zlib-deflate": packed(zlib.compress(BEES), "deflate"),
        "/identity": packed(BEES, "identity"),
        "/empty": packed(b""),
        "/unknown": packed(BEES, "rot13"),
    }
    came = crawl_beside(pages, tmp_path / "crawl")
    assert came.ends(*pages) == {**dict.fromkeys(pages, "done"), "/unknown": "bad_encoding"}
    read = set(pages) - {"/unknown", "/empty"}
    assert {path: came.title(path) for path in read} == dict.fromkeys(read, "Bees")


# -- charsets -----------------------------------------------------------------------------------------------------

UMLAUT = "<title>Bienenstöcke</title><a href='/käse'>bees</a>"
EURO = "<title>5 €</title>"


def html(text, charset, header="", meta="", bom=b""):
    head = f'<meta charset="{meta}">' if meta else ""
    kind = f"text/html; charset={header}" if header else "text/html"
    return answer(bom + (head + text).encode(charset), type=kind)


CHARSETS = {
    "/bom-wins": html(UMLAUT, "utf-8", "latin-1", "latin-1", codecs.BOM_UTF8),
    "/bom-16": html(UMLAUT, "utf-16-le", "utf-8", "utf-8", codecs.BOM_UTF16_LE),
    "/header-wins": html(UMLAUT, "utf-8", "utf-8", "latin-1"),
    "/meta": html(UMLAUT, "latin-1", "", "latin-1"),
    "/unknown-header": html(UMLAUT, "utf-8", "bees-8", "utf-8"),
    "/unknown-both": html(UMLAUT, "utf-8", "bees-8", "wasps-8"),
    "/odd-label": html(UMLAUT, "utf-8", "'UTF8'"),
    "/late-meta": answer(b"<!--" + b"x" * 2000 + b"-->" + UMLAUT.encode(), type="text/html; charset=utf-8"),
}


def test_e1_a_charset_is_found_as_browsers_find_it(tmp_path):
    came = crawl_beside(CHARSETS, tmp_path / "crawl")
    assert {path: came.title(path) for path in CHARSETS} == dict.fromkeys(CHARSETS, "Bienenstöcke")
    assert came.end("/k%C3%A4se") == "http_404"


def test_e1_labels_mean_what_browsers_mean(tmp_path):
    pages = {"/latin": html(EURO, "cp1252", "iso-8859-1"), "/ascii": html(EURO, "cp1252", "us-ascii")}
    came = crawl_beside(pages, tmp_path / "crawl")
    assert {path: came.title(path) for path in pages} == dict.fromkeys(pages, "5 €")


def test_e1_what_no_browser_reads_is_not_read(tmp_path):
    script = "+ADw-a href=+ACI-/trap+ACI-+AD4-bees+ADw-/a+AD4-"
    pages = {
        "/utf7": answer(script.encode(), type="text/html; charset=utf-7"),
        "/utf7-meta": answer(b"<meta charset=utf-7>" + script.encode()),
        "/nothing": answer(b""),
        "/nul": answer(b"\0" * 100),
    }
    for name in ("idna", "punycode", "undefined", "unicode_escape", "base64", "zlib", "x" * 1000, "..", "%s"):
        pages[f"/as-{len(pages)}"] = answer(b"<title>Bees</title>", type=f"text/html; charset={name}")
        pages[f"/plain-{len(pages)}"] = answer(b"Bees", type=f"text/plain; charset={name}")
    came = crawl_beside(pages, tmp_path / "crawl")
    assert came.ends(*pages) == dict.fromkeys(pages, "done")
    assert came.hits("/trap") == 0
    assert {came.title(path) for path in pages if path.startswith(("/as", "/plain"))} == {"Bees"}


# -- bytes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("charset", ["", "; charset=utf-8", "; charset=shift_jis", "; charset=utf-16"])
def test_e2_links_are_found_among_invalid_bytes(charset, tmp_path):
    noise = random.Random(7).randbytes(5000).translate(None, b"<>&'\"=`\0!-/\x1b\x0e")
    body = b"<html><p>" + noise + b"</p>\n<a href='/found'>bees</a><p>" + noise
    if charset.endswith("16"):
        body = "<html><p>\ud800 \udc00<a href='/found'>bees</a>".encode("utf-16-le", "surrogatepass") + b"\xff"
    came = crawl_beside(
        {"/noise": answer(body, type="text/html" + charset)}, tmp_path / "crawl", more={"/found": page()}
    )
    assert came.ends("/noise", "/found") == {"/noise": "done", "/found": "done"}
    assert "\ufffd" in came.page("/noise").text or not charset


def test_e3_what_is_no_text_is_not_read_as_text(tmp_path):
    inside = b"\0" * 2000 + b"<a href='/trap'>bees</a>"
    pages = {
        "/png": answer(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + inside),
        "/zip": answer(b"PK\x03\x04\x14\0\0\0" + inside),
        "/gif": answer(b"GIF89a\x01\0\x01\0" + inside, type="text/plain"),
        "/elf": answer(b"\x7fELF\x02\x01\x01\0" + inside, type=""),
    }
    came = crawl_beside(pages, tmp_path / "crawl")
    assert came.ends(*pages) == dict.fromkeys(pages, "done")
    assert {came.page(path).type for path in pages} == {"application/octet-stream"}
    assert came.hits("/trap") == 0


def test_e3_an_image_of_a_gigabyte_is_cut(tmp_path):
    image = endless_image()
    came = crawl_beside({"/image": image}, tmp_path / "crawl", max_page_bytes=100_000)
    assert (came.end("/image"), came.truncated("/image"), came.hits("/trap")) == ("too_large", "length", 0)
    assert image.hung_up

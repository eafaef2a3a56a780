"""HTTP that is not as it should be."""

import pytest

from hostile import (
    NO_HTTP,
    POISON,
    chunk_extension,
    chunk_garbage,
    chunk_huge,
    chunk_negative,
    chunk_too_long,
    content_length_too_big,
    content_length_too_small,
    crawl_beside,
    endless_extension,
    endless_header,
    endless_headers,
    giant_header,
    header_flood,
    late_extra,
    length_and_chunks,
    no_content_with_body,
    no_last_chunk,
    not_modified_with_body,
    page,
    pipelined_extra,
    reset_mid_body,
    sends,
    switching,
    two_content_lengths,
    with_head,
)
from loopback import answer, never


def connections(came, *paths):
    """On which connections paths were asked for."""
    return [request.connection for path in paths for request in came.server.requests if request.path == path]


def test_h1_an_answer_shorter_than_it_says_is_incomplete(tmp_path):
    came = crawl_beside({"/half": content_length_too_big}, tmp_path / "crawl", retries=2)
    assert (came.end("/half"), came.truncated("/half"), came.hits("/half")) == ("incomplete", "disconnect", 3)
    assert len(came.record("/half").body) == 500
    assert (came.summary.done, came.summary.failed) == (3, {"incomplete": 1})


def test_h2_an_answer_longer_than_it_says_ends_where_it_says(tmp_path):
    came = crawl_beside({"/long": content_length_too_small}, tmp_path / "crawl", concurrency=1)
    assert came.end("/long") == "done"
    assert came.record("/long").body == b"<p>bees</p>"
    assert connections(came, "/long") != connections(came, "/fine")


def test_h3_two_lengths_are_refused(tmp_path):
    came = crawl_beside({"/two": two_content_lengths}, tmp_path / "crawl", concurrency=1)
    assert came.end("/two") == "protocol_error"
    assert connections(came, "/two") != connections(came, "/fine")


def test_h3_where_there_are_a_length_and_chunks_the_length_does_not_count(tmp_path):
    came = crawl_beside({"/both": length_and_chunks}, tmp_path / "crawl", concurrency=1)
    assert came.end("/both") in ("done", "protocol_error")
    if came.end("/both") == "done":
        assert came.record("/both").body == b"<title>Both</title>"
    assert connections(came, "/both") != connections(came, "/fine")


BROKEN = {
    "/no-last": no_last_chunk,
    "/garbage": chunk_garbage,
    "/negative": chunk_negative,
    "/huge": chunk_huge,
    "/too-long": chunk_too_long,
}


def test_h4_broken_chunks_are_incomplete(tmp_path):
    came = crawl_beside(BROKEN, tmp_path / "crawl", retries=1, timeout=3)
    assert came.ends(*BROKEN) == dict.fromkeys(BROKEN, "incomplete")
    assert {path: came.truncated(path) for path in BROKEN} == dict.fromkeys(BROKEN, "disconnect")
    assert [came.hits(path) for path in BROKEN] == [2] * len(BROKEN)
    assert all(came.record(path).body.startswith(b"<title>") for path in BROKEN)


def test_h4_a_chunk_with_a_long_extension_is_read_without_it_or_not_at_all(tmp_path):
    endless = endless_extension()
    came = crawl_beside({"/long": chunk_extension, "/endless": endless}, tmp_path / "crawl", timeout=1)
    assert came.end("/long") in ("done", "incomplete", "protocol_error")
    assert came.end("/endless") in ("timeout", "incomplete", "protocol_error")
    assert b"yyy" not in b"".join(record.block for record in came.books.responses)
    assert endless.hung_up


def test_h5_a_reset_in_the_body_is_incomplete(tmp_path):
    came = crawl_beside({"/reset": reset_mid_body}, tmp_path / "crawl", retries=2)
    assert (came.end("/reset"), came.truncated("/reset"), came.hits("/reset")) == ("incomplete", "disconnect", 3)


def test_h6_giant_headers_are_refused(tmp_path):
    pages = {
        "/giant": giant_header,
        "/flood": header_flood,
        "/endless": endless_header(),
        "/endless-many": endless_headers(),
    }
    came = crawl_beside(pages, tmp_path / "crawl", retries=2)
    assert came.ends(*pages) == dict.fromkeys(pages, "header_too_large")
    assert [came.hits(path) for path in pages] == [1] * len(pages)
    assert pages["/endless"].hung_up
    assert pages["/endless-many"].hung_up


def test_h6_headers_as_large_as_real_ones_are_read(tmp_path):
    many = {f"X_Header_{i}": "x" * 100 for i in range(200)}
    came = crawl_beside({"/many": page("Many", **many), "/long": page("Long", X="x" * 60_000)}, tmp_path / "crawl")
    assert (came.title("/many"), came.title("/long")) == ("Many", "Long")


ODD_LINES = {
    "/folded": b"X-Folded: one\r\n two\r\n\tthree",
    "/nul": b"X-Nul: a\0b",
    "/cr": b"X-Cr: a\rWARC-Type: request",
    "/lf": b"X-Lf: a\nWARC-Type: request",
    "/latin": b"X-Latin: caf\xe9 \xff\xfe",
    "/utf8": "X-Utf8: Bienenstöcke 蜂".encode(),
    "/escape": b"X-Escape: \x1b[31mred\x07",
    "/no-name": b": no name",
    "/spaced": b"X-Spaced : value",
    "/no-colon": b"no colon at all",
    "/odd-name": b"X-\xffdd: x",
}


def test_h7_odd_bytes_in_headers_stay_in_the_block(tmp_path):
    pages = {path: with_head(line) for path, line in ODD_LINES.items()}
    came = crawl_beside(pages, tmp_path / "crawl")
    assert set(came.ends(*pages).values()) <= {"done", "protocol_error"}
    assert came.ends("/folded", "/latin", "/utf8") == dict.fromkeys(("/folded", "/latin", "/utf8"), "done")
    assert b"caf\xe9 \xff\xfe" in came.record("/latin").head
    assert "Bienenstöcke 蜂".encode() in came.record("/utf8").head


def test_h7_odd_bytes_in_the_status_line(tmp_path):
    pages = {
        f"/{i}": with_head(b"X: y", status) for i, status in enumerate((b"200 \xff\xfe", b"404 \x1b[2J", b"200"))
    }
    came = crawl_beside(pages, tmp_path / "crawl")
    assert set(came.ends(*pages).values()) <= {"done", "http_404", "protocol_error"}


def test_h8_what_is_no_http_is_an_error(tmp_path):
    came = crawl_beside({path: sends(data) for path, data in NO_HTTP.items()}, tmp_path / "crawl", retries=2)
    assert came.ends(*NO_HTTP) == dict.fromkeys(NO_HTTP, "protocol_error")
    assert [came.hits(path) for path in NO_HTTP] == [1] * len(NO_HTTP)


def test_h8_another_protocol_is_not_spoken(tmp_path):
    came = crawl_beside({"/switch": sends(switching, then=never)}, tmp_path / "crawl", timeout=1, concurrency=1)
    assert came.end("/switch") in ("http_101", "protocol_error", "timeout")
    assert no_poison(came)


def no_poison(came):
    """Whether nothing that nobody asked for was taken for a page."""
    titles = [visit["title"] for visit in came.books.visits.values()]
    return "Poison" not in titles and not any(url.endswith("/poisoned") for url in came.books.urls)


WITHOUT_BODY = {"/204": no_content_with_body, "/304": not_modified_with_body}


@pytest.mark.parametrize("delay", [0, 0.05])
def test_h9_a_body_where_there_is_none_is_not_taken_for_the_next_answer(delay, tmp_path):
    came = crawl_beside(WITHOUT_BODY, tmp_path / "crawl", concurrency=1, delay=delay, ip_delay=0)
    assert came.ends(*WITHOUT_BODY) == {"/204": "done", "/304": "http_304"}
    assert [came.record(path).body for path in WITHOUT_BODY] == [b"", b""]
    assert (came.title("/fine"), no_poison(came)) == ("Fine", True)


def test_h9_an_answer_that_says_how_long_it_would_be_is_incomplete(tmp_path):
    head = sends(answer(b"x" * 100).partition(b"\r\n\r\n")[0] + b"\r\n\r\n")
    came = crawl_beside({"/head": head}, tmp_path / "crawl")
    assert (came.end("/head"), came.truncated("/head")) == ("incomplete", "disconnect")


def test_h10_a_second_answer_is_dropped_with_its_connection(tmp_path):
    pages = {"/extra": pipelined_extra, "/three": page("Third") + POISON + POISON}
    came = crawl_beside(pages, tmp_path / "crawl", concurrency=1)
    assert (came.title("/extra"), came.title("/three"), came.title("/fine")) == ("First", "Third", "Fine")
    assert no_poison(came)
    asked = connections(came, "/extra", "/three", "/fine")
    assert len(set(asked)) == len(asked)


def test_h10_an_answer_that_nobody_waits_for_is_not_given_to_the_next_who_asks(tmp_path):
    came = crawl_beside({"/late": late_extra}, tmp_path / "crawl", concurrency=1, delay=0.3, ip_delay=0)
    assert (came.title("/late"), came.title("/fine"), no_poison(came)) == ("First", "Fine", True)
    assert connections(came, "/late") != connections(came, "/fine")

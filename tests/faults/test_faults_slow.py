"""Servers that take their time, for ever where they can."""

from hostile import (
    GOOD,
    INTERIM,
    crawl_beside,
    endless_body,
    endless_chunks,
    interim_flood,
    page,
    sends,
    slow_body,
    slow_headers,
)
from loopback import hang_up, never


def test_s1_slow_headers_end_with_the_time_a_page_may_take(tmp_path):
    came = crawl_beside({f"/{i}": slow_headers for i in range(3)}, tmp_path / "crawl", timeout=0.4, concurrency=3)
    assert came.ends("/0", "/1", "/2") == dict.fromkeys(("/0", "/1", "/2"), "timeout")
    assert [came.hits(path) for path in GOOD] == [1, 1]


def test_s1_slow_headers_hold_up_no_other_page(tmp_path):
    came = crawl_beside({f"/{i}": slow_headers for i in range(3)}, tmp_path / "crawl", timeout=1, concurrency=4)
    assert [visit.error for visit in came.visited] == [""] * 3 + ["timeout"] * 3


def test_s2_a_slow_body_is_kept_as_far_as_it_came(tmp_path):
    came = crawl_beside({"/slow": slow_body}, tmp_path / "crawl", timeout=0.4)
    assert (came.end("/slow"), came.truncated("/slow")) == ("timeout", "time")
    assert came.record("/slow").body.startswith(b"<title>")


def test_s3_an_endless_body_is_cut_and_the_connection_closed(tmp_path):
    whole, parts = endless_body(), endless_chunks()
    came = crawl_beside({"/body": whole, "/chunks": parts}, tmp_path / "crawl", max_page_bytes=100_000)
    for path, handler in (("/body", whole), ("/chunks", parts)):
        assert (came.end(path), came.truncated(path)) == ("too_large", "length")
        assert len(came.record(path).body) == 100_000
        assert handler.hung_up


def test_s4_silence_is_tried_again_so_many_times(tmp_path):
    came = crawl_beside({"/silent": never, "/gone": hang_up}, tmp_path / "crawl", timeout=0.3, retries=2)
    assert came.ends("/silent", "/gone") == {"/silent": "timeout", "/gone": "disconnected"}
    assert (came.hits("/silent"), came.hits("/gone")) == (3, 3)
    assert came.summary.notes["retries"] == 4
    assert not any(record.url.endswith(("/silent", "/gone")) for record in came.books.responses)


def test_s4_an_answer_at_the_last_try_counts(tmp_path):
    came = crawl_beside({"/late": [never, hang_up, page("Late")]}, tmp_path / "crawl", timeout=0.3, retries=2)
    assert (came.end("/late"), came.title("/late"), came.hits("/late")) == ("done", "Late", 3)


def test_s5_a_few_interim_answers_are_passed_over(tmp_path):
    pages = {"/hints": INTERIM * 3 + page("Hinted"), "/continue": b"HTTP/1.1 100 Continue\r\n\r\n" + page("Went on")}
    came = crawl_beside(pages, tmp_path / "crawl")
    assert (came.title("/hints"), came.title("/continue")) == ("Hinted", "Went on")
    assert came.record("/hints").head.startswith(b"HTTP/1.1 200 ")


def test_s5_a_flood_of_interim_answers_has_an_end(tmp_path):
    endless = interim_flood()
    many = sends(*[INTERIM * 1000] * 1000, page("Flooded"), gap=0)
    came = crawl_beside({"/endless": endless, "/million": many}, tmp_path / "crawl", timeout=5)
    assert came.ends("/endless", "/million") == dict.fromkeys(("/endless", "/million"), "protocol_error")
    assert endless.hung_up
    assert endless.sent < 10_000_000

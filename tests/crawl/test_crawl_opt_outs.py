"""Crawls of pages that are reserved from machine learning: written down always, left out when told so."""

import itertools
import sqlite3

import pytest

import honeyguide as hg
from honeyguide.report import write_report
from loopback import Loopback, answer

TDMREP = answer(b'[{"location": "/json", "tdm-reservation": 1}]', type="application/json")
ROBOTS = answer(b"User-agent: *\nContent-Usage: /usage train-ai=n\n", type="text/plain")
WAYS = {
    "/meta": answer(b"<meta name=robots content='noai, noarchive'><p>bees: one way</p>"),
    "/header": answer(b"<p>bees: another way</p>", X_Robots_Tag="noimageai, noindex"),
    "/tdm": answer(b"<p>bees: a third way</p>", tdm_reservation="1"),
    "/tdmmeta": answer(b"<meta name=tdm-reservation content=1><p>bees: a fourth way</p>"),
    "/signal": answer(b"<p>bees: a fifth way</p>", Content_Signal="ai-train=no"),
    "/usage": answer(b"<p>bees: a sixth way</p>"),
    "/json": answer(b"<p>bees: a seventh way</p>"),
    "/open": answer(b"<p>bees for all</p>"),
}
FOUND = {
    "/meta": ("noai", "noai noarchive"),
    "/header": ("noimageai", "noimageai noindex"),
    "/tdm": ("tdm-reservation", ""),
    "/tdmmeta": ("tdm-reservation", ""),
    "/signal": ("content-signal:ai-train", ""),
    "/usage": ("content-usage:train-ai", ""),
    "/json": ("", ""),
    "/open": ("", ""),
}


def crawl(tmp_path, workers=0, delay=0, **given):
    pages = {"/robots.txt": ROBOTS, "/.well-known/tdmrep.json": TDMREP, **WAYS}
    with Loopback(pages) as server:
        seeds = [server.origin + path for path in WAYS]
        chosen = {"delay": delay, "allow_private": True, "workers": workers, "directory": tmp_path / "crawl", **given}
        return server, hg.Crawl(seeds, "keyword:bees", **chosen).run()


def columns(tmp_path, server, *names):
    query = f"SELECT url, {', '.join(names)} FROM visits JOIN urls USING (id)"
    database = sqlite3.connect(tmp_path / "crawl" / "crawl.db")
    try:
        return {row[0].removeprefix(server.origin): row[1:] for row in database.execute(query)}
    finally:
        database.close()


@pytest.mark.parametrize("workers", [0, 1])
def test_what_owners_ask_for_is_written_down_and_changes_nothing_else(workers, tmp_path):
    server, summary = crawl(tmp_path, workers)
    assert columns(tmp_path, server, "opt_outs", "robots") == FOUND
    assert (summary.relevant, summary.flags) == (8, {})
    assert server.hits("/.well-known/tdmrep.json") == 0


def test_the_file_of_a_site_is_read_when_told_so(tmp_path):
    server, summary = crawl(tmp_path, tdmrep=True)
    assert server.hits("/.well-known/tdmrep.json") == 1
    assert columns(tmp_path, server, "opt_outs")["/json"] == ("tdm-reservation",)
    assert (summary.relevant, summary.flags, summary.notes["robots_requests"]) == (8, {}, 2)


def test_reserved_pages_are_left_out_when_told_so(tmp_path):
    server, summary = crawl(tmp_path, skip_opted_out=True)
    flags = columns(tmp_path, server, "flag", "relevant")
    assert flags == {path: ("", 1) if path == "/open" else ("opted_out", 0) for path in WAYS}
    assert (summary.fetched, summary.relevant, summary.flags) == (8, 1, {"opted_out": 7})
    assert server.hits("/.well-known/tdmrep.json") == 1


def test_the_report_says_what_owners_ask_for(tmp_path):
    crawl(tmp_path)
    text = write_report(tmp_path / "crawl").read_text()
    assert "Reserved from machine learning" in text
    assert "content-usage:train-ai" in text
    assert "noarchive" in text


def test_asking_for_the_file_of_a_site_keeps_the_gap_of_the_host(tmp_path):
    server, _ = crawl(tmp_path, delay=0.2, tdmrep=True, pages=2, ip_delay=0)
    times = [request.time for request in server.requests]
    assert server.hits("/.well-known/tdmrep.json") == 1
    assert all(later - earlier >= 0.1 for earlier, later in itertools.pairwise(times))  # they arrive a bit late


@pytest.mark.parametrize("file", [answer(b"", "500 Oh no"), answer(b"x" * 600_000), answer(b"<html>")])
def test_a_file_that_cannot_be_read_reserves_nothing(file, tmp_path):
    pages = {"/.well-known/tdmrep.json": file, "/": WAYS["/open"]}
    with Loopback(pages) as server:
        given = {"delay": 0, "allow_private": True, "skip_opted_out": True, "workers": 0}
        summary = hg.Crawl([server.origin + "/"], "keyword:bees", **given).run()
    assert (summary.relevant, summary.flags) == (1, {})

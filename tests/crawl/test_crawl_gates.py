"""Crawls that meet gates: what stands in front of a page is not taken for it."""

import pytest

import honeyguide as hg
from honeyguide.store import Store
from loopback import Loopback, answer

CHALLENGE = answer(b"<title>Just a moment...</title><p>bees.example checks whether you are a robot</p>")
CONSENT = answer(b"<title>Before you continue to bees</title><button>Accept all cookies</button>")
LOGIN = answer(b"<title>Bees: sign in</title><form><input type=password></form>")
START = answer(b"<title>Bees</title><a href=/challenge>x</a><a href=/consent>x</a><a href=/login>x</a>")


@pytest.mark.parametrize("workers", [0, 1])
def test_gates_that_match_the_topic_are_not_counted(workers, tmp_path):
    pages = {"/": START, "/challenge": CHALLENGE, "/consent": CONSENT, "/login": LOGIN}
    with Loopback(pages) as server:
        given = {"delay": 0, "allow_private": True, "workers": workers, "directory": tmp_path / "crawl"}
        summary = hg.Crawl([server.origin + "/"], "keyword:bees", **given).run()
    assert (summary.fetched, summary.done, summary.relevant) == (4, 4, 1)
    assert summary.flags == {"challenge": 1, "consent": 1, "login": 1}
    with Store.open(tmp_path / "crawl") as store:
        flags = {visit.url.rpartition("/")[2]: (visit.flag, visit.relevant) for visit in store.visits()}
    assert flags == {
        "": ("", 1), "challenge": ("challenge", 0), "consent": ("consent", 0), "login": ("login", 0),
    }  # fmt: skip


def test_a_gate_under_many_urls_is_counted_each_time():
    links = "".join(f"<a href=/{n}>on</a>" for n in range(20)).encode()
    with Loopback({"/": answer(links), **{f"/{n}": LOGIN for n in range(20)}}) as server:
        given = {"delay": 0, "allow_private": True, "soft_404_after": 5, "workers": 0}
        summary = hg.Crawl([server.origin + "/"], "keyword:bees", **given).run()
    assert (summary.flags, summary.relevant, summary.failed) == ({"login": 20}, 0, {})

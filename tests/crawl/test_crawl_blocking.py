"""Hosts that are asked no more, and chains of redirects."""

import pytest

from honeyguide.crawl.blocking import BLOCKED, Blocking
from honeyguide.crawl.redirects import Redirects
from honeyguide.graph import DONE, EXCLUDED, QUEUED, Graph

A, B = ["http://a.test/1", "http://a.test/2", "http://a.test/3"], ["http://b.test/1"]


@pytest.fixture
def graph():
    """Two hosts; one URL of the first was fetched."""
    graph = Graph()
    graph.intern([*A, *B])
    graph.mark(0, DONE)
    return graph


def test_a_host_is_blocked_and_opened_again(graph):
    blocked = set()
    blocking = Blocking(graph, blocked)
    assert blocking.block("a.test").tolist() == [1, 2]
    assert (blocked, blocking.hosts, blocking.why_closed(0), blocking.why_closed(1)) == (
        *({"a.test"}, ["a.test"], BLOCKED, ""),
    )
    graph.mark(1, EXCLUDED, BLOCKED)
    graph.mark(2, EXCLUDED, "denied")
    assert blocking.unblock("a.test") == [1]
    assert (blocked, blocking.why_closed(0)) == (set(), "")
    graph.mark(1, QUEUED)
    assert blocking.queued("a.test").tolist() == [1]


def test_a_host_that_was_never_met_can_be_blocked(graph):
    blocking = Blocking(graph, set())
    assert not len(blocking.block("c.test"))
    assert (blocking.left_out("c.test"), blocking.unblock("c.test")) == ([], [])


def test_a_host_closed_for_another_reason_stays_closed(graph):
    blocking = Blocking(graph, set())
    blocking.close(0, "mirror")
    blocking.close(0, "something else")
    assert blocking.unblock("a.test") == []
    assert blocking.why_closed(0) == "mirror"


def test_redirects_in_a_row_are_counted(graph):
    redirects = Redirects(graph, 2)
    assert [redirects.enter(0, 1), redirects.hop(1, 2), redirects.hop(2, 3)] == [False, False, True]
    assert not redirects.hop(3, 3)
    assert [id_ in redirects for id_ in range(2)] == [True, False]


def test_a_redirect_leads_back_by_others_that_are_known(graph):
    redirects = Redirects(graph, 5)
    for source, target in ((0, 1), (1, 2)):
        graph.record_redirect(source, target)
        redirects.enter(source, target)
    assert redirects.lead_back(2, A[0])
    assert not redirects.lead_back(3, A[0])
    assert not redirects.lead_back(3, "http://unknown.test/")
    assert redirects.lead_back(3, B[0])

"""The known web: what visits say of the pages they link to."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.graph import DONE, EXCLUDED, FAILED, QUEUED, UNDER_WAY, Graph

URLS = [f"http://h{n % 3}.example/{n}" for n in range(12)]


def graph_of(count):
    graph = Graph()
    graph.intern([f"http://h{n % 3}.example/{n}" for n in range(count)])
    return graph


def targets(*ids):
    return np.array(ids, np.int32)


def test_new_urls_are_queued_and_known_ones_keep_their_ids():
    graph = Graph()
    assert graph.intern(URLS[:3]).tolist() == [0, 1, 2]
    assert graph.intern([URLS[1], URLS[3], URLS[3]]).tolist() == [1, 3, 3]
    assert len(graph) == 4
    assert graph.url(3) == URLS[3]
    assert graph.queued().tolist() == [0, 1, 2, 3]
    assert graph.hosts == ["h0.example", "h1.example", "h2.example"]
    assert graph.host[:4].tolist() == [0, 1, 2, 0]


def test_depth_is_the_least_a_url_was_found_at():
    graph = Graph()
    graph.intern(URLS[:2], depth=4)
    graph.intern(URLS[1:3], depth=2)
    graph.intern(URLS[:3], depth=3)
    assert graph.depth[:3].tolist() == [3, 2, 2]


def test_depth_may_be_very_deep():
    graph = Graph()
    graph.intern(URLS[:1], depth=70_000)
    graph.intern(URLS[:2], depth=70_001)
    assert graph.depth[:2].tolist() == [70_000, 70_001]


def test_a_visit_counts_for_each_distinct_target_but_not_for_itself():
    graph = graph_of(4)
    graph.record(0, targets(1, 2, 1, 0), 0.5, True)
    graph.record(1, targets(2), 0.25, False)
    assert graph.parents[:4].tolist() == [0, 1, 2, 0]
    assert graph.relevant_parents[:4].tolist() == [0, 1, 1, 0]
    assert graph.best_parent[:4].tolist() == [0, 0.5, 0.5, 0]
    assert graph.relevance[:2].tolist() == [0.5, 0.25]
    assert graph.relevant[:2].tolist() == [True, False]
    assert graph.links_from(0).tolist() == [1, 2]
    assert graph.links_to(2) == [1, 0]
    assert graph.visited().tolist() == [0, 1]
    assert (graph.visits, graph.edges) == (2, 3)


def test_hosts_count_good_and_bad_fetches():
    graph = graph_of(6)  # 0 and 3 are one host, 1 and 4 another
    graph.record(0, targets(), 0.9, True)
    graph.record(3, targets(), 0.1, False)
    graph.record(1, targets(), 0.8, True)
    graph.record(4, targets(), 0.8, True)
    assert graph.good[:3].tolist() == [1, 2, 0]
    assert graph.bad[:3].tolist() == [1, 0, 0]


def test_a_redirect_hands_on_what_was_known_of_the_old_address():
    graph = graph_of(5)
    graph.record(0, targets(2, 3), 0.9, True)
    graph.record(1, targets(2), 0.3, False)
    graph.record_redirect(2, 3)
    assert graph.parents[3] == 3
    assert graph.relevant_parents[3] == 2
    assert graph.best_parent[3] == np.float32(0.9)
    assert graph.links_from(2).tolist() == [3]
    assert graph.links_to(3) == [2, 0]
    assert graph.good[:3].tolist() == [1, 0, 0]  # the redirect is neither good nor bad
    assert graph.bad[:3].tolist() == [0, 1, 0]


def test_a_redirect_keeps_the_better_of_two_best_parents():
    graph = graph_of(4)
    graph.record(0, targets(2), 0.2, False)
    graph.record(1, targets(3), 0.7, True)
    graph.record_redirect(2, 3)
    assert graph.best_parent[3] == np.float32(0.7)


def test_a_page_never_visited_links_nowhere():
    graph = graph_of(2)
    assert graph.links_from(1).tolist() == []
    assert graph.links_to(1) == []


def test_books_count_every_url_once():
    graph = graph_of(7)
    graph.mark(0, DONE)
    graph.mark(targets(1, 2), FAILED, "http_404")
    graph.mark(3, FAILED, "timeout")
    graph.mark(4, EXCLUDED, "robots")
    graph.mark(5, UNDER_WAY)
    assert graph.books() == {"queued": 2, "done": 1, "failed": 3, "excluded": 1}
    assert list(graph.reasons(FAILED).items()) == [("http_404", 2), ("timeout", 1)]
    assert graph.reasons(EXCLUDED) == {"robots": 1}
    assert graph.reasons(DONE) == {"": 1}
    assert graph.why(3) == "timeout"
    assert graph.why(0) == ""
    assert graph.queued().tolist() == [6]


def test_a_later_mark_takes_the_place_of_an_earlier_one():
    graph = graph_of(1)
    graph.mark(0, FAILED, "timeout")
    graph.mark(0, QUEUED)
    assert graph.books() == {"queued": 1, "done": 0, "failed": 0, "excluded": 0}
    assert graph.why(0) == ""


def test_books_of_an_empty_graph_are_empty():
    assert Graph().books() == {"queued": 0, "done": 0, "failed": 0, "excluded": 0}
    assert Graph().reasons(FAILED) == {}


def test_every_status_a_server_may_send_is_a_reason():
    graph = graph_of(900)
    for n in range(900):
        graph.mark(n, FAILED, f"http_{100 + n}")
    assert graph.why(899) == "http_999"
    assert len(graph.reasons(FAILED)) == 900


def test_it_grows_past_its_first_capacities():
    graph = Graph()
    everything = graph.intern([f"http://h{n // 50}.example/{n}" for n in range(10_000)], depth=1)
    for n in range(3000):
        graph.record(n, everything[[n + 1, n + 2, 9999]], 0.5, n % 2 == 0)
    assert graph.edges == 9000
    assert graph.parents[9999] == 3000
    assert graph.relevant_parents[9999] == 1500
    assert graph.links_to(9999) == list(range(2999, -1, -1))
    assert graph.links_from(2999).tolist() == [3000, 3001, 9999]
    assert graph.good[:60].tolist() == graph.bad[:60].tolist() == [25] * 60
    assert len(graph.queued()) == 10_000


page = st.tuples(st.lists(st.integers(0, 11), max_size=6), st.sampled_from([0.0, 0.25, 0.75, 1.0]), st.booleans())


@settings(deadline=None)
@given(st.permutations(range(12)), st.lists(page, max_size=12))
def test_counts_and_links_agree_with_a_plain_model(order, pages):
    graph = graph_of(12)
    links = {}
    for id, (found, relevance, relevant) in zip(order, pages, strict=False):
        graph.record(id, targets(*found), relevance, relevant)
        links[id] = ([each for each in dict.fromkeys(found) if each != id], relevance, relevant)
    for id in range(12):
        parents = [parent for parent in links if id in links[parent][0]]
        assert graph.links_to(id) == parents[::-1]
        assert graph.links_from(id).tolist() == (links[id][0] if id in links else [])
        into = graph.links_into(id, 99)
        assert graph.link_source[into].tolist() == parents[::-1]
        assert (graph.link_target[into] == id).all()
        newest = graph.newest_links_to(np.array([id]), 3)[0]
        assert newest[newest >= 0].tolist() == into[:3].tolist()
        assert graph.parents[id] == len(parents)
        assert graph.relevant_parents[id] == sum(links[parent][2] for parent in parents)
        assert graph.best_parent[id] == max((links[parent][1] for parent in parents), default=0)
        assert graph.visit_of[id] == (list(links).index(id) + 1 if id in links else 0)
    for visit, id in enumerate(links):
        (first,), (end,) = graph.links_of(np.array([visit]))
        assert graph.link_target[first:end].tolist() == links[id][0]
    for host in range(3):
        outcomes = [relevant for id, (_, _, relevant) in links.items() if id % 3 == host]
        assert (graph.good[host], graph.bad[host]) == (sum(outcomes), len(outcomes) - sum(outcomes))
    assert graph.visited().tolist() == list(links)
    assert graph.edges == sum(len(out) for out, _, _ in links.values())


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 11),
            st.sampled_from([QUEUED, DONE, FAILED, EXCLUDED, UNDER_WAY]),
            st.sampled_from(["", "timeout", "robots"]),
        )
    )
)
def test_the_books_always_add_up(marks):
    graph, model = graph_of(12), {}
    for id, state, reason in marks:
        graph.mark(id, state, reason)
        model[id] = (state, reason)
    assert sum(graph.books().values()) == 12
    for name, state in (("done", DONE), ("failed", FAILED), ("excluded", EXCLUDED)):
        reasons = [reason for known, reason in model.values() if known == state]
        assert graph.books()[name] == len(reasons)
        assert graph.reasons(state) == {reason: reasons.count(reason) for reason in reasons}

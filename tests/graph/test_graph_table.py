"""URLs as numbers."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.graph.table import UrlTable, enlarged

some_urls = st.builds(
    "{}://{}/{}".format,
    st.sampled_from(["http", "https"]),
    st.sampled_from(["a.example", "b.example:8080", "[::1]", "a.example:81"]),
    st.text("ab/?=&;é", max_size=4),
)


def test_ids_count_up_in_the_order_of_discovery():
    table = UrlTable()
    assert table.intern(["http://a.example/", "http://b.example/"]).tolist() == [0, 1]
    assert table.intern(["http://c.example/", "http://a.example/"]).tolist() == [2, 0]
    assert len(table) == 3


def test_one_url_twice_in_a_batch_is_one_id():
    table = UrlTable()
    assert table.intern(["http://a.example/", "http://b.example/", "http://a.example/"]).tolist() == [0, 1, 0]
    assert len(table) == 2


def test_scheme_and_port_tell_urls_apart():
    urls = ["http://a.example/", "https://a.example/", "http://a.example:81/", "http://a.example/?"]
    assert UrlTable().intern(urls).tolist() == [0, 1, 2, 3]


def test_find_knows_what_was_interned_and_adds_nothing():
    table = UrlTable()
    assert table.find("http://a.example/") is None
    table.intern(["http://b.example/", "http://a.example/"])
    assert table.find("http://a.example/") == 1
    assert table.find("http://a.example/x") is None
    assert len(table) == 2


def test_urls_of_one_host_share_its_number():
    table = UrlTable()
    table.intern(["http://a.example/1", "http://b.example/", "https://a.example/2", "http://a.example:81/"])
    assert table.host[:4].tolist() == [0, 1, 0, 2]
    assert table.hosts == ["a.example", "b.example", "a.example:81"]
    assert table.host_id("b.example") == 1
    assert table.host_id("new.example") == 3


def test_no_urls_are_no_ids():
    assert UrlTable().intern([]).tolist() == []


def test_fifty_thousand_urls_keep_their_ids():
    texts = [f"https://h{n % 700}.example/page/{n}?é={n % 13}" for n in range(50_000)]
    table = UrlTable()
    for start in range(0, len(texts), 1777):
        table.intern(texts[max(0, start - 5) : start + 1777])
    assert len(table) == len(texts)
    assert table.intern(texts).tolist() == list(range(50_000))
    assert [table.url(n) for n in range(50_000)] == texts
    assert len(table.hosts) == 700


@settings(deadline=None)
@given(st.lists(st.lists(some_urls, max_size=20), max_size=10))
def test_it_numbers_as_a_dict_does(batches):
    table, model = UrlTable(), {}
    for batch in batches:
        expected = [model.setdefault(url, len(model)) for url in batch]
        assert table.intern(batch).tolist() == expected
    assert [table.url(n) for n in range(len(table))] == list(model)
    assert all(table.find(url) == n for url, n in model.items())


def test_enlarged_makes_room_and_keeps_what_was_there():
    old = np.arange(8, dtype=np.int32)
    for size in (9, 1000):
        grown = enlarged(old, size, fill=-1)
        assert len(grown) >= size
        assert grown[:8].tolist() == old.tolist()
        assert set(grown[8:].tolist()) == {-1}
        assert grown.dtype == np.int32

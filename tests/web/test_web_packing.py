"""Replies that go through bytes come out as they went in."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from honeyguide.base import Link, Original, Page, Reply
from honeyguide.web.packing import pack, unpack

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
WORDS = st.frozensets(st.sampled_from(["nofollow", "sitemap", "me"]), max_size=2)
LINKS = st.builds(Link, TEXT, TEXT, st.just("") | TEXT, st.integers(0, 9999), st.just("") | TEXT, WORDS)
PAGES = st.builds(
    Page, TEXT, TEXT, TEXT, links=st.lists(LINKS, max_size=5).map(tuple), robots=WORDS, fingerprint=st.integers(-9, 9)
)
ORIGINAL = Original("http://a.test/", "2026-01-02T03:04:05Z", 1, 2, digest=b"x")


@given(PAGES | st.none(), TEXT, st.binary(max_size=20), st.sampled_from([None, ORIGINAL]))
def test_a_reply_outlives_its_journey(page, detail, record, original):
    reply = Reply(page=page, detail=detail, record=record, original=original)
    assert unpack(pack(reply)) == reply


def test_links_are_links_again():
    links = (Link("http://a.test/1", "one", rel=frozenset(["me"])), Link("http://a.test/2", position=1, path="p/a"))
    found = unpack(pack(Reply(page=Page("http://a.test/", links=links)))).page.links
    assert found == links
    assert all(type(link) is Link and type(link.rel) is frozenset for link in found)
    assert replace(Page("x"), links=found).links is found

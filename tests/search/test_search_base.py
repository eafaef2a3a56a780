"""What every search engine has in common: clean queries, clean hits, errors that say what to do."""

import asyncio

import pytest

from honeyguide import HoneyguideError
from honeyguide.running import run_async
from honeyguide.search import Hit, MetaSearch, Search, SearchFailed


class Given(Search):
    """Answers with what it was given, and remembers what it was asked."""

    def __init__(self, *hits, name="given"):
        self.hits, self.name, self.asked, self.closed = hits, name, [], False

    async def _find(self, query, limit):
        self.asked.append((query, limit))
        await asyncio.sleep(0)
        return list(self.hits)[:limit]

    def close(self):
        self.closed = True


class Failing(Given):
    """Always fails."""

    async def _find(self, query, limit):
        raise SearchFailed(self.name, "is asleep", "wake it")


def urls(hits):
    return [hit.url for hit in hits]


def find(search, query="bees", limit=10):
    return run_async(search.find(query, limit))


def test_addresses_are_normalised_and_named_once_in_their_order():
    hits = Hit("HTTP://B.test:80/x?utm_source=y#z", "first"), Hit("http://a.test/"), Hit("http://b.test/x", "again")
    assert find(Given(*hits)) == [Hit("http://b.test/x", "first"), Hit("http://a.test/")]


@pytest.mark.parametrize("text", ["", "no address", "mailto:me@a.test", "javascript:alert(1)", "http://", "\ud800"])
def test_what_is_no_address_is_dropped(text):
    assert urls(find(Given(Hit(text), Hit("http://a.test/")))) == ["http://a.test/"]


def test_no_more_hits_than_asked_for():
    class Generous(Given):
        async def _find(self, query, limit):
            return [Hit(f"http://a.test/{i}") for i in range(30)]

    assert len(find(Generous())) == 10
    assert len(find(Generous(), limit=3)) == 3


def test_titles_and_texts_are_one_line_without_control_characters():
    assert find(Given(Hit("http://a.test/", " A\n\tB\x1b[2J ", "\ud800c\x00d"))) == [
        Hit("http://a.test/", "A B [2J", "c d")
    ]


def test_the_engine_is_asked_a_clean_query():
    search = Given()
    find(search, ' bees\n"heat \x00pump"\ud800 ')
    assert search.asked == [('bees "heat pump"', 10)]


@pytest.mark.parametrize(("query", "limit"), [("", 10), (" \n\t", 10), ("\x00", 10), ("bees", 0), ("bees", -1)])
def test_nobody_is_asked_for_nothing(query, limit):
    search = Given(Hit("http://a.test/"))
    assert find(search, query, limit) == []
    assert search.asked == []


def test_a_failure_says_who_what_and_what_to_do():
    failure = SearchFailed("ddgs", "rate limit", "wait")
    assert str(failure) == "ddgs: rate limit; wait"
    assert failure.provider == "ddgs"
    assert isinstance(failure, HoneyguideError)


def test_answers_are_merged_by_reciprocal_rank():
    one = Given(Hit("http://a.test/"), Hit("http://b.test/"), Hit("http://c.test/"))
    other = Given(Hit("http://c.test/"), Hit("http://d.test/"), Hit("http://B.test/"))
    both = MetaSearch([one, other])
    assert urls(find(both)) == ["http://c.test/", "http://b.test/", "http://a.test/", "http://d.test/"]
    assert both.failures == []


def test_a_small_limit_does_not_hide_what_several_engines_found():
    one, other = (Given(Hit(f"http://{name}.test/"), Hit("http://c.test/")) for name in "ab")
    assert urls(find(MetaSearch([one, other]), limit=1)) == ["http://c.test/"]
    assert one.asked == [("bees", 10)]


def test_a_hit_takes_title_and_text_from_whoever_has_them():
    engines = Given(Hit("http://a.test/", "", "text")), Given(Hit("http://a.test/", "title", "other"))
    assert find(MetaSearch(engines)) == [Hit("http://a.test/", "title", "text")]


def test_an_engine_that_fails_is_survived_and_told_once():
    search = MetaSearch([Failing(name="one"), Given(Hit("http://a.test/"))])
    for _ in range(2):
        assert urls(find(search)) == ["http://a.test/"]
    assert search.failures == ["one: is asleep; wake it"]


def test_engines_that_find_nothing_have_answered():
    search = MetaSearch([Failing(name="one"), Given()])
    assert find(search) == []


def test_when_all_fail_each_is_named():
    search = MetaSearch([Failing(name="one"), Failing(name="two")])
    with pytest.raises(
        SearchFailed, match=r"no engine answered \(one: is asleep; wake it; two: is asleep; wake it\)"
    ):
        find(search)
    assert len(search.failures) == 2


def test_engines_are_asked_at_the_same_time():
    meeting = asyncio.Barrier(2)

    class Meeting(Given):
        async def _find(self, query, limit):
            async with asyncio.timeout(5):
                await meeting.wait()
            return []

    assert find(MetaSearch([Meeting(), Meeting()])) == []


def test_closing_several_engines_closes_each():
    engines = Given(), Given()
    MetaSearch(engines).close()
    assert all(engine.closed for engine in engines)

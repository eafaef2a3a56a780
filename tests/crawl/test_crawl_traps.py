"""URLs without end: by their shape, and because pages of one pattern bring nothing."""

import pytest

import honeyguide as hg
from honeyguide.crawl.traps import Traps, pattern
from honeyguide.settings import Settings
from small_webs import FunctionWeb, page


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("http://a.test/", "http://a.test/"),
        ("http://a.test/2026/05/hive-12.html", "http://a.test/0/0/hive-0.html"),
        ("http://a.test/cal?year=2026&month=5", "http://a.test/cal?year=0&month=0"),
        ("http://a.test/cal?day=1", "http://a.test/cal?day=0"),
        ("http://a.test/?", "http://a.test/?"),
        ("http://a.test/s/0cc175b9c0f1b6a831c399e269772661/wax", "http://a.test/s/0/wax"),
        ("http://10.0.0.1:8080/7", "http://10.0.0.1:8080/0"),
    ],
)
def test_patterns_leave_out_numbers_and_values(url, found):
    assert pattern(url) == found


@pytest.mark.parametrize("spelled", [str, str.upper, lambda id_: id_.replace("-", "")])
def test_ids_are_numbers_however_they_are_spelled(spelled):
    ids = ["f47ac10b-58cc-4372-a567-0e02b2c3d479", "6fa459ea-ee8a-3ca4-894e-db77e160355e"]
    assert len({pattern(f"http://a.test/wax/{spelled(id_)}/") for id_ in ids}) == 1


def test_words_tell_patterns_apart():
    names = ["http://a.test/wax/1", "http://a.test/honey/1", "http://b.test/wax/1", "https://a.test/wax/1"]
    names += ["http://a.test/wax/1?page=1", "http://a.test/wax/1?sort=1", "http://a.test/wax/1/"]
    assert len(set(map(pattern, names))) == len(names)


def shape(url, **limits):
    return Traps(Settings(**limits)).shape(url)


def path(*parts):
    return "http://a.test/" + "/".join(parts)


@pytest.mark.parametrize(
    ("limit", "within", "beyond", "reason"),
    [
        ("max_segments", path(*"abcdefgh"), path(*"abcdefghi"), "trap_path"),
        ("max_repeats", path("x", *"ab" * 8), path("x", *"ab" * 9), "trap_repeats"),
        ("max_parameters", "http://a.test/?" + "&".join("abcdefgh"), "http://a.test/?" + "&".join("abcdefghi"),
         "trap_parameters"),
    ],
)  # fmt: skip
def test_a_limit_holds_to_the_letter_and_can_be_moved(limit, within, beyond, reason):
    lifted = {"max_segments": 100, "max_repeats": 100, "max_parameters": 100}
    assert shape(within, **lifted | {limit: 8}) == ""
    assert shape(beyond, **lifted | {limit: 8}) == reason
    assert shape(beyond, **lifted | {limit: 9}) == ""
    assert shape(within, **lifted | {limit: 7}) == reason


@pytest.mark.parametrize(
    "url",
    [
        "http://a.test/",
        "http://a.test/2026/05/12/bees/in/the/garden.html",
        "http://a.test/a/b/a/b/a/b",
        "http://a.test/search?q=bees&page=2&sort=up&size=20",
        "http://a.test/go?to=http://b.test/a/a/a/a/a/a",
    ],
)
def test_ordinary_urls_have_no_such_shape(url):
    assert shape(url) == ""


# -- whole crawls -------------------------------------------------------------------------------------------------


def crawl(links_of, *seeds, text="trains", relevant=(), **given):
    """Crawl a web that is a function from URL to links."""

    def reply(url):
        return hg.Reply(page(url, *links_of(url), text="bees" if url in relevant else text))

    web = FunctionWeb(reply)
    given = {"pages": 2000, "strategy": "breadth-first", **given}
    return web, hg.Crawl(seeds or ["http://a.test/"], "keyword:bees", web=web, **given).run()


def calendar(url):
    """Every day leads to the next two."""
    day = int(url.partition("?day=")[2] or 0)
    return [f"http://a.test/cal?day={day + 1}", f"http://a.test/cal?day={day + 2}", "http://a.test/about"]


@pytest.mark.parametrize("after", [1, 25, 300])
def test_an_endless_calendar_is_left_when_it_has_brought_nothing(after):
    web, summary = crawl(calendar, trap_after=after)
    assert sum("?day=" in url for url in web.asked) == after
    assert summary.excluded == {"trap_pattern": 2}
    assert (summary.stopped, summary.queued) == ("nothing_left", 0)
    assert "http://a.test/about" in web.asked
    assert summary.balanced


def test_when_told_so_it_is_not_left():
    _, summary = crawl(calendar, trap_after=0, pages=500)
    assert (summary.fetched, summary.excluded) == (500, {})


def test_a_calendar_with_something_in_it_goes_on():
    fruitful = [f"http://a.test/cal?day={day}" for day in range(0, 400, 20)]
    web, summary = crawl(calendar, relevant=fruitful, trap_after=25)
    assert summary.relevant == 19
    assert "http://a.test/cal?day=399" in web.asked
    assert summary.excluded == {"trap_pattern": 2}


def test_seeds_are_asked_for_whatever_their_pattern():
    seeds = [f"http://a.test/{n}" for n in range(20)]
    web, summary = crawl(lambda _: ["http://a.test/99"], *seeds, trap_after=5)
    assert web.asked == seeds
    assert summary.excluded == {"trap_pattern": 1}


def test_redirects_to_relevant_pages_are_no_trap():
    def reply(url):
        if url.startswith("http://a.test/node/"):
            return hg.Reply(redirect=url.replace("http:", "https:"), status=301)
        links = [f"http://a.test/node/{n}" for n in range(50)] if url == "http://a.test/" else []
        return hg.Reply(page(url, *links, text="bees"))

    summary = hg.Crawl(["http://a.test/"], "keyword:bees", web=FunctionWeb(reply), trap_after=10).run()
    assert (summary.relevant, summary.excluded) == (51, {})


def test_a_pattern_found_barren_stays_so_when_the_crawl_goes_on(tmp_path):
    crawl(calendar, trap_after=25, pages=20, directory=tmp_path / "crawl")
    web, summary = crawl(calendar, trap_after=25, directory=tmp_path / "crawl")
    assert sum("?day=" in url for url in web.asked) < 25
    assert (summary.fetched, summary.excluded) == (27, {"trap_pattern": 2})


def test_a_path_that_grows_ends():
    _, summary = crawl(lambda url: [url + "a/"])
    assert (summary.fetched, summary.excluded, summary.stopped) == (4, {"trap_repeats": 1}, "nothing_left")


def test_so_does_one_that_grows_by_slashes_alone():
    _, summary = crawl(lambda url: [url + "/"], pages=200)
    assert summary.fetched < 50
    assert summary.stopped == "nothing_left"


def test_so_does_one_that_grows_with_other_words():
    _, summary = crawl(lambda url: [url + f"w{'x' * len(url)}/"], max_segments=10)
    assert (summary.fetched, summary.excluded) == (11, {"trap_path": 1})


def test_and_parameters_that_multiply():
    def more(url):
        head, _, query = url.partition("?")
        return [head + "?" + "&".join(filter(None, [query, f"p{len(query)}=1"]))]

    _, summary = crawl(more, max_parameters=5)
    assert (summary.fetched, summary.excluded) == (6, {"trap_parameters": 1})


def test_a_redirect_to_an_endless_url_is_not_followed():
    def reply(url):
        return hg.Reply(redirect=url + "a/", status=302)

    summary = hg.Crawl(["http://a.test/"], "keyword:bees", web=FunctionWeb(reply)).run()
    assert (summary.fetched, summary.excluded) == (4, {"trap_repeats": 1})


def test_a_wiki_is_no_calendar():
    names = ["http://a.test/wiki?title=Bee", "http://a.test/wiki?title=Wax", "http://a.test/wiki?title=Queen_bee"]
    assert len(set(map(pattern, names))) == 3
    sessions = ["http://a.test/?k=h7Gd92kslq0aZ", "http://a.test/?k=Pq81mxnaL2kd0"]
    assert len(set(map(pattern, sessions))) == 1


def test_a_limit_that_is_lifted_lets_in_what_it_kept_out(tmp_path):
    crawl(calendar, trap_after=25, directory=tmp_path / "crawl")
    _, summary = crawl(calendar, trap_after=0, pages=60, directory=tmp_path / "crawl")
    assert (summary.fetched, summary.excluded) == (60, {})

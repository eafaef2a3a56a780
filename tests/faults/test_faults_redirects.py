"""Redirects that loop, never end, or lead where nobody should go."""

import pytest

from honeyguide.web import LiveWeb
from hostile import crawl_beside, crawled, leaping, linking, moved, page, refreshing, robots
from loopback import Loopback, answer, settings


def test_r1_a_redirect_to_itself_is_a_loop(tmp_path):
    came = crawl_beside({"/loop": moved("/loop"), "/there": moved("/there#top")}, tmp_path / "crawl")
    assert came.ends("/loop", "/there") == {"/loop": "redirect_loop", "/there": "redirect_loop"}
    assert (came.hits("/loop"), came.hits("/there")) == (1, 1)


@pytest.mark.parametrize("length", [2, 3, 7])
def test_r1_a_cycle_is_found_at_the_first_repeat(length, tmp_path):
    ring = {f"/{i}": moved(f"/{(i + 1) % length}") for i in range(length)}
    came = crawl_beside({"/0": ring.pop("/0")}, tmp_path / "crawl", more=ring)
    assert [came.hits(f"/{i}") for i in range(length)] == [1] * length
    assert [came.end(f"/{i}") for i in range(length)] == ["done"] * (length - 1) + ["redirect_loop"]


def test_r1_a_redirect_to_a_page_known_already_is_no_loop(tmp_path):
    came = crawl_beside({"/a": moved("/good"), "/b": moved("/a")}, tmp_path / "crawl")
    assert came.ends("/a", "/b") == {"/a": "done", "/b": "done"}
    assert (came.hits("/a"), came.hits("/good")) == (1, 1)


def chain(length):
    return {f"/{i}": moved(f"/{i + 1}", f"30{(1, 2, 3, 7, 8)[i % 5]} Moved") for i in range(length)}


def test_r2_a_long_chain_has_an_end_and_every_hop_a_record(tmp_path):
    hops = chain(50)
    came = crawl_beside({"/0": hops.pop("/0")}, tmp_path / "crawl", more=hops)
    asked = [path for path in came.server.paths if path[1:].isdigit()]
    assert asked == [f"/{i}" for i in range(len(asked))]
    assert 5 <= len(asked) <= 21
    assert all(came.record(path).head.startswith(b"HTTP/1.1 30") for path in asked)
    assert came.end(f"/{len(asked)}") == "redirect_chain"


def test_r2_every_hop_is_checked_for_robots_txt_and_scope(tmp_path):
    hops = chain(4)
    pages = {"/0": hops.pop("/0"), "/x": moved("/denied"), "/robots.txt": robots("User-agent: *\nDisallow: /3\n")}
    came = crawl_beside(pages, tmp_path / "crawl", more=hops, deny=["*/denied"])
    assert came.ends("/2", "/3", "/denied") == {"/2": "done", "/3": "robots", "/denied": "denied"}
    assert (came.hits("/3"), came.hits("/denied")) == (0, 0)


def test_r2_every_hop_is_checked_for_its_address(tmp_path):
    with Loopback({"/secret": page("Secret")}) as inner:
        more = {"/1": moved("/2"), "/2": moved(inner.origin + "/secret")}
        web = LiveWeb(settings(allow_private=False), ["127.0.0.2"])
        came = crawl_beside({"/0": moved("/1")}, tmp_path / "crawl", more=more, web=web, host="127.0.0.2")
        assert inner.requests == []
    assert came.end(inner.origin + "/secret") == "private_address"


def test_r3_the_other_host_is_asked_for_its_own_robots_txt_and_is_told_no_secret(tmp_path):
    closed = robots("User-agent: *\nDisallow: /closed\n")
    with Loopback({"/robots.txt": closed, "/closed": page(), "/open": page()}, host="127.0.0.2") as other:
        secret = other.origin.replace("://", "://user:password@")
        pages = {"/a": moved(secret + "/open"), "/b": moved(other.origin + "/closed", Set_Cookie="id=7")}
        came = crawl_beside(pages, tmp_path / "crawl")
        assert other.paths == ["/robots.txt", "/open"]
        for request in other.requests:
            assert not {"authorization", "cookie", "proxy-authorization", "referer"} & set(request.headers)
    assert came.end(other.origin + "/open") == "done"
    assert came.end(other.origin + "/closed") == "robots"


def test_r3_the_delay_of_the_other_host_is_kept(tmp_path):
    given = {"delay": 5, "ip_delay": 0}
    web = leaping(**given)
    with Loopback({"/a": page("A"), "/b": page("B")}, host="127.0.0.2", clock=web.now) as other:
        pages = {"/a": moved(other.origin + "/a"), "/b": moved(other.origin + "/b")}
        crawl_beside(pages, tmp_path / "crawl", web=web, **given)
        first, second, third = (request.time for request in other.requests)
    assert min(second - first, third - second) >= 4.5


SCHEMES = ["file:///etc/passwd", "data:text/html,<b>x", "javascript:alert(1)", "ftp://a.test/", "gopher://a.test/"]


def test_r4_other_schemes_are_never_opened(tmp_path):
    pages = {f"/{i}": moved(target) for i, target in enumerate(SCHEMES)}
    came = crawl_beside(pages, tmp_path / "crawl")
    assert came.ends(*pages) == dict.fromkeys(pages, "bad_scheme")
    assert [came.detail(path) for path in pages] == SCHEMES
    assert all(url.startswith("http://127.0.0.1:") for url in came.books.urls)


def test_r5_a_redirect_to_nowhere_is_an_ordinary_answer(tmp_path):
    places = ["", "http://", "http://[::1", "http://a.test:99999/", "http://\xff\xfe/", "/" + "x" * 5000]
    pages = {f"/{i}": moved(place) for i, place in enumerate(places)}
    pages["/none"] = answer(b"<title>See elsewhere</title>", "302 Found")
    came = crawl_beside(pages, tmp_path / "crawl", retries=2)
    assert came.ends(*pages) == dict.fromkeys(pages, "http_302")
    assert [came.hits(path) for path in pages] == [1] * len(pages)
    assert came.record("/none").body == b"<title>See elsewhere</title>"


def test_r6_pages_that_refresh_to_each_other_are_asked_for_once(tmp_path):
    more = {"/two": refreshing("/one")}
    came = crawl_beside({"/self": refreshing("/self"), "/one": refreshing("/two")}, tmp_path / "crawl", more=more)
    assert [came.hits(path) for path in ("/self", "/one", "/two")] == [1, 1, 1]
    assert came.ends("/self", "/one", "/two") == dict.fromkeys(("/self", "/one", "/two"), "done")


def test_r6_refresh_headers_in_a_circle_are_asked_for_once(tmp_path):
    sent_on = {f"/{a}": answer(b"<p>on", Refresh=f"0; url=/{b}") for a, b in ("ab", "bc", "ca")}
    came = crawl_beside({"/a": sent_on.pop("/a")}, tmp_path / "crawl", more=sent_on)
    assert [came.hits(path) for path in ("/a", "/b", "/c")] == [1, 1, 1]


def test_r6_refreshes_count_like_redirects(tmp_path):
    hops = {f"/{i}": refreshing(f"/{i + 1}") if i % 2 else moved(f"/{i + 1}") for i in range(50)}
    came = crawl_beside({"/0": hops.pop("/0")}, tmp_path / "crawl", more=hops)
    asked = [path for path in came.server.paths if path[1:].isdigit()]
    assert 5 <= len(asked) <= 21
    assert came.end(f"/{len(asked)}") == "redirect_chain"


def test_r6_pages_that_name_each_other_as_the_right_one_are_both_read(tmp_path):
    one, two = (
        page(name, f'<link rel=canonical href="/{other}">') for name, other in (("One", "two"), ("Two", "one"))
    )
    came = crawl_beside({"/one": one, "/two": two}, tmp_path / "crawl")
    assert (came.title("/one"), came.title("/two")) == ("One", "Two")
    assert (came.hits("/one"), came.hits("/two")) == (1, 1)


def test_r6_refreshes_are_not_forgotten_by_a_crawl_that_goes_on(tmp_path):
    fetched = []
    with Loopback({"/": refreshing("/0"), **{f"/{i}": refreshing(f"/{i + 1}") for i in range(40)}}) as server:
        for directory, runs in (("whole", [50]), ("parts", [2, 5, 9, 14, 50])):
            for pages in runs:
                came = crawled(server, [server.origin + "/"], tmp_path / directory, pages=pages)
            fetched.append(came.summary.fetched)
            assert came.summary.excluded == {"redirect_chain": 1}
    assert fetched[0] == fetched[1] < 40


def test_r6_the_links_of_a_page_after_a_refresh_are_no_part_of_the_chain(tmp_path):
    pages = {f"/{i}": linking(f"/{i + 1}") for i in range(30)}
    with Loopback({"/": refreshing("/0"), **pages, "/30": page()}) as server:
        assert crawled(server, [server.origin + "/"], tmp_path / "crawl").end("/30") == "done"

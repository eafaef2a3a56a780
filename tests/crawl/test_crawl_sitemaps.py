"""Crawls that find their way by sitemaps and feeds, on real servers."""

import gzip

import pytest

import honeyguide as hg
from honeyguide.store import Store
from honeyguide.web import LiveWeb
from loopback import Loopback, answer, settings
from small_webs import FunctionWeb

BEES = answer(b"<title>Bees</title><p>All about bees.</p>")


def text(body):
    return answer(body.encode(), type="text/plain")


def sitemap(*locs, tag="url"):
    entries = "".join(f"<{tag}><loc>{loc}</loc></{tag}>" for loc in locs)
    root = {"url": "urlset", "sitemap": "sitemapindex"}[tag]
    return answer(f"<{root}>{entries}</{root}>".encode(), type="application/xml")


def about(subject, *links):
    anchors = "".join(f"<a href='{link}'>x</a>" for link in links)
    return answer(f"<title>{subject}</title><p>All about {subject}.</p>{anchors}".encode())


def crawl(server, *paths, web=None, **given):
    chosen = {"delay": 0, "allow_private": web is None, "timeout": 5, "workers": 0, **given}
    return hg.Crawl([server.origin + path for path in paths], "keyword:bees", web=web, **chosen).run()


def test_a_sitemap_is_a_seed_like_any_other():
    pages = {"/map.xml": sitemap("/bees", "/wasps", "/gone"), "/bees": about("bees"), "/wasps": about("wasps")}
    with Loopback(pages) as server:
        summary = crawl(server, "/map.xml")
        assert sorted(server.paths) == ["/bees", "/gone", "/map.xml", "/robots.txt", "/wasps"]
    assert (summary.fetched, summary.done, summary.relevant, summary.failed) == (3, 3, 1, {"http_404": 1})
    assert (summary.notes["sitemaps"], summary.flags) == (1, {"sitemap": 1})
    assert summary.balanced


def test_requests_for_sitemaps_do_not_use_up_the_pages():
    index = sitemap("/map1.xml", "/map2.xml", tag="sitemap")
    maps = {f"/map{n}.xml": sitemap(f"/bees{n}", f"/more{n}") for n in (1, 2)}
    with Loopback({"/map.xml": index, **maps, "/bees1": BEES, "/bees2": about("more bees")}) as server:
        summary = crawl(server, "/map.xml", pages=2)
    assert (summary.fetched, summary.notes["sitemaps"], summary.stopped) == (2, 3, "pages")


def test_from_an_index_to_packed_sitemaps_to_pages():
    packed = gzip.compress(b"<urlset><url><loc>/bees</loc></url></urlset>")
    pages = {"/map.xml": sitemap("/1.xml.gz", "/2.txt", tag="sitemap")}
    pages["/1.xml.gz"] = answer(packed, type="application/octet-stream")
    with Loopback({**pages, "/bees": about("bees"), "/wax": about("bees and wax")}) as server:
        server.pages["/2.txt"] = text(f"{server.origin}/wax\n")
        summary = crawl(server, "/map.xml")
        assert (server.hits("/bees"), server.hits("/wax")) == (1, 1)
    assert (summary.fetched, summary.relevant, summary.notes["sitemaps"]) == (2, 2, 3)


def test_a_feed_is_a_page_that_does_not_count():
    feed = b"<rss><channel><item><title>Bees</title><link>/bees</link></item></channel></rss>"
    with Loopback({"/rss": answer(feed, type="text/xml"), "/bees": BEES}) as server:
        summary = crawl(server, "/rss")
    assert (summary.fetched, summary.relevant, summary.flags) == (2, 1, {"feed": 1})


ROBOTS = text("User-agent: *\nDisallow: /closed\nSitemap: /map.xml\nSITEMAP: /closed.xml\nSitemap: http://[bad\n")


def test_sitemaps_of_robots_txt_are_followed_only_when_told_so():
    pages = {"/robots.txt": ROBOTS, "/": about("wasps"), "/map.xml": sitemap("/bees"), "/bees": BEES}
    with Loopback(pages) as server:
        summary = crawl(server, "/")
        assert server.paths == ["/robots.txt", "/"]
        assert (summary.discovered, summary.notes["sitemaps"]) == (1, 0)
        summary = crawl(server, "/", sitemaps=True)
        assert (server.hits("/map.xml"), server.hits("/bees"), server.hits("/closed.xml")) == (1, 1, 0)
    assert (summary.fetched, summary.relevant, summary.notes["sitemaps"]) == (2, 1, 1)


def test_a_sitemap_that_robots_txt_forbids_is_excluded(tmp_path):
    pages = {"/robots.txt": ROBOTS, "/": about("bees"), "/map.xml": sitemap("/closed/1"), "/closed.xml": BEES}
    with Loopback(pages) as server:
        summary = crawl(server, "/", sitemaps=True, directory=tmp_path / "crawl")
        assert (server.hits("/closed.xml"), server.hits("/closed/1")) == (0, 0)
    assert summary.excluded == {"robots": 2}


def test_what_a_sitemap_brought_is_known_when_the_crawl_goes_on(tmp_path):
    maps = {"/map.xml": sitemap(*(f"/{n}" for n in range(6)))}
    with Loopback({**maps, **{f"/{n}": about(f"bees {n}") for n in range(6)}}) as server:
        crawl(server, "/map.xml", pages=2, directory=tmp_path / "crawl")
        summary = crawl(server, "/map.xml", directory=tmp_path / "crawl")
        assert server.hits("/map.xml") == 1
    assert (summary.fetched, summary.notes["sitemaps"], summary.relevant) == (6, 1, 6)


@pytest.mark.parametrize("way", ["loc", "index", "robots", "feed", "list"])
def test_an_inner_address_is_not_reached_by(way, tmp_path):
    with Loopback({"/secret": BEES, "/map.xml": sitemap("/secret")}) as inner:
        secret = inner.origin + "/secret"
        pages = {"/robots.txt": text(""), "/": about("bees", "/map")}
        pages["/map"] = {
            "loc": sitemap(secret),
            "index": sitemap(secret, tag="sitemap"),
            "robots": about("bees"),
            "feed": answer(f"<rss><item><link>{secret}</link></item></rss>".encode(), type="text/xml"),
            "list": text(secret),
        }[way]
        if way == "robots":
            pages["/robots.txt"] = text(f"Sitemap: {secret}\n")
        with Loopback(pages, host="127.0.0.2") as outer:
            web = LiveWeb(settings(allow_private=False, sitemaps=True, workers=0), ["127.0.0.2"])
            summary = crawl(outer, "/", web=web, directory=tmp_path / "crawl", sitemaps=True)
        assert inner.requests == []
        assert inner.connections == 0
    assert summary.excluded == {"private_address": 1}
    with Store.open(tmp_path / "crawl") as store:
        assert [url for _, url, _, state, _ in store.urls() if state == "excluded"] == [secret]


def letters(number):
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


@pytest.mark.parametrize("name", [str, letters])
def test_sitemaps_that_lead_to_sitemaps_without_end_have_an_end(name):
    def reply(url):
        assert len(web.asked) < 2000, "it goes on and on"
        following = f"http://a.test/{name(len(web.asked))}"
        return hg.Reply(hg.Page(url=url, links=(hg.Link(following),), listing="sitemap"))

    web = FunctionWeb(reply)
    summary = hg.Crawl(["http://a.test/"], "keyword:bees", web=web, pages=100).run()
    assert summary.fetched <= 100


def test_of_a_sitemap_longer_than_a_page_may_be_the_beginning_is_read(tmp_path):
    body = b"<urlset>" + b"".join(b"<url><loc>/%d</loc></url>" % n for n in range(1000)) + b"</urlset>"
    with Loopback({"/map.xml": answer(body, type="application/xml")}) as server:
        given = {"delay": 0, "allow_private": True, "workers": 0, "max_page_bytes": 5000, "pages": 5}
        summary = hg.Crawl([server.origin + "/map.xml"], "keyword:bees", directory=tmp_path / "c", **given).run()
    assert (summary.notes["sitemaps"], summary.fetched) == (1, 5)
    assert 100 < summary.discovered < 300

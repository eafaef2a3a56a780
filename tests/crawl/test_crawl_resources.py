"""Images, scripts and style sheets: fetched on request, each once a domain, and never counted as pages."""

import asyncio

import pytest

import honeyguide as hg
from honeyguide.base import Reply
from honeyguide.graph import EXCLUDED
from honeyguide.parse import parse
from honeyguide.parse.reading import Reading
from loopback import Loopback
from loopback import answer as answered
from small_webs import FunctionWeb, NoSearch

HTML = """<title>Bees</title><link rel=stylesheet href=/style/site.css><script src=/app.js></script>
<p>bees <img src=/img/bee.png> <img src="{more}"> <a href=http://a.test/next>next</a> <a href=http://b.test/>other</a>"""
PAGES = {
    "http://a.test/": HTML.format(more="/img/logo.png"),
    "http://a.test/next": HTML.format(more="http://cdn.a.test/other/logo.png?v=2"),
    "http://b.test/": HTML.format(more="//a.test/img/bee.png"),
}


def answer(url):
    if url in PAGES:
        return Reply(parse(url, PAGES[url].encode(), reading=Reading(resources=True)), size=10)
    kind = {"png": "image/png", "css": "text/css", "s": "text/javascript"}[url.rpartition(".")[2][-3:].lstrip("j")]
    return Reply(hg.Page(url, type=kind, links=(hg.Link("http://c.test/"),)), size=5)


def crawl(pages=9, directory=None, **settings):
    web = FunctionWeb(lambda url: answer(url.partition("?")[0]))
    settings = {"resources": True, **settings}
    job = hg.Crawl(
        ["http://a.test/"], "keyword:bees", "honeyguide", web=web, pages=pages, directory=directory, **settings
    )
    return job, job.run(), web.asked


def test_each_is_fetched_once_a_domain():
    _, summary, asked = crawl()
    assert sorted(asked) == [
        "http://a.test/",
        "http://a.test/app.js",
        "http://a.test/img/bee.png",
        "http://a.test/img/logo.png",
        "http://a.test/next",
        "http://a.test/style/site.css",
        "http://b.test/",
        "http://b.test/app.js",
        "http://b.test/img/bee.png",
        "http://b.test/style/site.css",
    ]
    assert (summary.fetched, summary.relevant, summary.notes["resources"]) == (3, 3, 7)
    assert summary.excluded == {"known_image": 1}  # the logo, under another name of the domain and another path
    assert summary.flags == {"image": 3, "script": 2, "style": 2}
    assert summary.balanced


def test_they_say_nothing_of_hosts_and_lead_nowhere():
    job, _, asked = crawl()
    assert job.graph.good[:2].tolist() == [2, 1]
    assert job.graph.bad[:2].tolist() == [0, 0]
    assert "http://c.test/" not in asked


def test_they_are_no_links_unless_asked_for():
    assert [link.url for link in parse("http://a.test/", HTML.encode()).links] == [
        "http://a.test/next",
        "http://b.test/",
    ]


@pytest.mark.parametrize("first", [1, 2])
def test_what_is_queued_is_still_known_for_what_it_is_when_a_crawl_goes_on(tmp_path, first):
    crawl(first, tmp_path / "crawl")
    _, summary, asked = crawl(9, tmp_path / "crawl")
    assert (summary.fetched, summary.relevant, summary.notes["resources"]) == (3, 3, 7)
    assert summary.excluded == {"known_image": 1}
    assert "http://cdn.a.test/other/logo.png?v=2" not in asked
    assert "<b>3</b>pages fetched" in hg.write_report(tmp_path / "crawl").read_text()


def test_on_a_real_server_they_are_asked_for_and_archived(tmp_path):
    html = b"<title>Bees</title><p>bees <img src=bee.png><script src=/gone.js></script><a href=/sub/>more</a>"
    pages = {"/": answered(html), "/sub/": answered(html), "/bee.png": answered(b"\x89PNG", type="image/png")}
    settings = {"resources": True, "delay": 0, "allow_private": True, "workers": 0, "directory": tmp_path / "crawl"}
    with Loopback(pages) as server:
        summary = hg.Crawl([f"{server.origin}/"], "keyword:bees", **settings).run()
        assert sorted(server.paths) == ["/", "/bee.png", "/gone.js", "/robots.txt", "/sub/"]
    assert (summary.fetched, summary.failed, summary.excluded) == (2, {"http_404": 1}, {"known_image": 1})
    with hg.Store.open(tmp_path / "crawl") as store:
        image = next(visit for visit in store.visits() if visit.flag == "image")
        assert store.archive.read(image.warc, image.offset).body == b"\x89PNG"


def linked(html):
    pages = {f"http://a.test/{path}": text for path, text in html.items()}
    web = FunctionWeb(
        lambda url: Reply(parse(url, pages.get(url, "<p>bees").encode(), reading=Reading(resources=True)), size=10)
    )
    job = hg.Crawl(["http://a.test/1"], "keyword:bees", "breadth-first", web=web, pages=9, resources=True)
    return job.run(), web.asked


def test_what_a_page_links_to_is_a_page_though_it_is_made_of_it_too():
    summary, _ = linked({"1": "<img src=/><script src=/x></script><a href=/>home</a><a href=/x>x</a> bees"})
    assert (summary.fetched, summary.relevant, summary.notes.get("resources", 0)) == (3, 3, 0)


def test_what_was_taken_for_an_image_is_a_page_once_another_links_to_it():
    summary, asked = linked({"1": "<img src=/pic/0><img src=/i><a href=/2>2</a>", "2": "<a href=/i>i</a> bees"})
    assert (summary.fetched, summary.relevant, summary.notes["resources"]) == (2, 1, 2), "it was fetched already"
    both = "<img src=/a/logo><img src=/b/logo><a href=/2>2</a>"
    summary, asked = linked({"1": both, "2": "<a href=/b/logo>logo</a> bees"})
    assert "http://a.test/b/logo" in asked
    assert (summary.fetched, summary.relevant, summary.notes["resources"]) == (3, 2, 1)
    assert summary.excluded == {}


def test_what_is_denied_later_on_is_not_asked_for(tmp_path):
    crawl(1, tmp_path / "crawl")
    _, summary, asked = crawl(9, tmp_path / "crawl", deny=["*/img/*"])
    assert not [url for url in asked if "/img/" in url]
    assert summary.excluded["denied"] == 3


def test_links_beyond_the_limit_are_counted_resources_too():
    html = b"<meta http-equiv=refresh content='0; url=/r'><a href=/1>1</a><a href=/2>2</a><img src=/i><img src=/j>"
    for most, kept in ((2, 3), (4, 4), (9, 5)):
        page = parse("http://a.test/", html, reading=Reading(resources=True, most_links=most))
        assert (len(page.links), page.cut_links) == (kept, 5 - kept)


def test_the_picture_that_a_gallery_links_to_is_no_page():
    summary, asked = linked({"1": "<a href=/big.jpg><img src=/big.jpg></a> bees"})
    assert (summary.fetched, summary.notes["resources"]) == (1, 1)
    assert "http://a.test/big.jpg" in asked


def test_they_are_queued_at_once_and_none_is_told_to_be_held_back():
    picture = "".join(f"<img src=/{{0}}-{n}.png>" for n in range(4))
    html = {str(n): f"<a href=/{2 * n}>a</a><a href=/{2 * n + 1}>b</a>{picture.format(n)}" for n in range(1, 90)}
    pages = {f"http://a.test/{path}": text for path, text in html.items()}
    web = FunctionWeb(
        lambda url: Reply(parse(url, pages.get(url, "<p>bees").encode(), reading=Reading(resources=True)), size=10)
    )
    job = hg.Crawl(["http://a.test/1"], "keyword:bees", "honeyguide", web=web, pages=80, resources=True)

    async def run():
        return [job.beside_the_frontier()["held_back"] async for _ in job]

    assert not any(asyncio.run(run()))


def test_what_proves_a_page_is_under_the_rules_of_pages():
    guide = hg.Crawl(["http://a.test/1"], "keyword:bees", web=FunctionWeb(answer), resources=True, deny=["/b/"]).guide
    guide.plant(["http://a.test/1"])
    for id_ in guide.graph.intern(["http://a.test/b/logo"], 1).tolist():
        guide.graph.mark(id_, EXCLUDED, "known_image")
        guide.targets(0, parse("http://a.test/1", b"<a href=/b/logo>logo</a>", reading=Reading(resources=True)), "")
        assert guide.graph.why(id_) == "denied"


def test_an_image_that_leads_elsewhere_makes_nothing_known():
    def reply(url):
        if url.endswith(".png"):
            return Reply(redirect=f"{url}/elsewhere", status=301)
        links = "".join(f"<a href=/{n}>x</a>" for n in range(1500))
        return Reply(parse(url, f"<img src=/i.png>{links}".encode(), reading=Reading(resources=True)))

    web = FunctionWeb(reply)
    job = hg.Crawl(["http://a.test/"], "keyword:bees", web=web, pages=3, resources=True, max_known=1000)
    assert "max_known" not in job.run().failed


def made_of_parts(resources, **settings):
    """A tree of pages, each with a style sheet, a script and a picture, as strategies see it."""

    def answer(url):
        name = url.rpartition("/")[2]
        if "." in name:
            return Reply(hg.Page(url, type="image/png"), size=5)
        parts = f"<link rel=stylesheet href=/s.css><script src=/a.js></script><img src=/{name}.png>"
        links = "".join(f"<a href=/{int(name or 0) * 3 + k}>bees {k}</a> " for k in (1, 2, 3))
        html = f"<title>bees {name}</title>{parts if resources else ''}<p>bees of hive {name}</p>{links}"
        return Reply(parse(url, html.encode(), reading=Reading(resources=resources)), size=10)

    return hg.Crawl(
        ["http://a.test/0"],
        "keyword:bees",
        web=FunctionWeb(answer),
        search=NoSearch(),
        resources=resources,
        **settings,
    )


BY_NUMBER = {"random", "deep-deep", "honeyguide", "paths"}  # ids, or numbers of visits, have a part in their choices


@pytest.mark.parametrize("name", sorted({*hg.strategies()} - BY_NUMBER))
def test_they_make_no_difference_to_what_a_strategy_thinks_of_pages(name):
    pages = {}
    for resources in (False, True):
        job = made_of_parts(resources, strategy=name, pages=40)
        summary = job.run()
        assert summary.balanced
        pages[resources] = [
            url for url in map(job.graph.url, job.graph.visited()) if "." not in url.rpartition("/")[2]
        ]
    assert pages[True] == pages[False]


@pytest.mark.parametrize("name", ["paths", "evolved", "genetic:population=6", "honeyguide"])
def test_a_crawl_with_them_goes_on_with_the_same_choices(tmp_path, name):
    whole = made_of_parts(True, strategy=name, pages=40, directory=tmp_path / "whole")
    whole.run()
    made_of_parts(True, strategy=name, pages=17, directory=tmp_path / "parts").run()
    rest = made_of_parts(True, strategy=name, pages=40, directory=tmp_path / "parts")
    rest.run()
    for job in (whole, rest):
        assert job.graph.parents[job.graph.table.find("http://a.test/s.css")] == 0
    assert [rest.graph.url(i) for i in rest.graph.visited()] == [whole.graph.url(i) for i in whole.graph.visited()]

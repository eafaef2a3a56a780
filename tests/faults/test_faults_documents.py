"""Documents that are long, deep, broken or full of links that lead nowhere."""

import pytest

from honeyguide.report import write_report
from hostile import crawl_beside, crawled, endless_line, linking, page
from loopback import Loopback, answer


def test_d1_a_document_of_a_hundred_megabytes_is_cut(tmp_path):
    line = endless_line()
    came = crawl_beside({"/line": line}, tmp_path / "crawl", timeout=30)
    assert (came.end("/line"), came.truncated("/line")) == ("too_large", "length")
    assert line.hung_up


def test_d1_a_long_line_within_the_limit_is_read_to_its_end(tmp_path):
    body = b"<title>Line</title>" + b"bees <b>and</b> " * 250_000 + b"<a href='/end'>bees</a>"
    came = crawl_beside({"/line": answer(body)}, tmp_path / "crawl", more={"/end": page()}, timeout=30)
    assert came.end("/end") == "done"


def nested(tags, depth):
    """Links before, inside and after many elements in each other."""
    opened, closed = "".join(f"<{tag}>" for tag in tags), "".join(f"</{tag}>" for tag in reversed(tags))
    name = f"{tags[0]}{depth}"
    links = [f"<a href='/{name}/{place}'>bees</a>" for place in ("before", "inside", "after")]
    return page(name, links[0] + opened * depth + links[1] + closed * depth + links[2])


NESTED = {
    **{f"/{tags[0]}{depth}": nested(tags, depth) for tags in (["div"], ["b"], ["table", "tr", "td"], ["ul", "li"])
       for depth in (300, 3000)},
    "/div50000": nested(["div"], 50_000),
}  # fmt: skip


def test_d2_links_before_inside_and_after_deep_nesting_are_found(tmp_path):
    linked = {
        f"{path}/{place}": page(f"{path} {place}") for path in NESTED for place in ("before", "inside", "after")
    }
    came = crawl_beside(NESTED, tmp_path / "crawl", more=linked, timeout=30)
    assert came.ends(*NESTED, *linked) == dict.fromkeys([*NESTED, *linked], "done")


def test_d3_a_page_of_a_hundred_thousand_links(tmp_path):
    many = "".join(f"<a href=/{i}>bees</a>" for i in range(100_000))
    came = crawl_beside({"/many": page("Many", many)}, tmp_path / "crawl", pages=20, timeout=30)
    assert (came.end("/many"), came.summary.fetched, came.summary.stopped) == ("done", 20, "pages")
    assert len(came.page("/many").links) == 10_000
    assert came.summary.notes["cut_links"] == 90_000


QUADRATIC = {
    "/attributes": '<a foo="' * 16_000,
    "/comments": "<!--" * 30_000,
    "/declarations": "<!a" * 30_000,
    "/instructions": "<?" * 50_000,
    "/entities": "&" * 100_000,
    "/unclosed": "<a " * 30_000,
    "/formatting": "<b><p>" * 5_000,
    "/anchors": "<a href=/x>" * 5_000,
    "/titles": "<title>" * 20_000,
    "/scripts": "<script><!--" * 10_000,
    "/refresh": '<meta http-equiv=refresh content="0;' + " " * 100_000 + '">',
    "/cdata": "<svg><![CDATA[" * 10_000,
}


def test_d4_input_that_makes_parsers_slow(tmp_path):
    pages = {path: page("Slow", text) for path, text in QUADRATIC.items()}
    came = crawl_beside(pages, tmp_path / "crawl")
    assert came.ends(*pages) == dict.fromkeys(pages, "done")


NO_URLS = """http://[::1 http://[www.bees.test]/ http://[google.com] http://bees.test:99999/ http://bees.test:-1/
http://bees.test:port/ http://a<b http://a>b http://a^b http://ab%zz%66%a http://%25 http://a%b http://%zz%66%a.com
http://%00.com http://1.2.3.4.5.256 http://256.256.256.256/ http://0x100000000 http://999999999999 http://1.2.3.08
http://[1::1::1] http://[::%31] http://[:1:] http://[fe80::1%25eth0]/ http:// http://? http://# https:// http://@
http://user@/path http://:80/ http://xn--a/ http://xn--zn7c.com http://a|b/ http://f:b/c
http://f:fifty-two/c http://192.168.0.1:70000/ http://0xffffffff1 http://[0:1:2:3:4:5:6:7:8] http://[0:1:2:3:4:5:6:7.0.0.0.1]
http://[0::0::0] http://[0:.0] http://[0:0:] http://[::127.0.0.0.1] http://[0:1.23.23] http://a\u00ad.\ufffd/
http://\u00ad/ http://\u200b.test:x/ http://\ufdd0zyx.com http://\ufffd.test/ http://%ef%b7%90zyx.com http://%41.com:xx""".split()


def test_d5_malformed_urls_are_counted_and_left_alone(tmp_path):
    came = crawl_beside({"/bad": linking(*NO_URLS, "/" + "x" * 1_000_000, "/found")}, tmp_path / "crawl")
    assert came.end("/bad") == "done"
    assert [link.url for link in came.page("/bad").links] == [came.at("/found")]
    assert came.page("/bad").bad_links == came.summary.notes["bad_links"] == len(NO_URLS) + 1
    assert all(url.startswith(came.server.origin) for url in came.books.urls)


def test_d5_odd_urls_that_are_good_are_asked_for_as_they_are(tmp_path):
    odd = ["/%zz", "/a%00b", "/%2e%2e%2f", "/a;b=c,d", "/?q=%C3%28", "//", "/%u0041", "/a%0d%0aX:y", "/'\"|"]
    came = crawl_beside({"/odd": page("Odd", "".join(f"<a href='{url}'>x</a>" for url in odd))}, tmp_path / "crawl")
    assert came.page("/odd").bad_links <= 2
    assert {came.end(url) for url in came.books.urls} <= {"done", "http_404"}


PINNED = ["apple.test=127.0.0.1", "xn--pple-43d.test=127.0.0.1", "xn--bcher-kva.test=127.0.0.1"]


def test_d6_names_that_look_alike_are_different_hosts_shown_in_ascii(tmp_path):
    with Loopback({"/": page()}) as server:
        names = [f"http://{name}.test:{server.port}/" for name in ("apple", "\u0430pple", "bücher", "BÜCHER")]
        server.pages["/links"] = answer(linking(*names).partition(b"\r\n\r\n")[2], type="text/html; charset=utf-8")
        came = crawled(server, [server.origin + "/links"], tmp_path / "crawl", resolve=PINNED)
        hosts = [request.headers["host"].partition(":")[0] for request in server.requests if request.path == "/"]
    assert sorted(hosts) == ["apple.test", "xn--bcher-kva.test", "xn--pple-43d.test"]
    report = write_report(came.directory).read_text()
    assert "xn--pple-43d.test" in report
    assert "\u0430pple" not in report


def test_d6_names_that_cannot_be_are_bad(tmp_path):
    names = [
        "http://xn--/",
        "http://xn--ls8h=/",
        "http://xn--a-yoc/",
        "http://\u200d.test/",
        "http://a\u06b0\u0061.test/",
    ]
    body = linking(*names).partition(b"\r\n\r\n")[2]
    came = crawl_beside({"/names": answer(body, type="text/html; charset=utf-8")}, tmp_path / "crawl")
    assert set(came.books.urls) == {came.at(path) for path in ("/", "/good", "/fine", "/names")}


SCHEMES = ["javascript:alert(1)", "mailto:a@b.test", "data:text/html,<a href=/x>", "blob:http://a.test/1"]
SCHEMES += ["about:blank", "tel:+123", "ftp://a.test/", "file:///etc/passwd", "ws://a.test/", "JaVaScRiPt:1"]
SCHEMES += [
    " java\nscript:1",
    "chrome://settings",
    "view-source:http://a.test/",
    "intent://a#end",
    "urn:isbn:1",
    "x:y",
]


@pytest.mark.parametrize("base", ["", *SCHEMES[:5], "http://[", "//", "http:", "?", "#", "x" * 5000])
def test_d7_only_http_is_followed_whatever_the_base(base, tmp_path):
    body = f"<base href='{base}'>" + "".join(f"<a href='{url}'>bees</a>" for url in SCHEMES)
    came = crawl_beside({"/base": page("Base", body + "<a href='{}'>")}, tmp_path / "crawl")
    assert came.end("/base") == "done"
    assert all(url.startswith("http://127.0.0.1:") for url in came.books.urls)


def test_d7_the_first_base_counts(tmp_path):
    body = "<base target=_top><base href='/deep/er/'><base href='http://else.test/'><a href=found>bees</a>"
    came = crawl_beside({"/base": page("Base", body)}, tmp_path / "crawl", more={"/deep/er/found": page()})
    assert came.end("/deep/er/found") == "done"

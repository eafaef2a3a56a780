"""Sitemaps and feeds: the links come out, and nothing else that a file may hold."""

import contextlib
import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.parse import Reading, parse
from honeyguide.parse.feeds import MOST

URL = "http://a.test/maps/sitemap.xml"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def urlset(*locs, xml='<?xml version="1.0" encoding="UTF-8"?>', more=""):
    entries = "".join(f"<url><loc>{loc}</loc><lastmod>2026-01-01</lastmod>{more}</url>" for loc in locs)
    return f'{xml}\n<urlset xmlns="{NAMESPACE}">{entries}</urlset>'.encode()


def read(body, type="application/xml", **reading):
    return parse(URL, body, type, reading=Reading(**reading))


def found(page):
    return [link.url for link in page.links]


def test_a_sitemap():
    page = read(urlset("http://a.test/1", "\n http://a.test/2?a=1&amp;b=2 \n"))
    assert found(page) == ["http://a.test/1", "http://a.test/2?a=1&b=2"]
    assert (page.listing, page.text, page.title, page.bad_links, page.cut_links) == ("sitemap", "", "", 0, 0)
    assert [link.position for link in page.links] == [0, 1]


def test_an_index_of_sitemaps():
    body = f"<sitemapindex xmlns='{NAMESPACE}'><sitemap><loc>http://a.test/1.xml</loc></sitemap></sitemapindex>"
    page = read(body.encode())
    assert (page.listing, found(page)) == ("sitemap", ["http://a.test/1.xml"])


def test_rss_2():
    page = read(
        b"""<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Hive news</title>
        <link>http://a.test/</link><atom:link href="http://a.test/rss" rel="self"/>
        <image><link>http://a.test/logo</link></image>
        <item><title>A  new\nqueen</title><link>http://a.test/queen</link><guid>7</guid></item>
        <item><title><![CDATA[Wax & honey]]></title><link><![CDATA[http://a.test/wax?a=1&b=2]]></link></item>
        </channel></rss>""",
        "application/rss+xml; charset=utf-8",
    )
    assert page.listing == "feed"
    assert [(link.url, link.anchor) for link in page.links] == [
        ("http://a.test/queen", "A new queen"),
        ("http://a.test/wax?a=1&b=2", "Wax & honey"),
    ]


RDF = b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
    <channel rdf:about="http://a.test/rss"><title>News</title><link>http://a.test/</link>
    <items><rdf:Seq><rdf:li resource="http://a.test/queen"/></rdf:Seq></items></channel>
    <item rdf:about="http://a.test/queen"><title>Queen</title><link>http://a.test/queen</link></item></rdf:RDF>"""


@pytest.mark.parametrize("type", ["application/xml", "application/rss+xml", "application/rdf+xml"])
def test_rss_1(type):
    page = read(RDF, type)
    assert (page.listing, found(page)) == ("feed", ["http://a.test/queen"])


def test_atom():
    page = read(
        b"""<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><link href="http://a.test/"/>
        <link rel="self" href="http://a.test/atom"/>
        <entry><title type="html">Queen</title><link rel="edit" href="/edit/1"/><link href="/queen"/>
        <link rel="enclosure" href="/queen.mp3"/></entry>
        <entry><title>Wax</title><link rel="alternate" type="text/html" href="../wax"/><id>7</id></entry></feed>""",
        "application/atom+xml",
    )
    assert page.listing == "feed"
    assert [(link.url, link.anchor) for link in page.links] == [
        ("http://a.test/queen", "Queen"),
        ("http://a.test/wax", "Wax"),
    ]


def test_prefixes_do_not_matter():
    body = f'<s:urlset xmlns:s="{NAMESPACE}"><s:url><s:loc>http://a.test/1</s:loc></s:url></s:urlset>'
    assert found(read(body.encode())) == ["http://a.test/1"]
    body = '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:link href="/1"/></a:entry></a:feed>'
    assert found(read(body.encode())) == ["http://a.test/1"]


def test_pictures_of_a_page_are_not_taken_for_it():
    more = "<image:image><image:loc>http://cdn.test/hive.jpg</image:loc><image:title>Hive</image:title></image:image>"
    body = urlset("http://a.test/1", "http://a.test/2", more=more).replace(b"<urlset", b'<urlset xmlns:image="i"')
    assert found(read(body)) == ["http://a.test/1", "http://a.test/2"]


def test_nor_are_its_translations():
    more = '<xhtml:link rel="alternate" hreflang="de" href="http://a.test/de"/>'
    body = urlset("http://a.test/1", more=more).replace(b"<urlset", b'<urlset xmlns:xhtml="x"')
    assert "http://a.test/1" in found(read(body))


def test_nor_the_feed_an_entry_was_taken_from():
    page = read(
        b"""<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Queen</title><link href="/queen"/>
        <source><title>Other news</title><link href="http://other.test/"/></source></entry></feed>"""
    )
    assert [(link.url, link.anchor) for link in page.links] == [("http://a.test/queen", "Queen")]


def test_relative_addresses_are_resolved_and_what_is_no_url_is_counted():
    page = read(
        urlset("/top", "beside", "http://[::1", "javascript:alert(1)", "mailto:a@b.test", "", "http://b.test/")
    )
    assert found(page) == ["http://a.test/top", "http://a.test/maps/beside", "http://b.test/"]
    assert page.bad_links == 4


def test_more_than_the_protocol_allows_is_cut_and_counted():
    page = read(urlset(*(f"http://a.test/{n}" for n in range(MOST + 5))))
    assert (len(page.links), page.links[-1].url, page.cut_links) == (MOST, f"http://a.test/{MOST - 1}", 5)
    text = "\n".join(f"http://a.test/{n}" for n in range(MOST + 5)).encode()
    page = read(text, "text/plain")
    assert (len(page.links), page.cut_links) == (MOST, 5)


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_file_that_breaks_off_gives_what_came_before(cut):
    assert found(read(urlset("http://a.test/1", "http://a.test/2", "http://a.test/3")[:-cut]))[:2] == [
        "http://a.test/1",
        "http://a.test/2",
    ]


def test_so_does_one_with_an_error_in_it():
    page = read(urlset("http://a.test/1", "http://a.test/2?a=1&b=2", "http://a.test/3"))
    assert found(page) == ["http://a.test/1"]


# -- lists ---------------------------------------------------------------------------------------------------------


def test_a_text_of_urls_is_a_sitemap():
    page = read(b"http://a.test/1\r\n\r\n  HTTPS://A.test/2#x \nhttp://[bad\n", "text/plain; charset=utf-8")
    assert (page.listing, found(page), page.bad_links) == ("sitemap", ["http://a.test/1", "https://a.test/2"], 1)


@pytest.mark.parametrize("text", ["", "Bees", "See http://a.test/1", "http://a.test/1\nand more\n"])
def test_any_other_text_is_none(text):
    page = read(text.encode(), "text/plain")
    assert (page.listing, page.links, page.text.strip()) == ("", (), text.strip())


# -- packed files --------------------------------------------------------------------------------------------------

TYPES = [
    "application/x-gzip",
    "application/xml",
    "text/html",
    "text/plain",
    "application/octet-stream",
    "image/png",
    "",
]


@pytest.mark.parametrize("type", TYPES)
def test_a_packed_sitemap_is_known_by_its_bytes_whatever_it_is_called(type):
    locs = [f"http://a.test/{n}" for n in range(100)]
    page = read(gzip.compress(urlset(*locs)), type)
    assert (page.listing, found(page)) == ("sitemap", locs)
    page = read(gzip.compress("\n".join(locs).encode()), type)
    assert (page.listing, found(page)) == ("sitemap", locs)


def test_a_packed_list_may_be_short():
    assert found(read(gzip.compress(b"http://a.test/1"))) == ["http://a.test/1"]


def test_a_packed_sitemap_may_begin_with_a_long_comment():
    body = urlset("http://a.test/1", xml=f'<?xml version="1.0"?><!-- {"made by hand " * 200} -->')
    assert found(read(gzip.compress(body))) == ["http://a.test/1"]


def test_other_packed_files_are_not_looked_into():
    page = read(gzip.compress(b"<a href='http://a.test/1'>bees</a>" * 100), "text/html")
    assert (page.type, page.links, page.text) == ("application/gzip", (), "")


def test_a_packed_file_that_breaks_off_gives_what_came_before():
    locs = [f"http://a.test/{n * n * n}" for n in range(2000)]
    some = found(read(gzip.compress(urlset(*locs))[:-2000]))
    assert 100 < len(some) < 2000
    assert some == locs[: len(some)]


def test_of_a_packed_bomb_only_the_beginning_is_read():
    body = gzip.compress(urlset("http://a.test/1")[:-9] + b"<url>" + b" " * 20_000_000)
    page = read(body, largest=100_000)
    assert (page.listing, found(page)) == ("sitemap", ["http://a.test/1"])


# -- what else a file may hold -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE urlset [<!ENTITY x SYSTEM "{canary}">]>',
        '<!DOCTYPE urlset [<!ENTITY % x SYSTEM "{canary}"> %x;]>',
        '<!DOCTYPE urlset SYSTEM "{canary}">',
        '<!DOCTYPE urlset PUBLIC "-//x//y" "{canary}" [<!ENTITY x "http://a.test/inner">]>',
    ],
)
def test_files_of_this_machine_are_not_read(declaration, tmp_path):
    canary = tmp_path / "canary.txt"
    canary.write_text("http://canary.test/sings")
    xml = '<?xml version="1.0"?>' + declaration.format(canary=canary.as_uri())
    page = read(urlset("http://a.test/1", "&x;", "http://a.test/2", xml=xml))
    assert "canary" not in repr(page)
    assert "inner" not in repr(page)


def test_entities_that_multiply_are_not_read():
    laughs = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(9))
    xml = f'<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY l0 "http://a.test/lol">{laughs}]>'
    page = read(urlset("&l9;", xml=xml))
    assert (page.links, page.listing) == ((), "")


def test_an_entity_that_is_only_declared_does_no_harm():
    read(urlset("http://a.test/1", xml='<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY x "y">]>'))


@pytest.mark.parametrize(
    "body",
    [b"<svg xmlns='x'><a href='/1'>x</a></svg>", b"<?xml version='1.0'?><bees/>", b"", b"no xml", b"<", b"\0<a>"],
)
def test_other_xml_is_only_recorded(body):
    page = read(body, "text/xml")
    assert (page.type, page.listing, page.links, page.text) == ("application/xml", "", (), "")


@pytest.mark.parametrize(
    "encoding", ["no-such-encoding", "hex", "rot13", "idna", "utf-7", "shift_jis", "utf-16", "\\"]
)
def test_no_name_of_an_encoding_makes_it_raise(encoding):
    read(urlset("http://a.test/1", xml=f'<?xml version="1.0" encoding="{encoding}"?>'))
    read(urlset("http://a.test/1", xml='<?xml version="1.0"?>'), f"application/xml; charset={encoding}")


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "windows-1252", "utf-16"])
def test_titles_in_usual_encodings(encoding):
    head = f'<?xml version="1.0" encoding="{encoding}"?>'
    body = f"{head}<rss><item><title>Bücher</title><link>http://a.test/1</link></item></rss>".encode(encoding)
    assert [(link.url, link.anchor) for link in read(body).links] == [("http://a.test/1", "Bücher")]


def test_the_charset_of_the_header_counts_more():
    body = "<rss><item><title>Bücher</title><link>/1</link></item></rss>".encode("iso-8859-1")
    assert read(body, "text/xml; charset=ISO-8859-1").links[0].anchor == "Bücher"


PIECES = st.sampled_from(
    ["<urlset>", "</urlset>", "<url>", "</url>", "<loc>", "</loc>", "http://a.test/1", "<rss>", "<item>", "</item>",
     "<link href='/x'/>", "<title>", "</title>", "&amp;", "&x;", "<![CDATA[", "]]>", "<!--", "-->", "<?x?>", "<feed>"]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(PIECES | st.text(max_size=5), max_size=20).map("".join), st.booleans())
def test_no_file_makes_it_raise(text, packed):
    with contextlib.suppress(UnicodeEncodeError):
        body = text.encode()
        read(gzip.compress(body) if packed else body)


@pytest.mark.parametrize("label", ["text/html", "text/plain", "application/octet-stream", ""])
def test_a_sitemap_is_one_whatever_it_is_called(label):
    body = urlset("http://a.test/1", xml="<?xml version='1.0'?><!-- made by hand -->")
    assert found(parse("http://a.test/sitemap.xml", body, label)) == ["http://a.test/1"]


def listed(xml):
    return [link.url for link in parse("http://a.test/feeds/all.xml", xml.encode(), "application/xml").links]


def test_elements_may_name_what_their_addresses_are_relative_to():
    entries = """<entry><link href="one"/></entry><entry xml:base="deep/"><link href="two"/></entry>
    <entry><link xml:base="http://b.test/" href="three"/></entry><entry><link href="four"/></entry>"""
    assert listed(f'<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/ab/">{entries}</feed>') == [
        "http://a.test/ab/one",
        "http://a.test/ab/deep/two",
        "http://b.test/three",
        "http://a.test/ab/four",
    ]
    assert listed('<feed xml:base="data:x"><entry><link href="one"/></entry></feed>') == ["http://a.test/feeds/one"]


def test_an_item_without_a_link_is_where_its_guid_says():
    items = [
        '<guid isPermaLink="true">http://a.test/1</guid>',
        "<guid>http://a.test/2</guid>",
        '<guid isPermaLink="false">http://a.test/3</guid>',
        "<guid>tag:a.test,2026:4</guid>",
        "<guid>http://a.test/5</guid><link>http://a.test/five</link>",
        "<link>http://a.test/six</link><guid>http://a.test/6</guid>",
    ]
    xml = "".join(f"<item>{item}</item>" for item in items)
    assert listed(f"<rss><channel>{xml}</channel></rss>") == [
        f"http://a.test/{name}" for name in ("1", "2", "five", "six")
    ]


def test_a_list_of_urls_may_have_a_few_other_lines():
    lines = [f"http://a.test/{n}" for n in range(50)]
    page = parse("http://a.test/map.txt", "\n".join(["# all pages", *lines, "bad.a.test"]).encode(), "text/plain")
    assert (page.listing, len(page.links), page.bad_links) == ("sitemap", 50, 2)
    notes = "\n".join(["See these:", *lines[:5]])
    assert parse("http://a.test/notes.txt", notes.encode(), "text/plain").listing == ""

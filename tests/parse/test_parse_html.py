"""HTML and XHTML pages: charset, text, links and what stands around them."""

import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from honeyguide import urls
from honeyguide.base import Link
from honeyguide.parse import Reading, parse, robots_words
from honeyguide.parse.fingerprint import distance

URL = "https://bees.example/garden/hive"
XHTML = "application/xhtml+xml"


def read(html, content_type="text/html; charset=utf-8", **headers):
    body = html if isinstance(html, bytes) else html.encode()
    return parse(URL, body, content_type, **headers)


def targets(page):
    return [link.url.removeprefix("https://bees.example/garden/") for link in page.links]


# Charsets


@pytest.mark.parametrize(
    ("body", "content_type", "charset"),
    [
        (b"\xef\xbb\xbf<meta charset=koi8-r><p>\xc3\xa9", "text/html; charset=windows-1251", "utf-8"),
        (b"\xff\xfe<\0p\0>\0\xe9\0", "text/html; charset=utf-8", "utf-16le"),
        (b"\xfe\xff\0<\0p\0>\0\xe9", "text/html; charset=utf-8", "utf-16be"),
        (b"<meta charset=koi8-r><p>\xc3\xa9", "text/html; charset=utf-8", "utf-8"),
        (b"<meta charset=utf-8><p>\xc3\xa9", "text/html", "utf-8"),
        (b"<meta http-equiv=Content-Type content='text/html; charset=utf-8'><p>\xc3\xa9", "text/html", "utf-8"),
        (b"<meta charset=utf-16><p>\xc3\xa9", "text/html", "utf-8"),
        (b"<\0p\0>\0\xe9\0", "text/html; charset=utf-16le", "utf-16le"),
        (b"<meta charset=utf-8><p>\xe9", "text/html; charset=iso-8859-1", "windows-1252"),
        (b"<meta charset=latin1><p>\xc3\xa9", 'TEXT/HTML ; Charset="UTF-8"', "utf-8"),
    ],
)
def test_byte_order_mark_before_header_before_meta(body, content_type, charset):
    page = read(body, content_type)
    assert (page.charset, page.text) == (charset, "é")


def test_ascii_alone_is_read_in_the_default_charset():
    assert read(b"<p>plain", "text/html").charset == "windows-1252"


@pytest.mark.parametrize(
    "label", ["klingon", "hex", "idna", "undefined", "punycode", "zlib", "a\0b", "\udce9", "é", "'", "utf-8\udce9"]
)
@pytest.mark.parametrize("kind", ["text/html", XHTML, "text/plain"])
def test_labels_no_browser_knows_are_passed_over(kind, label):
    page = parse(URL, "<html><p>naïve</p></html>".encode(), f"{kind}; charset={label}")
    assert "naïve" in page.text
    assert page.charset == "utf-8"


def test_an_unknown_label_leaves_the_word_to_meta():
    page = read(b"<meta charset=windows-1251><p>\xcf\xf0", "text/html; charset=klingon")
    assert page.text == "Пр"


@pytest.mark.parametrize("kind", ["text/html", XHTML])
def test_utf_7_is_never_decoded(kind):
    page = read(b"<html><body>+ADw-a href=x+AD4-</body></html>", f"{kind}; charset=utf-7")
    assert page.text == "+ADw-a href=x+AD4-"
    assert page.links == ()


@pytest.mark.parametrize("kind", ["text/html", XHTML, "text/plain", "application/pdf", "image/png", ""])
def test_nothing_gives_an_empty_page(kind):
    page = parse(URL, b"", kind)
    assert (page.title, page.text, page.links, page.bad_links) == ("", "", (), 0)


def test_invalid_bytes_are_replaced_and_links_still_found():
    page = read(b"<p>\xff\xfe\x80 wax <a href=jar>j\xc3r</a> \xf0\x9f", "text/html; charset=utf-8")
    assert page.text == "��� wax j�r �"
    assert targets(page) == ["jar"]
    assert page.links[0].anchor == "j�r"


# Text


def test_text_is_what_a_reader_sees():
    page = read(
        """<!doctype html><html><head><title> Bees
        &amp; wax </title><style>p {color: red}</style><script>var hidden = "<p>no</p>"</script></head>
        <body><p>One</p><script>no()</script><template>no</template><noscript>no</noscript><!-- no -->
        <p hidden>no</p><div style="color:red; display:none">no</div><div style="display: none"><b>no</b></div>
        <p>two &lt;b&gt;</p></body></html>"""
    )
    assert page.title == "Bees & wax"
    assert page.text.split() == ["One", "two", "<b>"]


def test_main_text_leaves_out_menus_and_footers():
    story = " ".join(["The queen lays eggs all summer and the workers feed the brood with honey."] * 12)
    page = read(
        f"<body><nav><a href=1>Home</a> <a href=2>Shop</a></nav><article><h1>Hive</h1><p>{story}</p></article>"
        "<footer>Imprint and cookies</footer></body>"
    )
    assert "queen lays eggs" in page.main
    assert "Shop" not in page.main
    assert "cookies" not in page.main
    assert "Shop" in page.text
    assert "cookies" in page.text
    assert page.language == "en"


STORY = " ".join(
    f"The bees of hive {n} brought their honey home before the rain came over field {n}." for n in range(9)
)


def furnished(menu, story=STORY):
    links = "".join(f"<a href={n}>{entry}</a> " for n, entry in enumerate(menu.split()))
    return f"<title>Bees</title><nav>{links}</nav><p>{story}<footer>{menu}</footer>".encode()


def test_what_is_not_asked_for_changes_nothing_else():
    page, lean = furnished("home shop"), Reading(surroundings=False, main_text=False)
    read = parse("http://a.example/", page)
    short = tuple(link._replace(context="", path="") for link in read.links)
    assert parse("http://a.example/", page, reading=lean) == replace(read, main="", links=short)


def test_the_fingerprint_minds_neither_menus_nor_footers():
    menus = "home shop imprint", "accueil boutique contact panier recherche compte aide"
    first, second = (parse("http://a.example/", furnished(menu)) for menu in menus)
    assert first.fingerprint == second.fingerprint != 0
    assert first.fingerprint != parse("http://a.example/", furnished(menus[0], STORY[::-1])).fingerprint


@pytest.mark.parametrize("story", ["", STORY[:300]])
def test_lists_of_links_under_the_same_words_are_told_apart(story):
    entries = [" ".join(f"{word}{n}" for n in range(400)) for word in ("entry", "other")]
    first, second = (parse("http://a.example/", furnished(each, story)).fingerprint for each in entries)
    assert 0 != first != second != 0


def test_what_stands_in_a_form_counts():  # some sites put all of a page into one
    told = (" ".join(f"{word} and {n}" for n in range(60)) for word in ("honey", "wax"))
    first, second = (parse(URL, f"<title>Bees</title><p>{STORY}<form>{each}</form>".encode()) for each in told)
    assert distance(first.fingerprint, second.fingerprint) > 3


def test_language_is_the_declared_one_when_there_is_little_text():
    assert read("<html lang=de-CH><p>Honig").language == "de"
    assert read("<html lang=deu><p>Honig").language == "de"
    assert read("<p>Honig").language == ""


def test_language_of_enough_text_is_what_it_says():
    german = "Die Bienen sammeln im Sommer Nektar und machen daraus Honig für den langen Winter. " * 3
    assert read(f"<html lang=en><p>{german}").language == "de"


@pytest.mark.parametrize("attribute", ["hidden", "style='display:none'"])
@pytest.mark.parametrize("tag", ["html", "body"])
def test_a_page_that_a_script_will_show_is_read(tag, attribute):
    html, body = ("html " + attribute, "body") if tag == "html" else ("html", "body " + attribute)
    page = read(
        f"<{html}><head><title>T</title><meta name=robots content=noindex><link rel=canonical href=/c></head>"
        f"<{body}>wax <a href=jar>jar</a>"
    )
    assert page.robots == {"noindex"}
    assert (page.title, page.canonical, page.text) == ("T", "https://bees.example/c", "wax jar")


def test_the_title_is_the_heads_and_not_a_drawings():
    assert read("<body><svg><title>icon</title></svg>").title == "icon"
    assert read("<title>Page</title><body><svg><title>icon</title></svg>").title == "Page"
    assert read("<body><svg><title><a href=x>linked</a> icon</title></svg>").title == "linked icon"


# What a page says of itself


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("/wax/", "https://bees.example/wax/jar"),
        ("http://wasps.example/nest/", "http://wasps.example/nest/jar"),
        ("//wasps.example", "https://wasps.example/jar"),
        ("\\\\wasps.example\\nest\\", "https://wasps.example/nest/jar"),
        ("https:wax/", "https://bees.example/garden/wax/jar"),
        ("data:text/html,x", "https://bees.example/garden/jar"),
        ("javascript:x", "https://bees.example/garden/jar"),
        ("http://[::1", "https://bees.example/garden/jar"),
        ("http://[not]/", "https://bees.example/garden/jar"),
        ("", "https://bees.example/garden/jar"),
    ],
)
def test_base_moves_every_relative_link(base, url):
    page = read(f'<base href="{base}"><base href="/second/"><a href=jar>jar</a><link rel=canonical href=jar>')
    assert page.links[0].url == page.canonical == url


def test_canonical_is_normalised_and_a_bad_one_is_none():
    assert read("<link rel='alternate Canonical' href='/a?utm_source=x#y'>").canonical == "https://bees.example/a"
    assert read("<link rel=canonical href='http://[::1'>").canonical == ""
    assert read("<link rel=canonical href='javascript:x'>").canonical == ""
    assert read("<p>none").canonical == ""


def test_robots_words_of_tag_and_header_add_up():
    page = read("<META NAME=Robots CONTENT='NoIndex, noarchive'><meta name=otherbot content=nofollow>")
    assert page.robots == {"noindex", "noarchive"}
    assert read("<p>", x_robots_tag="nofollow").robots == {"nofollow"}
    assert read("<meta name=robots content=noindex>", x_robots_tag="noarchive").robots == {"noindex", "noarchive"}


def test_none_means_neither_index_nor_follow():
    assert read("<meta name=robots content=none>").robots >= {"noindex", "nofollow"}
    assert robots_words("None") >= {"noindex", "nofollow"}


def test_words_for_other_agents_and_empty_ones_are_passed_over():
    assert robots_words("otherbot: noindex, , nofollow,") == set()  # a name holds for what follows it
    assert robots_words("otherbot: noindex\nnofollow,,") == {"nofollow"}
    assert robots_words("otherbot: noindex, bee: nofollow, max-snippet: 5", "bee") == {"nofollow"}
    assert robots_words("unavailable_after: 25 Jun 2010 15:00:00 PST") == frozenset()


def test_other_types_have_robots_too():
    assert parse(URL, b"\x89PNG\r\n", "image/png", "noindex").robots == {"noindex"}


def test_a_meta_refresh_is_a_link():
    page = read("<meta http-equiv=Refresh content='3; URL=next#top'><a href=jar>jar</a>")
    assert page.refresh == "https://bees.example/garden/next"
    assert page.links[1] == Link(page.refresh, position=1, path="head/meta", rel=frozenset(["refresh"]))


@pytest.mark.parametrize("target", ["http://[::1", "http://[not]/", "javascript:x", "http://h:99999/", "mailto:a"])
def test_a_meta_refresh_to_no_url_is_none(target):
    page = read(f"<meta http-equiv=refresh content='0; url={target}'><a href=jar>jar</a>")
    assert page.refresh == ""
    assert targets(page) == ["jar"]


# Links


def test_a_link_knows_its_words_and_its_neighbours():
    before = [f"b{n}" for n in range(12)]
    after = [f"a{n}" for n in range(12)]
    page = read(f"<p>{' '.join(before)} <a href=jar>a  <b>jar</b>\nof honey</a> {' '.join(after)}</p>")
    assert page.links[0].anchor == "a jar of honey"
    assert page.links[0].context.split() == before[2:] + after[:10]


def test_context_reaches_over_other_links():
    page = read("<p>one <a href=1>two</a> three <a href=2>four</a> five")
    assert [(link.anchor, link.context) for link in page.links] == [
        ("two", "one three four five"),
        ("four", "one two three five"),
    ]


def test_links_are_numbered_in_the_order_of_the_page():
    page = read(
        "<a href=1>1</a><a href='mailto:x'>no</a><iframe src=2></iframe><map><area href=3></map><a href=4>4</a>"
    )
    assert targets(page) == ["1", "2", "3", "4"]
    assert [link.position for link in page.links] == [0, 1, 2, 3]


def test_frames_are_links():
    assert targets(read("<frameset><frame src=1><frame src=2></frameset>")) == ["1", "2"]


def test_a_link_knows_the_tags_it_stands_in():
    page = read(
        "<body class='dark wide'><nav class=' menu top'><ul><li><a class=x href=1>1</a></ul></nav><p><a href=2>2</a>"
    )
    assert [link.path for link in page.links] == ["html/body.dark/nav.menu/ul/li/a", "html/body.dark/p/a"]


def test_rel_words_are_lower_case_and_a_set():
    page = read("<a href=1 rel='NoFollow  ugc nofollow'>1</a><a href=2>2</a>")
    assert [link.rel for link in page.links] == [{"nofollow", "ugc"}, set()]


@pytest.mark.parametrize(
    ("link", "anchor"),
    [
        ("<a href=1><img src=i alt='A  jar'></a>", "A jar"),
        ("<a href=1 aria-label='Open jar'><i></i></a>", "Open jar"),
        ("<a href=1 title='Jar'><img src=i alt=''></a>", "Jar"),
        ("<map><area href=1 alt='Lid'></map>", "Lid"),
        ("<iframe src=1 title='Map of hives'></iframe>", "Map of hives"),
        ("<a href=1 title='no'>text wins</a>", "text wins"),
        ("<a href=1></a>", ""),
        ("<a href=1><img src=i></a>", ""),
    ],
)
def test_links_without_text_say_what_a_screen_reader_would(link, anchor):
    assert read(link).links[0].anchor == anchor


def test_links_in_hidden_menus_count_and_keep_their_words():
    page = read("<p>shown</p><ul hidden><li><a href=1>Secret jar</a></ul><noscript><a href=2>Jar</a></noscript>")
    assert [(link.anchor, link.context) for link in page.links] == [("Secret jar", ""), ("Jar", "")]
    assert page.text == "shown"


def test_links_in_scripts_styles_templates_and_comments_do_not_count():
    page = read(
        "<script>'<a href=1>'</script><style><a href=2></style><template><a href=3>3</a></template><!--<a href=4>-->"
        "<textarea><a href=5></textarea><a href=6>6</a>"
    )
    assert targets(page) == ["6"]


def test_other_schemes_are_no_links_and_not_bad_ones():
    page = read(
        "<a href='javascript:void(0)'>1</a><a href='mailto:a@b.example'>2</a><a href='data:,x'>3</a>"
        "<iframe src='about:blank'></iframe><a href='blob:https://h.example/1'>4</a><a href='tel:1'>5</a>"
    )
    assert (page.links, page.bad_links) == ((), 0)


def test_malformed_links_are_counted():
    page = read(
        "<a href='http://[::1'>1</a><a href='http://h.example:99999/'>2</a><a href='http://'>3</a>"
        f"<a href='/{'x' * 1_000_000}'>4</a><a href='good'>5</a>"
    )
    assert targets(page) == ["good"]
    assert page.links[0].position == 0
    assert page.bad_links == 4


def test_an_empty_href_is_the_page_itself():
    assert read("<a href=''>1</a><a href='#top'>2</a><a>3</a>").links[0].url == URL
    assert len(read("<a href=''>1</a><a href='#top'>2</a><a>3</a>").links) == 2


def test_noncharacters_in_a_page_do_no_harm():
    page = read(f"<p>\ufdd0{'9' * 5000}\ufdd1 \ufdd2 <a href=jar>jar</a> \ufdd0123456789\ufdd1 \ufdd0٣\ufdd1")
    assert targets(page) == ["jar"]
    assert page.links[0].anchor == "jar"


# Hostile pages


@pytest.mark.parametrize("depth", [300, 3000, 50_000])
def test_deep_nesting_hides_no_link(depth):
    page = read(
        "<a href=before>1</a>" + "<div>" * depth + "<a href=inside>2</a>" + "</div>" * depth + "<a href=after>3</a>"
    )
    assert targets(page) == ["before", "inside", "after"]
    assert len(page.links[1].path.split("/")) == 17


def test_deep_nesting_that_never_ends_hides_no_link():
    page = read("<a href=before>1</a>" + "<b><table>" * 5000 + "<a href=inside>2")
    assert set(targets(page)) == {"before", "inside"}


def test_links_beyond_a_limit_are_counted():
    page = read(" ".join(f"<a href=/{n}>jar {n}</a>" for n in range(20_000)))
    assert (len(page.links), page.cut_links) == (10_000, 10_000)
    assert page.links[2_345].url == "https://bees.example/2345"
    assert page.links[2_345].anchor == "jar 2345"
    assert page.links[2_345].context.split()[-2:] == ["jar", "2350"]


def test_an_attribute_that_never_ends_is_no_link():
    assert read('<a foo="' * 16_000).links == ()
    assert targets(read("<a href=1>1</a>" + '<a foo="' * 16_000)) == ["1"]


def test_binary_labelled_html_is_not_parsed():
    page = read(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR<\x81 <a", "text/html")
    assert page.type == "application/octet-stream"
    assert (page.text, page.links, page.charset) == ("", (), "")


# XHTML


def test_xhtml_closes_its_own_scripts_and_declares_its_charset():
    page = read(
        b'<?xml version="1.0" encoding="iso-8859-1"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><head>'
        b'<title>Caf\xe9</title><script src="a.js"/></head><body>'
        b'<p>Wax <a href="jar">\x93j\xe4r\x94</a></p></body></html>',
        XHTML,
    )
    assert (page.type, page.charset, page.title) == (XHTML, "iso-8859-1", "Café")
    assert page.text == "Wax “jär”"
    assert (targets(page), page.links[0].anchor) == (["jar"], "“jär”")


def test_the_header_has_precedence_over_the_xml_declaration():
    body = '<?xml version="1.0" encoding="iso-8859-1"?><html><body>é</body></html>'.encode()
    assert read(body, f"{XHTML}; charset=utf-8").text == "é"


@pytest.mark.parametrize("charset", ["utf-8-sig", "utf-16"])
def test_the_byte_order_mark_of_xhtml_has_precedence_over_its_header(charset):
    body = '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>é</p><script src="x"/><p>z</p></body></html>'
    assert read(body.encode(charset), f"{XHTML}; charset=iso-8859-2").text.split() == ["é", "z"]


@pytest.mark.parametrize(
    "body",
    [
        "<p>Wax<br><a href=jar>jar</b></p>",
        '<html xmlns="http://www.w3.org/1999/xhtml"><body>&nbsp;<a href="jar">jar</a>',
        '<?xml version="1.0"?><html><body a="1" a="2"><a href="jar">jar</a></body></html>',
        '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><html><a href="jar">&b;</a></html>',
    ],
)
def test_xhtml_that_is_not_well_formed_is_forgiven(body):
    page = read(body, XHTML)
    assert page.type == XHTML
    assert targets(page) == ["jar"]


# Whatever comes

TAGS = """a href=x|/a|a href=http://[::1|a href='j' rel=x title=y|area href=q|iframe src=y|frameset|frame src=z
html hidden|body hidden|p hidden|div|/div|table|tr|td|select|option|svg|math|form|button|img alt=i
script|/script|style|/style|template|/template|noscript|!--|plaintext|title|/title|?xml encoding='hex'?
base href=//[|link rel=canonical href=http://]|meta charset=utf-16|meta http-equiv=refresh content='0;url=http://[a'"""
tags = st.sampled_from(TAGS.replace("\n", "|").split("|"))
soup = st.lists(tags.map("<{}>".format) | st.text(max_size=5) | st.just("\ufdd00\ufdd1") | st.just("\ufdd2")).map(
    lambda parts: "".join(parts).encode("utf-8", "surrogatepass")
)
bodies = st.binary(max_size=300) | soup | st.builds(bytes.__add__, soup, st.binary(max_size=40))
kinds = st.sampled_from(["text/html", XHTML, "text/plain", "application/pdf", "", "application/octet-stream", "x/y"])
labels = st.sampled_from(
    ["", "; charset=utf-8", "; charset=utf-16", "; charset=gbk", "; charset=iso-2022-jp"]
) | st.text(st.characters(), max_size=8).map("; charset={}".format)


@settings(max_examples=400, deadline=None)
@given(bodies, st.builds(str.__add__, kinds, labels) | st.text(st.characters(), max_size=20), st.text(max_size=10))
@example(b"<a href=x>\xef\xb7\x90" + b"9" * 5000 + b"\xef\xb7\x91</a>", "text/html", "")
@example(b"<html/>", XHTML + "; charset=idna", "")
def test_nothing_a_server_sends_makes_it_raise(body, content_type, x_robots_tag):
    page = parse(URL, body, content_type, x_robots_tag)
    assert page.url == URL
    assert [link.position for link in page.links] == list(range(len(page.links)))
    for link in page.links:
        assert urls.normalize(link.url) == link.url
        assert len(link.context.split()) <= 20


@settings(deadline=None)
@given(
    st.lists(st.text(string.ascii_lowercase, min_size=1, max_size=6), min_size=1, max_size=40),
    st.data(),
)
def test_context_is_the_ten_words_on_each_side(words, data):
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    html = " ".join([*words[:start], "<a href=x>" + " ".join(words[start:end]) + "</a>", *words[end:]])
    link = read(html).links[0]
    assert link.anchor.split() == words[start:end]
    assert link.context.split() == words[:start][-10:] + words[end:][:10]


def test_what_no_browser_shows_is_neither_title_nor_link_nor_canonical():
    page = parse(
        "http://bees.test/",
        b"<head><noscript><link rel=canonical href=/no></noscript><link rel='x Canonical' href=/yes></head>"
        b"<body><svg hidden><title>Icon</title></svg><svg><style><a href=/in-style>a</a></style>"
        b"<script><a href=/in-script>b</a></script><title>Drawing</title></svg>"
        b"<template><a href=/in-template>c</a></template><a href=/shown>d</a>",
    )
    assert page.title == "Drawing"
    assert page.canonical == "http://bees.test/yes"
    assert [link.url for link in page.links] == ["http://bees.test/shown"]

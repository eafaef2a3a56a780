"""URLs: one form for one page, and no text that makes the normaliser raise."""

import itertools

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from honeyguide.urls import (
    MAX_LENGTH,
    BadURL,
    host,
    hostname,
    normalize,
    resolver,
    site,
    split,
    tokens,
)

BASE = "https://bees.example/garden/hive/queen?year=1"
ASP_SESSION = "abcdefghijklmnopqrst0123"
MD5 = "d41d8cd98f00b204e9800998ecf8427e"

any_text = st.text(st.characters(), max_size=60)  # lone surrogates included
url_like = st.builds(
    "".join,
    st.lists(
        st.one_of(
            st.sampled_from(
                [
                    "http://",
                    "https:",
                    "//",
                    "/",
                    "..",
                    ".",
                    "?",
                    "&",
                    "=",
                    "#",
                    ":",
                    "@",
                    "%",
                    "%2",
                    "%65",
                    "%2e",
                    "%7e",
                ]
            ),
            st.sampled_from(
                [";jsessionid=1", f"/({ASP_SESSION})", f"/(S({ASP_SESSION}))", f"sid={MD5}", "utm_a=1", "[::1]", "h"]
            ),
            st.text(st.characters(), max_size=4),
        ),
        max_size=14,
    ),
)


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("../wax", "https://bees.example/garden/wax"),
        ("../../../../wax", "https://bees.example/wax"),
        ("./", "https://bees.example/garden/hive/"),
        ("/wax", "https://bees.example/wax"),
        ("?year=2", "https://bees.example/garden/hive/queen?year=2"),
        ("#top", "https://bees.example/garden/hive/queen?year=1"),
        ("", "https://bees.example/garden/hive/queen?year=1"),
        ("//wasps.example/nest", "https://wasps.example/nest"),
        ("\\\\wasps.example\\nest", "https://wasps.example/nest"),
        ("https:wax", "https://bees.example/garden/hive/wax"),
        ("  wax\n", "https://bees.example/garden/hive/wax"),
        ("w\na\tx", "https://bees.example/garden/hive/wax"),
        ("a b", "https://bees.example/garden/hive/a%20b"),
        ("http://wasps.example", "http://wasps.example/"),
    ],
)
def test_references_are_resolved_as_browsers_do(href, url):
    assert normalize(href, BASE) == url


@pytest.mark.parametrize(
    "same",
    [
        "HTTPS://BEES.example/honey",
        "https://bees.example:443/honey",
        "https://bees.example./honey",
        "https://Bees.example.:443/honey",
        "https://bees.example/honey#jar",
        "https://bees.example/honey?",
        "https://bees.example/wax/../honey",
        "https://bees.example/%68oney",
        "https://keeper:secret@bees.example/honey",
        "https://bees.example/honey?utm_source=a&UTM_Campaign=b&gclid=c&fbclid=d",
        "https://bees.example/honey;jsessionid=0A1B2C",
        "https://bees.example/honey;JSESSIONID=0A1B2C?PHPSESSID=9f",
        f"https://bees.example/(S({ASP_SESSION}))/honey",
        f"https://bees.example/({ASP_SESSION})/honey",
        f"https://bees.example/honey?sid={MD5}",
    ],
)
def test_texts_for_one_page_give_one_url(same):
    assert normalize(same) == "https://bees.example/honey"


@pytest.mark.parametrize(
    "other",
    [
        "http://bees.example/honey",
        "https://bees.example:8443/honey",
        "https://www.bees.example/honey",
        "https://bees.example/Honey",
        "https://bees.example/honey/",
        "https://bees.example/honey?sid=12",
        "https://bees.example/honey?source=utm_a",
        "https://bees.example/(honey)/honey",
        "https://bees.example/honey?s=wax",
    ],
)
def test_what_may_be_another_page_keeps_its_own_url(other):
    assert normalize(other) == other


def test_order_of_parameters_does_not_matter():
    forms = {
        normalize("https://bees.example/?" + "&".join(order))
        for order in itertools.permutations(["b=2", "a=1", "utm_medium=x", "c"])
    }
    assert forms == {"https://bees.example/?a=1&b=2&c"}


def test_values_of_a_repeated_parameter_keep_their_order():
    assert normalize("http://h.example/?b=2&a=9&a=1") == "http://h.example/?a=9&a=1&b=2"


def test_percent_escapes_have_one_spelling():
    assert normalize("http://h.example/%7e%c3%a9%2f%41") == "http://h.example/~%C3%A9%2FA"
    assert normalize("http://h.example/~é%2FA") == "http://h.example/~%C3%A9%2FA"


def test_escaped_delimiters_stay_escaped():
    assert normalize("http://h.example/?q=%26%3d%23+%25") == "http://h.example/?q=%26%3D%23+%25"


@pytest.mark.parametrize("path", ["%zz", "%", "%2%65", "%%41", "a%"])
def test_stray_percent_signs_are_left_alone(path):
    assert normalize(f"http://h.example/{path}") == f"http://h.example/{path}"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("/..;jsessionid=1/wax", "/wax"),
        ("/a/.;jsessionid=1/../wax", "/wax"),
        (f"/({ASP_SESSION});jsessionid=1/wax", "/wax"),
        (f"/(S({ASP_SESSION}))/(S({ASP_SESSION}))/wax", "/wax"),
        (f"/(S({ASP_SESSION})F({ASP_SESSION}))/wax", "/wax"),
    ],
)
def test_what_a_dropped_session_leaves_is_normalised_too(text, url):
    assert normalize("http://h.example" + text) == "http://h.example" + url


@pytest.mark.parametrize("name", [";jsessionid=1", "h;jsessionid=1", f"({ASP_SESSION})"])
def test_a_host_is_not_mistaken_for_a_session(name):
    assert normalize(f"http://{name}/wax") == f"http://{name}/wax"


def test_a_look_alike_host_is_another_host():
    assert normalize("http://аpple.com/") == "http://xn--pple-43d.com/"  # the first letter is Cyrillic
    assert normalize("http://apple.com/") == "http://apple.com/"


def test_unicode_and_punycode_are_one_host():
    assert normalize("http://Bücher.example/") == normalize("http://xn--bcher-kva.example/")


@pytest.mark.parametrize("name", ["127.0.0.1", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "１２７.0.0.1"])
def test_every_spelling_of_an_address_is_one_host(name):
    assert normalize(f"http://{name}/") == "http://127.0.0.1/"


def test_ipv6_addresses_have_one_spelling():
    assert normalize("http://[2001:DB8:0::0:1]:80/") == "http://[2001:db8::1]/"


@pytest.mark.parametrize("base", ["", BASE])
@pytest.mark.parametrize(
    "href",
    [
        "http://[::1",
        "http://[::1%25eth0]/",
        "http://h.example:99999/",
        "http://h.example:port/",
        "http://",
        "http://:80/",
        "https://?q",
        "http://ex ample/",
        "http://a<b/",
        "http://a%00b/",
        "http://h\x00.example/",
        "http://256.256.256.256/",
        "http://1.2.3.4.5/",
        "http://0x100000000/",
        "http://xn--a/",
        "http://a%zz/",
        "http://user@/",
        "http://h.example/\ud800",
        "\udfff",
    ],
)
def test_malformed_urls_are_named_so(href, base):
    assert normalize(href, base) == BadURL("malformed")


@pytest.mark.parametrize("base", ["", BASE])
@pytest.mark.parametrize(
    "href",
    [
        "javascript:void(0)",
        "JavaScript:alert(1)",
        "java\nscript:x",
        "mailto:bee@bees.example",
        "data:text/html,<a>",
        "blob:https://bees.example/1",
        "about:blank",
        "tel:+123",
        "ftp://bees.example/",
        "file:///etc/passwd",
    ],
)
def test_only_http_is_crawled(href, base):
    assert normalize(href, base) == BadURL("not http or https")


def test_nothing_at_all_is_empty_without_a_base():
    assert normalize("") == normalize(" \n") == BadURL("empty")


def test_relative_urls_need_a_base():
    assert normalize("wax") == normalize("//h.example/") == BadURL("malformed")


@pytest.mark.parametrize("base", ["no url", "http://[::1", "\ud800"])
def test_a_bad_base_gives_a_bad_url(base):
    assert normalize("wax", base) == BadURL("malformed")


def test_very_long_urls_are_refused():
    too_long = BadURL(f"longer than {MAX_LENGTH} characters")
    assert normalize("http://h.example/" + "a" * 1_000_000, BASE) == too_long
    assert normalize("http://h.example/" + "é" * 500) == too_long  # escaped, each takes six
    longest = "http://h.example/".ljust(MAX_LENGTH, "a")
    assert normalize(longest) == longest
    assert normalize(longest + "a") == too_long


def test_spaces_around_a_url_do_not_count_as_length():
    assert normalize(" " * 5000 + "http://h.example/") == "http://h.example/"


@settings(deadline=None)
@given(any_text | url_like, st.sampled_from(["", BASE]) | any_text)
def test_no_text_makes_it_raise(href, base):
    assert isinstance(normalize(href, base), (str, BadURL))


@settings(deadline=None)
@given(url_like, st.sampled_from(["", BASE]))
@example("http://;jsessionid=1", "")
@example("http://h/%2%65", "")
@example("http://h/%%34%31", "")
@example(f"http://h/({ASP_SESSION});jsessionid=1/..;jsessionid=2/", "")
def test_a_normalised_url_is_its_own_normal_form(href, base):
    url = normalize(href, base)
    if isinstance(url, str):
        assert normalize(url) == url == normalize(url, BASE)
        assert url.startswith(("http://", "https://"))
        assert "#" not in url
        assert url.isascii()
        assert "@" not in host(url)
        scheme, name, rest = split(url)
        assert f"{scheme}://{name}{rest}" == url
        assert name
        assert rest.startswith("/")


HREFS = url_like | st.sampled_from(
    ["", "#", "#top", "?", "?q=1#x", "/", "//", "//h.example", "///x", "\\x", "/\\x", ".", "..", "./a:b", "a:b",
     "a;b:c", "a?b:c", "a#b:c", " a", "\ta", "a\nb", "a #b", "http:x", "HTTP://H.example/x", "https:/x", "é", "ß/..",
     "http:///h.example/", "../../x", "a/../..", "%2e%2e/x", "x?utm_source=1", "data:,x#y", "http://h.example/#x"]
)  # fmt: skip
BASES = st.sampled_from(
    ["http://h.example/", "https://h.example:8443/a/b", "http://h.example/a/b/?q=/x/y", "http://h.example/?q=1",
     "http://h.example/a;b=c/d", "http://[::1]:81/a/b.html", "http://h.example/a/b?c#d/e", "http://h.example/a//b"]
)  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(HREFS, BASES | url_like)
@example("a #b", "http://h.example/")
@example("http://h.example/a \n#b", "http://h.example/")
def test_remembering_a_url_changes_nothing(href, base):
    base = normalize(base)
    if isinstance(base, str):
        resolve = resolver(base)
        assert resolve(href) == normalize(href, base)
        assert resolve(href) == normalize(href, base)  # now from memory


@pytest.mark.parametrize("base", ["http://h.example/a/b", "http://h.example/c/d"])
def test_what_is_remembered_of_one_page_is_not_taken_for_another(base):
    for href in ("wax", "../wax", "?q=1", "", "#top", "//g.example/wax", "/wax", "./wax"):
        assert resolver(base)(href) == normalize(href, base)


def test_a_long_fragment_does_not_make_a_url_too_long():
    assert resolver(BASE)("/wax#" + "x" * 5000) == normalize("/wax", BASE)


@pytest.mark.parametrize(
    ("url", "with_port", "without"),
    [
        ("http://bees.example/", "bees.example", "bees.example"),
        ("http://bees.example:8080/a:b", "bees.example:8080", "bees.example"),
        ("http://[::1]/", "[::1]", "[::1]"),
        ("http://[::1]:8080/x", "[::1]:8080", "[::1]"),
        ("https://10.0.0.1:81/", "10.0.0.1:81", "10.0.0.1"),
    ],
)
def test_host_and_hostname(url, with_port, without):
    assert host(url) == with_port
    assert hostname(url) == without


@pytest.mark.parametrize(
    ("name", "owner"),
    [
        ("bees.example.com", "example.com"),
        ("news.bees.co.uk", "bees.co.uk"),
        ("co.uk", "co.uk"),
        ("one.github.io", "one.github.io"),
        ("localhost", "localhost"),
        ("10.0.0.1:8080", "10.0.0.1"),
        ("[2001:db8::1]:8080", "[2001:db8::1]"),
        ("a.b.bees.co.uk:8080", "bees.co.uk"),
    ],
)
def test_site_is_what_one_owner_holds(name, owner):
    assert site(f"https://{name}/today") == owner


def test_tokens_are_the_words_of_a_url():
    assert tokens("https://bees.example/Caf%C3%A9_au-lait/2024?q=Wax+Moth") == [
        *["bees", "example", "café", "au", "lait", "2024", "q", "wax", "moth"]
    ]
    assert tokens("bees/honey") == ["bees", "honey"]


@pytest.mark.parametrize(
    "text", ["http://0x7f.1../", "http://256../", "http://a.1../", "http://a..../x", "http://.../"]
)
def test_dots_at_the_end_of_a_host_leave_a_normal_form(text):
    once = normalize(text)
    assert isinstance(once, BadURL) or normalize(once) == once

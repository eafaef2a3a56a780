"""Reservations from machine learning, in each of the forms in use."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.web.content import read
from honeyguide.web.opt_outs import of_headers, of_signal, of_tdmrep, of_words

URL = "http://a.test/"


def page(html=b"<p>bees</p>", type="text/html", **headers):
    """What is read of a response; underscores in header names stand for dashes."""
    return read(URL, {"content-type": type, **{name.replace("_", "-"): v for name, v in headers.items()}}, html)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("noai", {"noai"}),
        ("NoAI, noimageai", {"noai", "noimageai"}),
        ("noindex, noml", {"noml"}),
        ("noindex, nofollow", set()),
        ("all", set()),
        ("otherbot: noai", set()),
    ],
)
def test_words_of_a_robots_tag_or_header(content, found):
    assert page(f'<meta name="Robots" content="{content}"><p>bees'.encode()).opt_outs == found
    assert page(x_robots_tag=content).opt_outs == found
    assert page(b"%PDF-1.4", type="application/pdf", x_robots_tag=content).opt_outs == found


@pytest.mark.parametrize(
    ("value", "reserved"), [("1", True), (" 1 ", True), ("0", False), ("", False), ("yes", False)]
)
def test_a_reservation_by_the_protocol(value, reserved):
    found = {"tdm-reservation"} if reserved else set()
    assert page(tdm_reservation=value).opt_outs == found
    assert page(f'<meta name="TDM-Reservation" content="{value}">'.encode()).opt_outs == found


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("search=yes, ai-train=no", {"ai-train"}),
        ("ai-train=no, ai-input=no, search=no", {"ai-train", "ai-input"}),
        ("AI-Train = NO", {"ai-train"}),
        ("train-ai=n", {"train-ai"}),
        ("train-genai=n;x=y, bots=y", {"train-genai"}),
        ("ai-train=yes", set()),
        ("ai-train=none", set()),
        ("ai-train", set()),
        ("x-ai-train=no", set()),
        ("", set()),
        ("=no,,==, ai-train==no", set()),
    ],
)
@pytest.mark.parametrize("name", ["content-signal", "content-usage"])
def test_a_signal_refuses_uses_by_name(name, value, found):
    expected = {f"{name}:{use}" for use in found}
    assert of_signal(name, value) == of_headers({name: value}) == expected
    assert page(**{name.replace("-", "_"): value}).opt_outs == expected


def test_several_ways_at_once():
    html = b"<meta name=robots content=noai><meta name=tdm-reservation content=1>"
    assert page(html, content_signal="ai-train=no", x_robots_tag="noimageai").opt_outs == {
        "noai", "noimageai", "tdm-reservation", "content-signal:ai-train",
    }  # fmt: skip


def test_most_pages_reserve_nothing():
    assert page().opt_outs == frozenset()
    assert of_words(["noindex", "none"]) == frozenset()


# -- tdmrep.json --------------------------------------------------------------------------------------------------


def rules(*pairs):
    return json.dumps([{"location": place, "tdm-reservation": value} for place, value in pairs]).encode()


@pytest.mark.parametrize(
    ("location", "path", "fits"),
    [
        ("/", "/any/where", True),
        ("/wax", "/wax", True),
        ("/wax", "/waxworks?a=1", True),
        ("/wax", "/honey/wax", False),
        ("/wax$", "/wax", True),
        ("/wax$", "/wax/7", False),
        ("/wax$", "/wax/wax", False),
        ("/*.pdf$", "/a/b.pdf", True),
        ("/*.pdf$", "/a.pdf/b.pdf", True),
        ("/*.pdf$", "/a.pdf?x", False),
        ("/*/wax", "/a/wax", True),
        ("/*/wax", "/wax", False),
        ("*", "/any", True),
        ("/a*a$", "/a", False),
    ],
)
def test_where_a_rule_holds(location, path, fits):
    assert of_tdmrep(rules((location, 1)), path) == ({"tdm-reservation"} if fits else set())


def test_the_first_rule_that_fits_counts():
    body = rules(("/open", 0), ("/", 1))
    assert of_tdmrep(body, "/open/1") == set()
    assert of_tdmrep(body, "/closed") == {"tdm-reservation"}


@pytest.mark.parametrize(
    "body",
    [b"", b"no json", b"{}", b"null", b"[1, null, []]", b'[{"location": "/"}]', b'[{"tdm-reservation": 1}', b"\xff",
     b'[{"location": null, "tdm-reservation": 0}]', b"[" * 100_000, b'{"location": "/", "tdm-reservation": 1}'],
)  # fmt: skip
def test_what_is_no_list_of_rules_reserves_nothing(body):
    assert of_tdmrep(body, "/") == set()


JSON = st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.lists(st.integers(), max_size=2)
RULES = st.fixed_dictionaries({}, optional={"location": JSON, "tdm-reservation": JSON})


@settings(deadline=None, max_examples=50)
@given(st.lists(RULES | JSON, max_size=4), st.text(max_size=9))
def test_no_file_makes_it_raise(found, path):
    assert of_tdmrep(json.dumps(found).encode(), path) <= {"tdm-reservation"}

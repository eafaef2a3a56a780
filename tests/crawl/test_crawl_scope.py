"""Scope: hosts and patterns let in and kept out."""

import pytest

from honeyguide.crawl.scope import Scope
from honeyguide.settings import Settings

SEEDS = ["https://www.bees.co.uk/"]


def objection(url, depth=1, **settings):
    return Scope(Settings(seed=SEEDS, **settings)).objection(url, depth)


@pytest.mark.parametrize(
    ("rule", "url", "matches"),
    [
        ("bees.co.uk", "https://bees.co.uk/", True),
        ("bees.co.uk", "https://shop.bees.co.uk/x", True),
        ("bees.co.uk", "https://notbees.co.uk/", False),
        ("BEES.co.uk", "https://bees.co.uk/", True),
        ("bees.co.uk", "https://bees.co.uk:8080/", True),
        ("bees.co.uk:8080", "https://bees.co.uk/", False),
        ("bees.co.uk:8080", "https://bees.co.uk:8080/", True),
        ("*.bees.co.uk", "https://shop.bees.co.uk/x", True),
        ("*.bees.co.uk", "https://bees.co.uk/x", False),
        ("*.Bees.co.uk", "https://shop.bees.co.uk/", True),
        ("*bees*", "https://trains.test/bees", False),
        ("[::1]", "http://[::1]:8080/x", True),
        ("[::1]:8080", "http://[::1]:8080/x", True),
        ("[::1]:8081", "http://[::1]:8080/x", False),
        ("http://[::1]:8080/*", "http://[::1]:8080/x", True),
        ("http://[::1]:8080/x", "http://[::1]:8080/x", True),
        ("http://[::1]:8080/*", "http://1:8080/x", False),
        ("http://bücher.de/*", "http://xn--bcher-kva.de/x", True),
        ("*bücher.de/straße/*", "https://xn--bcher-kva.de/stra%C3%9Fe/1", True),
        ("/Straße/", "https://bees.co.uk/Stra%C3%9Fe/1", True),
        ("bücher.de", "https://xn--bcher-kva.de/", True),
        ("*.bücher.de", "https://shop.xn--bcher-kva.de/", True),
        ("Bees.co.uk/x", "https://bees.co.uk/x/1", True),
        ("*/wiki/*", "https://a.test/wiki/Bee", True),
        ("*/wiki/*", "https://a.test/talk/Bee", False),
        ("/forum/", "https://a.test/forum/1", True),
        ("https://a.test/*.html", "https://a.test/x.html", True),
        ("https://a.test/*.html", "https://a.test/x.html?print=1", False),
    ],
)
def test_allow_and_deny_take_hosts_and_patterns(rule, url, matches):
    assert objection(url, allow=[rule]) == ("" if matches else "not_allowed")
    assert objection(url, deny=[rule]) == ("denied" if matches else "")


def test_deny_wins_over_allow():
    assert objection("https://bees.co.uk/shop/", allow=["bees.co.uk"], deny=["/shop/"]) == "denied"


def test_same_site_goes_by_the_registrable_domain():
    assert objection("https://forum.bees.co.uk/", same_site=True) == ""
    assert objection("https://wasps.co.uk/", same_site=True) == "other_site"


def test_depth_is_counted_from_the_seeds():
    assert objection("https://a.test/", depth=3, allow=[]) == ""
    scope = Scope(Settings(depth=2, seed=SEEDS))
    assert [scope.objection("https://a.test/", d) for d in (0, 2, 3)] == ["", "", "too_deep"]


def test_many_stars_do_not_take_for_ever():
    assert objection("https://a.test/" + "a" * 2000, deny=["*a" * 60 + "b"]) == ""

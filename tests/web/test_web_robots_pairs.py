"""A hundred thousand files and URLs, made at random, judged as Google's own matcher judges them."""

import random

import pytest
from jwm.robotstxt.googlebot import RobotsMatcher

from honeyguide.web.robots import read_rules

PAIRS = 100_000
PARTS = [
    "a",
    "b",
    "bee",
    "Bee",
    "hive.html",
    "index.html",
    "index.htm",
    "x*",
    "*",
    "$",
    "a$b",
    "%62ee",
    "%E3%83%84",
    "ツ",
]
PARTS += ["%2F", "%2f", "?", "?q=1", "&", "q=*", ".php", ";s=1", "~", "//", "#", "%zz", "%", "\\", "'"]
AGENTS = [
    "*",
    "honeyguide",
    "HoneyGuide",
    "honeyguide/1.0",
    "honey",
    "otherbot",
    "honeyguide-news",
    "* x",
    "",
    "foo bar",
]
ALLOW = ["Allow", "allow", "ALLOW", "Alow"]
DISALLOW = ["Disallow", "disallow", "Dissallow", "Disalow", "Diasllow", "disallaw", "Dis allow"]
AGENT = ["User-agent", "user-agent", "Useragent", "User agent", "USER-AGENT"]
OTHER = ["Sitemap: http://foo.bar/map.xml", "Crawl-delay: 5", "# a comment", "", "nonsense", ": x", "Host: foo.bar"]
ENDS = ["\n", "\r\n", "\r", "\n\n", " \n", " # why\n", "\t\n"]


def pattern(draw):
    return draw.choice(["/", "/", "/", "", "*"]) + "".join(draw.choices(PARTS, k=draw.randrange(4)))


def line(draw):
    kind = draw.random()
    colon = draw.choice([":", ": ", " : ", ":  ", " "])
    if kind < 0.3:
        return draw.choice(AGENT) + colon + draw.choice(AGENTS)
    if kind < 0.6:
        return draw.choice(DISALLOW) + colon + pattern(draw)
    if kind < 0.85:
        return draw.choice(ALLOW) + colon + pattern(draw)
    return draw.choice(OTHER)


def robots(draw):
    mark = "\ufeff" if draw.random() < 0.05 else ""
    return mark + "".join(line(draw) + draw.choice(ENDS) for _ in range(draw.randrange(12)))


def url(draw):
    return "http://foo.bar/" + "".join(draw.choices(PARTS, k=draw.randrange(5)))


@pytest.mark.parametrize("seed", range(4))
def test_every_pair_is_judged_as_google_judges_it(seed):
    draw = random.Random(seed)
    verdicts = []
    for _ in range(PAIRS // 40):
        body = robots(draw)
        rules = read_rules(body.encode(), "honeyguide")
        for address in [url(draw) for _ in range(10)]:
            theirs = bool(RobotsMatcher().OneAgentAllowedByRobots(body, "honeyguide", address))
            assert rules.allow(address) == theirs, (body, address)
            verdicts.append(theirs)
    assert len(verdicts) == PAIRS // 4
    assert 0.1 < sum(verdicts) / len(verdicts) < 0.95  # both answers came up often


def matches(pattern, path):
    """The rule of RFC 9309, written down once more and as simply as it goes: all the ways a pattern can fit."""
    ways = {0}
    for at, letter in enumerate(pattern):
        if letter == "$" and at == len(pattern) - 1:
            return len(path) in ways
        if letter == "*":
            ways = set(range(min(ways), len(path) + 1)) if ways else ways
        else:
            ways = {way + 1 for way in ways if way < len(path) and path[way] == letter}
    return bool(ways)


def allowed(rules, path):
    """The longest fitting pattern decides; of two as long, the one that allows."""
    fitting = [(len(text), allow) for allow, text in rules if text and matches(text, path)]
    return max(fitting)[1] if fitting else True


def test_the_longest_fitting_rule_decides():
    draw, letters = random.Random(5), "ab/*$."
    for _ in range(4000):
        rules = [(draw.random() < 0.5, "/" + "".join(draw.choices(letters, k=draw.randrange(6)))) for _ in range(5)]
        body = "user-agent: *\n" + "".join(f"{'allow' if allow else 'disallow'}: {text}\n" for allow, text in rules)
        read = read_rules(body.encode(), "honeyguide")
        for path in ["/" + "".join(draw.choices("ab/.", k=draw.randrange(6))) for _ in range(5)]:
            assert read.allow("http://foo.bar" + path) == allowed(rules, path), (body, path)

"""robots.txt: who may fetch what, and how fast."""

import pytest

from honeyguide.web.robots import LONGEST, read_rules

SITE = "http://a.example"


def rules(text, agent="honeyguide"):
    return read_rules(text.encode() if isinstance(text, str) else text, agent)


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("", "/", True),
        ("User-agent: *\nDisallow:", "/x", True),
        ("User-agent: *\nDisallow: /", "/x", False),
        ("User-agent: *\nDisallow: /x", "/x", False),
        ("User-agent: *\nDisallow: /x", "/xylophone", False),
        ("User-agent: *\nDisallow: /x", "/y", True),
        ("User-agent: *\nDisallow: /x/\nAllow: /x/y", "/x/y/z", True),
        ("User-agent: *\nAllow: /x\nDisallow: /x/y", "/x/y", False),
        ("User-agent: *\nAllow: /x\nDisallow: /x/y", "/x/z", True),
        ("User-agent: *\nDisallow: /x\nAllow: /x", "/x", True),
        ("User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf?page=1", True),
        ("User-agent: *\nDisallow: /*?session=", "/a?session=1", False),
        ("User-agent: *\nDisallow: /a*z", "/a/b/c/z", False),
        ("User-agent: *\nDisallow: /caf%C3%A9", "/caf%C3%A9", False),
        ("User-agent: *\nDisallow: /café", "/caf%C3%A9", False),
        ("user-AGENT : *\ndisAllow : /x # a comment", "/x", False),
        ("Disallow: /x", "/x", True),
        ("User-agent: *\r\nDisallow: /x\r\n", "/x", False),
        ("User-agent: *\rDisallow: /x\r", "/x", False),
        ("\ufeffUser-agent: *\nDisallow: /x", "/x", False),
        ("User-agent: *\n\0Disallow: /x\0", "/x", False),
        ("<!DOCTYPE html><html><body>Not found</body></html>", "/x", True),
    ],
)
def test_rules(text, path, allowed):
    assert rules(text).allow(SITE + path) is allowed


GROUPS = """
User-agent: otherbot
Disallow: /

User-agent: HoneyGuide
User-agent: thirdbot
Disallow: /ours

User-agent: *
Disallow: /everyone
"""


@pytest.mark.parametrize(
    ("agent", "closed"),
    [
        ("honeyguide", {"/ours"}),
        ("thirdbot", {"/ours"}),
        ("otherbot", {"/ours", "/everyone", "/else"}),
        ("stranger", {"/everyone"}),
    ],
)
def test_an_agent_reads_its_own_group_and_no_other(agent, closed):
    found = rules(GROUPS, agent)
    assert {path for path in ("/ours", "/everyone", "/else") if not found.allow(SITE + path)} == closed


@pytest.mark.parametrize("line", ["bees2", "Bees2/1.0", "bees2 (http://bees.example/)"])
def test_an_agent_with_a_number_in_its_name_is_meant_too(line):
    found = rules(f"User-agent: {line}\nDisallow: /x\nCrawl-delay: 5", "bees2")
    assert not found.allow(SITE + "/x")
    assert found.delay == 5


def test_a_version_behind_the_name_changes_nothing():
    found = rules("User-agent: honeyguide/0.1\nDisallow: /x\nCrawl-delay: 5\n\nUser-agent: *\nCrawl-delay: 9")
    assert not found.allow(SITE + "/x")
    assert found.delay == 5


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        ("", 0),
        ("User-agent: *\nCrawl-delay: 10", 10),
        ("User-agent: *\nCrawl-delay: 0.5", 0.5),
        ("User-agent: *\nDisallow: /x\ncrawl-DELAY: 3 # please", 3),
        ("User-agent: otherbot\nCrawl-delay: 10", 0),
        ("User-agent: *\nCrawl-delay: 10\n\nUser-agent: honeyguide\nCrawl-delay: 2", 2),
        ("User-agent: honeyguide\nCrawl-delay: 2\n\nUser-agent: *\nCrawl-delay: 10", 2),
        ("User-agent: otherbot\nUser-agent: Honeyguide\nCrawl-delay: 4", 4),
        ("User-agent: otherbot\nDisallow: /\nUser-agent: *\nCrawl-delay: 4", 4),
        ("User-agent: *\nCrawl-delay: nan", 0),
        ("User-agent: *\nCrawl-delay: inf", 0),
        ("User-agent: *\nCrawl-delay: -5", 0),
        ("User-agent: *\nCrawl-delay: soon", 0),
        ("User-agent: *\nCrawl-delay:", 0),
        ("User-agent: *\nCrawl-delay: 1000000000", 60),
        ("User-agent: *\nCrawl-delay: 1e308", 60),
        ("Crawl-delay: 10", 0),
    ],
)
def test_crawl_delay(text, delay):
    assert rules(text).delay == delay


def test_only_the_beginning_of_a_long_file_is_read():
    filler = b"# " + b"x" * 97 + b"\n"
    early, late = b"Disallow: /early\n", b"Disallow: /late\n"
    text = b"User-agent: *\n" + filler * 4000 + early + filler * 2000 + late
    assert 400_000 < text.index(early) < LONGEST < 600_000 < text.index(late)
    found = rules(text)
    assert not found.allow(SITE + "/early")
    assert found.allow(SITE + "/late")


def test_a_file_of_ten_megabytes():
    assert rules(b"User-agent: *\nDisallow: /x\n" + b"Allow: /y\n" * 1_000_000).allow(SITE + "/x") is False


@pytest.mark.parametrize(
    "body",
    [
        b"\xff\xfe" + "User-agent: *\nDisallow: /x".encode("utf-16-le"),
        bytes(range(256)) * 10,
        b"\xed\xa0\x80",
        b":" * 5000,
    ],
)
def test_rubbish_forbids_nothing_else(body):
    assert rules(body).allow(SITE + "/y")


def test_a_pattern_of_many_stars_is_matched_at_once():
    found = rules("User-agent: *\nDisallow: /" + "*a" * 100 + "*b$")
    assert found.allow(SITE + "/" + "a" * 2000)
    assert not found.allow(SITE + "/" + "a" * 2000 + "b")


# -- signals on machine learning ----------------------------------------------------------------------------------


def reserved(text, path="/", agent="bee"):
    return read_rules(text.encode(), agent).opt_outs("http://a.test" + path)


def test_a_signal_for_all_and_one_for_an_agent():
    text = "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: bee\nContent-Signal: ai-input=no\n"
    assert reserved(text, agent="wasp") == {"content-signal:ai-train"}
    assert reserved(text, agent="bee") == {"content-signal:ai-input"}


def test_a_signal_for_several_agents():
    text = "User-agent: wasp\nUser-agent: bee\nContent-Usage: train-ai=n\nDisallow: /x\n"
    assert reserved(text) == reserved(text, agent="wasp") == {"content-usage:train-ai"}
    assert reserved(text, agent="ant") == set()


def test_of_signals_for_paths_the_longest_counts():
    text = (
        "User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /open train-ai=y\nContent-Usage: /open/not bots=n\n"
    )
    assert reserved(text, "/wax") == {"content-usage:train-ai"}
    assert reserved(text, "/open/wax") == set()
    assert reserved(text, "/open/not/wax") == {"content-usage:bots"}


def test_the_kinds_of_signals_are_kept_apart():
    text = (
        "User-agent: *\nContent-Signal: search=yes,ai-train=no\nContent-Usage: /a train-ai=n\nContent-Usage: bots=y\n"
    )
    assert reserved(text, "/a") == {"content-signal:ai-train", "content-usage:train-ai"}
    assert reserved(text, "/b") == {"content-signal:ai-train"}


@pytest.mark.parametrize("text", ["", "User-agent: *\nDisallow: /\n", "Content-Signal: ai-train=no\n", "x\0\xff"])
def test_without_a_signal_in_a_group_nothing_is_reserved(text):
    assert reserved(text) == set()


def test_a_signal_does_not_end_the_rules_of_its_group():
    rules = read_rules(b"User-agent: *\nContent-Signal: ai-train=no\nDisallow: /closed\n", "bee")
    assert not rules.allow("http://a.test/closed")

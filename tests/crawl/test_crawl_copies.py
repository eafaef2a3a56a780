"""Copies: exact ones, near ones, pages that stand for `not found`, hosts that mirror others."""

import hashlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import honeyguide as hg
from honeyguide.crawl.copies import Alike, Copies
from honeyguide.crawl.rejudging import rejudge
from honeyguide.parse.fingerprint import distance, fingerprint
from honeyguide.running import run_async
from honeyguide.settings import Settings
from honeyguide.store import Store
from small_webs import FunctionWeb, page

FINGERPRINTS = st.integers(-(2**63), 2**63 - 1)


def flipped(number, bits):
    """A fingerprint with some bits turned, as a signed number."""
    for bit in bits:
        number ^= 1 << bit
    return (number + 2**63) % 2**64 - 2**63


@settings(deadline=None)
@given(
    bits=st.integers(0, 15),
    known=st.lists(FINGERPRINTS, min_size=1, max_size=8),
    which=st.integers(0, 7),
    turned=st.sets(st.integers(0, 63), max_size=20),
)
def test_all_fingerprints_within_the_bits_are_found_and_none_beyond(bits, known, which, turned):
    alike = Alike(bits)
    for id_, number in enumerate(known):
        alike.add(number, id_)
    asked = flipped(known[which % len(known)], turned)
    near = [id_ for id_, number in enumerate(known) if distance(number, asked) <= bits]
    assert alike.find(asked) == (near[0] if near else -1)


@pytest.mark.parametrize("bits", [0, 1, 3, 7, 15])
def test_wherever_the_bits_differ(bits):
    alike = Alike(bits)
    alike.add(0x0123456789ABCDEF, 5)
    for start in range(64):
        turned = {(start + 7 * i) % 64 for i in range(bits)}
        assert alike.find(flipped(0x0123456789ABCDEF, turned)) == 5
        beyond = {(start + 7 * i) % 64 for i in range(bits + 1)}
        assert alike.find(flipped(0x0123456789ABCDEF, beyond)) == -1


def test_a_page_of_its_own_a_copy_and_a_near_copy():
    copies = Copies(Settings())
    assert copies.original(b"one", 0b1111 << 40) == ("", -1)
    copies.add(7, 0, b"one", 0b1111 << 40)
    assert copies.original(b"one", 0b1111 << 40) == ("copy", 7)
    assert copies.original(b"two", 0b1001 << 40) == ("near_copy", 7)
    assert copies.original(b"two", 0b11 << 20) == ("", -1)
    assert copies.original(b"two", 0) == ("", -1)


# -- whole crawls -------------------------------------------------------------------------------------------------


def prose(seed, words=300):
    chosen = random.Random(seed).choices([f"bees{n}" for n in range(200)], k=words)
    return " ".join(["bees", *chosen])


def web_with(texts, links):
    """A web of texts by URL; each page leads to some others."""

    def reply(url):
        found = page(url, *links.get(url, ()), text=texts[url])
        digest = hashlib.sha1(texts[url].encode()).digest()
        return hg.Reply(hg.Page(url=url, text=found.text, main=found.main, links=found.links,
                                fingerprint=fingerprint(found.main)), digest=digest)  # fmt: skip

    return FunctionWeb(reply)


def crawl(texts, links, seed="http://a.test/", **given):
    return hg.Crawl([seed], "keyword:bees", "breadth-first", web=web_with(texts, links), **given)


def of(*numbers, host="a"):
    return [f"http://{host}.test/{n}" for n in numbers]


def test_copies_are_kept_and_followed_but_not_counted(tmp_path):
    texts = {"http://a.test/": "start", **dict.fromkeys(of(1, 2), prose(1)), of(3)[0]: "the end"}
    texts[of(4)[0]] = prose(1).replace("bees1 ", "wasp ", 1)
    links = {"http://a.test/": of(1, 2, 4), of(2)[0]: of(3)}
    summary = crawl(texts, links, directory=tmp_path / "crawl").run()
    assert (summary.fetched, summary.done, summary.relevant) == (5, 5, 1)
    assert summary.flags == {"copy": 1, "near_copy": 1}
    with Store.open(tmp_path / "crawl") as store:
        told = {visit.url: (visit.flag, visit.copy_of, visit.relevant) for visit in store.visits()}
        first = next(visit.id for visit in store.visits() if visit.url == of(1)[0])
    assert told[of(1)[0]] == ("", None, 1)
    assert told[of(2)[0]] == ("copy", first, 0)
    assert told[of(4)[0]] == ("near_copy", first, 0)


def test_with_no_bits_only_the_same_text_is_a_copy():
    texts = {"http://a.test/": "start", **dict.fromkeys(of(1, 2), prose(1)), of(3)[0]: prose(1) + " and more"}
    summary = crawl(texts, {"http://a.test/": of(1, 2, 3)}, copy_bits=0).run()
    assert summary.flags == {"copy": 1}


def test_when_told_so_nothing_is_a_copy():
    texts = {"http://a.test/": "start", **dict.fromkeys(of(*range(30)), prose(1))}
    summary = crawl(texts, {"http://a.test/": of(*range(30))}, copy_bits=-1).run()
    assert (summary.relevant, summary.flags) == (30, {})


def test_a_page_that_comes_under_many_urls_says_that_nothing_is_there():
    texts = {"http://a.test/": "start", **dict.fromkeys(of(*range(30)), prose(1))}
    texts["http://b.test/1"] = prose(1)
    links = {"http://a.test/": [*of(*range(30)), "http://b.test/1"], **dict.fromkeys(of(*range(30)), of(99))}
    texts[of(99)[0]] = "the end"
    summary = crawl(texts, links, soft_404_after=5).run()
    assert (summary.failed, summary.flags) == ({"soft_404": 24}, {"copy": 6})  # another host has its own count
    assert (summary.relevant, summary.done) == (1, 9)
    assert summary.balanced


def test_when_told_so_it_says_nothing_of_the_kind():
    texts = {"http://a.test/": "start", **dict.fromkeys(of(*range(30)), prose(1))}
    summary = crawl(texts, {"http://a.test/": of(*range(30))}, soft_404_after=0).run()
    assert (summary.failed, summary.flags) == ({}, {"copy": 29})


def mirror(size=40, own=0):
    """Host b has the pages of host a, and some of its own; a comes first."""
    texts = {"http://a.test/": "start"}
    texts |= {url: prose(n) for n, url in enumerate(of(*range(size)))}
    texts |= {url: prose(n) for n, url in enumerate(of(*range(size), host="b"))}
    texts |= {url: prose(1000 + n) for n, url in enumerate(of(*range(500, 500 + own), host="b"))}
    ordered = [*of(*range(size)), *of(*range(500, 500 + own), host="b"), *of(*range(size), host="b")]
    return texts, {"http://a.test/": ordered}


def crawl_mirror(texts, links, **given):
    return crawl(texts, links, **given).run()


def test_a_host_that_mirrors_another_is_asked_no_more():
    summary = crawl_mirror(*mirror(), mirror_after=10)
    assert (summary.flags, summary.excluded, summary.relevant) == ({"copy": 10}, {"mirror": 30}, 40)
    assert summary.balanced


def test_a_host_with_much_of_its_own_is_no_mirror():
    summary = crawl_mirror(*mirror(own=40), mirror_after=10)
    assert (summary.flags, summary.excluded, summary.relevant) == ({"copy": 40}, {}, 80)


def test_when_told_so_no_host_is_a_mirror():
    summary = crawl_mirror(*mirror(), mirror_after=0)
    assert (summary.flags, summary.excluded) == ({"copy": 40}, {})


def test_what_was_a_copy_is_one_when_the_crawl_goes_on(tmp_path):
    texts, links = mirror()
    whole = crawl_mirror(texts, links, mirror_after=10, directory=tmp_path / "whole")
    crawl_mirror(texts, links, mirror_after=10, directory=tmp_path / "parts", pages=47)
    parts = crawl_mirror(texts, links, mirror_after=10, directory=tmp_path / "parts")
    assert (parts.flags, parts.excluded, parts.relevant) == (whole.flags, whole.excluded, whole.relevant)


def test_a_new_topic_does_not_make_copies_count(tmp_path):
    texts = {"http://a.test/": "start", **dict.fromkeys(of(1, 2, 3), prose(1))}
    web = web_with(texts, {"http://a.test/": of(1, 2, 3)})
    hg.Crawl(["http://a.test/"], "keyword:wasps", web=web, directory=tmp_path / "crawl").run()
    run_async(rejudge(tmp_path / "crawl", web, hg.keyword("bees")))
    with Store.open(tmp_path / "crawl") as store:
        assert [visit.url for visit in store.visits() if visit.relevant] == of(1)

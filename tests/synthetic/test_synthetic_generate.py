"""The invented web: the same for the same seed, and as hard to crawl as it was meant to be."""

import hashlib
import os
import re
import subprocess
import sys
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from urllib.parse import urljoin

import numpy as np
import pytest

from honeyguide.base import BadInput
from honeyguide.synthetic import World, generate, words
from honeyguide.synthetic.invented import (
    MOST_TOPICS,
    RARE,
    SECTION_WORDS,
    invented,
    section_word,
    vocabularies,
)
from honeyguide.synthetic.pages import Kind
from honeyguide.synthetic.rates import usual_rates
from honeyguide.synthetic.sites import Role
from honeyguide.synthetic.weave import Zone
from honeyguide.urls import normalize

FINGERPRINT = """
import hashlib
from honeyguide.synthetic import generate
world, digest = generate(pages=1000, hosts=40, seed=5), hashlib.sha256()
for i, url in enumerate(world.urls):
    digest.update(url.encode() + (world.html(url) or b"-") + world.links_of(i).tobytes())
print(digest.hexdigest())
"""


@pytest.fixture(scope="module")
def world() -> World:
    return generate()


@pytest.fixture(scope="module")
def bodies(world: World) -> dict[str, str]:
    return {url: body.decode() for url in world.urls if (body := world.html(url)) is not None}


def hrefs(url: str, html: str) -> list[str]:
    return [urljoin(url, unescape(href)) for href in re.findall(r'<a href="([^"]*)"', html)]


def text_words(html: str) -> set[str]:
    return set(re.findall(r"\w+", unescape(re.sub(r"<[^>]*>", " ", html)).lower()))


def reached(world: World, starts: list[int]) -> set[int]:
    seen, queue = set(starts), list(starts)
    moved = {i: int(world.addresses.originals[i]) for i in world.addresses.moved}
    while queue:
        i = queue.pop()
        for target in [moved[i]] if i in moved else world.links_of(i).tolist():
            if target not in seen:
                seen.add(target)
                queue.append(target)
    return seen


def fingerprint(hash_seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    run = subprocess.run(
        [sys.executable, "-c", FINGERPRINT], env=environment, capture_output=True, text=True, check=True
    )
    return run.stdout


def test_same_seed_same_bytes_in_every_process() -> None:
    assert fingerprint("1") == fingerprint("2")


def test_another_seed_another_web() -> None:
    first, second = generate(1000, seed=1), generate(1000, seed=2)
    assert set(first.urls) != set(second.urls)


def test_the_port_changes_urls_and_nothing_else(world: World) -> None:
    moved = world.at_port(8080)
    assert moved.urls[7] == world.urls[7].replace(".test/", ".test:8080/")
    assert all(np.array_equal(moved.links_of(i), world.links_of(i)) for i in range(50))
    bare = moved.html(moved.urls[0]).replace(b".test:8080/", b".test/")
    assert bare == world.html(world.urls[0])


def test_sizes(world: World, bodies: dict[str, str]) -> None:
    assert len(bodies) == 3000 + 1  # and the first month of the calendar
    assert len(world.hosts) == len(set(world.hosts)) == 21
    assert len(world.topics) == 12
    assert len(set(world.urls)) == len(world.urls)
    assert all(re.fullmatch(r"[a-z-]+\.test", host) for host in world.hosts)


@pytest.mark.parametrize(
    ("pages", "hosts", "topics"), [(900, 30, 6), (20_000, 200, 12), (700, 20, 2), (6000, 40, 30)]
)
def test_other_sizes_hold_together(pages: int, hosts: int, topics: int) -> None:
    world = generate(pages, hosts, seed=3, topics=topics)
    answering = sum(world.addresses.page(url) is not None for url in world.urls)
    assert (answering, len(world.hosts), len(world.topics)) == (pages, hosts, topics)
    assert len(set(world.urls)) == len(world.urls)
    assert {world.topic_of(url) for url in world.urls} == {"", *world.topics}


@pytest.mark.parametrize("wrong", [{"topics": 201}, {"topics": 1}, {"hosts": 7}, {"hosts": 126}, {"pages": 239}])
def test_impossible_sizes_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(BadInput):
        generate(**wrong)


def test_unknown_topics_are_refused(world: World) -> None:
    with pytest.raises(BadInput, match="chess"):
        world.query("dentistry")


def test_the_query_holds_for_exactly_the_pages_of_its_topic(world: World, bodies: dict[str, str]) -> None:
    seen = {url: text_words(html) for url, html in bodies.items()}
    for topic in world.topics:
        first, second = re.fullmatch(r"keyword:all\((\w+), (\w+)\)", world.query(topic)).groups()
        labelled = {url for url in bodies if world.topic_of(url) == topic}
        assert labelled == {url for url, found in seen.items() if {first, second} <= found}
        assert labelled == {url for url, found in seen.items() if {first, second} & found}


def test_signatures_never_show_in_anchors_titles_or_addresses(world: World, bodies: dict[str, str]) -> None:
    signatures = {word for vocabulary in words.TOPICS for word in vocabulary.signature}
    for url, html in bodies.items():
        shown = " ".join(re.findall(r"<(?:a|title|h1)\b[^>]*>[^<]*<", html))
        assert not signatures & set(re.findall(r"\w+", f"{url} {shown}".lower()))


def test_pages_on_a_topic_name_it(world: World, bodies: dict[str, str]) -> None:
    for url, html in bodies.items():
        assert world.topic_of(url) in re.sub(r"<[^>]*>", " ", html).lower()


def test_pages_show_their_links_in_order(world: World, bodies: dict[str, str]) -> None:
    for i, url in enumerate(world.urls[:-1]):
        if url in bodies:
            assert hrefs(url, bodies[url]) == [world.urls[target] for target in world.links_of(i)]


def test_every_link_leads_to_a_page_a_redirect_or_a_dead_end_by_design(world: World, bodies: dict[str, str]) -> None:
    dead = {world.urls[i] for i in world.addresses.dead}
    assert not dead & bodies.keys()
    for url in bodies.keys() - {world.urls[-1]}:
        for target in hrefs(url, bodies[url]):
            assert target in bodies or target in dead or world.redirect(target) in bodies


def test_some_content_links_are_dead(world: World) -> None:
    content = world.links.targets[world.links.zones == Zone.CONTENT]
    share = np.isin(content, world.addresses.dead).mean()
    assert 0.13 < share < 0.22


def test_redirects_lead_to_pages(world: World) -> None:
    moved = [url for url in world.urls if world.redirect(url)]
    assert 0.005 < len(moved) / len(world.urls) < 0.02
    for url in moved:
        assert world.html(url) is None
        assert world.html(world.redirect(url)) is not None
    assert world.redirect(world.urls[0]) is None


def test_some_pages_stand_there_twice(bodies: dict[str, str]) -> None:
    copies = Counter(hashlib.sha256(body.encode()).digest() for body in bodies.values())
    assert sum(count == 2 for count in copies.values()) == 20
    assert max(copies.values()) == 2


def test_the_calendar_never_ends_and_never_comes_to_a_topic(world: World) -> None:
    phrases = "|".join(phrase for v in words.TOPICS for phrase in (v.name, *v.signature, *v.words))
    url, seen = world.urls[-1], set()
    for _ in range(300):
        seen.add(url)
        html = world.html(url).decode()
        assert world.topic_of(url) == ""
        shown = re.sub(r"<[^>]*>", " ", html).lower()
        assert not re.search(rf"\b(?:{phrases})\b", shown)
        url = next(href for href in hrefs(url, html) if "calendar" in href and href not in seen)
    assert len(seen) == 300


@pytest.mark.parametrize("path", ["/calendar?month=13&year=2025", "/calendar", "/calendar?month=1&year=-1"])
def test_no_month_no_page(world: World, path: str) -> None:
    assert world.html(f"http://{world.hosts[-1]}{path}") is None


def test_the_calendar_is_on_one_host_only(world: World) -> None:
    assert world.html(f"http://{world.hosts[0]}/calendar?month=1&year=2025") is None


def test_one_host_closes_a_section_that_holds_pages(world: World) -> None:
    host, path = world.closed_section
    closed = [other for other in world.hosts if re.search(r"Disallow: /\w", world.robots(other))]
    assert closed == [host]
    assert f"Disallow: {path}\n" in world.robots(host)
    behind = [url for url in world.urls if url.startswith(f"http://{host}{path}")]
    assert sum(world.topic_of(url) != "" for url in behind) > 5


def test_seeds(world: World) -> None:
    far = world.portal_seeds(5)
    assert len(set(far)) == 5
    assert {world.topic_of(url) for url in far} == {""}
    near = world.topic_seeds("sailing", 5)
    assert {world.topic_of(url) for url in near} == {"sailing"}
    assert near == world.topic_seeds("sailing", 5, seed=0) != world.topic_seeds("sailing", 5, seed=1)


def test_everything_is_reachable_from_the_portals(world: World) -> None:
    starts = [world.addresses.ids[url] for url in world.portal_seeds(5)]
    assert set(range(len(world.pages.host))) <= reached(world, starts)


def test_quiet_pages_are_known_to_portals_alone(world: World) -> None:
    source = np.repeat(np.arange(len(world.pages.host)), np.diff(world.links.offsets))
    knowing = world.pages.kind[source[np.isin(world.links.targets, np.flatnonzero(world.pages.quiet))]]
    assert len(knowing) > 0
    assert set(knowing.tolist()) == {Kind.DIRECTORY}


def test_hidden_sites_are_never_entered_from_their_topic(world: World) -> None:
    hidden = np.array([site.hidden for site in world.sites])
    host, topic = world.pages.host, world.pages.topic
    source = np.repeat(np.arange(len(host)), np.diff(world.links.offsets))
    target = np.array(world.addresses.originals)[world.links.targets]
    alive = ~np.isin(world.links.targets, world.addresses.dead)
    entering = alive & hidden[host[target]] & (host[source] != host[target])
    site_topic = np.array([site.topic for site in world.sites])
    assert entering.any()
    assert not (entering & (topic[source] == site_topic[host[target]]) & (topic[target] == topic[source])).any()


def test_topics_are_as_common_as_they_are_meant_to_be() -> None:
    world = generate(20_000, seed=2, topics=10)
    shares = np.bincount(world.pages.topic, minlength=11)[:10] / len(world.pages.topic)
    meant = usual_rates(20_000, 10).rates
    assert (np.abs(shares / meant - 1) < 0.35).all()
    assert shares[0] > 40 * shares[-1]


def test_sites_are_devoted_to_topics_that_have_pages_enough(world: World) -> None:
    topic, shares = world.pages.topic, []
    for h, site in enumerate(world.sites):
        if site.role is Role.TOPICAL:
            shares.append((topic[world.pages.host == h] == site.topic).mean())
    assert len(shares) >= 5
    assert 0.4 < np.mean(shares) < 0.8


@pytest.mark.parametrize("pages", [240, 241, 500, 1777, 30_000])
def test_any_number_of_pages_will_do(pages: int) -> None:
    world = generate(pages)
    assert len(world.pages.host) + len(world.twins.copies) == pages
    assert world.parameters == {"pages": pages, "hosts": len(world.hosts), "seed": 1, "topics": len(world.topics)}


class Balance(HTMLParser):
    """Notes the tags that were left open or closed out of turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_pages_are_well_formed(world: World, bodies: dict[str, str]) -> None:
    seen = set()
    for url in world.urls[:500:7]:
        parser = Balance()
        parser.feed(bodies[url])
        parser.close()
        assert parser.open == []
        assert {"html", "meta", "title", "nav", "main", "article", "footer"} <= parser.seen
        seen |= parser.seen
    assert "aside" in seen


def test_vocabularies_do_not_overlap() -> None:
    listed = Counter(word for v in vocabularies(MOST_TOPICS) for word in (*v.words, *v.signature))
    assert len(listed) == MOST_TOPICS * 51
    assert max(listed.values()) == 1
    assert not listed.keys() & set(words.GENERAL)


def test_invented_words_are_all_different() -> None:
    rare = {invented(k) for k in range(RARE)}
    own = {section_word(section, k) for section in range(2000) for k in range(SECTION_WORDS)}
    topical = {word for v in vocabularies(MOST_TOPICS)[12:] for word in (v.name, *v.words, *v.signature)}
    assert len(rare | own | topical) == RARE + 2000 * SECTION_WORDS + 52 * (MOST_TOPICS - 12)
    assert all(word.isalpha() for word in own)


def test_every_url_is_in_the_form_a_crawler_asks_for():
    world = generate(pages=600, hosts=20, topics=4)
    assert [url for url in world.urls if normalize(url) != url] == []


def test_another_web_has_another_number():
    """Stored webs whose pages are made when asked for would no longer hold together: count GENERATOR up."""
    from honeyguide.synthetic.making import GENERATOR

    world = generate(pages=300, hosts=10, seed=3)
    whole = hashlib.sha256()
    for i in range(0, len(world.urls), 7):
        whole.update(world.urls[i].encode() + (world.body(i) or b""))
    assert (GENERATOR, whole.hexdigest()[:16]) == (2, "56b994b7ca9f0b5c")

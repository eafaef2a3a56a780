"""The dashboard in a real browser: it draws, steers and marks, and attacks stay text."""

import asyncio
import contextlib
import threading

import pytest
from benchmarks.chromium import MISSING, Chromium

import honeyguide as hg
from dashboards import slow_to_close, watched
from honeyguide import urls
from honeyguide.dashboard import lesson, teacher
from small_webs import web_of

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)

ATTACKS = [
    "<img src=x onerror=document.body.dataset.owned=1>",
    "</script><script>document.body.dataset.owned=1</script>",
    '"><svg onload=document.body.dataset.owned=1>',
    "javascript:document.body.dataset.owned=1",
    "{{constructor.constructor('document.body.dataset.owned=1')()}}",
]


def address(i):
    """Where a page is; the attack in it survives as far as an address may hold it."""
    return urls.normalize(f"http://h{i % 5}.test/{i}?q=<img src=x onerror='document.body.dataset.owned=1'>")


def web():
    """Pages whose titles, addresses and anchors are attacks."""
    pages = []
    for i in range(90):
        text = f"{'bees honey hive nectar' if i % 2 else 'bees spelling contest words'} number{i}"
        links = tuple(hg.Link(address(j), ATTACKS[j % 5]) for j in range(i + 1, min(i + 6, 90)))
        pages.append(hg.Page(address(i), ATTACKS[i % 5], text, text, links=links))
    return web_of(*pages)


def crawl_on(web, directory):
    return hg.Crawl([address(0)], "keyword:bees", "breadth-first", web=web, directory=directory, pages=80)


@contextlib.asynccontextmanager
async def shown(directory, pause_after=40, **window):
    """A browser that looks at a crawl, which is paused after some visits."""
    async with watched(crawl_on(web(), directory), lambda _: web(), pause_after) as asker:
        await asker.phase("paused")
        async with Chromium() as browser:
            await browser.show(**{"width": 1280, **window})
            await browser.open(asker.server.note.address)
            yield browser, asker


async def press(browser, selector, text=""):
    """Click the first button that says so."""
    found = f"[...document.querySelectorAll({selector!r})].find(b => !b.hidden && b.textContent.startsWith({text!r}))"
    await browser.until(found)
    await browser.value(f"{found}.click()")


PHASE = "document.getElementById('phase').textContent"


def test_attacks_stay_text_and_the_browser_has_nothing_to_complain_of(tmp_path):
    async def story():
        async with shown(tmp_path / "crawl") as (browser, _):
            await browser.until("document.querySelectorAll('#pages li').length === 40")
            await browser.until("document.querySelectorAll('#unsure li.row').length > 0")
            await browser.until("document.querySelectorAll('#next li.row').length > 0")
            titles = await browser.value("[...document.querySelectorAll('#pages .what')].map(e => e.textContent)")
            assert not [attack for attack in ATTACKS if not any(attack in title for title in titles)]
            assert await browser.value("document.querySelectorAll('img, iframe, object, embed, b b').length") == 0
            assert await browser.value("document.scripts.length") == 1
            assert await browser.value("document.body.dataset.owned === undefined")
            names = "[...document.querySelectorAll('*')].flatMap(e => [...e.attributes].map(a => a.name))"
            assert not any(name.startswith("on") for name in await browser.value(names))
            links = await browser.value("[...document.links].map(a => a.href)")
            assert links
            assert all(link.startswith("http://") for link in links)
            assert await browser.value("location.hash") == ""  # the token stands in no address that is kept
            assert browser.complaints == []

    asyncio.run(story())


def test_a_window_that_is_opened_anew_still_knows_its_token_and_one_without_sees_nothing(tmp_path):
    async def story():
        async with shown(tmp_path / "crawl") as (browser, asker):
            await browser.until(f"{PHASE} === 'paused'")
            await browser.open(asker.origin + "/")
            await browser.until(f"{PHASE} === 'paused'")
            async with Chromium() as other:
                await other.open(asker.origin + "/")
                await other.until(f"{PHASE} === 'locked'")
                assert "bees" not in await other.value("document.body.textContent")

    asyncio.run(story())


def test_somebody_marks_pages_it_learns_and_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(teacher, "QUIET", 3.0)

    async def story():
        async with shown(tmp_path / "crawl") as (browser, asker):
            await browser.until("document.querySelectorAll('#pages li').length === 40")
            lesson = "document.getElementById('lesson').textContent"
            await browser.until("document.querySelector('#unsure .what small')")
            first = "document.querySelector('#unsure .what small').textContent"
            for text, told in (("On", "1 and 0"), ("On", "2 and 0"), ("Off", "2 and 1"), ("Off", "4 new marks")):
                asked = await browser.value(first)
                await press(browser, "#unsure button", f"{text} topic")
                await browser.until(f"{lesson}.includes({told!r})")
                await browser.until(f"{first} !== {asked!r}")
            await browser.until("document.getElementById('topic').textContent.includes('classifier:marked-1.hg')")
            await browser.until(f"{PHASE} === 'paused'")
            await browser.until("document.getElementById('note').textContent.includes('verdicts changed')")
            await browser.until(f"{lesson}.includes('learned from your 4 marks')")
            await press(browser, "#resume")
            await browser.until(f"{PHASE} === 'ended' || {PHASE} === 'not running'")
            await browser.until("document.querySelector('#figures').textContent.includes('80of 80')")
            assert browser.complaints == []
            assert len(asker.visits) == 80

    asyncio.run(story())


OFFERED = "[...document.querySelectorAll('button')].filter(b => b.offsetParent).map(b => b.textContent)"


def test_a_window_that_lost_its_connection_offers_nothing_until_it_is_back(tmp_path):
    async def story():
        async with shown(tmp_path / "crawl") as (browser, asker):
            unseen = "document.getElementById('unseen').textContent"
            await browser.until("document.querySelectorAll('#unsure button').length > 0")
            assert {"Resume", "Stop", "Right", "On topic", "Block"} <= set(await browser.value(OFFERED))
            asker.server._closing.set()
            await browser.until(f"{PHASE} === 'not connected' && {unseen}.includes('does not answer')")
            await browser.until(f"{OFFERED}.length === 0")
            asker.server._closing.clear()
            await browser.until(f"{PHASE} === 'paused' && {unseen} === ''")
            await browser.until(f"{OFFERED}.includes('On topic')")
            assert {"Resume", "Stop"} <= set(await browser.value(OFFERED))

    asyncio.run(story())


def test_the_end_of_a_crawl_that_is_stopped_while_it_learns_is_told(tmp_path, monkeypatch):
    go = threading.Event()
    monkeypatch.setattr(lesson, "learned", lambda *_: go.wait(60))

    async def story():
        async with Chromium() as browser:
            crawl = crawl_on(slow_to_close(web()), tmp_path / "crawl")
            async with watched(crawl, lambda _: web(), 40) as asker:
                await browser.open(asker.server.note.address)
                await press(browser, "#unsure button", "On topic")
                await press(browser, "#learn")
                await browser.until("document.getElementById('lesson').textContent.includes('A classifier learns')")
                await press(browser, "#stop")
                await asker.phase("resting")
            go.set()
            await browser.until(f"{PHASE} === 'ended'")
            await browser.until("document.getElementById('note').textContent.startsWith('The crawl has ended.')")
            await browser.until(f"{OFFERED}.length === 0")
            assert await browser.value("document.getElementById('unseen').hidden")

    asyncio.run(story())


def test_a_host_is_blocked_by_two_clicks_and_let_in_again(tmp_path):
    async def story():
        async with shown(tmp_path / "crawl") as (browser, asker):
            guide = asker.session.crawl.guide
            await press(browser, "#pages button", "Block")
            assert guide.blocked == []
            await press(browser, "#pages button", "Really block")
            await browser.until("document.getElementById('blocked').textContent.includes('Blocked hosts')")
            assert len(guide.blocked) == 1
            await press(browser, "#blocked button", "Unblock")
            await browser.until("!document.getElementById('blocked').textContent")
            assert guide.blocked == []
            assert browser.complaints == []

    asyncio.run(story())


def test_why_a_url_is_next_is_told_when_asked(tmp_path):
    async def story():
        async with shown(tmp_path / "crawl") as (browser, _):
            await browser.until("document.querySelectorAll('#next li .why li').length > 0")
            await browser.until("document.querySelectorAll('#next details').length > 0")
            await browser.value("document.querySelector('#next details summary').click()")
            await browser.until("document.querySelectorAll('#next details[open] .why li').length > 0")

    asyncio.run(story())


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_nothing_sticks_out_sideways(tmp_path, width):
    async def story():
        async with shown(tmp_path / "crawl", width=width, height=800) as (browser, _):
            await browser.until("document.querySelectorAll('#pages li').length === 40")
            root = "document.documentElement"
            assert await browser.value(f"{root}.scrollWidth <= {root}.clientWidth")

    asyncio.run(story())

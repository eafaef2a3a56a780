"""The dashboard in a real browser: it draws, steers and marks, and attacks stay text."""

import asyncio
import contextlib
import threading

import pytest
from benchmarks.browser import MISSING, browser, complaints

import honeyguide as hg
from dashboards import watched
from honeyguide import urls
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


class Beside:
    """A crawl with its dashboard in a thread of its own, paused after some visits."""

    def __init__(self, directory, pause_after):
        self.crawl = hg.Crawl([address(0)], "keyword:bees", web=web(), directory=directory, pages=80)
        self._pause_after = pause_after
        self.ready, self._loop = threading.Event(), asyncio.new_event_loop()

    def run(self):
        self._loop.run_until_complete(self._run())

    async def _run(self):
        self._over = asyncio.Event()
        async with watched(self.crawl, lambda _: web(), self._pause_after) as self.asker:
            await self.asker.phase("paused")
            self.ready.set()
            await self._over.wait()

    def end(self):
        self._loop.call_soon_threadsafe(self._over.set)


@contextlib.contextmanager
def shown(directory, pause_after=40, **window):
    """A browser that looks at a crawl."""
    beside = Beside(directory, pause_after)
    thread = threading.Thread(target=beside.run)
    thread.start()
    assert beside.ready.wait(60)
    try:
        with browser(**window) as opened:
            opened.get(beside.asker.server.note.address)
            yield opened, beside
    finally:
        beside.end()
        thread.join()
        beside._loop.close()


def wait(window, condition):
    """Until a script's answer is true."""
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(window, 20).until(lambda _: window.execute_script(f"return {condition}"), condition)


def press(window, selector, text=""):
    """Click the first button that says so."""
    found = f"[...document.querySelectorAll({selector!r})].find(b => !b.hidden && b.textContent.startsWith({text!r}))"
    wait(window, f"Boolean({found})")
    window.execute_script(f"{found}.click()")


PHASE = "document.getElementById('phase').textContent"


def test_attacks_stay_text_and_the_browser_has_nothing_to_complain_of(tmp_path):
    with shown(tmp_path / "crawl") as (window, _):
        wait(window, "document.querySelectorAll('#pages li').length === 40")
        wait(window, "document.querySelectorAll('#unsure li.row').length > 0")
        wait(window, "document.querySelectorAll('#next li.row').length > 0")
        titles = window.execute_script(
            "return [...document.querySelectorAll('#pages .what')].map(e => e.textContent)"
        )
        assert all(any(attack in title for title in titles) for attack in ATTACKS)
        assert (
            window.execute_script("return document.querySelectorAll('img, iframe, object, embed, b b').length") == 0
        )
        assert window.execute_script("return document.scripts.length") == 1
        assert window.execute_script("return document.body.dataset.owned === undefined")
        names = "[...document.querySelectorAll('*')].flatMap(e => [...e.attributes].map(a => a.name))"
        assert not any(name.startswith("on") for name in window.execute_script(f"return {names}"))
        links = window.execute_script("return [...document.links].map(a => a.href)")
        assert links
        assert all(link.startswith("http://") for link in links)
        assert window.execute_script("return location.hash") == ""  # the token stands in no address that is kept
        assert complaints(window) == []


def test_a_window_that_is_opened_anew_still_knows_its_token_and_one_without_sees_nothing(tmp_path):
    with shown(tmp_path / "crawl") as (window, beside):
        wait(window, f"{PHASE} === 'paused'")
        window.refresh()
        wait(window, f"{PHASE} === 'paused'")
        with browser() as other:
            other.get(f"http://127.0.0.1:{beside.asker.server.note.port}/")
            wait(other, f"{PHASE} === 'locked'")
            assert "bees" not in other.execute_script("return document.body.textContent")


def test_somebody_marks_pages_lets_it_learn_and_lets_it_go_on(tmp_path):
    with shown(tmp_path / "crawl") as (window, beside):
        wait(window, "document.querySelectorAll('#pages li').length === 40")
        for number in range(6):
            press(window, "#unsure button", "On topic" if number % 2 else "Off topic")
            wait(window, f"document.getElementById('learn').textContent.startsWith('Learn from {number + 1} new')")
        press(window, "#learn")
        wait(window, "document.getElementById('topic').textContent.startsWith('classifier:')")
        wait(window, f"{PHASE} === 'paused'")
        assert "verdicts changed" in window.execute_script("return document.getElementById('note').textContent")
        press(window, "#resume")
        wait(window, f"{PHASE} === 'ended' || {PHASE} === 'not running'")
        wait(window, "document.querySelector('#figures').textContent.includes('80of 80')")
        assert complaints(window) == []
        assert len(beside.asker.visits) == 80


def test_a_host_is_blocked_by_two_clicks_and_let_in_again(tmp_path):
    with shown(tmp_path / "crawl") as (window, beside):
        press(window, "#pages button", "Block")
        assert beside.crawl.guide.blocked == []
        press(window, "#pages button", "Really block")
        wait(window, "document.getElementById('blocked').textContent.includes('Blocked hosts')")
        assert len(beside.crawl.guide.blocked) == 1
        press(window, "#blocked button", "Unblock")
        wait(window, "!document.getElementById('blocked').textContent")
        assert beside.crawl.guide.blocked == []
        assert complaints(window) == []


def test_why_a_url_is_next_is_told_when_asked(tmp_path):
    with shown(tmp_path / "crawl") as (window, _):
        wait(window, "document.querySelectorAll('#next li .why li').length > 0")
        wait(window, "document.querySelectorAll('#next details').length > 0")
        window.execute_script("document.querySelector('#next details summary').click()")
        wait(window, "document.querySelectorAll('#next details[open] .why li').length > 0")


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_nothing_sticks_out_sideways(tmp_path, width):
    with shown(tmp_path / "crawl", width=width, height=800) as (window, _):
        wait(window, "document.querySelectorAll('#pages li').length === 40")
        assert window.execute_script(
            "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )

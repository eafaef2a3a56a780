"""Pages in a real browser, served on this machine: what is read of them, and what they cannot reach."""

import asyncio
import gzip
import io
import os
import shutil
import signal
import socket
from pathlib import Path

import pytest
from msgspec.structs import replace

import honeyguide as hg
from honeyguide.base import BadInput, NotNow, Page
from honeyguide.cli.explaining import explain_url
from honeyguide.cli.running import go_on, web_of
from honeyguide.crawl.rejudging import rejudge
from honeyguide.settings import Settings
from honeyguide.store import Store, read_settings
from honeyguide.store.warc import responses
from honeyguide.topic import as_topic
from honeyguide.web import LiveWeb
from honeyguide.web.browser import NAMES
from honeyguide.web.rendering import NEEDS_IT, NO_USE, Need
from loopback import Loopback, answer, ask, never, settings

chromium = pytest.mark.skipif(not any(map(shutil.which, NAMES)), reason="there is no Chromium on this machine")
WORDS = "honey bees of the hill " * 20
SHELL = '<title>Shell</title><div id="root"></div>'


def page(html):
    return answer(html.encode(), type="text/html; charset=utf-8")


def script(text):
    return answer(text.encode(), type="text/javascript")


def writing(html):
    """A script that writes a page."""
    return f"document.getElementById('root').innerHTML = `{html}`;"


def shown(text, after=""):
    return page(f"{SHELL}<script>{text}{after}</script>")


def render(server, *paths, allowed=(), **given):
    web = LiveWeb(settings(**{"render": "auto", "render_timeout": 10, **given}), allowed)
    came = ask(web, *(server.origin + path for path in paths))
    return (came[0] if len(came) == 1 else came), web.notes()


# -- what is read ---------------------------------------------------------------------------------------------------


@chromium
def test_text_and_links_that_scripts_write_are_read():
    text = writing("<h1>${data.title}</h1><p>" + WORDS + "<a href=/next>on</a>")
    app = f"fetch('/data.json').then(got => got.json()).then(data => {{ {text} }})"
    pages = {
        "/a": page(f'{SHELL}<link rel=stylesheet href=/a.css><img src=/a.png><script src="/app.js"></script>'),
        "/app.js": script(app),
        "/data.json": answer(gzip.compress(b'{"title": "Bees"}'), type="application/json", Content_Encoding="gzip"),
    }
    with Loopback(pages) as server:
        reply, notes = render(server, "/a")
        assert server.paths == ["/robots.txt", "/a", "/app.js", "/data.json"]
        agents = {request.headers["user-agent"] for request in server.requests}
    assert reply.page.text.startswith("Bees\n\nhoney bees of the hill")
    assert [link.url for link in reply.page.links] == [server.origin + "/next"]
    assert (reply.page.title, reply.detail, reply.status) == ("Shell", "rendered", 200)
    assert len(agents) == 1
    assert agents.pop().startswith("honeyguide/")
    assert {name: notes[name] for name in ("rendered", "render_gained", "render_failed", "render_requests")} == {
        "rendered": 1,
        "render_gained": 1,
        "render_failed": 0,
        "render_requests": 2,
    }
    sizes = sum(len(pages[path].partition(b"\r\n\r\n")[2]) for path in pages)
    assert reply.size == sizes


@chromium
def test_what_is_archived_is_the_answer_and_what_became_of_it():
    sent = shown(writing(f"<p>{WORDS}"))
    with Loopback({"/a": sent}) as server:
        reply, _ = render(server, "/a")
    (stored,) = responses(io.BytesIO(reply.record))
    assert stored.rendered
    assert WORDS.strip() in stored.body.decode()
    assert stored.headers["content-type"] == "text/html; charset=utf-8"
    assert sent.partition(b"\r\n\r\n")[2] in gzip.decompress(reply.record)


@chromium
def test_pages_made_of_one_shell_are_no_copies():
    text = writing("<p>${location.pathname} " + WORDS)
    with Loopback({"/a": shown(text), "/b": shown(text)}) as server:
        (a, b), _ = render(server, "/a", "/b")
    assert (a.page.text[:2], b.page.text[:2]) == ("/a", "/b")
    assert a.digest != b.digest
    assert (a.original, b.original) == (None, None)


@chromium
def test_a_script_that_pages_share_is_fetched_once():
    pages = {
        "/a": page(f"{SHELL}<script src=/app.js></script>"),
        "/b": page(f"{SHELL}<script src=/app.js></script>"),
        "/app.js": script(writing(f"<p>{WORDS}")),
    }
    with Loopback(pages) as server:
        (a, b), notes = render(server, "/a", "/b")
        assert server.hits("/app.js") == 1
    assert WORDS.strip() in a.page.text
    assert WORDS.strip() in b.page.text
    assert (notes["rendered"], notes["render_requests"]) == (2, 1)


@chromium
def test_a_script_that_leads_elsewhere_is_a_refresh():
    with Loopback({"/a": shown("location.href = '/b?x=1&y=2'"), "/b?x=1&y=2": page(WORDS)}) as server:
        reply, _ = render(server, "/a")
        assert server.hits("/b?x=1&y=2") == 0
    assert reply.page.refresh == server.origin + "/b?x=1&y=2"
    (link,) = reply.page.links
    assert (link.url, link.rel) == (server.origin + "/b?x=1&y=2", frozenset(["refresh"]))


@chromium
def test_dialogs_and_popups_hold_nobody_up():
    text = f"alert('a'); confirm('b'); open('/popup'); {writing('<p>' + WORDS)} window.onbeforeunload = () => 'stay'"
    with Loopback({"/a": shown(text), "/popup": page("up")}) as server:
        reply, notes = render(server, "/a")
        assert server.hits("/popup") == 0
    assert WORDS.strip() in reply.page.text
    assert notes["render_failed"] == 0


@chromium
def test_what_a_page_leaves_behind_is_not_there_for_the_next():
    text = (
        "const seen = document.cookie + (localStorage.mark || ''); document.cookie = 'mark=1'; localStorage.mark = 1;"
        + writing("<p>[${seen}] " + WORDS)
    )
    with Loopback({"/a": shown(text), "/b": shown(text)}) as server:
        (a, b), _ = render(server, "/a", "/b")
        assert not any("cookie" in request.headers for request in server.requests)
    assert a.page.text.startswith("[]")
    assert b.page.text.startswith("[]")


# -- which pages ----------------------------------------------------------------------------------------------------


def test_without_a_need_the_browser_is_not_started(tmp_path):
    started = tmp_path / "started"
    fake = tmp_path / "browser"
    fake.write_text(f"#!/bin/sh\ntouch {started}\n")
    fake.chmod(0o700)
    pages = {"/a": page(f"<p>{WORDS}<script src=/a.js></script>"), "/b": page("<p>Short.")}
    with Loopback(pages) as server:
        came, notes = render(server, "/a", "/b", browser=str(fake))
        assert server.paths == ["/robots.txt", "/a", "/b"]
        assert [reply.detail for reply in came] == ["", ""]
        assert not started.exists()
        with pytest.raises(BadInput, match=f"{fake} could not be started"):
            render(server, "/a", browser=str(fake), render="always")
        assert started.exists()
    assert (notes["rendered"], notes["render_requests"]) == (0, 0)


def test_a_browser_that_is_not_there_is_told_when_a_crawl_begins(tmp_path):
    given = {"render": "auto", "browser": "/no/such", "allow_private": True}
    with Loopback({"/": page("<p>Short.")}) as server:
        crawl = hg.Crawl([server.origin + "/"], "keyword:bees", directory=tmp_path / "crawl", **given)
        with pytest.raises(BadInput, match="--browser /no/such is no program: install one"):
            crawl.run()
        assert server.paths == []
    assert not (tmp_path / "crawl").exists()


def test_without_the_browser_what_is_stored_can_be_looked_at_and_judged_anew(tmp_path):
    directory, home = tmp_path / "crawl", page(f"<title>Bees</title><p>{WORDS}<a href=/next>on</a>")
    with Loopback({"/": home}) as server:
        given = {"allow_private": True, "delay": 0, "workers": 0}
        hg.Crawl([server.origin + "/"], "keyword:bees", directory=directory, **given).run()
        lost = {"render": "auto", "browser": "/no/such"}
        with Store.open(directory) as store:
            store.settings = Settings.from_dict({**store.settings.to_dict(), **lost})
            store.save_settings()
        assert "relevant" in explain_url(directory, server.origin + "/")[1]
        with pytest.raises(BadInput, match="is no program"):
            go_on(directory, {"topic": "keyword:ants"})
        assert read_settings(directory).topic == "keyword:bees"  # a crawl that cannot go on changes nothing
        web = web_of(read_settings(directory))
        assert asyncio.run(rejudge(directory, web, as_topic("keyword:hill"))) == 1


def test_how_often_pages_are_shown_is_one_of_three():
    with pytest.raises(BadInput, match="render = 'sometimes' is none of: never, auto, always"):
        settings(render="sometimes")


@chromium
def test_always_means_every_page_and_the_better_version_counts():
    worse = page(f"<p>{WORDS}<a href=/x>x</a><script>document.body.innerHTML = 'error'</script>")
    with Loopback({"/a": worse, "/b.txt": answer(b"plain words", type="text/plain")}) as server:
        (a, b), notes = render(server, "/a", "/b.txt", render="always")
    assert WORDS.strip() in a.page.text
    assert (a.detail, b.detail) == ("", "")
    assert (notes["rendered"], notes["render_gained"]) == (1, 0)


PLAIN = Page("http://a.example/1", text=WORDS, scripted="some")
WAITING = replace(PLAIN, text="", scripted="waits")


def test_a_host_whose_pages_gained_is_known_to_need_it():
    need = Need()
    assert need.of(WAITING)
    assert not need.of(PLAIN)
    for _ in range(NEEDS_IT):
        assert not need.of(PLAIN)
        need.learn(PLAIN.url, gained=True)
    assert need.of(PLAIN)
    assert not need.of(replace(PLAIN, scripted=""))
    assert not need.of(replace(PLAIN, url="http://b.example/"))


def test_a_host_whose_pages_never_gain_is_left_alone():
    need = Need()
    for _ in range(NO_USE):
        assert need.of(WAITING)
        need.learn(WAITING.url, gained=False)
    assert not need.of(WAITING)
    need.learn(WAITING.url, gained=True)
    assert need.of(WAITING)


@pytest.mark.parametrize(
    "more", [{"gate": "challenge"}, {"gate": "login"}, {"listing": "feed"}, {"type": "application/pdf"}]
)
def test_no_gate_is_opened_and_nothing_but_html_is_shown(more):
    assert not Need(always=True).of(replace(WAITING, **more))
    assert Need(always=True).of(PLAIN)


# -- limits ---------------------------------------------------------------------------------------------------------


@chromium
def test_a_script_without_end_costs_its_page_and_no_other():
    pages = {"/a": shown("while (true) {}"), "/b": shown(writing(f"<p>{WORDS}"))}
    with Loopback(pages) as server:
        (a, b), notes = render(server, "/a", "/b", render_timeout=2)
    assert (a.page.title, a.detail) == ("Shell", "not rendered: its scripts took more than 2 s")
    assert WORDS.strip() in b.page.text
    assert (notes["rendered"], notes["render_failed"]) == (1, 1)


@chromium
def test_of_a_page_that_never_rests_what_is_there_is_taken():
    text = f"{writing('<p>' + WORDS)} setInterval(() => fetch('/more'), 100); fetch('/silent')"
    with Loopback({"/a": shown(text), "/more": answer(b"x"), "/silent": never}) as server:
        reply, _ = render(server, "/a", render_timeout=2)
    assert (reply.detail, WORDS.strip() in reply.page.text) == ("rendered", True)


@chromium
def test_a_page_makes_no_more_requests_than_it_may():
    text = (
        "let came = 0;"
        "Promise.allSettled([...Array(9).keys()].map(i => fetch('/data' + i).then(() => came++)))"
        f".then(() => {{ {writing('<p>[${came}] ' + WORDS)} }})"
    )
    with Loopback({"/a": shown(text)}) as server:
        reply, notes = render(server, "/a", render_requests=4)
        assert len([path for path in server.paths if path.startswith("/data")]) == 4
    assert reply.page.text.startswith("[4]")
    assert (notes["render_requests"], notes["render_refused"]) == (4, 5)


def telling(*addresses):
    """A script that tries to reach addresses, and says which it could."""
    tries = ", ".join(f"fetch('{address}').then(() => 'yes', () => 'no')" for address in addresses)
    return f"Promise.all([{tries}]).then(told => {{ {writing('<p>[${told}] ' + WORDS)} }})"


@chromium
def test_what_is_too_large_is_not_loaded():
    bomb = answer(gzip.compress(bytes(30_000_000)), type="application/json", Content_Encoding="gzip")
    pages = {"/a": shown(telling("/large", "/bomb", "/small")), "/large": answer(bytes(600_000)), "/bomb": bomb}
    with Loopback({**pages, "/small": answer(b"1")}) as server:
        reply, notes = render(server, "/a", max_page_bytes=500_000)
    assert reply.page.text.startswith("[no,no,yes]")
    assert notes["render_refused"] == 2


@chromium
def test_a_page_that_grows_without_bounds_is_given_up():
    text = "document.body.append('x'.repeat(2000000))"
    with Loopback({"/a": shown(text)}) as server:
        reply, _ = render(server, "/a", max_page_bytes=1_000_000)
    assert reply.detail == "not rendered: it grew beyond 1,000,000 characters"


@chromium
def test_robots_txt_holds_for_scripts_and_data():
    rules = answer(b"User-agent: *\nDisallow: /closed\n", type="text/plain")
    pages = {"/robots.txt": rules, "/a": shown(telling("/closed/data", "/open")), "/open": answer(b"1")}
    with Loopback(pages) as server:
        reply, notes = render(server, "/a")
        assert server.paths == ["/robots.txt", "/a", "/open"]
    assert reply.page.text.startswith("[no,yes]")
    assert notes["render_refused"] == 1


@chromium
def test_nothing_is_sent_that_could_change_something():
    text = f"fetch('/data', {{method: 'POST', body: 'x'}}).catch(() => {{ {writing('<p>' + WORDS)} }})"
    text += "; navigator.sendBeacon('/data', 'y')"
    with Loopback({"/a": shown(text)}) as server:
        reply, _ = render(server, "/a")
        assert server.paths == ["/robots.txt", "/a"]
    assert reply.page.text.startswith("honey")


@chromium
def test_a_host_rests_for_what_its_page_asked_beside():
    pages = {"/a": shown(telling("/1", "/2", "/3")), "/1": answer(b"1"), "/2": answer(b"1"), "/3": answer(b"1")}
    with Loopback(pages) as server:
        web = LiveWeb(settings(render="auto", delay=0.5, ip_delay=0))

        async def run():
            async with web:
                with pytest.raises(NotNow, match="robots_read"):
                    await web.get(server.origin + "/a")
                await web.get(server.origin + "/a")
                now = web.now()
                with pytest.raises(NotNow, match="host_rests") as later:
                    await web.get(server.origin + "/b")
                return later.value.until - now

        rest = asyncio.run(run())
        assert server.hits("/b") == 0
    assert 0 < rest <= 4 * 0.5


def calling(port):
    """A script that asks a server of datagrams for its own address."""
    return (
        f"const peer = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{port}'}}]}});"
        "peer.createDataChannel('x'); peer.createOffer().then(offer => peer.setLocalDescription(offer));"
    )


# -- what it cannot reach -------------------------------------------------------------------------------------------


@chromium
def test_an_inner_address_is_not_reached_whatever_a_page_tries():
    inner = Loopback({"/": answer(b"secret", Access_Control_Allow_Origin="*"), "/s.js": script("var a = 1")})
    with inner, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        datagrams.bind(("127.0.0.1", 0))
        datagrams.setblocking(False)
        udp, port = datagrams.getsockname()[1], inner.port
        worker = f"new WebSocket('ws://127.0.0.1:{port}/w'); fetch('http://127.0.0.1:{port}/from-worker');"
        text = "".join(
            [
                f"new WebSocket('ws://127.0.0.1:{port}/');",
                f"new EventSource('http://127.0.0.1:{port}/events');",
                "new Worker('/worker.js'); new SharedWorker('/worker.js');",
                "navigator.serviceWorker?.register('/worker.js').catch(() => 0);",
                f"try {{ {calling(udp)} }} catch (error) {{}}",
                f"try {{ new WebTransport('https://127.0.0.1:{udp}/') }} catch (error) {{}}",
                f"const place = 'http://127.0.0.1:{port}/s.js';",
                "for (const tag of ['img', 'script', 'iframe', 'video', 'embed'])"
                " { const made = document.createElement(tag); made.src = place; document.body.append(made) }",
                "for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'modulepreload']) {"
                " const made = document.createElement('link'); made.rel = rel; made.as = 'script';"
                " made.href = place; document.head.append(made) }",
                telling(
                    f"http://127.0.0.1:{port}/", f"http://[::1]:{port}/", f"http://localhost:{port}/",
                    f"http://2130706433:{port}/", "file:///etc/hostname", "/away", "/here",
                ),
            ]
        )  # fmt: skip
        away = answer(b"", "302 Found", Location=f"http://127.0.0.1:{port}/", Access_Control_Allow_Origin="*")
        pages = {"/a": shown(text), "/away": away, "/here": answer(b"1"), "/worker.js": script(worker)}
        with Loopback(pages, host="127.0.0.2") as server:
            reply, _ = render(server, "/a", allowed=["127.0.0.2"], allow_private=False)
        assert reply.page.text.startswith("[no,no,no,no,no,no,yes]")
        assert inner.connections == 0
        with pytest.raises(BlockingIOError):
            datagrams.recv(1)


@chromium
def test_the_browser_itself_has_no_network():
    """Were a request not seen by us, it would lead nowhere: neither by name nor by address."""
    from playwright.async_api import Error, async_playwright

    from honeyguide.web.browser import NO_NETWORK

    async def tried(args, address, text=""):
        async with async_playwright() as playwright:
            path = next(filter(None, map(shutil.which, NAMES)))
            browser = await playwright.chromium.launch(executable_path=path, args=list(args))
            tab = await browser.new_page()
            try:
                if text:
                    await tab.evaluate(text)
                    await asyncio.sleep(1)
                else:
                    await tab.goto(address)
                return True
            except Error:
                return False
            finally:
                await browser.close()

    with Loopback({"/": page("secret")}) as server:
        assert not asyncio.run(tried(NO_NETWORK, server.origin + "/"))
        assert not asyncio.run(tried(NO_NETWORK, f"http://localhost:{server.port}/"))
        assert server.connections == 0
        assert asyncio.run(tried((), server.origin + "/"))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        datagrams.bind(("127.0.0.1", 0))
        datagrams.setblocking(False)
        text = calling(datagrams.getsockname()[1])
        assert asyncio.run(tried(NO_NETWORK, "", text))
        with pytest.raises(BlockingIOError):
            datagrams.recv(1)
        assert asyncio.run(tried((), "", text))
        assert datagrams.recv(1)


@chromium
def test_the_users_headers_are_for_pages_of_their_origin_only():
    with Loopback({"/data": answer(b"1", Access_Control_Allow_Origin="*"), "/b": answer(b"1")}) as own:
        with Loopback({"/a": shown(telling(own.origin + "/data"))}, host="127.0.0.2") as other:
            own.pages["/a"] = shown(telling("/b"))
            given = {"seed": [own.origin + "/a"], "header": ["X-Key: secret"], "render": "auto"}
            came = ask(LiveWeb(settings(**given)), other.origin + "/a", own.origin + "/a")
        keys = {request.path: request.headers.get("x-key") for request in own.requests}
    assert all(reply.page.text.startswith("[yes]") for reply in came)
    assert (keys["/data"], keys["/a"], keys["/b"]) == (None, "secret", "secret")


# -- a browser that ends --------------------------------------------------------------------------------------------


def browsers_of_this_process():
    """Ids of the browsers that this process, or its children, started."""
    parents, found = {}, []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = status.read_text().partition("(")[2].rpartition(")")
        except OSError:
            continue
        parents[int(status.parent.name)] = (int(rest.split()[1]), name)
    for number, (parent, name) in parents.items():
        above = parent
        while above in parents and above != os.getpid():
            above = parents[above][0]
        if above == os.getpid() and name == "chromium" and parents.get(parent, (0, ""))[1] != "chromium":
            found.append(number)
    return found


@chromium
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_browser_that_dies_is_started_again():
    pages = {"/a": shown(writing(f"<p>a {WORDS}")), "/b": shown(writing(f"<p>b {WORDS}"))}
    with Loopback(pages) as server:
        web = LiveWeb(settings(render="auto"))

        async def run():
            async with web:
                first = await web.get(server.origin + "/a")
                killed = browsers_of_this_process()
                for number in killed:
                    os.kill(number, signal.SIGKILL)
                return first, await web.get(server.origin + "/b"), killed

        a, b, killed = asyncio.run(run())
    assert killed
    assert (a.page.text[:1], b.page.text[:1], b.detail) == ("a", "b", "rendered")
    assert browsers_of_this_process() == []

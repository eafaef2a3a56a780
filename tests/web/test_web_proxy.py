"""Requests through proxies, real ones on this machine."""

import gzip
import socket
import subprocess
import sys
import tomllib

import pytest

import honeyguide as hg
from honeyguide.base import BadInput
from honeyguide.store import Store
from honeyguide.web import LiveWeb
from honeyguide.web.proxy import ProxyDown
from loopback import Loopback, answer, ask, get, settings
from proxies import HttpProxy, SocksProxy

PAGES = {
    "/": answer(b"<title>Bees</title><p>bees</p><a href=/two>on</a><a href=/closed>x</a>"),
    "/two": answer(b"<title>Two</title><p>more bees</p>"),
    "/robots.txt": answer(b"User-agent: *\nDisallow: /closed\n", type="text/plain"),
}
KINDS = [HttpProxy, SocksProxy]
SECRET = "s3cr3t-honey"


def nobody():
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def crawl(server, proxy, directory=None, **given):
    chosen = {"delay": 0, "allow_private": True, "timeout": 5, "workers": 0, "proxy": proxy, **given}
    return hg.Crawl([server.origin + "/"], "keyword:bees", directory=directory, **chosen)


@pytest.mark.parametrize("kind", KINDS)
def test_pages_and_robots_txt_come_through_the_proxy(kind, tmp_path):
    with Loopback(dict(PAGES)) as server, kind() as proxy:
        summary = crawl(server, proxy.address, tmp_path / "crawl").run()
        place = f"127.0.0.1:{server.port}"
        assert sorted(server.paths) == ["/", "/robots.txt", "/two"]
        assert set(proxy.asked) == {place}
        assert len(proxy.asked) == server.connections
        assert {request.headers["host"] for request in server.requests} == {place}
    assert (summary.fetched, summary.relevant, summary.excluded) == (2, 2, {"robots": 1})


@pytest.mark.parametrize("kind", KINDS)
def test_an_inner_address_is_refused_though_the_proxy_could_reach_it(kind):
    with Loopback(dict(PAGES)) as inner, kind() as proxy:
        given = settings(allow_private=False, proxy=proxy.address, resolve=["inner.test=127.0.0.1"])
        names = [inner.origin, f"http://localhost:{inner.port}", f"http://inner.test:{inner.port}"]
        came = ask(LiveWeb(given), *(name + "/" for name in names))
        assert [error.reason for error in came] == ["private_address"] * 3
        assert (proxy.asked, inner.requests) == ([], [])


@pytest.mark.parametrize("kind", KINDS)
def test_nor_is_it_reached_by_a_redirect(kind):
    with Loopback(dict(PAGES)) as inner, kind() as proxy:
        moved = answer(b"", "302 Found", Location=inner.origin + "/")
        with Loopback({"/": moved}, host="127.0.0.2") as outer:
            web = LiveWeb(settings(allow_private=False, proxy=proxy.address), ["127.0.0.2"])
            summary = hg.Crawl([outer.origin + "/"], "keyword:bees", web=web, workers=0).run()
        assert (summary.excluded, summary.redirects) == ({"private_address": 1}, 1)
        assert inner.requests == []


def test_what_was_checked_is_what_is_connected_to():
    """Were the name looked up a second time, it could lead to an inner address by then."""
    with Loopback(dict(PAGES)) as server, SocksProxy() as proxy:
        url = f"http://pinned.test:{server.port}/"
        came = get(url, proxy=proxy.address, resolve=["pinned.test=127.0.0.1"])
        assert set(proxy.asked) == {f"127.0.0.1:{server.port}"}
        assert came.page.title == "Bees"


def test_a_name_that_only_the_proxy_knows():
    with Loopback(dict(PAGES)) as server, SocksProxy(only_here_test="127.0.0.1") as proxy:
        url = f"http://only.here.test:{server.port}/"
        by_proxy = proxy.address.replace("socks5:", "socks5h:")
        assert get(url, proxy=by_proxy).page.title == "Bees"
        assert set(proxy.asked) == {f"only.here.test:{server.port}"}


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_a_proxy_that_is_down_is_told_and_nothing_is_marked_failed(scheme, tmp_path):
    port = nobody()
    with Loopback(dict(PAGES)) as server:
        with pytest.raises(ProxyDown, match=rf"the proxy 127\.0\.0\.1:{port} cannot be reached"):
            crawl(server, f"{scheme}://bee:{SECRET}@127.0.0.1:{port}", tmp_path / "crawl").run()
        with Store.open(tmp_path / "crawl") as store:
            assert (store.books(), store.visits_made) == ({"queued": 1}, 0)
        with (HttpProxy if scheme == "http" else SocksProxy)() as proxy:
            assert crawl(server, proxy.address, tmp_path / "crawl").run().relevant == 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_proxy_that_goes_down_in_the_middle_fails_no_page(kind, tmp_path):
    with Loopback(dict(PAGES)) as server:
        with kind() as proxy:
            crawl(server, proxy.address, tmp_path / "crawl", pages=1).run()
        with pytest.raises(ProxyDown):
            crawl(server, proxy.address, tmp_path / "crawl").run()
        with Store.open(tmp_path / "crawl") as store:
            assert store.books() == {"done": 1, "queued": 2}


@pytest.mark.parametrize("kind", KINDS)
def test_a_proxy_that_refuses_the_password_is_told_and_nothing_is_marked_failed(kind, tmp_path):
    with Loopback(dict(PAGES)) as server, kind(user="bee", password="right") as proxy:
        with pytest.raises(ProxyDown, match="are name and password right") as error:
            crawl(server, proxy.address.replace("right", SECRET), tmp_path / "crawl").run()
        assert SECRET not in str(error.value)
        assert (server.requests, proxy.refused > 0) == ([], True)
        with Store.open(tmp_path / "crawl") as store:
            assert store.books() == {"queued": 1}


def test_so_is_one_that_refuses_it_before_an_encrypted_connection():
    with HttpProxy(user="bee", password="right") as proxy, pytest.raises(ProxyDown) as error:
        get("https://127.0.0.1:9/", proxy=proxy.address.replace("right", SECRET))
    assert f"the proxy 127.0.0.1:{proxy.port} refuses us: status 407" in str(error.value)


def test_an_encrypted_connection_goes_through_the_proxy_too():
    with Loopback({}) as server, HttpProxy() as proxy:  # it speaks no TLS: the handshake fails, behind the proxy
        came = get(f"https://127.0.0.1:{server.port}/", proxy=proxy.address, timeout=0.5)
        assert isinstance(came, hg.FetchError)
        assert proxy.asked == [f"127.0.0.1:{server.port}"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_password_is_sent_to_the_proxy_and_kept_nowhere(kind, tmp_path):
    directory = tmp_path / "crawl"
    with Loopback(dict(PAGES)) as server, kind(user="bee", password=SECRET) as proxy:
        options = ["crawl", "--topic", "keyword:bees", "--seed", server.origin + "/", "-o", directory]
        options += ["--delay", "0", "--allow-private", "--proxy", proxy.address, "--workers", "0"]
        done = subprocess.run([sys.executable, "-m", "honeyguide", *options], capture_output=True, timeout=60)
        assert (done.returncode, proxy.refused) == (0, 0), done.stderr
        assert server.hits("/two") == 1
        assert not any("proxy-authorization" in request.headers for request in server.requests)
    kept = b"".join(path.read_bytes() for path in directory.iterdir() if path.suffix != ".gz")
    kept += b"".join(gzip.decompress(path.read_bytes()) for path in directory.glob("*.gz"))
    assert SECRET.encode() not in kept + done.stdout + done.stderr
    asked = tomllib.loads((directory / "crawl.toml").read_text())["crawl"]
    assert ("proxy" in asked, asked["withheld"]) == (False, ["proxy"])


def test_on_the_command_line_a_proxy_that_is_down_is_one_sentence(tmp_path):
    address = f"http://bee:{SECRET}@127.0.0.1:{nobody()}"
    options = ["crawl", "--topic", "keyword:bees", "--seed", "http://127.0.0.1:9/", "-o", tmp_path / "crawl"]
    options += ["--allow-private", "--proxy", address]
    done = subprocess.run([sys.executable, "-m", "honeyguide", *options], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "honeyguide: the proxy 127.0.0.1:" in done.stderr
    assert "Traceback" not in done.stderr
    assert SECRET not in done.stdout + done.stderr


def test_a_target_that_the_proxy_cannot_reach_is_tried_again_and_fails(monkeypatch):
    monkeypatch.setattr("honeyguide.web.doorman.PAUSE", 0.01)
    with SocksProxy() as proxy:
        server = Loopback({}, port=nobody())
        crawling = crawl(server, proxy.address, retries=0)
        summary = crawling.run()
    assert (summary.stopped, summary.queued) == ("nothing_may_be_fetched", 1)
    assert "by the proxy" in next(iter(crawling.web.troubles().values()))


@pytest.mark.parametrize("kind", KINDS)
def test_the_address_of_the_proxy_is_not_taken_for_the_servers(kind):
    with Loopback(dict(PAGES), host="127.0.0.2") as server, kind(host="127.0.0.3") as proxy:
        record = gzip.decompress(get(server.origin + "/", proxy=proxy.address, workers=0).record)
    assert b"WARC-IP-Address: 127.0.0.3" not in record


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1:8080",
        "ftp://127.0.0.1:21",
        "http://127.0.0.1",
        "http://:8080",
        "socks9://a:1",
        "http://a:99999",
        "x",
    ],
)
def test_what_is_no_address_of_a_proxy_is_refused(address):
    with pytest.raises(BadInput, match="write it as http://HOST:PORT or socks5://HOST:PORT"):
        LiveWeb(settings(proxy=address))


def test_a_refusal_does_not_repeat_the_password():
    with pytest.raises(BadInput) as error:
        LiveWeb(settings(proxy=f"ftp://bee:{SECRET}@127.0.0.1:21"))
    assert SECRET not in str(error.value)

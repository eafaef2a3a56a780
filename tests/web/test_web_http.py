"""One request and its answer: what is not whole is marked, what goes wrong has a name."""

import asyncio
import contextlib
import gzip
import math
import re
import shutil
import socket
import ssl
import subprocess

import aiohttp
import pytest
from aiohttp.client_reqrep import ConnectionKey

import honeyguide as hg
from honeyguide.base import Excluded, FetchError, NotNow
from honeyguide.web import LiveWeb
from honeyguide.web.doorman import _Door
from honeyguide.web.guard import RefusedAddress
from honeyguide.web.http import named_errors
from honeyguide.web.live import PASSING
from honeyguide.web.robots import Rules
from loopback import Loopback, answer, break_off, get, hang_up, reset, settings

PAGE = answer(b"<title>Bees</title><p>A hive.")
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
LENGTH = b"Content-Length: 1000\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"


def sends(data, then=hang_up):
    async def handler(request, writer):
        writer.write(data)
        await writer.drain()
        await then(request, writer)

    return handler


async def wait(_, __):
    await asyncio.Event().wait()


async def break_off_later(_, writer):
    await asyncio.sleep(0.1)
    break_off(writer)


# -- answers that are not whole -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("handler", "error", "mark"),
    [
        (answer(b"<title>" + b"x" * 5000), "too_large", "length"),
        (sends(HEAD + b"\r\n<title>" + b"x" * 5000), "too_large", "length"),
        (sends(HEAD + LENGTH + b"\r\n<title>half", wait), "timeout", "time"),
        (sends(HEAD + LENGTH + b"\r\n", wait), "timeout", "time"),
        (sends(HEAD + CHUNKED + b"\r\n7\r\n<title>\r\n", wait), "timeout", "time"),
        (sends(HEAD + LENGTH + b"\r\n<title>half"), "incomplete", "disconnect"),
        (sends(HEAD + LENGTH + b"\r\n"), "incomplete", "disconnect"),
        (sends(HEAD + CHUNKED + b"\r\n7\r\n<title>\r\n"), "incomplete", "disconnect"),
        (sends(HEAD + CHUNKED + b"\r\n7\r\n<title>\r\n9\r\nhalf"), "incomplete", "disconnect"),
        (sends(HEAD + LENGTH + b"\r\n<title>half", break_off_later), "incomplete", "disconnect"),
    ],
)
def test_half_an_answer_is_kept_and_marked_but_no_page(handler, error, mark):
    with Loopback({"/a": handler}) as server:
        reply = get(server.origin + "/a", retries=0, timeout=0.5, max_page_bytes=2000)
    assert (reply.error, reply.page, reply.redirect, reply.status) == (error, None, "", 200)
    record = gzip.decompress(reply.record)
    assert re.findall(rb"\r\nWARC-Truncated: (\w+)\r\n", record) == [mark.encode()]
    assert reply.size <= 2000
    assert b"\r\nContent-Length: %d\r\n\r\n" % reply.size in record


def test_a_whole_answer_is_not_marked():
    with Loopback({"/a": PAGE}) as server:
        assert b"WARC-Truncated" not in gzip.decompress(get(server.origin + "/a").record)


def test_a_redirect_with_half_a_body_is_a_redirect():
    moved = sends(b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 1000\r\n\r\nhalf")
    with Loopback({"/a": moved}) as server:
        assert get(server.origin + "/a", retries=0).redirect == server.origin + "/b"


# -- headers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [8_000, 20_000, 60_000])
def test_long_headers(size):
    with Loopback({"/a": answer(b"<title>Bees</title>", X_Policy="x" * size)}) as server:
        assert get(server.origin + "/a").page.title == "Bees"


def test_longer_ones_are_refused():
    with Loopback({"/a": answer(b"<title>Bees</title>", X_Policy="x" * 200_000)}) as server:
        assert get(server.origin + "/a").reason == "header_too_large"


# -- every request once -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("handler", [hang_up, reset])
def test_a_request_is_not_repeated_behind_our_back(handler):
    with Loopback({"/a": handler}) as server:
        assert get(server.origin + "/a", retries=0).reason == "disconnected"
        assert server.paths == ["/robots.txt", "/a"]


# -- names of errors ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def own_certificate(tmp_path_factory):
    """TLS with a certificate nobody has signed."""
    if not shutil.which("openssl"):
        pytest.skip("there is no openssl to make a certificate with")
    key, certificate = (tmp_path_factory.mktemp("tls") / name for name in ("key.pem", "certificate.pem"))
    making = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1"]
    subprocess.run([*making, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


def test_a_certificate_nobody_signed(own_certificate):
    with Loopback({"/a": PAGE}, tls=own_certificate) as server:
        error = get(server.origin + "/a")
        assert server.requests == []
    assert (type(error), error.reason) == (NotNow, "robots_unavailable")
    assert error.detail.startswith("tls: ")


def test_a_server_that_does_not_speak_tls():
    async def run():
        async def serve(reader, writer):
            await reader.read(1)
            writer.write(answer(b"", "400 Bad Request"))
            await writer.drain()
            writer.close()
            await writer.wait_closed()

        async with await asyncio.start_server(serve, "127.0.0.1") as server, LiveWeb(settings()) as web:
            with pytest.raises(FetchError) as error:
                await web.get(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/a")
            return error.value

    error = asyncio.run(run())
    assert (type(error), error.reason) == (NotNow, "robots_unavailable")
    assert error.detail.startswith("tls: ")


KEY = ConnectionKey("bees.test", 80, False, True, None, None, None)


@pytest.mark.parametrize(
    ("raised", "kind", "reason"),
    [
        (TimeoutError(), FetchError, "timeout"),
        (aiohttp.ServerTimeoutError(), FetchError, "timeout"),
        (aiohttp.ClientConnectorDNSError(KEY, socket.gaierror(socket.EAI_NONAME, "")), FetchError, "dns"),
        (aiohttp.ClientConnectorDNSError(KEY, socket.gaierror(socket.EAI_AGAIN, "")), FetchError, "dns_unavailable"),
        (aiohttp.ClientConnectorDNSError(KEY, socket.gaierror(socket.EAI_FAIL, "")), FetchError, "dns_unavailable"),
        (aiohttp.ClientConnectorSSLError(KEY, OSError("")), FetchError, "tls"),
        (aiohttp.ClientConnectorCertificateError(KEY, ssl.SSLCertVerificationError()), FetchError, "tls"),
        (aiohttp.ClientConnectorError(KEY, ConnectionRefusedError()), FetchError, "unreachable"),
        (aiohttp.ClientConnectorError(KEY, RefusedAddress("")), Excluded, "private_address"),
        (aiohttp.ServerDisconnectedError(), FetchError, "disconnected"),
        (aiohttp.ClientOSError(104, ""), FetchError, "disconnected"),
        (ConnectionResetError(), FetchError, "disconnected"),
        (aiohttp.ClientPayloadError(), FetchError, "protocol_error"),
        (aiohttp.InvalidURL("x"), FetchError, "protocol_error"),
        (ValueError(), FetchError, "protocol_error"),
        (OSError(24, ""), FetchError, "out_of_files"),
        (RefusedAddress(""), Excluded, "private_address"),
        (FetchError("timeout"), FetchError, "timeout"),
    ],
)
def test_names(raised, kind, reason):
    with pytest.raises(FetchError) as error, named_errors():
        raise raised
    assert (type(error.value), error.value.reason) == (kind, reason)


def test_what_may_pass():
    assert {"timeout", "disconnected", "unreachable", "dns_unavailable", "incomplete"} == set(PASSING)


@pytest.mark.parametrize("host", ["host.invalid", "a..invalid", "a" * 64 + ".invalid"])
@pytest.mark.parametrize("delay", [0, 1])
def test_a_name_that_cannot_exist_is_told_at_once(host, delay):
    error = get(f"http://{host}/", delay=delay)
    assert (type(error), error.reason) == (FetchError, "dns")


def test_a_link_to_a_name_that_cannot_exist_does_not_end_a_crawl():
    with Loopback({"/a": answer(b"<a href='http://www..invalid/'>x</a><a href='/b'>y</a>"), "/b": PAGE}) as server:
        summary = hg.Crawl([server.origin + "/a"], "keyword:hive", delay=0.01, allow_private=True).run()
    assert (summary.done, summary.failed, summary.stopped) == (2, {"dns": 1}, "nothing_left")
    assert summary.balanced


# -- connections that are kept open -------------------------------------------------------------------------------


class Closing:
    """Answers the first request of a connection, and closes it over the second: at once, or with half a head."""

    def __init__(self, last_words=b""):
        self.last_words, self.heard = last_words, []

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.origin = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_):
        self._server.close()

    async def _serve(self, reader, writer):
        number = len(self.heard)
        self.heard.append(0)
        for last in (False, True):
            with contextlib.suppress(asyncio.IncompleteReadError):
                await reader.readuntil(b"\r\n\r\n")
                self.heard[number] += 1
            writer.write(self.last_words if last else HEAD + b"Content-Length: 2\r\n\r\nok")
            await writer.drain()
        writer.close()


def asked(server, names):
    """The titles of pages, and what came in between."""

    async def run():
        async with server, LiveWeb(settings(retries=0, delay=0)) as web:
            web._doorman._doors[server.origin] = _Door(rules=Rules(agent="bees"), read_at=math.inf)
            return [await outcome(web, f"{server.origin}/{name}") for name in names]

    async def outcome(web, url):
        try:
            return (await web.get(url)).status
        except FetchError as error:
            return type(error), error.reason

    return asyncio.run(run())


def test_a_connection_that_the_server_closed_in_between_costs_no_page():
    server = Closing()
    assert asked(server, "abba") == [200, (NotNow, "disconnected"), 200, (NotNow, "disconnected")]
    assert server.heard == [2, 2], "and it is not asked again behind our back"


def test_what_was_not_heard_is_asked_on_a_connection_of_its_own():
    server = Closing()
    lost = (NotNow, "disconnected")
    assert asked(server, "abcbd") == [200, lost, 200, 200, lost]
    assert sorted(server.heard) == [1, 2, 2], "b does not take up what c left open; d takes up one of theirs"


def test_where_it_began_to_answer_the_page_has_failed():
    assert asked(Closing(b"HTTP/1.1 200"), "ab") == [200, (FetchError, "disconnected")]

"""Names, addresses and certificates that fail or lie."""

import contextlib
import json
import os
import shutil
import socket
import ssl
import subprocess

import pytest

from honeyguide.web import LiveWeb
from hostile import NameServer, crawl_beside, crawl_options, crawled, linking, needs_ipv6, page, run, stuck
from loopback import Loopback, settings


def failing(code):
    return socket.gaierror(code, "no answer")


# -- names --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("delay", [0, 0.02])
@pytest.mark.parametrize("found", [failing(socket.EAI_NONAME), failing(socket.EAI_NODATA), []])
def test_n1_a_name_that_does_not_exist_or_has_no_address_is_an_end(found, delay, tmp_path):
    names = NameServer({"gone.test": found, "127.0.0.1": ["127.0.0.1"]})
    with names.instead():
        links = {"/l": linking("http://gone.test/", "http://gone.test/2")}
        came = crawl_beside(links, tmp_path / "crawl", retries=2, delay=delay, ip_delay=delay)
    assert came.ends("http://gone.test/", "http://gone.test/2") == {
        "http://gone.test/": "dns",
        "http://gone.test/2": "dns",
    }


FAILING = {
    "servfail.test": failing(socket.EAI_AGAIN),
    "loop.test": failing(socket.EAI_FAIL),
    "broken.test": OSError("the resolver is out of order"),
}


@pytest.mark.parametrize("delay", [0, 0.02])
@pytest.mark.parametrize("name", FAILING)
def test_n1_a_name_server_that_fails_is_asked_again_later(name, delay, tmp_path):
    names = NameServer({**FAILING, "127.0.0.1": ["127.0.0.1"]})
    with names.instead():
        came = crawl_beside({"/l": linking(f"http://{name}/")}, tmp_path / "crawl", delay=delay, ip_delay=delay)
    assert came.end(f"http://{name}/") == "queued"
    assert names.asked.count(name) >= 2
    assert came.summary.stopped == "nothing_may_be_fetched"


@pytest.mark.parametrize("delay", [0, 0.02])
def test_n1_a_name_server_that_never_answers_holds_nobody_up(delay, tmp_path):
    names = NameServer({"silent.test": None, "127.0.0.1": ["127.0.0.1"]})
    with names.instead():
        links = {"/l": linking("http://silent.test/")}
        came = crawl_beside(links, tmp_path / "crawl", timeout=0.3, delay=delay, ip_delay=delay, patience=10)
    assert came.end("http://silent.test/") == "queued"


def test_n1_a_name_that_comes_back_is_fetched(tmp_path):
    with Loopback({"/": page("Back")}) as server:
        answers = iter([failing(socket.EAI_AGAIN), ["127.0.0.1"]])
        names = NameServer({"bees.test": lambda: next(answers, ["127.0.0.1"])})
        with names.instead():
            came = crawled(server, [f"http://bees.test:{server.port}/"], tmp_path / "crawl")
    assert came.summary.done == 1


# -- addresses ----------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def outer_and_inner():
    """Two servers on one port: the crawl may go to the one and not to the other."""
    away = {"Connection": "close"}
    with Loopback({"/": linking("/a", "/b"), "/a": page("A", **away)}, host="127.0.0.2") as outer:
        outer.pages["/"] = page("Outer", '<a href="/a">a</a><a href="/b">b</a>', **away)
        outer.pages["/b"] = page("B", **away)
        outer.pages["/robots.txt"] = page("None", **away).replace(b"200 OK", b"404 Not Found")
        pages = {path: page("Inner") for path in ("/", "/a", "/b", "/robots.txt")}
        with Loopback(pages, host="127.0.0.1", port=outer.port) as inner:
            yield outer, inner


def crawled_guarded(outer, names, directory):
    web = LiveWeb(settings(allow_private=False), ["127.0.0.2"])
    with names.instead(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("honeyguide.web.resolver.LASTING", -1.0)
        return crawled(outer, [f"http://bees.test:{outer.port}/"], directory, web)


@pytest.mark.parametrize("turn", [0, 1, 2, 3, 4])
def test_n2_a_name_that_turns_to_an_inner_address_is_not_followed_there(turn, tmp_path):
    with outer_and_inner() as (outer, inner):
        answers = iter([["127.0.0.2"]] * turn)
        names = NameServer({"bees.test": lambda: next(answers, ["127.0.0.1"])})
        came = crawled_guarded(outer, names, tmp_path / "crawl")
        assert inner.requests == []
    assert "Inner" not in {visit["title"] for visit in came.books.visits.values()}
    assert set(came.summary.excluded) <= {"private_address"}


@pytest.mark.parametrize("both", [["127.0.0.1", "127.0.0.2"], ["127.0.0.2", "127.0.0.1"]])
def test_n2_nor_is_an_inner_address_among_others(both, tmp_path):
    with outer_and_inner() as (outer, inner):
        crawled_guarded(outer, NameServer({"bees.test": both}), tmp_path / "crawl")
        assert inner.requests == []


BOTH = NameServer({"bees.test": ["::1", "127.0.0.1"]})


@needs_ipv6
@pytest.mark.parametrize("broken", [stuck, contextlib.nullcontext])
def test_n3_where_ipv6_is_broken_ipv4_is_used(broken, tmp_path):
    with Loopback({"/": page()}) as server, broken(server.port), BOTH.instead():
        came = crawled(server, [f"http://bees.test:{server.port}/"], tmp_path / "crawl")
        assert server.paths == ["/robots.txt", "/"]
    assert came.summary.done == 1
    assert came.books.responses[0].fields["WARC-IP-Address"] == "127.0.0.1"


# -- certificates -------------------------------------------------------------------------------------------------


class Authority:
    """Signs certificates, good ones and others."""

    def __init__(self, directory):
        self.directory = directory
        self.certificate = directory / "authority.pem"
        self._openssl("req", "-x509", "-subj", "/CN=Bees", *self._key("authority"), "-out", self.certificate)

    def _openssl(self, *arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)

    def _key(self, name):
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
        return (*curve, "-keyout", self.directory / f"{name}.key")

    def server(self, file, name, days=30, signed=True):
        """TLS for a server of a name."""
        made, request, names = (self.directory / f"{file}.{kind}" for kind in ("pem", "csr", "names"))
        names.write_text(f"subjectAltName=DNS:{name}")
        self._openssl("req", "-subj", f"/CN={name}", *self._key(file), "-out", request)
        signer = ("-CA", self.certificate, "-CAkey", self.directory / "authority.key")
        signer = signer if signed else ("-key", self.directory / f"{file}.key")
        self._openssl("x509", "-req", "-in", request, *signer, "-days", days, "-extfile", names, "-out", made)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(made, self.directory / f"{file}.key")
        return context


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    if not shutil.which("openssl"):
        pytest.skip("there is no openssl to make certificates with")
    return Authority(tmp_path_factory.mktemp("tls"))


def refusing(context):
    """TLS that knows no name it is asked for."""
    context.sni_callback = lambda *_: ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME
    return context


def crawl_securely(authority, servers, directory, *more):
    """Crawl servers by name over TLS, in a process that trusts the authority; how the books stand."""
    pinned = [option for name in servers for option in ("--resolve", f"{name}=127.0.0.1")]
    seeds = [f"https://{name}:{server.port}/" for name, server in servers.items()]
    options = crawl_options(None, directory, *pinned, *more, "--json", seeds=seeds)
    environment = {**os.environ, "SSL_CERT_FILE": str(authority.certificate)}
    return json.loads(run(*options, env=environment).stdout)


def test_n4_bad_certificates_are_not_trusted(authority, tmp_path):
    contexts = {
        "good.test": authority.server("good", "good.test"),
        "expired.test": authority.server("expired", "expired.test", days=-1),
        "other.test": authority.server("other", "else.test"),
        "own.test": authority.server("own", "own.test", signed=False),
        "unknown.test": refusing(authority.server("unknown", "unknown.test")),
    }
    with contextlib.ExitStack() as stack:
        servers = {name: stack.enter_context(Loopback({"/": page()}, tls=tls)) for name, tls in contexts.items()}
        summary = crawl_securely(authority, servers, tmp_path / "crawl")
        asked = {name: server.paths for name, server in servers.items()}
    assert asked == {name: ["/robots.txt", "/"] if name == "good.test" else [] for name in servers}
    assert (summary["done"], summary["queued"]) == (1, 4)  # no robots.txt: not now


def test_n4_a_certificate_that_goes_bad_is_an_end(authority, tmp_path):
    good, bad = authority.server("fine", "bees.test"), authority.server("stale", "bees.test", days=-1)
    turns = iter([good, good])  # for robots.txt and the first page

    def chosen(connection, _, __):
        connection.context = next(turns, bad)

    good.sni_callback = chosen
    pages = {"/": page("Bees", "<a href='/a'>a</a>", Connection="close"), "/a": page()}
    pages["/robots.txt"] = page("None", Connection="close").replace(b"200 OK", b"404 Not Found")
    with Loopback(pages, tls=good) as server:
        summary = crawl_securely(authority, {"bees.test": server}, tmp_path / "crawl")
        assert server.paths == ["/robots.txt", "/"]
    assert (summary["done"], summary["failed"]) == (1, {"tls": 1})

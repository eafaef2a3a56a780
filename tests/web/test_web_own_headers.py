"""Headers of the user's own: for the sites of the seeds only, and kept nowhere."""

import gzip
import tomllib

import pytest

import honeyguide as hg
from honeyguide.base import BadInput
from honeyguide.settings import Settings
from honeyguide.web import LiveWeb
from loopback import Loopback, answer
from strict_warc import strict_records

SECRET = "s3cr3t-honey"
BEES = answer(b"<title>Bees</title><p>bees</p>")


def crawl(seeds, directory, **given):
    headers = [f"X-Key: {SECRET}", "Authorization:Bearer " + SECRET]
    chosen = {"delay": 0, "allow_private": True, "workers": 0, "header": headers, "directory": directory, **given}
    return hg.Crawl(seeds, "keyword:bees", **chosen).run()


def told(server):
    """Which paths were asked for with the secret."""
    return {r.path: {r.headers.get("x-key"), r.headers.get("authorization")} for r in server.requests}


def test_the_sites_of_the_seeds_are_told_and_no_other(tmp_path):
    with Loopback({"/b": BEES, "/c": BEES}) as port, Loopback({"/b": BEES}, host="127.0.0.2") as host:
        moved = answer(b"", "302 Found", Location=port.origin + "/b")
        targets = ["/in", "/out", host.origin + "/b", port.origin + "/c"]
        links = "<p>bees</p>" + "".join(f"<a href={target}>x</a>" for target in targets)
        with Loopback({"/": answer(links.encode()), "/in": BEES, "/out": moved}) as server:
            crawl([server.origin + "/"], tmp_path / "crawl")
            for path in ("/", "/in", "/out"):
                assert told(server)[path] == {SECRET, "Bearer " + SECRET}
            assert told(port) == {"/robots.txt": {None}, "/b": {None}, "/c": {None}}
            assert told(host) == {"/robots.txt": {None}, "/b": {None}}


def test_another_name_or_scheme_is_another_site(tmp_path):
    with Loopback({"/": BEES}) as server:
        links = f"<a href=http://localhost:{server.port}/>x</a>".encode()
        with Loopback({"/": answer(links)}) as first:
            crawl([first.origin + "/"], tmp_path / "crawl")
        assert told(server)["/"] == {None}


def test_they_are_kept_nowhere(tmp_path):
    with Loopback({"/": BEES}) as server:
        crawl([server.origin + "/"], tmp_path / "crawl")
        assert told(server)["/"] == {SECRET, "Bearer " + SECRET}
    kept = b"".join(path.read_bytes() for path in (tmp_path / "crawl").iterdir() if path.suffix != ".gz")
    (archive,) = (tmp_path / "crawl").glob("*.gz")
    assert SECRET.encode() not in kept + gzip.decompress(archive.read_bytes())
    asked = tomllib.loads((tmp_path / "crawl" / "crawl.toml").read_text())["crawl"]
    assert ("header" in asked, asked["withheld"]) == (False, ["header"])
    (request,) = [record for record in strict_records(archive) if record.type == "request"]
    lines = request.head.decode().split("\r\n")
    assert "X-Key: (sent, but not kept)" in lines
    assert "Authorization: (sent, but not kept)" in lines


def test_without_any_none_is_claimed(tmp_path):
    with Loopback({"/": BEES}) as server:
        crawl([server.origin + "/"], tmp_path / "crawl", header=[])
        assert told(server)["/"] == {None}
    (archive,) = (tmp_path / "crawl").glob("*.gz")
    assert b"not kept" not in gzip.decompress(archive.read_bytes())


@pytest.mark.parametrize(
    "header",
    [
        "nonsense",
        ": value",
        "Two words: x",
        "X-Key: a\nb",
        "X-Key: a\r\nX-Other: b",
        "X\n-Key: a",
        "Kéy: x",
        "X: a\0",
    ],
)
def test_what_is_no_header_is_refused(header):
    with pytest.raises(BadInput, match="write it as 'NAME: VALUE', without line breaks"):
        Settings(header=[header])


def test_a_refusal_does_not_repeat_the_value():
    with pytest.raises(BadInput) as error:
        Settings(header=[f"Two words: {SECRET}"])
    assert SECRET not in str(error.value)


def test_a_value_may_hold_colons_or_be_empty():
    Settings(header=["X-Time: 10:30", "X-Empty:"])


@pytest.mark.parametrize(
    "written", ["HTTP://127.0.0.1:{port}/", " http://127.0.0.1:{port}", "http://127.1:{port}/#top"]
)
def test_the_sites_of_the_seeds_are_told_however_these_are_written(tmp_path, written):
    with Loopback({"/": BEES}) as server:
        given = {"header": [f"X-Key: {SECRET}"], "delay": 0, "allow_private": True, "workers": 0}
        asked = Settings(topic="keyword:bees", seed=[written.format(port=server.port)], **given)
        web = LiveWeb(asked)
        hg.Crawl.from_settings(asked, hg.keyword("bees"), web, tmp_path / "crawl").run()
        assert told(server)["/"] == {SECRET, None}

"""Attacks: on who asks, on what is kept, and on who looks at it afterwards."""

import ast
import contextlib
import io
import json
import os
import pickle
import re
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import honeyguide
from honeyguide.cli.explaining import explain_url
from honeyguide.report import write_report
from honeyguide.web import LiveWeb
from hostile import (
    CHUNKED,
    archived,
    brotli_bomb,
    crawl_beside,
    crawl_options,
    crawled,
    endless_trailers,
    gzip_bomb,
    linking,
    moved,
    packed,
    page,
    peak_beside,
    peak_of,
    peak_of_good_pages,
    refreshing,
    robots,
    run,
    sends,
    with_head,
)
from loopback import Loopback, answer, settings

SECRETS = {"authorization", "cookie", "proxy-authorization", "referer"}


def told(server):
    """Secrets that a server was told."""
    return [name for request in server.requests for name in request.headers if name in SECRETS]


def everything_in(directory):
    """All bytes of a crawl directory, the archive unpacked."""
    files = [path.read_bytes() for path in directory.iterdir() if path.is_file() and path.suffix != ".gz"]
    return b"".join(files) + b"".join(record.block for record in archived(directory))


# -- what is sent to others ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See", "307 Temporary", "308 Permanent"])
def test_a1_another_origin_is_told_no_secret(status, tmp_path, monkeypatch):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login bee password honey\ndefault login bee password honey\n")
    monkeypatch.setenv("NETRC", str(netrc))
    with Loopback({"/b": page()}) as port, Loopback({"/b": page()}, host="127.0.0.2") as host:
        pages = {"/port": moved(port.origin + "/b", status), "/host": moved(host.origin + "/b", status)}
        came = crawl_beside(pages, tmp_path / "crawl", seeds=["http://bee:honey@127.0.0.1:{port}/good"])
        assert (port.hits("/b"), host.hits("/b")) == (1, 1)
        assert (told(came.server), told(port), told(host)) == ([], [], [])


def test_a1_headers_of_the_user_are_sent_to_the_seeds_only(tmp_path):
    secret = ["Authorization: Basic aG9uZXk=", "Cookie: id=7", "X-Token: honey"]
    with Loopback({"/b": page("B")}) as port, Loopback({"/b": page("B")}, host="127.0.0.2") as host:
        pages = {"/port": moved(port.origin + "/b"), "/host": moved(host.origin + "/b")}
        pages["/links"] = linking(port.origin + "/c", host.origin + "/c")
        came = crawl_beside(pages, tmp_path / "crawl", header=secret)
        assert {"authorization", "cookie", "x-token"} <= set(came.server.requests[-1].headers)
        for request in [*host.requests, *port.requests]:
            assert not {*SECRETS, "x-token"} & set(request.headers), request


def test_a2_cookies_do_not_follow_a_redirect(tmp_path):
    with Loopback({"/b": page()}) as other:
        cookie = {"Set_Cookie": "id=7; Path=/; Domain=127.0.0.1"}
        pages = {"/out": moved(other.origin + "/b", **cookie), "/back": moved("/good?again", **cookie)}
        came = crawl_beside(pages, tmp_path / "crawl", more={"/good?again": page()})
        assert other.hits("/b") == 1
        assert told(came.server) + told(other) == []


def test_a3_cookies_are_never_sent_nor_kept(tmp_path):
    cookies = "\r\nSet-Cookie: ".join(["a=1; Domain=co.uk; Path=/", "b=2; Domain=test", "c=3", "d=4; Domain=.uk"])
    pages = {"/": page("Cookies", '<a href="/two">two</a>', Set_Cookie=cookies), "/two": page("Two")}
    with Loopback(pages) as server:
        names = ["a.co.uk", "b.co.uk", "a.test", "b.test"]
        given = {"resolve": [f"{name}=127.0.0.1" for name in names]}
        seeds = [f"http://{name}:{server.port}/" for name in names]
        crawled(server, seeds, tmp_path / "crawl", pages=4, **given)
        crawled(server, seeds, tmp_path / "crawl", **given)  # another day
        assert (server.hits("/"), server.hits("/two"), told(server)) == (4, 4, [])


# -- bombs --------------------------------------------------------------------------------------------------------


def test_a4_bombs_take_no_memory_wherever_they_are(tmp_path):
    gz, limit = gzip_bomb(200), 1_000_000
    pages = {
        "/gzip": packed(gz),
        "/deflate": packed(gz[10:], "deflate"),
        "/brotli": packed(brotli_bomb(), "br"),
        "/twice": packed(gz, "gzip, gzip"),
        "/moved": answer(gz, "302 Found", Location="/a", Content_Encoding="gzip"),
        "/missing": answer(gz, "404 Not Found", Content_Encoding="gzip"),
    }
    with Loopback({"/robots.txt": packed(gz), "/": page()}, host="127.0.0.2") as shut:
        pages["/out"] = moved(shut.origin + "/")
        summary, grown = peak_beside(pages, tmp_path / "crawl", "--max-page-bytes", limit)
        assert shut.hits("/") == 0
    assert summary["failed"] == {"too_large": 4, "http_404": 1}
    assert grown < limit + 32_000_000


# -- files, code and addresses of this machine --------------------------------------------------------------------


def test_a6_files_of_this_machine_are_not_read(tmp_path):
    canary = tmp_path / "canary.txt"
    canary.write_text("the canary sings")
    targets = [canary.as_uri(), f"file://localhost{canary}", f"FILE:{canary}", f"//{canary}", f"s3://bucket{canary}"]
    targets += [f"data:text/html,{canary}", f"jar:file://{canary}!/", f"view-source:file://{canary}"]
    targets += ["file:///etc/passwd", "file:/etc/passwd"]
    pages = {f"/m{i}": moved(target) for i, target in enumerate(targets)}
    pages |= {f"/r{i}": refreshing(target) for i, target in enumerate(targets)}
    pages["/links"] = linking(*targets)
    came = crawl_beside(pages, tmp_path / "crawl")
    write_report(came.directory)
    assert all(url.startswith(("http://", "https://")) for url in came.books.urls)
    assert b"canary sings" not in everything_in(came.directory)
    assert b"root:" not in everything_in(came.directory)


WATCHED = """
import json, sys
seen = []
RUNS = ("os.system", "os.exec", "os.posix_spawn", "os.spawn", "pickle.find_class", "shelve.open")
def watch(event, arguments):
    if event in RUNS or event in ("import", "exec", "compile") and "canary" in str(arguments):
        seen.append([event, str(arguments)[:300]])
sys.addaudithook(watch)
import honeyguide as hg
def crawl(seeds, directory, pages):
    return hg.Crawl(seeds, "keyword:bees", directory=directory, pages=pages, delay=0, allow_private=True).run()
"""


def watched(script, *arguments):
    """Run Python that crawls, and say what it printed and what of others it ran or looked up meanwhile."""
    whole = f"{WATCHED}{script}\nprint(json.dumps(seen))"
    command = [sys.executable, "-c", whole, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    *printed, seen = done.stdout.splitlines()
    return printed, json.loads(seen)


def test_a7_names_that_a_server_sends_are_not_looked_up_as_code(tmp_path):
    ran = tmp_path / "ran"
    (tmp_path / "canary.py").write_text(f"open({str(ran)!r}, 'w')\ndef run(*_, **__): ...\n")
    names = [
        "canary.run",
        "canary",
        "os.system('canary')",
        "builtins.eval",
        "__import__('canary')",
        "encodings.canary",
    ]
    headers = ["Referrer-Policy", "Content-Type", "Content-Encoding", "X-Robots-Tag", "Content-Language", "Location"]
    lines = [f"{header}: {name}" for header in headers for name in names]
    lines += [f"Content-Type: text/{kind}; charset={name}" for kind in ("html", "plain") for name in names]
    pages = {f"/{number}": with_head(line.encode()) for number, line in enumerate(lines)}
    with Loopback({"/": linking(*pages), **pages}) as server:
        script = "sys.path.append(sys.argv[3]); print(crawl([sys.argv[1]], sys.argv[2], 1000).fetched)"
        printed, seen = watched(script, server.origin + "/", tmp_path / "crawl", tmp_path)
    assert (printed, seen) == ([str(len(pages) + 1)], [])
    assert not ran.exists()


FORMS = ["127.0.0.1", "2130706433", "0x7f.1", "127.1", "0177.0.0.1", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::1]",
         "[::]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "0.0.0.0", "0", "localhost", "LOCALHOST.",
         "inner.test", "①②⑦.0.0.1", "127.0.0.1."]  # fmt: skip
ELSEWHERE = ["http://169.254.169.254/latest/", "http://[fd00:ec2::254]/", "http://10.0.0.1/", "http://[fe80::1]/"]


@contextlib.contextmanager
def inner_servers():
    """What must not be reached: on IPv4, and on IPv6 where there is any."""
    with Loopback({"/secret": page("Secret")}) as inner, contextlib.ExitStack() as stack:
        servers = [inner]
        with contextlib.suppress(OSError):
            servers.append(stack.enter_context(Loopback({"/secret": page("Secret")}, host="::1", port=inner.port)))
        yield servers


def ways(kind, targets):
    """Pages that lead to some URLs in one way."""
    if kind == "link":
        return {"/links": linking(*targets)}
    if kind == "frame":
        return {"/frames": page("Frames", "".join(f'<iframe src="{target}"></iframe>' for target in targets))}
    if kind == "refresh":
        return {f"/refresh{number}": refreshing(target) for number, target in enumerate(targets)}
    return {f"/moved{number}": moved(target.encode().decode("latin-1")) for number, target in enumerate(targets)}


@pytest.mark.parametrize("kind", ["seed", "link", "redirect", "refresh", "frame"])
def test_a8_inner_addresses_are_not_reached(kind, tmp_path):
    with inner_servers() as servers:
        targets = [f"http://{form}:{servers[0].port}/secret" for form in FORMS] + ELSEWHERE
        given = {"allow_private": False, "resolve": ["inner.test=127.0.0.1"], "timeout": 2}
        web = LiveWeb(settings(**given), ["127.0.0.2"])
        pages = {} if kind == "seed" else ways(kind, targets)
        seeds = targets if kind == "seed" else []
        came = crawl_beside(pages, tmp_path / "crawl", seeds=seeds, web=web, host="127.0.0.2", **given)
        assert [server.requests for server in servers] == [[]] * len(servers)
        assert [server.connections for server in servers] == [0] * len(servers)
    ours = {came.at(path) for path in ("/", "/good", "/fine", *pages)}
    others = {url: came.end(url) for url in came.books.urls if url not in ours}
    assert len(others) >= 10
    assert set(others.values()) <= {"private_address", "dns"}
    assert all(came.end(url) == "private_address" for url in others if "127.0.0.1" in url or "169.254" in url)


def test_a8_nor_by_a_robots_txt_that_leads_there(tmp_path):
    with inner_servers() as servers:
        web = LiveWeb(settings(allow_private=False), ["127.0.0.2", "127.0.0.3"])
        lead = moved(f"http://127.0.0.1:{servers[0].port}/secret")
        with Loopback({"/robots.txt": lead, "/": page()}, host="127.0.0.3") as other:
            pages = {"/out": moved(other.origin + "/")}
            came = crawl_beside(pages, tmp_path / "crawl", web=web, host="127.0.0.2", allow_private=False)
        assert [server.connections for server in servers] == [0] * len(servers)
    assert came.end(other.origin + "/") == "queued"


# -- state that was tampered with ---------------------------------------------------------------------------------


class Touch:
    """What a pickle of this runs when it is loaded."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.system, (f"touch {self.path}",)


def object_array(evil):
    """Saved knowledge whose array is a pickle."""
    buffer, array = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array(array, np.array([evil], dtype=object), allow_pickle=True)
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("values.json", "{}")
        file.writestr("relevant.npy", array.getvalue())
    return buffer.getvalue()


COLUMNS = [
    "knowledge.state",
    "visits.title",
    "visits.detail",
    "links.targets",
    "links.anchors",
    "urls.url",
    "warcs.name",
]
FILES = ["crawl.toml", "crawl.db", "crawl.lock", "crawl-00000.warc.gz"]


def plant(directory, place, evil):
    """Put bytes into a state file, or into a column of the database."""
    if place in FILES:
        (directory / place).write_bytes(evil)
        return
    table, _, column = place.partition(".")
    with contextlib.closing(sqlite3.connect(directory / "crawl.db")) as database:
        assert database.execute(f"UPDATE {table} SET {column} = ?", (evil,)).rowcount
        database.commit()


GOES_ON = """
for directory in sys.argv[1:]:
    try:
        crawl([], directory, 6)
        print("went on")
    except hg.HoneyguideError as error:
        print("told")
    except Exception as error:
        print("crashed with", type(error).__name__)
"""


def test_a9_a_pickle_in_the_state_of_a_crawl_is_not_loaded(tmp_path):
    ran, places = tmp_path / "ran", [*FILES, *COLUMNS, "knowledge.state"]
    with Loopback(
        {"/": linking(*(f"/{i}" for i in range(9))), **{f"/{i}": page(f"Page {i}") for i in range(9)}}
    ) as server:
        crawled(server, [server.origin + "/"], tmp_path / "crawl", pages=5)
        for number, place in enumerate(places):
            shutil.copytree(tmp_path / "crawl", tmp_path / str(number))
            evil = pickle.dumps(Touch(ran)) if number < len(places) - 1 else object_array(Touch(ran))
            plant(tmp_path / str(number), place, evil)
        said, seen = watched(GOES_ON, *(tmp_path / str(number) for number in range(len(places))))
    assert seen == []
    assert not ran.exists()
    ends = dict(zip([*places[:-1], "object array"], said, strict=True))
    assert {place: end for place, end in ends.items() if end.startswith("crashed")} == {}
    assert ends["object array"] == "told"


def imported(path):
    """The modules a source file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_a9_nothing_in_the_program_loads_pickles_or_runs_texts():
    source = Path(honeyguide.__file__).parent
    forbidden = {"pickle", "marshal", "shelve", "yaml", "dill", "joblib"}
    for path in source.rglob("*.py"):
        assert not {name.partition(".")[0] for name in imported(path)} & forbidden, path
        calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
        called = {function.id for function in calls if isinstance(function, ast.Name)}
        assert not called & {"eval", "exec", "compile", "__import__"}, path


# -- who looks at it ----------------------------------------------------------------------------------------------

EVIL = "<img src=x onerror=alert(1)>\"'></script><script>alert(2)</script><svg/onload=alert(3)>"


class Shape(HTMLParser):
    """Tags and attributes of a page, and its text."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.text = set(), set(), ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.text += data


def shape_of(came):
    return Shape(write_report(came.directory).read_text())


def test_a10_nothing_remote_becomes_markup_in_the_report(tmp_path):
    escaped = EVIL.replace("&", "&amp;").replace("<", "&lt;")
    pages = {
        "/title": page(escaped),
        "/type": answer(b"bees", type=f"text/x-{EVIL}"),
        "/?q=%3Cimg%20src=x%20onerror=alert(1)%3E": page("URL"),
        "/lang": page("Language", f'<html lang="{escaped}">'),
        "/anchor": page("Anchor", f'<a href="javascript:alert(1)">{escaped}</a>'),
        "/reason": answer(b"x", f"404 {EVIL}"),
        "/moved": moved(f"javascript:{EVIL}"),
        "/encoding": packed(b"x", EVIL),
        "/header": page("Header", X_Robots_Tag=EVIL),
    }
    came = crawl_beside(pages, tmp_path / "crawl")
    plain = crawl_beside({"/title": page("Title")}, tmp_path / "plain")
    assert shape_of(came).tags <= shape_of(plain).tags | {"br"}
    assert shape_of(came).attributes <= shape_of(plain).attributes
    assert "<img src=x onerror=alert(1)>" in shape_of(came).text


def test_a10_the_report_allows_itself_nothing(tmp_path):
    html = write_report(crawl_beside({}, tmp_path / "crawl").directory).read_text()
    (policy,) = re.findall(r'Content-Security-Policy content="([^"]*)"', html)
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert not re.search(r"<script|javascript:|\son\w+=", html)


# -- the archive --------------------------------------------------------------------------------------------------

INJECTED = "WARC-Type: resource\r\nWARC-Target-URI: http://evil.test/"
ABOUT = ["WARC-Type", "WARC-Record-ID", "WARC-Target-URI", "WARC-Date", "WARC-IP-Address"]
FIELDS = {
    "response": [*ABOUT, "WARC-Payload-Digest", "Content-Type", "WARC-Block-Digest", "Content-Length"],
    "request": [*ABOUT, "WARC-Concurrent-To", "Content-Type", "WARC-Block-Digest", "Content-Length"],
}


def test_a13_line_breaks_from_a_server_make_no_fields(tmp_path):
    crlf = INJECTED.encode()
    pages = {
        "/cr": with_head(b"Content-Type: text/html\r" + crlf.replace(b"\r\n", b"\r")),
        "/lf": with_head(b"Content-Type: text/html\n" + crlf.replace(b"\r\n", b"\n")),
        "/folded": with_head(b"X-Folded: a\r\n " + crlf.replace(b"\r\n", b"\r\n ")),
        "/reason": with_head(b"X: y", b"200 OK\r" + crlf.replace(b"\r\n", b"\r")),
        "/title": page(INJECTED.replace("\r\n", "&#13;&#10;")),
        "/a%0d%0aWARC-Type:%20resource": page("URL"),
        "/moved": moved("/b%0d%0aX:%20y\x85\x0b"),
        "/nul": with_head(b"X-Nul: a\0b"),
        "/type": answer(b"bees", type="text/html; charset=utf-8\x0b\x0c\x1c\x85"),
        "/record": answer(b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n"),
    }
    came = crawl_beside(pages, tmp_path / "crawl")  # which reads the archive strictly
    records = archived(came.directory)
    for record in records:
        assert list(record.fields) == FIELDS.get(record.type, list(record.fields))
    assert {record.url for record in records if record.type == "response"} <= set(came.books.urls)
    assert not any("evil.test" in value for record in records for value in record.fields.values())


def test_a14_names_of_files_do_not_come_from_the_web(tmp_path):
    paths = ["/../../../escape", "/%2e%2e/%2e%2e/escape", "/..%2f..%2fescape", "/a%00b", "/CON", "/" + "x" * 300]
    paths += ["/.htaccess", "/-rf", "/~", "/$(touch%20escape)", "/%7Ctouch%20escape", "/C:/escape", "/nul.warc.gz"]
    hosts = ["con", "a" * 63 + ".test", "-rf.test", "..test", "crawl.db", "%2e%2e.test", "xn--nxasmq6b.test"]
    disposition = {"Content_Disposition": 'attachment; filename="../../escape"'}
    home = tmp_path / "home"
    home.mkdir()
    with Loopback({}) as server:
        links = [*paths, *(f"http://{host}:{server.port}/" for host in hosts)]
        server.pages |= {path: page(path[:20], **disposition) for path in paths}
        server.pages["/"] = linking(*links)
        pinned = [f"{host}=127.0.0.1" for host in hosts]
        came = crawled(server, [server.origin + "/"], home / "crawl", resolve=pinned)
        write_report(came.directory)
    assert came.summary.done > len(paths) / 2
    made = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")}
    expected = r"home(/crawl(/crawl\.(toml|db|db-wal|db-shm|lock)|/crawl-\d{5}\.warc\.gz|/report\.html)?)?"
    assert [name for name in made if not re.fullmatch(expected, name)] == []


# -- much of everything -------------------------------------------------------------------------------------------


def test_a15_a_million_small_chunks_take_no_memory(tmp_path):
    chunks = CHUNKED + b"1\r\nx\r\n" * 1_000_000 + b"0\r\n\r\n"
    summary, grown = peak_beside({"/chunks": chunks}, tmp_path / "crawl")
    assert summary["done"] == 4
    assert grown < 32_000_000


def test_a15_trailers_have_an_end(tmp_path):
    many = CHUNKED + b"4\r\nbees\r\n0\r\n" + b"X-More: and more\r\n" * 100_000 + b"\r\n"
    endless = endless_trailers()
    options = ("--timeout", 3, "--retries", 0)
    summary, grown = peak_beside({"/many": many, "/endless": endless}, tmp_path / "crawl", *options)
    assert sum(summary["failed"].values()) >= 1
    assert endless.hung_up
    assert grown < 32_000_000


def test_a15_many_hosts_with_long_robots_txt_take_no_memory(tmp_path):
    names = [f"host{number}.test" for number in range(100)]
    pinned = [option for name in names for option in ("--resolve", f"{name}=127.0.0.1")]
    long = robots("User-agent: *\nDisallow: /closed\n" + ("Disallow: /" + "x" * 2000 + "\n") * 240)
    with Loopback({"/robots.txt": long, "/": page()}) as server:
        seeds = [f"http://{name}:{server.port}/" for name in names]
        summary, peak = peak_of(*crawl_options(server, tmp_path / "crawl", *pinned, seeds=seeds))
    assert summary["done"] == 100
    assert peak - peak_of_good_pages() < 32_000_000


# -- words on the screen ------------------------------------------------------------------------------------------

ESCAPES = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202e\u2028"
CONTROL = re.compile(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]")


def test_a16_nothing_remote_reaches_the_terminal_unescaped(tmp_path):
    title = "".join(f"&#{ord(c)};" for c in ESCAPES)
    pages = {
        "/title": page(title),
        "/%1B[2J": page("URL"),
        "/reason": with_head(b"X: y", b"404 \x1b[2J"),
        "/moved": moved("javascript:\x1b[2J"),
        "/type": answer(b"x", type="text/\x1b[2J"),
        "/encoding": packed(b"x", "\x1b[2J"),
    }
    with Loopback({**pages, "/": linking(*pages)}) as server:
        done = run(*crawl_options(server, tmp_path / "crawl", "--visits", tmp_path / "visits"))
        said = [line for path in pages for line in explain_url(tmp_path / "crawl", server.origin + path)]
    shown = [done.stdout, done.stderr, (tmp_path / "visits").read_bytes(), "\n".join(said).encode()]
    assert [found for text in shown if (found := CONTROL.findall(text))] == []


def test_a16_nor_does_what_keeps_a_crawl_from_starting(tmp_path):
    with Loopback({"/robots.txt": moved("http://a.invalid/\x1b[2J?\x9b"), "/": page()}) as shut:
        done = run(*crawl_options(shut, tmp_path / "crawl", "--json"), code=1)
    refused = run(*crawl_options(None, tmp_path / "bad", seeds=["http://\x1b[2J/\x9b"]), code=1)
    for text in (done.stdout, done.stderr, refused.stdout, refused.stderr):
        assert not CONTROL.search(text)


def test_a17_passwords_in_seeds_are_kept_nowhere(tmp_path):
    with Loopback({"/": linking("/a"), "/a": page()}) as server:
        seed = server.origin.replace("://", "://bee:Secret-Honey@") + "/"
        done = run(*crawl_options(server, tmp_path / "crawl", seeds=[seed]))
        assert (server.hits("/"), told(server)) == (1, [])
    said = "".join(explain_url(tmp_path / "crawl", seed)).encode()
    write_report(tmp_path / "crawl")
    assert b"Secret-Honey" not in everything_in(tmp_path / "crawl") + done.stdout + done.stderr + said
    assert b"/a" in everything_in(tmp_path / "crawl")


# -- patterns -----------------------------------------------------------------------------------------------------


STARS, LONG = "*a" * 100 + "*b", "/" + "a" * 2000


def test_a18_patterns_that_make_matchers_slow(tmp_path):
    pages = {"/robots.txt": robots(f"User-agent: *\nDisallow: /{STARS}$\n"), LONG: page("Long")}
    rules = {"deny": [f"*/{STARS}", f"{STARS}/x"], "allow": ["*a*a*a*a*c", "127.0.0.1"]}
    assert crawl_beside(pages, tmp_path / "crawl", **rules).end(LONG) == "done"


def test_a18_a_robots_txt_full_of_them_holds_nobody_up(tmp_path):
    rules = robots("User-agent: *\n" + f"Disallow: /{STARS}$\n" * 100)
    pages = {f"{LONG}{number}": page(f"Long {number}") for number in range(3)}
    with Loopback({"/robots.txt": rules, **pages}, host="127.0.0.2") as other:
        links = linking(*(other.origin + path for path in pages))
        came = crawl_beside({"/links": links}, tmp_path / "crawl", timeout=1)
    assert all(came.end(other.origin + path) in ("done", "robots") for path in pages)


def test_a19_slow_parts_of_the_standard_library_are_not_used_on_what_comes_from_the_web():
    source = Path(honeyguide.__file__).parent
    forbidden = {"html.parser", "http.client", "urllib.request", "xml.etree.ElementTree", "xml.sax", "xml.dom", "cgi"}
    for path in source.rglob("*.py"):
        assert not set(imported(path)) & forbidden, path


def test_a19_a_length_that_is_a_lie_takes_no_memory(tmp_path):
    huge = sends(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\nbees")
    summary, grown = peak_beside({"/huge": huge}, tmp_path / "crawl", "--retries", 0)
    assert summary["failed"] in ({"incomplete": 1}, {"too_large": 1})
    assert grown < 32_000_000

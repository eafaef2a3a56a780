"""A real Crawlee crawler on loopback, with the request manager and without it."""

import json
import subprocess
import sys
from pathlib import Path

from loopback import Loopback, answer
from searched import Searched

SCRIPT = Path(__file__).parent.parent / "crawlee_run.py"


def shelves(count, pages):
    """A start page, shelves of pages beside each other, and one of them about bees."""

    def links(*paths):
        return "".join(f'<a href="{path}">{path.strip("/")}</a> ' for path in paths).encode()

    web = {"/": answer(b"<title>All</title>" + links(*(f"/shelf-{i}/0" for i in range(count))))}
    for i in range(count):
        text = b"<p>All about bees and their honey.</p>" if i == count - 1 else b"<p>Nothing of the kind.</p>"
        for j in range(pages):
            following = [f"/shelf-{i}/{k}" for k in (2 * j + 1, 2 * j + 2) if k < pages]
            web[f"/shelf-{i}/{j}"] = answer(b"<title>Page</title>%d %d" % (i, j) + text + links(*following))
    return web


def run(tmp_path, start, pages, whose, **given):
    command = [sys.executable, SCRIPT, start, str(pages), whose, json.dumps(given)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_harvests_at_least_twice_as_much(tmp_path):
    with Loopback(shelves(12, 30)) as server:
        ours, theirs = (run(tmp_path, server.origin + "/", 40, whose) for whose in ("ours", "theirs"))
    good, usual = (sum("shelf-11" in url for url in found["visited"]) for found in (ours, theirs))
    assert good >= 2 * max(1, usual)
    assert ours["figures"]["relevant"] == good


def test_every_request_is_handled_as_without_it(tmp_path):
    web = {
        **shelves(3, 5),
        "/shelf-0/3": answer(b"", "301 Moved", Location="/shelf-1/1?moved"),
        "/shelf-1/1?moved": answer(b"<title>Moved</title>bees"),
        "/shelf-0/4": answer(b"", "500 Broken"),
        "/shelf-1/4": answer(b"", "404 Not Found"),
    }
    found = []
    for whose in ("ours", "theirs"):
        with Loopback(web) as server:
            came = run(tmp_path, server.origin + "/", 0, whose)
            paths = sorted(server.paths)
        shown = {
            name: sorted(url.removeprefix(server.origin) for url in came[name]) for name in ("visited", "failed")
        }
        found.append((shown, paths))
    assert found[0] == found[1]
    assert found[0][0]["failed"] == ["/shelf-0/4", "/shelf-1/4"]
    assert len(found[0][0]["visited"]) == 14


def test_what_a_search_finds_is_requested_too(tmp_path):
    island = answer(b"<title>Island</title>bees and bees")
    with Loopback(Searched({**shelves(3, 5), "/island": island}, ["/island"])) as server:
        search = {"strategy": "honeyguide:searches=2", "search": f"searxng:{server.origin}/"}
        came = run(tmp_path, server.origin + "/", 0, "ours", **search)
    assert came["visited"].count(server.origin + "/island") == 1
    assert came["figures"]["searches"] >= 1
    assert len(came["visited"]) == 17

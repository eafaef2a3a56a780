"""`honeyguide crawl DIR --again` on a real server, and when it is refused."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import honeyguide as hg
from changing import AFTER, BEFORE, html, rows
from honeyguide.cli.app import app
from honeyguide.store import Store
from killing import run_until_killed
from loopback import Loopback, answer
from small_webs import page, stored

HONEYGUIDE = [sys.executable, "-m", "honeyguide"]


def run(*arguments, code=0):
    done = subprocess.run([*HONEYGUIDE, *map(str, arguments)], capture_output=True, text=True, timeout=100)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def start(server, directory):
    given = {"delay": 0, "allow_private": True, "workers": 0}
    hg.Crawl([server.origin + "/"], "keyword:bees", directory=directory, **given).run()


def refusal(*arguments):
    """What is said when a command is refused."""
    error = CliRunner().invoke(app, ["crawl", *map(str, arguments)]).exception
    assert isinstance(error, hg.HoneyguideError | SystemExit)
    return str(error)


def test_a_crawl_again_and_again(tmp_path):
    directory = tmp_path / "crawl"
    with Loopback(dict(BEFORE)) as server:
        start(server, directory)
        server.pages.update(AFTER)
        told = run("crawl", directory, "--again")
        changes = {path: change for path, (change,) in rows(directory, server, "change").items()}
        assert (changes["/etag"], changes["/turns"], changes["/goes"], changes["/fresh"]) == (
            "same", "changed", "gone", "new",
        )  # fmt: skip
        assert "Since the crawl before: " in told.stdout
        assert "1 gone" in told.stdout
        once_more = json.loads(run("crawl", directory, "--again", "--json").stdout)
        assert once_more["fetched"] == 10
        assert not {"new", "gone"} & set(once_more["changes"])
        assert server.hits("/fresh") == 2
    assert "Since the crawl before" in hg.write_report(directory).read_text()


def test_a_round_that_was_killed_goes_on(tmp_path):
    directory, count = tmp_path / "crawl", 25
    pages = {f"/{n}": answer(html(str(n)), ETag=f'"{n}"') for n in range(count)}
    with Loopback({"/": answer(html("start", *pages)), **pages}) as server:
        start(server, directory)
        with Store.open(directory) as store:  # so that visits are counted from none
            store.begin_again()
        assert run_until_killed([*HONEYGUIDE, "crawl", str(directory), "--delay", "0.02"], directory, 10)
        server.pages["/24"] = server.pages["/23"] = answer(b"gone", "404 Not Found")
        found = json.loads(run("crawl", directory, "--delay", 0, "--json").stdout)
    assert found["fetched"] == count + 1
    assert sum(found["changes"].values()) == count + 1
    assert found["changes"]["gone"] == 2
    assert "new" not in found["changes"]
    assert found["robots_requests"] == server.hits("/robots.txt") - 1 == 2  # of the killed run, and of the last


def test_it_needs_the_directory_of_a_crawl(tmp_path):
    said = "--again needs the directory of a crawl: honeyguide crawl DIR --again"
    (tmp_path / "empty").mkdir()
    assert refusal("--again") == refusal(tmp_path / "nowhere", "--again") == said
    assert f"honeyguide: {said}\n" in run("crawl", tmp_path / "empty", "--again", code=1).stderr
    assert list((tmp_path / "empty").iterdir()) == []


def test_a_stored_web_does_not_change(tmp_path):
    stored(tmp_path / "web", page("http://a.test/", text="bees"))
    web = hg.open_web(tmp_path / "web")
    hg.Crawl(["http://a.test/"], "keyword:bees", web=web, directory=tmp_path / "crawl").run()
    assert "is not a live crawl: what is stored does not change" in refusal(tmp_path / "crawl", "--again")
    assert "is a stored web, not a crawl" in refusal(tmp_path / "web", "--again")
    with Store.open(tmp_path / "crawl") as store:
        assert store.rounds == 0


def test_a_crawl_that_has_fetched_nothing_is_gone_on_with_first(tmp_path):
    with Loopback({"/": answer(html("start"))}) as server:
        start(server, tmp_path / "crawl")
    with Store.open(tmp_path / "crawl") as store:
        store.begin_again()
    assert "has fetched nothing yet; go on with it first" in refusal(tmp_path / "crawl", "--again")


@pytest.mark.parametrize("wrong", [("--strategy", "nonsense"), ("--topic", "keyword:"), ("--header", "nonsense")])
def test_a_command_that_is_refused_leaves_the_crawl_as_it_was(wrong, tmp_path):
    with Loopback({"/": answer(html("start"))}) as server:
        start(server, tmp_path / "crawl")
    assert refusal(tmp_path / "crawl", "--again", *wrong)
    with Store.open(tmp_path / "crawl") as store:
        assert (store.rounds, store.visits_made) == (0, 1)

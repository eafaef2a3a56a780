"""The dashboard on the command line: beside a crawl, of a directory, and of a crawl that another process makes."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import honeyguide as hg
import shown
from honeyguide import urls
from honeyguide.dashboard import read_note
from honeyguide.store import Store, read_settings
from honeyguide.synthetic import generate
from read_only import run_read_only
from served import resolve_options, served
from shown import ADDRESS, HONEYGUIDE, Running, ask, shown_only
from small_webs import topical_web


@pytest.fixture(scope="module")
def server():
    with served(generate(pages=600, hosts=20, topics=4)) as running:
        yield running


def asking(server, directory, *more):
    world = server.world
    seeds = [option for seed in world.portal_seeds(2) for option in ("--seed", seed)]
    return [
        "crawl", "--topic", world.query("beekeeping"), *seeds, "-o", str(directory), "--delay", "0.2",
        "--ip-delay", "0", "--allow-private", *resolve_options(world), *more,
    ]  # fmt: skip


def test_a_crawl_with_a_dashboard_is_found_steered_and_stopped(server, tmp_path):
    directory = tmp_path / "crawl"
    running = Running(asking(server, directory, "--dashboard", "--log", tmp_path / "log", "--json"), tmp_path / "err")
    port, token = running.told(ADDRESS).groups()
    for _ in range(600):
        if read_note(directory):
            break
        time.sleep(0.05)
    again = subprocess.run(
        [*HONEYGUIDE, "dashboard", directory], capture_output=True, text=True, timeout=60, check=True
    )
    assert again.stdout == f"Dashboard: http://127.0.0.1:{port}/#token={token}\n"
    assert ask(port, "wrong", "/metrics")[0] == 401
    assert 'honeyguide_phase{phase="running"} 1' in ask(port, token, "/metrics")[1]
    assert ask(port, token, "/api/pause")[0] == 200
    assert 'honeyguide_phase{phase="paused"} 1' in ask(port, token, "/metrics")[1]
    assert ask(port, token, "/api/stop")[0] == 200
    out, code = running.end(None)
    assert code == 0
    assert json.loads(out)["stopped"] == "dashboard"
    assert not (directory / "dashboard.json").exists()
    assert token not in (tmp_path / "log").read_text()
    assert token not in (directory / "crawl.toml").read_text()
    events = [json.loads(line)["event"] for line in (tmp_path / "log").read_text().splitlines()]
    assert {"begun", "visit", "paused", "ended"} <= set(events)


def test_a_directory_at_rest_is_shown_and_gone_on_with(server, tmp_path):
    directory = tmp_path / "crawl"
    subprocess.run(
        [*HONEYGUIDE, *asking(server, directory, "--pages", "20")], capture_output=True, check=True, timeout=60
    )
    running = Running(["dashboard", directory], tmp_path / "err")
    port, token = running.told(ADDRESS).groups()
    assert "honeyguide_pages_fetched_total 20\n" in ask(port, token, "/metrics")[1]
    assert ask(port, token, "/api/go_on", pages=15)[0] == 200
    for _ in range(300):
        metrics = ask(port, token, "/metrics")[1]
        if "honeyguide_pages_fetched_total 35\n" in metrics and 'phase="resting"} 1' in metrics:
            break
        time.sleep(0.1)
    else:
        raise AssertionError(metrics)
    assert read_settings(directory).pages == 35
    assert running.end()[1] == 0
    assert not (directory / "dashboard.json").exists()


def test_a_crawl_of_another_process_without_a_dashboard_is_followed(server, tmp_path):
    directory = tmp_path / "crawl"
    crawling = Running(asking(server, directory), tmp_path / "err")
    crawling.told(r"pages")  # the first line of progress: it runs
    following = Running(["dashboard", directory], tmp_path / "err2")
    port, token = following.told(ADDRESS).groups()
    assert "honeyguide_visits_total" in ask(port, token, "/metrics")[1]
    status, text = ask(port, token, "/api/pause")
    assert status == 409
    assert f"honeyguide crawl {directory} --dashboard" in text
    refused = [*HONEYGUIDE, "dashboard", directory, "--log", tmp_path / "log"]
    done = subprocess.run(refused, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "give --log to that one" in done.stderr) == (1, True)
    assert following.end(signal.SIGINT)[1] == 0
    assert crawling.process.poll() is None
    crawling.end()


def test_a_port_that_is_taken_and_a_directory_without_a_crawl_are_told(server, tmp_path):
    done = subprocess.run(
        [*HONEYGUIDE, "dashboard", tmp_path], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, "is not a crawl directory" in done.stderr) == (1, True)
    taken = asking(server, tmp_path / "crawl", "--dashboard-port", server.port)
    done = subprocess.run([*HONEYGUIDE, *map(str, taken)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert f"cannot listen on port {server.port}" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "crawl" / "crawl.db").exists()


def test_a_token_outlasts_the_run_and_the_dashboard_of_a_directory_writes_a_log(server, tmp_path):
    directory, log = tmp_path / "crawl", tmp_path / "log"
    running = Running(asking(server, directory, "--dashboard-token", tmp_path / "token"), tmp_path / "err")
    token = running.told(ADDRESS)[2]
    running.told(r"pages")
    running.end()
    assert (tmp_path / "token").read_text() == token
    again = Running(["dashboard", directory, "--log", log], tmp_path / "err2")
    port, same = again.told(ADDRESS).groups()
    assert same == token
    assert "honeyguide_visits_total" in ask(port, token, "/metrics")[1]
    assert ask(port, token, "/api/block", host=some_host(directory))[0] == 200
    again.end()
    assert [json.loads(line)["event"] for line in log.read_text().splitlines()] == ["block"]


def some_host(directory):
    """A host the crawl knows."""
    with Store.open(directory, write=False) as store:
        return urls.host(next(store.urls())[1])


def test_a_crawl_on_a_web_made_in_python_is_shown(tmp_path):
    directory = tmp_path / "crawl"
    hg.Crawl(["http://h0.test/1"], "label:bees", web=topical_web(), pages=40, directory=directory).run()
    told = shown_only(["dashboard", directory], tmp_path / "err")
    assert "honeyguide_visits_total 40\n" in told.metrics
    assert 'honeyguide_phase{phase="ended"} 1' in told.metrics
    assert (told.status, "made in Python: it is shown" in told.refusal) == (409, True)
    assert "after 40 visits, read from the directory" in told.seen  # its queue
    refused = [*HONEYGUIDE, "dashboard", directory, "--log", tmp_path / "log"]
    done = subprocess.run(refused, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "nothing will happen here that --log could tell" in done.stderr) == (1, True)


def test_a_directory_that_cannot_be_written_to_is_shown(server, tmp_path):
    directory = tmp_path / "crawl"
    subprocess.run(
        [*HONEYGUIDE, *asking(server, directory, "--pages", "10")], capture_output=True, check=True, timeout=60
    )
    before = sorted(path.name for path in directory.iterdir())
    done = run_read_only(directory, sys.executable, Path(shown.__file__), tmp_path / "err", "dashboard", directory)
    told = shown.Told(**json.loads(done.stdout))
    assert "honeyguide_visits_total 10\n" in told.metrics
    assert (told.status, "this directory cannot be written to: the crawl is shown" in told.refusal) == (409, True)
    assert "after 10 visits, read from the directory" in told.seen
    assert sorted(path.name for path in directory.iterdir()) == before

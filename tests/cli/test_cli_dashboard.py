"""The dashboard on the command line: beside a crawl, of a directory, and of a crawl that another process makes."""

import json
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

from honeyguide import urls
from honeyguide.dashboard import read_note
from honeyguide.store import Store, read_settings
from honeyguide.synthetic import generate
from served import resolve_options, served

HONEYGUIDE = [sys.executable, "-m", "honeyguide"]


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


class Running:
    """A command that runs beside the test."""

    def __init__(self, arguments, errors):
        self._errors = errors
        self._file = errors.open("w")
        self.process = subprocess.Popen(
            [*HONEYGUIDE, *map(str, arguments)], stdout=subprocess.PIPE, stderr=self._file, text=True
        )

    def told(self, pattern):
        """Wait until it has said something on its standard error."""
        for _ in range(600):
            if found := re.search(pattern, self._errors.read_text()):
                return found
            assert self.process.poll() is None, self._errors.read_text()
            time.sleep(0.05)
        raise AssertionError(self._errors.read_text())

    def end(self, signal_=signal.SIGTERM):
        """Tell it to end, or wait until it does; what it wrote and its code."""
        if signal_:
            self.process.send_signal(signal_)
        out = self.process.communicate(timeout=60)[0]
        self._file.close()
        assert "Traceback" not in self._errors.read_text()
        return out, self.process.returncode


def ask(port, token, path, **given):
    """What the dashboard answers: status and text."""
    origin = f"http://127.0.0.1:{port}"
    headers = {"Authorization": f"Bearer {token}", "Origin": origin, "Content-Type": "application/json"}
    data = json.dumps(given).encode() if path.startswith("/api/") else None
    try:
        with urllib.request.urlopen(urllib.request.Request(origin + path, data, headers), timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


ADDRESS = r"Dashboard: http://127\.0\.0\.1:(\d+)/#token=([\w-]+)\n"


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

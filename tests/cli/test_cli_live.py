"""The command line on a real server: crawl, stop, resume, kill, report and explain."""

import json
import signal
import subprocess
import sys
import time

import pytest

from honeyguide.store import Store
from honeyguide.synthetic import generate
from killing import committed, run_until_killed
from loopback import Loopback, answer
from served import resolve_options, served
from shown import Running

HONEYGUIDE = [sys.executable, "-m", "honeyguide"]


def run(*arguments, code=0):
    done = subprocess.run([*HONEYGUIDE, *map(str, arguments)], capture_output=True, text=True, timeout=100)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture(scope="module")
def server():
    with served(generate(pages=600, hosts=20, topics=4)) as running:
        yield running


def asking(server, directory, *more, topic="beekeeping", delay="0"):
    world = server.world
    seeds = [option for seed in world.portal_seeds(2) for option in ("--seed", seed)]
    return [
        "crawl", "--topic", world.query(topic), *seeds, "-o", directory, "--delay", delay, "--allow-private",
        *resolve_options(world), *more,
    ]  # fmt: skip


# An exhaustive crawl must not follow the calendar, which has no end.
NO_TRAP = ("--deny", "*/calendar*", "--pages", "5000")


def pages_of(directory):
    with Store.open(directory, write=False) as store:
        return {v.url for v in store.visits() if not v.error}


@pytest.fixture(scope="module")
def everything(server, tmp_path_factory):
    directory = tmp_path_factory.mktemp("whole") / "crawl"
    found = json.loads(run(*asking(server, directory, *NO_TRAP, "--json")).stdout)
    assert found["stopped"] == "nothing_left"
    return directory, found


def test_an_exhaustive_crawl_finds_every_page_and_only_what_is_there(server, everything):
    directory, found = everything
    world = server.world
    shut_host, shut_path = world.closed_section
    reachable = pages_of(directory)
    assert all(world.html(url) is not None for url in reachable)
    assert not any(f"//{shut_host}:" in url and shut_path in url for url in reachable)
    assert found["relevant"] == sum(world.topic_of(url) == "beekeeping" for url in reachable)
    assert (
        found["discovered"]
        == found["done"] + sum(found["failed"].values()) + sum(found["excluded"].values()) + found["queued"]
    )
    assert found["fetched"] == found["done"] + sum(found["failed"].values())
    assert found["failed"].keys() == {"http_404"}
    assert found["redirects"] > 0
    assert found["robots_requests"] == len({url.split("/")[2] for url in reachable})


def test_a_killed_crawl_resumes_to_the_same_pages(server, everything, tmp_path):
    directory = tmp_path / "crawl"
    before = server.requests.copy()
    command = [*HONEYGUIDE, *map(str, asking(server, directory, *NO_TRAP))]
    kills = sum(run_until_killed(command, directory, least) for least in (40, 120, 250))
    assert kills >= 2
    run(*asking(server, directory, *NO_TRAP))
    assert pages_of(directory) == pages_of(everything[0])
    asked = server.requests - before
    repeats = sum(n - 1 for url, n in asked.items() if not url.endswith("robots.txt"))
    assert repeats <= kills * 16
    with Store.open(directory) as store:
        assert store.archive.repaired == 0
        places = [(v.warc, v.offset) for v in store.visits() if v.flag != "copy"]
        assert len(set(places)) == len(places)


def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(server, tmp_path):
    directory = tmp_path / "crawl"
    process = subprocess.Popen(
        [*HONEYGUIDE, *map(str, asking(server, directory, "--pages", "5000", delay="0.05"))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while committed(directory) < 10:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Stopping" in err
    assert f"Go on with: honeyguide crawl {directory}" in out
    assert "Traceback" not in err
    fetched = committed(directory)
    again = json.loads(run("crawl", directory, "--pages", fetched + 20, "--delay", 0, "--json").stdout)
    assert again["fetched"] == fetched + 20


@pytest.mark.parametrize("signal_", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_drains_and_exits_well(server, tmp_path, signal_):
    directory = tmp_path / "crawl"
    process = subprocess.Popen(
        [*HONEYGUIDE, *map(str, asking(server, directory, "--pages", "5000", delay="0.05"))],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while committed(directory) < 5:
        time.sleep(0.01)
    process.send_signal(signal_)
    assert process.wait(timeout=30) == 0


def test_a_wait_is_told_while_nothing_comes(tmp_path):
    pages = {"/": answer(b'<title>Bees</title><p>bees <a href="/b">b</a>', Connection="close")}
    with Loopback({**pages, "/b": answer(b"", "503 Slowly", Retry_After="3600")}) as server:
        seed = ["--seed", server.origin + "/", "--allow-private", "--delay", "0.1", "-o", str(tmp_path / "crawl")]
        running = Running(["crawl", "--topic", "keyword:bees", *seed], tmp_path / "told")
        assert "queue 1" in running.told(r"all hosts rest, the next for (?:60 min|1 h)").string
        assert running.end(signal.SIGTERM)[1] == 0


def test_a_crawl_is_not_gone_on_with_without_the_secrets_it_had(server, tmp_path):
    directory, header = tmp_path / "crawl", "X-Secret: s3"
    run(*asking(server, directory, "--pages", "5", "--header", header))
    assert "s3" not in (directory / "crawl.toml").read_text()
    for arguments in (("crawl", directory), asking(server, directory)):
        refused = run(*arguments, "--pages", "8", code=1)
        assert (
            "was crawled with --header, which may be a secret and is not kept there: say it again" in refused.stderr
        )
    assert committed(directory) == 5
    run("crawl", directory, "--pages", "8", "--header", header)
    run("crawl", directory, "--pages", "10", "--header", "")
    run("crawl", directory, "--pages", "12")  # nothing is withheld any more
    assert committed(directory) == 12


def test_visits_are_written_in_order(server, tmp_path):
    visits = tmp_path / "visits.txt"
    run(*asking(server, tmp_path / "crawl", "--pages", "30", "--visits", visits))
    with Store.open(tmp_path / "crawl") as store:
        assert visits.read_text().split() == [v.url for v in store.visits()]


def test_the_same_command_goes_on_and_another_topic_is_refused(server, tmp_path):
    directory = tmp_path / "crawl"
    run(*asking(server, directory, "--pages", "20"))
    done = json.loads(run(*asking(server, directory, "--pages", "30", "--json")).stdout)
    assert done["fetched"] == 30
    refused = run(*asking(server, directory, "--pages", "40", topic="astronomy"), code=1)
    assert "belongs to another crawl" in refused.stderr


def test_fewer_pages_than_there_are_already_are_said_to_be_there(server, tmp_path):
    run(*asking(server, tmp_path / "crawl", "--pages", "20"))
    said = run("crawl", tmp_path / "crawl", "--pages", "5").stdout
    assert "It had 20 pages already: --pages 5 counts those of all runs." in said
    assert "already" not in run("crawl", tmp_path / "crawl", "--pages", "21").stdout


def test_a_new_topic_on_a_directory_judges_its_pages_anew(server, tmp_path):
    directory = tmp_path / "crawl"
    run(*asking(server, directory, "--pages", "60"))
    query = server.world.query("astronomy")
    done = run("crawl", directory, "--topic", query, "--pages", "60", "--json")
    assert "Judged" in done.stderr
    pages = pages_of(directory)
    assert json.loads(done.stdout)["relevant"] == sum(server.world.topic_of(url) == "astronomy" for url in pages)


def test_a_crawl_can_be_simulated_on_reported_on_and_explained(everything, tmp_path):
    directory, found = everything
    simulated = run("simulate", directory, "--topic", "keyword:all(hive, nectar)", "--pages", 5000, "--json")
    answer = json.loads(simulated.stdout)
    assert answer["relevant"] <= found["relevant"]
    assert answer["fetched"] > 100
    run("report", directory, "-o", tmp_path / "report.html")
    html = (tmp_path / "report.html").read_text()
    assert f"<b>{found['discovered']:,}</b>" in html
    url = sorted(pages_of(directory))[0]
    said = run("explain", directory, url).stdout
    assert url in said
    assert "fetched parents relevant" in said
    assert "  by the topic: " in said


def test_a_crawl_directory_trains_a_classifier(everything, tmp_path):
    directory, _ = everything
    model = tmp_path / "model.hg"
    said = run("train", directory, directory, "-o", model).stdout
    assert f"classifier:{model}" in said
    answer = json.loads(run("simulate", directory, "--topic", f"classifier:{model}", "--pages", 50, "--json").stdout)
    assert answer["relevant"] > 5


def test_private_addresses_are_refused_unless_allowed(server, tmp_path):
    before = sum(server.requests.values())
    arguments = [a for a in asking(server, tmp_path / "crawl") if a != "--allow-private"]
    refused = run(*arguments, code=1)
    assert "private_address" in refused.stderr
    assert sum(server.requests.values()) == before


def test_an_unreachable_seed_is_told(tmp_path):
    done = run("crawl", "--topic", "keyword:x", "--seed", "http://127.0.0.1:9/", "-o", tmp_path / "c",
               "--allow-private", "--delay", 0, code=1)  # fmt: skip
    assert "no page could be fetched: http://127.0.0.1:9/robots.txt: unreachable" in done.stderr


def test_a_directory_with_settings_written_by_hand_is_begun_however_its_seeds_are_written(tmp_path):
    with Loopback({"/": answer(b"<p>bees")}) as site:
        seeds = [site.origin.replace("http", "HTTP"), f"{site.origin}/#top"]
        asked = f"topic = 'keyword:bees'\nseed = {seeds}\nallow_private = true"
        (tmp_path / "crawl.toml").write_text(f"[crawl]\n{asked}\n")
        assert json.loads(run("crawl", tmp_path, "--json").stdout)["relevant"] == 1

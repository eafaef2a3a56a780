"""Real spiders on loopback, with the scheduler and without it: more harvest, and nothing else changed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from honeyguide.cli.explaining import explain_url
from honeyguide.store import Store
from honeyguide.synthetic import generate
from loopback import Loopback, answer, hang_up
from searched import Searched
from served import served

ROOT = Path(__file__).parent.parent.parent
OURS = {"SCHEDULER": "honeyguide.contrib.scrapy.Scheduler", "HONEYGUIDE_TOPIC": "keyword:bees"}


class Run:
    """One process with one spider, which leaves items and stats in a folder of its own."""

    def __init__(self, folder, spider, start, hosts=(), **settings):
        folder.mkdir(exist_ok=True)
        self._items, self._stats = folder / "items.jsonl", folder / "stats.json"
        run = {
            "spider": spider,
            "arguments": {"start": start},
            "settings": settings,
            "hosts": list(hosts),
            "items": str(self._items),
            "stats": str(self._stats),
        }
        command = [sys.executable, "-m", "benchmarks.scrapy_run", json.dumps(run)]
        paths = filter(None, [str(ROOT), str(ROOT / "tests"), os.environ.get("PYTHONPATH")])
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.said = ""

    def wait(self):
        self.said, _ = self.process.communicate(timeout=200)
        return self

    @property
    def items(self):
        return [json.loads(line) for line in self._items.read_text().splitlines()]

    @property
    def stats(self):
        return json.loads(self._stats.read_text())


def test_the_scheduler_harvests_at_least_twice_as_much(tmp_path):
    world, topic, pages = generate(seed=1), "heat pumps", 150
    ours = {**OURS, "HONEYGUIDE_TOPIC": world.query(topic)}
    with served(world) as server:
        start, hosts = " ".join(server.world.portal_seeds(5)), server.world.hosts
        runs = [
            Run(tmp_path / name, "spiders.Follow", start, hosts, CLOSESPIDER_PAGECOUNT=pages, **settings)
            for name, settings in {"with": ours, "without": {}}.items()
        ]
        runs = [run.wait() for run in runs]
        found = [{item["url"] for item in run.items if server.world.topic_of(item["url"]) == topic} for run in runs]
    assert [run.said for run in runs] == ["", ""]
    answers = [run.stats["response_received_count"] for run in runs]
    assert min(answers) >= pages  # and those under way when the spider was closed
    assert len(found[0]) / answers[0] >= 2 * max(1, len(found[1])) / answers[1]
    stats = runs[0].stats
    assert stats["honeyguide/relevant"] >= 0.8 * len(found[0])
    assert stats["honeyguide/harvest_rate"] == pytest.approx(
        stats["honeyguide/relevant"] / stats["honeyguide/visits"], abs=1e-4
    )
    assert stats["honeyguide/queued"] == stats["scheduler/enqueued"] - stats["scheduler/dequeued"] > 0


def all_kinds():
    links = b'<a href="/moved">bees</a> <a href="/plain">a page</a>'
    return {
        "/": answer(b"<title>Start</title>" + links),
        "/moved": answer(b"", "301 Moved", Location="/plain?moved=1"),
        "/plain": answer(b"<title>Bees</title>bees"),
        "/plain?moved=1": answer(b"<title>Moved</title>bees and bees"),
        "/picture": answer(b"\x89PNG", type="image/png"),
        "/shop?utm_source=x&b=2&a=1": answer(b"<title>Shop</title>"),
        "/search": answer(b"<title>Found</title>"),
        "/broken": hang_up,
        "/closed": answer(b"", "503 Not now"),
        "/robots.txt": answer(b"User-agent: *\nDisallow: /shop\n", type="text/plain"),
    }


@pytest.mark.parametrize("jobdir", [False, True])
def test_every_request_gets_its_callback_as_without_the_scheduler(tmp_path, jobdir):
    kept = {"JOBDIR": str(tmp_path / "job")} if jobdir else {}
    runs, shared = [], {"ROBOTSTXT_OBEY": not jobdir, "RETRY_TIMES": 1}
    for name, settings in {"with": {**OURS, **kept}, "without": {}}.items():
        with Loopback(all_kinds()) as server:
            run = Run(tmp_path / name, "spiders.Everything", server.origin + "/", **shared, **settings).wait()
            asked = Counter(server.paths)
        items = [json.dumps(item, sort_keys=True).replace(server.origin, "http://here") for item in run.items]
        runs.append((Counter(items), asked, run))
    (ours, asked, run), (theirs, asked_without, _) = runs
    assert "Traceback" not in run.said
    assert ours == theirs
    assert len(theirs) == 13
    assert any("IgnoreRequest" in item for item in theirs) is not jobdir  # the shop is closed to robots
    del asked["/broken"], asked_without["/broken"]  # Twisted tries once more where a connection was used before
    assert asked == asked_without
    stats = run.stats
    assert stats["dupefilter/filtered"] == 1
    assert stats["honeyguide/queued"] == 0
    if jobdir:
        assert stats["scheduler/unserializable"] == 1
        assert stats["scheduler/enqueued/disk"] == stats["scheduler/enqueued"] - 1
        with Store.open(tmp_path / "job" / "honeyguide") as store:
            errors = Counter(visit.error for visit in store.visits())
            assert store.database.execute("SELECT count(*) FROM scrapy_requests").fetchone() == (0,)
        assert errors == {"": 6, "redirect": 1, "http_404": 1, "no_answer": 1, "http_503": 1}


def tree(pages):
    """Pages in a tree, every third one about bees."""

    def page(i):
        links = "".join(f'<a href="/{j}">page {j}</a>' for j in (2 * i + 1, 2 * i + 2, i // 2) if 0 < j < pages)
        return f"<title>Page {i}</title><p>{'bees' if i % 3 == 0 else 'wasps'} {i}</p>{links}".encode()

    return {f"/{i}": answer(page(i)) for i in range(pages)}


@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_job_goes_on(tmp_path, blow):
    job, pages = tmp_path / "job", 80
    settings = {**OURS, "JOBDIR": str(job), "CONCURRENT_REQUESTS": 4, "DOWNLOAD_DELAY": 0.01}
    with Loopback(tree(pages)) as server:
        first = Run(tmp_path / "first", "spiders.Follow", server.origin + "/0", **settings)
        until = time.monotonic() + 100
        while len(server.requests) < 25 and time.monotonic() < until:
            time.sleep(0.01)
        first.process.send_signal(blow)
        first.wait()
        before = len(server.requests)
        assert 25 <= before < pages
        second = Run(tmp_path / "second", "spiders.Follow", server.origin + "/0", **settings).wait()
        asked = Counter(server.paths)
        origin = server.origin
    assert second.said == ""
    assert set(asked) == {f"/{i}" for i in range(pages)}
    assert asked.pop("/0") == 2  # Scrapy asks for start URLs whenever it starts
    repeated = asked.total() - pages + 1
    assert repeated == 0 if blow == signal.SIGINT else repeated <= 12  # what was under way, or in a callback
    assert second.stats["honeyguide/visits"] == pages
    assert second.stats["honeyguide/relevant"] == len(range(0, pages, 3))
    assert "relevant" in explain_url(job / "honeyguide", f"{origin}/9")[1]


def test_a_topic_that_takes_its_time_is_waited_for(tmp_path):
    with Loopback(tree(20)) as server:
        run = Run(tmp_path, "spiders.Judged", server.origin + "/0").wait()
    assert run.said == ""
    assert len(run.items) == 20
    assert (run.stats["honeyguide/visits"], run.stats["honeyguide/relevant"]) == (20, 7)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"HONEYGUIDE_TOPIC": ""}, "add HONEYGUIDE_TOPIC to the settings"),
        ({"HONEYGUIDE_TOPIC": "keywrod:bees"}, "did you mean 'keyword'"),
        ({"HONEYGUIDE_STRATEGY": "bestfirst"}, "did you mean"),
    ],
    ids=["no topic", "unknown topic", "unknown strategy"],
)
def test_what_cannot_be_done_is_told_and_nothing_else(tmp_path, asked, said):
    with Loopback(tree(3)) as server:
        run = Run(tmp_path, "spiders.Follow", server.origin + "/0", **{**OURS, **asked}).wait()
        assert server.paths == []
    assert said in run.said
    assert (run.said.count("ERROR"), "Traceback" in run.said) == (1, False)
    assert run.stats["finish_reason"] == "honeyguide_refused"


def test_a_job_that_asks_for_something_else_is_told_so_in_one_line(tmp_path):
    job = {"JOBDIR": str(tmp_path / "job")}
    with Loopback(tree(3)) as server:
        Run(tmp_path / "first", "spiders.Follow", server.origin + "/0", **OURS, **job).wait()
        asked = len(server.paths)
        other = {**OURS, **job, "HONEYGUIDE_TOPIC": "keyword:ants"}
        run = Run(tmp_path / "second", "spiders.Follow", server.origin + "/0", **other).wait()
        assert len(server.paths) == asked
    (line,) = run.said.splitlines()
    assert "belongs to another crawl: its topic is keyword:bees, not keyword:ants" in line
    assert run.stats["finish_reason"] == "honeyguide_refused"


# -- searches -----------------------------------------------------------------------------------------------------


ISLAND = {f"/island/{n}": answer(b"<title>Island</title><p>bees and more bees %d" % n) for n in range(3)}


@pytest.mark.parametrize("strategy", ["genetic:population=5", "honeyguide:searches=3"])
@pytest.mark.parametrize("jobdir", [False, True])
def test_what_a_search_finds_is_requested_like_any_link(tmp_path, strategy, jobdir):
    kept = {"JOBDIR": str(tmp_path / "job")} if jobdir else {}
    with Loopback(Searched({**tree(60), **ISLAND}, [*ISLAND, "/0"])) as server:
        search = {
            "HONEYGUIDE_SEARCH": f"searxng:http://me:pw@127.0.0.1:{server.port}/",
            "HONEYGUIDE_STRATEGY": strategy,
        }
        run = Run(tmp_path / "run", "spiders.Follow", server.origin + "/1", **OURS, **search, **kept).wait()
        paths = Counter(path.partition("?")[0] for path in server.paths)
    assert run.said == ""
    assert {item["url"].removeprefix(server.origin) for item in run.items} >= set(ISLAND)
    assert paths["/search"] >= run.stats["honeyguide/searches"] >= 1
    assert max(paths[path] for path in ISLAND) == 1  # each once
    assert run.stats["honeyguide/queued"] == 0
    if jobdir:
        with Store.open(tmp_path / "job" / "honeyguide", write=False) as store:
            assert "search" in {event.kind for event in store.events()}
            assert store.settings.search == f"searxng:http://127.0.0.1:{server.port}/"

"""Pages prepared in processes of their own: the same replies, whatever becomes of the processes."""

import asyncio
import contextlib
import gzip
import hashlib
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from msgspec import structs

import honeyguide as hg
from honeyguide.base import Original
from honeyguide.parse import Reading
from honeyguide.running import run_async
from honeyguide.store import Store
from honeyguide.store.warc import Archived
from honeyguide.web.crew import Worker
from honeyguide.web.exchange import Exchange
from honeyguide.web.preparing import Job
from honeyguide.web.workshop import LARGE, MUCH, Workshop
from loopback import Loopback, answer

DATE = "2026-01-02T03:04:05Z"


def job(body=b"<title>Bees</title><p>bees", url="http://a.test/", status=200, truncated="", reading=None, **headers):
    named = {name.replace("_", "-"): value for name, value in {"content_type": "text/html", **headers}.items()}
    raw = tuple((name.encode(), value.encode()) for name, value in named.items())
    line, digest = f"HTTP/1.1 {status} OK", hashlib.sha1(body).digest()
    exchange = Exchange(url, status, named, body, truncated, "192.0.2.1", line, digest, raw)
    return Job(exchange, DATE, (("Host", "a.test"),), 0.25, reading or Reading())


ORIGINAL = Original("http://b.test/", DATE, 3, 4567, '"e"', "yesterday", hashlib.sha1(b"x").digest())
STORED = Archived("http://a.test/", 200, {"content-type": "text/html"}, b"<title>Stored</title><p>bees")
PAGE = b"""<html lang=en><title>Bees &amp; more</title><meta name=robots content="noindex, noai">
<link rel=canonical href=/c><base href="/sub/"><nav><a href=1 rel="nofollow me">one</a></nav>
<p>Of \xc3\xbc and \xf0\x9f\x90\x9d <a href="http://b.test/?b=1&a=2">two <b>three</b></a><a href="http://[bad">x</a>"""
JOBS = {
    "page": job(
        PAGE, content_type="text/html; charset=utf-8", x_robots_tag="nofollow", etag='"1"', last_modified="now"
    ),
    "surroundings": job(PAGE, reading=Reading(surroundings=False)),
    "no main text": job(PAGE, reading=Reading(main_text=False)),
    "few links": job(b"<a href=1>1</a><a href=2>2</a><a href=3>3</a>", reading=Reading(most_links=2)),
    "xhtml": job(b"<html><body><a href='/1'>x</a></body></html>", content_type="application/xhtml+xml"),
    "plain": job("Bees \u2028 \0 \ufffe".encode(), content_type="text/plain"),
    "sitemap": job(b"<urlset><url><loc>/1</loc></url></urlset>", content_type="text/xml"),
    "packed": job(gzip.compress(PAGE), content_encoding="gzip"),
    "bomb": job(gzip.compress(bytes(5_000_000)), content_encoding="gzip", reading=Reading(largest=2_000_000)),
    "gate": job(b"<title>Just a moment...</title>"),
    "wild": job(bytes(range(256)) * 9, content_type="text/html; charset=x-user-defined"),
    "surrogates": job(
        "<title>&#xd800;</title>\ud83d<p>".encode("utf-16-le", "surrogatepass"), content_type="text/html"
    ),
    "picture": job(b"\x89PNG\r\n\x1a\n\0", content_type="image/png"),
    "empty": job(b""),
    "gone": job(b"gone", status=404),
    "half": job(b"<title>Half", truncated="disconnect"),
    "moved": job(b"", status=301, location="/there?b&a#x"),
    "elsewhere": job(b"", status=302, location="ftp://a.test/"),
    "reserved": replace(job(), opt_outs=frozenset(["content-signal:ai-train"])),
    "again": replace(job(), original=ORIGINAL),
    "unchanged": replace(job(b"", status=304), original=ORIGINAL, stored=STORED),
}


def in_workshop(use, workers=1, patience=30.0):
    """What a coroutine function returns that is given a workshop, which is then closed."""

    async def run():
        workshop = Workshop(workers, patience)
        try:
            return await use(workshop)
        finally:
            await workshop.close()

    return run_async(run())


def pid_of(workshop):
    """The number of the one worker's process."""
    return workshop._workers[0]._process.pid


def is_there(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


def is_running(pid):
    """Whether a process is there and has not ended: one without a parent may wait long to be cleared away."""
    with contextlib.suppress(OSError):
        return is_there(pid) and Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return is_there(pid)


def parsed(reply):
    """A reply with its records unpacked and without their ids and its cost, which are never the same."""
    return structs.replace(
        reply, cost=0.0, record=re.sub(rb"urn:uuid:[0-9a-f-]{36}", b"", gzip.decompress(reply.record))
    )


def test_a_worker_gives_the_same_replies():
    async def all_jobs(workshop):
        return [parsed(await workshop.do(each)) for each in JOBS.values()]

    here, there = in_workshop(all_jobs, workers=0), in_workshop(all_jobs, workers=1)
    for name, one, other in zip(JOBS, here, there, strict=True):
        assert one == other, name


def test_many_jobs_at_once_get_their_own_replies():
    asked = [job(b"<title>%d</title>" % n + b"<p>bees</p>" * (n % 7) * 500, f"http://a.test/{n}") for n in range(60)]

    async def use(workshop):
        return await asyncio.gather(*map(workshop.do, asked))

    replies = in_workshop(use, workers=2)
    assert [(r.page.url, r.page.title) for r in replies] == [(f"http://a.test/{n}", str(n)) for n in range(60)]


def test_nobody_waits_for_workers_that_start():
    async def use(workshop):
        for _ in range(MUCH):
            await workshop.do(job())
        first = await workshop.do(job())  # and they are told to
        ready = workshop._opening.done()
        await workshop._opening
        os.kill(pid_of(workshop), signal.SIGSTOP)
        second = asyncio.create_task(workshop.do(job()))
        await asyncio.sleep(0.1)
        waits = not second.done()
        os.kill(pid_of(workshop), signal.SIGCONT)
        return first.page.title, ready, waits, (await second).page.title

    async def run():
        workshop = Workshop(None, 30.0)
        del workshop._workers[1:]
        try:
            return await use(workshop)
        finally:
            await workshop.close()

    assert run_async(run()) == ("Bees", False, True, "Bees")


def test_a_worker_that_hangs_costs_one_page_which_is_archived_all_the_same():
    async def use(workshop):
        await workshop.do(job())
        stuck = pid_of(workshop)
        os.kill(stuck, signal.SIGSTOP)
        workshop._patience = 0.3
        slow = await workshop.do(job(b"<title>Slow</title>", etag='"7"'))
        workshop._patience = 30.0
        return slow, await workshop.do(job()), is_there(stuck)

    slow, following, lives = in_workshop(use)
    assert (slow.page, slow.error, slow.detail) == (None, "parse_limited", "reading it took more than 0.3 s")
    assert (slow.status, slow.size, slow.etag) == (200, 19, '"7"')
    assert b"\r\n\r\n<title>Slow</title>\r\n\r\n" in gzip.decompress(slow.record)
    assert b"failed: parse_limited" in gzip.decompress(slow.record)
    assert (following.page.title, following.error, lives) == ("Bees", "", False)


async def killed_at_work(workshop, job, times):
    """What comes of a job whose worker is killed, and the one that takes its place, so many times."""
    await workshop.do(job)
    os.kill(pid_of(workshop), signal.SIGSTOP)
    task, killed = asyncio.create_task(workshop.do(job)), set()
    await asyncio.sleep(0.05)
    while not task.done():
        process = workshop._workers[0]._process
        if process and process.pid not in killed and len(killed) < times:
            killed.add(process.pid)
            os.kill(process.pid, signal.SIGKILL)
        await asyncio.sleep(0.001)
    return task.result()


def test_so_does_one_that_dies_whenever_it_reads_a_page():
    async def use(workshop):
        deadly = await killed_at_work(workshop, job(b"<title>Deadly</title>"), times=10)
        return deadly, await workshop.do(job())

    deadly, following = in_workshop(use)
    assert (deadly.error, deadly.detail) == ("parse_limited", "reading it brought the parser down")
    assert b"<title>Deadly</title>" in gzip.decompress(deadly.record)
    assert following.page.title == "Bees"


def test_one_that_was_killed_once_costs_no_page():
    async def use(workshop):
        return await killed_at_work(workshop, job(), times=1)

    assert in_workshop(use).page.title == "Bees"


def test_one_that_died_while_it_had_nothing_to_do_costs_no_page():
    async def use(workshop):
        await workshop.do(job())
        first = pid_of(workshop)
        os.kill(first, signal.SIGKILL)
        await workshop._workers[0]._process.wait()
        await asyncio.sleep(0.05)
        reply = await workshop.do(job())
        return first, reply, pid_of(workshop)

    first, reply, second = in_workshop(use)
    assert (reply.error, reply.page.title) == ("", "Bees")
    assert first != second


def test_a_page_that_hangs_costs_none_that_waits_behind_it():
    async def use(workshop):
        await workshop.do(job())
        os.kill(pid_of(workshop), signal.SIGSTOP)
        workshop._patience = 0.5
        slow = asyncio.create_task(workshop.do(job(b"<title>Slow</title>")))
        await asyncio.sleep(0.01)
        workshop._patience = 30.0
        behind = [asyncio.create_task(workshop.do(job(url=f"http://a.test/{n}"))) for n in range(5)]
        return (await slow).error, [(await each).page.url for each in behind]

    assert in_workshop(use) == ("parse_limited", [f"http://a.test/{n}" for n in range(5)])


def test_nor_does_one_that_brings_its_worker_down():
    async def use(workshop):
        await workshop.do(job())
        deadly = asyncio.create_task(killed_at_work(workshop, job(b"<title>Deadly</title>"), times=10))
        await asyncio.sleep(0.02)
        behind = [asyncio.create_task(workshop.do(job(url=f"http://a.test/{n}"))) for n in range(3)]
        return (await deadly).error, [(await each).error for each in behind]

    assert in_workshop(use) == ("parse_limited", ["", "", ""])


def test_small_pages_wait_beside_small_ones_only():
    worker = Worker()
    assert worker.has_room(alone=True) and worker.has_room(alone=False)
    worker.taken(large=False)
    assert not worker.has_room(alone=True) and worker.has_room(alone=False)
    worker.taken(large=False)
    assert not worker.has_room(alone=False)
    worker.left(large=False)
    worker.left(large=False)
    worker.taken(large=True)
    assert not worker.has_room(alone=True) and not worker.has_room(alone=False)


def test_a_large_page_gets_its_turn_though_small_ones_keep_coming():
    async def use(workshop):
        done = []

        async def read(name, body):
            await workshop.do(job(body, f"http://a.test/{name}"))
            done.append(name)

        await read("first", b"<p>bees")
        sizes = {**dict.fromkeys(range(5), 10), "large": LARGE, **dict.fromkeys(range(5, 60), 10)}
        await asyncio.gather(*(read(name, b"<p>" + b"b" * size) for name, size in sizes.items()))
        return done.index("large")

    assert in_workshop(use) < 10


def test_closing_leaves_no_process_behind():
    async def use(workshop):
        await asyncio.gather(*(workshop.do(job()) for _ in range(20)))
        return [worker._process.pid for worker in workshop._workers if worker._process]

    numbers = in_workshop(use, workers=2)
    assert numbers
    assert not any(map(is_there, numbers))


def test_a_workshop_that_never_worked_closes_too():
    async def use(_):
        return "done"

    assert in_workshop(use, workers=3) == "done"


async def cancelled(task):
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


def test_a_job_that_is_given_up_does_not_answer_the_next():
    async def use(workshop):
        for steps in (0, 1, 2, 3, 4, 6, 10, 20, 50):  # while its worker starts
            task = asyncio.create_task(workshop.do(job(b"<title>First</title>", "http://a.test/first")))
            for _ in range(steps):
                await asyncio.sleep(0)
            await cancelled(task)
        return await workshop.do(job(b"<title>Second</title>", "http://a.test/second"))

    reply = in_workshop(use)
    assert (reply.page.url, reply.page.title) == ("http://a.test/second", "Second")


def test_nor_does_one_given_up_at_work():
    async def use(workshop):
        await workshop.do(job())
        task = asyncio.create_task(workshop.do(job(b"<a href=x>x</a>" * 20_000, "http://a.test/first")))
        await asyncio.sleep(0.01)
        await cancelled(task)
        return [await workshop.do(job(url=f"http://a.test/{n}")) for n in range(3)]

    assert [reply.page.url for reply in in_workshop(use)] == [f"http://a.test/{n}" for n in range(3)]


def test_ctrl_c_is_not_for_workers():
    async def use(workshop):
        await workshop.do(job())
        before = pid_of(workshop)
        os.kill(before, signal.SIGINT)
        reply = await workshop.do(job())
        return before, reply, pid_of(workshop)

    before, reply, after = in_workshop(use)
    assert (reply.page.title, before) == ("Bees", after)


def test_nor_while_they_start():
    """A terminal sends Ctrl-C to the whole group of processes: a worker must not be in it, or ignore it at once."""

    async def use(workshop):
        task = asyncio.create_task(workshop.do(job()))
        while workshop._workers[0]._process is None:
            await asyncio.sleep(0)
        pid = pid_of(workshop)
        if os.getpgid(pid) == os.getpgid(0):
            os.kill(pid, signal.SIGINT)
        return await task

    assert in_workshop(use).error == ""


def test_the_start_of_a_worker_is_no_part_of_reading(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text("import time; time.sleep(2)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)

    async def use(workshop):
        return await workshop.do(job())

    assert in_workshop(use, patience=1.5).error == ""


def test_few_small_pages_are_read_without_starting_a_worker():
    async def use(workshop):
        small = [await workshop.do(job()) for _ in range(5)]
        started = any(worker._process for worker in workshop._workers)
        large = await workshop.do(job(b"<title>Large</title>" + b"<p>bees</p>" * 40_000))
        return small, started, large, any(worker._process for worker in workshop._workers)

    small, before, large, after = in_workshop(use, workers=None)
    assert ({reply.page.title for reply in small}, large.page.title) == ({"Bees"}, "Large")
    assert (before, after) == (False, True)


PARENT = """
import asyncio, sys, time
sys.path[:0] = sys.argv[1:]
from test_web_workshop import job, pid_of
from honeyguide.web.workshop import Workshop

async def run():
    workshop = Workshop(1, 30.0)
    await workshop.do(job())
    print(pid_of(workshop), flush=True)
    await asyncio.sleep(100)

asyncio.run(run())
"""


def test_workers_end_when_the_crawl_is_killed():
    here = [path for path in sys.path if path.endswith(("tests", "tests/web"))]
    with subprocess.Popen([sys.executable, "-c", PARENT, *here], stdout=subprocess.PIPE) as parent:
        worker = int(parent.stdout.readline())
        assert is_there(worker)
        parent.kill()
        parent.wait()
        until = time.monotonic() + 30
        while is_running(worker) and time.monotonic() < until:
            time.sleep(0.01)
        assert not is_running(worker)


def test_a_page_that_takes_too_long_is_a_failure_with_its_bytes_kept(tmp_path):
    huge = answer(b"<title>Huge</title>" + b"<p><a href=/x>bees and <b>more</b></a>" * 200_000)
    with Loopback({"/huge": huge}) as server:
        given = {
            "delay": 0,
            "allow_private": True,
            "workers": 1,
            "parse_timeout": 0.1,
            "directory": tmp_path / "crawl",
        }
        summary = hg.Crawl([server.origin + "/huge"], "keyword:bees", **given).run()
    assert (summary.fetched, summary.failed, summary.relevant) == (1, {"parse_limited": 1}, 0)
    assert summary.balanced
    with Store.open(tmp_path / "crawl") as store:
        (visit,) = store.visits()
        assert store.archive.read(visit.warc, visit.offset).body == huge.partition(b"\r\n\r\n")[2]

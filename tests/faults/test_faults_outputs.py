"""What a crawl opens and writes beside its directory: no door to come in by, and no cell that is a formula."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

from honeyguide.store import Store
from honeyguide.synthetic import Server, generate
from killing import committed
from loopback import Loopback, answer

CRAWL = [sys.executable, "-m", "honeyguide", "crawl", "--topic", "keyword:bees", "--allow-private"]
LISTENING = "0A"


def listening(pids):
    """The addresses on which processes wait for connections, by the kernel's own tables."""
    held = {str(link.readlink()) for pid in pids for link in Path(f"/proc/{pid}/fd").iterdir() if link.exists()}
    rows = [
        line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]
    ]
    return [row[1] for row in rows if row[3] == LISTENING and f"socket:[{row[9]}]" in held]


def family(pid):
    """A process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(member for child in children for member in family(int(child)))]


def test_a11_a_crawl_listens_to_nobody(tmp_path):
    pages = {f"/{n}": answer(f"<a href=/{n + 1}>bees</a>".encode()) for n in range(500)}
    with Loopback(pages) as server:
        command = [*CRAWL, "--seed", server.origin + "/0", "-o", str(tmp_path / "crawl"), "--delay", "0.02"]
        process = subprocess.Popen([*command, "--workers", "1"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            while committed(tmp_path / "crawl") < 5:
                assert process.poll() is None
                time.sleep(0.01)
            assert len(family(process.pid)) == 2  # the crawl and its worker
            assert listening(family(process.pid)) == []
        finally:
            process.kill()
            process.wait()


def test_a11_the_server_of_the_demo_is_for_this_machine_only():
    import asyncio

    async def address():
        async with Server(generate(pages=400, hosts=14, topics=2)):
            return listening([os.getpid()])

    before = listening([os.getpid()])
    loopback = socket.inet_pton(socket.AF_INET, "127.0.0.1")[::-1].hex().upper()
    assert {one.partition(":")[0] for one in set(asyncio.run(address())) - set(before)} == {loopback}


TRIGGERS = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "＝1"]


def test_a12_no_line_that_a_table_would_read_begins_with_a_formula(tmp_path):
    links = "".join(f"<a href='/{n}'>{t}</a><a href='{t}'>{t}</a>" for n, t in enumerate(TRIGGERS))
    pages = {f"/{n}": answer(f"<title>{t}</title>bees {t}".encode()) for n, t in enumerate(TRIGGERS)}
    with Loopback({"/": answer(links.encode()), **pages}) as server:
        command = [*CRAWL, "--seed", server.origin + "/", "-o", str(tmp_path / "crawl"), "--delay", "0"]
        subprocess.run(
            [*command, "--visits", str(tmp_path / "visits.csv")], check=True, capture_output=True, timeout=60
        )
    lines = (tmp_path / "visits.csv").read_text().splitlines()
    assert len(lines) > len(TRIGGERS)
    assert all(line.startswith("http://127.0.0.1:") for line in lines)
    with Store.open(tmp_path / "crawl", write=False) as store:
        assert {visit.title for visit in store.visits()} >= {"=cmd|' /C calc'!A0", "@SUM(1)"}  # as they came

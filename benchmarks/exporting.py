"""Memory of exports: python -m benchmarks.exporting [--pages N] [--small N].

Two crawls are written down at once, one of them ten times as long, and exported in every format, each in a process of
its own. What such a process holds at most should be the same for both.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from honeyguide.base import Link, Page, Reply, Visit
from honeyguide.export.formats import FORMATS
from honeyguide.graph import DONE, Graph
from honeyguide.settings import Settings
from honeyguide.store import Store
from honeyguide.store.warc import Asked, exchange_records
from honeyguide.synthetic.invented import invented

PAGES, SMALL = 20_000, 2_000
WORDS, LINKS = 1_200, 20  # of a page
SLACK = 1.15  # times what the shorter crawl took
VOCABULARY = [invented(number) for number in range(5_000)]
# In the process itself: what the system counts for a child may be its parent's.
MEASURED = """
import atexit, pathlib, re, sys
from honeyguide.cli import main
sys.argv[0] = "honeyguide"
tell = lambda: sys.stderr.write(re.search(r"VmHWM:\\s*(\\d+)", pathlib.Path("/proc/self/status").read_text())[1])
atexit.register(tell)
main()
"""


def long_crawl(directory: Path, pages: int) -> int:
    """A live crawl of so many pages, without the crawling; how many bytes of HTML."""
    graph, chance, size = Graph(), random.Random(1), 0
    with Store.create(directory, Settings(topic="keyword:bees", seed=["http://a.test/0"])) as store:
        for number in range(pages):
            size += _visit(store, graph, number, chance)
        store.commit()
    return size


def _visit(store: Store, graph: Graph, number: int, chance: random.Random) -> int:
    url = f"http://a.test/{number}"
    links = tuple(Link(f"http://a.test/{number + step}", f"page {step}") for step in range(1, LINKS + 1))
    id_ = int(graph.intern([url])[0])
    targets = np.asarray(graph.intern([link.url for link in links], 1), np.int32)
    graph.mark(id_, DONE)
    body = _html(number, links, chance)
    asked = Asked(url, "2026-01-02T03:04:05Z", "", [])
    record = exchange_records(asked, "HTTP/1.1 200 OK", [(b"Content-Type", b"text/html")], body)
    page = Page(url, title=str(number), links=links)
    visit = Visit(number, id_, url, targets, page=page, relevance=1.0, relevant=True)
    store.record(graph, visit, Reply(page, record=record, date=asked.date, size=len(body)))
    return len(body)


def _html(number: int, links: tuple[Link, ...], chance: random.Random) -> bytes:
    parts = "".join(f"<p>{' '.join(chance.choices(VOCABULARY, k=100))}</p>" for _ in range(WORDS // 100))
    menu = "".join(f"<a href={link.url}>{link.anchor}</a> " for link in links)
    return f"<title>{number}</title><main><h1>{number}</h1>{parts}</main>{menu}".encode()


def peak(crawl: Path, output: Path, name: str) -> float:
    """Megabytes that an export held at most."""
    command = [sys.executable, "-c", MEASURED, "export", str(crawl), "-o", str(output), "--format", name]
    done = subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return int(done.stderr.split()[-1]) / 1024


def main(pages: int, small: int, folder: Path) -> bool:
    """A table of formats; whether none of them grows with the crawl."""
    sizes = [long_crawl(folder / str(number), number) for number in (small, pages)]
    told = [
        f"{number:,} pages ({size / 1e6:,.0f} MB of HTML)" for number, size in zip((small, pages), sizes, strict=True)
    ]
    print(f"| format | {told[0]} | {told[1]} |\n|---|---|---|", flush=True)
    flat = True
    for name in FORMATS:
        less, more = (peak(folder / str(n), folder / f"{name}-{n}", name) for n in (small, pages))
        print(f"| `{name}` | {less:.0f} MB | {more:.0f} MB |", flush=True)
        flat &= more < less * SLACK
    return flat


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--small", type=int, default=SMALL)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        sys.exit(not main(asked.pages, asked.small, Path(place)))

"""Exports of large crawls: memory does not grow with the number of pages."""

import contextlib
import shutil
import sqlite3
import tracemalloc

import numpy as np
import pytest

from honeyguide.base import Link, Page, Reply, Visit
from honeyguide.export.formats import FORMATS
from honeyguide.export.links import links
from honeyguide.export.source import Source
from honeyguide.export.writing import export
from honeyguide.graph import DONE, Graph
from honeyguide.settings import Settings
from honeyguide.store import Store
from honeyguide.store.warc import Asked, exchange_records

TEXT = "The bees collect nectar and bring it into the hive. " * 100
SLACK = 300_000  # bytes, where the larger crawl has a million of text more


def long_crawl(directory, pages):
    """A crawl of many pages, written down at once."""
    graph = Graph()
    with Store.create(directory, Settings(topic="keyword:bees", seed=["http://a.test/0"])) as store:
        for number in range(pages):
            url, links = f"http://a.test/{number}", (Link(f"http://a.test/{number + 1}", "next"),)
            id_ = int(graph.intern([url])[0])
            targets = np.asarray(graph.intern([link.url for link in links], 1), np.int32)
            graph.mark(id_, DONE)
            body = f"<title>{number}</title><p>{TEXT}</p>".encode()
            asked = Asked(url, "2026-01-02T03:04:05Z", "", [])
            record = exchange_records(asked, "HTTP/1.1 200 OK", [(b"Content-Type", b"text/html")], body)
            page = Page(url, title=str(number), links=links)
            visit = Visit(number, id_, url, targets, page=page, relevance=1.0, relevant=True)
            store.record(graph, visit, Reply(page, record=record, date=asked.date, size=len(body)))
        store.commit()
    return directory


@pytest.fixture(scope="module")
def crawls(tmp_path_factory):
    folder = tmp_path_factory.mktemp("long")
    return long_crawl(folder / "short", 20), long_crawl(folder / "long", 220)


def peak(crawl, output, name):
    """The lesser of two: whatever else this process does meanwhile is counted as well."""
    return min(_peak(crawl, output.with_name(f"{output.name}{n}"), name) for n in range(2))


def _peak(crawl, output, name):
    tracemalloc.start()
    try:
        export(crawl, output, name)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", FORMATS)
def test_memory_does_not_grow_with_the_crawl(crawls, tmp_path, name, monkeypatch):
    monkeypatch.setattr("honeyguide.export.tables.ROWS", 20)
    export(crawls[0], tmp_path / "warm", name)  # what is imported and remembered once
    short, long = peak(crawls[0], tmp_path / "short", name), peak(crawls[1], tmp_path / "long", name)
    assert long < short + SLACK


def test_a_crawl_that_goes_on_meanwhile_changes_nothing(crawls, tmp_path):
    crawl = shutil.copytree(crawls[0], tmp_path / "crawl")
    with Source(crawl) as source:
        wanted = source.choice()
        with contextlib.closing(sqlite3.connect(crawl / "crawl.db")) as writer:
            writer.execute("INSERT INTO urls VALUES (1000, 'http://a.test/new', 1, 'done', '')")
            names = [row[1] for row in writer.execute("PRAGMA table_info(visits)")]
            columns = ", ".join(name for name in names if name not in ("number", "id"))
            writer.execute(
                f"INSERT INTO visits (number, id, {columns}) SELECT 1000, 1000, {columns} FROM visits LIMIT 1"
            )
            writer.commit()
        assert [visit.id for visit in source.chosen()] == np.flatnonzero(wanted).tolist()
        assert len(list(links(source))) == 19
    with Source(crawl) as source:
        assert len(list(source.chosen())) == 21

"""The directory of a crawl whose pages another crawler fetched: to be read, not to be gone on with."""

import asyncio
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from honeyguide.base import BadInput
from honeyguide.cli.app import app
from honeyguide.contrib.ordering import Ordering
from honeyguide.contrib.reading import reply
from honeyguide.export.source import Source
from honeyguide.parse import Reading
from honeyguide.store import read_settings
from shown import shown_only

HOME = "https://bees.example/"
HTML = ((b"Content-Type", b"text/html"),)


async def handed(directory):
    ordering = Ordering("keyword:bees", "best-first", directory)
    await ordering.begin()
    ordering.put(HOME, 0, "home", depth=0)
    choice = ordering.choose()
    ordering.take(choice)
    body = b"<title>Bees</title><p>bees</p><a href=/more>more</a>"
    await ordering.learn(choice, reply(HOME, 200, HTML, body, Reading(), archive=True))
    ordering.put(HOME + "more", 1, "more")
    ordering.crawl.end()


@pytest.fixture
def directory(tmp_path):
    asyncio.run(handed(tmp_path / "job" / "honeyguide"))
    return tmp_path / "job" / "honeyguide"


def run(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


def files(directory):
    return {
        path.name: path.read_bytes() for path in directory.iterdir() if path.suffix in (".toml", ".db", ".sqlite")
    }


@pytest.mark.parametrize("more", [[], ["--topic", "keyword:bread"], ["--again"], ["--pages", "9"]])
def test_it_is_gone_on_with_where_it_began(directory, more):
    before = files(directory)
    error = run("crawl", directory, *more).exception
    assert isinstance(error, BadInput)
    assert f"{directory} holds pages that another crawler fetched" in str(error)
    assert f"scrapy … -s JOBDIR={directory.parent}" in str(error)
    assert files(directory) == before
    assert read_settings(directory).topic == "keyword:bees"


def test_as_output_it_is_refused_as_well(directory):
    error = run("crawl", "--topic", "keyword:bees", "--seed", HOME, "-o", directory).exception
    assert "another crawler fetched" in str(error)


def test_the_dashboard_shows_it_and_says_who_fetched_its_pages(directory, tmp_path):
    before = files(directory)
    told = shown_only(["dashboard", directory], tmp_path / "err")
    assert "honeyguide_visits_total 1\n" in told.metrics
    assert (told.status, "pages that another crawler fetched: it is shown" in told.refusal) == (409, True)
    assert files(directory) == before


def test_the_report_says_who_fetched_its_pages(directory):
    assert run("report", directory).exit_code == 0
    told = (directory / "report.html").read_text()
    assert "on pages that another crawler fetched, from where it began" in told
    assert "stored web" not in told
    assert "what a search found" not in told


def test_its_texts_are_those_of_the_archive_and_no_path_is_made_of_its_source(directory):
    with Source(directory) as source:
        (record,) = source.records()
        assert "bees" in record.main
        visit = next(source.chosen())
        with pytest.raises(BadInput, match="on pages that another crawler fetched and does not hold this text"):
            source.page(replace(visit, warc=None))

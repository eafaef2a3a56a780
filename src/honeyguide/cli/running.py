"""Starting crawls, going on with them, and telling what came of them."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from honeyguide.base import BadInput
from honeyguide.cli.progress import Progress
from honeyguide.cli.terminal import duration, plain
from honeyguide.crawl import Crawl
from honeyguide.crawl.loop import run_async
from honeyguide.crawl.resume import rejudge
from honeyguide.documents import load_documents
from honeyguide.settings import Settings
from honeyguide.store import is_crawl_directory, read_settings
from honeyguide.topic import as_topic
from honeyguide.web import Archive, LiveWeb, open_web

if TYPE_CHECKING:
    from honeyguide.crawl import Summary
    from honeyguide.topic import Topic
    from honeyguide.web import Web

DRAWN_SEEDS = 5

_REASONS = {
    "pages": "as many pages as were asked for",
    "nothing_left": "every URL found was fetched or excluded",
    "nothing_may_be_fetched": "no host that is left may be fetched",
    "max_time": "the time was up",
    "max_bytes": "the bytes were used up",
    "judge_budget_spent": "the budget of the topic's function is spent",
    "interrupted": "you stopped it",
    "terminated": "it was told to end",
}


def start_live(output: Path | None, given: dict[str, Any]) -> Crawl:
    """A new live crawl, or the one that `output` holds when it asks the same."""
    if output is None:
        raise BadInput("say where to keep the crawl: -o DIR")
    if is_crawl_directory(output):
        stored = read_settings(output)
        return _crawl(Settings.from_dict({**stored.to_dict(), **_same_topic(given)}), output)
    if not given.get("topic"):
        raise BadInput("say what to look for: --topic 'keyword:solar' (see the README for all kinds of topics)")
    if not given.get("seed"):
        raise BadInput("say where to start: --seed URL, or --seed @file with one URL a line")
    return _crawl(Settings.from_dict(_same_topic(given)), output)


def go_on(directory: Path, given: dict[str, Any]) -> Crawl:
    """The crawl of a directory, with some settings changed; a new topic judges what is stored anew.

    A directory with nothing but a crawl.toml written by hand is a crawl that has not begun.
    """
    if not (directory / "crawl.toml").is_file():
        raise BadInput(
            f"{directory} holds no crawl to go on with; start one: honeyguide crawl --topic … --seed … -o {directory}"
        )
    stored = read_settings(directory)
    if "topic" in given:
        topic = as_topic(given["topic"], load_documents)
        if str(topic) != stored.topic and is_crawl_directory(directory):
            _rejudge(directory, stored, topic)
            stored.topic = str(topic)
    return _crawl(Settings.from_dict({**stored.to_dict(), **_same_topic(given)}), directory)


def _rejudge(directory: Path, stored: Settings, topic: Topic) -> None:
    if reason := topic.impossible():
        raise BadInput(f"the topic {topic} can match nothing: {reason}")
    judged = run_async(rejudge(directory, web_of(stored), topic))
    typer.echo(f"Judged {judged:,} stored pages anew by {plain(str(topic))}", err=True)


def _same_topic(given: dict[str, Any]) -> dict[str, Any]:
    """Settings with the topic in the form it is kept in, so that equal topics compare equal."""
    if "topic" not in given:
        return given
    return {**given, "topic": str(as_topic(given["topic"], load_documents))}


def start_stored(web: Path, output: Path | None, given: dict[str, Any]) -> Crawl:
    """A crawl of a stored web, or the one that `output` holds when it asks the same."""
    if output and is_crawl_directory(output):
        stored = read_settings(output)
        asked = {**stored.to_dict(), **_same_topic(given), "web": str(web)}
        return _crawl(Settings.from_dict(asked), output)
    if not given.get("topic"):
        raise BadInput("say what to look for: --topic 'keyword:solar' or --topic label:NAME")
    settings = Settings.from_dict({**_same_topic(given), "web": str(web)})
    pages = open_web(web)
    topic = as_topic(settings.topic, load_documents)
    if not settings.seed:
        settings.seed = run_async(draw_seeds(pages, topic, settings.random_seed))
        typer.echo(f"Starting from {len(settings.seed)} relevant pages drawn at random", err=True)
    return _crawl(settings, output, pages, topic)


async def draw_seeds(web: Archive, topic: Topic, random_seed: int) -> list[str]:
    """Relevant pages of a stored web to start from, the same for the same random seed."""
    if reason := topic.impossible():
        raise BadInput(f"the topic {topic} can match nothing: {reason}")
    relevant = []
    for page in web.pages():
        score = (await topic.judge([page]))[0]
        if topic.relevant(score):
            relevant.append(page.url)
    if not relevant:
        raise BadInput(f"none of the {len(web):,} pages of this web matches {topic}; nothing to start from")
    return random.Random(random_seed).sample(sorted(relevant), min(DRAWN_SEEDS, len(relevant)))


def web_of(settings: Settings) -> Web:
    """The web a crawl runs on: the stored one it names, else the live one."""
    return open_web(Path(settings.web)) if settings.web else LiveWeb(settings)


def _crawl(settings: Settings, directory: Path | None, web: Web | None = None, topic: Topic | None = None) -> Crawl:
    topic = topic or as_topic(settings.topic, load_documents)
    return Crawl.from_settings(settings, topic, web_of(settings) if web is None else web, directory)


def crawl_into(crawl: Crawl, as_json: bool, visits: Path | None) -> None:
    """Run a crawl to its end, show how it goes, and tell what came of it."""
    if visits:
        visits.touch()  # rather refuse now than after the crawl
    summary = run_async(_run(crawl))
    if visits:
        visits.write_text("".join(f"{crawl.graph.url(i)}\n" for i in crawl.graph.visited().tolist()))
    typer.echo(json.dumps(summary.to_dict()) if as_json else told(crawl, summary))
    if summary.fetched and not summary.done:
        reasons = ", ".join(f"{reason} ({count})" for reason, count in summary.failed.items())
        raise BadInput(f"no page could be fetched: {reasons}. Are the seeds right, and is the network there?")
    if not summary.fetched:
        reasons = ", ".join(summary.excluded) or "nothing to fetch"
        raise BadInput(f"no page was asked for: {reasons}")
    if summary.stopped == "interrupted":
        raise typer.Exit(130)


async def _run(crawl: Crawl) -> Summary:
    loop = asyncio.get_running_loop()
    for number, reason in ((signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")):
        loop.add_signal_handler(number, _stop, crawl, reason)
    with Progress(crawl) as progress:
        async for visit in crawl:
            progress.update(visit)
    return crawl.summary()


def _stop(crawl: Crawl, reason: str) -> None:
    if crawl.stopped:
        signal.raise_signal(signal.SIGKILL)  # asked twice: nothing is lost by going at once
    sys.stderr.write("\nStopping: requests under way are given a few seconds …\n")
    crawl.stop(reason)


def told(crawl: Crawl, summary: Summary) -> str:
    """What came of a crawl, in plain words."""
    lines = [
        f"Fetched {summary.fetched:,} pages in {duration(summary.seconds)}; {summary.relevant:,} are relevant: "
        f"harvest {summary.harvest:.1%}. Stopped: {_REASONS.get(summary.stopped, summary.stopped)}.",
        f"Of {summary.discovered:,} URLs found: {summary.done:,} done, {_by_reason('failed', summary.failed)}, "
        f"{_by_reason('excluded', summary.excluded)}, {summary.queued:,} queued.",
    ]
    if missing := summary.notes.get("not_in_archive"):
        lines.append(f"The archive was asked {missing:,} times for a page it does not hold; these are not counted.")
    if crawl.directory:
        if summary.queued and summary.stopped != "nothing_left":
            lines.append(f"Go on with: honeyguide crawl {crawl.directory} --pages {summary.fetched * 2}")
        lines.append(f"Report:     honeyguide report {crawl.directory}")
    return plain("\n".join(lines))


def _by_reason(name: str, counts: dict[str, int]) -> str:
    total = f"{sum(counts.values()):,} {name}"
    detail = ", ".join(f"{reason} {count:,}" for reason, count in list(counts.items())[:4])
    return f"{total} ({detail})" if detail else total

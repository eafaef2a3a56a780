"""Starting crawls, going on with them, and telling what came of them."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import random
import signal
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from msgspec.structs import replace

from honeyguide.atlas import is_atlas
from honeyguide.base import BadInput
from honeyguide.cli.options import read_seeds
from honeyguide.cli.progress import Progress
from honeyguide.cli.serving import served
from honeyguide.cli.terminal import plain
from honeyguide.crawl import Crawl
from honeyguide.crawl.rejudging import rejudge
from honeyguide.crawl.resume import same_question
from honeyguide.crawl.summary import duration, rendering_told, why_stopped
from honeyguide.documents import load_documents
from honeyguide.running import run_async
from honeyguide.settings import Settings
from honeyguide.store import Store, is_crawl_directory, no_crawl, read_settings, spare_own_files
from honeyguide.store.errors import told_plainly
from honeyguide.topic import as_topic
from honeyguide.web import Archive, Gone, Handed, Kind, LiveWeb, Web, kind_of, open_web

if TYPE_CHECKING:
    from honeyguide.base import Page
    from honeyguide.crawl import Summary
    from honeyguide.dashboard import Session
    from honeyguide.topic import Topic
    from honeyguide.topic.base import Load

DRAWN_SEEDS = 5
REMARKS_SHOWN, REASONS_SHOWN = 5, 4


def from_file(file: Path) -> dict[str, Any]:
    """The settings of a TOML file."""
    try:
        settings = tomllib.loads(file.read_text(encoding="utf-8"))["crawl"]
        Settings.check_kinds(settings)
        settings.update(seed=read_seeds(settings["seed"])) if "seed" in settings else None
        Settings.from_dict(settings)
    except KeyError:
        raise BadInput(f"{file} has no settings of a crawl: they stand under [crawl]") from None
    except (OSError, ValueError, TypeError, AttributeError, BadInput) as error:
        raise BadInput(f"{file} cannot be read as settings of a crawl: {error}") from None
    return dict(settings)


def start_live(output: Path | None, given: dict[str, Any]) -> Crawl:
    """A new live crawl, or the one that `output` holds when it asks the same."""
    if output is None:
        raise BadInput("say where to keep the crawl: -o DIR")
    if (output / "crawl.toml").is_file():
        return _same_again(output, given)
    if not given.get("topic"):
        raise BadInput("say what to look for: --topic 'keyword:solar' (docs/reference.md lists all kinds of topics)")
    if not given.get("seed") and not given.get("seed_query"):
        raise BadInput("say where to start: --seed URL, --seed @file with one URL a line, or --seed-query 'words'")
    return crawl_of(Settings.from_dict(given), output)


def start_stored(web: Path, output: Path | None, given: dict[str, Any]) -> Crawl:
    """A crawl of a stored web, or the one that `output` holds when it asks the same."""
    if output and (output / "crawl.toml").is_file():
        return _same_again(output, {**given, "web": str(web.absolute())})
    if not given.get("topic"):
        raise BadInput("say what to look for: --topic 'keyword:solar' or --topic label:NAME")
    pages = open_web(web)
    settings = Settings.from_dict(given)
    if not settings.seed and not settings.seed_query:
        topic = as_topic(settings.topic, _loader(settings))
        settings.seed = run_async(draw_seeds(pages, topic, settings.random_seed))
        typer.echo(f"Starting from {len(settings.seed)} relevant pages drawn at random", err=True)
    return crawl_of(settings, output, pages)


def _same_again(output: Path, given: dict[str, Any]) -> Crawl:
    """The crawl of a directory, which must have been asked the same."""
    stored, crawl = _taken_up(output, given)
    same_question(crawl.settings, stored, output)
    return crawl


def _taken_up(directory: Path, given: dict[str, Any]) -> tuple[Settings, Crawl]:
    """What the crawl of a directory was asked, and the crawl with some settings changed, where that can be."""
    stored = read_settings(directory)
    _check_own(directory, stored)
    _check_begun(directory, stored, given)
    _check_withheld(directory, stored, given)
    return stored, crawl_of(Settings.from_dict({**stored.to_dict(), **given, "withheld": []}), directory)


def _check_own(directory: Path, stored: Settings) -> None:
    """Refuse a crawl that only another crawler can go on with, before anything of it is changed."""
    if kind_of(stored.web) is Kind.HANDED:
        raise BadInput(
            f"{directory} holds pages that another crawler fetched: go on with the crawler that made it "
            f"(scrapy … -s JOBDIR={directory.parent}); or look at it: honeyguide report {directory}"
        )


def _check_begun(directory: Path, stored: Settings, given: dict[str, Any]) -> None:
    """Refuse, for a crawl that has begun, what only its beginning could have heeded."""
    for name in ("learn_from", "seed_query"):
        if name in given and given[name] != getattr(stored, name) and is_crawl_directory(directory):
            option = f"--{name.replace('_', '-')}"
            raise BadInput(
                f"{option} is for the beginning of a crawl, and {directory} has begun: start a new one with -o"
            )


def _check_withheld(directory: Path, stored: Settings, given: dict[str, Any]) -> None:
    """Refuse to go on without a proxy, or headers, that a crawl had and its directory does not keep."""
    for name in stored.withheld:
        if name not in given:
            raise BadInput(
                f"{directory} was crawled with --{name}, which may be a secret and is not kept there:"
                f" say it again, or --{name} '' to go on without"
            )


def go_on(directory: Path, given: dict[str, Any]) -> Crawl:
    """The crawl of a directory, with some settings changed; a new topic judges what is stored anew.

    A directory with nothing but a crawl.toml written by hand is a crawl that has not begun.
    """
    if is_atlas(directory):
        raise no_crawl(directory)
    if not (directory / "crawl.toml").is_file():
        raise BadInput(
            f"{directory} holds no crawl to go on with; start one: honeyguide crawl --topic … --seed … -o {directory}"
        )
    stored, crawl = _taken_up(directory, given)
    same_question(crawl.settings, stored, directory, but="topic")
    crawl.web.check()
    if crawl.settings.topic != stored.topic and is_crawl_directory(directory):
        judged = run_async(rejudge(directory, web_of(stored), crawl.topic))
        typer.echo(f"Judged {judged:,} stored pages anew by {plain(crawl.settings.topic)}", err=True)
    return crawl


def start_again(directory: Path | None, given: dict[str, Any]) -> Crawl:
    """The live crawl of a directory, from the beginning; what it has fetched becomes the earlier state."""
    if directory is None or not (is_crawl_directory(directory) or is_atlas(directory)):
        raise BadInput("--again needs the directory of a crawl: honeyguide crawl DIR --again")
    crawl = go_on(directory, given)
    if kind_of(crawl.settings.web) is not Kind.LIVE:
        raise BadInput(f"{directory} is not a live crawl: what is stored does not change")
    with Store.open(directory) as store:
        if not store.visits_made:
            raise BadInput(f"{directory} has fetched nothing yet; go on with it first: honeyguide crawl {directory}")
        store.begin_again()
        if "pages" not in given:
            crawl.settings.pages = max(crawl.settings.pages, len(store.earlier_urls()))
    return crawl


def crawl_of(settings: Settings, directory: Path | None, web: Web | None = None) -> Crawl:
    """The crawl that settings describe."""
    topic = as_topic(settings.topic, _loader(settings))
    return Crawl.from_settings(settings, topic, web_of(settings) if web is None else web, directory)


def _loader(settings: Settings) -> Load:
    """How a topic gets at its examples: as politely and as far as the crawl itself may go."""
    return functools.partial(load_documents, settings=settings)


def web_of(settings: Settings) -> Web:
    """The web a crawl runs on: the stored one it names, else the live one; one made in Python is gone."""
    match kind_of(settings.web):
        case Kind.LIVE:
            return LiveWeb(settings)
        case Kind.STORED:
            return open_web(Path(settings.web))
        case Kind.HANDED:
            return Handed()
        case Kind.IN_PYTHON:
            return Gone()


async def draw_seeds(web: Archive, topic: Topic, random_seed: int) -> list[str]:
    """Relevant pages of a stored web to start from, the same for the same random seed."""
    if reason := topic.impossible():
        raise BadInput(f"the topic {topic} can match nothing: {reason}")
    parents = _parents(web) if topic.needs_parents else {}
    relevant = []
    for page in web.pages():
        score = (await topic.judge([replace(page, parents=tuple(parents.get(page.url, ())))]))[0]
        if topic.relevant(score):
            relevant.append(page.url)
    if not relevant:
        raise BadInput(f"none of the {len(web):,} pages of this web matches {topic}; nothing to start from")
    return random.Random(random_seed).sample(sorted(relevant), min(DRAWN_SEEDS, len(relevant)))


def _parents(web: Archive) -> dict[str, list[Page]]:
    found: dict[str, list[Page]] = {}
    for page in web.pages():
        for target in {link.url for link in page.links}:
            found.setdefault(target, []).append(replace(page, links=()))
    return found


@dataclass(frozen=True)
class Told:
    """Where a crawl tells how it goes, beside the terminal."""

    as_json: bool = False
    visits: Path | None = None
    log: Path | None = None
    dashboard: bool = False
    port: int = 0

    def spare(self, directory: Path | None) -> None:
        """Refuse to write over files of a crawl, before anything is done to it."""
        for path in filter(None, (self.visits, self.log)):
            spare_own_files(path, directory)


def crawl_into(crawl: Crawl, told_to: Told) -> None:
    """Run a crawl to its end, show how it goes, and tell what came of it."""
    visits, as_json = told_to.visits, told_to.as_json
    if visits:
        with told_plainly(visits):
            visits.open("a").close()  # rather refuse now than after the crawl
    crawl = run_async(_run(crawl, told_to))
    summary = crawl.summary()
    if visits:
        with told_plainly(visits):
            visits.write_text("".join(f"{crawl.graph.url(i)}\n" for i in crawl.graph.visited().tolist()))
    stopped = summary.stopped in ("interrupted", "terminated", "dashboard")
    problem = "" if summary.done or stopped else _why_nothing(summary, crawl.web.troubles())
    if as_json:
        typer.echo(json.dumps({**summary.to_dict(), **({"error": problem} if problem else {})}))
    else:
        typer.echo(told(crawl, summary))
    if problem:
        typer.echo(f"honeyguide: {plain(problem)}", err=True)
        raise typer.Exit(1)
    if summary.stopped == "interrupted":
        raise typer.Exit(130)


def _why_nothing(summary: Summary, troubles: dict[str, str]) -> str:
    reasons = [f"{reason} ({count})" for reason, count in {**summary.failed, **summary.excluded}.items()]
    reasons += [f"{origin}/robots.txt: {trouble}" for origin, trouble in list(troubles.items())[:3]]
    if "private_address" in summary.excluded:
        return f"no page could be fetched: {', '.join(reasons)}. If you mean these addresses, add --allow-private"
    if summary.excluded and not summary.failed and not troubles:
        return f"no page could be fetched: {', '.join(reasons)}. Loosen --allow or --deny, or seed elsewhere"
    if not reasons:
        return f"no page was fetched: {why_stopped(summary.stopped)}"
    return f"no page could be fetched: {', '.join(reasons)}. Are the seeds right, and is the network there?"


async def _run(crawl: Crawl, told_to: Told) -> Crawl:
    """Run a crawl; the one that ended, which is another where it learned from marks in between."""
    from honeyguide.dashboard import Journal, Session

    loop, asked = asyncio.get_running_loop(), list[str]()
    with Journal(told_to.log) as journal:
        session = Session(crawl, lambda settings: crawl_of(settings, crawl.directory), journal)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            reason = "interrupted" if number == signal.SIGINT else "terminated"
            loop.add_signal_handler(number, _stop, session, reason, asked)
        async with (
            served(session, crawl.directory, told_to.port) if told_to.dashboard else contextlib.nullcontext(),
            Progress(crawl) as progress,
        ):
            async for visit in session:
                progress.follow(session.crawl)
                progress.update(visit)
    return session.crawl


def _stop(crawl: Session, reason: str, asked: list[str]) -> None:
    asked.append(reason)
    if len(asked) > 1:
        signal.raise_signal(signal.SIGKILL)  # asked twice: nothing is lost by going at once
    sys.stderr.write("\nStopping: requests under way are given a few seconds …\n")
    crawl.stop(reason)


def told(crawl: Crawl, summary: Summary) -> str:
    """What came of a crawl, in plain words."""
    lines = [
        f"Fetched {summary.fetched:,} pages in {duration(summary.seconds)}; {summary.relevant:,} are relevant: "
        f"harvest {summary.harvest:.1%}. Stopped: {why_stopped(summary.stopped, bool(summary.held_back))}.",
        f"Of {summary.discovered:,} URLs found: {summary.done:,} done, {_by_reason('failed', summary.failed)}, "
        f"{_by_reason('excluded', summary.excluded)}, {summary.queued:,} queued.",
    ]
    if summary.forecast:
        lines.append(f"Relevant pages to be expected, four times in five: {summary.forecast}.")
    if crawl.store and crawl.store.archive.repaired:
        lines.append(f"{crawl.store.archive.repaired:,} bytes that a killed run left unfinished were cut off first.")
    if crawl.store and crawl.store.archive.undone:
        lines.append(
            f"{crawl.store.archive.undone:,} visits did not outlive a crash of the machine and were undone first."
        )
    if summary.held_back:
        lines.append(
            f"{summary.held_back:,} of the queued URLs are held back: {crawl.strategy.name} sees no use in them."
        )
    lines += [f"{name}: {value}." for name, value in summary.learned.items()]
    lines += [f"{remark[:1].upper()}{remark[1:]}." for remark in summary.remarks[:REMARKS_SHOWN]]
    if len(summary.remarks) > REMARKS_SHOWN:
        lines.append(f"… and {len(summary.remarks) - REMARKS_SHOWN:,} more like these.")
    if rendering := rendering_told(summary.notes):
        lines.append(rendering)
    if summary.flags:
        lines.append(f"Not counted: {_listed(summary.flags)}.")
    if summary.changes:
        lines.append(f"Since the crawl before: {_listed(summary.changes)}.")
    if summary.unjudged:
        lines.append(f"{summary.unjudged:,} pages were not judged; going on with the crawl judges them first.")
    if missing := summary.excluded.get("not_in_archive"):
        lines.append(f"The archive was asked {missing:,} times for a page it does not hold; these are not counted.")
    if crawl.directory:
        if summary.queued and summary.stopped != "nothing_left":
            lines.append(f"Go on with: honeyguide crawl {crawl.directory}{_with_a_limit_lifted(crawl, summary)}")
        lines.append(f"Report:     honeyguide report {crawl.directory}")
    return plain("\n".join(lines))


def _with_a_limit_lifted(crawl: Crawl, summary: Summary) -> str:
    """The option without which a crawl that goes on would end at once, for the same reason."""
    lifted = {
        "pages": f" --pages {summary.fetched * 2}",
        "max_bytes": f" --max-bytes {2 * (crawl.settings.max_bytes or 1)}",
        "until_yield": " --until-yield 0",
    }
    return lifted.get(summary.stopped, "")


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items())


def _by_reason(name: str, counts: dict[str, int]) -> str:
    total = f"{sum(counts.values()):,} {name}"
    detail = ", ".join(f"{reason} {count:,}" for reason, count in list(counts.items())[:REASONS_SHOWN])
    detail += ", …" if len(counts) > REASONS_SHOWN else ""
    return f"{total} ({detail})" if detail else total

"""The command `compare --suite`: one comparison a web, kept as they are made, and the leaderboard over all."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from honeyguide.base import BadInput
from honeyguide.cli.comparing import Line, Output, cores
from honeyguide.cli.terminal import plain
from honeyguide.evaluate import compare, read_collection
from honeyguide.evaluate.collection import check_names, folder_name
from honeyguide.evaluate.design import FAR, NEAR
from honeyguide.evaluate.suite import GENERATED, Standings, suite_design, suite_strategies, told_standings
from honeyguide.evaluate.table import heading
from honeyguide.report.markup import document, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honeyguide.evaluate import Comparison, Design

ABOUT = """# Leaderboard

Made by `honeyguide compare --suite` (see [comparing strategies](compare.md#the-leaderboard)): all strategies
from the same seeds, 10 % of the pages of each web, only topics that nothing was tuned on. nAUC is the mean over
the crawl of relevant pages found by those that could have been found; in brackets, 95 % intervals over topics, those
of the differences to honeyguide corrected (Bonferroni): in 95 % all of a table hold together.
*Of the oracle*: the share of the nAUC that knowing every verdict beforehand gives. p: paired Wilcoxon test over
topics against honeyguide, Holm-corrected; W/T/L: topics won, tied and lost against it. `genetic`,
`tunnel` and `honeyguide:searches=20` search an index of the whole web, which the others do not, and which no crawl
of a live web has; `genetic:mutation=0` does not search. In crawls as short as these, `ache` hardly ever trains its
classifier and `tres` its network only near the end ([rivals](rivals.md)). On the generated webs no anchor and no
address holds a topic's keywords, so that `crawl4ai` has nothing to go by there. µs/link is all a crawl does,
page and verdict included, by the links it met."""
ABOUT_ABLATIONS = """# Ablations

The same for honeyguide without groups of evidence, without the topic's keywords, without credit for what a page
leads to (`future=0`), without learning from fetches (`firmness=1000`), without chance where nothing was found
(`exploration=0`), and with all a host or folder ever brought in place of what it brought lately
(`memory=1000000`)."""


def run_suite(
    webs: Sequence[str],
    outside: Sequence[str],
    ablations: bool,
    asked: Design,
    jobs: int | None,
    output: Path | None,
) -> None:
    """Make all crawls that are not made yet, and write the leaderboard as text and as a page.

    Of what is asked, topics, seed sets and the random seed count; the rest of the design is the suite's.
    """
    if output is None:
        raise BadInput("a suite takes long: name a directory to keep its crawls in, with -o DIR")
    design = suite_design(asked.topics or 60, asked.seed_sets, asked.random_seed)
    names = suite_strategies(ablations)
    check_names((*GENERATED, *webs, *outside))
    made = {web: _compared(web, names, design, jobs, output) for web in (*GENERATED, *webs, *outside)}
    verdict = [made[web] for web in (*GENERATED, *webs)]
    parts = [Standings("All webs", verdict), Standings("Generated webs", verdict[: len(GENERATED)])]
    parts += [Standings(Path(web).name, [made[web]]) for web in webs]
    parts += [Standings(f"{Path(web).name} (outside the verdict)", [made[web]]) for web in outside]
    name = "ablations" if ablations else "leaderboard"
    about = f"{ABOUT_ABLATIONS if ablations else ABOUT} Seed sets for each topic: {design.seed_sets}."
    told = f"{about}\n\n{told_standings(parts)}\n"
    (output / f"{name}.md").write_text(told, encoding="utf-8")
    (output / f"{name}.html").write_text(_page(parts), encoding="utf-8")
    typer.echo(plain(told_standings(parts[:1])))
    typer.echo(f"All tables: {output / name}.md and .html", err=True)


def _compared(web: str, names: Sequence[str], design: Design, jobs: int | None, output: Path) -> Comparison:
    folder, line = output / folder_name(web), Line()
    try:
        made = compare(read_collection(web), names, [], design, jobs=jobs or cores(), progress=line.show, log=folder)
    except BadInput as error:
        raise BadInput(f"{web}: {error}. The crawls of other webs are kept: go on without this one") from error
    line.clear()
    Output(folder).write(made)
    return made


def _page(parts: Sequence[Standings]) -> str:
    body = "".join(
        f"<h2>{escape(part.title)}</h2>" + "".join(_table(part, start) for start in (NEAR, FAR)) for part in parts
    )
    return document("Leaderboard", f"<h1>Leaderboard</h1>{body}", "body { max-width: 90rem; }")


def _table(part: Standings, start: str) -> str:
    heads, rows = part.table(start)
    cells = [list(map(escape, each)) for each in rows]
    tables = f"<p class=asked>{escape(heading(start))}</p>{table(list(map(escape, heads)), cells)}"
    return f"{tables}<p>{escape(part.among_searchers(start))}</p>"

"""Making one experiment or all of them, and keeping what they bring."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from honeyguide.base import BadInput
from honeyguide.reproduce.findings import Paper, Reproduction, Scale
from honeyguide.reproduce.page import written
from honeyguide.store import new_file

if TYPE_CHECKING:
    from pathlib import Path


def papers() -> dict[str, type[Paper]]:
    """All experiments by name, in the order of their years."""
    from honeyguide.reproduce.aggarwal import Aggarwal
    from honeyguide.reproduce.johnson import Johnson
    from honeyguide.reproduce.kusmierczyk import Kusmierczyk
    from honeyguide.reproduce.pal import Pal
    from honeyguide.reproduce.yohanes import Yohanes

    found: list[type[Paper]] = [Aggarwal, Johnson, Pal, Yohanes, Kusmierczyk]
    return {paper.name: paper for paper in found}


def reproduced(name: str, scale: Scale) -> Reproduction:
    """Make the experiment of one paper."""
    paper = papers()[name]()
    began = time.monotonic()
    made = paper.run(scale)
    missing = set(paper.claims) - {finding.claim for finding in made.findings}
    assert not missing, f"{name} left out {sorted(missing)}"
    return replace(made, quick=scale.quick, seconds=round(time.monotonic() - began, 1))


def chosen(name: str) -> list[str]:
    """The papers that a word on the command line means."""
    known = list(papers())
    if name != "all" and name not in known:
        raise BadInput(f"there is no paper {name!r}; there are {', '.join(known)}, and all")
    return known if name == "all" else [name]


def keep(made: Reproduction, directory: Path) -> None:
    """Keep what an experiment brought, beside those of others."""
    with new_file(directory / f"{made.paper}.json") as fresh:
        fresh.write_text(json.dumps(made.to_dict(), indent=1), encoding="utf-8")


def page_of(directory: Path) -> str:
    """The page about all experiments that are kept in a directory."""
    kept = []
    for name, paper in papers().items():
        if (path := directory / f"{name}.json").is_file():
            kept.append((paper(), _kept(path)))
    return written(kept)


def _kept(path: Path) -> Reproduction:
    try:
        return Reproduction.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except ValueError as error:
        raise BadInput(f"{path} is damaged: {error}; delete it and make the experiment again") from None

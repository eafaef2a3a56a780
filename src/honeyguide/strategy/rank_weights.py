"""The weights of the rank function: their names, Table 1 of the paper, and files of them.

Johnson, Tsioutsiouliklis, Giles: Evolving strategies for focused web crawling, 2003.
"""

from __future__ import annotations

import json
import math
import re
import reprlib
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from honeyguide.base import BadInput
from honeyguide.characters import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    Weights = dict[str, float]  # by the names of scores, all of them, in their order
    Stages = list[tuple[int, Weights]]  # and the number of visits from which on they are those to go by

FIRST_SCORES = ("hub", "authority", "comm_in", "comm_out")
LAST_SCORES = ("anchor", "host")  # which the paper wishes for; they may be left out
MOST_GENERATIONS = 20
TOLERANCE = 0.001  # by which a sum of weights may miss 1
ROUNDING = 1e-9  # of that sum itself
BEST_FIRST = "best-first"
_PARENT = re.compile(r"parent_([1-9][0-9]{0,8})")

TABLE_1: Weights = {
    "hub": 0.025828,
    "authority": 0.025852,
    "comm_in": 0.196382,
    "comm_out": 0.312661,
    "parent_1": 0.250646,
    "parent_2": 0.093023,
    "parent_3": 0.080103,
    "parent_4": 0.005168,
    "parent_5": 0.010336,
}
GENERATIONS = 5  # of parents, in Table 1


def score_names(generations: int) -> tuple[str, ...]:
    """The names of all scores, in the paper's order."""
    return *FIRST_SCORES, *(f"parent_{k}" for k in range(1, generations + 1))


def oldest(weights: Mapping[str, float]) -> int:
    """The oldest generation of parents that any weight is given to; at least the first."""
    return max([generation(name) for name, weight in weights.items() if weight], default=1) or 1


def generation(name: str) -> int:
    """Which generation of parents a score is about; 0 when about none."""
    found = _PARENT.fullmatch(name)
    return int(found[1]) if found else 0


def is_score(name: str) -> bool:
    """Whether this names a score, of however old a generation."""
    return name in FIRST_SCORES or name in LAST_SCORES or generation(name) > 0


def that_count(weights: Mapping[str, float]) -> Weights:
    """The weights that ranks are made with: neither generations too old to count nor last scores without weight."""
    names = score_names(oldest(weights))
    return {n: w for n, w in weights.items() if n in names or (n in LAST_SCORES and w)}


def table_1(generations: int) -> Weights:
    """The paper's weights; for fewer than its five generations, what is left of them made to sum to what it did."""
    names = score_names(generations)
    kept = {name: TABLE_1.get(name, 0.0) for name in names}
    scale = sum(TABLE_1.values()) / sum(kept.values())
    return {name: weight * scale for name, weight in kept.items()} if generations < GENERATIONS else kept


def chosen_stages(source: str, given: Mapping[str, Any], generations: int) -> Stages:
    """The weights that a strategy was told to use: of a file, by a word, one by one, or else the paper's."""
    if given and source:
        raise BadInput(f"weights={source} and single weights exclude each other; leave out one or the other")
    if given or source == BEST_FIRST:
        return [(0, filled_up(given or {"parent_1": 1.0}, generations, "evolved"))]
    if not source:
        return [(0, table_1(generations))]
    stages = read_stages(source)
    k = max(generation(name) for _, weights in stages for name in weights)
    if generations not in (GENERATIONS, k):
        raise BadInput(
            f"{source} has weights for {k} generations of parents, not {generations}; leave generations out"
        )
    return stages


def together(stages: Stages) -> Weights:
    """The largest weight that each score has in any stage: those that count at all are not zero."""
    names = dict.fromkeys(name for _, weights in stages for name in weights if name not in LAST_SCORES)
    names |= dict.fromkeys(name for name in LAST_SCORES if any(name in weights for _, weights in stages))
    return {name: max(weights.get(name, 0.0) for _, weights in stages) for name in names}


def filled_up(given: Mapping[str, Any], generations: int, source: str) -> Weights:
    """Some weights, checked; scores that are not named get none."""
    names = score_names(generations)
    oldest = max(map(generation, given), default=0)
    if generations < oldest <= MOST_GENERATIONS:
        raise BadInput(f"{source}: parent_{oldest} needs generations={oldest}, and it is {generations}")
    return checked({**dict.fromkeys(names, 0.0), **given}, source)


def checked(given: Mapping[str, Any], source: str) -> Weights:
    """Weights in the order of their names; refused unless they are all there and sum to 1."""
    generations = max(1, *map(generation, given)) if given else 1
    if generations > MOST_GENERATIONS:
        raise BadInput(f"{source}: parent_{generations} is too far back; parent_{MOST_GENERATIONS} may be the last")
    names = score_names(generations)
    for name in given:
        if name not in names and name not in LAST_SCORES:
            raise BadInput(f"{source}: there is no score {name!r}; there are {_all_names()}")
    for name in names:
        if name not in given:
            raise BadInput(f"{source}: the weight of {name} is missing; give one, 0 if it is to count for nothing")
    names = (*names, *(name for name in LAST_SCORES if name in given))
    weights = {name: _number(given[name], name, source) for name in names}
    total = math.fsum(weights.values())
    if abs(total - 1) > TOLERANCE + ROUNDING:
        raise BadInput(f"{source}: the weights sum to {total:.6g}; make them sum to 1 (within {TOLERANCE})")
    return weights


def _all_names() -> str:
    last = " and ".join(LAST_SCORES)
    return f"{', '.join(FIRST_SCORES)} and parent_1, parent_2 … up to parent_{MOST_GENERATIONS}; {last} if wanted"


def _number(value: Any, name: str, source: str) -> float:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1 + TOLERANCE:  # NaN is refused as well
        raise BadInput(f"{source}: the weight of {name} is {reprlib.repr(value)}; a number from 0 to 1 is needed")
    return float(value)


def read_stages(path: str | Path) -> Stages:
    """The weights in a file, and those of later stages of a crawl where it has any."""
    content = _content(path)
    stages = content.get("stages") if isinstance(content, dict) else None
    if stages is None:
        return [(0, read_weights(path))]
    if not isinstance(stages, list) or not stages or not all(isinstance(stage, dict) for stage in stages):
        raise BadInput(f"{path}: 'stages' is no list of tables, each with 'after' and 'weights'")
    starts = [stage.get("after") for stage in stages]
    if not all(type(start) is int for start in starts) or starts[0] != 0 or sorted(set(starts)) != starts:
        raise BadInput(f"{path}: stages begin after {starts} visits; whole numbers are needed, 0 first, each higher")
    named = [(stage["after"], stage.get("weights", {})) for stage in stages]
    return [(after, checked(weights, f"{path}, the stage after {after} visits")) for after, weights in named]


def read_weights(path: str | Path) -> Weights:
    """The table `weights` of a TOML file, or of a JSON file where its name ends so."""
    content = _content(path)
    table = content.get("weights") if isinstance(content, dict) else None
    if not isinstance(table, dict):
        raise BadInput(f"{path} has no table 'weights'; it needs one with {_all_names()}")
    return checked(table, str(path))


def _content(path: str | Path) -> Any:
    try:
        text = Path(path).read_text(encoding="utf-8")
        return json.loads(text) if Path(path).suffix.lower() == ".json" else tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise BadInput(
            f"the weights {str(path)!r} cannot be read ({error}); name a TOML or JSON file with a table"
            f" 'weights', or {BEST_FIRST}"
        ) from None


def write_stages(path: str | Path, stages: Stages, header: str = "") -> None:
    """Keep weights in a file that `read_stages` reads, with a few words about them at its head."""
    import tomli_w

    named = [{"after": after, "weights": checked(weights, str(path))} for after, weights in stages]
    table = {"weights": named[0]["weights"]} if len(named) == 1 else {"stages": named}
    if Path(path).suffix.lower() == ".json":
        text = json.dumps({"about": header, **table} if header else table, indent=2) + "\n"
    else:
        text = "".join(f"# {printable(line)}".rstrip() + "\n" for line in header.splitlines()) + tomli_w.dumps(table)
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"the weights cannot be written: {error}; name a file in a folder that is there") from None

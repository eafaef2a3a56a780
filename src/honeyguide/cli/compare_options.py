"""What `compare` can be told about its design; imported by the command line, so it imports next to nothing."""

from __future__ import annotations

from dataclasses import dataclass

from honeyguide.base import knob


@dataclass
class DesignOptions:
    """The options of a `Design`, which has the last word on each; a test holds names and defaults against it."""

    topics: int | None = knob(None, "how many topics to choose [default: 10, or those of a synthetic web]")
    labels: bool = knob(False, "choose labels of the web as topics, not phrases")
    start: str = knob("both", "near (on relevant pages), far (links away from any), or both")
    seeds: int = knob(5, "pages a crawl starts from")
    seed_sets: int = knob(3, "how often seeds are drawn for each topic")
    random_seeds: int = knob(1, "crawls of each strategy from the same seeds")
    pages: str = knob("", "pages a crawl may fetch: a number, or a share [default: 5%; 1% of more than 10,000 pages]")
    at: str = knob("", "further budgets to measure at, as in 1%,10%,1R,3R; R: relevant pages in reach")
    part: str = knob("", "only topics that things may be tuned on, or only final ones: tuning or final")
    yardstick: str = knob("", "what others are measured against [default: breadth-first, else the first]")
    random_seed: int = knob(0, "makes every random choice repeatable")

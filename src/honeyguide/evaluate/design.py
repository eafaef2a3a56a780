"""How a comparison is made: as much of it as a user can choose."""

from __future__ import annotations

import re
from dataclasses import dataclass

from honeyguide.base import BadInput, check_bounds, knob

NEAR, FAR = "near", "far"
STARTS = {NEAR: (NEAR,), FAR: (FAR,), "both": (NEAR, FAR)}
YARDSTICK = "breadth-first"


@dataclass(frozen=True)
class Design:
    """Topics and seeds are drawn from the web itself; the same design on the same web draws the same."""

    topics: int | None = knob(None, "how many topics to choose [default: 10, or those a generated web has]", 1)
    labels: bool = knob(False, "choose among the labels of the web, not among its phrases")
    start: str = knob("both", "near: on relevant pages; far: three links or more from any; or both")
    seeds: int = knob(5, "how many pages a crawl starts from", 1)
    seed_sets: int = knob(3, "how often seeds are drawn for each topic", 1)
    pages: int | str = knob("5%", "pages a crawl may fetch: a number, or a share of the web such as 5%")
    random_seed: int = knob(0, "makes every random choice repeatable", 0)
    yardstick: str = knob("", "the strategy others are measured against [default: breadth-first, else the first]")

    def __post_init__(self) -> None:
        check_bounds(self)
        if self.start not in STARTS:
            raise BadInput(f"crawls start {', '.join(STARTS)}; there is no start {self.start!r}")

    @property
    def starts(self) -> tuple[str, ...]:
        """The starts that are compared."""
        return STARTS[self.start]

    def budget(self, size: int) -> int:
        """How many pages a crawl of a web of this size may fetch."""
        match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(%?)\s*", str(self.pages))
        if not match or (not match[2] and "." in match[1]):
            raise BadInput(f"--pages {self.pages!r}: write a number such as 500, or a share of the web such as 5%")
        pages = round(size * float(match[1]) / 100) if match[2] else int(match[1])
        if pages > size:
            raise BadInput(f"the web has {size:,} pages, fewer than the {pages:,} to fetch; say --pages 5%, or less")
        if pages <= self.seeds:
            raise BadInput(
                f"--pages {self.pages} of a web of {size:,} pages is {pages:,}, and {self.seeds:,} seeds leave "
                f"nothing to choose; say more --pages or fewer --seeds"
            )
        return pages

    def measured_against(self, strategies: list[str]) -> str:
        """The yardstick among these strategies."""
        if self.yardstick and self.yardstick not in strategies:
            raise BadInput(f"the yardstick {self.yardstick!r} is not compared; it is one of {', '.join(strategies)}")
        return self.yardstick or (YARDSTICK if YARDSTICK in strategies else strategies[0])

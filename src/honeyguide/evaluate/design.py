"""How a comparison is made: as much of it as a user can choose; the command line makes options of it."""

from __future__ import annotations

from dataclasses import dataclass

from honeyguide.base import BadInput, check_bounds, knob
from honeyguide.evaluate.budgets import TARGETS, Budget, read_budget, read_budgets, usual
from honeyguide.text import stable_hash

NEAR, FAR = "near", "far"
STARTS = {NEAR: (NEAR,), FAR: (FAR,), "both": (NEAR, FAR)}
PARTS = ("", "tuning", "final")
YARDSTICK = "breadth-first"


def is_for_tuning(topic: str) -> bool:
    """Whether things may be tuned on a topic, or it is kept for the final word: a bit of the hash of its name."""
    return not stable_hash(topic)[0] & 1


@dataclass(frozen=True)
class Design:
    """Topics and seeds are drawn from the web itself; the same design on the same web draws the same."""

    topics: int | None = knob(None, "how many topics to choose [default: 10, or those a generated web has]", 1)
    labels: bool = knob(False, "choose among the labels of the web, not among its phrases")
    start: str = knob("both", "near: on relevant pages; far: three links or more from any; or both")
    seeds: int = knob(5, "how many pages a crawl starts from", 1)
    seed_sets: int = knob(3, "how often seeds are drawn for each topic", 1)
    pages: int | str = knob(
        "", "pages a crawl may fetch: a number, or a share [default: 5%; 1% of more than 10,000 pages]"
    )
    random_seed: int = knob(0, "makes every random choice repeatable", 0)
    yardstick: str = knob("", "the strategy others are measured against [default: breadth-first, else the first]")
    random_seeds: int = knob(1, "how often each strategy crawls from the same seeds, with other random numbers", 1)
    at: str = knob("", "further budgets to measure at, such as 1%,10%,1R,3R; R: relevant pages that can be reached")
    part: str = knob("", "only topics that things may be tuned on, or only final ones: tuning or final")

    def __post_init__(self) -> None:
        check_bounds(self)
        if self.part not in PARTS:
            raise BadInput(f"topics are for tuning or final; there is no part {self.part!r}")
        if self.start not in STARTS:
            raise BadInput(f"crawls start {', '.join(STARTS)}; there is no start {self.start!r}")

    @property
    def starts(self) -> tuple[str, ...]:
        """The starts that are compared."""
        return STARTS[self.start]

    @property
    def further(self) -> tuple[Budget, ...]:
        """The budgets beside the main one."""
        return read_budgets(self.at, "--at")

    def budget(self, size: int) -> int:
        """How many pages a crawl of a web of this size may fetch."""
        found = read_budget(self.pages) if str(self.pages).strip() else Budget(usual(size))
        if found is None or found.unit == TARGETS:
            raise BadInput(f"--pages {self.pages!r}: write a number such as 500, or a share of the web such as 5%")
        self._check(str(self.pages) or str(found), found.pages(size), size)
        return found.pages(size)

    def cuts(self, size: int, reachable: int) -> tuple[int, ...]:
        """The further budgets in pages, from seeds that so many relevant pages can be reached from.

        A crawl cannot fetch more than there is: where 3R is more than the web, the whole web is meant.
        """
        for budget in self.further:
            if budget.unit != TARGETS:
                self._check(str(budget), budget.pages(size), size)
        return tuple(max(1, min(budget.pages(size, reachable), size)) for budget in self.further)

    def _check(self, written: str, pages: int, size: int) -> None:
        if pages > size:
            raise BadInput(f"the web has {size:,} pages, fewer than the {pages:,} to fetch; say --pages 5%, or less")
        if pages <= self.seeds:
            raise BadInput(
                f"{written} of a web of {size:,} pages is {pages:,}, and {self.seeds:,} seeds leave "
                f"nothing to choose; say more --pages or fewer --seeds"
            )

    def takes(self, topic: str) -> bool:
        """Whether a topic is of the part that is asked for."""
        return not self.part or is_for_tuning(topic) == (self.part == "tuning")

    def measured_against(self, strategies: list[str]) -> str:
        """The yardstick among these strategies."""
        if self.yardstick and self.yardstick not in strategies:
            raise BadInput(f"the yardstick {self.yardstick!r} is not compared; it is one of {', '.join(strategies)}")
        return self.yardstick or (YARDSTICK if YARDSTICK in strategies else strategies[0])

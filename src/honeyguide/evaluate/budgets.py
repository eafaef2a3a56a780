"""How long a crawl may be: a number of pages, a share of the web, or a multiple of what there is to find."""

from __future__ import annotations

import re
from dataclasses import dataclass

from honeyguide.base import BadInput

SHARE, TARGETS = "%", "R"
_WRITTEN = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([%R]?)\s*", re.IGNORECASE | re.ASCII)
USUAL, OF_LARGE, LARGE, LEAST = 0.05, 0.01, 10_000, 300


@dataclass(frozen=True)
class Budget:
    """A budget as it was written; `R` stands for the relevant pages that can be reached from the seeds."""

    number: float
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.number:g}{self.unit}"

    def pages(self, size: int, reachable: int = 0) -> int:
        """How many pages that is, on a web of this size.

        >>> Budget(5, "%").pages(8080), Budget(3, "R").pages(8080, 40), Budget(70).pages(8080)
        (404, 120, 70)
        """
        whole = {SHARE: size / 100, TARGETS: float(reachable)}.get(self.unit, 1.0)
        return round(self.number * whole)


def read_budget(text: str | int) -> Budget | None:
    """A budget from a text; None where it is none.

    >>> read_budget(" 2.5 % "), read_budget("3r"), read_budget("1.5")
    (Budget(number=2.5, unit='%'), Budget(number=3.0, unit='R'), None)
    """
    match = _WRITTEN.fullmatch(str(text))
    if not match or (not match[2] and "." in match[1]):
        return None
    return Budget(float(match[1]), match[2].upper())


def read_budgets(text: str, option: str) -> tuple[Budget, ...]:
    """Several, with commas between them."""
    found = [read_budget(part) for part in text.split(",")] if text.strip() else []
    if None in found or any(budget and not budget.number for budget in found):
        raise BadInput(f"{option} {text!r}: write numbers such as 500, shares such as 5%, and multiples such as 3R")
    return tuple(dict.fromkeys(budget for budget in found if budget))


def usual(size: int) -> int:
    """Where none is named: 5 % of the pages; of a large web, whose crawls take long, 1 %, but no less than 300.

    >>> usual(2000), usual(20_000), usual(1_000_000)
    (100, 300, 10000)
    """
    return round(USUAL * size) if size <= LARGE else max(LEAST, round(OF_LARGE * size))

"""The trap: a calendar with a page for every month of every year, each linking to the next."""

from __future__ import annotations

import random
import re

from honeyguide.synthetic import words
from honeyguide.synthetic.render import Anchor, Sheet, Template, render
from honeyguide.synthetic.text import sentences

ENTRY = "/calendar?month=1&year=2025"
_MONTH = re.compile(r"/calendar\?month=(1[0-2]|[1-9])&year=(0|[1-9]\d{0,8})")


def _address(months: int) -> str:
    return f"/calendar?month={months % 12 + 1}&year={months // 12}"


def calendar_page(path: str, site: str, look: Template, seed: int) -> str | None:
    """The page of a month; None when the path is no month."""
    match = _MONTH.fullmatch(path)
    if match is None:
        return None
    month, year = int(match[1]), int(match[2])
    now, rng = year * 12 + month - 1, random.Random(f"{seed} {path}")
    steps = ((-12, "Last year"), (-1, "Last month"), (1, "Next month"), (12, "Next year"))
    sheet = Sheet(
        site=site,
        title=f"{words.MONTHS[month - 1]} {year}",
        text=sentences(None, words.GENERAL, rng),
        menu=[Anchor("/", "Home"), Anchor(ENTRY, "Calendar")],
        content=[Anchor(_address(now + step), text) for step, text in steps if now + step >= 0],
        footer=(),
        network=(),
        prose=False,
    )
    return render(sheet, look, rng)

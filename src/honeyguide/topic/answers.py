"""What a user's function answers, checked: one score from 0 to 1 for each page."""

from __future__ import annotations

import inspect
import math
from typing import Any

from honeyguide.base import HoneyguideError


class FunctionFailed(HoneyguideError):
    """A user's function raised an error, or answered with something that is no score."""

    def __init__(self, name: str, what: str) -> None:
        super().__init__(f"the function {name} {what}")


def checked_answer(answer: Any, name: str) -> float:
    """The score a function gave one page."""
    if inspect.iscoroutine(answer):
        answer.close()
        raise FunctionFailed(name, "answered with a coroutine; write it as an async function")
    try:
        score = math.nan if isinstance(answer, (str, bytes)) else float(answer)
    except (TypeError, ValueError):
        score = math.nan
    if not 0 <= score <= 1:
        raise FunctionFailed(name, f"answered {answer!r}, not a score between 0 and 1")
    return score


def checked_answers(answers: Any, number: int, name: str) -> list[float]:
    """The scores a function gave a batch of pages."""
    try:
        several = list(answers)
    except TypeError:
        checked_answer(answers, name)
        raise FunctionFailed(name, f"answered {answers!r}, not a list of scores") from None
    if len(several) != number:
        raise FunctionFailed(name, f"answered {len(several)} scores for {number} pages")
    return [checked_answer(answer, name) for answer in several]

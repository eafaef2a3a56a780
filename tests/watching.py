"""Whoever watches an experiment: what it is told of, and a terminal that a line is drawn on."""

from __future__ import annotations

import io
import re
import sys

import pytest

from honeyguide.cli.reproducing import run_papers
from honeyguide.reproduce.findings import Scale
from honeyguide.reproduce.running import Reproduction, reproduced


class Terminal(io.StringIO):
    """Says that it is one."""

    def isatty(self) -> bool:
        return True


def watched(name: str) -> Reproduction:
    """An experiment made small, of which every part must have been counted."""
    told: list[tuple[int, int]] = []
    made = reproduced(name, Scale(quick=True, progress=lambda done, total: told.append((done, total))))
    _check(told)
    return made


def watched_on_a_terminal(name, directory) -> None:
    """The same, by the command, whose line must have told it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", Terminal())
        run_papers(name, directory, Scale(quick=True))
        drawn = sys.stderr.getvalue()
    assert drawn.endswith("\r\x1b[K")  # the line is taken away
    _check([(int(done), int(total)) for done, total in re.findall(rf"\r{name}: (\d+)/(\d+) parts", drawn)])


def _check(told: list[tuple[int, int]]) -> None:
    begins = [i for i, (done, _) in enumerate(told) if done == 0]
    assert begins
    for begin, end in zip(begins, [*begins[1:], len(told)], strict=True):
        total = told[begin][1]
        assert total > 1
        assert told[begin:end] == [(done, total) for done in range(total + 1)]

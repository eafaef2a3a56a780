"""Crawls that are made, one line each, appended as they end: a comparison that was stopped goes on from there."""

from __future__ import annotations

import fcntl
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from honeyguide.base import BadInput
from honeyguide.evaluate.comparison import Result
from honeyguide.store.errors import told_plainly
from honeyguide.strategy import create

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

KEPT_AS = "crawls.jsonl"
FORMAT = 1
DAMAGE = (ValueError, TypeError, KeyError, AttributeError, RecursionError)

About = dict[str, Any]  # what all crawls of a log share: web, design, topics; as JSON holds it


class Logbook:
    """The log of one comparison. The first line says what it is of; any other web or design is refused."""

    def __init__(self, directory: Path, about: Mapping[str, Any]) -> None:
        self.path = directory / KEPT_AS
        self.made: dict[tuple[Any, ...], Result] = {}
        self.damaged: list[int] = []  # numbers of lines
        self._versions: dict[str, int] = {}
        with told_plainly(directory):
            directory.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("a+b")
        try:
            self._lock()
            self._begin(json.loads(json.dumps({"format": FORMAT, **about})))
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadInput(f"another comparison is writing {self.path}; wait for it or stop it first") from None

    def _begin(self, about: About) -> None:
        self._file.seek(0)
        whole, newline, torn = self._file.read().rpartition(b"\n")
        lines = (whole + newline).splitlines()
        if torn:  # the last line of a process that was killed
            self._file.truncate(len(whole) + len(newline))
        if not lines:
            self._write(about)
            return
        _refuse_other(self.path, lines[0], about)
        self._read(lines[1:])

    def _read(self, lines: list[bytes]) -> None:
        for number, line in enumerate(lines, 2):
            try:
                self._take(json.loads(line))
            except DAMAGE:
                self.damaged.append(number)

    def catch_up(self) -> None:
        """See what the file holds: whoever was interrupted cannot know whether the last crawl was written."""
        self._file.seek(0)
        self.damaged.clear()
        self._read(self._file.read().splitlines()[1:])

    def _take(self, kept: dict[str, Any]) -> None:
        version = kept.pop("version")
        result = Result.from_dict(kept)
        if version == self._version(result.strategy):
            self.made[result.job] = result

    def _version(self, strategy: str) -> int:
        """A strategy that does something else than it did when it was logged has to crawl again."""
        if strategy not in self._versions:
            try:
                self._versions[strategy] = create(strategy).version
            except BadInput:  # one that is not there today, and not asked for
                self._versions[strategy] = -1
        return self._versions[strategy]

    def add(self, result: Result) -> None:
        """Keep a crawl."""
        self._write({"version": self._version(result.strategy), **asdict(result)})

    def _write(self, fields: Mapping[str, Any]) -> None:
        with told_plainly(self.path.parent):
            self._file.write(json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
            self._file.flush()

    def close(self) -> None:
        """Let others write."""
        self._file.close()


def _refuse_other(path: Path, line: bytes, about: About) -> None:
    try:
        kept = json.loads(line)
        told = [f"{part}: {_differences(kept[part], value)}" for part, value in about.items() if kept[part] != value]
    except DAMAGE:
        raise BadInput(
            f"{path}: the first line is damaged, so nobody knows what was compared; move it away"
        ) from None
    if told:
        raise BadInput(f"{path} is of another comparison ({'; '.join(told)}); choose another directory with -o")


def _differences(before: Any, now: Any) -> str:
    """What is not as it was.

    >>> _differences({"seeds": 5, "start": "near"}, {"seeds": 2, "start": "near"})
    'seeds was 5 and is 2'
    """
    if not isinstance(before, dict) or not isinstance(now, dict):
        return f"{before} then, {now} now"
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    return ", ".join(f"{name} was {before.get(name)} and is {now.get(name)}" for name in names[:3])

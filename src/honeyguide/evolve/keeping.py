"""The directory of an evolution: what was asked, how far it is, and what came of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from honeyguide.base import BadInput
from honeyguide.evolve.question import Question
from honeyguide.store import new_file
from honeyguide.store.errors import told_plainly

if TYPE_CHECKING:
    from pathlib import Path

STATE = "evolution.json"
FORMAT = 1


class Keeper:
    """Writes everything after every generation, so that one that is interrupted loses no more than that."""

    def __init__(self, directory: Path, question: dict[str, Any]) -> None:
        self.directory = directory
        self._question = question
        self.state: dict[str, Any] = {}
        self._webs: list[str] = []  # stamps of the webs it is on
        self.history: list[dict[str, Any]] = []
        with told_plainly(directory):
            directory.mkdir(parents=True, exist_ok=True)
            if (directory / STATE).is_file():
                self._take_up(self._read())
            elif any(directory.iterdir()):
                raise BadInput(f"{directory} is not empty and holds no evolution; choose another directory with -o")

    def _read(self) -> Any:
        try:
            return json.loads((self.directory / STATE).read_text(encoding="utf-8"))
        except ValueError as error:
            raise BadInput(
                f"{self.directory}/{STATE} is damaged: {error}; choose another directory with -o"
            ) from None

    def _take_up(self, kept: Any) -> None:
        if not isinstance(kept, dict) or kept.get("format") != FORMAT:
            raise BadInput(f"{self.directory}/{STATE} is not of this version; choose another directory with -o")
        try:
            before = {**Question().__dict__, **kept["question"]}  # an earlier version had fewer options
            self.state, self.history, self._webs = kept["state"], kept["history"], kept.get("webs", [])
        except (KeyError, TypeError) as error:
            raise BadInput(
                f"{self.directory}/{STATE} is damaged: no {error}; choose another directory with -o"
            ) from None
        for name, asked in self._question.items():
            if name != "generations" and before[name] != asked:
                raise BadInput(
                    f"{self.directory} holds another evolution: its {name} is {before[name]!r}, not"
                    f" {asked!r}; ask the same to go on with it, or choose another directory with -o"
                )

    def on(self, webs: list[str]) -> None:
        """Go on only with the webs, topics and measures it began with, told by their stamps."""
        if self._webs and self._webs != webs:
            raise BadInput(
                f"{self.directory} holds an evolution on a web, or by topics or a measure, that have changed since;"
                " choose another with -o"
            )
        self._webs = webs

    def keep(self, state: dict[str, Any], row: dict[str, Any] | None = None) -> None:
        """Note where it stands."""
        self.state = state
        self.history += [row] if row else []
        kept = {
            "format": FORMAT,
            "question": self._question,
            "webs": self._webs,
            "state": state,
            "history": self.history,
        }
        self.write(STATE, json.dumps(kept))

    def write(self, name: str, text: str) -> Path:
        """Write a file as a whole, or not at all."""
        with new_file(self.directory / name) as fresh:
            fresh.write_text(text, encoding="utf-8")
        return self.directory / name

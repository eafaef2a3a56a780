"""The note a dashboard leaves in the crawl directory: where it can be reached, readable for its owner only."""

from __future__ import annotations

import json
import os
import socket
from typing import TYPE_CHECKING, NamedTuple

from honeyguide.store.errors import told_plainly

if TYPE_CHECKING:
    from pathlib import Path

NAME = "dashboard.json"


class Note(NamedTuple):
    """Which process serves the dashboard, on which port, and the token it asks for."""

    pid: int
    port: int
    token: str

    @property
    def address(self) -> str:
        """What to open; the token stands behind the #, which browsers keep to themselves."""
        return f"http://127.0.0.1:{self.port}/#token={self.token}"

    def holds(self) -> bool:
        """Whether somebody still listens there."""
        try:
            os.kill(self.pid, 0)
            socket.create_connection(("127.0.0.1", self.port), timeout=2).close()
        except (OSError, OverflowError):  # OverflowError: such a number no process or port can have
            return False
        return True


def leave_note(directory: Path, note: Note) -> None:
    """Write the note; an earlier one goes."""
    with told_plainly(directory):
        (directory / NAME).unlink(missing_ok=True)
        file = os.open(directory / NAME, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w", encoding="ascii") as stream:
            json.dump(note._asdict(), stream)


def take_note_back(directory: Path) -> None:
    """Remove the note, if it is this process's own."""
    note = read_note(directory)
    if note and note.pid == os.getpid():
        (directory / NAME).unlink(missing_ok=True)


def read_note(directory: Path) -> Note | None:
    """The note that was left; None where there is none that can be read."""
    try:
        found = json.loads((directory / NAME).read_text(encoding="ascii"))
        return Note(int(found["pid"]), int(found["port"]), str(found["token"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None

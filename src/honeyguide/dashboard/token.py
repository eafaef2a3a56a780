"""The token of a dashboard: a new one in every run, or one that is kept in a file for who comes again and again."""

from __future__ import annotations

import os
import re
import secrets
from typing import TYPE_CHECKING

from honeyguide.base import BadInput
from honeyguide.store.errors import told_plainly

if TYPE_CHECKING:
    from pathlib import Path

SHORTEST = 32  # characters


def new_token() -> str:
    """256 random bits."""
    return secrets.token_urlsafe(32)


def kept_token(path: Path) -> str:
    """The token that a file holds; where there is no file, one is made that only its owner can read."""
    with told_plainly(path):
        try:
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return _read(path)
        with os.fdopen(file, "w", encoding="ascii") as stream:
            token = new_token()
            stream.write(token)
        return token


def _read(path: Path) -> str:
    if path.stat().st_mode & 0o077:
        raise BadInput(f"others may read the token in {path}: run chmod 600 {path}")
    token = path.read_bytes().strip().decode("latin-1")
    if not re.fullmatch(rf"[A-Za-z0-9._~+/=-]{{{SHORTEST},200}}", token):
        raise BadInput(
            f"{path} holds no token: {SHORTEST} letters and digits or more are needed."
            " Name a file that is not there yet, and one is made"
        )
    return token

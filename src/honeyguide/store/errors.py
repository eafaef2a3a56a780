"""Failures of the disk and of directories, told in one sentence with a way out."""

from __future__ import annotations

import contextlib
import errno
import sqlite3
from typing import TYPE_CHECKING

from honeyguide.base import HoneyguideError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_DAMAGE = ("malformed", "not a database", "no such column", "no such table", "could not decode", "constraint failed")
WAY_OUT = "restore it from a copy, or import the WARC files anew"


class StoreError(HoneyguideError):
    """The crawl directory cannot be read or written."""


class told_plainly:  # noqa: N801 - a class only because it is entered several times a visit, which costs half as much
    """Turn errors of files and of SQLite into a StoreError that says what to do."""

    __slots__ = ("_directory",)

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, (OSError, sqlite3.Error)):
            raise StoreError(_sentence(error, self._directory)) from error


@contextlib.contextmanager
def damage_told(directory: Path) -> Iterator[None]:
    """Turn what nonsense in a database leads to into a StoreError."""
    try:
        yield
    except (LookupError, ValueError, TypeError, OverflowError, AttributeError, MemoryError) as error:
        raise StoreError(f"{directory}/crawl.db is damaged ({type(error).__name__}: {error}); {WAY_OUT}") from error


def _sentence(error: Exception, directory: Path) -> str:
    text = str(error).lower()
    code = error.errno if isinstance(error, OSError) else 0
    if "full" in text or code in (errno.ENOSPC, errno.EDQUOT):
        return (
            f"the disk that holds {directory} is full. Nothing recorded so far is lost: make room, then run the same "
            f"command again"
        )
    if "readonly" in text or code in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{directory} cannot be written to ({error}); choose another directory with -o"
    if code in (errno.EEXIST, errno.ENOTDIR):
        return f"{directory} cannot be a directory: a file stands in its way; choose another directory with -o"
    if "disk i/o error" in text:
        return f"{directory}/crawl.db cannot be read ({error}); look after the disk, or {WAY_OUT}"
    if any(sign in text for sign in _DAMAGE):
        return f"{directory}/crawl.db is damaged ({error}); {WAY_OUT}"
    return f"{directory}: {error}"

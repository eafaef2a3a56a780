"""Files as a whole or not at all, and never in the place of what a crawl directory holds."""

from __future__ import annotations

import contextlib
import os
from fnmatch import fnmatch
from typing import TYPE_CHECKING

from honeyguide.base import BadInput
from honeyguide.store.errors import told_plainly
from honeyguide.strategy.own_files import COPIES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STORED_WEB = "web.json"  # the file that tells an imported or generated web from a crawl

# What a crawl, its dashboard and its search keep in a directory, and what a stored web consists of; docs/format.md.
OWN = ("crawl.toml*", "crawl.db*", "crawl.lock", "*.warc.gz", "marked-*.hg", "dashboard.json", "search.db*", COPIES)
OWN_OF_WEB = (f"{STORED_WEB}*", "*.bin", "search.db*")


def spare_own_files(path: Path, directory: Path | None = None) -> None:
    """Refuse to write over a file of a crawl or a stored web: of the directory given, or of any that is there."""
    target = path.resolve()  # a link may lead into the directory
    home, name = target.parent, target.name.casefold()
    of_crawl = (home / "crawl.toml").exists() or (directory is not None and home == directory.resolve())
    own = (*(OWN if of_crawl else ()), *(OWN_OF_WEB if (home / STORED_WEB).exists() else ()))
    if any(fnmatch(name, pattern) for pattern in own):
        raise BadInput(f"{path} is a file of the crawl itself, or one it may need; choose another name")


@contextlib.contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A name to write to; what was written takes the place of `path` when all went well, and is gone otherwise."""
    with told_plainly(path.parent):
        if path.exists() and not path.is_file():  # a device or a pipe is written to, not replaced
            yield path
            return
        path = path.resolve()  # what a link leads to is replaced, not the link
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = beside(path)
        try:
            yield fresh
            fresh.replace(path)
        finally:
            fresh.unlink(missing_ok=True)


def beside(path: Path) -> Path:
    """Another name in the same folder, for what is not whole yet."""
    return path.with_name(f".{path.name[-100:]}.{os.getpid()}.part")

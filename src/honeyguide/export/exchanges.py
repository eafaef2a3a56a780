"""The WARC records of exported pages, copied as they are, with what is needed to show the pages again."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from honeyguide.base import RESOURCES
from honeyguide.store.warc import member_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastwarc.warc import WarcRecord
    from numpy.typing import NDArray

    from honeyguide.export.source import Source
    from honeyguide.store import StoredVisit

REVISIT = "warc/revisit"
Place = tuple[int, int]  # a WARC file by its id, and an offset in it


class Copied(NamedTuple):
    """One record: its bytes, a gzip member, and what an index says of it."""

    data: bytes
    url: str
    date: str
    about: dict[str, str]  # mime, status and digest of an answer; nothing for other records


def exchanges(source: Source) -> Iterator[Copied]:
    """Every record of the wanted pages, the redirects to them and the images, scripts and styles they are made of.

    A revisit only refers to bytes that came earlier, perhaps in a crawl before this one: these follow at the end.
    """
    wanted = _needed(source)
    referred: set[Place] = set()
    for visit, start, end in _ranges(source):
        if not wanted[visit.id]:
            continue
        for record in _records(source, visit, start, end):
            yield record
            if record.about.get("mime") == REVISIT and visit.warc is not None:
                referred.add((visit.warc, visit.offset or 0))
    for visit, start, end in _ranges(source) if referred else ():
        if wanted[visit.id] and visit.warc == visit.file and start <= (visit.offset or 0) < end:
            referred.discard((visit.warc or 0, visit.offset or 0))  # copied with its own page
    for file, offset in sorted(referred):
        yield from _read(member_at(source.store.archive.path(file), offset))


def _needed(source: Source) -> NDArray[np.bool_]:
    """By URL id: pages that are wanted, and what leads to them or is part of them."""
    wanted = source.choice()
    parts = np.zeros(len(wanted), np.bool_)
    redirects: list[tuple[int, int]] = []
    for visit in source.store.visits():
        parts[visit.id] = visit.flag in RESOURCES
        if visit.error == "redirect" and len(visit.targets):
            redirects.append((visit.id, int(visit.targets[0])))
    for visit in source.store.visits() if parts.any() else ():
        if wanted[visit.id] and not parts[visit.id]:
            wanted[visit.targets[parts[visit.targets]]] = True
    for start, target in reversed(redirects):  # of a chain, the last hop was visited last
        wanted[start] |= wanted[target]
    return wanted


def _ranges(source: Source) -> Iterator[tuple[StoredVisit, int, int]]:
    """Every visit of the log, and between which bytes of its file its records stand."""
    file, end = -1, 0
    for visit in source.store.visits():
        if visit.file is None or visit.file_end is None:
            continue
        start = end if visit.file == file else _end_of_earlier(source, visit.file)
        file, end = visit.file, visit.file_end
        yield visit, start, end


def _end_of_earlier(source: Source, file: int) -> int:
    """Where the records of the crawls before this one end."""
    row = source.store.database.execute("SELECT max(file_end) FROM earlier WHERE file = ?", (file,)).fetchone()
    return int(row[0] or 0)


def _records(source: Source, visit: StoredVisit, start: int, end: int) -> Iterator[Copied]:
    """The records of a visit; those of another URL are no part of it."""
    assert visit.file is not None
    with source.store.archive.path(visit.file).open("rb") as archive:
        archive.seek(start)
        data = archive.read(end - start)
    yield from (record for record in _read(data) if record.url == visit.url)


def _read(data: bytes) -> Iterator[Copied]:
    from fastwarc.warc import ArchiveIterator

    found = [
        (
            record.stream_pos,
            (record.headers.get("WARC-Target-URI") or "").strip("<>"),
            record.headers.get("WARC-Date") or "",
            _about(record),
        )
        for record in ArchiveIterator(io.BytesIO(data), parse_http=True)
    ]
    ends = [*(at for at, *_ in found), len(data)][1:]
    for (at, url, date, about), end in zip(found, ends, strict=True):
        yield Copied(data[at:end], url, date, about)


def _about(record: WarcRecord) -> dict[str, str]:
    kind = record.headers.get("WARC-Type")
    if kind not in ("response", "revisit") or record.http_headers is None:
        return {}
    type_ = record.http_headers.get("Content-Type") or ""
    mime = REVISIT if kind == "revisit" else type_.replace(";", " ").split(" ")[0].strip()
    known = {
        "mime": mime,
        "status": str(record.http_headers.status_code or ""),
        "digest": record.headers.get("WARC-Payload-Digest") or "",
    }
    return {name: value for name, value in known.items() if value}

"""A WACZ file: pages as they came, to be looked at in ReplayWeb.page or read by any archive tool."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import itertools
import json
import zipfile
from typing import IO, TYPE_CHECKING, Any

from honeyguide.base import BadInput, visit_number
from honeyguide.export.cdx import Sorter, line, packed
from honeyguide.export.cleaning import address, one_line
from honeyguide.export.exchanges import exchanges
from honeyguide.export.lines import json_line
from honeyguide.store import new_file
from honeyguide.store.archive_files import now
from honeyguide.store.warc import info_record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from honeyguide.export.exchanges import Copied
    from honeyguide.export.source import Source
    from honeyguide.store import StoredVisit

VERSION = "1.1.1"
INDEX = "index.cdx.gz"
LARGEST = 1_000_000_000  # bytes after which the next WARC file is begun


def write_wacz(source: Source, path: Path) -> int:
    """The records of the wanted pages with index, list of pages and checksums; how many pages."""
    with (
        new_file(path) as fresh,
        zipfile.ZipFile(fresh, "w") as file,
        contextlib.closing(Sorter()) as index,
    ):
        package = _Package(file)
        records = exchanges(source)
        first = next(records, None)
        if first is None:
            raise BadInput(
                "no record is left to pack: only live crawls are archived, and the filters must leave a page"
            )
        _write_archive(package, itertools.chain([first], records), index)
        _write_index(package, index)
        written = _write_pages(package, source)
        package.finish(source)
    return written


class _Entry:
    """A file within the package while it is written: what goes in is counted and summed."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.size = 0
        self.sum = hashlib.sha256()

    def write(self, data: bytes) -> int:
        """Append; where it begins."""
        at = self.size
        self._file.write(data)
        self.sum.update(data)
        self.size += len(data)
        return at


class _Package:
    """A zip file of which every part is listed with its size and checksum."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._file = file
        self._resources: list[dict[str, Any]] = []

    @property
    def empty(self) -> bool:
        """Whether it has no part yet."""
        return not self._resources

    @contextlib.contextmanager
    def new(self, path: str) -> Iterator[_Entry]:
        """A part. Nothing is packed again: readers go straight to an offset.

        ReplayWeb.page computes that offset from the zip's directory, so that the head of a part may have no fields
        beyond those the directory has. That leaves two gigabytes for each.
        """
        with self._file.open(zipfile.ZipInfo(path, _zip_time()), "w") as file:
            entry = _Entry(file)
            yield entry
        about = {"name": path.rpartition("/")[2].lower(), "path": path}
        self._resources.append({**about, "hash": f"sha256:{entry.sum.hexdigest()}", "bytes": entry.size})

    def finish(self, source: Source) -> None:
        """Write the lists of parts, and the checksum of that."""
        made = now()
        listed = {
            "profile": "data-package",
            "wacz_version": VERSION,
            "title": one_line(source.store.settings.topic),
            "created": made,
            "modified": made,
            "software": _software(),
            "resources": self._resources,
        }
        text = json.dumps(listed, indent=2).encode()
        self._file.writestr(zipfile.ZipInfo("datapackage.json", _zip_time()), text)
        digest = {"path": "datapackage.json", "hash": f"sha256:{hashlib.sha256(text).hexdigest()}"}
        self._file.writestr(zipfile.ZipInfo("datapackage-digest.json", _zip_time()), json.dumps(digest, indent=2))


def _software() -> str:
    return f"honeyguide/{importlib.metadata.version('honeyguide')}"


def _zip_time() -> tuple[int, int, int, int, int, int]:
    date, _, time = now().removesuffix("Z").partition("T")
    year, month, day, hour, minute, second = map(int, [*date.split("-"), *time.split(":")])
    return year, month, day, hour, minute, second


def _write_archive(package: _Package, records: Iterator[Copied], index: Sorter) -> None:
    """WARC files that open with who wrote them."""
    for number in itertools.count():
        first = next(records, None)
        if first is None:
            return
        name = f"crawl-{number:05d}.warc.gz"
        with package.new(f"archive/{name}") as entry:
            entry.write(info_record(name, now(), _software()))
            for record in itertools.chain([first], records):
                offset = entry.write(record.data)
                if record.about:
                    index.add(line(record, name, offset))
                if entry.size > LARGEST:
                    break


def _write_index(package: _Package, index: Sorter) -> None:
    blocks: list[str] = []
    with package.new(f"indexes/{INDEX}") as entry:
        for data, place in packed(iter(index), INDEX):
            entry.write(data)
            blocks.append(place)
    with package.new("indexes/index.idx") as entry:
        entry.write("".join(blocks).encode())


def _write_pages(package: _Package, source: Source) -> int:
    """Relevant pages, and others where they are wanted, in a list of their own."""
    written, others = 0, 0
    with package.new("pages/pages.jsonl") as entry:
        entry.write(_list_head("pages", "Relevant pages"))
        for visit in source.chosen():
            others += not visit.relevant
            written += 1
            if visit.relevant:
                entry.write(_listed(visit))
    if others:
        with package.new("pages/extraPages.jsonl") as entry:
            entry.write(_list_head("extraPages", "Other pages"))
            for visit in source.chosen():
                if not visit.relevant:
                    entry.write(_listed(visit))
    return written


def _list_head(id_: str, title: str) -> bytes:
    return json_line({"format": "json-pages-1.0", "id": id_, "title": title}).encode()


def _listed(visit: StoredVisit) -> bytes:
    about = {
        "id": f"page-{visit_number(visit.number)}",
        "url": address(visit.url),
        "ts": visit.date,
        "title": one_line(visit.title),
    }
    return json_line({**about, "relevance": visit.relevance}).encode()

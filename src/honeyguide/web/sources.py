"""Files that hold pages: JSONL with links and labels, WARC and WACZ, read one page at a time, and edge lists."""

from __future__ import annotations

import contextlib
import functools
import gzip
import json
import zipfile
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, BinaryIO

from honeyguide import urls
from honeyguide.base import BadInput, FetchError, Link, Page
from honeyguide.parse.fingerprint import fingerprint
from honeyguide.parse.language import language_of
from honeyguide.store.warc import Archived, is_warc, responses, revisits
from honeyguide.web.content import read
from honeyguide.web.edges import Edges, begins_edge_list, meaningful

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path


_BROKEN = (OSError, EOFError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error)


@dataclass(frozen=True, slots=True)
class BadEntry:
    """A part of a file that holds no page, and why."""

    place: str  # "line 17"
    reason: str
    damaged: bool = True  # False where the file is sound, and only this page cannot be had of it

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


def read_source(path: Path, edges: Edges | None = None) -> Iterator[Page | BadEntry]:
    """The pages of a file, whatever its kind; what cannot be read is named in its place.

    Links of an edge list go to `edges`, where they are given, and make no pages yet: other lists may have more.
    """
    if not path.exists():
        raise BadInput(f"{path} does not exist")
    if path.is_dir():
        raise BadInput(f"{path} is a directory; name a JSONL, WARC or WACZ file, or an edge list")
    if zipfile.is_zipfile(path):
        return _wacz(path)
    if is_warc(path):
        return _warc(lambda: path.open("rb"))
    if path.name.endswith((".warc", ".warc.gz", ".wacz")):
        raise BadInput(f"{path} is not a WARC file, though its name says so: it does not begin with WARC/1")
    first = _first_line(path)
    if first.lstrip(b" \t")[:1] in (b"{", b""):
        return _jsonl(path)
    if not _is_text(first) or not begins_edge_list(first.decode()):
        raise BadInput(
            f"{path} is no WARC, no JSONL file and no edge list: its first line is no JSON object, and no two URLs"
        )
    if edges is not None:
        return _read_edges(path, edges)
    return _edge_list(path)


def _jsonl(path: Path) -> Iterator[Page | BadEntry]:
    with _unzipped(path) as file:
        for number, line in enumerate(_lines(file), 1):
            if isinstance(line, BadEntry):
                yield line
            elif line.strip():
                yield _page(line, f"line {number}")


def _first_line(path: Path) -> bytes:
    """The first that is not empty; nothing where the file ends, or breaks off, before one."""
    with _unzipped(path) as file:
        first = next((line for line in _lines(file) if isinstance(line, BadEntry) or line.strip()), b"")
    return b"?" if isinstance(first, BadEntry) else first.removeprefix(b"\xef\xbb\xbf")


def _is_text(line: bytes) -> bool:
    with contextlib.suppress(UnicodeDecodeError):
        return "\0" not in line.decode()
    return False


def _edge_list(path: Path) -> Iterator[Page | BadEntry]:
    edges = Edges()
    yield from _read_edges(path, edges)
    yield from edges.pages()


def _read_edges(path: Path, edges: Edges) -> Iterator[BadEntry]:
    """Take in the links of a list; what is wrong with it."""
    damage = list[BadEntry]()

    def sound() -> Iterator[bytes]:
        for line in _lines(file):
            if isinstance(line, BadEntry):
                damage.append(line)
            else:
                yield line

    with _unzipped(path) as file:
        for number, line in meaningful(sound()):
            if problem := edges.add(line):
                yield BadEntry(f"line {number}", problem)
    yield from damage


def _unzipped(path: Path) -> BinaryIO:
    with path.open("rb") as file:
        zipped = file.read(2) == b"\x1f\x8b"
    return gzip.open(path) if zipped else path.open("rb")  # type: ignore[return-value]


def _lines(file: BinaryIO) -> Iterator[bytes | BadEntry]:
    try:
        yield from file
    except (OSError, EOFError, zlib.error) as error:
        yield BadEntry("the end of the file", f"cut short or damaged ({error})")


def _page(line: bytes, place: str) -> Page | BadEntry:
    try:
        fields = json.loads(line.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError) as error:
        return BadEntry(place, f"not JSON ({error})")
    if not isinstance(fields, dict) or not isinstance(fields.get("url"), str):
        return BadEntry(place, 'no "url"')
    url = urls.normalize(fields["url"])
    if not isinstance(url, str):
        return BadEntry(place, f"{fields['url'][:80]!r} is no URL ({url.reason})", damaged=False)
    try:
        return _from_fields(url, fields)
    except (TypeError, AttributeError, KeyError) as error:
        return BadEntry(place, f"not as expected: url, title, text, links: [{{url, anchor}}], label ({error})")


def _from_fields(url: str, fields: dict[str, Any]) -> Page:
    text = _text(fields.get("text"))
    links: list[Link] = []
    bad, resolve = 0, urls.resolver(url)
    for entry in fields.get("links") or ():
        target = resolve(entry["url"])
        if isinstance(target, str):
            links.append(Link(target, _text(entry.get("anchor")), position=len(links)))
        else:
            bad += 1
    return Page(
        url=url,
        title=_text(fields.get("title")),
        text=text,
        main=text,
        language=_text(fields.get("language")) or language_of(text),
        links=tuple(links),
        label=_text(fields.get("label")),
        fingerprint=fingerprint(text, _text(fields.get("title"))),
        bad_links=bad,
    )


def _text(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"a text was expected, not {value!r:.40}")
    if value.isascii():
        return value
    return value.encode("utf-16", "surrogatepass").decode(
        "utf-16", "replace"
    )  # halves of characters stand for nothing


def _warc(opened: Callable[[], BinaryIO], place: str = "") -> Iterator[Page | BadEntry]:
    places: dict[tuple[str, str], int] = {}  # where responses begin, by URL and date, and by URL alone
    try:
        with opened() as file:
            for found in responses(file):
                places[found.url, found.date] = places[found.url, ""] = found.offset
                if 200 <= found.status < 300:
                    yield _from_warc(found)
    except _BROKEN as error:
        yield BadEntry(f"{place or 'the file'} after the last good record", f"cut short or damaged ({error})")
    with contextlib.suppress(*_BROKEN):  # said above
        yield from _repeated(opened, places)


def _repeated(opened: Callable[[], BinaryIO], places: Mapping[tuple[str, str], int]) -> Iterator[Page | BadEntry]:
    """The pages of records that have only their heads: their bytes are those of other records."""
    with opened() as file:
        found = [
            (places.get((each.of_url, each.of_date)), each) for each in revisits(file) if 200 <= each.status < 300
        ]
        for at, each in sorted(found, key=lambda pair: pair[0] or 0):  # so that nothing is read twice
            if at is None:
                reason = f"it repeats {each.of_url[:80]}, which is not in the same file"
                yield BadEntry(f"record of {each.url[:80]!r}", reason, damaged=False)
                continue
            file.seek(at)
            yield _from_warc(replace(next(responses(file)), url=each.url))


def _from_warc(found: Archived) -> Page | BadEntry:
    url = urls.normalize(found.url)
    if not isinstance(url, str):
        return BadEntry(f"record of {found.url[:80]!r}", f"no URL ({url.reason})", damaged=False)
    try:
        return read(url, found.headers, found.body)
    except FetchError as error:
        return BadEntry(f"record of {url}", str(error))


def _wacz(path: Path) -> Iterator[Page | BadEntry]:
    with zipfile.ZipFile(path) as package:
        names = [n for n in package.namelist() if n.startswith("archive/") and n.endswith((".warc", ".warc.gz"))]
        if not names:
            raise BadInput(f"{path} is a zip file without archive/*.warc.gz: not a WACZ")
        for name in names:
            yield from _warc(functools.partial(package.open, name), name)  # type: ignore[arg-type]

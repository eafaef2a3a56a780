"""From unpacked packages to one JSONL file that `honeyguide import` and `compare` read."""

from __future__ import annotations

import gzip
import json
import multiprocessing
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks.debian_docs.mapping import Addresses
from honeyguide import urls
from honeyguide.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.debian_docs.mapping import Documentation
    from honeyguide.base import Page

HTML = (".html", ".htm", ".xhtml")
LARGEST = 5_000_000  # bytes of a page; what is larger is one whole manual on a page
CHUNK = 16
LEVEL = 6  # of compression


@dataclass(frozen=True)
class File:
    """A page on the disk, and the address it stands for."""

    path: Path
    url: str
    label: str


@dataclass
class Made:
    """What a web consists of."""

    pages: int = 0
    links: int = 0
    inside: int = 0  # of these, to a page of the web
    empty: int = 0  # files without a word, left out
    hosts: int = 0
    labels: int = 0


def page_files(package: Documentation, unpacked: Path) -> Iterator[File]:
    """The pages of an unpacked package; what leads out of its folder, or is too large, is none."""
    root = unpacked / package.root
    top = root.resolve()
    for path in sorted(root.rglob("*")):
        if path.suffix.lower() not in HTML or not path.is_file() or not path.resolve().is_relative_to(top):
            continue
        url = package.address(path.relative_to(root).as_posix())
        if url and path.stat().st_size <= LARGEST:
            yield File(path, url, package.topic)


def known_pages(packages: dict[Documentation, Path]) -> tuple[dict[str, File], dict[str, str]]:
    """All pages by address, and the page every address of ours leads to: a symbolic link is one more address."""
    found = [file for package, unpacked in packages.items() for file in page_files(package, unpacked)]
    files = {file.url: file for file in reversed(found) if not file.path.is_symlink()}
    by_path = {file.path.resolve(): file.url for file in files.values()}
    names = {file.url: by_path[target] for file in found if (target := file.path.resolve()) in by_path}
    return files, names | {url: url for url in files}


def write_web(packages: dict[Documentation, Path], target: Path) -> Made:
    """Read all pages and write them, in the order of their addresses; the file is there whole or not at all."""
    files, names = known_pages(packages)
    made, hosts, labels = Made(), set(), set()
    half = target.with_name(target.name + ".part")
    with gzip.open(half, "wt", LEVEL, encoding="utf-8") as out:
        for fields in _read_all(files, Addresses(packages, names)):
            if fields is None:
                made.empty += 1
                continue
            out.write(json.dumps(fields, ensure_ascii=False) + "\n")
            made.pages += 1
            made.links += len(fields["links"])
            made.inside += sum(link["url"] in files for link in fields["links"])
            hosts.add(urls.host(fields["url"]))
            labels.add(fields["label"])
    half.rename(target)
    made.hosts, made.labels = len(hosts), len(labels)
    return made


def _read_all(files: dict[str, File], addresses: Addresses) -> Iterator[dict[str, Any] | None]:
    with multiprocessing.get_context("fork").Pool(len(os.sched_getaffinity(0)), _take, (addresses,)) as pool:
        yield from pool.imap(_read_held, (files[url] for url in sorted(files)), CHUNK)


_held: list[Addresses] = []


def _take(addresses: Addresses) -> None:
    _held[:] = [addresses]


def _read_held(file: File) -> dict[str, Any] | None:
    return read_file(file, _held[0])


def read_file(file: File, addresses: Addresses) -> dict[str, Any] | None:
    """A page as a line of JSONL holds it; none where it has no word to read."""
    body = file.path.read_bytes().replace(b'"file:///usr/share/', b'"/usr/share/')
    page = parse(file.url, body)
    if not page.text.strip():
        return None
    return {
        "url": file.url,
        "title": page.title,
        "text": page.text,
        "links": _links(page, addresses),
        "label": file.label,
    }


def _links(page: Page, addresses: Addresses) -> list[dict[str, str]]:
    found = [{"url": addresses.public(link.url), "anchor": link.anchor} for link in page.links]
    return found + ([{"url": addresses.public(page.refresh), "anchor": ""}] if page.refresh else [])

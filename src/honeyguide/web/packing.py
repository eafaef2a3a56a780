"""Replies as bytes and back: links by the column, since hundreds of rows would take longer than all the rest."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import msgspec
from msgspec.structs import force_setattr, replace

from honeyguide.base import NO_REL, Link, Reply


@dataclass(frozen=True, slots=True)
class _Columns:
    """The links of a page; a column in which nothing stands is empty."""

    urls: list[str]
    anchors: list[str]
    contexts: list[str]
    positions: list[int]
    paths: list[str]
    rels: dict[int, frozenset[str]]  # by place, for few links have any


_DECODER = msgspec.msgpack.Decoder(tuple[Reply, _Columns | None])


def pack(reply: Reply) -> bytes:
    """A reply as MessagePack."""
    page = reply.page
    if page is None or not page.links:
        return msgspec.msgpack.encode((reply, None))
    bare = replace(reply, page=replace(page, links=()))
    return msgspec.msgpack.encode((bare, _columns(page.links)))


def unpack(data: bytes) -> Reply:
    """The reply that was packed."""
    reply, columns = _DECODER.decode(data)
    if reply.page is not None and columns is not None:
        force_setattr(reply.page, "links", _links(columns))  # nobody has seen it yet
    return reply


def _columns(links: tuple[Link, ...]) -> _Columns:
    urls, anchors, contexts, positions, paths, rels = zip(*links, strict=True)
    return _Columns(
        list(urls),
        list(anchors),
        list(contexts) if any(contexts) else [],
        list(positions),
        list(paths) if any(paths) else [],
        {place: rel for place, rel in enumerate(rels) if rel},
    )


def _links(columns: _Columns) -> tuple[Link, ...]:
    nothing = itertools.repeat("")
    rels = map(columns.rels.get, range(len(columns.urls)), itertools.repeat(NO_REL))
    rows = zip(
        columns.urls,
        columns.anchors,
        columns.contexts or nothing,
        columns.positions,
        columns.paths or nothing,
        rels if columns.rels else itertools.repeat(NO_REL),
        strict=False,
    )
    return tuple(map(tuple.__new__, itertools.repeat(Link), rows))

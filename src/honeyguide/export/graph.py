"""The link graph of exported pages: GraphML for programs that draw and measure, or a plain list of edges."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from honeyguide import urls
from honeyguide.export.cleaning import address, cell, one_line
from honeyguide.export.links import Resolver, edges_of, links
from honeyguide.export.outputs import new_text

if TYPE_CHECKING:
    from pathlib import Path

    from honeyguide.export.source import Source
    from honeyguide.store import StoredVisit

_KEYS = {
    "node": {
        "url": "string",
        "host": "string",
        "title": "string",
        "relevant": "boolean",
        "relevance": "double",
        "depth": "int",
    },
    "edge": {"anchor": "string", "links": "int"},
}
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'


def write_graphml(source: Source, path: Path) -> int:
    """Pages as nodes and links as edges; how many pages."""
    resolve, written = Resolver(source), 0
    with new_text(path) as file:
        file.write(_HEAD + _declared() + '<graph edgedefault="directed">\n')
        for visit in source.chosen():
            file.write(_node(visit))
            written += 1
        for visit in source.chosen():
            for id_, (anchor, count) in edges_of(source, visit, resolve).items():
                values = _data(anchor=anchor, links=count)
                file.write(f'<edge source="n{visit.id}" target="n{id_}">{values}</edge>\n')
        file.write("</graph>\n</graphml>\n")
    return written


def _declared() -> str:
    return "".join(
        f'<key id={quoteattr(name)} for="{kind}" attr.name={quoteattr(name)} attr.type="{type_}"/>\n'
        for kind, names in _KEYS.items()
        for name, type_ in names.items()
    )


def _node(visit: StoredVisit) -> str:
    values = _data(
        url=address(visit.url),
        host=urls.host(address(visit.url)),
        title=one_line(visit.title),
        relevant="true" if visit.relevant else "false",
        relevance=visit.relevance,
        depth=visit.depth,
    )
    return f'<node id="n{visit.id}">{values}</node>\n'


def _data(**values: object) -> str:
    return "".join(f'<data key="{name}">{escape(str(value))}</data>' for name, value in values.items())


def write_edges(source: Source, path: Path) -> int:
    """Source, target and anchor with tabs between them, under a head; how many links."""
    written = 0
    with new_text(path) as file:
        file.write("source\ttarget\tanchor\n")
        for edge in links(source):
            file.write("\t".join(field(part) for part in edge[:3]) + "\n")
            written += 1
    return written


def field(text: str) -> str:
    """A cell that begins with no quotation mark: many readers would look for its end in other lines."""
    text = cell(text)
    return f"'{text}" if text.startswith('"') else text

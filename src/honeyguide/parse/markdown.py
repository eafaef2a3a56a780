"""The main part of an HTML page as Markdown, for people and language models to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide import urls
from honeyguide.characters import readable
from honeyguide.parse.sniff import media_type

if TYPE_CHECKING:
    from turbohtml import Document, Markdown

_NO_TEXT = "iframe, frame, object, embed, canvas, svg, math annotation, form, button, input, select, textarea"


def markdown(url: str, body: bytes, content_type: str, addresses: bool = True) -> str | None:
    """Headings, lists, links, tables and code of a page, without menus; None where it is no HTML.

    Without `addresses`, links are their anchors and images what is said in their place.

    >>> markdown("http://a.test/", b"<main><h1>Bees</h1><p>They <b>fly</b> <a href=x>far</a></main>", "text/html")
    '# Bees\\n\\nThey **fly** [far](http://a.test/x)'
    """
    document = _document(body, content_type)
    if document is None:
        return None
    from honeyguide.parse.html import HIDDEN, NEVER_SHOWN, base_of

    base = base_of(document, url)
    document.remove(NEVER_SHOWN)
    document.remove(HIDDEN)
    document.remove(_NO_TEXT)
    document.resolve_links(base)
    _disarm(document)
    _clean(document)
    return (document.main_content() or document).to_markdown(_layout(addresses)).strip()


def _document(body: bytes, content_type: str) -> Document | None:
    from honeyguide.parse import charset_of
    from honeyguide.parse.html import html_document, xhtml_document

    kind, charset = media_type(body, content_type), charset_of(content_type)
    if kind == "text/html":
        return html_document(body, charset)
    return xhtml_document(body, charset)[0] if kind == "application/xhtml+xml" else None


def _disarm(document: Document) -> None:
    """Leave no link that runs something, and no image that is its own bytes."""
    from turbohtml import Text

    for element in document.select("[href], [src]"):
        name = "src" if element.tag == "img" else "href"
        target = urls.in_text(element.attr(name) or "")
        if isinstance(target, str):
            element.attrs[name] = target
        elif name == "src":
            element.replace_with(Text(element.attr("alt") or ""))
        elif name in element.attrs:
            del element.attrs[name]


def _clean(document: Document) -> None:
    """Leave out what no reader is to meet while it is no Markdown yet: what stood behind it might become markup."""
    from turbohtml import Text

    if readable(document.text) != document.text:
        for node in document.descendants:
            if isinstance(node, Text):
                node.data = readable(node.data)
    for element in document.select("[alt], [title]"):
        for name in ("alt", "title"):
            if name in element.attrs:
                element.attrs[name] = readable(element.attr(name) or "")
    for element in document.select("pre[class], code[class]"):  # names the language of a fence, which ` would end
        element.attrs["class"] = readable(element.attr("class") or "").replace("`", "")


def _layout(addresses: bool) -> Markdown:
    from turbohtml import Markdown

    return Markdown(
        links=Markdown.Links(ignore=not addresses),
        images=Markdown.Images(mode="markdown" if addresses else "alt"),
        tables=Markdown.Tables(cell_blocks="text"),
    )

"""HTML and XHTML: title, visible and main text, and every link with what stands around it."""

from __future__ import annotations

import itertools
import re
from html import escape
from typing import TYPE_CHECKING, Any

import turbohtml
from turbohtml import Document, Element, PlainText, Text

from honeyguide import urls
from honeyguide.base import NO_REL, Link, Page
from honeyguide.parse.fingerprint import fingerprint
from honeyguide.parse.gates import gate
from honeyguide.parse.language import language_of
from honeyguide.parse.plain import decode
from honeyguide.parse.reading import THOROUGH, Reading
from honeyguide.parse.scripted import scripted, signs

if TYPE_CHECKING:
    from collections.abc import Sequence

CONTEXT_WORDS = 10
PATH_DEPTH = 16

_INLINE = frozenset("abbr b bdi bdo cite code em font i kbd mark q s samp small span strong sub sup tt u var".split())
_LINKS = "a[href], area[href], iframe[src], frame[src]"
_RARE_LINKS = ("area", "iframe", "frame")
NEVER_SHOWN = "script, style, template"  # no browser shows these, or follows a link in them
_WITH_ELEMENTS_NEVER_SHOWN = ("template", "svg", "math")  # elsewhere, scripts and styles hold nothing but text
# Links in menus still count. A script shows a hidden body when it is done, and a head has more than text.
HIDDEN = "noscript, body [hidden], body [style*='display:none'], body [style*='display: none']"
_NOT_SHOWN = f"{NEVER_SHOWN}, {HIDDEN}"
_RESOURCES = {"image": "img[src]", "script": "script[src]", "style": "link[rel~=stylesheet][href]"}
_COMPACT = PlainText(layout="strict", bullet="")
# What pages of a site share, and links: without them a text tells pages apart, and in which language they are.
_FURNITURE = "a, nav, header, footer, aside, button, menu"
_FEW, _SMALL = (
    250,
    1 / 8,
)  # characters, and share of all; a page with less beside its furniture, as a list, is told by all
# Noncharacters mark where a link begins and ends while the page is laid out as text.
_MARK = re.compile("\ufdd0([0-9]{1,9})\ufdd1|\ufdd2")
_XML_ENCODING = re.compile(rb"^\s*<\?xml[^>]{0,200}encoding\s*=\s*[\"']([\w.:-]+)")


def read_html(url: str, body: bytes, charset: str, reading: Reading = THOROUGH) -> Page:
    """A page of HTML, decoded by the rules browsers follow."""
    document = html_document(body, charset)
    return _page(url, document, (document.encoding or "").lower(), reading)


def html_document(body: bytes, charset: str) -> Document:
    """The tree of an HTML page."""
    try:
        return turbohtml.parse(body, encoding=charset or None, positions=False)
    except LookupError:  # a label no browser knows
        return turbohtml.parse(body, positions=False)


def read_xhtml(url: str, body: bytes, charset: str, reading: Reading = THOROUGH) -> Page:
    """A page of XHTML: read as XML where it is well-formed, else with a browser's forgiveness."""
    document, charset = xhtml_document(body, charset)
    return _retyped(_page(url, document, charset, reading))


def xhtml_document(body: bytes, charset: str) -> tuple[Document, str]:
    """The tree of an XHTML page, and the charset it was in."""
    declared = _XML_ENCODING.match(body)
    text, charset = decode(body, charset or (declared[1].decode("ascii") if declared else "utf-8"))
    try:
        html = turbohtml.parse_xml(text).serialize()
    except turbohtml.HTMLParseError:
        document = html_document(body, charset)
        return document, (document.encoding or "").lower()
    return turbohtml.parse(html, positions=False), charset


def _retyped(page: Page) -> Page:
    from msgspec.structs import replace

    return replace(page, type="application/xhtml+xml")


def _page(url: str, document: Document, charset: str, reading: Reading) -> Page:
    # Looking for tags by name is free until the page is changed: what that finds is found first.
    base = base_of(document, url)
    meta = _Meta(document, reading.agent)
    titles, canonical = document.find_all("title"), _canonical(document, base)
    asks_password = _asks_password(document)
    resources = _resources(document, base) if reading.resources else []
    seen = signs(document) if reading.scripts else None
    if any(document.find(tag) is not None for tag in _WITH_ELEMENTS_NEVER_SHOWN):
        document.remove(NEVER_SHOWN)
    found = _linking(document)
    elements = found[: reading.most_links]
    nothing = [""] * len(elements)
    paths = _paths(elements) if reading.surroundings else nothing
    document.remove(_NOT_SHOWN)
    text = document.to_text(_COMPACT)
    wants_main = reading.main_text or reading.scripts
    main = document.main_text() if wants_main else ""
    title = _title(document, titles)
    anchors = [*map(_anchor, elements)]
    contexts = _contexts(document, elements) if reading.surroundings else nothing
    links, bad = _links(elements, anchors, paths, base, contexts)
    refresh = _refresh(document, base) if meta.refreshes else ""
    if refresh:
        links += (refreshing(refresh, len(links)),)
    room = max(0, reading.most_links - len(links))
    links += tuple(resources[:room])
    asks_password = asks_password and _asks_password(document)  # where it is shown
    own = _own_text(document, text)
    return Page(
        url=url,
        title=title,
        text=text,
        main=(main or text) if wants_main else "",
        language=language_of(own, _declared_language(document)),
        links=links,
        charset=charset,
        canonical=canonical,
        robots=meta.robots,
        refresh=refresh,
        bad_links=bad,
        cut_links=len(found) - len(elements) + len(resources[room:]),
        gate=gate(title, text, asks_password),
        opt_outs=meta.opt_outs,
        fingerprint=fingerprint(own, title),
        scripted=scripted(text, main, seen) if seen else "",
    )


def _own_text(document: Document, text: str) -> str:
    """What a page says beside its furniture, which it loses; all its text where that is too little to go by."""
    own = document.remove(_FURNITURE).to_text(_COMPACT)
    return own if len(own) >= max(_FEW, _SMALL * len(text)) else text


def _anchor(element: Element) -> str:
    """What a reader sees of a link, or would hear of one without text."""
    within = element.find()
    shown = element.text if within is None or within.tag in _INLINE else element.to_text(_COMPACT)
    return " ".join(shown.split()) or _spoken_anchor(element)


def _contexts(document: Document, elements: Sequence[Element]) -> list[str]:
    """The words around each link, found between marks; empty for links that are not shown. Changes the document."""
    for index, element in enumerate(elements):
        element.insert(0, Text(f"\ufdd0{index}\ufdd1"))
        element.append(Text("\ufdd2"))
    marked = document.to_text(_COMPACT)
    words: list[str] = []
    spans: list[tuple[int, int] | None] = [None] * len(elements)
    opened: list[tuple[int, int]] = []
    last = 0
    for mark in _MARK.finditer(marked):
        words.extend(marked[last : mark.start()].split())
        last = mark.end()
        if mark[1] is not None:
            opened.append((int(mark[1]), len(words)))
        elif opened:
            index, start = opened.pop()
            if index < len(elements):
                spans[index] = (start, len(words))
    words.extend(marked[last:].split())
    return [_around(words, *span) if span else "" for span in spans]


def _around(words: list[str], start: int, end: int) -> str:
    return " ".join(words[max(0, start - CONTEXT_WORDS) : start] + words[end : end + CONTEXT_WORDS])


def _links(
    elements: Sequence[Element], anchors: list[str], paths: list[str], base: str, contexts: list[str]
) -> tuple[tuple[Link, ...], int]:
    """Made by the column: a page has hundreds, and most of what could be said of each alone is said of none."""
    resolve = urls.resolver(base)
    targets = [resolve(element.attr("href") or element.attr("src") or "") for element in elements]
    led_astray = [target for target in targets if not isinstance(target, str)]
    columns: list[Sequence[Any]] = [targets, anchors, contexts, paths, _rels(elements)]
    if led_astray:
        sound = [isinstance(target, str) for target in targets]
        columns = [[*itertools.compress(column, sound)] for column in columns]
    urls_, anchors_, contexts_, paths_, rels = columns
    rows = zip(urls_, anchors_, contexts_, range(len(urls_)), paths_, rels, strict=True)
    links = tuple(map(tuple.__new__, itertools.repeat(Link), rows))
    return links, sum(target.reason != "not http or https" for target in led_astray)


def _rels(elements: Sequence[Element]) -> list[frozenset[str]]:
    said = [element.attr("rel") for element in elements]
    return [frozenset(rel.lower().split()) if rel else NO_REL for rel in said]


def _spoken_anchor(element: Element) -> str:
    """What a screen reader would say for a link without text."""
    own = element.attr("aria-label") or element.attr("title") or element.attr("alt")
    image = None if own else element.find("img")
    return " ".join((own or (image.attr("alt") if image else "") or element.text).split())


def _paths(elements: Sequence[Element]) -> list[str]:
    known: dict[object, tuple[str, ...]] = {}
    return ["/".join((*_steps(element.parent, known), element.tag)) for element in elements]


def _steps(node: object, known: dict[object, tuple[str, ...]]) -> tuple[str, ...]:
    """The tags a link stands in. Only the innermost: a page may nest fifty thousand deep."""
    unknown = []
    while isinstance(node, Element) and node not in known:
        unknown.append(node)
        node = node.parent
    steps = known.get(node, ())
    for element in reversed(unknown):
        steps = known[element] = (*steps[1 - PATH_DEPTH :], _step(element))
    return steps


def _step(element: Element) -> str:
    classes = (element.attr("class") or "").split()
    return f"{element.tag}.{classes[0]}" if classes else element.tag


def _resources(document: Document, base: str) -> list[Link]:
    """The images, scripts and style sheets of a page, each once."""
    found: dict[str, Link] = {}
    for kind, selector in _RESOURCES.items():
        for element in document.select(selector):
            target = urls.normalize(element.attr("src") or element.attr("href") or "", base)
            if isinstance(target, str):
                found.setdefault(target, Link(target, rel=frozenset([kind])))
    return list(found.values())


def _linking(document: Document) -> list[Element]:
    """The elements that link somewhere, in their order."""
    rare = any(document.find(tag) is not None for tag in _RARE_LINKS)
    return document.select(_LINKS if rare else "a[href]")


def _title(document: Document, titles: Sequence[Element]) -> str:
    """Of the page; where it has none, of the first drawing that is shown."""
    found = next((title for title in titles if _tag_of(title.parent) == "head"), None)
    if found is None and titles:
        found = document.find("title")
    return " ".join(found.text.split()) if found else ""


def _tag_of(node: object) -> str:
    return node.tag if isinstance(node, Element) else ""


def _declared_language(document: Document) -> str:
    return (document.root.attr("lang") or "") if document.root else ""


def _canonical(document: Document, base: str) -> str:
    named = (link for link in document.find_all("link") if "canonical" in (link.attr("rel") or "").lower().split())
    href = next((href for link in named if (href := link.attr("href")) and link.closest(HIDDEN) is None), "")
    target = urls.normalize(href, base) if href else ""
    return target if isinstance(target, str) else ""


class _Meta:
    """What the meta tags of a page say, read in one go."""

    def __init__(self, document: Document, agent: str) -> None:
        from honeyguide.parse import robots_words

        self.refreshes = False
        self.robots: frozenset[str] = frozenset()
        self.opt_outs: frozenset[str] = frozenset()
        for tag in document.find_all("meta"):
            name, content = (tag.attr("name") or "").lower(), tag.attr("content") or ""
            self.refreshes |= (tag.attr("http-equiv") or "").strip().lower() == "refresh"
            if name in ("robots", agent):
                self.robots |= robots_words(content.replace("\n", " "))
            elif name == "tdm-reservation" and content.strip() == "1":
                self.opt_outs = frozenset(["tdm-reservation"])


def base_of(document: Document, url: str) -> str:
    """What the links of a page are relative to."""
    if document.find("base") is None:
        return url
    found = urls.normalize(document.base_url(url), url)
    return found if isinstance(found, str) else url


def _asks_password(document: Document) -> bool:
    return any((field.attr("type") or "").lower() == "password" for field in document.find_all("input"))


def refreshing(target: str, position: int) -> Link:
    """The link that a refresh stands for."""
    return Link(target, position=position, path="head/meta", rel=frozenset(["refresh"]))


def refresh_of(header: str, url: str) -> str:
    """Where a Refresh header leads, which browsers read like the meta tag."""
    return _refresh(turbohtml.parse(f'<meta http-equiv="refresh" content="{escape(header)}">'), url)


def _refresh(document: Document, base: str) -> str:
    try:
        found = document.meta_refresh(base)
    except ValueError:  # it leads to no URL
        return ""
    target = urls.normalize(found[1], base) if found else ""
    return target if isinstance(target, str) else ""

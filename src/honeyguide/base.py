"""The records everything else passes along: links, pages, visits, knobs and the tree of errors."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# HoneyguideError
# ├── BadInput          the user asked for something that cannot be done; one sentence and a way out
# └── FetchError        a URL was asked for and no page came back; `reason` is its name in the books
#     ├── Excluded      never requested: robots.txt, scope, not in the archive
#     └── NotNow        to be asked again later; the URL stays in the queue


class HoneyguideError(Exception):
    """The root of every error honeyguide raises on purpose."""


class BadInput(HoneyguideError):
    """What the user gave cannot be used; the message says why and what to do."""


class FetchError(HoneyguideError):
    """A request that brought no page. `reason` is the word it is counted under."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


class Excluded(FetchError):
    """The URL was not requested at all, and never will be in this crawl."""


class NotNow(FetchError):
    """The URL may not be requested before `until` (on the web's clock)."""

    def __init__(self, reason: str, until: float, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.until = until


RESOURCES = frozenset(["image", "script", "style"])  # what a page is made of; in rel of such links
BESIDE = RESOURCES | {"sitemap"}  # flags of visits that are no page requests
WITH_PAGE = ("", "unjudged")  # errors of visits that brought a page; the second waits for its verdict


NO_REL: frozenset[str] = frozenset()  # what most links have


class Link(NamedTuple):
    """One link of a page, with everything around it that may hint at where it leads."""

    url: str
    anchor: str = ""
    context: str = ""  # up to ten words before and ten after the anchor, where strategy or topic read it
    position: int = 0  # the how-manieth link of its page
    path: str = ""  # the tags it stands in, outermost first: body/nav.menu/ul/li/a; likewise
    rel: frozenset[str] = NO_REL


class Page(Struct, frozen=True):
    """A parsed page. Only `url` is sure to be there."""

    url: str
    title: str = ""
    text: str = ""  # what a reader sees
    main: str = ""  # the same without menus and footers, where strategy or topic read it
    language: str = ""  # ISO 639-1 where there is one, else 639-3; empty when unknown
    links: tuple[Link, ...] = ()
    type: str = "text/html"
    charset: str = ""
    canonical: str = ""
    robots: frozenset[str] = frozenset()  # meta robots and X-Robots-Tag words: noindex, nofollow …
    refresh: str = ""  # where a meta refresh leads, or a header of that name
    label: str = ""  # only in labelled archives
    bad_links: int = 0  # hrefs that are no URL
    cut_links: int = 0  # links beyond the most a page may have
    listing: str = ""  # "sitemap" or "feed" where the page is nothing but links
    gate: str = ""  # "challenge", "consent" or "login" where it stands in front of another page
    opt_outs: frozenset[str] = frozenset()  # how its owner reserved it from machine learning: noai, tdm-reservation …
    fingerprint: int = 0  # alike for alike texts; 0 where there is too little text to tell
    scripted: str = ""  # "waits" where its scripts have yet to write it, "some" where it has others; where asked for
    parents: tuple[Page, ...] = ()  # fetched pages that link here, for topics that ask


class Reply(Struct, frozen=True):
    """What a web answered: a page, a redirect, or an error with a status."""

    page: Page | None = None
    redirect: str = ""
    error: str = ""  # the reason the answer is no page: http_404 …
    detail: str = ""
    status: int = 200
    size: int = 0  # bytes received
    record: bytes = b""  # what is to be archived, ready to be appended to a WARC file
    digest: bytes = b""  # of the body as it came; empty where there are no bytes
    etag: str = ""
    modified: str = ""  # the Last-Modified header
    date: str = ""  # when it was fetched, in UTC
    original: Original | None = None  # the record that holds its bytes, where this one only refers to it
    cost: float = 0.0  # seconds that reading it took


class Original(Struct, frozen=True):
    """A body that is archived already, and where."""

    url: str
    date: str
    warc: int
    offset: int
    etag: str = ""
    modified: str = ""
    digest: bytes = b""
    rendered: bool = False  # whether a browser made it of what the server sent


class Visit(Struct, frozen=True):
    """One URL asked for, and what came of it: all that is learned from, stored and reported."""

    number: int  # 0, 1, 2 … in the order of the crawl
    id: int  # of the URL, in the graph
    url: str
    targets: NDArray[np.intp]  # graph ids of page.links, in their order
    page: Page | None = None
    score: float = 0.0  # the strategy's, when its turn came
    relevance: float = 0.0
    relevant: bool = False
    error: str = ""  # empty, "redirect", or the reason it failed
    detail: str = ""
    status: int = 0
    size: int = 0  # bytes received
    started: float = 0.0  # on the web's clock
    seconds: float = 0.0
    flag: str = ""  # why the page does not count though it came: copy, near_copy, sitemap, login …
    copy_of: int = -1  # the id of the page it is a copy of
    refreshes: int = -1  # the id of the URL that a meta refresh leads to
    given_up: float = 0.0  # how much better the best URL of a resting host scored
    change: str = ""  # against an earlier crawl: new, same, changed, gone or failed
    bad_links: int = 0  # hrefs that are no URL
    cut_links: int = 0  # links beyond a limit
    digest: bytes = b""  # of the body
    fingerprint: int = 0

    @property
    def ok(self) -> bool:
        """Whether a page came back."""
        return self.page is not None


def visit_number(number: int) -> int:
    """What people know a visit by: the first is 1, where `Visit.number` and the database count from 0."""
    return number + 1


def knob(
    default: Any,
    help: str,
    low: float | None = None,
    high: float | None = None,
    **extra: Any,
) -> Any:
    """A setting, declared once: flag, TOML key, docs row and bounds all come from this field."""
    metadata = {"help": help, "low": low, "high": high, **extra}
    if isinstance(default, (list, dict)):
        return dataclasses.field(default_factory=lambda: type(default)(default), metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


def check_bounds(settings: Any) -> None:
    """Refuse a knob outside its bounds, by name."""
    for field in dataclasses.fields(settings):
        low, high = field.metadata.get("low"), field.metadata.get("high")
        value = getattr(settings, field.name)
        if value is None or isinstance(value, (str, list)):
            continue
        if not ((low is None or value >= low) and (high is None or value <= high)):  # NaN is refused as well
            raise BadInput(
                f"{field.name} = {value} is out of bounds: {low if low is not None else '…'} to "
                f"{high if high is not None else '…'}"
            )

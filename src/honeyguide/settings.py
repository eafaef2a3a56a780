"""Everything a crawl can be told, each setting declared once: flag, TOML key and docs row come from here."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from honeyguide import urls
from honeyguide.base import BadInput, check_bounds, knob

if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT_STRATEGY = "honeyguide"
RENDER = ("never", "auto", "always")  # which pages a browser is used for

# A name and a password within the address of a SearXNG instance; others may stand beside it.
_LOGIN = re.compile(r"(?i)(searxng:\s*[a-z]+:[/\\]*)(?:(?!\s\+\s)[^/\\?#])*@")


def without_password(search: str) -> str:
    """What to search with, as it may be written down and shown.

    >>> without_password("ddgs + searxng:https://me:secret@bees.example/")
    'ddgs + searxng:https://bees.example/'
    """
    return _LOGIN.sub(r"\1", search)


@dataclass
class Settings:
    """What was asked for. Settings marked `both` are for live and simulated crawls, the others for live ones."""

    topic: str = knob("", "what to look for, e.g. 'keyword:solar & ~url:shop'", both=True)
    seed: list[str] = knob([], "a URL to start from, or @file with one a line; repeatable", both=True)
    strategy: str = knob(DEFAULT_STRATEGY, "which links to follow first", both=True)
    seed_query: list[str] = knob([], "words to search for; what is found are seeds; repeatable", both=True)
    search: str = knob(
        "",
        "what to search with: ddgs, searxng:URL, index:DIR, or several, joined by ' + '",
        both=True,
        kept=without_password,
    )
    learn_from: str = knob("", "a crawl directory: start from what the same strategy learned there", both=True)
    pages: int = knob(1000, "how many pages to ask for, failures included", 1, both=True)
    random_seed: int = knob(0, "makes every random choice repeatable", 0, both=True)
    allow: list[str] = knob([], "only these hosts (with subdomains) or URL patterns with *; repeatable", both=True)
    deny: list[str] = knob([], "never these hosts or URL patterns; repeatable", both=True)
    same_site: bool = knob(False, "stay on the registrable domains of the seeds", both=True)
    depth: int | None = knob(None, "no further than this many links from a seed", 0, both=True)
    per_host: int | None = knob(None, "at most this many pages of a host", 1, both=True)
    max_time: float | None = knob(None, "stop after this many seconds", 0, both=True)
    max_wait: float = knob(
        7200,
        "where all hosts that are left rest for more seconds than this, stop: the crawl can be gone on with later",
        0,
    )
    until_yield: float | None = knob(
        None,
        "stop when fewer relevant pages a fetch are to be expected of the next 1,000, as in 0.05",
        0,
        1,
        both=True,
    )
    max_bytes: int | None = knob(None, "stop after this many bytes were received", 0, both=True)
    max_queue: int | None = knob(None, "keep only about this many of the best queued URLs", 100, both=True)
    current_list: int = knob(
        0,
        "draw the next URL by roulette from a list of so many of the best, refilled when half are left; 0: the best",
        0,
        10_000,
        both=True,
    )
    max_known: int | None = knob(
        None, "know about at most this many URLs; others are counted, not kept", 1000, both=True
    )
    max_redirects: int = knob(20, "redirects in a row that are followed", 0, 100, both=True)
    max_segments: int = knob(25, "a URL with more parts in its path is a trap", 1, both=True)
    max_repeats: int = knob(3, "a URL with one part more often than this in its path is a trap", 1, both=True)
    max_parameters: int = knob(20, "a URL with more parameters is a trap", 1, both=True)
    trap_after: int = knob(
        300,
        "so many pages without a relevant one, whose URLs differ in numbers only, are a trap; 0: never",
        0,
        both=True,
    )
    copy_bits: int = knob(
        3,
        "pages are copies when at most so many of 64 bits of their fingerprints differ; -1: never",
        -1,
        15,
        both=True,
    )
    soft_404_after: int = knob(
        10, "a host's page that came so often under other URLs says that nothing is there; 0: never", 0, both=True
    )
    mirror_after: int = knob(
        20,
        "a host is a mirror when so many of its pages, and most of them, are copies of another's; 0: never",
        0,
        both=True,
    )
    skip_opted_out: bool = knob(False, "do not count pages that are reserved from machine learning", both=True)
    tdmrep: bool = knob(False, "also read /.well-known/tdmrep.json of every site for such reservations")
    sitemaps: bool = knob(False, "also follow the sitemaps that robots.txt names")
    resources: bool = knob(False, "also fetch images, scripts and style sheets, each once a domain")
    delay: float = knob(1.0, "seconds between two requests to one host; 0 lifts every gap", 0, 3600)
    ip_delay: float = knob(0.25, "seconds between two requests to one address, whatever the host", 0, 3600)
    retries: int = knob(2, "further tries after a failure that may pass, such as a time-out or status 503", 0, 20)
    concurrency: int = knob(16, "requests under way at once", 1, 1000)
    timeout: float = knob(30.0, "seconds a page may take, from first to last byte", 0.1, 3600)
    max_page_bytes: int = knob(10_000_000, "larger pages are given up", 1000)
    max_ratio: int = knob(300, "bodies that decode to more times their size, and over a megabyte, are given up", 2)
    read_all: bool = knob(
        False, "read of pages what neither topic nor strategy asks for, too: main text, words and tags around links"
    )
    max_links: int = knob(10_000, "links of a page that are followed; the others are counted", 1)
    workers: int | None = knob(None, "processes that read pages [default: one a core]; 0: the crawl's own", 0, 64)
    parse_timeout: float = knob(20.0, "seconds that reading one page may take", 0.1, 3600)
    render: str = knob(
        "never", "show pages to a browser that runs their scripts: never, auto (where needed) or always"
    )
    browser: str = knob("", "the browser to render with [default: the Chromium or Chrome on the PATH]")
    render_timeout: float = knob(15.0, "seconds a page may take in the browser", 0.5, 600)
    render_requests: int = knob(60, "requests a page may make in the browser", 0, 10_000)
    render_bytes: int = knob(20_000_000, "bytes a page may load in the browser", 0)
    allow_private: bool = knob(False, "also fetch from private and loopback addresses")
    resolve: list[str] = knob(
        [], "HOST=ADDRESS instead of asking the name server, *.test=ADDRESS for all that end so; repeatable"
    )
    proxy: str = knob("", "http://, socks5:// or socks5h:// address that all requests go through", secret=True)
    header: list[str] = knob([], "'NAME: VALUE' to send to the origins of the seeds only; repeatable", secret=True)
    withheld: list[str] = knob([], "settings that were made and are not kept, for they may be secret", hidden=True)
    warc_size: int = knob(1_000_000_000, "bytes after which the next WARC file is begun", 1000)
    dashboard_token: str = knob(
        "", "a file that keeps the dashboard's token, made where there is none [default: a new token in every run]"
    )
    web: str = knob("", "the stored web a simulated crawl runs on", hidden=True)
    user_agent: str = knob("honeyguide", "the product name robots.txt is read for")
    contact: str = knob("", "a URL or e-mail address site owners can reach you at, sent with every request")

    def __post_init__(self) -> None:
        check_bounds(self)
        if not self.user_agent.strip() or not (self.user_agent + self.contact).isprintable():
            raise BadInput("user_agent must be a name, and neither it nor contact may hold control characters")
        if self.render not in RENDER:
            raise BadInput(f"render = {self.render!r:.40} is none of: {', '.join(RENDER)}")
        self.seed = normalized_seeds(self.seed)
        for name in ("header", "allow", "deny"):  # an empty one stands for none
            setattr(self, name, [each for each in getattr(self, name) if each.strip()])
        for header in self.header:
            split_header(header)
        secret = [field.name for field in dataclasses.fields(self) if field.metadata.get("secret")]
        self.withheld = sorted({*self.withheld, *(name for name in secret if getattr(self, name))})

    def to_dict(self) -> dict[str, Any]:
        """Only what differs from the defaults, and what a crawl is known by; secrets are not kept."""
        always = ("topic", "seed", "strategy", "pages", "random_seed")
        return {
            field.name: field.metadata.get("kept", _as_it_is)(value)
            for field in dataclasses.fields(self)
            if (value := getattr(self, field.name)) is not None
            and not field.metadata.get("secret")
            and (field.name in always or value != default_of(field))
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Settings:
        """Settings from a TOML table."""
        cls.check_kinds(values)
        return cls(**values)

    @classmethod
    def check_kinds(cls, values: dict[str, Any]) -> None:
        """Refuse an unknown key, or a value of the wrong kind, by name."""
        kinds = {field.name: str(field.type).removesuffix(" | None") for field in dataclasses.fields(cls)}
        unknown = set(values) - set(kinds)
        if unknown:
            raise BadInput(f"settings this version does not know: {', '.join(sorted(unknown))}")
        for name, value in values.items():
            if not _is_a(kinds[name], value):
                raise BadInput(f"{name} = {value!r:.80} is no {kinds[name]}")


def normalized_seeds(seeds: Iterable[str]) -> list[str]:
    """Seeds in canonical form, each once."""
    found = []
    for seed in seeds:
        url = urls.normalize(seed)
        if not isinstance(url, str):
            raise BadInput(f"the seed {seed!r} is no URL that can be crawled ({url.reason}); write it as https://…")
        found.append(url)
    return list(dict.fromkeys(found))


def split_header(text: str) -> tuple[str, str]:
    """Name and value of a header as given on the command line."""
    name, colon, value = text.partition(":")
    name, value = name.strip(), value.strip()
    if not colon or not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name) or not value.isprintable():
        raise BadInput(f"--header {name!r:.60}: write it as 'NAME: VALUE', without line breaks")
    return name, value


def _as_it_is(value: Any) -> Any:
    return value


def _is_a(kind: str, value: object) -> bool:
    if kind == "list[str]":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return type(value) in {"str": (str,), "bool": (bool,), "int": (int,), "float": (float, int)}[kind]


def default_of(field: dataclasses.Field[Any]) -> Any:
    """A field's default value, made where it is made by a factory."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default

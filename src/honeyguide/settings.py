"""Everything a crawl can be told, each setting declared once: flag, TOML key and docs row come from here."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from honeyguide.base import BadInput, check_bounds, knob

DEFAULT_STRATEGY = "host-odds"


@dataclass
class Settings:
    """What was asked for. Settings marked `both` are for live and simulated crawls, the others for live ones."""

    topic: str = knob("", "what to look for, e.g. 'keyword:solar & ~url:shop'", both=True)
    seed: list[str] = knob([], "a URL to start from, or @file with one a line; repeatable", both=True)
    strategy: str = knob(DEFAULT_STRATEGY, "which links to follow first", both=True)
    pages: int = knob(1000, "how many pages to ask for, failures included", 1, both=True)
    random_seed: int = knob(0, "makes every random choice repeatable", 0, both=True)
    allow: list[str] = knob([], "only these hosts (with subdomains) or URL patterns with *; repeatable", both=True)
    deny: list[str] = knob([], "never these hosts or URL patterns; repeatable", both=True)
    same_site: bool = knob(False, "stay on the registrable domains of the seeds", both=True)
    depth: int | None = knob(None, "no further than this many links from a seed", 0, both=True)
    per_host: int | None = knob(None, "at most this many pages of a host", 1, both=True)
    max_time: float | None = knob(None, "stop after this many seconds", 0, both=True)
    max_bytes: int | None = knob(None, "stop after this many bytes were received", 0, both=True)
    max_queue: int | None = knob(None, "keep only about this many of the best queued URLs", 100, both=True)
    delay: float = knob(1.0, "seconds between two requests to one host; 0 lifts every gap", 0, 3600)
    ip_delay: float = knob(0.25, "seconds between two requests to one address, whatever the host", 0, 3600)
    retries: int = knob(2, "further tries after a failure that may pass, such as a time-out or status 503", 0, 20)
    concurrency: int = knob(16, "requests under way at once", 1, 1000)
    timeout: float = knob(30.0, "seconds a page may take, from first to last byte", 0.1, 3600)
    max_page_bytes: int = knob(10_000_000, "larger pages are given up", 1000)
    allow_private: bool = knob(False, "also fetch from private and loopback addresses")
    resolve: list[str] = knob([], "HOST=ADDRESS instead of asking the name server; repeatable")
    web: str = knob("", "the stored web a simulated crawl runs on", hidden=True)
    user_agent: str = knob("honeyguide", "the product name robots.txt is read for")
    contact: str = knob("", "a URL or e-mail address site owners can reach you at, sent with every request")

    def __post_init__(self) -> None:
        check_bounds(self)
        if not self.user_agent.strip() or not (self.user_agent + self.contact).isprintable():
            raise BadInput("user_agent must be a name, and neither it nor contact may hold control characters")

    def to_dict(self) -> dict[str, Any]:
        """Only what differs from the defaults, and what a crawl is known by."""
        always = ("topic", "seed", "strategy", "pages", "random_seed")
        return {
            field.name: value
            for field in dataclasses.fields(self)
            if (value := getattr(self, field.name)) is not None
            and (field.name in always or value != default_of(field))
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Settings:
        """Settings from a TOML table; an unknown key, or a value of the wrong kind, is refused by name."""
        kinds = {field.name: str(field.type).removesuffix(" | None") for field in dataclasses.fields(cls)}
        unknown = set(values) - set(kinds)
        if unknown:
            raise BadInput(f"crawl.toml has settings this version does not know: {', '.join(sorted(unknown))}")
        for name, value in values.items():
            if not _is_a(kinds[name], value):
                raise BadInput(f"crawl.toml: {name} = {value!r:.80} is no {kinds[name]}")
        return cls(**values)


def _is_a(kind: str, value: object) -> bool:
    if kind == "list[str]":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return type(value) in {"str": (str,), "bool": (bool,), "int": (int,), "float": (float, int)}[kind]


def default_of(field: dataclasses.Field[Any]) -> Any:
    """A field's default value, made where it is made by a factory."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default

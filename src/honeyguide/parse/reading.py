"""How thoroughly pages are read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """What is left out takes no time: links' context and path, and the main text, are half of reading a page."""

    surroundings: bool = True
    main_text: bool = True  # whether what stands in menus and footers is told from the rest
    most_links: int = 10_000  # of a page; the rest is counted
    largest: int = 50_000_000  # bytes of a page once decoded
    ratio: int = 300  # to which a body may decode, from a megabyte on
    agent: str = "honeyguide"  # the name, in lower case, under which robots tags may speak to us
    resources: bool = False  # whether images, scripts and style sheets count as links
    scripts: bool = False  # whether it is asked for that a page waits for its scripts


THOROUGH = Reading()

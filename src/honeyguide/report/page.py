"""The report of a crawl: its sections in order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from honeyguide.report.asked import asked, heading
from honeyguide.report.books import books, kinds
from honeyguide.report.curve import lift
from honeyguide.report.host_map import host_map
from honeyguide.report.learned import learned
from honeyguide.report.markup import document
from honeyguide.report.places import places
from honeyguide.report.top import top
from honeyguide.report.trouble import trouble

if TYPE_CHECKING:
    from honeyguide.report.figures import Figures

SECTIONS = (asked, lift, places, host_map, learned, top, trouble, books, kinds)


def render(figures: Figures) -> str:
    """The whole page."""
    sections = [section(figures) for section in SECTIONS]
    body = "".join((heading(figures), contents(sections), *sections))
    return document(f"Crawl: {figures.settings.topic}", body)


def contents(sections: list[str]) -> str:
    """Links to the sections."""
    found = (re.match(r'<section id="(\w+)"><h2>([^<]*)</h2>', section) for section in sections)
    links = (f'<a href="#{each[1]}">{each[2]}</a>' for each in found if each)
    return f"<nav>{''.join(links)}</nav>"

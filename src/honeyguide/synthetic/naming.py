"""Titles, addresses and words of the pages of the invented web."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.synthetic import words
from honeyguide.synthetic.pages import Kind

if TYPE_CHECKING:
    import random

    from honeyguide.synthetic.pages import Pages
    from honeyguide.synthetic.sites import Site


class Naming:
    """Names everything the same way whenever it is asked."""

    def __init__(self, sites: list[Site], pages: Pages, topics: int) -> None:
        self._sites, self._pages, self._topics = sites, pages, topics

    def vocabulary(self, page: int) -> tuple[str, ...]:
        """The words a page may be called by."""
        topic = int(self._pages.topic[page])
        return words.GENERAL if topic == self._topics else words.TOPICS[topic].words

    def title(self, page: int) -> str:
        """A page's own title, without its site's."""
        site, kind = self._sites[int(self._pages.host[page])], self._pages.kind[page]
        if kind == Kind.HOME:
            return site.title
        if kind in (Kind.SERVICE, Kind.PARTNERS):
            return words.SERVICE_TITLES[self._service(page)]
        text = self._section_title(page) if kind == Kind.SECTION else self._article_title(page)
        return text[0].upper() + text[1:]

    def path(self, page: int, gone: bool = False) -> str:
        """Where a page stands on its host, or where a page that is gone once stood."""
        host, kind = int(self._pages.host[page]), self._pages.kind[page]
        if kind == Kind.HOME:
            return "/"
        if kind in (Kind.SERVICE, Kind.PARTNERS):
            return f"/{self._service(page)}"
        section = self._pages.sections[host][int(self._pages.section[page])]
        if kind == Kind.SECTION:
            number = page - section.lists.start + 1
            return f"/{section.name}/" + (f"page/{number}" if number > 1 else "")
        return self._article_path(page, section.name, page - self._pages.start[host], gone)

    def subject(self, page: int, rng: random.Random) -> str:
        """Some words on what a page is about."""
        return " ".join(rng.choices(self.vocabulary(page), k=rng.randint(1, 2)))

    def _service(self, page: int) -> str:
        return words.SERVICE_PAGES[page - self._pages.start[int(self._pages.host[page])] - 1]

    def _section_title(self, page: int) -> str:
        section = self._pages.sections[int(self._pages.host[page])][int(self._pages.section[page])]
        number = page - section.lists.start + 1
        return section.name.replace("-", " ") + (f", page {number}" if number > 1 else "")

    def _article_title(self, page: int) -> str:
        picks, listed, topic = self._pages.picks[page], self.vocabulary(page), self._pages.topic[page]
        chosen = [listed[pick % len(listed)] for pick in picks[:3]]
        if self._pages.kind[page] in (Kind.HUB, Kind.DIRECTORY):
            return f"Links: {chosen[0]}, {chosen[1]} and more"
        name = listed[picks[3] % len(listed)] if topic == self._topics else words.TOPICS[topic].name
        return words.TITLE_FORMS[picks[4] % len(words.TITLE_FORMS)].format(*chosen, topic=name)

    def _article_path(self, page: int, section: str, number: int, gone: bool) -> str:
        site = self._sites[int(self._pages.host[page])]
        number += site.size if gone else 0
        if site.numbered:
            return f"/node/{number}"
        listed = self.vocabulary(page)
        slug = "-".join(listed[pick % len(listed)].replace(" ", "-") for pick in self._pages.picks[page][:2])
        return f"/{section}/{slug}-{number}"

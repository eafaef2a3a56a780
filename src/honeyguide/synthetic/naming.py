"""Titles, addresses and words of the pages of the invented web."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.synthetic import words
from honeyguide.synthetic.invented import section_word, vocabularies
from honeyguide.synthetic.pages import PICKS, Kind
from honeyguide.synthetic.text import favoured

if TYPE_CHECKING:
    import random

    from honeyguide.synthetic.pages import Pages, Section
    from honeyguide.synthetic.sites import Site


NAMED = 6  # words of its own part of the web that titles use


class Naming:
    """Names everything the same way whenever it is asked."""

    def __init__(self, sites: list[Site], pages: Pages, topics: int) -> None:
        self._sites, self._pages, self._topics = sites, pages, topics
        self._vocabularies = vocabularies(topics)
        self._names = [v.words for v in self._vocabularies] + [words.GENERAL]
        self._slugs = [[word.replace(" ", "-") for word in listed] for listed in self._names]

    def vocabulary(self, page: int) -> tuple[str, ...]:
        """The words a page may be called by."""
        return self._names[int(self._pages.topic[page])]

    def title(self, page: int) -> str:
        """A page's own title, without its site's."""
        kind = int(self._pages.kind[page])
        if kind == Kind.HOME:
            return self._sites[int(self._pages.host[page])].title
        if kind in (Kind.SERVICE, Kind.PARTNERS):
            return words.SERVICE_TITLES[self._service(page)]
        text = self._section_title(page) if kind == Kind.SECTION else self._article_title(page)
        return text[0].upper() + text[1:]

    def path(self, page: int, gone: bool = False) -> str:
        """Where a page stands on its host, or where a page that is gone once stood."""
        kind = int(self._pages.kind[page])
        if kind == Kind.HOME:
            return "/"
        if kind in (Kind.SERVICE, Kind.PARTNERS):
            return f"/{self._service(page)}"
        section = self._section(page)
        if kind == Kind.SECTION:
            number = page - section.lists.start + 1
            return f"/{section.name}/" + (f"page/{number}" if number > 1 else "")
        return self._article_path(page, section, gone)

    def subject(self, page: int, rng: random.Random) -> str:
        """Some words on what a page is about."""
        listed, part = self.vocabulary(page), int(self._pages.section[page])
        return " ".join(favoured(listed, part, rng.random()) for _ in range(rng.randint(1, 2)))

    def _section(self, page: int) -> Section:
        return self._pages.sections[int(self._pages.section[page])]

    def _service(self, page: int) -> str:
        return words.SERVICE_PAGES[page - int(self._pages.start[self._pages.host[page]]) - 1]

    def _section_title(self, page: int) -> str:
        section = self._section(page)
        number = page - section.lists.start + 1
        return section.name.replace("-", " ") + (f" ({number})" if number > 1 else "")

    def _article_title(self, page: int) -> str:
        picks, listed, topic = self._pages.picks[page].tolist(), self.vocabulary(page), int(self._pages.topic[page])
        part = int(self._pages.section[page])
        chosen = [favoured(listed, part, pick / PICKS) for pick in picks[:2]]
        chosen.append(section_word(part, int((picks[2] / PICKS) ** 2 * NAMED)))
        if self._pages.kind[page] in (Kind.HUB, Kind.DIRECTORY):
            return f"Links: {chosen[0]}, {chosen[1]} and more"
        name = listed[picks[3] % len(listed)] if topic == self._topics else self._vocabularies[topic].name
        return words.TITLE_FORMS[picks[4] % len(words.TITLE_FORMS)].format(*chosen, topic=name)

    def _article_path(self, page: int, section: Section, gone: bool) -> str:
        host = int(self._pages.host[page])
        site = self._sites[host]
        number = page - int(self._pages.start[host]) + (site.size if gone else 0)
        if section.numbered:
            return f"/node/{number}"
        slugs, part = self._slugs[int(self._pages.topic[page])], int(self._pages.section[page])
        first, second = (favoured(slugs, part, pick / PICKS) for pick in self._pages.picks[page, :2].tolist())
        return f"/{section.name}/{first}-{second}-{number}"

"""What a page consists of, for tests of the pages we write."""

from __future__ import annotations

from html.parser import HTMLParser
from urllib.parse import unquote


class Shape(HTMLParser):
    """Tags and attributes of a page, its text by section, and the files its links save."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], ""
        self.ids, self.links, self.files, self.sections = [], [], {}, {}
        self._section = ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        own = dict(attrs)
        self.tags.append(tag)
        self.attributes += own
        self.ids += [own["id"]] if "id" in own else []
        self._section = own["id"] if tag == "section" else self._section
        if tag == "a":
            self.links.append(own["href"])
            if "download" in own:
                self.files[own["download"]] = unquote(own["href"].partition(",")[2])

    def handle_data(self, data):
        self.text += data
        self.sections[self._section] = self.sections.get(self._section, "") + data

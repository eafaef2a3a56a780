"""What a page consists of, for tests of the pages we write."""

from __future__ import annotations

from html.parser import HTMLParser


class Shape(HTMLParser):
    """Tags and attributes of a page, and its text."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data):
        self.text += data

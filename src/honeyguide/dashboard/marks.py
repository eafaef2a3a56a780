"""What people said of pages: which belong to the topic, and which do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.dashboard.taught import marks_known

if TYPE_CHECKING:
    from honeyguide.store import Store
    from honeyguide.topic import Topic

NEEDED = 2  # marks of either kind, before something is learned from them unasked


class Marks:
    """The marks of a crawl, as its directory holds them."""

    def __init__(self) -> None:
        self.by_url: dict[str, bool] = {}

    def read(self, store: Store) -> None:
        """Know what the directory holds."""
        self.by_url = store.marks()

    def keep(self, store: Store, url: str, relevant: bool) -> None:
        """Write down what somebody says of a page."""
        store.mark(url, relevant)
        store.commit()
        self.by_url[url] = relevant

    def new_to(self, topic: Topic) -> int:
        """How many of them a topic does not know of."""
        known = marks_known(topic)
        return sum(known.get(url) != relevant for url, relevant in self.by_url.items())

    def of(self, relevant: bool) -> int:
        """How many say so."""
        return sum(each == relevant for each in self.by_url.values())

    @property
    def suffice(self) -> bool:
        """Whether there are enough of both kinds to learn from unasked."""
        return min(self.of(True), self.of(False)) >= NEEDED

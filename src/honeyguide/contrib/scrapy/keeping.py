"""Requests that wait, kept in the database of the crawl as JSON, so that a job can go on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.utils.misc import load_object
from scrapy.utils.request import request_from_dict

from honeyguide.store.errors import told_plainly

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Spider

    from honeyguide.store import Store

TABLE = """
CREATE TABLE IF NOT EXISTS scrapy_requests (
    number INTEGER PRIMARY KEY,  -- in the order they were made
    url INTEGER NOT NULL,        -- its id; -1 where it is none of the web's
    priority INTEGER NOT NULL,
    request TEXT NOT NULL        -- JSON of Request.to_dict; see jsonable()
)
"""


class Keeping:
    """A row for every request until it is done with: waiting, under way, or its callback at work."""

    def __init__(self, store: Store, spider: Spider) -> None:
        self._store = store
        self._spider = spider
        with told_plainly(store.directory):
            store.database.execute(TABLE)

    def add(self, number: int, url: int, priority: int, text: str) -> None:
        """Keep a request."""
        row = (number, url, priority, text)
        with told_plainly(self._store.directory):
            self._store.database.execute("INSERT INTO scrapy_requests VALUES (?, ?, ?, ?)", row)

    def remove(self, number: int) -> None:
        """Let go of one."""
        with told_plainly(self._store.directory):
            self._store.database.execute("DELETE FROM scrapy_requests WHERE number = ?", (number,))

    def rows(self) -> Iterator[tuple[int, int, int]]:
        """Number, URL and priority of all that are kept."""
        with told_plainly(self._store.directory):
            yield from self._store.database.execute(
                "SELECT number, url, priority FROM scrapy_requests ORDER BY number"
            ).fetchall()

    def text(self, request: Request) -> str:
        """A request as JSON; ValueError where it holds what JSON cannot, or a callback that is no method."""
        return json.dumps(jsonable(request.to_dict(spider=self._spider)))

    def request(self, number: int) -> Request:
        """A request as it was made."""
        with told_plainly(self._store.directory):
            query = "SELECT request FROM scrapy_requests WHERE number = ?"
            (text,) = self._store.database.execute(query, (number,)).fetchone()
        values = as_it_was(json.loads(text))
        kind = load_object(values.get("_class", Request))
        if not (isinstance(kind, type) and issubclass(kind, Request)):
            raise ValueError(f"{values['_class']!r} is no request")
        return request_from_dict(values, spider=self._spider)


def jsonable(value: Any) -> Any:
    """What JSON can hold: bytes, tuples and tables with keys that are no texts are marked by a table of one entry.

    >>> jsonable({"body": b"x", 1: (2,)})
    {'!table': [['body', {'!bytes': 'x'}], [1, {'!tuple': [2]}]]}
    """
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if kind is bytes:
        return {"!bytes": value.decode("latin-1")}
    if kind is list:
        return [jsonable(each) for each in value]
    if kind is tuple:
        return {"!tuple": [jsonable(each) for each in value]}
    if kind is dict:
        if all(type(key) is str and not key.startswith("!") for key in value):
            return {key: jsonable(each) for key, each in value.items()}
        return {"!table": [[jsonable(key), jsonable(each)] for key, each in value.items()]}
    raise ValueError(f"a {kind.__name__} cannot be kept: {value!r:.100}")


def as_it_was(value: Any) -> Any:
    """What `jsonable` made of it, undone.

    >>> as_it_was(jsonable({"body": b"x", 1: (2,)}))
    {'body': b'x', 1: (2,)}
    """
    if isinstance(value, list):
        return [as_it_was(each) for each in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        (mark, inside), *_ = value.items()
        if mark == "!bytes":
            return inside.encode("latin-1")
        if mark == "!tuple":
            return tuple(as_it_was(inside))
        if mark == "!table":
            return {as_it_was(key): as_it_was(each) for key, each in inside}
    return {key: as_it_was(each) for key, each in value.items()}

"""A server that is also a SearXNG instance, which finds the same pages whatever it is asked."""

from __future__ import annotations

import json

from loopback import answer


class Searched(dict):
    """Pages by path, and those that a search finds."""

    def __init__(self, pages, found):
        super().__init__(pages)
        self._found = found

    def get(self, path, default=None):
        return self._answer if path.startswith("/search?") else super().get(path, default)

    async def _answer(self, request, writer):
        results = [{"url": f"http://{request.headers['host']}{path}"} for path in self._found]
        writer.write(answer(json.dumps({"results": results}).encode(), type="application/json"))

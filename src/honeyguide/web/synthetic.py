"""A generated web as a web to crawl: the same HTML the demo serves, through the same parser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from honeyguide import urls
from honeyguide.base import Excluded, Reply
from honeyguide.parse import parse
from honeyguide.web.base import SimulatedWeb
from honeyguide.web.robots import Rules, read_rules

if TYPE_CHECKING:
    from honeyguide.synthetic import World


class SyntheticWeb(SimulatedWeb):
    """Answers from a World, robots.txt, redirects and dead links included."""

    def __init__(self, world: World, delay: float = 0.0, agent: str = "honeyguide") -> None:
        super().__init__(delay)
        self.world = world
        self._agent = agent
        self._rules: dict[str, Rules] = {}

    async def get(self, url: str) -> Reply:
        if not self._rules_of(urls.host(url)).allow(url):
            raise Excluded("robots", "robots.txt of the host forbids it")
        target = self.world.redirect(url)
        if target is not None:
            return Reply(redirect=target, status=301)
        body = self.world.html(url)
        if body is None:
            return Reply(error="http_404", status=404)
        page = parse(url, body, "text/html; charset=utf-8")
        return Reply(replace(page, label=self.world.topic_of(url).replace(" ", "-")), size=len(body))

    def _rules_of(self, host: str) -> Rules:
        if host not in self._rules:
            self._rules[host] = read_rules(self.world.robots(host).encode(), self._agent)
        return self._rules[host]

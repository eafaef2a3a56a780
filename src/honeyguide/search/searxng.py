"""A SearXNG instance, asked through its JSON interface."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.metadata
import ipaddress
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from honeyguide import urls
from honeyguide.base import BadInput, FetchError
from honeyguide.search.base import Hit, Search, SearchFailed, cleaned
from honeyguide.settings import without_password
from honeyguide.web.content import decoded
from honeyguide.web.guard import Guard
from honeyguide.web.http import Http
from honeyguide.web.manners import retry_after
from honeyguide.web.proxy import ProxyDown

if TYPE_CHECKING:
    from honeyguide.web.exchange import Exchange

TIMEOUT = 20.0  # seconds for one page of results, from first to last byte
MOST_BYTES = 5_000_000  # of one page of results
MOST_PAGES = 20
LONGEST_WAIT = 10.0  # seconds that are waited when the instance asks for it
USUAL_WAIT = 2.0  # where it does not say how long
ENGINES_NAMED = 5

_LATER = "ask again later, or use an instance of your own with its limiter off"
_ADVICE = {
    401: "name it as searxng:https://NAME:PASSWORD@HOST/; a crawl does not keep them: give them whenever it goes on",
    403: "add `json` to `search: formats:` in the settings.yml of the instance, or use one that has it",
    404: "check the address: the page with the search form, without /search",
    429: _LATER,
}


class SearxngSearch(Search):
    """Asks page after page until there are enough hits, or no more."""

    name = "searxng"

    def __init__(self, address: str, timeout: float = TIMEOUT, proxy: str = "") -> None:
        shown = urls.normalize(address)
        if not isinstance(shown, str):
            named = without_password(f"searxng:{address}")
            raise BadInput(f"{named:.200} is no address; write it as searxng:http://localhost:8080/")
        self._shown = _without_search(shown)  # no password in it
        self._base = _without_search(address.strip())
        self._timeout = timeout
        self._proxy = "" if _is_on_this_machine(shown) else proxy

    async def _find(self, query: str, limit: int) -> list[Hit]:
        # The user named this instance, and it usually runs on the same machine: private addresses are permitted.
        guard = Guard(allow_private=True)
        async with Http(_headers(), self._timeout, guard, {}, self._proxy) as http:
            found, before, number = cleaned(self._hits(await self._answer(http, query, 1))), 0, 1
            while before < len(found) < limit and number < MOST_PAGES:
                before, number = len(found), number + 1
                found = cleaned(found + await self._more(http, query, number))
        return found

    async def _more(self, http: Http, query: str, number: int) -> list[Hit]:
        """A further page of results; where it fails, there are no more."""
        with contextlib.suppress(SearchFailed):
            return self._hits(await self._answer(http, query, number))
        return []

    async def _answer(self, http: Http, query: str, number: int) -> bytes:
        parameters = urlencode({"q": query, "format": "json", "pageno": number})
        url = f"{self._base}/search?{parameters}"
        exchange = await self._exchange(http, url)
        if exchange.status == 429 and (pause := _pause(exchange)) <= LONGEST_WAIT:
            await asyncio.sleep(pause)
            exchange = await self._exchange(http, url)
        self._check(exchange)
        try:
            return decoded(exchange.body, exchange.headers.get("content-encoding", ""), MOST_BYTES)
        except FetchError as error:
            raise self._failed(f"sent what cannot be read ({error})", "check the instance") from error

    async def _exchange(self, http: Http, url: str) -> Exchange:
        try:
            return await http.get(url, MOST_BYTES)
        except FetchError as error:
            if error.reason == "timeout":
                raise self._failed(f"did not answer within {self._timeout:g} s", "try again later") from error
            raise self._failed(f"cannot be reached ({error})", "check the address and that it is running") from error
        except ProxyDown as error:
            raise self._failed(f"was not asked: {error}", "check --proxy") from error

    def _check(self, exchange: Exchange) -> None:
        """Refuse any answer that is not a whole page."""
        if 300 <= exchange.status < 400:
            target = exchange.headers.get("location", "nowhere")
            raise self._failed(f"redirects to {target:.200}", "name that address instead")
        if exchange.status != 200:
            advice = _ADVICE.get(exchange.status, "look into the log of the instance, or try again later")
            raise self._failed(f"answered with status {exchange.status}{_meaning(exchange)}", advice)
        if exchange.truncated:
            why = f"more than {MOST_BYTES:,} bytes" if exchange.truncated == "length" else "half an answer"
            raise self._failed(f"sent {why}", "try again later")

    def _hits(self, body: bytes) -> list[Hit]:
        answer = _parsed(body)
        if answer is None:
            advice = "check that the address is that of an instance, and that no login or challenge stands before it"
            raise self._failed("sent something else than SearXNG's JSON", advice)
        hits = [hit for result in answer["results"] if (hit := _hit(result))]
        if not hits and (silent := _silent_engines(answer)):
            raise self._failed(f"found nothing, as its engines failed: {silent}", _LATER)
        return hits

    def _failed(self, happened: str, advice: str) -> SearchFailed:
        return SearchFailed(self.name, f"{self._shown} {happened}", advice)


def _without_search(address: str) -> str:
    return address.partition("?")[0].rstrip("/").removesuffix("/search")


def _is_on_this_machine(url: str) -> bool:
    """Whether an address leads nowhere else: a proxy would take it for its own machine."""
    host = urlsplit(url).hostname or ""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost" or host.endswith(".localhost")


def _headers() -> dict[str, str]:
    agent = f"honeyguide/{importlib.metadata.version('honeyguide')}"
    return {"User-Agent": agent, "Accept": "application/json", "Accept-Encoding": "gzip, deflate"}


def _pause(exchange: Exchange) -> float:
    asked = retry_after(exchange.headers.get("retry-after", ""))
    return USUAL_WAIT if asked is None else asked


def _meaning(exchange: Exchange) -> str:
    if exchange.status == 429:
        asked = retry_after(exchange.headers.get("retry-after", ""))
        return f" (too many requests{'' if asked is None else f'; it asks to wait {asked:.0f} s'})"
    return " (it does not give out JSON)" if exchange.status == 403 else ""


def _parsed(body: bytes) -> dict[str, Any] | None:
    """An answer that has results, be they none; None for anything else."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) and isinstance(answer.get("results"), list) else None


def _hit(result: Any) -> Hit | None:
    """A result that is a page; some are not, such as those of calculators."""
    if not isinstance(result, dict) or not isinstance(result.get("url"), str):
        return None
    return Hit(result["url"], str(result.get("title") or ""), str(result.get("content") or ""))


def _silent_engines(answer: dict[str, Any]) -> str:
    """Which engines did not answer the instance, and why, as it tells: [["google", "too many requests"], …]."""
    pairs = answer.get("unresponsive_engines")
    named = [f"{pair[0]} ({pair[1]})" for pair in pairs if _is_pair(pair)] if isinstance(pairs, list) else []
    return ", ".join(named[:ENGINES_NAMED])[:400]


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2

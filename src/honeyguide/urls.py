"""The one normaliser of URLs, and the parts the rest of the program asks for."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import can_ada

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_LENGTH = 2083

_TRACKING = re.compile(
    r"(?:utm_\w+|[gdw]clid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|mc_[ce]id|mkt_tok"
    r"|_ga|_gl|_hsenc|_hsmi|oly_(?:anon|enc)_id|vero_(?:id|conv)|wickedid|s_kwcid|pk_\w+|mtm_\w+)",
    re.IGNORECASE,
)
_SESSION_NAME = re.compile(r"(?:jsessionid|phpsessid|aspsessionid\w*|cfid|cftoken)", re.IGNORECASE)
# `sid=12` may be a story; thirty-two random characters are a session.
_SESSION_VALUE = re.compile(r"(?:sid|sessionid|session_id|s)=[0-9a-z]{32,}", re.IGNORECASE)
_SESSION_IN_PATH = re.compile(
    r";jsessionid=[^/?;]*|/\((?:[a-z]\([0-9a-z]{24}\))+\)(?=/)|/\([0-9a-z]{24}\)(?=/)", re.IGNORECASE
)
# Not right after a stray percent sign: with `%2%65` the decoded letter would make a new escape.
_ESCAPE = re.compile(r"(?<!%)(?<!%[0-9a-fA-F])%[0-9a-fA-F]{2}")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_KEPT_IN_TEXT = "/?#:@!$&'*+,;=%"  # beside letters, digits and what is unreserved
_TOKEN = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class BadURL:
    """Why a text is not a URL that can be crawled."""

    reason: str


@functools.lru_cache(maxsize=64)
def _parsed(base: str) -> Any:
    return can_ada.parse(base)


def normalize(href: str, base: str = "") -> str | BadURL:
    """The canonical form of a URL, resolved against `base`; two texts for one page give one form.

    >>> normalize("HTTPS://Bees.example:443/honey?utm_source=x#top")
    'https://bees.example/honey'
    >>> normalize("mailto:me@bees.example")
    BadURL(reason='not http or https')
    """
    if len(href) > MAX_LENGTH and len(href.strip()) > MAX_LENGTH:
        return BadURL(f"longer than {MAX_LENGTH} characters")
    try:
        parsed = _parsed(base) + href if base else can_ada.parse(href)
    except (ValueError, TypeError):
        return BadURL("malformed" if href.strip() else "empty")
    if parsed.protocol not in ("http:", "https:"):
        return BadURL("not http or https")
    if parsed.username or parsed.password:
        parsed.username = parsed.password = ""
    return _canonical(parsed.href)


def resolver(base: str) -> Callable[[str], str | BadURL]:
    """The same as `normalize` against one base, remembered: pages of a site share most of their links."""
    folder = base[: base.partition("?")[0].rindex("/") + 1]  # all that counts of it for most links
    known: dict[str, str | BadURL] = {}

    def resolve(href: str) -> str | BadURL:
        page = href.partition("#")[0]
        href = page if page[-1:] > " " else href  # blanks at the end would count no more
        found = known.get(href)
        if found is None:
            found = known[href] = _resolved(href, base, folder)
        return found

    return resolve


def _resolved(href: str, base: str, folder: str) -> str | BadURL:
    if href.startswith(("http://", "https://")):
        return _remembered(href, "")
    first = href[:1]
    return _remembered(href, folder if first == "/" or (first.isalnum() and ":" not in href) else base)


def in_text(url: str) -> str | BadURL:
    """The same address, its fragment too, in characters that end it in no text and that no text marks anything with.

    >>> in_text("http://bees.example/a b(c)[d]#e|f")
    'http://bees.example/a%20b%28c%29%5Bd%5D#e%7Cf'
    """
    try:
        parsed = can_ada.parse(url)
    except (ValueError, TypeError):
        return BadURL("malformed" if url.strip() else "empty")
    if parsed.protocol not in ("http:", "https:"):
        return BadURL("not http or https")
    scheme, name, rest = split(parsed.href)
    return f"{scheme}://{name}{quote(rest, safe=_KEPT_IN_TEXT)}"


def _canonical(url: str) -> str | BadURL:
    """Drop what does not change the page: fragment, session ids, tracking, order of parameters."""
    url = url.partition("#")[0]
    if "./" in url or ".:" in url:
        try:
            url = _without_final_dot(url)
        except ValueError:
            return BadURL("malformed")
    if "%" in url:
        url = _ESCAPE.sub(_plain_escape, url)
    head, question, query = url.partition("?")
    if ";" in head or "(" in head:
        head = _without_session(head)
    if question:
        query = _canonical_query(query)
        url = f"{head}?{query}" if query else head
    else:
        url = head
    return url if len(url) <= MAX_LENGTH else BadURL(f"longer than {MAX_LENGTH} characters")


def _without_final_dot(url: str) -> str:
    """The same host, with its name as everybody writes it."""
    scheme, name, rest = split(url)
    bare, colon, port = name.partition(":")
    if not bare.endswith("."):
        return url
    return str(can_ada.parse(f"{scheme}://{bare.rstrip('.')}{colon}{port}{rest}").href)  # a number is an address now


def _without_session(head: str) -> str:
    """Drop session ids from the path; what is left may hold new `..` steps, or another id."""
    scheme, name, path = split(head)
    while (shorter := _SESSION_IN_PATH.sub("", path)) != path:
        path = split(can_ada.parse(f"{scheme}://{name}{shorter}").href)[2]
    return f"{scheme}://{name}{path}"


def _plain_escape(match: re.Match[str]) -> str:
    character = chr(int(match[0][1:], 16))
    return character if character in _UNRESERVED else match[0].upper()


def _canonical_query(query: str) -> str:
    kept = [part for part in query.split("&") if part and not _says_nothing(part)]
    if len(kept) > 1:
        kept.sort(key=lambda part: part.partition("=")[0])
    return "&".join(kept)


def _says_nothing(part: str) -> bool:
    name = part.partition("=")[0]
    return bool(_TRACKING.fullmatch(name) or _SESSION_NAME.fullmatch(name) or _SESSION_VALUE.fullmatch(part))


_remembered = functools.lru_cache(maxsize=16_384)(normalize)


def split(url: str) -> tuple[str, str, str]:
    """Scheme, host with port, and the rest, of a normalised URL.

    >>> split("https://bees.example:8080/honey?page=2")
    ('https', 'bees.example:8080', '/honey?page=2')
    """
    scheme, _, rest = url.partition("://")
    host_part, slash, path = rest.partition("/")
    return scheme, host_part, slash + path


def origin(url: str) -> str:
    """Scheme and host with port: what browsers keep apart.

    >>> origin("https://bees.example:8080/honey")
    'https://bees.example:8080'
    """
    scheme, name, _ = split(url)
    return f"{scheme}://{name}"


def host(url: str) -> str:
    """Host, with the port where it is not the default one."""
    return split(url)[1]


def host_written(name: str) -> str:
    """The name of a host as URLs have it: lower case, and ASCII whatever the script; stars are left alone.

    >>> host_written("*.Bücher.example.")
    '*.xn--bcher-kva.example'
    """
    rest = name.strip(".").lstrip("*.")
    found = normalize(f"http://{rest.replace('*', 'star-x-')}/")
    written = host(found).replace("star-x-", "*") if isinstance(found, str) else rest.lower()
    return name.strip(".").removesuffix(rest) + written


def hostname(url: str) -> str:
    """Host without port."""
    name = host(url)
    return name.partition("]")[0] + "]" if name.startswith("[") else name.partition(":")[0]


@functools.cache
def _public_suffixes() -> Any:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


def site(url: str) -> str:
    """The registrable domain: what one owner holds. An address, or a bare name, stands for itself.

    >>> site("https://news.bees.co.uk/today")
    'bees.co.uk'
    """
    name = hostname(url)
    if name.startswith("[") or name.rpartition(".")[2].isdigit():
        return name
    return str(_public_suffixes().privatesuffix(name) or name)


def tokens(url: str) -> list[str]:
    """The words a URL is made of, in lower case, the scheme left out.

    >>> tokens("https://bees.example/Honey-Jars/top_10?sort=price")
    ['bees', 'example', 'honey', 'jars', 'top', '10', 'sort', 'price']
    """
    return _TOKEN.findall(unquote(url.partition("://")[2] or url).lower())

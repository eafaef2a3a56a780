"""Plain text: its charset by the same rules as HTML, no links."""

from __future__ import annotations

import codecs
from encodings.aliases import aliases

from honeyguide.base import Page
from honeyguide.parse.fingerprint import fingerprint
from honeyguide.parse.language import language_of

_OF_PYTHON = frozenset(aliases) | frozenset(aliases.values())
_OF_BROWSERS = frozenset(
    "utf-8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 utf-16 utf-16le utf-16be ucs-2"
    " unicode csunicode unicodefeff unicodefffe iso-10646-ucs-2 logical visual csiso88598e csiso88598i"
    " iso-8859-6-e iso-8859-6-i iso-8859-8-e iso-8859-8-i csisolatin9 l9 sun_eu_greek x-mac-roman x-mac-cyrillic"
    " x-mac-ukrainian macintosh mac koi koi8 koi8-ru dos-874 windows-874 tis-620 x-cp1250"
    " x-cp1251 x-cp1252 x-cp1253 x-cp1254 x-cp1255 x-cp1256 x-cp1257 x-cp1258 chinese csgb2312 gb_2312"
    " x-gbk big5-hkscs cn-big5 csbig5 x-x-big5 cseucpkdfmtjapanese x-euc-jp csiso2022jp csshiftjis"
    " ms_kanji shift-jis windows-31j x-sjis cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987"
    " ks_c_5601-1989 ksc5601 ksc_5601 windows-949 csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext"
    " replacement x-user-defined".split()
)


def decode(body: bytes, charset: str) -> tuple[str, str]:
    """Text and the name of its encoding: byte-order mark, then the label, then what the bytes look like."""
    from turbohtml.detect import detect  # registers the whatwg-* codecs

    found = detect(body)
    name = found.encoding or "windows-1252"
    if charset and not found.bom:
        name = (is_known(charset) and _known(charset)) or name
    text = body.decode(f"whatwg-{name.lower()}", "replace")
    return text.removeprefix("\ufeff"), name.lower().removesuffix("-sig")


def is_known(label: str) -> bool:
    """Whether a label is one that browsers know. Python would look for a module of that name, so it is not asked."""
    name = label.strip().lower()
    return name in _OF_BROWSERS or name.replace("-", "_") in _OF_PYTHON


def _known(label: str) -> str:
    try:
        codecs.lookup(f"whatwg-{label.lower()}")
    except (LookupError, ValueError):  # Python knows it, browsers do not
        return ""
    return label


def read_plain(url: str, body: bytes, charset: str) -> Page:
    """A page of plain text; its first line stands in for a title."""
    text, encoding = decode(body, charset)
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return Page(
        url=url,
        title=first[:100],
        text=text,
        main=text,
        language=language_of(text),
        type="text/plain",
        charset=encoding,
        fingerprint=fingerprint(text),
    )

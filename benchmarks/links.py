"""Do the pages that the docs link to on other sites still answer? `make links` asks each of them once, politely.

Tests only look at how the links are written and why they are there: they ask nobody. See tests/test_docs_links.py.
"""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide import Crawl

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGES.md", *sorted((ROOT / "docs").glob("*.md"))]
# Every page elsewhere that is linked to, and why.
WHY = {
    "https://arxiv.org/abs/2502.13347": "the paper of Craw4LLM, whose rule is a strategy here",
    "https://github.com/VIDA-NYU/ache": "the code of ACHE, which the strategy `ache` follows",
    "https://github.com/TeamHG-Memex/deep-deep": "the code of deep-deep, which the strategy `deep-deep` follows",
    "https://github.com/cxcscmu/Craw4LLM": "the code of Craw4LLM",
    "https://github.com/yahoo/anthelion": "the code of Anthelion, which the strategy `anthelion` follows",
}
_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"https?:(?!//[,; ])[^\s)>\]\"']*", re.IGNORECASE)


def links(text: str) -> list[str]:
    """What Markdown links to elsewhere, marked as a link or not; code is left out.

    >>> links("See [bees](https://bees.example/a) and http://b.example, not `https://c.example/`.")
    ['https://bees.example/a', 'http://b.example']
    """
    return [found.rstrip(".,;:") for found in _LINK.findall(_CODE.sub("", text))]


def troubles(urls: Iterable[str], **settings: object) -> dict[str, str]:
    """The pages that cannot be had, and why; one that has moved can be had where it leads."""
    asked = list(urls)
    crawl = Crawl(asked, "keyword:any", "breadth-first", depth=0, **settings)  # type: ignore[arg-type]
    came: dict[str, str] = {}

    async def ask() -> None:
        async for visit in crawl:
            came[visit.url] = "" if visit.error == "redirect" else visit.error

    asyncio.run(ask())
    told = {url: came.pop(url, "not asked for: robots.txt, or no such URL") for url in asked}
    return {url: why for url, why in {**told, **came}.items() if why}


def main() -> None:
    """Ask for all of them, and say which are gone."""
    found = sorted({link for page in PAGES for link in links(page.read_text(encoding="utf-8"))})
    gone = troubles(found)
    for url, why in gone.items():
        print(f"{url}: {why}")
    print(f"{len(found)} pages elsewhere are linked to; {len(gone)} cannot be had.")
    sys.exit(bool(gone))


if __name__ == "__main__":
    main()

"""The HTML of a page of the invented web, written anew and the same whenever it is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Anchor:
    """One link as the page shows it."""

    href: str
    text: str
    note: str = ""  # words that follow it in a list


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that a page shows."""

    site: str
    title: str
    text: list[str]  # sentences
    menu: Sequence[Anchor]
    content: Sequence[Anchor]
    footer: Sequence[Anchor]
    network: Sequence[Anchor]
    prose: bool  # some of its links stand in sentences, not all in lists


@dataclass(frozen=True, slots=True)
class Template:
    """How the pages of one host look."""

    menu: str
    wrapper: str
    body: str
    list: str
    aside: str
    network: str


def pick_template(rng: random.Random) -> Template:
    """A look for a host."""
    return Template(
        menu=rng.choice(("menu", "nav", "topnav", "main-menu")),
        wrapper=rng.choice(("page", "wrap", "container", "site")),
        body=rng.choice(("entry", "post", "story", "text")),
        list=rng.choice(("links", "list", "items", "index")),
        aside=rng.choice(("related", "sidebar", "see-also")),
        network=rng.choice(("network", "sisters", "our-sites")),
    )


def render(sheet: Sheet, look: Template, rng: random.Random) -> str:
    """The whole document."""
    inline, listed, aside = _placed(sheet, rng)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{escape(sheet.title)}</title>
</head>
<body>
<div class="{look.wrapper}">
<header><p class="brand">{escape(sheet.site)}</p>
<nav class="{look.menu}">{_list(sheet.menu, "")}</nav>
</header>
<main>
<article class="{look.body}">
<h1>{escape(sheet.title)}</h1>
{_paragraphs(sheet.text, inline, rng)}
{_list(listed, look.list)}
</article>
{f'<aside class="{look.aside}"><h2>See also</h2>{_list(aside, "")}</aside>' if aside else ""}
</main>
<footer>
{_list(sheet.footer, "about")}
<div class="{look.network}">{_list(sheet.network, "")}</div>
</footer>
</div>
</body>
</html>
"""


def _placed(sheet: Sheet, rng: random.Random) -> tuple[Sequence[Anchor], Sequence[Anchor], Sequence[Anchor]]:
    """Part the content links, in their order, into those in sentences, in the list and in the margin."""
    n = len(sheet.content)
    first = 0 if not sheet.prose else min(len(sheet.text), max(1, int(n * rng.uniform(0.3, 0.6))))
    last = n if not sheet.prose or n < 6 else n - rng.randint(2, 3)
    return sheet.content[:first], sheet.content[first:last], sheet.content[last:]


def _paragraphs(text: list[str], links: Sequence[Anchor], rng: random.Random) -> str:
    places = sorted(rng.sample(range(len(text)), len(links)))
    linked = dict(zip(places, links, strict=True))
    shown = [f"{escape(s)} {_tag(linked[k])}." if k in linked else escape(s) for k, s in enumerate(text)]
    size = rng.randint(3, 6)
    return "\n".join(f"<p>{' '.join(shown[k : k + size])}</p>" for k in range(0, len(shown), size))


def _list(links: Sequence[Anchor], style: str) -> str:
    if not links:
        return ""
    items = "".join(f"<li>{_tag(link)}{' ' + escape(link.note) if link.note else ''}</li>" for link in links)
    return f'<ul class="{style}">{items}</ul>' if style else f"<ul>{items}</ul>"


def _tag(link: Anchor) -> str:
    return f'<a href="{escape(link.href)}">{escape(link.text)}</a>'

"""Parsing: pages and links a second, beside a bare loop over the same parser that only lists hrefs."""

from __future__ import annotations

import sys
import time

import turbohtml

from honeyguide.parse import parse
from honeyguide.synthetic import generate


def main() -> None:
    """Pages of the synthetic web, and one long page with many links."""
    count = 100 if "--quick" in sys.argv else 1000
    world = generate()
    some = [(url, body) for url in world.urls[:count] if (body := world.html(url))]
    item = "<li><a class=item href='/page/{0}?b=2&a={0}'>Item number {0}</a> and some words on it</li>"
    long = ("http://long.test/", f"<ul>{''.join(item.format(i) for i in range(2000))}</ul>".encode())
    print("| pages | bytes/page | links/page | pages/s | links/s | of a bare loop |\n|---|---|---|---|---|---|")
    report("synthetic web", some)
    report("2,000 links each", [long] * (len(some) // 20))


def report(name: str, pages: list[tuple[str, bytes]]) -> None:
    """One row: everything a Page holds against nothing but the hrefs."""
    began = time.perf_counter()
    links = sum(len(parse(url, body).links) for url, body in pages)
    full = time.perf_counter() - began
    began = time.perf_counter()
    for _, body in pages:
        [a.attr("href") for a in turbohtml.parse(body, positions=False).select("a[href]")]
    bare = time.perf_counter() - began
    size = sum(len(body) for _, body in pages) / len(pages)
    print(
        f"| {name} | {size:,.0f} | {links / len(pages):,.0f} | {len(pages) / full:,.0f} | {links / full:,.0f} | "
        f"{bare / full:.2f} |",
        flush=True,
    )


if __name__ == "__main__":
    main()

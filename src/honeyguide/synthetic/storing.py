"""A generated web as a stored one: small ones whole, large ones as links, their pages made when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.atlas import AtlasBuilder
from honeyguide.synthetic.making import GENERATOR, generate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from honeyguide.synthetic.world import World
    from honeyguide.synthetic.world_arrays import WorldArrays

    Progress = Callable[[int], None]  # how many pages are stored

PAGES_STORED = 50_000  # a larger web is kept as links


def store_generated(
    directory: Path,
    pages: int,
    hosts: int | None = None,
    topics: int | None = None,
    seed: int = 1,
    progress: Progress = lambda pages: None,
) -> World:
    """Make a web and store it; every page is labelled with its topic."""
    world = generate(pages=pages, hosts=hosts, seed=seed, topics=topics)
    with AtlasBuilder(directory) as web:
        if len(world.arrays.label) <= PAGES_STORED:
            _store_pages(web, world.arrays, progress)
        else:
            numbers = {"pages": pages, "hosts": len(world.hosts), "seed": seed, "topics": len(world.topics)}
            _store_links(web, world.arrays, {"generator": GENERATOR, **numbers})
    return world


def _store_pages(web: AtlasBuilder, arrays: WorldArrays, progress: Progress) -> None:
    urls = list(arrays.urls)
    for i in range(len(arrays.label)):
        web.add(arrays.page(i))
        progress(i + 1)
    for i in np.flatnonzero(arrays.redirect >= 0).tolist():
        web.add_redirect(urls[i], urls[arrays.redirect[i]])
    for i in np.flatnonzero(arrays.failed == arrays.GONE).tolist():
        web.add_failure(urls[i], "http_404")


def _store_links(web: AtlasBuilder, arrays: WorldArrays, made_from: dict[str, int]) -> None:
    web.take(
        {name: getattr(arrays, name) for name in ("host", "label", "redirect", "out_start", "out")}
        | {"failed": arrays.failed == arrays.GONE},
        urls=arrays.urls,
        hosts=arrays.host_names,
        labels=arrays.label_names,
        reasons=("", "http_404"),
        generated=made_from,
    )

"""The arrays of a small web from its pages, redirects and failures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide import urls
from honeyguide.simulate.arrays import LinkArrays
from honeyguide.strategy.path_features import keywords
from honeyguide.strategy.rank_formulas import anchor_share, judgment_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from honeyguide.base import Page
    from honeyguide.topic import Topic


def from_pages(
    pages: Mapping[str, Page], topic: Topic, redirects: Mapping[str, str] | None = None, failed: Iterable[str] = ()
) -> tuple[LinkArrays, list[str]]:
    """The arrays, and the URL of every address: pages, then what redirects, fails, or is only linked to."""
    redirects, failed = redirects or {}, list(failed)
    linked = (link.url for page in pages.values() for link in page.links)
    addresses = list(dict.fromkeys([*pages, *redirects, *failed, *redirects.values(), *linked]))
    number = {url: i for i, url in enumerate(addresses)}
    scores, terms = [topic.score(page) for page in pages.values()], keywords(topic.words())
    targets = [_targets(page, number, terms) for page in pages.values()]
    ends = np.cumsum([len(found) for found in targets], dtype=np.int64)
    hosts = {host: i for i, host in enumerate(dict.fromkeys(map(urls.host, addresses)))}
    arrays = LinkArrays(
        out_start=np.concatenate([[0], ends, np.full(len(addresses) - len(pages), ends[-1] if len(ends) else 0)]),
        out=np.array([target for found in targets for target in found], np.int32),
        host=np.array([hosts[urls.host(url)] for url in addresses], np.int32),
        redirect=np.array([number[redirects[url]] if url in redirects else -1 for url in addresses], np.int32),
        failed=np.isin(np.arange(len(addresses)), [number[url] for url in failed]).astype(np.uint8),
        judgment=np.array([judgment_of(topic, score) for score in scores], np.float32),
        relevant=np.array([topic.relevant(score) for score in scores], np.bool_),
        anchor_score=np.array([share for found in targets for share in found.values()], np.float32),
    )
    return arrays, addresses


def _targets(page: Page, number: Mapping[str, int], terms: list[str]) -> dict[int, float]:
    """What a page links to but itself, in the order of first mention, each with the best of its anchors."""
    found: dict[int, float] = {}
    for link in page.links:
        if link.url != page.url:
            target = number[link.url]
            found[target] = max(found.get(target, 0.0), anchor_share(terms, link.anchor))
    return found

"""What can be seen of a crawl of this process: its figures, its queue, and who waits."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import BadInput
from honeyguide.dashboard.watch import LONGEST_URL
from honeyguide.graph import EXCLUDED, FAILED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.crawl import Crawl
    from honeyguide.dashboard.watch import Watch

BARS = 24
NEXT_SHOWN = 6
HOSTS_SHOWN = 20
LONGEST_LINE, MOST_LINES = 300, 12  # of a reason
REASONS_SHOWN = 12

WAITING = {
    "gap": "the gap between two requests",
    "robots_read": "its robots.txt was just read",
    "robots_unavailable": "its robots.txt cannot be read",
    "address_rests": "another host at its address was just asked",
    "costly_page": "reading its last page took long",
    "out_of_files": "this machine has too many files open",
    "http_429": "it asked for a pause (status 429)",
    "http_503": "it asked for a pause (status 503)",
}


def figures(crawl: Crawl, watch: Watch, running: bool) -> dict[str, Any]:
    """The numbers at the top of the page."""
    fetched, recent = crawl.fetched, watch.recent
    speed = watch.speed.now() if running else 0.0
    ahead = crawl.forecast()
    return {
        "fetched": fetched,
        "pages": crawl.settings.pages,
        "relevant": crawl.relevant,
        "harvest": crawl.relevant / fetched if fetched else 0.0,
        "now": sum(recent) / len(recent) if recent else 0.0,
        "speed": round(speed, 2),
        "left": (crawl.settings.pages - fetched) / speed if speed else None,
        "queued": len(crawl.frontier),
        "hosts": crawl.frontier.hosts,
        "busy": crawl.busy_hosts,
        "bytes": crawl.tally.bytes,
        "known": len(crawl.graph),
        "ahead": {name: round(value) for name, value in asdict(ahead).items()} if ahead else None,
    }


def books(crawl: Crawl) -> dict[str, Any]:
    """Every URL is in one of four states, with reasons for two, and for what is queued beside the frontier."""
    return {
        **crawl.graph.books(),
        "reasons": {
            "failed": dict(list(crawl.graph.reasons(FAILED).items())[:REASONS_SHOWN]),
            "excluded": dict(list(crawl.graph.reasons(EXCLUDED).items())[:REASONS_SHOWN]),
            "queued": {why: count for why, count in crawl.beside_the_frontier().items() if count},
        },
        "flags": dict(crawl.tally.flags.most_common(REASONS_SHOWN)),
        "blocked": crawl.guide.blocked,
    }


def queue(crawl: Crawl) -> dict[str, Any]:
    """The frontier by score, what is next in it, and which hosts wait for what."""
    ids, scores = crawl.guide.ranking()
    return {"frontier": _bars(scores), "next": _next(crawl, ids, scores), "hosts": _waiting(crawl, ids)}


def _bars(scores: NDArray[np.float64]) -> dict[str, Any]:
    """How many URLs have which score; seeds and the like, which come before all others, are counted apart."""
    finite = scores[np.isfinite(scores)]
    first = len(scores) - len(finite)
    if not len(finite):
        return {"low": 0.0, "high": 0.0, "counts": [], "first": first}
    low, high = float(finite.min()), float(finite.max())
    width = (high - low) / BARS or 1.0
    places = np.minimum(((finite - low) / width).astype(np.int64), BARS - 1)
    return {"low": low, "high": high, "counts": np.bincount(places, minlength=BARS).tolist(), "first": first}


def _next(crawl: Crawl, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> list[dict[str, Any]]:
    """The best of the hosts that may be asked now, with its reasons, then the best of all."""
    resting = dict(crawl.frontier.resting())
    free = np.ones(len(crawl.graph.hosts), np.bool_)
    free[list(resting)] = False
    best = best_places(ids, scores, NEXT_SHOWN)
    ready = np.flatnonzero(free[crawl.graph.host[ids]])
    if len(ready):
        next_ = ready[best_places(ids[ready], scores[ready], 1)]
        best = np.concatenate((next_, best[best != next_]))[:NEXT_SHOWN]
    rows = list[dict[str, Any]]()
    for id_, score in zip(ids[best].tolist(), scores[best].tolist(), strict=True):
        host = int(crawl.graph.host[id_])
        rows.append(
            {
                "id": id_,
                "url": crawl.graph.url(id_)[:LONGEST_URL],
                "score": f"{score:.4g}" if math.isfinite(score) else "first",
                "is_next": not rows and bool(len(ready)),
                "waits": _reason(crawl, host, resting[host]) if host in resting else "",
                "why": [] if rows else reasons(crawl, id_),
            }
        )
    return rows


def best_places(ids: NDArray[np.int64], scores: NDArray[np.float64], most: int) -> NDArray[np.int64]:
    """The places of the best scores, in their order; among equals, the URL found first comes first."""
    least = np.partition(scores, -most)[-most] if len(ids) > most else -math.inf
    some = np.flatnonzero(scores >= least)
    found: NDArray[np.int64] = some[np.lexsort((ids[some], -scores[some]))][:most]
    return found


def why(crawl: Crawl, id_: int) -> list[str]:
    """The same, of a number that somebody gave."""
    if not 0 <= id_ < len(crawl.graph):
        raise BadInput("no such URL is known to this crawl")
    return reasons(crawl, id_)


def reasons(crawl: Crawl, id_: int) -> list[str]:
    """What speaks for a URL, as the strategy sees it."""
    graph = crawl.graph
    lines = ["a seed: fetched before anything that was found"] if graph.depth[id_] == 0 else []
    lines += crawl.strategy.explain(id_)
    parents = graph.links_to(id_)
    if parents:
        verdict = "relevant" if graph.relevant[parents[0]] else "not relevant"
        more = f", and from {len(parents) - 1:,} more" if len(parents) > 1 else ""
        lines.append(f"linked from {graph.url(parents[0])} ({verdict}, {graph.relevance[parents[0]]:.3f}){more}")
    return [line[:LONGEST_LINE] for line in lines[:MOST_LINES]]


def _waiting(crawl: Crawl, ids: NDArray[np.int64]) -> list[dict[str, Any]]:
    """Hosts that have something queued and may not be asked now; those with the longest queues."""
    queued = np.bincount(crawl.graph.host[ids], minlength=len(crawl.graph.hosts))
    resting = sorted(crawl.frontier.resting(), key=lambda pair: -queued[pair[0]])
    now = crawl.web.now()
    return [
        {
            "host": crawl.graph.hosts[host],
            "queued": int(queued[host]),
            "why": _reason(crawl, host, until),
            "seconds": round(max(until - now, 0.0), 1) if until < math.inf else None,
        }
        for host, until in resting[:HOSTS_SHOWN]
    ]


def _reason(crawl: Crawl, host: int, until: float) -> str:
    if until == math.inf and crawl.guide.under_way(host):
        return "a page of it is under way"
    reason = crawl.resting.why.get(host, "gap")
    return WAITING.get(reason, f"after {reason.replace('_', ' ')}, before it is tried again")

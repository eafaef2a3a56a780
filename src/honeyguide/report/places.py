"""Where relevant pages are: on which hosts, how far from the seeds, and how close together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.evaluate.cohesion import cohesiveness, histogram, links_into, nearest_other
from honeyguide.evaluate.network import distances, ways_of
from honeyguide.report.bars import Bar, lying, standing
from honeyguide.report.drawing import csv_below, figure
from honeyguide.report.markup import section, shown, table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.report.figures import Figures

    Ids = NDArray[np.int64]

TOP_HOSTS = 25
HOSTS_SAVED = 5000


def places(figures: Figures) -> str:
    """Hosts, distances and cohesiveness."""
    if not figures.fetched:
        return ""
    return section("places", "Where relevant pages are", _hosts(figures), _away(figures), _cohesion(figures))


def _hosts(figures: Figures) -> str:
    ahead = figures.ahead_by_host
    ranked = sorted(figures.hosts.items(), key=lambda item: (-item[1].relevant, -item[1].fetched, item[0]))
    rows = [
        [
            shown(name),
            f"{count.relevant:,}",
            f"{count.fetched:,}",
            f'<span class=bar style="width:{6 * count.share:.2f}rem"></span> {count.share:.0%}',
            shown(str(ahead[name])) if name in ahead else "–",
        ]
        for name, count in ranked[:TOP_HOSTS]
    ]
    more = f" (the first {TOP_HOSTS} of {len(ranked):,})" if len(ranked) > TOP_HOSTS else ""
    data = [(name, count.relevant, count.fetched, count.failed) for name, count in ranked[:HOSTS_SAVED]]
    saved = csv_below("hosts", ("host", "relevant", "fetched", "failed"), data)
    shown_table = table(["host", "relevant", "fetched", "share", "to be expected"], rows)
    return f"<h3>Hosts{more}</h3>{shown_table}{saved}"


def _away(figures: Figures) -> str:
    """Three histograms of distances, in links."""
    pages, hits = figures.pages, figures.hits
    good, other = np.flatnonzero(hits), np.flatnonzero(~hits)
    shortest = distances(onwards(figures), np.flatnonzero(np.array(pages.seeds, np.bool_)))
    between = nearest_other(figures.linked.sources, figures.linked.targets, figures.fetched, good)
    alone = int(np.count_nonzero(between < 0))
    depth = pages.depth.astype(np.int32)
    drawn = [
        figure(
            standing("depth", "Pages by depth", "links from a seed", _count(depth, good), _count(depth, other)),
            f"<b>Depth</b>, as the crawl came upon them; relevant pages {_mean(depth[good])} links on average.",
        ),
        figure(
            standing(
                "distance",
                "Pages by distance from the seeds",
                "links from a seed",
                _count(shortest, good),
                _count(shortest, other),
            ),
            f"<b>Distance</b> by the shortest way known in the end; relevant pages {_mean(shortest[good])}.",
        ),
        figure(
            standing(
                "nearest",
                "Relevant pages by distance from others",
                "links to another",
                np.bincount(between[between >= 0]).tolist(),
            ),
            f"<b>To the nearest other relevant page</b> from each, following links; {alone:,} lead to none.",
        ),
    ]
    return f"<h3>How far away</h3><div class=panels>{''.join(drawn)}</div>"


def onwards(figures: Figures) -> tuple[NDArray[np.int64], NDArray[np.integer]]:
    """The links of every page."""
    return ways_of(figures.linked.sources, figures.linked.targets, figures.fetched)


def _count(away: NDArray[np.int32], pages: Ids) -> list[int]:
    return [int(count) for count in histogram(away, pages)]


def _mean(away: NDArray[np.int32]) -> str:
    reached = away[away >= 0]
    return f"{reached.mean():.1f}" if len(reached) else "–"


def cohesion(figures: Figures) -> tuple[float, float, float, float]:
    """Shares of relevant pages: among what relevant pages link to, what others do, and all; links within, a page."""
    ways, hits = onwards(figures), figures.hits
    good, other = np.flatnonzero(hits), np.flatnonzero(~hits)
    from_good, from_other = (
        into / max(1, all_) for into, all_ in (links_into(ways, each, good) for each in (good, other))
    )
    return from_good, from_other, figures.harvest, cohesiveness(ways, good, good)


def _cohesion(figures: Figures) -> str:
    if not figures.relevant or not len(figures.linked.sources):
        return ""
    from_good, from_other, expected, inside = cohesion(figures)
    named = (
        ("links of relevant pages", from_good),
        ("links of other pages", from_other),
        ("all fetched pages", expected),
    )
    bars = [Bar(name, share, f"{share:.1%}") for name, share in named]
    drawn = lying("cohesion", "Shares of relevant pages among link targets", bars, ("among", "share_relevant"), named)
    times = f", {from_good / expected:.1f} times as many as a link drawn at random would" if expected else ""
    words = (
        f"<p>Of the links that relevant pages have to pages of this crawl, <b>{from_good:.0%}</b> lead to relevant"
        f" pages{times}; of the links of other pages {from_other:.0%} do. A relevant page links to {inside:.1f} other"
        " relevant pages on average.</p>"
    )
    return (
        f"<h3>How close together</h3>{words}<div class='panels two'>{figure(drawn, 'Share of relevant pages.')}</div>"
    )

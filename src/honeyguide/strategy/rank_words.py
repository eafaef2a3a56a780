"""A rank in words: each score with its weight and what it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honeyguide.graph import Graph
    from honeyguide.strategy.rank_scores import RankScores

PARENTS_NAMED = 3


def lines_about(
    id_: int,
    graph: Graph,
    scores: RankScores,
    averages: tuple[float, float],
    keywords: Sequence[str],
    weighed: Sequence[tuple[tuple[str, float], float]],
) -> list[str]:
    """One line a score: its value, weight and product, and the evidence; then what they come to."""
    host, found = int(graph.host[id_]), scores.anchor[id_] * len(keywords)
    evidence = {
        "hub": f"its parent with most links has {scores.most_links[id_]},"
        f" a fetched page {averages[0]:.1f} on average",
        "authority": f"{scores.parents[id_]} links lead to it, {averages[1]:.2f} to a URL on average",
        "comm_in": f"{scores.community_parents[id_]} of {scores.parents[id_]} parents belong to the community",
        "comm_out": _links_into_community(id_, graph, scores),
        **{f"parent_{k}": _telling(id_, k, graph, scores) for k in range(1, scores.lineage.generations + 1)},
        "anchor": f"the best anchor that leads to it has {found:.0f} of {len(keywords)} keywords",
        "host": f"{graph.good[host]} pages of {graph.hosts[host]} were relevant, {graph.bad[host]} were not",
    }
    lines = [
        f"{name} {value:.4g} × {weight:.4g} = {value * weight:.4g}: {evidence[name]}"
        for (name, weight), value in weighed
    ]
    return [*lines, f"together {sum(value * weight for (_, weight), value in weighed):.4g}"]


def _links_into_community(id_: int, graph: Graph, scores: RankScores) -> str:
    """The parents with the largest shares of links that lead into the community."""
    found = []
    for parent in dict.fromkeys(scores.lineage.parents(id_)):
        children = scores.lineage.children(parent)
        found.append((int(np.count_nonzero(scores.community[children])), len(children), graph.url(parent)))
    found.sort(key=lambda parent: -parent[0] / parent[1])
    named = [f"{inside} of {links} links of {url}" for inside, links, url in found if inside]
    if not named:
        return "no parent links into the community"
    more = len(named) - PARENTS_NAMED
    return (
        f"into the community lead {', '.join(named[:PARENTS_NAMED])}{f' and some of {more} more' if more > 0 else ''}"
    )


def _telling(id_: int, generation: int, graph: Graph, scores: RankScores) -> str:
    """The page of a generation whose judgment counts, found by going back from child to parent."""
    lineage = scores.lineage
    side = 0 if lineage.judged[id_, generation] >= 0 else lineage.generations + 1
    judgment = lineage.judged[id_, side + generation]
    if judgment == -np.inf:
        return "no page of that generation is known"
    for older in range(generation - 1, -1, -1):
        id_ = next(parent for parent in lineage.parents(id_) if lineage.judged[parent, side + older] == judgment)
    return f"{graph.url(id_)} is judged {judgment if side == 0 else -judgment:.3f}"

"""The map of hosts and their links: as large as what was fetched there, as bright as it is relevant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.report.drawing import Drawing, csv_link, large
from honeyguide.report.layout import moved_apart, placed
from honeyguide.report.markup import section, shown
from honeyguide.report.style import STEPS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from honeyguide.report.figures import Figures, HostCount

    Numbers = NDArray[np.float64]
    Hosts = Sequence[tuple[str, HostCount]]
    Box = tuple[float, float, float, float]  # left, top, right, bottom

MOST_HOSTS, MOST_LINKS, MOST_NAMES = 150, 450, 26
FIRST, FURTHER = 6, 8  # hosts that should be named, and how many lines away from their disc they may be
WIDTH, HEIGHT, MARGIN = 720, 580, 40
SMALLEST, LARGEST = 3.0, 26.0  # radii
NAME, LETTER, LINE = 28, 7.0, 15  # characters of a name, and the room they take


def host_map(figures: Figures) -> str:
    """The map, and what is not on it in words."""
    if not figures.hosts:
        return ""
    ranked = sorted(figures.hosts.items(), key=lambda item: (-item[1].fetched, item[0]))
    chosen = ranked[:MOST_HOSTS]
    pairs, counts = _links(figures, [host.number for _, host in chosen])
    left_out = ranked[MOST_HOSTS:]
    words = f"{len(chosen):,} hosts, {len(pairs):,} pairs of them linked."
    words += f" The {MOST_LINKS:,} most linked pairs are drawn." if len(pairs) > MOST_LINKS else ""
    if left_out:
        pages, good = (sum(getattr(h, name) for _, h in left_out) for name in ("fetched", "relevant"))
        words += f" Not on the map: {len(left_out):,} smaller hosts with {pages:,} pages, {good:,} of them relevant."
    meaning = "Size: pages fetched. Brightness: share of relevant ones. Lines: links between fetched pages. "
    head = ("host", "other", "links")
    linked = csv_link("map-links", head, _linked(chosen, pairs, counts), "CSV of the links")
    drawn = large(_drawing(chosen, pairs, counts), f"{meaning}{words}", [linked])
    return section("map", "The map of hosts", drawn)


def _linked(hosts: Hosts, pairs: NDArray[np.int64], counts: NDArray[np.int64]) -> list[tuple[str, str, int]]:
    """The pairs that are drawn, by name."""
    drawn = zip(pairs[:MOST_LINKS].tolist(), counts[:MOST_LINKS].tolist(), strict=True)
    return [(hosts[a][0], hosts[b][0], count) for (a, b), count in drawn]


def _links(figures: Figures, numbers: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of hosts by their place on the map, and how many links there are between them, both ways."""
    place = np.full(len(figures.hosts), -1, np.int64)
    place[list(numbers)] = np.arange(len(numbers))
    host = place[np.array(figures.pages.hosts, np.int64)]
    ends = np.sort(np.stack([host[figures.linked.sources], host[figures.linked.targets]], axis=1), axis=1)
    ends = ends[(ends[:, 0] >= 0) & (ends[:, 0] != ends[:, 1])]
    pairs, counts = np.unique(ends, axis=0, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return pairs[order], counts[order]


def _drawing(hosts: Hosts, pairs: NDArray[np.int64], counts: NDArray[np.int64]) -> Drawing:
    fetched = np.array([host.fetched for _, host in hosts], np.float64)
    radii = SMALLEST + (LARGEST - SMALLEST) * np.sqrt(fetched / fetched.max()) * min(
        1.0, 6 / np.sqrt(len(hosts)) + 0.3
    )
    spots = placed(len(hosts), pairs[:, 0], pairs[:, 1], np.log1p(counts))
    spots = MARGIN + spots * (np.array([WIDTH, HEIGHT]) - 2 * MARGIN)
    spots = np.clip(moved_apart(spots, radii), MARGIN, np.array([WIDTH, HEIGHT]) - MARGIN)
    content = _edges(spots, pairs[:MOST_LINKS], counts[:MOST_LINKS]) + _discs(hosts, spots, radii)
    rows = [
        (name, host.fetched, host.relevant, round(x), round(y))
        for (name, host), (x, y) in zip(hosts, spots.tolist(), strict=True)
    ]
    head = ("host", "fetched", "relevant", "x", "y")
    return Drawing(
        "map", "Hosts and the links between them", WIDTH, HEIGHT, content + _names(hosts, spots, radii), head, rows
    )


def _edges(spots: Numbers, pairs: NDArray[np.int64], counts: NDArray[np.int64]) -> str:
    strength = np.log1p(counts) / np.log1p(counts.max(initial=1))
    return "".join(
        f'<line class="edge" x1="{spots[a, 0]:.0f}" y1="{spots[a, 1]:.0f}" x2="{spots[b, 0]:.0f}"'
        f' y2="{spots[b, 1]:.0f}" stroke-width="{0.4 + 2 * s:.1f}" opacity="{0.08 + 0.35 * s:.2f}"/>'
        for (a, b), s in zip(pairs.tolist(), strength.tolist(), strict=True)
    )


def _discs(hosts: Hosts, spots: Numbers, radii: Numbers) -> str:
    return "".join(
        f'<circle class="host {_light(host)}" cx="{x:.0f}" cy="{y:.0f}" r="{radius:.1f}"><title>{shown(name)}: '
        f"{host.relevant:,} of {host.fetched:,} pages relevant</title></circle>"
        for (name, host), (x, y), radius in zip(hosts, spots.tolist(), radii.tolist(), strict=True)
    )


def _light(host: HostCount) -> str:
    """The class of a host: dark only without any relevant page; square roots, for few hosts have many."""
    return f"lit{min(STEPS - 1, int(np.ceil((STEPS - 1) * np.sqrt(host.share))))}"


def _names(hosts: Hosts, spots: Numbers, radii: Numbers) -> str:
    """Names of hosts, those with most relevant pages first, where there is room; the first few also further away."""
    discs = [(x - r, y - r, x + r, y + r) for (x, y), r in zip(spots.tolist(), radii.tolist(), strict=True)]
    order = sorted(range(len(hosts)), key=lambda i: (-hosts[i][1].relevant, -hosts[i][1].fetched))
    taken: list[Box] = []
    drawn = []
    for rank, i in enumerate(order[: 3 * MOST_NAMES]):
        places = _beside(hosts[i][0], *discs[i], lines=FURTHER if rank < FIRST else 2)
        clear = next((box for box in places if not _meets(box, taken) and not _meets(box, discs)), None)
        if clear:
            taken.append(clear)
            drawn.append(_name(hosts[i][0], clear, discs[i]))
    return "".join(drawn[:MOST_NAMES])


def _name(name: str, place: Box, disc: Box) -> str:
    """The name, with a line to its disc where others could be meant."""
    left, top, right, bottom = place
    middle, end = (left + right) / 2, bottom if bottom < disc[1] else top
    across = (disc[0] + disc[2]) / 2
    away = max(disc[1] - bottom, top - disc[3]) > LINE / 2
    x, y = min(max(across, left + LINE), right - LINE), disc[1] if bottom < disc[1] else disc[3]
    leader = f'<line class="leader" x1="{across:.0f}" y1="{y:.0f}" x2="{x:.0f}" y2="{end:.0f}"/>' if away else ""
    return f'{leader}<text class="name" x="{middle:.0f}" y="{bottom - 3:.0f}">{shown(name, NAME)}</text>'


def _beside(name: str, left: float, top: float, right: float, bottom: float, lines: int) -> Iterator[Box]:
    """Where the name of a disc may stand: below it, above it, beside it, at its corners, then so many lines away."""
    wide, middle, across = LETTER * min(len(name), NAME), (left + right) / 2, (top + bottom - LINE) / 2
    start = min(max(middle - wide / 2, 0), WIDTH - wide)
    under, over = bottom + 1, top - LINE - 1
    places = [(start, under), (start, over), (right + 2, across), (left - wide - 2, across)]
    for away in range(0, lines * LINE, LINE):
        places += [(x, y) for x in (start, middle, middle - wide) for y in (under + away, over - away)]
    for x, y in places:
        if 0 <= x <= WIDTH - wide and 0 <= y <= HEIGHT - LINE:
            yield x, y, x + wide, y + LINE


def _meets(one: Box, others: Sequence[Box]) -> bool:
    return any(
        one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3] for other in others
    )

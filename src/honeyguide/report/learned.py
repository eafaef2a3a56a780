"""What the strategy learned: in its own words, weights over time, words of anchors, best and worst hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.report.axes import Axes
from honeyguide.report.bars import Bar, lying
from honeyguide.report.drawing import Drawing, figure, large
from honeyguide.report.lines import Series, curves
from honeyguide.report.markup import section, shown, table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.report.figures import Figures

SEARCHES_SHOWN = 25
WEIGHTS_SHOWN = 8
WORDS_SHOWN = 12
LEAST_PAGES = 4  # that links with a word led to
HOSTS_SHOWN = 10


def learned(figures: Figures) -> str:
    """All of it."""
    said = "".join(f"<p><b>{shown(name)}</b>: {shown(value, 600)}</p>" for name, value in figures.learned.items())
    parts = (said, _weights(figures), _words(figures), _hosts(figures), _searches(figures))
    return section("learned", "What the strategy learned", *parts)


def _weights(figures: Figures) -> str:
    """How much each kind of evidence counted as the crawl went on; those that count most in the end."""
    noted = figures.weights
    if len(noted) < 2:
        return ""
    last = noted[-1][1]
    names = sorted(last, key=lambda name: -abs(last[name]))
    drawn = [Series(name, *_over_time(noted, name)) for name in names[:WEIGHTS_SHOWN]]
    drawn = sorted(drawn, key=lambda series: -series.ys[-1])
    heights = [y for series in drawn for y in series.ys]
    axes = Axes(
        max(1, noted[-1][0]), max(0.1, *heights) * 1.05, right=150, least_y=min(0.0, *heights) * 1.1, fine=True
    )
    every = sorted({name for _, weights in noted for name in weights})
    rows = [(visits, *(weights.get(name, "") for name in every)) for visits, weights in noted]
    content = curves(axes, drawn, "pages fetched", "weight")
    drawing = Drawing(
        "weights", "Weights of evidence over time", axes.width, axes.height, content, ("fetched", *every), rows
    )
    more = (
        f" The {WEIGHTS_SHOWN} heaviest of {len(last)} are drawn; all are in the CSV."
        if len(last) > WEIGHTS_SHOWN
        else ""
    )
    changed = max(names, key=lambda name: abs(last[name] - noted[0][1].get(name, 0.0)))
    first = noted[0][1].get(changed, 0.0)
    words = (
        f"<p>In the end <b>{shown(names[0])}</b> counts most ({last[names[0]]:+.2f}). What changed most is "
        f"<b>{shown(changed)}</b>: from {first:+.2f} to {last[changed]:+.2f}.</p>"
    )
    return (
        f"<h3>Weights of evidence over time</h3>{words}{large(drawing, f'What each kind of evidence counted.{more}')}"
    )


def _over_time(noted: list[tuple[int, dict[str, float]]], name: str) -> tuple[list[float], list[float]]:
    points = [(visits, weights[name]) for visits, weights in noted if name in weights]
    return [visits for visits, _ in points], [weight for _, weight in points]


def _words(figures: Figures) -> str:
    """The words of anchors whose links led to relevant pages far more, or far less, often than others."""
    words, counts, good = _counted(figures)
    told = [(words[i], int(good[i]), int(counts[i])) for i in _surprising(counts, good)]
    half = len(told) // 2
    best, worst = told[:half], told[half:]
    if not best:
        return ""
    drawn = "".join(
        figure(
            _shares(name, label, rows), f"<b>{label}</b>: relevant among the pages that links with the word led to."
        )
        for name, label, rows in (
            ("best-words", "Best anchor words", best),
            ("worst-words", "Worst anchor words", worst),
        )
    )
    return f"<h3>Words of anchors</h3><div class='panels two'>{drawn}</div>"


def _counted(figures: Figures) -> tuple[list[str], NDArray[np.int64], NDArray[np.int64]]:
    linked, size = figures.linked, len(figures.linked.words)
    counts = np.bincount(linked.word_of, minlength=size)
    good = np.bincount(linked.word_of, figures.hits[linked.word_leads_to], minlength=size).astype(np.int64)
    return linked.words, counts, good


def _surprising(counts: NDArray[np.int64], good: NDArray[np.int64]) -> list[int]:
    """The best and then the worst words: how far they are from what is common, in standard deviations."""
    often = np.flatnonzero(counts >= LEAST_PAGES)
    base = good[often].sum() / max(1, counts[often].sum())
    if not 0 < base < 1:
        return []
    expected = counts[often] * base
    away = (good[often] - expected) / np.sqrt(expected * (1 - base))
    order = often[np.argsort(-away, kind="stable")]
    shown_each = min(WORDS_SHOWN, len(order) // 2)
    return [*order[:shown_each].tolist(), *order[::-1][:shown_each].tolist()]


def _shares(name: str, label: str, rows: list[tuple[str, int, int]]) -> Drawing:
    bars = [Bar(text, good / all_, f"{good:,} of {all_:,}") for text, good, all_ in rows]
    return lying(name, label, bars, ("name", "relevant", "fetched"), rows)


def _hosts(figures: Figures) -> str:
    """Hosts that gave more than others for what was fetched from them, and those that gave least."""
    names = list(figures.hosts)
    counts, good = (
        np.array([getattr(host, name) for host in figures.hosts.values()], np.int64)
        for name in ("fetched", "relevant")
    )
    if len(names) < 2 or not 0 < figures.relevant < figures.fetched:
        return ""
    expected = counts * figures.harvest
    away = (good - expected) / np.sqrt(expected * (1 - figures.harvest))
    order = np.argsort(-away, kind="stable")
    best = [i for i in order.tolist() if away[i] > 0][:HOSTS_SHOWN]
    worst = [i for i in order[::-1].tolist() if away[i] < 0][:HOSTS_SHOWN]
    drawn = "".join(
        figure(
            _shares(name, label, [(names[i], int(good[i]), int(counts[i])) for i in chosen]), f"<b>{label}</b>: {why}"
        )
        for name, label, why, chosen in (
            ("best-hosts", "Best hosts", "relevant among fetched pages, where it is most above the harvest.", best),
            ("worst-hosts", "Worst hosts", "where it is most below.", worst),
        )
    )
    return f"<h3>Best and worst hosts</h3><div class='panels two'>{drawn}</div>"


def _searches(figures: Figures) -> str:
    asked = [[shown(query), f"{count:,}"] for query, count in figures.searches[:SEARCHES_SHOWN]]
    more = f" (the first {len(asked)} of {len(figures.searches):,})" if len(asked) < len(figures.searches) else ""
    return f"<h3>Searches{more}</h3>{table(['words', 'pages found'], asked)}" if asked else ""

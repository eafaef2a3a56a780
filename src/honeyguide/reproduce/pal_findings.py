"""Which claims of Pal, Tomar, Shrivastava 2009 hold, by rules, and the figures behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.evaluate.averages import Estimate, estimate
from honeyguide.reproduce.figures import grouped, mean, over_topics, slashed, with_interval
from honeyguide.reproduce.findings import HELD, NOT_HELD, PARTLY, Finding, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from honeyguide.reproduce.figures import Case
    from honeyguide.reproduce.pal import Sizes, Trial

    Trials = dict[Case, Trial]

PARTS = 10  # of a crawl, over which its course is told
EARLY = 2  # of them: the first few hundred pages
FALLING = " Both crawls are at their best near the seeds, which are pages on the topic, and thin out from there."
FALLING_SLOWER = " The gain over breadth-first comes of breadth-first thinning out faster."
FAR_ABOVE = 2.0  # times breadth-first: the least of the paper's four topics


def precision(trials: Trials) -> Finding:
    """P1."""
    gains = {topic: _gain(found) for topic, found in grouped(trials).items()}
    ratios = [
        mean(t.focused[-1] for t in found) / max(mean(t.breadth[-1] for t in found), 1e-9)
        for found in grouped(trials).values()
    ]
    focused, breadth = _over(trials, lambda t: t.focused[-1]), _over(trials, lambda t: t.breadth[-1])
    own, other = _over(trials, lambda t: t.focused_by_table), _over(trials, lambda t: t.breadth_by_table)
    near, far = mean(t.links_to_relevant for t in trials.values()), mean(t.links_to_others for t in trials.values())
    return Finding(
        claim="P1",
        said="precision after 1,000 pages is far above that of breadth-first",
        theirs="0.83/0.56/0.85/0.77 against 0.15/0.25/0.25/0.36",
        ours=f"{with_interval(focused)} against {with_interval(breadth)}; {slashed(ratios, 1)} times it by topic",
        verdict=precision_verdict(list(gains.values()), ratios),
        why=(
            "Held when in every topic the interval of the gain over breadth-first, from the same seeds, lies above"
            f" 0 and the precision is {FAR_ABOVE:.0f} times that of breadth-first; partly when the gain's interval"
            " lies above 0 in most topics. A page is relevant here when it is on the topic the web was made with;"
            f" by the crawler's own table and limit, as in the paper, it is {with_interval(own)} against"
            f" {with_interval(other)}. Gains by topic:"
            f" {'; '.join(f'{topic} {with_interval(gain)}' for topic, gain in gains.items())}. The largest part of a"
            f" LinkScore is the number of links from relevant pages, and that hardly tells: it is {near:.1f} for the"
            f" relevant pages that were read and {far:.1f} for the others."
        ),
    )


def _over(trials: Trials, figure: Callable[[Trial], float]) -> Estimate:
    return over_topics({case: figure(trial) for case, trial in trials.items()})


def precision_verdict(gains: Sequence[Estimate], ratios: Sequence[float]) -> str:
    """Whether precision is far above breadth-first's, by the gain and the ratio of each topic."""
    above = sum(gain.low > 0 for gain in gains)
    if above == len(gains) and min(ratios) >= FAR_ABOVE:
        return HELD
    return PARTLY if above > len(gains) / 2 else NOT_HELD


def _gain(found: Sequence[Trial]) -> Estimate:
    return estimate([trial.focused[-1] - trial.breadth[-1] for trial in found])


def course(trials: Trials, sizes: Sizes) -> Finding:
    """P2."""
    early, late = EARLY - 1, PARTS - 1
    first = _over(trials, lambda t: t.focused[early] - t.breadth[early])
    last = _over(trials, lambda t: t.focused[late] - t.breadth[late])
    rise = _over(trials, lambda t: t.focused[late] - t.focused[early])
    pages = sizes.pages * EARLY // PARTS
    return Finding(
        claim="P2",
        said="no better than breadth-first in the first few hundred pages, then precision rises",
        theirs="curves; the gain appears after the first few hundred pages",
        ours=(
            f"gain over breadth-first {with_interval(first)} after {pages} pages, {with_interval(last)} after"
            f" {sizes.pages:,}; precision changes by {with_interval(rise)} from there to there"
        ),
        verdict=course_verdict(first, rise),
        why=(
            f"Held when the gain after {pages} pages has an interval that does not lie above 0 and precision from"
            " then to the end rises, its interval above 0; partly when one of the two."
            + (FALLING if rise.mean < 0 else "")
            + (FALLING_SLOWER if rise.mean < 0 < last.mean else "")
        ),
    )


def course_verdict(early_gain: Estimate, rise: Estimate) -> str:
    """Whether the crawl begins no better than breadth-first and gets better."""
    agree = (early_gain.low <= 0) + (rise.low > 0)
    return (NOT_HELD, PARTLY, HELD)[agree]


def tunnels(trials: Trials, sizes: Sizes) -> Finding:
    """P3."""
    ended = {case: trial for case, trial in trials.items() if trial.tried_to_end}
    within = _over(trials, lambda t: t.beyond)
    at_end = _over(ended, lambda t: t.beyond_at_end)
    total = mean(trial.relevant_at_end for trial in ended.values())
    tunnelled = mean(trial.tunnelled for trial in trials.values())
    return Finding(
        claim="P3",
        said="tunnelling reaches relevant pages that a crawl without it cannot",
        theirs="argued with an example, not measured",
        ours=(
            f"{with_interval(within, 1)} such pages among the first {sizes.pages:,}; {with_interval(at_end, 0)} of"
            f" {total:,.0f} relevant ones when both crawl until nothing is left"
        ),
        verdict=tunnels_verdict(within, at_end),
        why=(
            "The crawl without tunnels (max_level=-1) is given no limit of pages: what it has not fetched when"
            f" nothing is left, it cannot reach. Held when the interval lies above 0 within {sizes.pages:,} pages;"
            " partly when only at the end."
            f" Within {sizes.pages:,} pages {tunnelled:.1f} pages a crawl were read from the irrelevant table:"
            " queue and table are ordered together by LinkScore, links of relevant pages score above 1 and the"
            " others mostly below, so that tunnels open when the queue of such links is used up."
        ),
    )


def tunnels_verdict(within: Estimate, at_end: Estimate) -> str:
    """Whether tunnels lead to relevant pages, within the crawl or at least in the end."""
    if within.low > 0:
        return HELD
    return PARTLY if at_end.low > 0 else NOT_HELD


def by_topic(trials: Trials) -> Table:
    """The paper's Table III."""
    rows = []
    for topic, found in grouped(trials).items():
        focused, breadth = (estimate([getattr(t, name)[-1] for t in found]) for name in ("focused", "breadth"))
        own, other = (mean(getattr(t, f"{name}_by_table") for t in found) for name in ("focused", "breadth"))
        rows.append((topic, with_interval(focused), with_interval(breadth), f"{own:.2f}", f"{other:.2f}"))
    head = ("topic", "tunnel", "breadth-first", "tunnel, by its own table", "breadth-first, by that table")
    return Table("Precision at the end (the paper's Table III):", head, tuple(rows))


def by_hundreds(trials: Trials, sizes: Sizes) -> Table:
    """The paper's Figures 4 to 7, all topics together."""
    rows = []
    for part in range(PARTS):
        both = [over_topics({case: getattr(trial, name)[part] for case, trial in trials.items()})
                for name in ("focused", "breadth")]  # fmt: skip
        rows.append((f"{sizes.pages * (part + 1) // PARTS:,}", *map(with_interval, both)))
    return Table("Precision so far (the paper's Figures 4 to 7):", ("pages", "tunnel", "breadth-first"), tuple(rows))

"""Which claims of Yohanes, Handoko, Wardana 2011 hold, by rules, and the figures behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.evaluate.averages import Estimate, estimate
from honeyguide.reproduce.figures import grouped, mean, over_topics, percent, with_interval
from honeyguide.reproduce.findings import HELD, NOT_HELD, PARTLY, Finding, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from honeyguide.reproduce.figures import Case
    from honeyguide.reproduce.yohanes import Half, Trial

    Trials = dict[Case, Trial]

RATE = 0.63  # pages kept of those visited, in the paper
NEAR, NOT_FAR = 0.05, 0.15  # of that rate


def _over(trials: Trials, figure: Callable[[Trial], float]) -> Estimate:
    return over_topics({case: figure(trial) for case, trial in trials.items()})


def precision(trials: Trials) -> Finding:
    """Y1."""
    by_category = [
        estimate([trial.mutating.precision - trial.plain.precision for trial in found])
        for found in grouped(trials).values()
    ]
    gain = _over(trials, lambda t: t.mutating.precision - t.plain.precision)
    fetched = _over(trials, lambda t: t.mutating.fetched_precision - t.plain.fetched_precision)
    short = sum(trial.plain.visited < trial.mutating.visited for trial in trials.values())
    whole = _over(trials, lambda t: t.mutating.all_precision - t.plain.all_precision)
    return Finding(
        claim="Y1",
        said="precision on the first 100 pages of a category is above that of the same crawler without mutation",
        theirs="97/97/82/93/95 % against 90/85/80/63/90 %",
        ours=(
            f"{percent(_over(trials, lambda t: t.mutating.precision))} against"
            f" {percent(_over(trials, lambda t: t.plain.precision))}; the gain {with_interval(gain)}"
        ),
        verdict=precision_verdict(gain, [found.mean for found in by_category]),
        why=(
            "Precision of the first pages that were kept. Held when the interval of the gain, from the same starts,"
            " lies above 0 and no category loses; partly when either. Of the first pages fetched, kept or not, the"
            f" gain is {with_interval(fetched)}, of all pages fetched {with_interval(whole)}."
            f" {short} of {len(trials)} crawls without mutation ran out of links before they had as many pages."
        ),
    )


def precision_verdict(gain: Estimate, by_category: Sequence[float]) -> str:
    """Whether mutation makes what is kept more precise, on the whole and in every category."""
    agree = (gain.low > 0) + (min(by_category) >= 0)
    return (NOT_HELD, PARTLY, HELD)[agree]


def filtering(trials: Trials) -> Finding:
    """Y2."""
    rate = _over(trials, lambda t: t.mutating.kept / max(t.mutating.decided, 1))
    return Finding(
        claim="Y2",
        said="of the pages visited about 63 % are kept",
        theirs="63 % (3,396 of 5,390)",
        ours=percent(rate),
        verdict=filtering_verdict(rate.mean),
        why=(
            f"Held when it is within {100 * NEAR:.0f} points of 63 %, partly within {100 * NOT_FAR:.0f}. As many"
            " draws with replacement as there are pages keep 1 - 1/e = 63 % of pages that are all equally fit, and"
            " fewer the more their fitness differs; the first generation, of one page, is kept whole."
        ),
    )


def filtering_verdict(rate: float) -> str:
    """Whether a share of pages kept is that of the paper."""
    away = abs(rate - RATE)
    if away <= NEAR:
        return HELD
    return PARTLY if away <= NOT_FAR else NOT_HELD


def communities(trials: Trials) -> Finding:
    """Y3."""
    hosts = _over(trials, lambda t: t.mutating.hosts - t.plain.hosts)
    shut = _over(trials, lambda t: t.out_of_reach)
    co_cited = _over(trials, lambda t: t.co_cited)
    closed = sum(trial.out_of_reach > 0 for trial in trials.values())
    only, only_plain = _over(trials, lambda t: t.only), _over(trials, lambda t: t.only_plain)
    return Finding(
        claim="Y3",
        said="it reaches communities and co-cited pages that the crawler without mutation cannot reach",
        theirs="3,300 pages against 3,000, the rest by mutation",
        ours=(
            f"{with_interval(_over(trials, lambda t: t.new_hosts), 1)} new relevant hosts,"
            f" {with_interval(hosts, 1)} more than without; {with_interval(only, 0)} relevant pages found only with"
            f" mutation ({with_interval(co_cited, 0)} co-cited with pages of the other crawl) against"
            f" {with_interval(only_plain, 0)} only without; {with_interval(shut, 1)} that no way of links leads to"
        ),
        verdict=communities_verdict(hosts, co_cited, shut),
        why=(
            "A community is a host with relevant pages; co-cited is a page that some page links to together with one"
            " that the crawl without mutation found. Held when the gain in such hosts, the number of co-cited pages"
            " and the number of relevant pages to which no way of links leads from the start all have intervals"
            f" above 0; partly when some. Such pages were found from {closed} of {len(trials)} starts: from the"
            " others links lead to all that searches found, if later."
        ),
    )


def communities_verdict(hosts: Estimate, co_cited: Estimate, shut: Estimate) -> str:
    """Whether mutation leads to more hosts, to co-cited pages, and to where no links lead."""
    agree = sum(found.low > 0 for found in (hosts, co_cited, shut))
    return (NOT_HELD, PARTLY, PARTLY, HELD)[agree]


def speed(trials: Trials) -> Finding:
    """Y4."""
    categories = grouped(trials).values()
    mutating = [milliseconds([trial.mutating for trial in found]) for found in categories]
    plain = [milliseconds([trial.plain for trial in found]) for found in categories]
    ratio = estimate([more / max(less, 1e-9) for more, less in zip(mutating, plain, strict=True)])
    return Finding(
        claim="Y4",
        said="it is slower per page than the crawler without mutation",
        theirs="19 to 103 s against 10 to 40 s a page, on a 3G network",
        ours=(
            f"{with_interval(estimate(mutating))} ms against {with_interval(estimate(plain))} ms a page,"
            f" {with_interval(ratio)} times"
        ),
        verdict=speed_verdict(ratio),
        why=(
            "CPU time of all crawls of a category over their pages, searches in the index included, pages being at"
            " hand: the network's time is in the paper's figures and not in these. Held when the interval of the"
            " ratio lies above 1, partly when it holds 1."
        ),
    )


def milliseconds(crawls: Sequence[Half]) -> float:
    """CPU time a page, over some crawls."""
    return 1e3 * sum(crawl.seconds for crawl in crawls) / max(sum(crawl.visited for crawl in crawls), 1)


def speed_verdict(ratio: Estimate) -> str:
    """Whether a crawl takes longer, by how many times as long."""
    if ratio.low > 1:
        return HELD
    return PARTLY if ratio.high >= 1 else NOT_HELD


def kept_and_cut(trials: Trials) -> Table:
    """The paper's Table 1, with what else is known of the pages kept."""
    rows = []
    for topic, found in grouped(trials).items():
        mutating, plain = ([getattr(t, name) for t in found] for name in ("mutating", "plain"))
        rows.append(
            (
                topic,
                *(percent(estimate([half.precision for half in halves])) for halves in (plain, mutating)),
                *(percent(estimate([half.fetched_precision for half in halves])) for halves in (plain, mutating)),
                percent(estimate([half.kept / max(half.decided, 1) for half in mutating])),
            )
        )
    head = ("category", "without mutation", "with", "first 100 fetched, without", "with", "kept, with")
    return Table("Precision (the paper's Table 1), and the share of pages kept:", head, tuple(rows))


def gains(trials: Trials) -> Table:
    """Where mutation leads, by category."""
    rows = []
    for topic, found in grouped(trials).items():
        hosts = (mean(getattr(t, name).hosts for t in found) for name in ("plain", "mutating"))
        figures = (mean(getattr(t, n) for t in found) for n in ("only_plain", "only", "co_cited", "out_of_reach"))
        rows.append((topic, *(f"{value:.1f}" for value in (*hosts, *figures))))
    head = ("category", "relevant hosts, without", "with", "pages found only without", "only with", "co-cited",
            "no way of links")  # fmt: skip
    return Table("Where mutation leads, means of starts:", head, tuple(rows))

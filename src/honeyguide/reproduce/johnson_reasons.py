"""Why claims of the 2003 paper did not hold here, as far as the crawls themselves tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from honeyguide.evaluate.averages import Estimate
    from honeyguide.reproduce.johnson import Trial
    from honeyguide.reproduce.johnson_trials import Crawled

LESSER = ("hub", "authority")  # scores that are to weigh little


def why_no_lead(trial: Trial) -> str:
    """Whether the search found nothing, or nothing that serves elsewhere."""
    ours, theirs = trial.at_home
    reason = (
        "what it won there does not carry over to seeds that it had not seen"
        if ours > theirs
        else "the search found nothing better there, either"
    )
    return f"Where it was evolved, the best had {ours:.3f} against {theirs:.3f} of best-first: {reason}."


def why_no_closer(cohesion: Sequence[Estimate], leads: Sequence[Estimate]) -> str:
    """Whether crawls hang together more where they find more."""
    alike = sum((one.mean > 0) == (other.mean > 0) for one, other in zip(cohesion, leads, strict=True))
    return (
        f"A community hangs together the more of it is found: the community's difference has the sign of the lead in"
        f" harvest at the greatest length in {alike} of {len(leads)} cases."
    )


def why_deeper(trial: Trial) -> str:
    """Whether what lies farther is better than what lies near."""
    seed_set = next(iter(trial.best_first))
    crawls, others = trial.evolved[seed_set][0], trial.best_first[seed_set]
    usual = round(float(np.mean([mean_distance(crawl) for crawl in others])))
    near, far = (_good_share(crawls, part) for part in (slice(usual + 1), slice(usual + 1, None)))
    return (
        f"Of what evolved fetched for {trial.name} farther than {usual} links away, where best-first is on average,"
        f" {far:.0%} is good, and {near:.0%} of what is nearer."
    )


def mean_distance(crawl: Crawled) -> float:
    """Links from the seeds to a page of a crawl, on average."""
    return float(np.average(np.arange(len(crawl.distances)), weights=crawl.distances))


def _good_share(crawls: Sequence[Crawled], distances: slice) -> float:
    pages, good = (
        sum(int(getattr(crawl, name)[distances].sum()) for crawl in crawls)
        for name in ("distances", "good_distances")
    )
    return good / max(pages, 1)


def why_other_weights(
    names: Sequence[str], three: Sequence[Estimate], lesser: Mapping[str, Sequence[Estimate]], little: float
) -> str:
    """Which parts of the claim do not hold."""
    sums = zip(names, three, strict=True)
    found = [f"the three have {each.mean:.2f} on {name}" for name, each in sums if each.mean <= 1 / 2]
    for score, weights in lesser.items():
        found += [
            f"{score} has {each.mean:.2f} on {name}"
            for name, each in zip(names, weights, strict=True)
            if each.mean >= little
        ]
    return f" What does not hold: {'; '.join(found)}." if found else ""

"""How much care each page gets: all there is in a young crawl, and less of it when there are many."""

from __future__ import annotations

YOUNG = 300  # visits, or relevant pages
GROWN = 1000  # visits
ONE_OF = 3  # examples, and pages that are read, that stand for all in a crawl that is not young
FIT_EVERY = 120  # pages after which the weights are fitted again, fewer at first
READ, GROWN_READ = 6000, 3000  # characters of a page that are read
GROWTH = 0.1  # share by which a crawl grows before all is ranked anew
MOST_PATIENT, GROWN_PATIENT = 20, 40  # pages that are learned from together, fewer at first:
GETTING_PATIENT = 25  # visits after which it is one more
SLIGHT, COARSE = 0.1, 0.25  # change of a rank that makes no difference worth telling the frontier, young and later


def stands_for(number: int) -> int:
    """As how many a page counts that is taken as an example; 0: it is not taken."""
    if number < YOUNG:
        return 1
    return ONE_OF if number % ONE_OF == 0 else 0


def time_to_fit(visits: int, fitted: int) -> bool:
    """Are the weights to be fitted again?"""
    return visits - fitted >= min(FIT_EVERY, max(1, visits // 20))


def time_to_rank_all(visits: int, ranked: int) -> bool:
    """Are all URLs to be ranked anew?"""
    return visits - ranked >= max(1, GROWTH * visits)


def patience(visits: int) -> int:
    """Pages that are learned from together: many at once cost little more than one."""
    return min(GROWN_PATIENT if visits >= GROWN else MOST_PATIENT, 1 + visits // GETTING_PATIENT)


def slight(visits: int) -> float:
    """The change of a rank that is not worth telling."""
    return SLIGHT if visits < YOUNG else COARSE


def characters(number: int) -> int:
    """How much of a page is read."""
    return READ if number < GROWN else GROWN_READ

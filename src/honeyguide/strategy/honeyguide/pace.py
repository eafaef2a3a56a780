"""How much care each page gets: all there is in a young crawl, and less of it when there are many."""

from __future__ import annotations

YOUNG = 300  # visits, or relevant pages
GROWN = 1000  # visits
ONE_OF = 3  # examples, and pages that are read, that stand for all in a crawl that is not young,
READ_OF_GROWN = 6  # and pages that are read in a grown one
FIT_EVERY = 120  # pages after which the weights are fitted again, fewer at first
READ = 3000  # characters of a page that are read
GROWTH = 0.1  # share by which a crawl grows before all is ranked anew
MOST_PATIENT, GROWN_PATIENT = 20, 40  # pages that are learned from together, fewer at first:
GETTING_PATIENT = 15  # visits after which it is one more
AT_A_LOSS, LOST = 50, 150  # visits without a relevant page after which chance begins to have a say, and has all of it
SLIGHT, COARSE = 0.1, 0.25  # change of a rank that makes no difference worth telling the frontier, young and later


def stands_for(number: int) -> int:
    """As how many a page counts that is taken as an example; 0: it is not taken."""
    if number < YOUNG:
        return 1
    return ONE_OF if number % ONE_OF == 0 else 0


def reads_for(number: int) -> int:
    """For how many pages the words of this one are counted; 0: it is not read."""
    if number < GROWN:
        return stands_for(number)
    return READ_OF_GROWN if number % READ_OF_GROWN == 0 else 0


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


def share_of_chance(visits: int) -> float:
    """How much of a say chance has in a crawl that has found nothing relevant yet."""
    return min(1.0, max(0.0, (visits - AT_A_LOSS) / (LOST - AT_A_LOSS)))

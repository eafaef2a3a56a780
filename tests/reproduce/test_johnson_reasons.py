"""Reasons why claims did not hold, told from crawls."""

import numpy as np

from honeyguide.evaluate.averages import Estimate
from honeyguide.reproduce.johnson import Trial
from honeyguide.reproduce.johnson_reasons import why_deeper, why_no_closer, why_no_lead, why_other_weights
from honeyguide.reproduce.johnson_trials import Crawled


def crawl(pages, good):
    return Crawled((0.5,), (1.0,), (1.0,), np.array(pages), np.array(good))


def trial(at_home=(0.0, 0.0)):
    evolved = {5: [[crawl([5, 10, 10, 20], [5, 4, 2, 15]), crawl([5, 10, 10], [5, 4, 2])]]}
    best_first = {5: [crawl([5, 40], [5, 20]), crawl([5, 30, 10], [5, 20, 5])]}
    return Trial("bees", 0.1, [{}], evolved, best_first, (10,), at_home)


def test_a_lead_that_is_lost_is_told_from_one_that_never_was():
    assert "0.400 against 0.300 of best-first: what it won there does not carry" in why_no_lead(trial((0.4, 0.3)))
    assert "the search found nothing better" in why_no_lead(trial((0.3, 0.3)))


def test_what_lies_farther_is_compared_with_what_lies_near():
    told = why_deeper(trial())  # best-first is one link away; beyond it 19 of 40 are good, and 18 of 30 up to it
    assert "farther than 1 links away" in told
    assert "48% is good, and 60% of what is nearer" in told


def test_cohesion_is_compared_with_the_lead():
    up, down = Estimate(0.1, 0.0, 0.2), Estimate(-0.1, -0.2, 0.0)
    assert " in 2 of 3 cases." in why_no_closer([up, down, up], [up, down, down])


def test_weights_that_are_too_large_or_too_small_are_named():
    much, some, none = (Estimate(mean, mean, mean) for mean in (0.6, 0.2, 0.0))
    told = why_other_weights(["bees", "wax"], [much, some], {"hub": [none, some], "authority": [none, none]}, 0.1)
    assert told == " What does not hold: the three have 0.20 on wax; hub has 0.20 on wax."
    assert not why_other_weights(["bees"], [much], {"hub": [none]}, 0.1)

"""The invented web, made from a seed: as many hosts and topics as suit its pages."""

from __future__ import annotations

import math
import random

import numpy as np

from honeyguide.base import BadInput
from honeyguide.synthetic import words
from honeyguide.synthetic.invented import MOST_TOPICS
from honeyguide.synthetic.pages import lay_out
from honeyguide.synthetic.rates import usual_rates
from honeyguide.synthetic.sites import SMALLEST_SITE, found_sites
from honeyguide.synthetic.weave import pick_twins, weave
from honeyguide.synthetic.world import World

GENERATOR = 2  # counted up whenever the same numbers give another web
COPIES = 150  # one page of so many stands there twice
PAGES = 3000
HOSTS_THERE, PAGES_THERE = 88, 53_000  # of the real web that this one takes after
FEWEST_HOSTS = 8


def generate(
    pages: int = PAGES, hosts: int | None = None, seed: int = 1, topics: int | None = None, port: int | None = None
) -> World:
    """A web of so many pages, the same for the same numbers wherever it is served.

    Where they are not given, hosts grow with the root of the number of pages, topics slower still.
    """
    topics = usual_topics(pages) if topics is None else topics
    hosts = usual_hosts(pages) if hosts is None else hosts
    _check(pages, hosts, topics)
    copies, rng = pages // COPIES, np.random.default_rng(seed)
    rates = usual_rates(pages, topics)
    sites = found_sites(pages - copies, hosts, rates, random.Random(seed))
    laid = lay_out(sites, rates, rng)
    twins = pick_twins(laid, copies, rng)
    return World(seed, topics, sites, laid, twins, weave(sites, laid, twins, rates, rng), port)


def usual_hosts(pages: int) -> int:
    """How many hosts a web of so many pages has.

    >>> [usual_hosts(pages) for pages in (300, 3000, 53_000, 3_000_000)]
    [10, 21, 88, 662]
    """
    return max(10, round(HOSTS_THERE * math.sqrt(pages / PAGES_THERE)))


def usual_topics(pages: int) -> int:
    """How many topics.

    >>> [usual_topics(pages) for pages in (300, 3000, 53_000, 3_000_000)]
    [4, 12, 18, 30]
    """
    return max(4, min(round(pages / 100), round(len(words.TOPICS) * math.pow(pages / PAGES, 1 / 7.5))))


def _check(pages: int, hosts: int, topics: int) -> None:
    if not 2 <= topics <= MOST_TOPICS:
        raise BadInput(f"there are words for 2 to {MOST_TOPICS} topics, not for {topics}")
    if hosts < FEWEST_HOSTS:
        raise BadInput(
            f"{hosts} hosts are too few for portals, a trap and sites on topics; try {FEWEST_HOSTS} or more"
        )
    if pages < 2 * SMALLEST_SITE * hosts:
        raise BadInput(f"{hosts} hosts need {2 * SMALLEST_SITE * hosts} pages or more, not {pages}")

"""What a simulated crawl knows, as arrays of records that compiled functions work on.

A URL gets a number of its own when it is found, as in a crawl's graph: so a small crawl touches little memory on a
large web.
"""

from __future__ import annotations

import numpy as np

from honeyguide.strategy.rank_weights import MOST_GENERATIONS

QUEUED, LISTED, DONE, MOVED, OVER = range(5)  # the states of a URL; over: it failed or is not in the archive
PAGE, REDIRECT, FAILURE, MISSING = range(4)  # what stands at an address

SIGN = np.uint32(1 << 31)  # of a 32-bit float
UNRANKED = np.uint32(0xFFFFFFFF)
EVERYTHING = np.uint64(0xFFFFFFFFFFFFFFFF)

PLACE = np.dtype(  # one an address: what is there to be found
    [
        ("first", np.int64),  # of its links
        ("links", np.int32),
        ("host", np.int32),
        ("leads_to", np.int32),  # the address it redirects to
        ("judgment", np.uint32),  # see `lineage`
        ("kind", np.uint8),
        ("relevant", np.bool_),
    ],
    align=True,
)
URL = np.dtype(  # one a URL that was found, as wide as a cache line
    [
        ("comm_out", np.int64),  # in whole numbers
        ("steady", np.float64),  # the part of the rank that does not depend on averages
        ("first", np.int32),  # of the links of a fetched page
        ("links", np.int32),
        ("address", np.int32),
        ("parents", np.int32),
        ("community_parents", np.int32),
        ("most_links", np.int32),
        ("last_in", np.int32),  # the newest link to it, plus one; the older ones hang on it
        ("heir", np.int32),  # where a moved address leads; itself in all other cases
        ("joined", np.int32),  # its links that lead into the community since its children were told
        ("turned", np.uint32),  # the rank, as an integer that sorts the other way
        ("state", np.uint8),
        ("community", np.uint8),
        ("ahead", np.uint8),  # of everything, as seeds are
        ("dirty", np.uint8),  # its rank may have changed
        ("hops", np.uint8),  # redirects in a row that led here
        ("news_from", np.uint8),  # the generations of which it has judgments to hand down: from here
        ("news_to", np.uint8),  # up to here; 0: it has none
    ],
    align=True,
)
LINK = np.dtype([("target", np.int32), ("source", np.int32), ("next_in", np.int32)])
HOST = np.dtype(  # `share` is as ranks know it; `last` is the newest URL, plus one: the older ones hang on it
    [("share", np.float64), ("good", np.int32), ("fetched", np.int32), ("last", np.int32)], align=True
)
WAITING = np.dtype(  # lists of URLs, side by side, and the older URL of the same host
    [
        ("dirty", np.int32),  # to be ranked
        ("joined", np.int32),  # pages whose children are to be told of the community
        ("telling", np.int32),  # pages that have judgments to hand down
        ("next_of_host", np.int32),
    ]
)
LISTING = np.dtype([("url", np.int32), ("age", np.int32)])
BOOK = np.dtype(  # one a crawl: what it is to do, and where it stands
    [
        ("budget", np.int64),
        ("list_size", np.int64),  # 0: always the best
        ("max_redirects", np.int64),
        ("drift", np.float64),
        ("hub", np.float64),  # weights
        ("authority", np.float64),
        ("comm_in", np.float64),
        ("comm_out", np.float64),
        ("anchor", np.float64),
        ("host", np.float64),
        ("parents", np.float64, (MOST_GENERATIONS,)),
        ("oldest", np.int64),  # generation of parents that counts
        ("keeps_comm_out", np.bool_),  # whether scores that cost something have a weight in any stage
        ("keeps_anchor", np.bool_),
        ("keeps_host", np.bool_),
        ("drawn", np.int64),  # of the random numbers at hand
        ("earlier", np.int64),  # numbers that earlier crawls gave to URLs
        ("known", np.int64),  # URLs
        ("linked", np.int64),  # links entered
        ("visits", np.int64),
        ("pages", np.int64),
        ("links", np.int64),  # on them
        ("in_heap", np.int64),
        ("in_heap_at_first", np.int64),  # when all was scanned last
        ("dirty", np.int64),
        ("joined", np.int64),
        ("told", np.int64),  # where the list of those that have judgments to hand down begins, and its length
        ("telling", np.int64),
        ("listed", np.int64),
        ("touched", np.int64),  # only there to be written: see `look_ahead`
        ("floor", np.uint64),  # keys up to it are in the heap
        ("per_page", np.float64),  # links, on average
        ("per_url", np.float64),
        ("ranked_per_page", np.float64),  # the averages when ranks were brought up to date last, and their inverse
        ("ranked_per_url", np.float64),
        ("each_of_page", np.float64),
        ("each_of_url", np.float64),
    ],
    align=True,
)

"""The tables of crawl.db, readable with any SQLite tool."""

VERSION = 3

# Made on opening where an older version did not know of them.
HISTORY = """
CREATE TABLE IF NOT EXISTS history (
    visits INTEGER PRIMARY KEY,  -- learned from by then
    strategy TEXT NOT NULL,      -- as it was asked for
    weights TEXT NOT NULL        -- JSON: what each kind of evidence counted, by name
);
"""
ENDINGS = """
CREATE TABLE IF NOT EXISTS endings (
    run INTEGER PRIMARY KEY,     -- its number in runs; one that was cut off, or goes on, is not here
    stopped TEXT NOT NULL        -- why it ended: pages, nothing_left, interrupted …
);
"""
TROUBLES = """
CREATE TABLE IF NOT EXISTS troubles (
    origin TEXT PRIMARY KEY,     -- whose robots.txt could not be had when it was last asked for: its URLs wait
    why TEXT NOT NULL
);
"""
RESTS = """
CREATE TABLE IF NOT EXISTS rests (
    host TEXT PRIMARY KEY,       -- that asked, by Retry-After, to be left alone for long; the next run keeps to it
    until REAL NOT NULL          -- seconds since 1970, UTC
);
"""
REFRESHES = """
CREATE TABLE IF NOT EXISTS refreshes (
    visit INTEGER PRIMARY KEY,   -- the number of a visit that brought a page with a meta refresh
    target INTEGER NOT NULL      -- the id of the URL that it leads to
);
"""
ADDED = (HISTORY, ENDINGS, TROUBLES, RESTS, REFRESHES)

TABLES = """
CREATE TABLE IF NOT EXISTS urls (
    id INTEGER PRIMARY KEY,      -- in the order they were discovered
    url TEXT NOT NULL,           -- normalised
    depth INTEGER NOT NULL,      -- links from a seed, when discovered
    state TEXT NOT NULL,         -- queued, done, failed or excluded
    reason TEXT NOT NULL         -- why it failed or was excluded
);
CREATE TABLE IF NOT EXISTS visits (
    number INTEGER PRIMARY KEY,  -- 0, 1, 2 … in the order of the crawl; people are told 1, 2, 3 …
    id INTEGER NOT NULL,         -- of the URL
    known INTEGER NOT NULL,      -- URLs discovered when the visit was over
    score REAL,                  -- the strategy's; null for a seed
    relevance REAL NOT NULL,     -- what the topic said, 0 to 1
    relevant INTEGER NOT NULL,   -- 1: it belongs to the topic
    error TEXT NOT NULL,         -- empty, redirect, or the reason it failed
    detail TEXT NOT NULL,        -- more on the error, or on how the page was read
    status INTEGER NOT NULL,     -- of HTTP; 0 where no answer came
    size INTEGER NOT NULL,       -- bytes received
    started REAL NOT NULL,       -- on the web's clock
    seconds REAL NOT NULL,       -- it took
    type TEXT NOT NULL,          -- media type
    language TEXT NOT NULL,      -- ISO code, or empty
    title TEXT NOT NULL,
    flag TEXT NOT NULL,          -- why the page does not count: copy, near_copy, sitemap, login …
    copy_of INTEGER,             -- the id of the URL it is a copy of
    given_up REAL NOT NULL,      -- how much better a URL scored whose host had to rest
    change TEXT NOT NULL,        -- against the crawl before: new, same, changed, gone, failed; or empty
    bad_links INTEGER NOT NULL,  -- hrefs that are no URL
    cut_links INTEGER NOT NULL,  -- links beyond a limit
    robots TEXT NOT NULL,        -- noindex, nofollow and the like, by tag or header
    opt_outs TEXT NOT NULL,      -- how it is reserved from machine learning
    digest BLOB NOT NULL,        -- SHA-1 of the body
    fingerprint INTEGER NOT NULL, -- SimHash of the text
    etag TEXT NOT NULL,          -- the ETag header
    modified TEXT NOT NULL,      -- the Last-Modified header
    date TEXT NOT NULL,          -- when it was fetched, in UTC
    warc INTEGER,                -- the file its bytes are archived in: an id of warcs
    offset INTEGER,              -- and where its record begins there
    file INTEGER,                -- the WARC file being written when the visit was over
    file_end INTEGER,            -- and its size then
    kept INTEGER NOT NULL DEFAULT 1 -- whether the strategy counts the page among its collection
);
CREATE TABLE IF NOT EXISTS events (
    number INTEGER PRIMARY KEY,  -- what happened beside visits, in order: it is replayed with them
    visits INTEGER NOT NULL,     -- visits made when it happened
    known INTEGER NOT NULL,      -- URLs discovered when it was over
    kind TEXT NOT NULL,          -- seeds, search, idle; block, unblock; topic; joined or dropped: the current list
    query TEXT NOT NULL,         -- what was searched for, or the host
    found TEXT NOT NULL          -- JSON array of the ids that a search brought
);
CREATE TABLE IF NOT EXISTS links (
    source INTEGER PRIMARY KEY,  -- the id of a fetched page
    targets TEXT NOT NULL,       -- JSON array of ids, in the order on the page
    anchors TEXT NOT NULL        -- JSON array of their anchor texts
);
CREATE TABLE IF NOT EXISTS earlier (
    round INTEGER NOT NULL,      -- 1, 2 … for each crawl before the present one; what follows is as in visits
    url TEXT NOT NULL,
    depth INTEGER NOT NULL,
    relevant INTEGER NOT NULL,
    error TEXT NOT NULL,
    status INTEGER NOT NULL,
    digest BLOB NOT NULL,
    etag TEXT NOT NULL,
    modified TEXT NOT NULL,
    date TEXT NOT NULL,
    warc INTEGER,
    offset INTEGER,
    file INTEGER,
    file_end INTEGER,
    PRIMARY KEY (url, round)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs (
    number INTEGER PRIMARY KEY,  -- one for each time the crawl was started or gone on with
    seconds REAL NOT NULL,       -- it took
    notes TEXT NOT NULL          -- JSON: requests beside those for pages, second tries
);
CREATE TABLE IF NOT EXISTS judged_by (topic TEXT NOT NULL);  -- the topic behind the verdicts
CREATE TABLE IF NOT EXISTS warcs (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS knowledge (
    visits INTEGER PRIMARY KEY,  -- learned from
    events INTEGER NOT NULL,     -- taken in by then
    strategy TEXT NOT NULL,      -- as it was asked for
    name TEXT NOT NULL,          -- of the strategy, without its settings
    version INTEGER NOT NULL,    -- of what it saves; another version's is refused
    topic TEXT NOT NULL,
    state BLOB NOT NULL,         -- to go on from
    portable BLOB NOT NULL,      -- the part of it that serves other crawls
    figures TEXT NOT NULL        -- JSON: what the report says of it
);
CREATE VIEW IF NOT EXISTS edges AS
    SELECT source, target.value AS target, anchor.value AS anchor
    FROM links, json_each(targets) AS target, json_each(anchors) AS anchor
    WHERE target.key = anchor.key;
"""

TABLES += "".join(ADDED)

# Made when the first page is marked, so that directories without it stay as they are.
MARKS = """CREATE TABLE IF NOT EXISTS marks (
    url TEXT PRIMARY KEY,        -- not the id: `crawl --again` numbers anew
    relevant INTEGER NOT NULL,   -- whether somebody says that it belongs to the topic
    date TEXT NOT NULL
)"""

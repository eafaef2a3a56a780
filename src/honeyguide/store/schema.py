"""The tables of crawl.db, readable with any SQLite tool."""

VERSION = 1

TABLES = """
CREATE TABLE IF NOT EXISTS urls (
    id INTEGER PRIMARY KEY,      -- in the order they were discovered
    url TEXT NOT NULL,
    depth INTEGER NOT NULL,      -- links from a seed, when discovered
    state TEXT NOT NULL,         -- queued, done, failed or excluded
    reason TEXT NOT NULL         -- why it failed or was excluded
);
CREATE TABLE IF NOT EXISTS visits (
    number INTEGER PRIMARY KEY,  -- in the order of the crawl
    id INTEGER NOT NULL,         -- of the URL
    known INTEGER NOT NULL,      -- URLs discovered when the visit was over
    score REAL,                  -- the strategy's; null for a seed
    relevance REAL NOT NULL,
    relevant INTEGER NOT NULL,
    error TEXT NOT NULL,         -- empty, redirect, or the reason it failed
    detail TEXT NOT NULL,
    status INTEGER NOT NULL,
    size INTEGER NOT NULL,       -- bytes received
    started REAL NOT NULL,       -- on the web's clock
    seconds REAL NOT NULL,
    type TEXT NOT NULL,
    language TEXT NOT NULL,
    title TEXT NOT NULL,
    warc INTEGER,                -- where it is archived
    offset INTEGER
);
CREATE TABLE IF NOT EXISTS links (
    source INTEGER PRIMARY KEY,  -- the id of a fetched page
    targets TEXT NOT NULL,       -- JSON array of ids, in the order on the page
    anchors TEXT NOT NULL        -- JSON array of their anchor texts
);
CREATE TABLE IF NOT EXISTS pages (
    url TEXT PRIMARY KEY,        -- pages of an imported or generated web
    content BLOB NOT NULL        -- JSON, compressed
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS judged_by (topic TEXT NOT NULL);  -- the topic behind the verdicts
CREATE TABLE IF NOT EXISTS warcs (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS knowledge (visits INTEGER PRIMARY KEY, strategy TEXT NOT NULL, state BLOB NOT NULL);
CREATE VIEW IF NOT EXISTS edges AS
    SELECT source, target.value AS target, anchor.value AS anchor
    FROM links, json_each(targets) AS target, json_each(anchors) AS anchor
    WHERE target.key = anchor.key;
"""

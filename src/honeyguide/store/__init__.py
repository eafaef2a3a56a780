"""A crawl directory: crawl.toml (what was asked), crawl.db (what happened), *.warc.gz (what was fetched)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.lazily import importer

if TYPE_CHECKING:
    from honeyguide.store.directory import Store, is_crawl_directory, no_crawl, read_settings
    from honeyguide.store.errors import StoreError
    from honeyguide.store.files import STORED_WEB, new_file, spare_own_files
    from honeyguide.store.lock import being_crawled
    from honeyguide.store.log import Event, Kept
    from honeyguide.store.visits import StoredVisit

__getattr__ = importer(  # a process that reads pages needs none of them
    __name__,
    {
        "directory": "Store is_crawl_directory no_crawl read_settings",
        "errors": "StoreError",
        "files": "STORED_WEB new_file spare_own_files",
        "lock": "being_crawled",
        "log": "Event Kept",
        "visits": "StoredVisit",
    },
)

__all__ = [
    "STORED_WEB",
    "Event",
    "Kept",
    "Store",
    "StoreError",
    "StoredVisit",
    "being_crawled",
    "is_crawl_directory",
    "new_file",
    "no_crawl",
    "read_settings",
    "spare_own_files",
]

"""How exports are made, beside which pages they hold; imported by the command line, so it imports next to nothing."""

from __future__ import annotations

from dataclasses import dataclass

from honeyguide.base import check_bounds, knob


@dataclass
class Options:
    """What a format can be told."""

    columns: str = knob("", "of JSONL, CSV and Parquet: which, with commas between them, as in url,title,markdown")
    words: int = knob(300, "of chunks: words a passage has at most", 10)
    overlap: int = knob(30, "of chunks: words that a passage shares with the one before", 0)
    hubs: int = knob(100, "of seeds: how many", 1)

    def __post_init__(self) -> None:
        check_bounds(self)

"""What a crawl came to, in numbers that balance."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from honeyguide.crawl.forecast import Yield

# Notes of a web that showed pages to a browser.
RENDERING = ("rendered", "render_gained", "render_failed", "render_requests", "render_refused")


@dataclass(frozen=True)
class Summary:
    """Harvest is relevant pages by page requests, failures and redirects included."""

    fetched: int
    relevant: int
    done: int
    redirects: int
    queued: int
    discovered: int
    failed: dict[str, int]
    excluded: dict[str, int]
    bytes: int
    seconds: float
    stopped: str  # why the crawl ended
    unjudged: int = 0  # pages fetched after the budget of the topic's function was spent
    flags: dict[str, int] = field(default_factory=dict)  # pages that do not count, by why
    changes: dict[str, int] = field(default_factory=dict)  # pages against the crawl before
    notes: dict[str, int] = field(default_factory=dict)  # requests beside those for pages, second tries, lost links
    held_back: int = 0  # queued URLs that the strategy does not want to be fetched as things stand
    learned: dict[str, str] = field(default_factory=dict)  # what the strategy says of what it learned
    forecast: Yield | None = None  # relevant pages to be expected of the next 1,000 fetches
    remarks: tuple[str, ...] = ()  # what went wrong beside the fetching, or should be known

    @property
    def harvest(self) -> float:
        """Relevant pages per page asked for."""
        return self.relevant / self.fetched if self.fetched else 0.0

    @property
    def balanced(self) -> bool:
        """Whether every URL discovered is accounted for."""
        return self.discovered == self.done + sum(self.failed.values()) + sum(self.excluded.values()) + self.queued

    def to_dict(self) -> dict[str, Any]:
        """The same, for scripts."""
        values = asdict(self)
        notes = values.pop("notes")
        return {
            **values,
            "harvest": round(self.harvest, 6),
            "not_in_archive": self.excluded.get("not_in_archive", 0),
            **notes,
        }


def rendering_told(notes: Mapping[str, int]) -> str:
    """What showing pages to a browser came to, in a sentence; nothing where none was shown."""
    rendered, gained, failed, requests, refused = (notes.get(name, 0) for name in RENDERING)
    if not rendered and not failed:
        return ""
    return (
        f"Rendered in a browser: {rendered:,} pages, of which {gained:,} gained by it; {failed:,} failed. "
        f"That took {requests:,} further requests; {refused:,} were refused."
    )

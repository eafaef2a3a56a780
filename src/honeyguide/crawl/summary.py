"""What a crawl came to, in numbers that balance."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from honeyguide.graph import EXCLUDED, FAILED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from honeyguide.crawl.forecast import Yield
    from honeyguide.crawl.loop import Crawl

# Notes of a web that showed pages to a browser.
RENDERING = ("rendered", "render_gained", "render_failed", "render_requests", "render_refused")

_REASONS = {
    "pages": "as many pages as were asked for",
    "nothing_left": "every URL found was fetched or excluded",
    "nothing_may_be_fetched": "no host that is left may be asked now; go on with it later",
    "max_time": "the time was up",
    "max_bytes": "the bytes were used up",
    "until_yield": "too few relevant pages were to be expected of the next 1,000",
    "judge_budget_spent": "the budget of the topic's function is spent",
    "not_interesting": "nothing queued is as interesting as --strategy intelligent:min_ratio=… asks for",
    "generations": "the strategy went through as many generations as it was told to",
    "repository_full": "the strategy has kept as many pages as it was told to",
    "layers": "the strategy went through as many layers as it was told to",
    "converged": "the generations no longer get better",
    "interrupted": "you stopped it",
    "terminated": "it was told to end",
    "dashboard": "it was stopped on the dashboard",
}


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


def why_stopped(reason: str, held_back: bool = False) -> str:
    """Why a crawl ended, in words; it may have ended with URLs that its strategy holds back."""
    if reason == "nothing_left" and held_back:
        return "nothing is left that the strategy would fetch"
    return _REASONS.get(reason, reason.replace("_", " "))


def duration(seconds: float) -> str:
    """A time people can read: 42 s, 3 min, 2 h 5 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def summary_of(crawl: Crawl, seconds: float) -> Summary:
    """Where a crawl stands after so many seconds."""
    graph, tally = crawl.graph, crawl.tally
    books = graph.books()
    return Summary(
        fetched=tally.fetched,
        relevant=tally.relevant,
        done=books["done"],
        redirects=tally.redirects,
        queued=books["queued"],
        discovered=len(graph),
        failed=graph.reasons(FAILED),
        excluded=graph.reasons(EXCLUDED),
        bytes=tally.bytes,
        seconds=round(seconds, 3),
        stopped=crawl.stopped,
        unjudged=tally.unjudged,
        flags=dict(tally.flags.most_common()),
        changes=dict((tally.changes + Counter(excluded=crawl.guide.first_excluded())).most_common()),
        notes={**crawl.notes(), **tally.lost_links()},
        held_back=crawl.beside_the_frontier()["held_back"],
        learned=crawl.strategy.figures(),
        forecast=crawl.forecast(),
        remarks=tuple(crawl.asking.remarks),
    )

"""What Prometheus is told of a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.dashboard.metrics import Metric
from honeyguide.graph import EXCLUDED, FAILED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from honeyguide.crawl import Crawl

PHASES = ("starting", "running", "paused", "stopping", "judging", "resting", "following", "ended")
REQUESTS = ("robots_requests", "retries", "render_requests", "searches", "failed_searches", "reference_pages")


def measured(crawl: Crawl, speed: float, phase: str) -> Iterator[Metric]:
    """The figures of a crawl."""
    graph, tally = crawl.graph, crawl.tally
    yield Metric("visits_total", "Visits, whatever came of them", graph.visits, kind="counter")
    yield Metric("pages_fetched_total", "Pages asked for, failures included", tally.fetched, kind="counter")
    yield Metric("redirects_total", "Redirects among them", tally.redirects, kind="counter")
    yield Metric("received_bytes_total", "Bytes received", tally.bytes, kind="counter")
    yield Metric("relevant_pages", "Relevant pages found; judging anew may lower it", tally.relevant)
    yield Metric("pages_not_counted", "Pages that came but do not count", dict(tally.flags), "flag")
    yield Metric("pages_per_second", "Pages asked for, a second, of late", speed)
    yield Metric("urls", "URLs known", graph.books(), "state")
    yield Metric("urls_failed", "URLs that failed", graph.reasons(FAILED), "reason")
    yield Metric("urls_excluded", "URLs never to be asked for", graph.reasons(EXCLUDED), "reason")
    yield Metric("queue_length", "URLs that may be fetched", len(crawl.frontier))
    yield Metric("hosts_queued", "Hosts with something queued", crawl.frontier.hosts)
    yield Metric("hosts_resting", "Hosts among them that must rest", len(crawl.frontier.resting()))
    yield Metric("hosts_busy", "Hosts from which a page is under way", crawl.busy_hosts)
    yield Metric("hosts_known", "Hosts that links lead to", len(graph.hosts))
    notes = crawl.notes()
    requests = {name: count for name, count in notes.items() if name in REQUESTS}
    yield Metric("requests_beside_pages", "Requests for robots.txt, second tries and the like", requests, "what")
    others = {name: count for name, count in notes.items() if name not in REQUESTS}
    yield Metric("noted", "What else was counted: pages rendered, hosts that ask for delays", others, "what")
    yield Metric("phase", "What the crawl is doing", phases(phase), "phase")
    if ahead := crawl.forecast():
        bounds = {"low": ahead.low, "expected": ahead.expected, "high": ahead.high}
        yield Metric("forecast_relevant_pages", f"Relevant pages among the next {ahead.fetches}", bounds, "bound")


def phases(now: str) -> dict[str, float]:
    """1 for the present phase, 0 for all others."""
    return {name: float(name == now) for name in PHASES}

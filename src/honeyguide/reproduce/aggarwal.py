"""Aggarwal, Al-Garawi, Yu 2001: lift curves of a crawler that learns, from far seeds, for any kind of predicate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.reproduce.aggarwal_crawls import Ground, Predicate
from honeyguide.reproduce.aggarwal_findings import findings
from honeyguide.reproduce.aggarwal_results import crawled
from honeyguide.reproduce.aggarwal_tables import tables
from honeyguide.reproduce.findings import Paper, Reproduction, Scale
from honeyguide.synthetic import generate

if TYPE_CHECKING:
    from honeyguide.reproduce.aggarwal_results import Results
    from honeyguide.synthetic import World

OTHER_TOPICS = ("bread baking", "chess")  # of no predicate, to start from
SEEDS_ON_A_TOPIC = 3
PORTALS = 3
NARROWER = "url:node"  # the piece of an address that plays the part of .uk


class Aggarwal(Paper):
    """The experiments of section 5, on a generated web."""

    name = "aggarwal"
    title = "Aggarwal, Al-Garawi, Yu 2001: intelligent crawling with arbitrary predicates"
    claims = ("A1", "A2", "A3", "A4", "A5", "A6")

    def run(self, scale: Scale) -> Reproduction:
        """Make all crawls, and judge the six claims by them."""
        world = generate(pages=scale.of(300_000, 3000), seed=1 + scale.random_seed)
        ground = Ground(world, starts(world), scale.of(5000, 30), scale.random_seed)
        found = crawled(ground, predicates(world), related(world), range(2), scale)
        return Reproduction(self.name, _setting(found), findings(found), tables(found))


def predicates(world: World) -> list[Predicate]:
    """One of each kind."""
    return [
        Predicate("keywords", world.query("medieval history")),
        Predicate("URL token", "url:astronomy"),
        Predicate("links", "links:to:(url:ceramics)"),
        Predicate("category", "label:cycling"),
        Predicate("category and keyword", "label:sailing & keyword:regatta"),
    ]


def related(world: World) -> dict[str, Predicate]:
    """For some of them a narrower one: the same, and a piece of the address, as the paper does with .uk."""
    kept = [one for one in predicates(world) if one.kind in ("keywords", "category", "category and keyword")]
    return {one.topic: Predicate(f"{one.kind}, and URL token", f"({one.topic}) & {NARROWER}") for one in kept}


def starts(world: World) -> tuple[tuple[str, ...], ...]:
    """Far from every predicate: home pages of portals, and pages on other topics."""
    portals = [(url,) for url in world.portal_seeds(PORTALS)]
    others = [tuple(world.topic_seeds(topic, SEEDS_ON_A_TOPIC)) for topic in OTHER_TOPICS]
    return portals[0], others[0], *portals[1:], *others[1:]


def _setting(found: Results) -> str:
    made = found.ground.world.parameters
    named = "; ".join(f"{one.kind}: `{one.topic}`" for one in found.predicates)
    return (
        f"A generated web of {made['pages']:,} pages on {made['hosts']} hosts (seed {made['seed']}); crawls of "
        f"{found.ground.pages:,} pages from {len(found.ground.starts)} starts, each the home page of a portal or "
        f"{SEEDS_ON_A_TOPIC} pages on another topic; the single factors from the first {len(found.factor_starts)}. "
        f"Predicates: {named}."
    )

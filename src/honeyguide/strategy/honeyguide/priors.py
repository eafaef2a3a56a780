"""The first weights of the evidence, which the model leaves as it learns.

Set by hand on tuning topics; the evolution that docs/strategies.md tells of found none that were better.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from honeyguide.base import BadInput, knob
from honeyguide.strategy.base import Strategy

LARGEST = 4.0


@dataclass
class Priors(Strategy):
    """A weight for each kind of evidence, in the order in which `Evidence.of` gives them."""

    good_parents: float = knob(
        0.5, "weight of: relevant pages that link to it (logarithm of their number)", 0, LARGEST
    )
    share: float = knob(1.0, "weight of: the share of relevant pages among those that link to it", 0, LARGEST)
    parents: float = knob(0.0, "weight of: pages that link to it (logarithm of their number)", -2, 2)
    best_parent: float = knob(0.0, "weight of: how relevant the best page is that links to it", 0, LARGEST)
    host: float = knob(0.4, "weight of: the share of relevant pages on its host", 0, LARGEST)
    folder: float = knob(0.6, "weight of: the share of relevant pages in its folder", 0, LARGEST)
    near: float = knob(0.4, "weight of: what came of the links beside those to it", 0, LARGEST)
    url: float = knob(0.3, "weight of: words of its address, by the pages they stand on", 0, LARGEST)
    url_lead: float = knob(0.3, "weight of: words of its address, by what links with them led to", 0, LARGEST)
    hub: float = knob(0.2, "weight of: what came of other links of the pages that link to it", 0, LARGEST)
    grandparents: float = knob(0.5, "weight of: relevant pages that link to those that link to it", 0, LARGEST)
    hops: float = knob(0.5, "weight of: how few links lead here from the last relevant page", 0, LARGEST)
    anchor: float = knob(0.4, "weight of: words of anchors, by the pages they stand on", 0, LARGEST)
    anchor_lead: float = knob(0.5, "weight of: words of anchors, by what links with them led to", 0, LARGEST)
    same_host: float = knob(0.0, "weight of: links to it that stay on their host", -2, 2)
    best_hub: float = knob(0.2, "weight of: what came of other links of the best page that links to it", 0, LARGEST)
    best_anchor: float = knob(0.4, "weight of: words of the best anchor", 0, LARGEST)
    keywords: float = knob(1.5, "weight of: the topic's keywords in anchor or address", 0, LARGEST)

    without: str = knob("", "kinds or groups of evidence that are not used, with + between them")

    def first_weights(self) -> list[float]:
        """All of them in order."""
        return [getattr(self, name) for name in KINDS]

    def used(self) -> list[bool]:
        """Which kinds of evidence are used, in order; `parents`, a group and a kind, is the group."""
        left_out: set[str] = set()
        for name in filter(None, self.without.split("+")):
            if name not in GROUPS and name not in KINDS:
                raise BadInput(f"without={self.without}: {name} is neither of {', '.join([*GROUPS, *KINDS])}")
            left_out.update(GROUPS.get(name, (name,)))
        return [kind not in left_out for kind in KINDS]


GROUPS = {
    "parents": ("good_parents", "share", "parents", "best_parent", "grandparents", "hops"),
    "siblings": ("near", "hub", "best_hub"),
    "place": ("host", "folder", "same_host"),
    "links": ("anchor", "best_anchor", "anchor_lead", "url", "url_lead", "keywords"),
}
KINDS = tuple(field.name for field in dataclasses.fields(Priors) if isinstance(field.default, float))

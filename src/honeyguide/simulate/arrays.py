"""A stored web as arrays: what the compiled loop runs on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from honeyguide.base import BadInput
from honeyguide.simulate.records import FAILURE, MISSING, PLACE, REDIRECT, SIGN

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TYPES: dict[str, type[np.generic]] = {
    "out_start": np.int64,
    "out": np.int32,
    "host": np.int32,
    "redirect": np.int32,
    "failed": np.uint8,
    "judgment": np.float32,
    "relevant": np.bool_,
}


class LinkedWeb(Protocol):
    """Anything that has these arrays; they may be read-only and mapped from a file.

    Addresses are numbered; the first hold pages, as many as there are judgments. The links of address i are
    `out[out_start[i] : out_start[i + 1]]`: distinct, in the order of first mention, never to itself. An address
    behind the pages that neither redirects nor failed is not in the archive.
    """

    @property
    def out_start(self) -> NDArray[np.int64]:
        """Where the links of each address begin, and where all end."""

    @property
    def out(self) -> NDArray[np.int32]:
        """The targets of all links."""

    @property
    def host(self) -> NDArray[np.int32]:
        """The number of each address's host."""

    @property
    def redirect(self) -> NDArray[np.int32]:
        """Where an address leads, or -1."""

    @property
    def failed(self) -> NDArray[np.uint8]:
        """Not 0: it answers with an error."""

    @property
    def judgment(self) -> NDArray[np.float32]:
        """By page: the signed distance from the topic's threshold."""

    @property
    def relevant(self) -> NDArray[np.bool_]:
        """By page: whether it is on the topic."""


@dataclass(frozen=True)
class LinkArrays:
    """A web in memory; see `LinkedWeb`. `anchor_score` is by link: the share of keywords in its anchor."""

    out_start: NDArray[np.int64]
    out: NDArray[np.int32]
    host: NDArray[np.int32]
    redirect: NDArray[np.int32]
    failed: NDArray[np.uint8]
    judgment: NDArray[np.float32]
    relevant: NDArray[np.bool_]
    anchor_score: NDArray[np.float32] | None = None


def frozen(array: Any, dtype: type[np.generic]) -> NDArray[Any]:
    """An array of a type that compiled functions know: read-only, in one piece, not copied where it is so already."""
    found: NDArray[Any] = np.ascontiguousarray(array, dtype).view(np.ndarray)
    found.flags.writeable = False
    return found


def frozen_arrays(web: LinkedWeb) -> dict[str, NDArray[Any]]:
    """The arrays of a web, checked."""
    arrays = {name: frozen(getattr(web, name), dtype) for name, dtype in _TYPES.items()}
    addresses, pages, links = len(arrays["host"]), len(arrays["judgment"]), len(arrays["out"])
    wanted = {"out_start": addresses + 1, "redirect": addresses, "failed": addresses, "relevant": pages}
    for name, size in wanted.items():
        if len(arrays[name]) != size:
            raise BadInput(f"the web's array {name} has {len(arrays[name])} items, not {size}; it was not made right")
    if not addresses or pages > addresses:
        raise BadInput(f"a web of {addresses} addresses cannot hold {pages} pages; it was not made right")
    if links >= 2**31:
        raise BadInput(f"the web has {links:,} links; the compiled loop takes up to {2**31 - 1:,}")
    anchors = getattr(web, "anchor_score", None)
    arrays["anchor"] = frozen(np.zeros(0) if anchors is None else anchors, np.float32)
    if anchors is not None and len(anchors) != links:
        raise BadInput(f"the web has {len(anchors)} scores of anchors for {links} links; it was not made right")
    return arrays


def check_ends(arrays: dict[str, NDArray[Any]]) -> None:
    """Refuse links and redirects that lead nowhere: compiled functions do not look where they reach."""
    addresses, out, start = len(arrays["host"]), arrays["out"], arrays["out_start"]
    sound = start[0] == 0 and start[-1] == len(out) and (np.diff(start) >= 0).all()
    for ends, lowest in ((out, 0), (arrays["redirect"], -1)):
        sound = sound and (not len(ends) or (ends.min() >= lowest and ends.max() < addresses))
    if not sound or arrays["host"].min() < 0:
        raise BadInput("the web's arrays are damaged: links lead to addresses that are not there; import it again")


def by_weight(judgments: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Judgments as integers, of which the largest is the one that counts among parents of one generation.

    That is the highest where one is at least 0, and else the lowest. So one number a generation is enough; 0 is none.
    """
    without_negative_zero = judgments + np.float32(0)
    return without_negative_zero.view(np.uint32) ^ SIGN


def places_of(arrays: dict[str, NDArray[Any]]) -> NDArray[np.void]:
    """What stands at every address, in one row each: a visit looks at all of it at once."""
    places = np.zeros(len(arrays["host"]), PLACE)
    places["first"], places["links"] = arrays["out_start"][:-1], np.diff(arrays["out_start"])
    places["host"], places["leads_to"] = arrays["host"], arrays["redirect"]
    places["kind"][len(arrays["judgment"]) :] = MISSING
    places["kind"][arrays["failed"] != 0] = FAILURE
    places["kind"][arrays["redirect"] >= 0] = REDIRECT
    judge(places, arrays)
    return places


def judge(places: NDArray[np.void], arrays: dict[str, NDArray[Any]]) -> None:
    """Let pages be judged anew, by another topic perhaps."""
    pages = len(arrays["judgment"])
    places["judgment"][:pages], places["relevant"][:pages] = by_weight(arrays["judgment"]), arrays["relevant"]

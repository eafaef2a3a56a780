"""Where pages, and time, come from: live, archive, synthetic. Nothing else differs between crawls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.lazily import importer

if TYPE_CHECKING:
    from honeyguide.web.archive import Archive, open_web
    from honeyguide.web.base import SimulatedWeb, Web
    from honeyguide.web.gone import Gone
    from honeyguide.web.handed import Handed
    from honeyguide.web.kind import Kind, kind_of
    from honeyguide.web.live import LiveWeb
    from honeyguide.web.synthetic import SyntheticWeb

__getattr__ = importer(  # a process that reads pages needs none of them
    __name__,
    {
        "archive": "Archive open_web",
        "base": "SimulatedWeb Web",
        "gone": "Gone",
        "handed": "Handed",
        "kind": "Kind kind_of",
        "live": "LiveWeb",
        "synthetic": "SyntheticWeb",
    },
)

__all__ = [
    "Archive",
    "Gone",
    "Handed",
    "Kind",
    "LiveWeb",
    "SimulatedWeb",
    "SyntheticWeb",
    "Web",
    "kind_of",
    "open_web",
]

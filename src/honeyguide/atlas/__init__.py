"""Stored webs as arrays on disk: built once from pages that stream in, opened at once, shared between processes."""

from __future__ import annotations

from honeyguide.atlas.building import AtlasBuilder
from honeyguide.atlas.layout import is_atlas
from honeyguide.atlas.reading import Atlas
from honeyguide.atlas.scores import scores_of

__all__ = ["Atlas", "AtlasBuilder", "is_atlas", "scores_of"]

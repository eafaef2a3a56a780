"""Stored webs as arrays on disk: built once from pages that stream in, opened at once, shared between processes."""

from __future__ import annotations

from honeyguide.atlas.building import AtlasBuilder
from honeyguide.atlas.layout import is_atlas
from honeyguide.atlas.reading import Atlas

__all__ = ["Atlas", "AtlasBuilder", "is_atlas"]

"""Whole pages, packed one by one: what the arrays leave out is unpacked when a page is asked for."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
import zstandard

from honeyguide.base import BadInput, Page

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEVEL = 3


@cache
def _tools() -> tuple[Any, Any, Any, Any]:
    return (
        msgspec.msgpack.Encoder(),
        msgspec.msgpack.Decoder(Page),
        zstandard.ZstdCompressor(LEVEL),
        zstandard.ZstdDecompressor(),
    )


def packed(page: Page) -> bytes:
    """A page without its parents, in a few bytes."""
    encoder, _, compressor, _ = _tools()
    result: bytes = compressor.compress(encoder.encode(page))
    return result


def unpacked(data: NDArray[np.uint8]) -> Page:
    """The page again."""
    _, decoder, _, decompressor = _tools()
    try:
        page: Page = decoder.decode(decompressor.decompress(data.tobytes()))
    except (zstandard.ZstdError, msgspec.MsgspecError) as error:
        raise BadInput(f"a page of the stored web is damaged ({error}); import the web again") from None
    return page

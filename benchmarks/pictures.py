"""Pictures for the docs, small enough to keep: of pages in a browser, and of pages as they are printed."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from benchmarks.chromium import Chromium

    Pixels = NDArray[np.uint8]  # rows of red, green and blue

SHADES = 31  # of each colour, beside black: nobody sees the difference
DESK, GAP = 200, 10  # a grey around printed pages, and how much of it, in pixels
SCALE = 0.92  # pixels a point
# A picture as numbers, by the browser that drew it; red, green, blue and opacity of one pixel after the other.
NUMBERS = """new Promise(done => { const picture = new Image(); picture.onload = () => {
  const canvas = Object.assign(document.createElement('canvas'), {width: picture.width, height: picture.height});
  const plane = canvas.getContext('2d'); plane.drawImage(picture, 0, 0);
  const bytes = plane.getImageData(0, 0, picture.width, picture.height).data; let text = '';
  for (let i = 0; i < bytes.length; i += 8190) text += btoa(String.fromCharCode(...bytes.subarray(i, i + 8190)));
  done([picture.height, picture.width, text]) }; picture.src = 'data:image/png;base64,%s' })"""


async def shrink(browser: Chromium, *pictures: Path) -> None:
    """Write pictures anew with fewer shades; the browser's own page is left for that."""
    await browser.open("data:text/html,")
    for picture in pictures:
        drawn = base64.b64encode(picture.read_bytes()).decode()
        height, width, numbers = await browser.value(NUMBERS % drawn)
        pixels = np.frombuffer(base64.b64decode(numbers), np.uint8).reshape(height, width, 4)
        picture.write_bytes(as_png(pixels[:, :, :3]))


def side_by_side(pdf: Path, count: int, picture: Path) -> None:
    """Draw the first pages of a file beside each other."""
    import pypdfium2

    with pypdfium2.PdfDocument(pdf) as document:
        pages = [_framed(page.render(scale=SCALE, rev_byteorder=True).to_numpy()) for page in list(document)[:count]]
    picture.write_bytes(as_png(np.concatenate(pages, axis=1)))


def _framed(page: Pixels) -> Pixels:
    return np.pad(page[:, :, :3], ((GAP, GAP), (GAP, GAP), (0, 0)), constant_values=DESK)


def as_png(pixels: Pixels) -> bytes:
    """A PNG file of few shades."""
    height, width, _ = pixels.shape
    few = (np.round(pixels / 255 * SHADES) * 255 / SHADES).astype(np.uint8)
    rows = np.insert(few.reshape(height, width * 3), 0, 0, axis=1)  # no row is filtered
    parts = {
        b"IHDR": struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0),
        b"IDAT": zlib.compress(rows.tobytes(), 9),
        b"IEND": b"",
    }
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts.items()
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)

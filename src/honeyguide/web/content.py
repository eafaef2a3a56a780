"""From the bytes of a response to a Page: content decoding within limits, then parsing."""

from __future__ import annotations

import contextlib
import zlib
from typing import TYPE_CHECKING

from msgspec.structs import replace

from honeyguide.base import FetchError, Page
from honeyguide.parse import Reading, parse
from honeyguide.parse.reading import THOROUGH
from honeyguide.web.opt_outs import of_headers, of_words

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_ENCODINGS = 5
SLICE = 4096  # bytes of zstandard looked at at a time: what is behind a frame is copied
MORSEL = 32  # bytes of a damaged body decoded at a time
SMALL = 1_000_000  # bytes that any body may decode to


def read(
    url: str, headers: Mapping[str, str], body: bytes, reading: Reading = THOROUGH, damage: list[str] | None = None
) -> Page:
    """The page a response holds; `headers` have lower-case names. What could not be decoded is told in `damage`."""
    plain = decoded(body, headers.get("content-encoding", ""), reading.largest, reading.ratio, damage)
    page = parse(url, plain, headers.get("content-type", ""), headers.get("x-robots-tag", ""), reading)
    said = of_headers(headers) | of_words(page.robots)
    if header := headers.get("refresh"):
        page = _sent_on(page, header)
    return replace(page, opt_outs=page.opt_outs | said) if said else page


def _sent_on(page: Page, header: str) -> Page:
    """A page with where its Refresh header leads, unless it says so itself."""
    from honeyguide.parse.html import refresh_of, refreshing

    target = "" if page.refresh else refresh_of(header, page.url)
    if not target:
        return page
    return replace(page, refresh=target, links=(*page.links, refreshing(target, len(page.links))))


def decoded(
    body: bytes, encodings: str, limit: int, ratio: int = THOROUGH.ratio, damage: list[str] | None = None
) -> bytes:
    """A body without its content encodings; more than `limit` bytes, or times its size, is an error."""
    names = [name.strip().lower() for name in encodings.split(",") if name.strip()]
    if len(names) > MOST_ENCODINGS:
        raise FetchError("bad_encoding", f"{len(names)} content encodings")
    most = min(limit, max(SMALL, ratio * len(body)))
    for name in reversed(names):
        body, whole = _without(name, body, most)
        if not whole and damage is not None:
            damage.append(f"{name} is damaged or cut short")
    return body


def _without(name: str, body: bytes, limit: int) -> tuple[bytes, bool]:
    """A body without an encoding, and whether it was sound."""
    if name in ("gzip", "x-gzip"):
        return _inflated(body, 31, limit)
    if name == "deflate":  # some servers send the bare stream
        return _inflated(body, 15 if _has_zlib_header(body) else -15, limit)
    if name == "br":
        return _unbrotlied(body, limit)
    if name == "zstd":
        return _unzstandard(body, limit)
    if name in ("identity", "none", "utf-8"):
        return body, True
    raise FetchError("bad_encoding", f"unknown content encoding {name[:40]!r}")


def _has_zlib_header(body: bytes) -> bool:
    return len(body) > 1 and body[0] & 0x8F == 0x08 and int.from_bytes(body[:2]) % 31 == 0


def _inflated(body: bytes, window: int, limit: int) -> tuple[bytes, bool]:
    """What can be decoded: a stream cut short or damaged gives what came before."""
    stream = zlib.decompressobj(window)
    try:
        plain = stream.decompress(body, limit + 1)
        while stream.eof and stream.unused_data.startswith(b"\x1f\x8b") and len(plain) <= limit:  # another member
            rest, stream = stream.unused_data, zlib.decompressobj(window)
            plain += stream.decompress(rest, limit + 1 - len(plain))
        whole = stream.eof
    except zlib.error:
        plain = _before_the_damage(body, window, limit) or body  # where nothing is decoded: mislabelled, as it came
        whole = False
    return _within(plain, limit), whole


def _before_the_damage(body: bytes, window: int, limit: int) -> bytes:
    stream, plain = zlib.decompressobj(window), bytearray()
    with contextlib.suppress(zlib.error):
        for start in range(0, len(body), MORSEL):
            plain += stream.decompress(body[start : start + MORSEL], limit + 1)
            if len(plain) > limit:
                break
    return bytes(plain)


def _unbrotlied(body: bytes, limit: int) -> tuple[bytes, bool]:
    import brotli

    stream = brotli.Decompressor()
    parts, size = [], 0
    try:
        part = stream.process(body, output_buffer_limit=limit + 1)
        while part:
            parts.append(part)
            size += len(part)
            if size > limit or stream.is_finished():
                break
            part = stream.process(b"", output_buffer_limit=limit + 1)
    except brotli.error:
        return (b"".join(parts) or body), False
    return _within(b"".join(parts), limit), bool(stream.is_finished())


def _unzstandard(body: bytes, limit: int) -> tuple[bytes, bool]:
    import zstandard

    plain = bytearray()
    # A window larger than this is what browsers refuse too; it bounds the memory a small body can ask for.
    stream = zstandard.ZstdDecompressor(max_window_size=1 << 23).stream_reader(body, read_across_frames=True)
    try:
        while len(plain) <= limit and (part := stream.read(min(65_536, limit + 1 - len(plain)))):
            plain += part
    except zstandard.ZstdError:
        return bytes(plain) or body, False  # what can be decoded, or as it came
    _within(bytes(plain), limit)
    return bytes(plain), _ends_whole(body)


def _ends_whole(body: bytes) -> bool:
    """Whether the last frame is complete, which the reader does not say; of a body that was decoded within limits."""
    import zstandard

    frame = None
    for start in range(0, len(body), SLICE):
        rest = body[start : start + SLICE]
        while rest:
            if frame is None or frame.eof:
                frame = zstandard.ZstdDecompressor(max_window_size=1 << 23).decompressobj()
            frame.decompress(rest)
            rest = frame.unused_data if frame.eof else b""
    return frame is None or frame.eof


def _within(plain: bytes, limit: int) -> bytes:
    if len(plain) > limit:
        raise FetchError("too_large", f"decodes to more than {limit} bytes")
    return plain

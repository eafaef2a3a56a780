"""One request's answer, as it came: a record that also goes to the processes that read pages."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a server answered. `truncated` says why the body is not whole: length, time or disconnect."""

    url: str
    status: int
    headers: dict[str, str]  # names in lower case
    body: bytes
    truncated: str = ""
    address: str = ""
    status_line: str = ""
    digest: bytes = b""  # SHA-1 of the body
    raw_headers: tuple[tuple[bytes, bytes], ...] = field(default=(), repr=False)

"""A process that prepares pages: jobs come in on its standard input, a socket, and replies go out the same way.

Messages are MessagePack of plain records, never pickles: a parser led astray by a page can send no code.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
import struct
from typing import TYPE_CHECKING

import msgspec

from honeyguide.parse import parse
from honeyguide.web.packing import pack
from honeyguide.web.preparing import Job, prepare

if TYPE_CHECKING:
    from typing import BinaryIO

LENGTH = struct.Struct("<I")


def framed(data: bytes) -> bytes:
    """A message with its length before it."""
    return LENGTH.pack(len(data)) + data


def serve(stream: BinaryIO) -> None:
    """Answer jobs until the other side hangs up."""
    jobs = msgspec.msgpack.Decoder(Job)
    parse("http://warm.invalid/", b"<p>up")  # loads what reading takes, so that no page is charged for it
    gc.freeze()
    gc.set_threshold(20_000)  # a page is thousands of objects, and almost none of them refer to each other in circles
    stream.write(LENGTH.pack(0))  # ready
    stream.flush()
    while head := stream.read(LENGTH.size):
        stream.write(framed(pack(prepare(jobs.decode(stream.read(*LENGTH.unpack(head)))))))
        stream.flush()


def main() -> None:
    """Ctrl-C is for the crawl, which hangs up when it is done and is not to be interrupted by work for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(AttributeError, OSError):  # where there is such a thing
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    with (
        contextlib.suppress(BrokenPipeError, ConnectionResetError),
        socket.socket(fileno=0) as line,
        line.makefile("rwb", buffering=1 << 20) as stream,
    ):
        serve(stream)  # type: ignore[arg-type]

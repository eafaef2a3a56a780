"""What processes use, as Linux tells it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def members(session: int) -> dict[int, float]:
    """The processes of a session, with the CPU seconds each has used."""
    found = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = file.read_text().rpartition(") ")[2].split()
            if int(fields[3]) == session:
                found[int(file.parent.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def held(pid: int) -> float:
    """Bytes of memory of a process; what it shares with others is counted in parts."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return float(line.split()[1]) * 1024
    return 0.0

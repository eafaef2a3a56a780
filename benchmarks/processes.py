"""What processes use, as Linux tells it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def members(root: int) -> dict[int, float]:
    """A process and all that it started, and those started, with the CPU seconds each has used."""
    parents, seconds = {}, {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields, pid = file.read_text().rpartition(") ")[2].split(), int(file.parent.name)
            parents[pid] = int(fields[1])
            seconds[pid] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return {pid: seconds[pid] for pid in found if pid in seconds}


def held(pid: int) -> float:
    """Bytes of memory of a process; what it shares with others is counted in parts."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return float(line.split()[1]) * 1024
    return 0.0

"""A directory on a medium that cannot be written to: mounted so, for one command, in a name space of its own."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

MOUNTED = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && ! touch "$0/written" 2>/dev/null && exec "$@"'
ALONE = ["unshare", "--map-root-user", "--mount"]


def run_read_only(directory: Path, *command: object) -> subprocess.CompletedProcess[str]:
    """What a command says that sees a directory read-only."""
    wrapped = [*ALONE, "sh", "-c", MOUNTED, str(directory)]
    if subprocess.run([*wrapped, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system does not let us mount a directory read-only")
    return subprocess.run([*wrapped, *map(str, command)], capture_output=True, text=True, timeout=100, check=False)

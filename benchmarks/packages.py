"""Debian packages, downloaded with the system's package tool and unpacked without being installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LONGEST = 1800  # seconds a download may take
APT = ("apt-get", "-q", "-o", "APT::Sandbox::User=", "download")  # as nobody else, who could not write here


def need_tools() -> None:
    """End with a sentence where the tools are not there."""
    missing = [tool for tool in ("apt-get", "apt-cache", "dpkg-deb") if not shutil.which(tool)]
    if missing:
        raise SystemExit(f"documentation comes from Debian packages, and {', '.join(missing)} cannot be found here")


def on_offer(names: Sequence[str]) -> dict[str, int]:
    """The packages that can be had, with the bytes to download; none where the lists of packages are not there."""
    policy = _told(["apt-cache", "policy", *names])
    sections = re.findall(r"^(\S+):\n((?:[ \t].*\n?)*)", policy, re.MULTILINE)
    known = [name for name, told in sections if "Candidate: (none)" not in told]
    uris = _told([*APT, "--print-uris", *known]) if known else ""
    sizes = {name: int(size) for name, size in re.findall(r"^'\S+' ([^_\s]+)_\S+ (\d+)", uris, re.MULTILINE)}
    return {name: sizes[name] for name in known if name in sizes}


def _told(command: list[str]) -> str:
    return _done(command).stdout


def _done(command: list[str], folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    plain = {**os.environ, "LC_ALL": "C"}  # what it says is read here
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=plain, timeout=LONGEST)


def download(names: Sequence[str], folder: Path) -> tuple[dict[str, Path], str]:
    """The files of the packages that came, and what the tool complained of."""
    done = _done([*APT, *names], folder)
    came = {path.name.partition("_")[0]: path for path in sorted(folder.glob("*.deb"))}
    return {name: came[name] for name in names if name in came}, done.stderr.strip()


def unpack(package: Path, target: Path) -> None:
    """All files of a package under `target`, which is there whole or not at all."""
    half = target.with_suffix(".part")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(parents=True)
    subprocess.run(["dpkg-deb", "-x", str(package), str(half)], check=True, capture_output=True, timeout=LONGEST)
    half.rename(target)

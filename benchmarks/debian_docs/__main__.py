"""Download Debian's documentation packages and make a web of them: python -m benchmarks.debian_docs -o DIR."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.debian_docs.making import write_web
from benchmarks.debian_docs.mapping import TABLE, TIERS, Documentation, read_table
from benchmarks.packages import download, need_tools, on_offer, unpack
from honeyguide.atlas import is_atlas
from honeyguide.cli.importing import import_sources


def main() -> int:
    """A file in DIR, and the web made of it; the exit code is 1 where some packages were missing, 2 where all."""
    asked = _arguments()
    need_tools()
    packages = read_table(asked.tier, asked.table)
    asked.output.mkdir(parents=True, exist_ok=True)
    name = "docs" if asked.table.name == TABLE.name else asked.table.stem
    target = asked.output / f"debian-{name}-{asked.tier}.jsonl.gz"
    with tempfile.TemporaryDirectory(dir=asked.output) as folder:
        unpacked, missing = fetch(packages, Path(folder))
        if not unpacked:
            print("no package could be had; is the network there, and was `apt-get update` run?", file=sys.stderr)
            return 2
        made = write_web(unpacked, target)
    print(
        f"{target}: {made.pages:,} pages on {made.hosts} hosts, {made.labels} labels, {made.links:,} links, "
        f"{made.inside:,} of them inside; {made.empty:,} files without a word were left out."
    )
    stored = asked.output / target.name.removesuffix(".jsonl.gz")
    if is_atlas(stored):  # of an earlier time
        shutil.rmtree(stored)
    import_sources([target], stored)
    print(f"Compare on it: honeyguide compare {target} --strategy host-odds,breadth-first --topics 5")
    return int(bool(missing))


def fetch(packages: list[Documentation], folder: Path) -> tuple[dict[Documentation, Path], list[str]]:
    """Unpacked packages, and the names of those that could not be had."""
    names = list(dict.fromkeys(found.package for found in packages))
    offered = on_offer(names)
    size = sum(offered.values()) / 1e6
    print(f"{len(offered)} of {len(names)} packages, {size:,.0f} MB to download.", flush=True)
    came, complaint = download(list(offered), folder) if offered else ({}, "")
    missing = [name for name in names if name not in came]
    if missing:
        print(f"Left out, for they cannot be had: {', '.join(missing)}. {complaint[-300:]}", file=sys.stderr)
    unpacked = {}
    for found in packages:
        if found.package in came:
            unpacked[found] = folder / found.package
            if not unpacked[found].exists():  # several rows may be of one package
                unpack(came[found.package], unpacked[found])
    return unpacked, missing


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.debian_docs", description=__doc__)
    parser.add_argument(
        "--tier", choices=list(TIERS), default="S", help="S: small; M: S and more; L: all [default: S]"
    )
    parser.add_argument("--table", type=Path, default=TABLE, help="another table of packages, for another release")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="where to write the web")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

"""The web of Debian's documentation, made from packages that are built and offered on the spot."""

import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.debian_docs.mapping import Addresses, Documentation, read_table

from honeyguide.atlas import Atlas
from honeyguide.evaluate import read_collection

ROOT = Path(__file__).parent.parent
needs_tools = pytest.mark.skipif(
    not all(map(shutil.which, ("dpkg-deb", "apt-get", "apt-cache"))), reason="Debian's tools are missing"
)
BEES = Documentation(
    "S",
    "bees-doc",
    "usr/share/doc/bees",
    "https://bees.example/docs/",
    "insects",
    r"https?://old\.bees\.example/\w+/",
)
ANTS = Documentation("M", "ants-doc", "usr/share/doc/ants/html", "http://ants.example/", "insects")


def test_the_table_names_each_package_once():
    found = read_table("L")
    assert len({row.package for row in found}) == len(found) == 118
    assert {row.tier for row in read_table("S")} == {"S"}
    assert len(read_table("M")) == 102
    assert all(row.base.endswith("/") and row.pattern.match(row.base) for row in found)


@pytest.mark.parametrize(
    ("link", "page"),
    [
        ("https://bees.example/docs/hive.html", "https://bees.example/docs/hive.html"),
        ("http://bees.example/docs/hive.html", "https://bees.example/docs/hive.html"),
        ("http://old.bees.example/v1/hive.html", "https://bees.example/docs/hive.html"),
        ("http://old.bees.example/v1/hive", "https://bees.example/docs/hive.html"),
        ("https://bees.example/docs/", "https://bees.example/docs/index.html"),
        ("http://ants.example/usr/share/doc/bees/hive.html", "https://bees.example/docs/hive.html"),
        ("https://bees.example/docs/copy.html", "https://bees.example/docs/hive.html"),
        ("https://bees.example/docs/nowhere.html", "https://bees.example/docs/nowhere.html"),
        ("https://elsewhere.example/hive.html", "https://elsewhere.example/hive.html"),
    ],
)
def test_equivalent_addresses_lead_to_the_public_one(link, page):
    own = ["https://bees.example/docs/index.html", "https://bees.example/docs/hive.html"]
    names = {url: url for url in own} | {"https://bees.example/docs/copy.html": own[1]}
    assert Addresses([ANTS, BEES], names).public(link) == page


def built(folder, package, files):
    """A .deb with these files; a target that begins with -> is a symbolic link."""
    tree = folder / package
    (tree / "DEBIAN").mkdir(parents=True)
    control = f"Package: {package}\nVersion: 1\nArchitecture: all\nMaintainer: Me <me@bees.example>\nDescription: x\n"
    (tree / "DEBIAN" / "control").write_text(control)
    for name, content in files.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content.startswith("->"):
            path.symlink_to(content[2:])
        else:
            path.write_text(content)
    deb = folder / f"{package}_1_all.deb"
    subprocess.run(["dpkg-deb", "-b", tree, deb], check=True, capture_output=True, timeout=60)
    stamp = hashlib.sha256(deb.read_bytes()).hexdigest()
    return f"{control}Filename: ./{deb.name}\nSize: {deb.stat().st_size}\nSHA256: {stamp}\n"


@pytest.fixture
def offered(tmp_path, monkeypatch):
    """A source of packages with bees-doc in it, the only one that apt knows."""
    source = tmp_path / "source"
    source.mkdir()
    doc = BEES.root
    entry = built(source, "bees-doc", {
        f"{doc}/index.html": "<title>Bees</title><p>About bees <a href='hive.html'>hives</a> "
        '<a href="file:///usr/share/doc/bees/hive.html#top">installed</a> <a href="http://ants.example/">ants</a>',
        f"{doc}/hive.html": "<title>Hive</title><p>A hive <a href='http://old.bees.example/v2/'>start</a>",
        f"{doc}/copy.html": "->hive.html",
        f"{doc}/outside.html": "->/etc/hostname",
        f"{doc}/notes.txt": "no page",
        f"{doc}/empty.html": "",
    })  # fmt: skip
    (source / "Packages").write_text(entry)
    (tmp_path / "sources.list").write_text(f"deb [trusted=yes] file:{source} ./\n")
    folders = {"Dir::State": "state", "Dir::State::lists": "lists", "Dir::Cache": "cache"}
    lines = [f'{name} "{tmp_path / folder}";' for name, folder in folders.items()]
    lines += [f'Dir::Etc::sourcelist "{tmp_path}/sources.list";', 'Dir::Etc::sourceparts "-";']
    lines += ['Dir::State::status "/dev/null";', 'APT::Sandbox::User "root";']
    (tmp_path / "apt.conf").write_text("\n".join(lines))
    for folder in ("state", "lists/partial", "cache/archives/partial"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setenv("APT_CONFIG", str(tmp_path / "apt.conf"))
    subprocess.run(["apt-get", "update"], check=True, capture_output=True, timeout=60)


def make(table, output, tier="S"):
    paths = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    return subprocess.run(
        [sys.executable, "-m", "benchmarks.debian_docs", "--table", table, "--tier", tier, "-o", output],
        capture_output=True, text=True, timeout=60, env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip


def table_of(folder, *rows, name="packages.tsv"):
    path = folder / name
    path.write_text(
        "#tier\n" + "".join("\t".join((r.tier, r.package, r.root, r.base, r.topic, r.same)) + "\n" for r in rows)
    )
    return path


@needs_tools
def test_parts_of_one_package_can_be_sites_and_a_web_is_named_after_its_table(offered, tmp_path):
    table = table_of(tmp_path, BEES, replace(BEES, base="https://wasps.example/"), name="insects.tsv")
    done = make(table, tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "1 of 1 packages" in done.stdout
    assert "4 pages on 2 hosts" in done.stdout
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"debian-insects-S.jsonl.gz", "debian-insects-S"}


@needs_tools
def test_packages_become_a_web_that_can_be_compared_on(offered, tmp_path):
    done = make(table_of(tmp_path, BEES), tmp_path / "out")
    assert done.returncode == 0, done.stderr
    web = tmp_path / "out" / "debian-docs-S.jsonl.gz"
    stored = tmp_path / "out" / web.name.removesuffix(".jsonl.gz")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {web.name, stored.name}
    assert Atlas(stored).pages == 2
    assert "2 pages on 1 hosts, 1 labels, 4 links, 3 of them inside; 1 files without a word" in done.stdout
    lines = [json.loads(line) for line in gzip.decompress(web.read_bytes()).splitlines()]
    assert [line["url"] for line in lines] == [
        "https://bees.example/docs/hive.html",
        "https://bees.example/docs/index.html",
    ]
    assert lines[0]["links"] == [{"url": "https://bees.example/docs/index.html", "anchor": "start"}]
    assert [link["url"] for link in lines[1]["links"]][1] == "https://bees.example/docs/hive.html"
    assert [page.label for page in read_collection(str(web)).pages] == ["insects", "insects"]


@needs_tools
def test_packages_that_are_gone_are_named_and_skipped(offered, tmp_path):
    done = make(table_of(tmp_path, BEES, ANTS), tmp_path / "out", "M")
    assert done.returncode == 1
    assert "Left out, for they cannot be had: ants-doc." in done.stderr
    assert "1 of 2 packages" in done.stdout
    assert "2 pages" in done.stdout


@needs_tools
def test_where_nothing_can_be_had_a_sentence_says_so(offered, tmp_path):
    done = make(table_of(tmp_path, ANTS), tmp_path / "out", "M")
    assert done.returncode == 2
    assert "no package could be had" in done.stderr
    assert list((tmp_path / "out").iterdir()) == []

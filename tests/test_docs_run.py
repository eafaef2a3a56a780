"""The code blocks of the docs, run as a reader would type them, page by page, against a web on this machine."""

import contextlib
import gzip
import json
import os
import random
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from documented import PAGES, ROOT, RUN, blocks
from documented_command import HERE, LEFT_RUNNING
from honeyguide.synthetic import generate
from loopback import Loopback, answer
from searched import Searched
from served import served

BY_TEST_NEWCOMER = "start.md"
RUNNABLE = [
    page for page in PAGES if page.name != BY_TEST_NEWCOMER and any(block.info in RUN for block in blocks(page))
]
# What is typed in place of what is printed, where a reader would put in something else, or would wait for long.
TYPED = {
    "https://…": "{start}",
    ":8765/": ":{port}/",
    "8123": "{free_port}",
    "--search ddgs": "--search searxng:{site}",
    "--topic …": "--topic keyword:refrigerant",
    "--topic NEW": "--topic 'keyword:any(refrigerant, solar)'",
    "--pages 10000": "--pages 40",
    "--pages 20000": "--pages 140",
    "--pages 1000": "--pages 40",
    "--pages 3000000": "--pages 300",
    "pages=10_000": 'pages=40, allow_private=True, resolve=["*.test=127.0.0.1"], delay=0',
    "generate --pages 10000": "generate --pages 300",
    "statistics synthetic synthetic:2:53000": "statistics synthetic:1:300 synthetic:2:300",
    "compare synthetic:3 ": "compare synthetic:3:300 --strategy host-odds --topics 1 --seed-sets 1",
    "compare synthetic ": "compare synthetic:1:300 --strategy host-odds --topics 1 --seed-sets 1",
    "compare heat/ -o": "compare heat/ --strategy host-odds --topic keyword:refrigerant --seed-sets 1 --pages 20 -o",
    "host-odds,intelligent ": "host-odds,intelligent --topic keyword:refrigerant --seed-sets 1 --pages 20",
    "--topics 30": "--topics 2 --seed-sets 1 --strategy host-odds",
    "--at 1%": "--start near --seed-sets 1 --seeds 2 --strategy host-odds --at 1%",
    "synthetic:1:5000 REAL.jsonl.gz …": "synthetic:1:600 synthetic:2:600 --topics 1 --seed-sets 1",
    "schools.jsonl.gz webkb.jsonl.gz synthetic:11:6000": "synthetic:5:600 synthetic:11:600",
    "--topics 8 --runs 1 --seeds 5 --pages 300": "--topics 1 --runs 1 --seeds 2 --pages 20",
    "--population 12 --generations 6": "--population 4 --generations 2",
    "evolve web -o better": "evolve web -o better --population 4 --generations 2",
    "evolve old/ -o better/": "evolve old/ -o better/ --population 4 --generations 2 --pages 20",
    "evolve imported/ -o better/": "evolve imported/ -o better/ --population 4 --generations 2",
}
PRINTED = re.compile("|".join(map(re.escape, sorted(TYPED, key=len, reverse=True))))
ANSWERS = (
    "keyword:solar\nhttp://signpost-directory.test/\n100\nyou@example.org\n"  # to the questions of `honeyguide new`
)
# What the targets of the Makefile are told: few pages, and a few of the tests.
MAKE = {"DEMO": "--pages 100", "PYTEST_ADDOPTS": "tests/test_base.py", "PYTEST_XDIST_AUTO_NUM_WORKERS": "1"}
PATIENCE = 600  # seconds, of a busy machine
OF_THE_CHECKOUT = ("Makefile", "benchmarks", "constraints.txt", "examples", "pyproject.toml", "src", "tests")


def test_what_is_typed_instead_is_printed_somewhere():
    text = "".join(block.text for page in RUNNABLE for block in blocks(page) if block.info in RUN)
    assert set(TYPED) == set(PRINTED.findall(text))


def site():
    """Sixty pages on three topics, each linked to the next ones of its own and to another one."""
    draw, topics = random.Random(1), ("heat pump", "solar", "bees")
    words = [f"{a}{b}" for a in "ba ce di fo gu ka le mi no pu".split() for b in "rin sel tam vok zan".split()]
    pages = {}
    for i in range(60):
        text = " ".join(draw.choices(words, k=80))
        to = [f"/{(i + step) % 60}" for step in (3, 6, draw.randrange(60))]
        links = " ".join(f'<a href="{path}">{draw.choice(words)}</a>' for path in to)
        pages[f"/{i}"] = answer(
            f"<title>{draw.choice(words)} {i}</title><p>The {topics[i % 3]}: {text}</p>{links}".encode()
        )
    return {**pages, "/": answer(b"<title>Start</title>" + b"".join(b'<a href="/%d">all</a> ' % i for i in range(3)))}


@pytest.fixture(scope="module")
def material(tmp_path_factory):
    """What the pages take for granted: the demo's web and a small site on servers, a crawl, stored webs, texts."""
    home = tmp_path_factory.mktemp("material")
    world = generate(seed=1)
    with served(world) as server, Loopback(Searched(site(), ["/2", "/5"])) as small:
        seeds = [*server.world.topic_seeds("heat pumps", 4), *server.world.portal_seeds(2)]
        put_in = {"start": seeds[0], "port": server.port, "site": small.origin}
        topic = ["--topic", 'keyword:"heat pump"', "--pages", "120"]  # so many that some relevant ones link to others
        given = [f"--seed={url}" for url in seeds]
        command(home)
        shell(shlex.join(["honeyguide", "crawl", *topic, *given, *HERE, "-o", "heat"]), home)
        shell("honeyguide generate --pages 400 -o web", home)
        shutil.copy(next((home / "heat").glob("*.warc.gz")), home / "some.warc.gz")
        write_texts(home, generate(pages=300))
        yield home, put_in


def write_texts(home, world):
    """Pages as JSON lines, and two folders of them."""
    pages = [world.arrays.page(i) for i in range(len(world.arrays.label))]
    with gzip.open(home / "pages.jsonl.gz", "wt") as lines:
        for page in pages:
            links = [{"url": link.url, "anchor": link.anchor} for link in page.links]
            entry = {"url": page.url, "title": page.title, "text": page.text, "links": links, "label": page.label}
            print(json.dumps(entry), file=lines)
    wanted = {True: home / "good", False: home / "bad"}
    for folder in wanted.values():
        folder.mkdir()
    for i, page in enumerate(pages[::6]):
        (wanted[page.label == "heat-pumps"] / f"{i}.txt").write_text(f"{page.title}\n{page.text}")
    shutil.copytree(home / "good", home / "about-bees")


def command(home):
    """A folder with the command that the docs speak of, for this machine."""
    (home / "bin").mkdir()
    script = home / "bin" / "honeyguide"
    words = [sys.executable, str(Path(__file__).with_name("documented_command.py"))]
    script.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
    script.chmod(0o755)


def shell(script, where, *bins):
    """Run a script as a reader would type it; pip has nowhere to go."""
    first = [where / "bin", *bins, Path(sys.executable).parent]
    env = {**os.environ, "PATH": os.pathsep.join([*map(str, first), os.environ["PATH"]]), "PIP_NO_INDEX": "1"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=where,
        env={**env, **MAKE},
        input=ANSWERS,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture
def desk(material, tmp_path, monkeypatch):
    """A folder with what a page takes for granted, and a home of its own; what it leaves running is ended."""
    home, put_in = material
    for path in home.iterdir():
        copy = shutil.copytree if path.is_dir() else shutil.copy
        copy(path, tmp_path / path.name)
    for name in ("demo", "other", "third"):
        shutil.copytree(home / "heat", tmp_path / name)
    for name in OF_THE_CHECKOUT:
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
    (tmp_path / ".venv" / "ready").touch()
    (tmp_path / ".config").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    yield tmp_path, put_in
    if (tmp_path / LEFT_RUNNING).exists():
        for number in (tmp_path / LEFT_RUNNING).read_text().split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(number), signal.SIGTERM)


@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: page.name)
def test_what_can_be_run_runs(page, desk):
    where, put_in = desk
    text = [block for block in blocks(page) if block.info in RUN]
    make_room(where, text)
    put_in = {**put_in, "free_port": free_port()}
    if page.name == "scrapy.md":  # other crawlers know no --resolve
        put_in["start"] = put_in["site"] + "/"
    for block in text:
        typed = PRINTED.sub(lambda found: TYPED[found[0]].format_map(put_in), block.text)
        if block.info == "sh {.run}":
            shell(typed, where)
        else:
            (where / "block.py").write_text(typed)
            said = shell("python block.py", where)
            assert said or "print(" not in typed
            assert "manager.figures" not in typed or re.search(r"relevant\D+[1-9]", said)  # Crawlee does not fail
    look_at_what_came(where, text)


def look_at_what_came(where, text):
    """What commands were told to write is there."""
    for name in re.findall(r" -o ([^\s-]\S*)", "".join(block.text for block in text)):
        path = where / name
        assert any(path.iterdir()) if path.is_dir() else path.stat().st_size, name


def make_room(where, text):
    """What the page makes itself is not there yet."""
    for name in re.findall(r" -o ([\w-]+)", "".join(block.text for block in text if " crawl " in block.text)):
        if (where / name).is_dir():
            shutil.rmtree(where / name)


def free_port():
    """A port that nobody listens on."""
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return tried.getsockname()[1]

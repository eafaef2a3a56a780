"""Every code block of the docs: run where it can be, else at least made of what exists."""

import ast
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer
import yaml

from documented import PAGES, ROOT, blocks, commands, mentioned
from honeyguide.cli.app import app
from honeyguide.strategy import create, strategies
from honeyguide.synthetic import generate
from served import served

RUN, LIVE = ("sh {.run}", "python {.run}"), ("sh {.live}", "python {.live}")
READ = {"toml": tomllib.loads, "yaml": yaml.safe_load, "text": str}
BLOCKS = [block for page in PAGES for block in blocks(page)]
SHELL = [block for block in BLOCKS if block.info.startswith("sh ")]
PYTHON = [block for block in BLOCKS if block.info.startswith("python ")]
BY_TEST_NEWCOMER = "start.md"
RUNNABLE = [
    page for page in PAGES if page.name != BY_TEST_NEWCOMER and any(block.info in RUN for block in blocks(page))
]
COMMANDS = typer.main.get_command(app).commands
OF_THE_SYSTEM = {".", "apt-get", "cat", "curl", "ls", "make", "pip", "python", "python3", "scrapy", "wacz"}


def place(block):
    return f"{block.page}:{block.line}"


def test_every_block_says_what_it_is():
    known = {*RUN, *LIVE, *READ}
    assert not [place(block) for block in BLOCKS if block.info not in known]
    assert len(BLOCKS) > 40


@pytest.mark.parametrize("kind", READ)
def test_files_that_are_shown_can_be_read(kind):
    for block in BLOCKS:
        if block.info == kind:
            READ[kind](block.text)


@pytest.mark.parametrize("block", PYTHON, ids=place)
def test_programs_can_be_compiled(block):
    compile(block.text, place(block), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)


@pytest.mark.parametrize("block", SHELL, ids=place)
def test_commands_and_their_options_exist(block):
    for words in commands(block):
        if words[0] == "honeyguide":
            check(words)
        else:
            assert words[0] in OF_THE_SYSTEM, words
            CHECKS.get(words[0], lambda _: None)(words)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_sentences_exist_too(page):
    for words in mentioned(page):
        check(words)


def check(words):
    """That a command of ours, its options and its strategy are there."""
    if words[1].startswith("-"):
        assert words[1] in ("--help", "--install-completion"), words
        return
    assert words[1] in COMMANDS, words
    options = {
        name for parameter in COMMANDS[words[1]].params for name in (*parameter.opts, *parameter.secondary_opts)
    }
    options.add("--help")
    for word in words[2:]:
        assert word == "-" or not word.startswith("-") or word.partition("=")[0] in options, (words, word)
    if "--strategy" in words[:-1]:
        check_strategies(words[words.index("--strategy") + 1])


def check_strategies(named):
    for part in named.split(",") if ":" not in named else [named]:
        name = part.partition(":")[0]
        if name.islower() and "…" not in part and "/" not in part and part != "a":
            assert name in {**strategies(), "oracle": None}, part
            create(part)


def check_target(words):
    targets = (ROOT / "Makefile").read_text()
    for target in words[1:]:
        assert "=" in target or f"\n{target}:" in targets, words


def check_module(words):
    if "-m" in words:
        name = words[words.index("-m") + 1]
        assert name == "venv" or importlib.util.find_spec(name), words


def check_extras(words):
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for word in words:
        if word.startswith("honeyguide["):
            assert word.removeprefix("honeyguide[").rstrip("]") in extras, words


CHECKS = {"make": check_target, "python": check_module, "python3": check_module, "pip": check_extras}


@pytest.fixture(scope="module")
def material(tmp_path_factory):
    """What the pages take for granted: the demo's web on a server, a crawl of it, and a stored web."""
    home = tmp_path_factory.mktemp("material")
    with served(generate(seed=1)) as server:
        seeds = [
            f"--seed={url}" for url in [*server.world.portal_seeds(2), *server.world.topic_seeds("heat pumps", 4)]
        ]
        here = ["--allow-private", "--resolve", "*.test=127.0.0.1", "--delay", "0", "--workers", "0"]
        topic = ["--topic", 'keyword:"heat pump"', "--pages", "60"]
        shell(shlex.join(["honeyguide", "crawl", *topic, *seeds, *here, "-o", "heat"]), home)
        shell("honeyguide generate --pages 400 -o web", home)
        yield home, server.port


def shell(script, where):
    """Run a script as a reader would type it."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=where,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: page.name)
def test_what_can_be_run_runs(page, material, tmp_path):
    home, port = material
    for name in ("heat", "demo", "other", "third"):
        shutil.copytree(home / "heat", tmp_path / name)
    shutil.copytree(home / "web", tmp_path / "web")
    for block in blocks(page):
        text = block.text.replace(":8765/", f":{port}/")
        if block.info == "sh {.run}":
            shell(text, tmp_path)
        elif block.info == "python {.run}":
            (tmp_path / "block.py").write_text(text)
            assert shell("python block.py", tmp_path) or "print(" not in text

"""Every code block of the docs is made of what exists; tests/test_docs_run.py runs them."""

import ast
import importlib.util
import tomllib

import pytest
import typer
import yaml

from documented import LIVE, PAGES, ROOT, RUN, blocks, commands, mentioned
from honeyguide.cli.app import app
from honeyguide.strategy import create, strategies

READ = {"toml": tomllib.loads, "yaml": yaml.safe_load, "text": str}
BLOCKS = [block for page in PAGES for block in blocks(page)]
SHELL = [block for block in BLOCKS if block.info.startswith("sh ")]
PYTHON = [block for block in BLOCKS if block.info.startswith("python ")]
COMMANDS = typer.main.get_command(app).commands
OF_THE_SYSTEM = {".", "apt-get", "cat", "curl", "ls", "make", "pip", "python", "python3", "scrapy", "wacz"}

# Blocks that no test runs, by how they begin, and why.
NOT_RUN = {
    "honeyguide compare --suite": "all strategies on all webs take hours; a test of the suite runs small ones",
    "python -m benchmarks.debian_docs": "it downloads packages; its own test has small ones made",
}


def place(block):
    return f"{block.page}:{block.line}"


def test_every_block_says_what_it_is():
    known = {*RUN, *LIVE, *READ}
    assert not [place(block) for block in BLOCKS if block.info not in known]
    assert len(BLOCKS) > 40


def test_a_block_that_is_not_run_has_its_reason():
    live = [block for block in BLOCKS if block.info in LIVE]
    assert not [place(block) for block in live if not block.text.startswith(tuple(NOT_RUN))], "run it, or say why not"
    assert not [start for start in NOT_RUN if not any(block.text.startswith(start) for block in live)]


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

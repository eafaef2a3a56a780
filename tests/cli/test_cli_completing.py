"""What shells are told when something is begun."""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

HONEYGUIDE = Path(sys.executable).with_name("honeyguide")
SHELLS = ("bash", "zsh", "fish")


def test_it_tells_its_version():
    done = subprocess.run([HONEYGUIDE, "--version"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"honeyguide {version('honeyguide')}\n", "")


def offered(shell, *words):
    line = " ".join(["honeyguide", *words])
    asking = {
        "_HONEYGUIDE_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words)),
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    done = subprocess.run([HONEYGUIDE], capture_output=True, text=True, timeout=60, env={**os.environ, **asking})
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("words", "wanted", "others"),
    [
        (["cra"], "crawl", "report"),
        (["crawl", "--rend"], "--render-timeout", "--topic"),
        (["simulate", "--strategy", "b"], "breadth-first", "random"),
        (["crawl", "--render", "a"], "always", "never"),
        (["crawl", "--topic", "key"], "keyword", "regex"),
        (["compare", "--strategy", "random,b"], "random,best-first", "random,genetic"),
        (["new", "--top"], "--topic", "--seed"),
        (["export", "--format", "m"], "markdown", "parquet"),
    ],
)
def test_commands_settings_and_values_are_offered(shell, words, wanted, others):
    told = offered(shell, *words)
    assert wanted in told
    assert others not in told


def test_each_line_is_one_offer():
    lines = offered("fish", "crawl", "--").splitlines()
    assert len(lines) > 50
    assert all(line.startswith("--") for line in lines)
    assert all(line.startswith("--") for line in offered("bash", "crawl", "--").splitlines())


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_for_a_shell_is_shown(shell):
    shown = {"_HONEYGUIDE_COMPLETE": f"source_{shell}"}
    done = subprocess.run([HONEYGUIDE], capture_output=True, text=True, timeout=60, env={**os.environ, **shown})
    assert f"_HONEYGUIDE_COMPLETE=complete_{shell}" in done.stdout

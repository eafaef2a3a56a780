"""A newcomer's path: the commands of docs/start.md, as printed, in a fresh directory with a fresh installation.

The installation holds what the project says it needs, and nothing of what its tests need.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from documented import ROOT, blocks

PAGE = ROOT / "docs" / "start.md"
PORT = 8765
OF_THE_CHECKOUT = ("src", "pyproject.toml", "README.md", "LICENSE")
BUILD = "setuptools"  # pip fetches it to install this project, and it is gone afterwards
# The libraries are here already: pip need not fetch them again, but fails where one is needed that is not lent.
# (0 is how this variable of pip says: no isolation.)
OFFLINE = {
    "PIP_NO_INDEX": "1",
    "PIP_NO_BUILD_ISOLATION": "0",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}
EVERYTHING = "from importlib import metadata; print(*(each.name for each in metadata.distributions()))"


@pytest.fixture
def checkout(tmp_path):
    """A copy of the repository's files, as a newcomer has them."""
    for name in OF_THE_CHECKOUT:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_the_commands_as_printed(checkout):
    install, serve, ask, *rest = [block.text for block in blocks(PAGE) if block.info == "sh {.run}"]
    made, activated, installed = install.splitlines()
    typed(made, checkout)
    lent = needed(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"])
    lend(checkout, {*lent, BUILD})
    typed(f"{activated}\n{installed}", checkout)
    take_back(checkout, BUILD)
    listed = typed(f"{activated}\npython -c '{EVERYTHING}'", checkout)
    assert set(map(canonicalize_name, listed.split())) == {*lent, "honeyguide", "pip"}
    assert "site-packages" in typed(
        f"{activated}\npython -c 'import honeyguide; print(honeyguide.__file__)'", checkout
    )
    port = free_port()
    with second_terminal(serve.replace("--serve", f"--serve --port {port}" if port != PORT else "--serve"), checkout):
        asked = answered(checkout, f"{activated}\n{ask}", port)
        assert asked in "".join(rest), "the page starts the crawl as `new` says"
        for block in rest:
            typed(f"{activated}\n{block}", checkout)
    look_at_what_came(checkout)


def answered(checkout, ask, port):
    """Answer the questions of `new` with what the page says; the command it prints."""
    shown = next(block.text for block in blocks(PAGE) if block.info == "text").splitlines()
    questions, answers = zip(*(line.rsplit(": ", 1) for line in shown), strict=True)
    done = run(ask, checkout, "\n".join([*answers, ""]).replace(f":{PORT}/", f":{port}/"))
    assert all(question in done.stderr for question in questions), done.stderr
    return done.stdout.strip()


def look_at_what_came(checkout):
    assert "<svg" in (checkout / "heat" / "report.html").read_text()
    pages = sorted((checkout / "pages").glob("*.md"))
    assert len(pages) > 20
    texts = [page.read_text() for page in pages]
    assert all(yaml.safe_load(text.split("---\n", 2)[1])["relevance"] >= 0.5 for text in texts)
    # A page is judged by all it shows; Markdown leaves out what stands beside the article.
    assert sum("heat pump" in text.lower() for text in texts) > 0.8 * len(texts)


def needed(requirements, extra=""):
    """The names of all libraries that these requirements come to, here and on this Python."""
    found = set()
    for line in requirements:
        wanted = Requirement(line)
        name = canonicalize_name(wanted.name)
        if name in found or (wanted.marker and not wanted.marker.evaluate({"extra": extra})):
            continue
        found.add(name)
        for asked in ("", *wanted.extras):
            found |= needed(metadata.requires(name) or [], asked)
    return found


def lend(checkout, names):
    """Let the new environment find these libraries of the one that tests run in, and no other."""
    lent = checkout / "lent"
    lent.mkdir()
    for name in names:
        for top, path in parts_of(name).items():
            if not (lent / top).exists():
                (lent / top).symlink_to(path)
    inside = next((checkout / ".venv" / "lib").glob("python*/site-packages"))
    for stale in inside.glob(f"{BUILD}*"):  # an older one that comes with the environment would go first
        shutil.rmtree(stale)
    (inside / "lent.pth").write_text(f"{lent}\n")


def take_back(checkout, name):
    for top in parts_of(name):
        (checkout / "lent" / top).unlink(missing_ok=True)


def parts_of(name):
    """The files and folders of a library that stand beside those of others."""
    library = metadata.distribution(name)
    tops = {path.parts[0] for path in library.files} - {"..", "__pycache__"}
    return {top: Path(library.locate_file(top)) for top in tops if not top.endswith(".pth")}


def run(script, where, answers=None):
    """Run a script in a new terminal."""
    path = os.pathsep.join(
        part for part in os.environ["PATH"].split(os.pathsep) if part != str(Path(sys.executable).parent)
    )
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=where,
        env={**env, **OFFLINE, "PATH": path},
        input=answers,
        capture_output=True,
        text=True,
        timeout=600,
    )


def typed(script, where):
    done = run(script, where)
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@contextlib.contextmanager
def second_terminal(script, where):
    """A terminal in which the web is served until the block ends."""
    process = subprocess.Popen(
        ["bash", "-euo", "pipefail", "-c", script.replace("honeyguide demo", "exec honeyguide demo")],
        cwd=where,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert any(line.strip().startswith("honeyguide crawl") for line in process.stdout)
        yield
    finally:
        process.terminate()
        process.stdout.close()
        process.wait(30)


def free_port():
    """The port that the page names, or another where it is taken."""
    for port in (PORT, 0):
        with socket.socket() as tried, contextlib.suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return tried.getsockname()[1]
    raise AssertionError("no port is free")

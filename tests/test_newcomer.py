"""A newcomer's path: the commands of docs/start.md, as printed, in a fresh directory with a fresh installation."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import yaml

from documented import ROOT, blocks

PAGE = ROOT / "docs" / "start.md"
PORT = 8765
OF_THE_CHECKOUT = ("src", "pyproject.toml", "README.md", "LICENSE")
# The libraries are here already: pip need not fetch them again to install this project as the page says.
# (0 is how this variable of pip says: no isolation.)
OFFLINE = {
    "PIP_NO_DEPS": "1",
    "PIP_NO_INDEX": "1",
    "PIP_NO_BUILD_ISOLATION": "0",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}


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
    lend_libraries(checkout)
    typed(f"{activated}\n{installed}", checkout)
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


def lend_libraries(checkout):
    """Let the new environment find the libraries of this one, but not this project's own installation."""
    inside = next((checkout / ".venv" / "lib").glob("python*/site-packages"))
    lent = checkout / "lent"
    lent.mkdir()
    for path in os.scandir(sysconfig.get_path("purelib")):
        if not path.name.startswith(("__editable__", "honeyguide", "pip")) and not path.name.endswith(".pth"):
            (lent / path.name).symlink_to(path.path)
    (inside / "lent.pth").write_text(f"{lent}\n")
    for stale in inside.glob("setuptools*"):  # an older one that comes with the environment would go first
        shutil.rmtree(stale)


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
        timeout=200,
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

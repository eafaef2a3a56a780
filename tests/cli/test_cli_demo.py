"""The command `demo --serve`: the web of the demo, to be crawled by what it prints."""

import contextlib
import json
import shlex
import signal
import socket
import subprocess
import sys
from types import SimpleNamespace

from honeyguide.cli import demo

HONEYGUIDE = [sys.executable, "-m", "honeyguide"]


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@contextlib.contextmanager
def serving(*options):
    """The lines that the server prints before it waits."""
    process = subprocess.Popen([*HONEYGUIDE, "demo", "--serve", *options], stdout=subprocess.PIPE, text=True)
    try:
        lines = []
        for line in process.stdout:
            lines.append(line.strip())
            if lines[-1].startswith("honeyguide crawl"):
                break
        yield lines
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


def test_the_command_it_prints_crawls_it(tmp_path):
    with serving("--port", str(free_port()), "--topic", "chess") as lines:
        command = shlex.split(lines[-1])
        done = subprocess.run(
            [*HONEYGUIDE, *command[1:], "--pages", "40", "--json"], cwd=tmp_path, capture_output=True, text=True
        )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["fetched"] == 40
    assert "chess" in lines[1]


def test_a_port_that_is_taken_is_told():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run([*HONEYGUIDE, "demo", "--serve", "--port", port], capture_output=True, text=True)
    assert done.returncode == 1
    assert "choose another --port" in done.stderr
    assert "Traceback" not in done.stderr


def test_nothing_is_so_many_times_as_much_as_nothing(capsys, tmp_path):
    seconds = {"seconds": 1.0, "fetched": 80}
    for relevant, told in ((3, "That is 9.0 times as many."), (0, "harvest 0%.\n\nThe report")):
        found, other = (
            SimpleNamespace(relevant=27, harvest=0.3, **seconds),
            SimpleNamespace(relevant=relevant, harvest=relevant / 80, **seconds),
        )
        demo._tell(found, other, "heat pumps", tmp_path)
        assert told in capsys.readouterr().out

"""Commands that run beside a test, and what the dashboard of one says; run as a script, it prints that as JSON."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import NamedTuple

HONEYGUIDE = [sys.executable, "-m", "honeyguide"]


class Running:
    """A command that runs beside the test."""

    def __init__(self, arguments, errors):
        self._errors = errors
        self._file = errors.open("w")
        self.process = subprocess.Popen(
            [*HONEYGUIDE, *map(str, arguments)], stdout=subprocess.PIPE, stderr=self._file, text=True
        )

    def told(self, pattern):
        """Wait until it has said something on its standard error."""
        for _ in range(600):
            if found := re.search(pattern, self._errors.read_text()):
                return found
            assert self.process.poll() is None, self._errors.read_text()
            time.sleep(0.05)
        raise AssertionError(self._errors.read_text())

    def end(self, signal_=signal.SIGTERM):
        """Tell it to end, or wait until it does; what it wrote and its code."""
        if signal_:
            self.process.send_signal(signal_)
        out = self.process.communicate(timeout=60)[0]
        self._file.close()
        assert "Traceback" not in self._errors.read_text()
        return out, self.process.returncode


def ask(port, token, path, **given):
    """What the dashboard answers: status and text."""
    origin = f"http://127.0.0.1:{port}"
    headers = {"Authorization": f"Bearer {token}", "Origin": origin, "Content-Type": "application/json"}
    data = json.dumps(given).encode() if path.startswith("/api/") else None
    try:
        with urllib.request.urlopen(urllib.request.Request(origin + path, data, headers), timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


ADDRESS = r"Dashboard: http://127\.0\.0\.1:(\d+)/#token=([\w-]+)\n"


class Told(NamedTuple):
    """What a dashboard shows, and how it refuses to do anything."""

    metrics: str
    seen: str  # the stream, until the queue was read or could not be
    status: int
    refusal: str


def shown_only(arguments, errors):
    """What a dashboard that cannot steer its crawl says; it is ended then."""
    running = Running(arguments, errors)
    port, token = running.told(ADDRESS).groups()
    told = Told(ask(port, token, "/metrics")[1], streamed(port, token), *ask(port, token, "/api/mark", id=0))
    assert running.end(signal.SIGTERM)[1] == 0
    return told


def streamed(port, token):
    """The stream until it tells of the queue."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/events", headers={"Authorization": f"Bearer {token}"}
    )
    told = ""
    with urllib.request.urlopen(request, timeout=30) as answer:
        while "visits, read from" not in told and "queue cannot" not in told:
            told += answer.readline().decode()
    return told


if __name__ == "__main__":
    print(json.dumps(shown_only(sys.argv[2:], Path(sys.argv[1]))._asdict()))

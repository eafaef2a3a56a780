"""A real web to crawl: the HTML documentation of Debian packages, served by nginx on this machine."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Self

from benchmarks.packages import download, need_tools, unpack

BUILD = Path(__file__).resolve().parent.parent / "build"
DOWNLOADED = BUILD / "documentation"
HANDBOOK = [f"debian-handbook/html/{language}/index.html" for language in ("en-US", "ru-RU", "de-DE", "ja-JP")]
# By package, the pages where its documentation begins. Of the handbook, four of its 26 languages are enough.
PACKAGES = {
    "python3-doc": ["python3.*[0-9]/html/index.html"],
    "sqlite3-doc": ["sqlite3/index.html"],
    "postgresql-doc": ["postgresql-doc-*/html/index.html"],
    "debian-handbook": HANDBOOK,
}
QUICK = {"debian-handbook": HANDBOOK[:2]}
CONFIGURATION = """
{user}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    sendfile on;
    keepalive_requests 100000;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    types {{
        text/html html htm; application/xhtml+xml xhtml; text/plain txt c h py; text/css css; text/javascript js;
        image/png png; image/gif gif; image/jpeg jpg jpeg; image/svg+xml svg;
        application/pdf pdf; application/zip zip;
    }}
    default_type application/octet-stream;
    charset utf-8;
    server {{
        listen 127.0.0.1:{port} backlog=1024;
        root {root};
        autoindex off;
        disable_symlinks off;
        location = /start.html {{ root {folder}; }}
        location = /robots.txt {{ root {folder}; }}
        location = /requests {{ stub_status; }}
    }}
}}
"""


def fetch() -> Path:
    """The folder with the documentation of all packages; they are downloaded once, without being installed."""
    for package in PACKAGES:
        unpacked = DOWNLOADED / package
        if not unpacked.exists():
            _download(package, unpacked)
    root = DOWNLOADED / "root"
    root.mkdir(exist_ok=True)
    for folder in DOWNLOADED.glob("*/usr/share/doc/*"):
        link = root / folder.name
        if not link.is_symlink():
            link.symlink_to(os.path.relpath(folder, root))
    return root


def _download(package: str, target: Path) -> None:
    """Unpack one package; what cannot be had is said and left out."""
    need_tools()
    with tempfile.TemporaryDirectory() as folder:
        name = _real_name(package)
        files, complaint = download([name], Path(folder))
        if name not in files:
            print(f"{name} cannot be had and is left out: {complaint[-200:]}", flush=True)
            return
        unpack(files[name], target)


def _real_name(package: str) -> str:
    """The package with the files: python3-doc only depends on python3.11-doc, or whichever it is."""
    told = subprocess.run(["apt-cache", "depends", package], capture_output=True, text=True, timeout=60)
    found = re.search(r"^\s*Depends: (\S*-doc\S*)$", told.stdout, re.MULTILINE)
    return found[1] if found else package


class Site:
    """nginx on a free port, with one page that links to all documentation. Use it with `with`."""

    def __init__(self, root: Path, quick: bool) -> None:
        program = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
        if program is None:
            raise SystemExit("nginx is missing; on Debian and Ubuntu: apt-get install nginx-light")
        self._program, self._root = program, root
        patterns = [pattern for found in (QUICK if quick else PACKAGES).values() for pattern in found]
        self.beginnings = sorted(str(page.relative_to(root)) for each in patterns for page in root.glob(each))
        if not self.beginnings:
            raise SystemExit("none of the documentation packages could be had")

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory()
        folder, self.port = Path(self._folder.name), _free_port()
        links = "".join(f'<li><a href="/{page}">{page}</a></li>' for page in self.beginnings)
        (folder / "start.html").write_text(f"<!DOCTYPE html><title>Documentation</title><ul>{links}</ul>")
        (folder / "robots.txt").write_text("User-agent: *\nDisallow: /requests\n")
        user = f"user {pwd.getpwuid(os.geteuid()).pw_name};" if os.geteuid() == 0 else ""
        text = CONFIGURATION.format(user=user, folder=folder, port=self.port, root=self._root)
        (folder / "nginx.conf").write_text(text)
        command = [self._program, "-p", folder, "-e", folder / "error.log", "-c", folder / "nginx.conf"]
        self._process = subprocess.Popen(command)
        self._wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(10)
        self._folder.cleanup()

    @property
    def start(self) -> str:
        """The URL that leads to everything."""
        return f"http://127.0.0.1:{self.port}/start.html"

    def requests(self) -> int:
        """How many requests nginx has answered, by its own count, this one included."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/requests", timeout=10) as answer:
            return int(answer.read().split()[9])

    def _wait(self) -> None:
        for _ in range(100):
            if self._process.poll() is not None:
                raise SystemExit(f"nginx did not start: {(Path(self._folder.name) / 'error.log').read_text()[-500:]}")
            with socket.socket() as probe:
                if not probe.connect_ex(("127.0.0.1", self.port)):
                    return
            time.sleep(0.05)
        raise SystemExit("nginx does not answer")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

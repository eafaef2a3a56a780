"""A WACZ in ReplayWeb.page itself: python -m benchmarks.replay [--version X.Y.Z] [--keep DIR].

A small site on this machine is crawled twice and exported, as people do it, and its server stopped. Then
ReplayWeb.page, fetched from npm into a temporary folder, is served on this machine and opened in Chromium, and every
page must show its text, its style, its picture and what its script writes.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aiohttp import web

from benchmarks.chromium import MISSING, Chromium

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

VERSION = "2.5.3"
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><circle r="20"/></svg>'
HEAD = "<link rel=stylesheet href=/style.css><img src=/bee.svg alt=bee><p id=said></p><script src=/say.js></script>"
HONEY = f"<title>Honey</title>{HEAD}<p>Honey keeps for years, and bees live on it in winter."
SITE = {
    "/": ("text/html", f"<title>Bees</title>{HEAD}<p>All about bees. <a href=/honey?b=2&a=1>Honey</a>"
          " <a href=/moved>Nectar</a> <a href=/copy>The same</a> <a href='/Wabe%20(ä)'>Comb</a>"),
    "/honey": ("text/html", HONEY),
    "/copy": ("text/html", HONEY),
    "/nectar": ("text/html", f"<title>Nectar</title>{HEAD}<p>Bees collect nectar from flowers."),
    "/Wabe (ä)": ("text/html", f"<title>Comb</title>{HEAD}<p>The comb of bees is made of wax."),
    "/style.css": ("text/css", "p { color: rgb(1, 2, 3) }"),
    "/bee.svg": ("image/svg+xml", PICTURE),
    "/say.js": ("text/javascript", "document.getElementById('said').textContent = 'said by a script'"),
}  # fmt: skip
EXPECTED = {  # what a page shows, by its address; one moved, and one is a record that refers to another's bytes
    "/": "All about bees",
    "/honey?a=1&b=2": "Honey keeps for years",
    "/copy": "Honey keeps for years",
    "/moved": "Bees collect nectar",
    "/Wabe%20(%C3%A4)": "made of wax",
}
# The page within ReplayWeb.page: frames within frames, in the shadow of its elements.
FRAME = """(() => { const look = root => { for (const each of root.querySelectorAll('*')) {
    const inner = each.shadowRoot || (each.tagName === 'IFRAME' && each.contentDocument);
    if (inner && inner.location && inner.location.href.includes('mp_/')) return inner;
    const found = inner && look(inner); if (found) return found } return null };
  const page = look(document); if (!page || page.readyState !== 'complete' || !page.querySelector('p')) return null;
  const picture = page.querySelector('img');
  return { text: page.body.innerText, color: page.defaultView.getComputedStyle(page.querySelector('p')).color,
    picture: picture ? picture.naturalWidth : 0 } })()"""


async def main(version: str, folder: Path) -> bool:
    """Crawl, export, and look at every page; whether all show what they should."""
    replay = fetched(version, folder)
    async with served(_site()) as origin:
        await crawl(origin, folder)
    (replay / "pages.wacz").write_bytes((folder / "pages.wacz").read_bytes())
    good = True
    async with served(_files(replay)) as here, Chromium() as browser:
        print(f"ReplayWeb.page {version}\n\n| page | text | style | picture | script |\n|---|---|---|---|---|")
        for path, text in EXPECTED.items():
            seen = await shown(browser, here, origin + path)
            told = [text in seen.get("text", ""), seen.get("color") == "rgb(1, 2, 3)", seen.get("picture") == 64,
                    "said by a script" in seen.get("text", "")]  # fmt: skip
            print(f"| `{path}` | {' | '.join('yes' if each else 'NO' for each in told)} |", flush=True)
            good &= all(told)
    return good


def fetched(version: str, folder: Path) -> Path:
    """ReplayWeb.page as its makers publish it; nothing in it is run but by the browser."""
    npm = shutil.which("npm")
    if not npm or MISSING:
        raise SystemExit(MISSING or "npm is not installed, and ReplayWeb.page comes from there")
    command = [npm, "pack", f"replaywebpage@{version}", "--silent", "--ignore-scripts", "--pack-destination", folder]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=600)
    with tarfile.open(next(folder.glob("replaywebpage-*.tgz"))) as package:
        package.extractall(folder, filter="data")
    return folder / "package"


async def crawl(origin: str, folder: Path) -> None:
    """Twice, so that there are records that refer to those of the crawl before; and an export of everything."""
    crawl, topic = folder / "crawl", ["--topic", "keyword:bees"]
    live = ["--allow-private", "--delay", "0", "--resources"]
    await honeyguide("crawl", "--seed", f"{origin}/", *topic, "-o", crawl, *live)
    await honeyguide("crawl", crawl, "--again")
    await honeyguide("export", crawl, "-o", folder / "pages.wacz", "--all", "--flagged")


async def honeyguide(*arguments: object) -> None:
    """The command line."""
    made = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "honeyguide", *map(str, arguments), stdout=sys.stderr
    )
    if await made.wait():
        raise SystemExit(f"honeyguide {arguments[0]} failed")


async def shown(browser: Chromium, here: str, url: str) -> dict[str, Any]:
    """What the replayed page is like once it is there."""
    await browser.open("about:blank")
    await browser.open(f"{here}/index.html?source={here}/pages.wacz#view=pages&url={url.replace('&', '%26')}")
    with contextlib.suppress(TimeoutError):
        await browser.until(FRAME, every=0.1)
        return dict(await browser.value(FRAME))
    return {}


@contextlib.asynccontextmanager
async def served(app: web.Application) -> AsyncIterator[str]:
    """A server on this machine; where it is."""
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def _site() -> web.Application:
    async def answer(request: web.Request) -> web.Response:
        if request.path == "/moved":
            return web.Response(status=301, headers={"Location": "/nectar"})
        if request.path not in SITE:
            return web.Response(status=404)
        kind, text = SITE[request.path]
        return web.Response(text=text, content_type=kind, charset="utf-8")

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    return app


def _files(folder: Path) -> web.Application:
    app = web.Application()
    app.router.add_static("/", folder)
    return app


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", default=VERSION)
    parser.add_argument("--keep", type=Path, help="an empty folder to work in, which stays")
    asked = parser.parse_args()
    with contextlib.ExitStack() as stack:
        place = asked.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sys.exit(not asyncio.run(main(asked.version, place)))

"""A browser without a window: opens a page as people would, measures it, draws it, and presses its links."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import aiohttp

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
MISSING = "" if PROGRAM else "chromium is not installed"
OPTIONS = ["--headless", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-port=0"]
OPTIONS += ["--no-sandbox"] * (os.getuid() == 0)  # which it refuses to have as root; only our own pages are opened
PATIENCE = 60.0  # seconds
COMPLAINTS = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")


class Chromium:
    """One browser with one page, spoken to by its debugging protocol."""

    async def __aenter__(self) -> Self:
        self._stack = contextlib.AsyncExitStack()
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._loaded = asyncio.Event()
        self.complaints: list[str] = []  # errors, and what the page's policy forbade
        self.home = Path(self._stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        assert PROGRAM, MISSING
        quiet = asyncio.subprocess.DEVNULL
        self._process = await asyncio.create_subprocess_exec(
            PROGRAM, *OPTIONS, f"--user-data-dir={self.home / 'profile'}", stdout=quiet, stderr=quiet
        )
        session = await self._stack.enter_async_context(aiohttp.ClientSession())
        self._socket = await session.ws_connect(await self._address(), max_msg_size=0)
        self._reader = asyncio.create_task(self._read())
        self._session = ""
        target = await self.tell("Target.createTarget", url="about:blank")
        made = await self.tell("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = made["sessionId"]
        for domain in ("Page", "Log", "Runtime"):
            await self.tell(f"{domain}.enable")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._reader.cancel()
        await self._socket.close()
        self._process.terminate()
        await self._process.wait()
        await self._stack.aclose()

    async def _address(self) -> str:
        """Where the browser listens, which it writes into a file when it is up."""
        number, path = await _once(lambda: _lines(self.home / "profile" / "DevToolsActivePort"))
        return f"ws://127.0.0.1:{number}{path}"

    async def _read(self) -> None:
        async for message in self._socket:
            said = message.json()
            if said.get("method") == "Page.loadEventFired":
                self._loaded.set()
            if said.get("method") in COMPLAINTS:
                self.complaints.append(str(said["params"]))
            if waiting := self._waiting.pop(said.get("id", 0), None):
                waiting.set_result(said)

    async def tell(self, method: str, **values: Any) -> Any:
        """Give a command, and wait for what comes of it."""
        number = next(self._numbers)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        session = {"sessionId": self._session} if self._session else {}
        await self._socket.send_json({"id": number, "method": method, "params": values, **session})
        said = await asyncio.wait_for(self._waiting[number], PATIENCE)
        if "error" in said:
            raise RuntimeError(f"{method}: {said['error']}")
        return said["result"]

    async def show(self, width: int, dark: bool = False, height: int = 900) -> None:
        """How large the window is from now on, and whether dark colours are liked."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        await self.tell("Emulation.setDeviceMetricsOverride", **size)
        liked = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await self.tell("Emulation.setEmulatedMedia", features=[liked])

    async def open(self, page: Path | str) -> None:
        """Load a file, or an address, to its end."""
        self._loaded.clear()
        await self.tell("Page.navigate", url=page if isinstance(page, str) else _address_of(page))
        await asyncio.wait_for(self._loaded.wait(), PATIENCE)

    async def value(self, expression: str) -> Any:
        """What an expression comes to in the page, promises included."""
        said = await self.tell("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in said:
            raise RuntimeError(said["exceptionDetails"].get("text"))
        return said["result"].get("value")

    async def until(self, condition: str, every: float = 0.02) -> None:
        """Wait until an expression is true in the page; it is asked so often, in seconds."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not await self.value(f"Boolean({condition})"):  # noqa: ASYNC110
                    await asyncio.sleep(every)
        except TimeoutError:
            raise TimeoutError(f"it never became true: {condition}") from None

    async def printed(self, path: Path) -> None:
        """The page on paper, as PDF, with the colours it asks for."""
        said = await self.tell("Page.printToPDF", printBackground=False, preferCSSPageSize=True)
        await asyncio.to_thread(path.write_bytes, base64.b64decode(said["data"]))

    async def picture(self, path: Path, selector: str = "html", tallest: float = 20_000) -> None:
        """Draw a part of the page, all of it by default, but no more than so high."""
        box = await self.value(
            f"(() => {{ const b = document.querySelector({selector!r}).getBoundingClientRect();"
            " return [b.x + scrollX, b.y + scrollY, b.width, b.height] })()"
        )
        clip = dict(zip(("x", "y", "width", "height"), box, strict=True)) | {"scale": 1}
        clip["height"] = min(clip["height"], tallest)
        said = await self.tell("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        await asyncio.to_thread(path.write_bytes, base64.b64decode(said["data"]))

    async def saved(self, selector: str, directory: Path) -> Path:
        """Press a link, and wait for the file it saves, which must not be there yet."""
        await self.tell("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(directory))
        before = _files(directory)
        await self.value(f"document.querySelector({selector!r}).click()")
        return min(await _once(lambda: _files(directory) - before))


async def _once(look: Callable[[], T]) -> T:
    """What a look brings, as soon as it brings anything."""
    async with asyncio.timeout(PATIENCE):
        while True:
            if found := look():
                return found
            await asyncio.sleep(0.05)


def _lines(path: Path) -> list[str]:
    """Two lines of a file, once they are there."""
    lines = path.read_text().split("\n") if path.exists() else []
    return lines[:2] if len(lines) > 1 else []


def _files(directory: Path) -> set[Path]:
    """Files that were saved to their end."""
    return {path for path in directory.iterdir() if path.suffix not in ("", ".crdownload", ".tmp")}


def _address_of(path: Path) -> str:
    return path.resolve().as_uri()

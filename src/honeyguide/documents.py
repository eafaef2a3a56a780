"""Example documents for topics, from wherever people keep them: files, folders, URLs, stored webs."""

from __future__ import annotations

import mimetypes
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.atlas import is_atlas
from honeyguide.base import BadInput, FetchError, NotNow, Page, Reply
from honeyguide.parse import parse
from honeyguide.running import run_async
from honeyguide.settings import Settings
from honeyguide.store import Store, is_crawl_directory
from honeyguide.web import Kind, LiveWeb, kind_of, open_web
from honeyguide.web.sources import read_source
from honeyguide.web.stored import archived_page

if TYPE_CHECKING:
    from collections.abc import Iterator

_STORED = (".jsonl", ".jsonl.gz", ".warc", ".warc.gz", ".wacz")


def load_documents(source: str, relevant: bool | None = None, settings: Settings | None = None) -> list[Page]:
    """The pages of a source. Of a crawl directory only the relevant, or only the other ones, when asked so."""
    if source.startswith(("http://", "https://")):
        return [run_async(_fetched(source, settings or Settings(delay=0)))]
    path = Path(source)
    if not path.exists():
        raise BadInput(f"{source} is no file, no directory and no URL")
    pages = list(_from_path(path, relevant))
    if not pages:
        kind = "" if relevant is None else "relevant " if relevant else "irrelevant "
        raise BadInput(f"{source} holds no {kind}pages")
    return pages


def _from_path(path: Path, relevant: bool | None) -> Iterator[Page]:
    if is_crawl_directory(path):
        yield from _from_crawl(path, relevant)
    elif is_atlas(path):
        yield from open_web(path).pages()
    elif path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.is_file() and not file.name.startswith("."):
                yield from _from_file(file)
    else:
        yield from _from_file(path)


def _from_file(path: Path) -> Iterator[Page]:
    if path.name.endswith(_STORED):
        for item in read_source(path):
            if isinstance(item, Page):
                yield item
            elif item.damaged:
                raise BadInput(f"{path}, {item}")
    else:
        kind = mimetypes.guess_type(path.name)[0] or ""
        yield parse(f"http://file.invalid/{path.name}", path.read_bytes(), kind)


def _from_crawl(path: Path, relevant: bool | None) -> Iterator[Page]:
    with Store.open(path, write=False) as store:
        if kind_of(store.settings.web) is Kind.STORED:
            raise BadInput(f"{path} holds no pages, only the log of a simulated crawl; name the web it ran on")
        for visit in store.visits():
            wanted = not visit.error and relevant in (None, bool(visit.relevant))
            if wanted and (page := archived_page(store, visit)):
                yield page


async def _fetched(url: str, settings: Settings) -> Page:
    async with LiveWeb(settings) as web:
        for _ in range(6):
            try:
                reply = await _patient(web, url)
            except FetchError as error:
                raise BadInput(f"{url} could not be fetched: {error}") from None
            if reply.page:
                return reply.page
            if not reply.redirect:
                raise BadInput(f"{url} could not be fetched: {reply.error}")
            url = reply.redirect
    raise BadInput(f"{url}: too many redirects")


async def _patient(web: LiveWeb, url: str) -> Reply:
    try:
        return await web.get(url)
    except NotNow as later:
        if later.reason not in ("robots_read", "host_rests"):
            raise
        await web.wait(later.until)
        return await web.get(url)

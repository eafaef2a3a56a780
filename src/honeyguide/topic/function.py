"""Function topics: any Python function judges the pages, with a cache and a budget."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import inspect
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Self

from honeyguide.base import BadInput, Page
from honeyguide.topic.answers import FunctionFailed, checked_answer, checked_answers
from honeyguide.topic.argument import quote
from honeyguide.topic.base import BudgetSpent, Topic, check_threshold
from honeyguide.topic.registry import kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from honeyguide.topic.argument import Argument
    from honeyguide.topic.base import Load

CACHE_SIZE = 100_000
AT_ONCE = 8  # batches an async function is given at the same time


@kind("function", "pages a Python function says yes to", "function:package.module:name(batch=8, budget=500)")
class Function(Topic):
    """Asks the function about each page once, in batches, until the budget is spent."""

    reads_everything = True

    def __init__(
        self,
        ask: Callable[..., Any],
        batch: int = 1,
        budget: int | None = None,
        cache: bool = True,
        threshold: float = 0.5,
        name: str | None = None,
    ) -> None:
        check_threshold(threshold)
        if batch < 1 or (budget is not None and budget < 0):
            raise BadInput(f"batch is at least 1 and budget at least 0, not {batch} and {budget}")
        self.ask, self.batch, self.budget, self.cache, self.threshold = ask, batch, budget, cache, threshold
        self.name: str = name or getattr(ask, "__qualname__", "") or type(ask).__name__
        self.is_async = any(map(inspect.iscoroutinefunction, (ask, type(ask).__call__)))
        self.slow = batch > 1 or self.is_async or budget is not None
        self.sent = 0
        self._known: OrderedDict[bytes, float] = OrderedDict()
        self._coming: dict[bytes, asyncio.Future[float | None]] = {}
        self._books = threading.Lock()  # guards sent and _known
        self._turn = threading.Lock()  # a plain function need not be safe to run twice at once

    def score(self, page: Page) -> float:
        if self.is_async:
            raise FunctionFailed(self.name, "is async; ask with: await topic.judge([page])")
        known = self._recall(digest(page))
        if known is not None:
            return known
        if not self._reserve(1):
            raise self._spent([None])
        return self._call([page])[0]

    async def judge(self, pages: Sequence[Page]) -> list[float]:
        if self.cache:
            keys = [digest(page) for page in pages]
            found = await self._judge_distinct(dict(zip(keys, pages, strict=True)))
            answers = [found[key] for key in keys]
        else:
            answers = await self._ask_within_budget(pages)
        scores = [answer for answer in answers if answer is not None]
        if len(scores) < len(pages):
            raise self._spent(answers)
        return scores

    async def _judge_distinct(self, pages: dict[bytes, Page]) -> dict[bytes, float | None]:
        """The scores of different pages; those another call is asking about are waited for."""
        found: dict[bytes, float | None] = dict.fromkeys(pages)
        while missing := [key for key in pages if found[key] is None]:
            found |= {key: self._recall(key) for key in missing}
            unknown = [key for key in missing if found[key] is None]
            awaited = {key: self._coming[key] for key in unknown if key in self._coming}
            answers = await self._ask_for_all({key: pages[key] for key in unknown if key not in awaited})
            found |= answers
            for key, future in awaited.items():
                found[key] = await asyncio.shield(future)  # None when the other call came to nothing
            if None in answers.values():
                break
        return found

    async def _ask_for_all(self, pages: dict[bytes, Page]) -> dict[bytes, float | None]:
        """Ask the function, and tell whoever else waits for the same pages."""
        loop = asyncio.get_running_loop()
        self._coming |= {key: loop.create_future() for key in pages}
        answers: dict[bytes, float | None] = dict.fromkeys(pages)
        try:
            scores = await self._ask_within_budget(list(pages.values()))
            answers = dict(zip(pages, scores, strict=True))
        finally:
            for key, answer in answers.items():
                self._coming.pop(key).set_result(answer)
        return answers

    async def _ask_within_budget(self, pages: Sequence[Page]) -> list[float | None]:
        """Scores for as many pages as may still be sent, None for the others."""
        allowed = self._reserve(len(pages))
        batches = [pages[i : min(i + self.batch, allowed)] for i in range(0, allowed, self.batch)]
        if self.is_async:
            answers = await self._call_async(batches)
        elif batches:
            answers = await asyncio.to_thread(lambda: [self._call(batch) for batch in batches])
        else:
            answers = []
        return [score for answer in answers for score in answer] + [None] * (len(pages) - allowed)

    async def _call_async(self, batches: list[Sequence[Page]]) -> list[list[float]]:
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(pages: Sequence[Page]) -> list[float]:
            async with gate:
                try:
                    return self._accept(pages, await self.ask(self._given(pages)))
                except FunctionFailed:
                    raise
                except Exception as error:
                    raise self._raised(error) from error

        tasks = [asyncio.create_task(one(batch)) for batch in batches]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()

    def _call(self, pages: Sequence[Page]) -> list[float]:
        try:
            with self._turn:
                return self._accept(pages, self.ask(self._given(pages)))
        except FunctionFailed:
            raise
        except Exception as error:
            raise self._raised(error) from error

    def _given(self, pages: Sequence[Page]) -> Page | list[Page]:
        return list(pages) if self.batch > 1 else pages[0]

    def _accept(self, pages: Sequence[Page], answer: Any) -> list[float]:
        """Check an answer, and remember it at once: it is paid for, whatever comes after."""
        if self.batch > 1:
            scores = checked_answers(answer, len(pages), self.name)
        else:
            scores = [checked_answer(answer, self.name)]
        for page, score in zip(pages, scores, strict=True):
            self._remember(digest(page), score)
        return scores

    def _raised(self, error: Exception) -> FunctionFailed:
        return FunctionFailed(self.name, f"raised {type(error).__name__}: {error}")

    def _spent(self, scores: Sequence[float | None]) -> BudgetSpent:
        return BudgetSpent(f"{self.name} has judged {self.sent} pages, all its budget allows", scores)

    def _reserve(self, number: int) -> int:
        """How many of so many pages may be sent; they count as sent from now on."""
        with self._books:
            allowed = number if self.budget is None else min(number, self.budget - self.sent)
            self.sent += allowed
            return allowed

    def _recall(self, key: bytes) -> float | None:
        with self._books:
            if key in self._known:
                self._known.move_to_end(key)
            return self._known.get(key)

    def _remember(self, key: bytes, score: float) -> None:
        with self._books:
            self._known[key] = score
            while len(self._known) > CACHE_SIZE * self.cache:
                self._known.popitem(last=False)

    def at(self, threshold: float) -> Self:
        return type(self)(self.ask, self.batch, self.budget, self.cache, threshold, self.name)

    def explain(self, page: Page) -> str:
        known = self._recall(digest(page))
        return f"judged by {self.name}" if known is None else f"{self.name} says {known:.2f}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and self._settings() == other._settings()

    def __hash__(self) -> int:
        return hash(self._settings())

    def _settings(self) -> tuple[object, ...]:
        return self.ask, self.batch, self.budget, self.cache, self.threshold

    @classmethod
    def parse_argument(cls, text: Argument, load: Load | None) -> Topic:
        path, items = text.call() or (str(text), [])
        options: dict[str, Any] = dict(map(_option, items))
        return cls(imported(path), **options)

    def argument(self) -> str:
        path = f"{getattr(self.ask, '__module__', '')}:{getattr(self.ask, '__qualname__', '')}"
        importable = all(part.isidentifier() for part in path.replace(":", ".").split("."))
        options = [f"batch={self.batch}"] * (self.batch != 1)
        options += [f"budget={self.budget}"] * (self.budget is not None)
        options += ["cache=0"] * (not self.cache)
        written = path if importable else quote(self.name)
        return f"{written}({', '.join(options)})" if options else written


def digest(page: Page) -> bytes:
    """What makes a page the same page to a function: its address, title and text."""
    content = f"{page.url}\n{page.title}\n{page.text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=16).digest()


def _option(text: str) -> tuple[str, int | bool]:
    name, _, value = (part.strip() for part in text.partition("="))
    if name not in ("batch", "budget", "cache") or not value.isdecimal() or len(value) > 12:
        raise BadInput(f"a function takes batch=…, budget=… or cache=0, not {text!r}")
    return name, bool(int(value)) if name == "cache" else int(value)


def imported(path: str) -> Callable[..., Any]:
    """The function at `package.module:name`."""
    module_name, _, name = path.partition(":")
    if not module_name or not name:
        raise BadInput(f"a function is given as package.module:name, and {path!r} is not")
    try:
        found: Any = importlib.import_module(module_name)
        for part in name.split("."):
            found = getattr(found, part)
    except (Exception, SystemExit) as error:  # a user's module may fail in any way while it is imported
        raise BadInput(f"the function {path!r} cannot be imported: {error}") from error
    if not callable(found):
        raise BadInput(f"{path!r} is not a function")
    return found  # type: ignore[no-any-return]


def function(
    fn: Callable[..., Any],
    batch: int = 1,
    budget: int | None = None,
    cache: bool = True,
    threshold: float = 0.5,
    name: str | None = None,
) -> Function:
    """Pages a function says yes to: it takes a page, or a list of pages when batch is above 1."""
    return Function(fn, batch, budget, cache, threshold, name)

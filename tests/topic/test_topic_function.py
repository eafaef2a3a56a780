"""Function topics: cache, budget, batches, threads and tasks."""

import asyncio
import threading

import pytest

from honeyguide.base import BadInput, HoneyguideError, Page
from honeyguide.topic import BudgetSpent, FunctionFailed, function, parse


def pages(*texts):
    return [Page(f"http://a.example/{text}", text=text) for text in texts]


def is_short(page):
    return len(page.text) < 3


async def lengths(batch):
    return [len(page.text) / 10 for page in batch]


def judged(topic, *texts):
    return asyncio.run(topic.judge(pages(*texts)))


def test_plain_function():
    topic = function(is_short)
    assert not topic.slow
    assert [topic.score(p) for p in pages("a", "abc")] == [1.0, 0.0]
    assert judged(topic, "a", "abc") == [1.0, 0.0]


def test_async_function_in_batches():
    seen = []

    async def judge(batch):
        seen.append(len(batch))
        await asyncio.sleep(0)
        return await lengths(batch)

    topic = function(judge, batch=2)
    assert topic.slow
    assert judged(topic, "a", "abc", "ab", "abcd", "abcde") == [0.1, 0.3, 0.2, 0.4, 0.5]
    assert sorted(seen) == [1, 2, 2]
    with pytest.raises(FunctionFailed, match="await"):
        topic.score(pages("a")[0])


def test_async_callable_object():
    class Judge:
        async def __call__(self, page):
            return 0.25

    assert judged(function(Judge()), "a") == [0.25]


def test_same_page_is_asked_once():
    seen = []

    def judge(page):
        seen.append(page.text)
        return 0.5

    topic = function(judge)
    assert judged(topic, "a", "b", "a") == [0.5] * 3
    topic.score(pages("b")[0])
    assert seen == ["a", "b"]
    fresh = function(judge, cache=False)
    judged(fresh, "a", "a")
    assert seen == ["a", "b", "a", "a"]


def test_a_changed_page_is_asked_again():
    topic = function(lambda page: len(page.text) / 10)
    assert topic.score(Page("http://a.example/", text="a")) == 0.1
    assert topic.score(Page("http://a.example/", text="ab")) == 0.2


def test_budget_is_counted_in_pages_and_keeps_what_was_paid_for():
    seen = []

    def judge(batch):
        seen.extend(page.text for page in batch)
        return [1.0] * len(batch)

    topic = function(judge, batch=2, budget=3)
    with pytest.raises(BudgetSpent) as spent:
        judged(topic, "a", "b", "c", "d")
    assert spent.value.scores == [1.0, 1.0, 1.0, None]
    assert seen == ["a", "b", "c"] and topic.sent == 3
    assert judged(topic, "a", "c") == [1.0, 1.0]
    with pytest.raises(BudgetSpent, match="3 pages"):
        topic.score(pages("e")[0])


def test_concurrent_calls_share_answers_and_budget():
    seen = []

    async def judge(page):
        await asyncio.sleep(0.001)
        seen.append(page.text)
        return 1.0

    async def crowd():
        topic = function(judge, budget=3)
        return await asyncio.gather(*(topic.judge(pages("a", "b", "c")) for _ in range(20)))

    assert asyncio.run(crowd()) == [[1.0] * 3] * 20
    assert sorted(seen) == ["a", "b", "c"]


def test_concurrent_calls_never_overspend():
    sent = []

    async def judge(page):
        await asyncio.sleep(0)
        sent.append(page.text)
        return 1.0

    async def crowd():
        topic = function(judge, budget=5)
        calls = [topic.judge(pages(f"{i}", f"{i + 1}")) for i in range(10)]
        return await asyncio.gather(*calls, return_exceptions=True)

    results = asyncio.run(crowd())
    assert len(sent) == len(set(sent)) == 5
    assert results[0] == [1.0, 1.0] and isinstance(results[-1], BudgetSpent)


def test_blocking_function_leaves_the_loop_free():
    go = threading.Event()

    async def crawl():
        judging = asyncio.create_task(function(lambda page: go.wait(10)).judge(pages("a")))
        await asyncio.sleep(0)
        go.set()  # reached only because the function waits elsewhere
        return await judging

    assert asyncio.run(crawl()) == [1.0]


def test_a_failed_call_is_tried_again_by_those_who_waited():
    tries = []

    async def judge(page):
        tries.append(page.text)
        await asyncio.sleep(0)
        if len(tries) == 1:
            raise ValueError("busy")
        return 1.0

    async def crowd():
        topic = function(judge)
        return await asyncio.gather(topic.judge(pages("a")), topic.judge(pages("a")), return_exceptions=True)

    first, second = asyncio.run(crowd())
    assert isinstance(first, FunctionFailed) and "ValueError: busy" in str(first)
    assert second == [1.0]


def test_a_cancelled_call_does_not_take_others_with_it():
    async def judge(page):
        await asyncio.sleep(0.001)
        return 1.0

    async def crowd():
        topic = function(judge)
        first = asyncio.create_task(topic.judge(pages("a")))
        await asyncio.sleep(0)
        second = asyncio.create_task(topic.judge(pages("a")))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert asyncio.run(crowd()) == [1.0]


@pytest.mark.parametrize("answer", [1.5, -0.1, float("nan"), None, "0.5", [0.5], object()])
def test_answers_that_are_no_scores(answer):
    with pytest.raises(HoneyguideError, match="strange"):
        function(lambda page: answer, name="strange").score(pages("a")[0])


@pytest.mark.parametrize("answers", [[], [0.5], [0.5] * 3, 0.5, None, ["x", "y"]])
def test_batches_of_the_wrong_shape(answers):
    with pytest.raises(FunctionFailed, match="strange"):
        judged(function(lambda batch: answers, batch=2, name="strange"), "a", "b")


def test_a_hidden_coroutine_is_named():
    with pytest.raises(FunctionFailed, match="async function"):
        judged(function(lambda page: lengths([page])), "a")


def test_written_and_read_back():
    topic = parse("function:math:isfinite(batch=4, budget=9, cache=0)@0.6")
    assert (topic.batch, topic.budget, topic.cache, topic.threshold) == (4, 9, False, 0.6)
    assert parse(str(topic)) == topic
    assert str(parse("function:os.path:isabs")).startswith("function:")


@pytest.mark.parametrize(
    "text",
    ["function:nowhere.at.all:f", "function:math:nothing", "function:math", "function:math:pi",
     "function:math:sqrt(speed=3)", "function:math:sqrt(batch=many)", "function:math:sqrt(batch=0)"],
)  # fmt: skip
def test_functions_that_cannot_be_found(text):
    with pytest.raises(BadInput):
        parse(text)


def test_explanation_does_not_spend():
    topic = function(is_short, budget=1)
    page = pages("a")[0]
    assert topic.explain(page) == "judged by is_short" and topic.sent == 0
    topic.score(page)
    assert topic.explain(page) == "is_short says 1.00"


def test_another_threshold_is_another_budget():
    topic = function(is_short, budget=1)
    topic.score(pages("a")[0])
    assert topic.at(0.7).score(pages("a")[0]) == 1.0

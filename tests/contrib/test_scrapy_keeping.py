"""Requests on disk: as they were, or not at all."""

import asyncio

import pytest
from scrapy import FormRequest, Request, Spider
from scrapy.http import JsonRequest
from scrapy.settings import Settings

from honeyguide.contrib.ordering import Ordering
from honeyguide.contrib.scrapy.keeping import Keeping, as_it_was, jsonable
from honeyguide.contrib.scrapy.scheduler import ordering_of


class Some(Spider):
    name = "some"

    def page(self, response):
        """A callback."""


@pytest.fixture
def keeping(tmp_path):
    ordering = Ordering("keyword:bees", "best-first", tmp_path / "crawl")
    asyncio.run(ordering.begin())
    yield Keeping(ordering.crawl.store, Some())
    ordering.crawl.end()


def back(keeping, request):
    keeping.add(0, 0, request.priority, keeping.text(request))
    return keeping.request(0)


@pytest.mark.parametrize(
    "made",
    [
        Request("https://bees.example/", priority=3, dont_filter=True, flags=["x"], encoding="latin-1"),
        Request("https://bees.example/", method="PUT", body=bytes(range(256)), headers={"X-Odd": [b"\xff", b"b"]}),
        Request("https://bees.example/", cookies=[{"name": "a", "value": "ö"}], meta={"!bytes": "x", 7: (1, [2.5])}),
        FormRequest("https://bees.example/", formdata={"q": "1"}),
        JsonRequest("https://bees.example/", data={"q": [1, None]}),
    ],
)
def test_a_request_comes_back_as_it_was(keeping, made):
    found = back(keeping, made)
    assert type(found) is type(made)
    assert found.to_dict() == made.to_dict()


def test_callbacks_come_back_by_name(keeping):
    found = back(keeping, Request("https://bees.example/", keeping._spider.page, cb_kwargs={"a": (1,)}))
    assert found.callback == keeping._spider.page
    assert found.cb_kwargs == {"a": (1,)}


@pytest.mark.parametrize(
    "made",
    [
        Request("https://bees.example/", lambda response: None),
        Request("https://bees.example/", meta={"item": object()}),
        Request("https://bees.example/", meta={"words": {"a", "b"}}),
    ],
)
def test_what_json_cannot_hold_is_refused(keeping, made):
    with pytest.raises(ValueError, match=r"cannot be kept|not an instance method"):
        keeping.text(made)


def test_only_requests_are_made_of_what_is_kept(keeping):
    keeping.add(0, 0, 0, '{"_class": "subprocess.Popen", "url": "https://bees.example/"}')
    with pytest.raises(ValueError, match="no request"):
        keeping.request(0)


def test_tables_that_look_like_marks_come_back():
    odd = {"!tuple": [1], "deep": [{"!bytes": b"x"}, {}], "none": {"": None}}
    assert as_it_was(jsonable(odd)) == odd


def test_the_random_seed_is_no_url():
    settings = Settings({"HONEYGUIDE_TOPIC": "keyword:bees", "HONEYGUIDE_RANDOM_SEED": "7"})
    assert ordering_of(settings).crawl.settings.random_seed == 7

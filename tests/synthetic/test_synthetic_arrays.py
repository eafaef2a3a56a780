"""The invented web as arrays: the same web, whatever it is asked by."""

import numpy as np
import pytest

from honeyguide.base import Excluded
from honeyguide.parse import parse
from honeyguide.running import run_async
from honeyguide.synthetic import World, WorldArrays, generate
from honeyguide.web import SyntheticWeb


@pytest.fixture(scope="module")
def world() -> World:
    return generate(900, hosts=20, seed=4, topics=5)


@pytest.fixture(scope="module")
def arrays(world: World) -> WorldArrays:
    return world.arrays


@pytest.fixture(scope="module")
def urls(arrays: WorldArrays) -> list[str]:
    return list(arrays.urls)


def test_every_address_is_there_once(world: World, arrays: WorldArrays, urls: list[str]) -> None:
    assert sorted(urls) == sorted(world.urls)
    assert len(arrays.host) == len(arrays.redirect) == len(arrays.failed) == len(arrays.out_start) - 1 == len(urls)
    assert [arrays.host_names[h] for h in arrays.host] == [url.split("/")[2] for url in urls]


def test_pages_hold_the_links_that_their_html_shows(world: World, arrays: WorldArrays, urls: list[str]) -> None:
    number = {url: i for i, url in enumerate(urls)}
    for i in range(len(arrays.label)):
        page = parse(urls[i], world.html(urls[i]), "text/html; charset=utf-8")
        shown = dict.fromkeys(number[link.url] for link in page.links)
        assert arrays.out[arrays.out_start[i] : arrays.out_start[i + 1]].tolist() == [j for j in shown if j != i]
    assert arrays.out_start[len(arrays.label)] == arrays.out_start[-1] == len(arrays.out)


def test_pages_on_demand_are_those_of_the_web(world: World, arrays: WorldArrays, urls: list[str]) -> None:
    again = generate(**world.parameters).arrays
    for i in range(0, len(arrays.label), 7):
        page = again.page(i)
        read = parse(urls[i], world.html(urls[i]), "text/html; charset=utf-8")
        assert (page.url, page.title, page.text, page.links) == (urls[i], read.title, read.text, read.links)
        assert page.label == world.topic_of(urls[i]).replace(" ", "-") == arrays.label_names[arrays.label[i]]


def test_addresses_answer_as_the_web_does(world: World, arrays: WorldArrays, urls: list[str]) -> None:
    web = SyntheticWeb(world)
    for i, url in enumerate(urls[:-1]):
        try:
            reply = run_async(web.get(url))
        except Excluded:
            assert arrays.failed[i] == WorldArrays.NOT_HELD
            continue
        assert (i < len(arrays.label)) == (reply.page is not None)
        assert (arrays.failed[i] == WorldArrays.GONE) == (reply.status == 404)
        assert reply.redirect == (urls[arrays.redirect[i]] if arrays.redirect[i] >= 0 else "")


def test_the_closed_section_and_the_door_of_the_trap_are_not_held(
    world: World, arrays: WorldArrays, urls: list[str]
) -> None:
    missing = [urls[i] for i in np.flatnonzero(arrays.failed == WorldArrays.NOT_HELD)]
    host, path = world.closed_section
    assert missing.pop() == urls[-1] == world.urls[-1]
    assert sorted(missing) == sorted(url for url in world.urls if url.startswith(f"http://{host}{path}"))
    assert len(missing) > 5
    with pytest.raises(IndexError, match="holds no page"):
        arrays.page(len(arrays.label))

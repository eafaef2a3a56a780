"""The generated web, asked as a web."""

import asyncio

import pytest

from honeyguide.base import Excluded
from honeyguide.synthetic import generate
from honeyguide.web import SyntheticWeb

WORLD = generate(1000)


def get(url, web=None):
    return asyncio.run((web or SyntheticWeb(WORLD)).get(url))


def test_a_page():
    url = WORLD.portal_seeds(1)[0]
    reply = get(url)
    assert (reply.page.url, reply.status, reply.error) == (url, 200, "")
    assert reply.size == len(WORLD.html(url))
    assert reply.page.title
    assert reply.page.links
    assert reply.record == b""


def test_a_moved_page():
    moved = next(url for url in WORLD.urls if WORLD.redirect(url))
    reply = get(moved)
    assert (reply.page, reply.redirect, reply.status) == (None, WORLD.redirect(moved), 301)


def test_a_dead_address():
    reply = get(WORLD.urls[WORLD.addresses.dead[0]])
    assert (reply.page, reply.error, reply.status) == (None, "http_404", 404)


def test_the_closed_section():
    host, path = WORLD.closed_section
    closed = [url for url in WORLD.urls if url.startswith(f"http://{host}{path}")]
    assert closed
    for url in closed:
        with pytest.raises(Excluded, match="robots"):
            get(url)


def test_the_clock():
    web = SyntheticWeb(WORLD, delay=3.0)
    assert web.gap("any.example") == 3.0
    assert web.now() == 0.0
    asyncio.run(web.wait(10.0))
    assert web.now() == 10.0
    assert web.live is False

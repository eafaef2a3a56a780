"""The invented web on a real socket: one port, a host for every site."""

import asyncio
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

import aiohttp

from honeyguide.synthetic import Server, World, generate

Reply = tuple[int, dict[str, str], bytes]
Get = Callable[[str], Awaitable[Reply]]


def served(world: World, ask: Callable[[Server, Get], Awaitable[None]]) -> None:
    async def run() -> None:
        async with Server(world) as server, aiohttp.ClientSession() as session:

            async def get(url: str) -> Reply:
                parts = urlsplit(url)
                local = f"http://127.0.0.1:{server.port}{parts.path}?{parts.query}".rstrip("?")
                asked = session.get(local, headers={"Host": parts.netloc}, allow_redirects=False)
                async with asked as reply:
                    return reply.status, dict(reply.headers), await reply.read()

            await ask(server, get)

    asyncio.run(run())


def test_pages_come_from_the_host_that_is_asked_for() -> None:
    async def ask(server: Server, get: Get) -> None:
        assert server.port > 0
        bodies = []
        for host in server.world.hosts[:3]:
            url = f"http://{host}:{server.port}/"
            status, headers, body = await get(url)
            assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
            assert body == server.world.html(url)
            bodies.append(body)
        assert len(set(bodies)) == 3

    served(generate(1000), ask)


def test_status_codes() -> None:
    async def ask(server: Server, get: Get) -> None:
        world = server.world
        moved = next(url for url in world.urls if world.redirect(url))
        status, headers, _ = await get(moved)
        assert (status, headers["Location"]) == (301, world.redirect(moved))
        status, headers, body = await get(world.urls[world.addresses.dead[0]])
        assert (status, headers["Content-Type"]) == (404, "text/html; charset=utf-8")
        assert b"Nothing" in body
        assert (await get(f"http://elsewhere.test:{server.port}/"))[0] == 421
        assert (await get(world.urls[-1]))[0] == 200

    served(generate(1000), ask)


def test_robots_and_counts() -> None:
    async def ask(server: Server, get: Get) -> None:
        host, path = server.world.closed_section
        url = f"http://{host}:{server.port}/robots.txt"
        for _ in range(2):
            status, headers, body = await get(url)
        assert (status, headers["Content-Type"]) == (200, "text/plain; charset=utf-8")
        assert f"Disallow: {path}" in body.decode()
        assert server.requests == {url: 2}

    served(generate(1000), ask)


def test_the_socket_is_closed_afterwards() -> None:
    async def run() -> int:
        async with Server(generate(1000)) as server:
            return server.port

    port = asyncio.run(run())

    async def knock() -> bool:
        try:
            await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            return False
        return True

    assert not asyncio.run(knock())

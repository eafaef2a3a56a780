"""A synthetic web on a real server, in a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import threading

from honeyguide.synthetic import Server, World, generate


@contextlib.contextmanager
def served(world: World | None = None):
    """The server, up and running; it ends with the block."""
    loop = asyncio.new_event_loop()
    ready, box = threading.Event(), []

    async def serve():
        done = asyncio.Event()
        async with Server(world or generate(pages=600, hosts=20, topics=4)) as server:
            box.extend([server, done])
            ready.set()
            await done.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    ready.wait()
    try:
        yield box[0]
    finally:
        loop.call_soon_threadsafe(box[1].set)
        thread.join()
        loop.close()


def resolve_options(world: World) -> list[str]:
    """Command-line options that send every host of a world to this machine."""
    return [option for host in world.hosts for option in ("--resolve", f"{host}=127.0.0.1")]

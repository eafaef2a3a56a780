"""Connections to the dashboard: few at once, none that says nothing, none that does not read."""

import asyncio
import contextlib
import socket

import aiohttp

import honeyguide as hg
from dashboards import Asker, watched
from honeyguide.dashboard import Server, connections, server
from small_webs import topical_web


def crawl_of():
    crawl = hg.Crawl(["http://h0.test/1"], "label:bees", web=topical_web(), pages=50)
    crawl.pause()
    return crawl


def told(story):
    """What comes of a story with a dashboard."""

    async def run():
        async with asyncio.timeout(30), watched(crawl_of(), lambda _: topical_web()) as asker:
            return await story(asker)

    return asyncio.run(run())


async def connected(asker, said=b""):
    reader, writer = await asyncio.open_connection("127.0.0.1", asker.server.note.port)
    writer.write(said)
    return reader, writer


async def ended(reader):
    with contextlib.suppress(ConnectionError):
        return await reader.read()


def test_who_sends_no_whole_request_is_let_go(monkeypatch):
    monkeypatch.setattr(connections, "PATIENCE", 0.3)

    async def story(asker):
        token = asker.server.note.token.encode()
        host = b"127.0.0.1:%d" % asker.server.note.port
        begun = b"POST /api/resume HTTP/1.1\r\nHost: " + host + b"\r\nOrigin: http://" + host + b"\r\n"
        whole = begun + b"Authorization: Bearer " + token + b"\r\nContent-Type: application/json\r\n"
        for said in (b"", b"GET / HT", begun, whole + b"Content-Length: 20\r\n\r\n{"):
            reader, writer = await connected(asker, said)
            assert not await ended(reader)
            writer.close()
        return (await asker.get("/"))[0]

    assert told(story) == 200


def test_an_answered_connection_that_then_rests_is_let_go(monkeypatch):
    monkeypatch.setattr(connections, "PATIENCE", 0.3)

    async def story(asker):
        asked = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{asker.server.note.port}\r\n\r\n".encode()
        reader, writer = await connected(asker, asked)
        text = await ended(reader)
        writer.close()
        return text

    assert told(story).startswith(b"HTTP/1.1 200")


def test_a_stream_is_not_let_go_for_its_length(monkeypatch):
    monkeypatch.setattr(connections, "PATIENCE", 0.2)

    async def story(asker):
        asking = asyncio.create_task(asker.phase("resting"))
        await asyncio.sleep(1)
        await asker.act("stop")
        return (await asking)["state"]["reason"]

    assert told(story) == "dashboard"


def test_more_connections_than_it_bears_are_closed_at_once(monkeypatch):
    monkeypatch.setattr(connections, "MOST", 5)

    async def story(asker):
        held = [await connected(asker) for _ in range(5)]
        for _ in range(20):
            reader, writer = await connected(asker)
            assert not await ended(reader)
            writer.close()
        held[0][1].close()
        while True:  # until it has seen that there is room
            with contextlib.suppress(aiohttp.ClientError):
                return (await asker.get("/"))[0], [writer.close() for _, writer in held]

    assert told(story)[0] == 200


class Talker:
    """Has much to say, every time something else."""

    said = 0

    def version(self):
        self.said += 1
        return self.said

    def parts(self):
        return {"said": f"{self.said} {'x' * 4_000_000}"}

    def slow_parts(self):
        return {}


def test_a_window_that_does_not_read_holds_no_place(monkeypatch):
    monkeypatch.setattr(server, "MOST_STREAMS", 1)
    monkeypatch.setattr(server, "STALLED", 0.3)

    async def story():
        async with (
            asyncio.timeout(30),
            Server(Talker()) as serving,
            aiohttp.ClientSession(read_bufsize=2**23) as client,
        ):
            asker = Asker(serving, None, client)
            deaf = socket.create_connection(("127.0.0.1", serving.note.port))
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            lines = [f"{name}: {value}" for name, value in {"Host": asker.origin[7:], **asker.own}.items()]
            deaf.sendall("\r\n".join(["GET /api/events HTTP/1.1", *lines, "", ""]).encode())
            while (await asker.get("/nothing"))[0] != 404 or not serving._streams:
                await asyncio.sleep(0.01)
            with deaf:
                while serving._streams:
                    await asyncio.sleep(0.01)
                return await asker.seen(lambda told: told["said"])

    assert asyncio.run(story())

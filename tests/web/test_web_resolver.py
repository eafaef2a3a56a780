"""Names to addresses."""

import asyncio
import socket

import pytest

from honeyguide.web import resolver
from honeyguide.web.resolver import Resolver


def resolved(*asked, pinned=()):
    """What comes of asking for names and ports one after the other."""

    async def run():
        names = Resolver(dict(pinned))
        return [await names.resolve(*one) for one in asked]

    return asyncio.run(run())


def test_pinned_names():
    pinned = {"bees.test": "192.0.2.1", "wasps.test": "2001:db8::1"}
    bees, shouted, wasps = resolved(("bees.test", 80), ("Bees.TEST", 443), ("wasps.test", 80), pinned=pinned)
    assert [(one["host"], one["port"], one["family"]) for one in bees] == [("192.0.2.1", 80, socket.AF_INET)]
    assert [(one["host"], one["port"]) for one in shouted] == [("192.0.2.1", 443)]
    assert [(one["host"], one["family"]) for one in wasps] == [("2001:db8::1", socket.AF_INET6)]


def test_a_pinned_name_does_not_stand_for_others():
    with pytest.raises(socket.gaierror):
        resolved(("www.bees.invalid", 80), pinned={"bees.invalid": "192.0.2.1"})


@pytest.mark.parametrize("lasting", [300.0, -1.0])
@pytest.mark.parametrize("most", [10_000, 0])
def test_the_system_is_asked_for_others(lasting, most, monkeypatch):
    monkeypatch.setattr(resolver, "LASTING", lasting)
    monkeypatch.setattr(resolver, "MOST_KEPT", most)
    asked = ("localhost", 80, socket.AF_INET), ("localhost", 8080, socket.AF_INET), ("127.0.0.2", 80, socket.AF_INET)
    first, second, third = resolved(*asked)
    assert {(one["host"], one["port"]) for one in first} == {("127.0.0.1", 80)}
    assert {(one["host"], one["port"]) for one in second} == {("127.0.0.1", 8080)}
    assert {(one["host"], one["port"]) for one in third} == {("127.0.0.2", 80)}


def test_an_answer_that_is_kept_cannot_be_spoilt():
    async def run():
        names = Resolver({})
        (await names.resolve("127.0.0.1", 80))[0]["host"] = "192.0.2.1"
        return await names.resolve("127.0.0.1", 80)

    assert asyncio.run(run())[0]["host"] == "127.0.0.1"


@pytest.mark.parametrize(
    "host", ["host.invalid", "a..invalid", ".a.invalid", "a" * 64 + ".invalid", "a." * 140 + "a"]
)
def test_a_name_that_cannot_exist(host):
    with pytest.raises(socket.gaierror) as error:
        resolved((host, 80))
    assert error.value.errno in (socket.EAI_NONAME, socket.EAI_NODATA)


def test_a_star_stands_for_all_names_that_end_so_and_the_longer_ending_counts():
    pinned = {"*.test": "192.0.2.1", "*.bees.test": "192.0.2.2", "old.bees.test": "192.0.2.3"}
    asked = ("wasps.test", 80), ("www.bees.test", 80), ("old.bees.test", 80), ("www.old.bees.test", 80)
    assert [found[0]["host"] for found in resolved(*asked, pinned=pinned)] == [
        "192.0.2.1",
        "192.0.2.2",
        "192.0.2.3",
        "192.0.2.2",
    ]


def test_a_star_does_not_stand_for_the_ending_itself():
    with pytest.raises(socket.gaierror):
        resolved(("bees.invalid", 80), pinned={"*.bees.invalid": "192.0.2.1"})

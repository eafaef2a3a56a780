"""Which addresses may be connected to."""

import socket

import pytest

from honeyguide.base import BadInput
from honeyguide.web.guard import Guard, RefusedAddress, pinned_hosts, refused

INNER = [
    "127.0.0.1",
    "127.255.255.254",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "192.168.255.255",
    "169.254.169.254",
    "0.0.0.0",
    "0.1.2.3",
    "100.64.0.1",
    "100.127.255.255",
    "198.18.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd12:3456::1",
    "fec0::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a00:1::",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "224.0.0.1",
    "ff02::1",
]
OUTER = [
    "93.184.216.34",
    "8.8.8.8",
    "172.32.0.1",
    "100.128.0.1",
    "2606:2800::1",
    "64:ff9b::5db8:d822",
    "::ffff:8.8.8.8",
]


@pytest.mark.parametrize("address", INNER)
def test_inner_addresses_are_refused(address):
    assert not Guard().permits(address)
    assert Guard(allow_private=True).permits(address)


@pytest.mark.parametrize("address", OUTER)
def test_public_addresses_are_permitted(address):
    assert Guard().permits(address)


def test_an_address_allowed_by_name_opens_no_other():
    guard = Guard(allowed=["127.0.0.2", "fd00::1"])
    assert guard.permits("127.0.0.2")
    assert guard.permits("::ffff:127.0.0.2")
    assert guard.permits("fd00::1")
    assert not guard.permits("127.0.0.1")
    assert not guard.permits("fd00::2")


def info(address):
    return (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, 80))


def test_sockets_are_made_for_permitted_addresses_only():
    with Guard().socket(info("93.184.216.34")) as made:
        assert made.getblocking() is False
    with pytest.raises(RefusedAddress, match="--allow-private"):
        Guard().socket(info("10.0.0.1"))


def test_a_refusal_is_found_however_deep_it_is_wrapped():
    try:
        try:
            raise RefusedAddress("10.0.0.1 is a private address")
        except OSError as error:
            raise RuntimeError("outer") from error
    except RuntimeError as error:
        found = refused(error)
    assert found is not None
    assert (found.reason, found.detail) == ("private_address", "10.0.0.1 is a private address")
    assert refused(OSError("something else")) is None


def test_pinned_hosts():
    assert pinned_hosts(["Bees.test=127.0.0.1", " wasps.test = [::1] "]) == {
        "bees.test": "127.0.0.1",
        "wasps.test": "::1",
    }
    assert pinned_hosts([]) == {}
    assert pinned_hosts(["bücher.test.=127.0.0.1", "*.ÖKO.test=::1"]) == {
        "xn--bcher-kva.test": "127.0.0.1",
        "*.xn--ko-eka.test": "::1",
    }


@pytest.mark.parametrize(
    "pair", ["bees.test", "bees.test=", "=127.0.0.1", "bees.test=localhost", "bees.test=1.2.3", ""]
)
def test_what_is_no_pair_is_refused_with_an_example(pair):
    with pytest.raises(BadInput, match="HOST=ADDRESS"):
        pinned_hosts([pair])

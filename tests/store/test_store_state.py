"""Learned state as bytes: everything comes back, and nothing but data is ever read."""

import gzip
import io
import json
import pickle
import sys
import zipfile

import numpy as np
import pytest

from honeyguide.base import BadInput
from honeyguide.store.state import dump, load

STATE = {
    "weights": np.array([0.5, -1.0, np.inf], np.float32),
    "counts": np.arange(6, dtype=np.int64).reshape(2, 3),
    "flags": np.array([True, False]),
    "none": np.zeros(0, np.uint16),
    "name": "bees ✓",
    "visits": 12,
    "rate": 0.1,
    "nothing": None,
    "words": ["hive", "honey"],
    "by_host": {"a.example": [1, 2]},
}


def test_round_trip():
    back = load(dump(STATE))
    assert back.keys() == STATE.keys()
    for name, value in STATE.items():
        if isinstance(value, np.ndarray):
            assert back[name].dtype == value.dtype
            assert back[name].tolist() == value.tolist()
        else:
            assert back[name] == value


def test_an_empty_state():
    assert load(dump({})) == {}


def test_the_same_state_gives_the_same_arrays_again():
    once = load(dump(STATE))
    assert load(dump(once))["counts"].tolist() == [[0, 1, 2], [3, 4, 5]]


class Trap:
    """Unpickling this prints; loading must not."""

    def __reduce__(self):
        return print, ("the trap was sprung",)


def zipped(**entries):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, data in entries.items():
            file.writestr(name.replace("__", "."), data)
    return gzip.compress(buffer.getvalue())


def array_file(array):
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=True)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        pickle.dumps(Trap()),
        zipped(values__json="{}", x__npy=array_file(np.array([Trap()], object))),
        zipped(values__json="{}", x__npy=pickle.dumps(Trap())),
        zipped(values__json=pickle.dumps(Trap())),
    ],
)
def test_pickles_are_refused_and_not_run(data, capsys):
    ran = []
    sys.addaudithook(lambda event, _: ran.append(event) if event.startswith("pickle") else None)
    with pytest.raises(BadInput, match="not written by honeyguide"):
        load(data)
    assert capsys.readouterr().out == ""
    assert ran == []


def test_objects_cannot_be_dumped():
    with pytest.raises(ValueError, match="Object arrays"):
        dump({"x": np.array([Trap()], object)})
    with pytest.raises(TypeError):
        dump({"x": Trap()})


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"junk",
        gzip.compress(b"junk"),
        zipped(),
        zipped(readme__txt="hello"),
        zipped(values__json="not json"),
        zipped(values__json=b"\xff\xfe"),
        zipped(values__json="[1, 2]"),
        zipped(values__json="3", x__npy=array_file(np.zeros(3))),
        zipped(values__json="{}", x__npy=b""),
        zipped(values__json="{}", x__npy=b"\x93NUMPY"),
        zipped(values__json="{}", x__npy=array_file(np.zeros(100))[:-1]),
        zipped(
            values__json="{}",
            x__npy=array_file(np.zeros(3)).replace(
                b"(3,)",
                b"(9**",
            ),
        ),
        zipped(values__json="{}", x__npy=array_file(np.zeros(3)).replace(b"(3,), }          ", b"(99999999999,), }")),
    ],
)
def test_what_is_no_state_is_refused(data):
    with pytest.raises(BadInput, match="saved knowledge cannot be read"):
        load(data)


SMALL = dump({"weights": np.arange(20, dtype=np.float32), "words": ["hive"] * 10})


def test_cut_anywhere_it_is_refused():
    for length in range(len(SMALL)):
        with pytest.raises(BadInput):
            load(SMALL[:length])


def test_with_any_byte_flipped_it_is_refused_or_read():
    refused = 0
    for place in range(len(SMALL)):
        broken = bytearray(SMALL)
        broken[place] ^= 0xFF
        try:
            load(bytes(broken))
        except BadInput:
            refused += 1
    assert refused > len(SMALL) / 2


def test_the_format_is_a_packed_zip_anyone_can_open():
    with zipfile.ZipFile(io.BytesIO(gzip.decompress(SMALL))) as file:
        assert sorted(file.namelist()) == ["values.json", "weights.npy"]
        assert json.loads(file.read("values.json")) == {"words": ["hive"] * 10}
        assert np.load(io.BytesIO(file.read("weights.npy"))).tolist() == list(range(20))


def test_a_zip_that_is_not_packed_is_read_as_well():
    assert load(gzip.decompress(SMALL))["words"] == ["hive"] * 10

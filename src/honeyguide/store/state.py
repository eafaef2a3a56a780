"""Learned state as bytes: arrays and plain values, never pickles, so that loading can run nothing.

It is a zip file of NumPy's own files and one of JSON, packed as a whole: by a library that is several times as fast
as the one that zip files are packed with.
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from typing import Any

from honeyguide.base import BadInput

_VALUES = "values.json"


def dump(state: dict[str, Any]) -> bytes:
    """A state of arrays, numbers, texts, lists and dicts."""
    import numpy as np
    from isal import igzip

    arrays = {name: value for name, value in state.items() if isinstance(value, np.ndarray)}
    rest = {name: value for name, value in state.items() if name not in arrays}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr(_VALUES, json.dumps(rest))
        for name, array in arrays.items():
            with file.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)
    return igzip.compress(buffer.getvalue(), compresslevel=1, mtime=0)


def load(data: bytes) -> dict[str, Any]:
    """The state that `dump` made; anything else is refused."""
    import numpy as np

    try:
        plain = data if data.startswith(b"PK") else gzip.decompress(data)  # as it was kept at first
        with zipfile.ZipFile(io.BytesIO(plain)) as file:
            state: dict[str, Any] = dict(json.loads(file.read(_VALUES)).items())
            for name in file.namelist():
                if name.endswith(".npy"):
                    with file.open(name) as entry:
                        state[name.removesuffix(".npy")] = np.lib.format.read_array(entry, allow_pickle=False)
    except Exception as error:  # gzip, zip, JSON and NumPy each have their own, and bytes from outside find them all
        raise BadInput(f"saved knowledge cannot be read ({error}); it was not written by honeyguide") from None
    return state

"""The file a classifier is kept in: a zip with a JSON header and plain arrays, and nothing that can run."""

from __future__ import annotations

import io
import json
import math
import zipfile
from typing import TYPE_CHECKING, Any

from honeyguide.base import BadInput
from honeyguide.topic.classifier import Classifier

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMAT, VERSION = "honeyguide-classifier", 1
LARGEST = 1 << 28  # bytes a model may unpack to; the largest we write has a tenth of that
_ARRAYS = {"vocabulary.npy": "uint8", "idf.npy": "float32", "coefficients.npy": "float32"}
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same model always makes the same bytes


def packed(model: Classifier) -> bytes:
    """The model as the bytes of a zip: a JSON header and three plain arrays."""
    import numpy as np

    header = {
        "format": FORMAT,
        "version": VERSION,
        "intercept": model.intercept,
        "scale": model.scale,
        "threshold": model.threshold,
        "quality": dict(model.quality),
        **({"marked": dict(model.marked)} if model.marked else {}),
    }
    arrays: dict[str, NDArray[Any]] = {
        "vocabulary.npy": np.frombuffer("\n".join(model.terms).encode(), np.uint8),
        "idf.npy": np.array([idf for idf, _ in model.terms.values()], np.float32),
        "coefficients.npy": np.array([weight for _, weight in model.terms.values()], np.float32),
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_entry("header.json"), json.dumps(header, indent=1, sort_keys=True))
        for name, array in arrays.items():
            with archive.open(_entry(name), "w") as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)
    return file.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def unpacked(data: bytes, source: str) -> Classifier:
    """The model in the bytes that `packed` made."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            header, arrays = _contents(archive)
        return _built(header, arrays, source)
    except BadInput as error:
        raise BadInput(f"{source!r} is no classifier: {error}") from None
    except zipfile.BadZipFile:
        raise BadInput(f"{source!r} is no classifier: not a zip file, or only part of one") from None
    except Exception as error:  # a foreign file can break the readers of zip, JSON and arrays in any way
        raise BadInput(f"{source!r} is no classifier: {error or type(error).__name__}") from None


def _contents(archive: zipfile.ZipFile) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    import numpy as np

    if set(archive.namelist()) != {"header.json", *_ARRAYS}:
        raise BadInput("it does not hold a header and three arrays")
    if sum(entry.file_size for entry in archive.infolist()) > LARGEST:
        raise BadInput("it unpacks to more than any classifier needs")
    header = json.loads(archive.read("header.json"))
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise BadInput(f"its header does not say {FORMAT}")
    if header.get("version") != VERSION:
        raise BadInput(f"its version is {header.get('version')!r}, and only {VERSION} can be read")
    arrays = {name: np.lib.format.read_array(io.BytesIO(archive.read(name)), allow_pickle=False) for name in _ARRAYS}
    return header, arrays


def _built(header: dict[str, Any], arrays: dict[str, NDArray[Any]], source: str) -> Classifier:
    for name, kind_of_number in _ARRAYS.items():
        if arrays[name].ndim != 1 or arrays[name].dtype != kind_of_number:
            raise BadInput(f"{name} is not a plain row of {kind_of_number}")
    vocabulary = arrays["vocabulary.npy"].tobytes().decode().split("\n")
    idf, coefficients = _numbers(arrays["idf.npy"]), _numbers(arrays["coefficients.npy"])
    if not len(idf) == len(coefficients) == len(vocabulary) == len(set(vocabulary)):
        raise BadInput("its arrays differ in length, or a word stands in it twice")
    scalars = [_finite(header, name) for name in ("intercept", "scale", "threshold")]
    if scalars[1] <= 0:
        raise BadInput("its scale is not above 0")
    quality = header.get("quality")
    if not isinstance(quality, dict) or not all(type(value) in (int, float) for value in quality.values()):
        raise BadInput("its quality is not a table of numbers")
    marked = header.get("marked", {})
    if not isinstance(marked, dict) or not all(type(value) is bool for value in marked.values()):
        raise BadInput("its marks are not a table of verdicts")
    terms = dict(zip(vocabulary, zip(idf, coefficients, strict=True), strict=True))
    return Classifier(terms, scalars[0], scalars[1], quality, scalars[2], source, marked)


def _numbers(array: NDArray[np.float32]) -> list[float]:
    numbers: list[float] = array.tolist()
    if not all(map(math.isfinite, numbers)):
        raise BadInput("it holds numbers that are not finite")
    return numbers


def _finite(header: dict[str, Any], name: str) -> float:
    value: Any = header.get(name)
    if type(value) not in (int, float) or not math.isfinite(value):
        raise BadInput(f"its {name} is not a finite number")
    return float(value)

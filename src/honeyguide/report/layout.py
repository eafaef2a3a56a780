"""Where to put the nodes of a network: linked ones close, all others apart; the same every time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

STEPS = 300
GOLDEN = 2.399963  # an angle that never comes round to where it began
GRAVITY = 0.06  # towards the middle, so that what has no links stays near
LITTLE = 1e-9
STRETCH = 0.4  # 0: distances from the middle stay as they are


def placed(count: int, sources: NDArray[np.int64], targets: NDArray[np.int64], pull: Numbers) -> Numbers:
    """Positions within 0…1 of nodes that push each other away while links pull (Fruchterman and Reingold)."""
    around = np.arange(count) * GOLDEN
    places = np.sqrt((np.arange(count) + 0.5) / max(count, 1))[:, None] * np.stack(
        [np.cos(around), np.sin(around)], 1
    )
    together = np.zeros((count, count))
    np.add.at(together, (sources, targets), pull)
    together = (together + together.T) / max(pull.max(initial=0.0), LITTLE)
    ideal = 1.6 / np.sqrt(max(count, 1))
    for step in range(STEPS):
        places = places + _moved(places, together, ideal, 0.2 * (1 - step / STEPS))
    return _fitted(places)


def _moved(places: Numbers, together: Numbers, ideal: float, most: float) -> Numbers:
    """One step along the forces, no longer than `most`."""
    apart = places[:, None, :] - places[None, :, :]
    distance = np.maximum(np.sqrt((apart**2).sum(axis=2)), LITTLE)
    force = (ideal / distance) ** 2 - together * distance / ideal
    np.fill_diagonal(force, 0)
    total = (apart * force[:, :, None]).sum(axis=1) * ideal - GRAVITY * places
    length = np.maximum(np.sqrt((total**2).sum(axis=1, keepdims=True)), LITTLE)
    step: Numbers = total / length * np.minimum(length, most)
    return step


def _fitted(places: Numbers) -> Numbers:
    """Stretched to fill the plane, the crowd in the middle most."""
    if not len(places):
        return places
    low, high = places.min(axis=0), places.max(axis=0)
    centred = np.where(high - low > LITTLE, 2 * (places - low) / np.maximum(high - low, LITTLE) - 1, 0.0)
    away = np.maximum(np.sqrt((centred**2).sum(axis=1, keepdims=True)), LITTLE)
    edge = np.abs(centred).max(axis=1, keepdims=True, initial=LITTLE)
    fitted: Numbers = 0.5 + centred * np.minimum(away**-STRETCH, 1 / edge) / 2
    return fitted


def moved_apart(places: Numbers, radii: Numbers, rounds: int = 60) -> Numbers:
    """Discs that overlap pushed away from each other, in the units of their radii."""
    places = places.copy()
    least = radii[:, None] + radii[None, :] + 2
    for _ in range(rounds):
        apart = places[:, None, :] - places[None, :, :]
        distance = np.maximum(np.sqrt((apart**2).sum(axis=2)), LITTLE)
        overlap = np.maximum(least - distance, 0)
        np.fill_diagonal(overlap, 0)
        if not overlap.any():
            break
        places += (apart / distance[:, :, None] * overlap[:, :, None]).sum(axis=1) * 0.3
    return places

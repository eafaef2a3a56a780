"""What a simulated crawl visited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Simulated:
    """The addresses asked for, in order, failures and redirects included, and which brought a relevant page."""

    visited: NDArray[np.int32]
    relevant: NDArray[np.bool_]

    def harvest(self) -> NDArray[np.float64]:
        """The share of relevant pages after every visit."""
        rates: NDArray[np.float64] = np.cumsum(self.relevant) / np.arange(1, len(self.relevant) + 1)
        return rates

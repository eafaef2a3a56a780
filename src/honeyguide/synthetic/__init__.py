"""An invented web, the same for the same seed, to try crawls on."""

from honeyguide.synthetic.making import generate
from honeyguide.synthetic.serve import Server
from honeyguide.synthetic.world import World
from honeyguide.synthetic.world_arrays import WorldArrays

__all__ = ["Server", "World", "WorldArrays", "generate"]

"""A small invented web, the same for the same seed, to try crawls on."""

from honeyguide.synthetic.generate import World, generate
from honeyguide.synthetic.serve import Server

__all__ = ["Server", "World", "generate"]

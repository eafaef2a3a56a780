"""The command line. Commands import what they need when they run, so that help comes at once."""

from __future__ import annotations

from honeyguide.cli.app import main

__all__ = ["main"]

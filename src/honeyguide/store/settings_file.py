"""crawl.toml: what was asked, in a form that can be read and run again."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from honeyguide.base import BadInput
from honeyguide.settings import Settings
from honeyguide.store.own_models import kept_topic, known_topic
from honeyguide.strategy import keep_files

if TYPE_CHECKING:
    from pathlib import Path


def save_settings(directory: Path, settings: Settings) -> None:
    """Write down what was asked, with copies of the files that the strategy reads; secrets are left out."""
    import tomli_w

    fresh = directory / "crawl.toml.new"  # what a killed process leaves of it is known
    keep_files(settings.strategy, directory)
    kept = {**settings.to_dict(), "topic": kept_topic(settings.topic, directory)}
    fresh.write_text(tomli_w.dumps({"crawl": kept}, multiline_strings=False), encoding="utf-8")
    fresh.replace(directory / "crawl.toml")


def toml_settings(directory: Path) -> Settings:
    """What was asked, as crawl.toml says."""
    try:
        with (directory / "crawl.toml").open("rb") as file:
            settings = Settings.from_dict(tomllib.load(file).get("crawl", {}))
            settings.topic = known_topic(settings.topic, directory)
            return settings
    except (ValueError, TypeError, AttributeError, BadInput) as error:
        raise BadInput(f"{directory}/crawl.toml cannot be read: {error}") from None

"""The reference page, made from the code: python -m honeyguide.cli.reference > docs/reference.md."""

from __future__ import annotations

import dataclasses
import sys

from honeyguide.settings import Settings, default_of
from honeyguide.strategy import strategies
from honeyguide.topic import kinds


def reference() -> str:
    """Settings, topics and strategies as tables."""
    return "\n".join(
        [
            "# Reference",
            "",
            "Made from the code by `make docs`; do not edit.",
            "",
            "## Settings",
            "",
            "Flags of `crawl` (and of `simulate`, where marked), keys of `crawl.toml`, arguments of `Crawl`.",
            "",
            "| setting | default | simulate | meaning |",
            "|---|---|---|---|",
            *(_setting(field) for field in dataclasses.fields(Settings) if not field.metadata.get("hidden")),
            "",
            "## Topics",
            "",
            "`kind:argument`, combined with `&`, `|`, `~` and parentheses; `@0.7` behind it sets the threshold.",
            "",
            "| kind | example | meaning |",
            "|---|---|---|",
            *(f"| `{kind.name}` | `{_cell(kind.example)}` | {kind.help} |" for kind in kinds()),
            "",
            "## Strategies",
            "",
            "`--strategy name`, `name:setting=value,…`, or `package.module:Class` of your own.",
            "",
            "| strategy | meaning | settings |",
            "|---|---|---|",
            *(
                _strategy(name, kind)
                for name, kind in strategies().items()
                if kind.__module__.startswith("honeyguide.")
            ),
            "",
        ]
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _setting(field: dataclasses.Field[object]) -> str:
    default = default_of(field)
    shown = "" if default in (None, [], "", False) else f"`{default}`"
    both = "yes" if field.metadata.get("both") else ""
    return f"| `--{field.name.replace('_', '-')}` | {shown} | {both} | {field.metadata['help']} |"


def _strategy(name: str, kind: type) -> str:
    knobs = [f for f in dataclasses.fields(kind) if "help" in f.metadata]
    settings = "; ".join(f"`{knob.name}` ({knob.default}): {knob.metadata['help']}" for knob in knobs)
    return f"| `{name}` | {(kind.__doc__ or '').splitlines()[0]} | {settings} |"


if __name__ == "__main__":
    sys.stdout.write(reference())

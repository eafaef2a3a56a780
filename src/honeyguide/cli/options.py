"""Command-line options made from the settings, so that each is declared once."""

from __future__ import annotations

import dataclasses
import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from honeyguide import urls
from honeyguide.base import BadInput
from honeyguide.cli.completing import BY_SETTING
from honeyguide.settings import Settings, default_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_KINDS: dict[str, Any] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "list[str]": list[str],
    "int | str": str,
}


def with_settings(live: bool) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command an option for every setting of a crawl; it receives those that were used as `given`."""
    return with_options([f for f in dataclasses.fields(Settings) if _is_for(f, live)])


def with_options(fields: Sequence[dataclasses.Field[Any]]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command an option for every field; it receives those that were used as `given`."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(command, include_extras=True)
        parameters = inspect.signature(command).parameters.values()
        own = [p.replace(annotation=hints[p.name]) for p in parameters if p.name != "given"]

        def run(**values: Any) -> None:
            given = {f.name: values.pop(f.name) for f in fields}
            command(**values, given={name: value for name, value in given.items() if value not in (None, [])})

        run.__signature__ = inspect.Signature([*own, *map(_parameter, fields)])  # type: ignore[attr-defined]
        run.__annotations__ = {**hints, **{f.name: _annotation(f) for f in fields}}
        run.__name__, run.__doc__ = command.__name__, command.__doc__
        return run

    return decorate


def _is_for(field: dataclasses.Field[Any], live: bool) -> bool:
    return not field.metadata.get("hidden") and bool(live or field.metadata.get("both"))


def _parameter(field: dataclasses.Field[Any]) -> inspect.Parameter:
    return inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_annotation(field))


def _annotation(field: dataclasses.Field[Any]) -> Any:
    kind = _KINDS[str(field.type).removesuffix(" | None")]
    default = default_of(field)
    shown = (
        ""
        if default in (None, [], "", False)
        else f" [default: {default:,}]"
        if kind is int
        else f" [default: {default}]"
    )
    flag = f"--{field.name.replace('_', '-')}"
    names = [f"{flag}/--no-{flag[2:]}"] if kind is bool else [flag]
    option = typer.Option(
        *names, help=field.metadata["help"] + shown, show_default=False, autocompletion=BY_SETTING.get(field.name)
    )
    return Annotated[kind | None, option]


def read_seeds(given: list[str]) -> list[str]:
    """Seeds as written on the command line; @file stands for the lines of a file."""
    seeds: list[str] = []
    for item in given:
        if not item.startswith("@"):
            seeds.append(item)
            continue
        try:
            lines = Path(item[1:]).read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"the seed file {item[1:]} cannot be read: {error}") from None
        for number, line in enumerate(map(str.strip, lines), 1):
            if line and not line.startswith("#"):
                seeds.append(_checked(line, f"{item[1:]}, line {number}"))
    return seeds


def _checked(seed: str, place: str) -> str:
    """A seed of a file; one that is no URL is refused with its place."""
    if "://" in seed and isinstance(found := urls.normalize(seed), urls.BadURL):
        raise BadInput(f"{place}: {seed[:100]!r} is no URL that can be crawled ({found.reason})")
    return seed

"""What a shell offers when a value is begun: strategies, kinds of topics, formats, words that a setting may be."""

from __future__ import annotations

from collections.abc import Callable, Iterator  # noqa: TC003 - typer looks at them when it runs

from honeyguide.settings import RENDER


def strategy_names(incomplete: str) -> Iterator[tuple[str, str]]:
    """Strategies, each with what it does; of a list with commas between, the last one."""
    from honeyguide.strategy import strategies

    before, comma, begun = incomplete.rpartition(",")
    for name, kind in strategies().items():
        if name.startswith(begun):
            yield f"{before}{comma}{name}", (kind.__doc__ or "").splitlines()[0]


def topic_kinds(incomplete: str) -> Iterator[tuple[str, str]]:
    """Kinds of topics, up to their colon."""
    from honeyguide.topic import kinds

    for kind in kinds():
        if kind.name.startswith(incomplete):
            yield f"{kind.name}:", kind.help


def render_words(incomplete: str) -> Iterator[str]:
    """Which pages may be rendered."""
    return (word for word in RENDER if word.startswith(incomplete))


def format_names(incomplete: str) -> Iterator[str]:
    """Formats of exports."""
    from honeyguide.export.formats import FORMATS

    return (name for name in FORMATS if name.startswith(incomplete))


BY_SETTING: dict[str, Callable[..., Iterator[str] | Iterator[tuple[str, str]]]] = {
    "strategy": strategy_names,
    "topic": topic_kinds,
    "render": render_words,
}

"""Models that a crawl directory holds itself: kept by name only, so that the directory can be copied and moved."""

from __future__ import annotations

import re
from pathlib import Path

from honeyguide.topic.argument import quote, unquote

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_MODEL = re.compile(
    rf"\bclassifier:({_QUOTED}|[\w./*?+%#-]+)|{_QUOTED}", re.DOTALL
)  # other quotations are passed over
_OWN = re.compile(r"marked-\d+\.hg")


def kept_topic(topic: str, directory: Path) -> str:
    """A topic as the directory keeps it."""

    def named(path: Path) -> str | None:
        own = path.is_absolute() and _OWN.fullmatch(path.name) and path.parent.resolve() == directory.resolve()
        return path.name if own else None

    return _MODEL.sub(lambda match: _renamed(match, named(Path(unquote(match[1] or "")))), topic)


def known_topic(topic: str, directory: Path) -> str:
    """The inverse: a topic that the directory keeps, as anybody can read it."""

    def placed(text: str) -> str | None:
        return str(directory.absolute() / text) if _OWN.fullmatch(text) else None

    return _MODEL.sub(lambda match: _renamed(match, placed(unquote(match[1] or ""))), topic)


def _renamed(match: re.Match[str], file: str | None) -> str:
    return f"classifier:{quote(file)}" if file else match[0]

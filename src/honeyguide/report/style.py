"""Colours and style of all pages: for light and dark, phone and paper, and for drawings that stand alone."""

from __future__ import annotations

import re

SERIES_LIGHT = "c77700 1f6fb2 2b8a3e c2255c 7048e8 0b8aa0 8a5a2b 343a40 727900 e03131 0e9a70 d6489a".split()
SERIES_DARK = "f0a63a 6cb6f5 69c97c f06595 a78bfa 3bd7e8 c99a6b f1f3f5 cdd63c ff6b6b 63e6be ffb3d9".split()
STEPS = 6  # of light on the map, from a host without relevant pages to one with nothing else

_LIGHT = {"ink": "1d2733", "soft": "5b6673", "paper": "ffffff", "line": "dde3ea", "gold": "c77700", "grey": "b3bcc7"}
_DARK = {"ink": "e6ebf1", "soft": "9aa6b4", "paper": "12171d", "line": "2b343f", "gold": "f0a63a", "grey": "4d5a69"}


def _between(dim: str, bright: str, part: float) -> str:
    """A colour on the way from one to another."""
    ends = zip(bytes.fromhex(dim), bytes.fromhex(bright), strict=True)
    return bytes(round(a + (b - a) * part) for a, b in ends).hex()


def _palette(named: dict[str, str], series: list[str], bright: str) -> dict[str, str]:
    lit = {f"lit{i}": _between(named["grey"], bright, i / (STEPS - 1)) for i in range(STEPS)}
    return {**named, **lit, **{f"c{i}": colour for i, colour in enumerate(series)}}


LIGHT = _palette(_LIGHT, SERIES_LIGHT, "e88b00")
DARK = _palette(_DARK, SERIES_DARK, "ffb84d")


def _variables(palette: dict[str, str]) -> str:
    return " ".join(f"--{name}: #{colour};" for name, colour in palette.items())


# What drawings look like, in the page and as files of their own.
DRAWN = f"""
svg text {{ fill: var(--soft); font: 12px system-ui, sans-serif; text-anchor: middle; }}
svg .right {{ text-anchor: end; }} svg .left {{ text-anchor: start; }} svg .axis {{ font-size: 13px; }}
svg .ink {{ fill: var(--ink); }}
.grid {{ stroke: var(--line); }} polyline {{ fill: none; stroke-width: 2.5; stroke-linejoin: round; }}
.lift {{ stroke: var(--gold); }} .perfect {{ stroke: var(--soft); stroke-width: 1; stroke-dasharray: 4 4; }}
.ahead {{ stroke: var(--gold); stroke-width: 2; stroke-dasharray: 2 4; }}
.range {{ fill: var(--gold); opacity: .2; stroke: none; }}
.good {{ fill: var(--gold); }} .track {{ fill: var(--line); }} .other {{ fill: var(--grey); }}
.edge {{ stroke: var(--soft); }} .leader {{ stroke: var(--ink); stroke-width: .7; }}
.host {{ stroke: var(--paper); stroke-width: 1; }}
svg .name {{ fill: var(--ink); stroke: var(--paper); stroke-width: 3; paint-order: stroke; stroke-linejoin: round; }}
{" ".join(f".lit{i} {{ fill: var(--lit{i}); }}" for i in range(STEPS))}
{" ".join(f".s{i} {{ color: var(--c{i}); }}" for i in range(len(SERIES_LIGHT)))}
.line {{ stroke: currentColor; stroke-width: 2; }} .more .line {{ stroke-dasharray: 7 3; }}
svg .own {{ fill: currentColor; }}
.mean {{ stroke: currentColor; stroke-width: 2; }} .more .mean {{ stroke-dasharray: 7 3; }}
.band {{ fill: currentColor; opacity: .18; stroke: none; }}
.together .band {{ opacity: 0; }} .together g:hover .band {{ opacity: .2; }}
.together g:hover .mean {{ stroke-width: 4; }}
.yardstick {{ color: var(--soft); }} .yardstick .mean {{ stroke-dasharray: 4 4; stroke-width: 1.5; }}
.yardstick .band {{ opacity: .12; }}
"""

# The same for a file: a program that opens it may know no variables.
ALONE = re.sub(r"var\(--(\w+)\)", lambda found: f"#{LIGHT[found[1]]}", DRAWN)

# What can be moved sideways has a shade at an edge behind which there is more: covers of paper move along with it.
_EDGES = ", ".join(
    f"linear-gradient(to {way}, {colours}, transparent) {edge} / {width} 100% no-repeat {moves}"
    for colours, width, moves in (("var(--paper) 40%", "3rem", "local"), ("var(--grey)", ".8rem", "scroll"))
    for edge, way in (("left", "right"), ("right", "left"))
)

PAGE = f"""
:root {{ color-scheme: light dark; {_variables(LIGHT)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_variables(DARK)} }} }}
* {{ box-sizing: border-box; }}
body {{ font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
  margin: 0 auto; padding: 1rem; }}
h1 {{ font-size: 1.4rem; margin-bottom: .2rem; overflow-wrap: anywhere; }}
h2 {{ font-size: 1.2rem; margin: 2.6rem 0 .6rem; padding-top: .6rem; border-top: 1px solid var(--line); }}
h3 {{ font-size: 1rem; margin: 1.6rem 0 .4rem; }}
a {{ color: inherit; }} nav {{ display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; font-size: .9rem; }}
.asked {{ color: var(--soft); overflow-wrap: anywhere; }}
.figures {{ display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; margin: 1.2rem 0; }}
.figures b {{ display: block; font-size: 1.7rem; line-height: 1.2; }}
svg {{ width: 100%; height: auto; display: block; }}
figure {{ margin: 1rem 0; }} figcaption {{ font-size: .9rem; color: var(--soft); overflow-wrap: anywhere; }}
.saved {{ white-space: nowrap; }}
.panels {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr));
  gap: .4rem 1.6rem; }}
.panels.two {{ grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); }}
.panels figure {{ margin: 0; }}
.wide {{ overflow-x: auto; background: {_EDGES}; }} table {{ border-collapse: collapse; width: 100%; }}
th, td {{ text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: anywhere; }} td:not(.n) {{ min-width: 9rem; }}
th {{ color: var(--soft); font-weight: 500; }} .n {{ text-align: right; white-space: nowrap; }}
td.n {{ font-variant-numeric: tabular-nums; }}
.bar {{ display: inline-block; height: .6rem; background: var(--gold); border-radius: 2px; }}
@media (max-width: 40rem) {{ body {{ padding: .8rem; }} .figures {{ gap: .8rem 1.6rem; }}
  .large svg {{ width: 36rem; max-width: none; }} h1 {{ font-size: 1.2rem; }}
  th, td {{ padding-right: .5rem; }} td:not(.n) {{ min-width: 7.5rem; }} .n {{ font-size: .9rem; }} }}
@media (max-width: 37rem) {{
  .large + figcaption::before {{ content: "Move the drawing sideways to see all of it. "; font-style: italic; }} }}
@media print {{ :root {{ color-scheme: light; {_variables(LIGHT)} }}
  body {{ font-size: 10pt; max-width: none; padding: 0; }} figcaption {{ font-size: 9pt; }}
  nav, .saved {{ display: none; }}
  h2, h3, h2 + p, h3 + p, thead {{ break-after: avoid; }} figure, tr, p {{ break-inside: avoid; }}
  .wide {{ overflow: visible; background: none; }} .large + figcaption::before {{ content: none; }}
  svg {{ max-height: 7.2cm; }} #map svg {{ max-height: 11.5cm; }} h2 {{ margin-top: 1.6rem; }}
  .panels {{ grid-template-columns: repeat(3, 1fr); }} .panels.two {{ grid-template-columns: 1fr 1fr; }}
  .bar, svg {{ print-color-adjust: exact; -webkit-print-color-adjust: exact; }} }}
{DRAWN}"""

"""A small crawl with everything an export must cope with, made on a server on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import honeyguide as hg
from loopback import Loopback, answer

if TYPE_CHECKING:
    from pathlib import Path

HOSTS = ("bees.test", "shop.bees.test", "other.test")
GERMAN = "Die Bienen sammeln den Honig und bringen ihn in den Stock, wo er für den Winter aufbewahrt wird. "
ENGLISH = "The bees collect nectar from flowers and bring it into the hive, where it becomes honey for the winter. "
ATTACK = "=cmd|' /C calc'!A0\"</script><img src=x onerror=alert(1)>\x1b[31mred\x07\u202ereversed\x00\x9b2J"
ATTACKS = [
    ATTACK,
    "+1",
    "-1+1\u2028=2\u2029\u2066\u202e=3",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "＝1",
    " \u200b=1",
    "\ud83d half",
    "--- !!python/x",
]
HONEY = f"""<html lang=en><head><title>Honey</title></head><body><nav><a href=/>Home</a> <a href=/hive>Hive</a></nav>
<main><h1>Honey</h1><p>{ENGLISH * 3}</p><h2>Kinds of <em>honey</em></h2>
<ul><li>Clover bees</li><li><a href="/hive">Heath</a></li></ul>
<pre><code class=language-python># no heading

jars = 3</code></pre><table><tr><th>kind</th><th>price</th></tr><tr><td>clover|lime</td><td>3</td></tr></table>
<p>{ENGLISH * 4}</p><a href="javascript:alert(1)">run</a></main><footer>Imprint</footer></body></html>"""


def _html(title: str, body: str) -> bytes:
    return (
        f"<html><head><title>{title}</title></head><body><main><h1>{title}</h1>{body}</main></body></html>".encode()
    )


def _written(text: str) -> str:
    """A text as a page would carry it: halves of characters and control characters by their numbers."""
    return "".join(c if " " <= c < "\x7f" and c not in "<&\"'" else f"&#{ord(c)};" for c in text)


def _headers(text: str) -> dict[str, str]:
    """Headers that say the same, as far as headers can."""
    said = "".join(c for c in text if " " <= c < "\x7f" or c == "\x9b").strip()
    return {"X_Note": ascii(text), "Last_Modified": said, "X_Robots_Tag": said, "Content_Language": said}


def site(port: int) -> dict[str, bytes]:
    """What the server answers, for all hosts."""
    attacks = [f"/attack/{n}" for n in range(len(ATTACKS))]
    hub = ["/honey", "/moved", "/hive", "/deutsch", "/plain", "/reserved", "/trains", "/gone", *attacks]
    links = "".join(f'<a href="{path}">{_written(ATTACKS[n % len(ATTACKS)])}</a>\n' for n, path in enumerate(hub))
    shop, copy = (
        f"<a href=http://shop.bees.test:{port}/wax>&quot;Wax&quot;, she said</a>",
        f"<a href=http://other.test:{port}/copy>copy</a>",
    )
    return {
        "/": answer(_html("Index", f"<p>Links to many things.</p>{links}{shop}")),
        "/honey": answer(HONEY.encode()),
        "/moved": answer(b"", "301 Moved Permanently", Location="/hive"),
        "/hive": answer(
            _html("Hive", f"<p>{ENGLISH * 5}</p><img src=/bee.png alt=bee>{copy}<a href=/honey>honey</a>")
        ),
        "/bee.png": answer(b"\x89PNG\r\n\x1a\n bee", type="image/png"),
        "/deutsch": answer(_html("Bienen", f"<p>bees: {GERMAN * 8}</p>")),
        "/plain": answer(b"All about bees, in plain text.\n\nA second paragraph.", type="text/plain"),
        "/reserved": answer(_html("Reserved bees", f"<p>{ENGLISH * 2} twice</p>"), TDM_Reservation="1"),
        "/trains": answer(_html("Trains", "<p>Rails and timetables.</p><a href=/honey>sweet</a>")),
        "/wax": answer(_html("Wax", f"<p>Wax of bees. {ENGLISH}</p>")),
        "/copy": answer(HONEY.encode()),
        **{
            path: answer(_html(_written(text), f"<p>bees {_written(text)}</p>"), **_headers(text))
            for path, text in zip(attacks, ATTACKS, strict=True)
        },
    }


def make_crawl(directory: Path, again: bool = False, **given: object) -> Path:
    """The crawl; with `again`, made once more, so that most pages are revisits."""
    with Loopback({}) as server:
        server.pages.update(site(server.port))
        own, shop, other = (f"http://{host}:{server.port}/" for host in HOSTS)
        asked = {
            "pages": 200, "strategy": "breadth-first", "delay": 0, "allow_private": True, "workers": 0,
            "concurrency": 1, "resources": True, "allow": [own, shop + "wax", other + "copy"],
            "resolve": [f"{host}=127.0.0.1" for host in HOSTS], **given,
        }  # fmt: skip
        seeds = [own]
        hg.Crawl(seeds, "keyword:bees", directory=directory, **asked).run()
        if again:
            with hg.Store.open(directory) as store:
                store.begin_again()
            hg.Crawl(seeds, "keyword:bees", directory=directory, **asked).run()
    return directory

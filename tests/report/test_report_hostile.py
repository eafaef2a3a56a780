"""Pages whose titles, addresses, anchors and headers are attacks, from a real server: the report stays the same."""

import csv
import io
import re
from collections import Counter
from html import escape
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

from honeyguide.report import write_report, write_side_by_side
from honeyguide.store import read_settings
from hostile import crawled
from html_shape import Shape
from loopback import Loopback, answer

MARKUP = "<img src=x onerror=alert(1)>\"'></script></style></svg><script>alert(2)</script><svg/onload=alert(3)>"
ATTACKS = [
    MARKUP,
    '=HYPERLINK("http://evil.test/","bees")',
    "\u202egpj.exe \x1b[2J\x9b \x00 ]]> <!-- &lt;b&gt; {{7*7}} ${7*7}",
    "javascript:alert(1)",
    "x" * 100_000,
]


def site(attack):
    """Pages with the attack in title, language, anchors and headers; one with it in its address; some errors."""
    text, address, header = (
        escape(attack),
        "/at?q=" + quote(attack[:500], safe=""),
        re.sub("[^ -~]", "", attack)[:200],
    )
    links = "".join(f'<a href="/{i}">{text} honey{i}</a>' for i in range(8)) + f'<a href="{address}">{text}</a>'
    body = f"<html lang='{text}'><title>{text}</title><p>bees {{}}</p>{links}"
    pages = {f"/{i}": answer(body.format(f"number {i}").encode(), X_Robots_Tag=header) for i in range(4)}
    pages |= {f"/{i}": answer(b"gone", f"404 {header}") for i in range(4, 6)}
    pages |= {
        "/6": answer(b"", "302 Found", Location=f"javascript:{header}"),
        "/7": answer(b"bees", type=f"x/{header}"),
    }
    return {"/": answer(body.format("").encode()), address: answer(body.format("at").encode()), **pages}


def crawl(attack, directory):
    with Loopback(site(attack.replace("{", "{{").replace("}", "}}"))) as server:
        return crawled(server, [server.origin + "/"], directory, concurrency=1)


@pytest.fixture(scope="module")
def harmless(tmp_path_factory):
    directory = tmp_path_factory.mktemp("harmless") / "crawl"
    crawl("Harmless", directory)
    return directory, Shape(write_report(directory).read_text())


@pytest.mark.parametrize("attack", ATTACKS, ids=["markup", "formula", "controls", "javascript", "long"])
def test_the_report_of_a_hostile_page_has_nothing_new_in_it(harmless, attack, tmp_path):
    came = crawl(attack, tmp_path / "crawl")
    assert came.summary.relevant > 0
    plain_directory, plain = harmless
    html = write_report(tmp_path / "crawl").read_text()
    together = write_side_by_side([tmp_path / "crawl", plain_directory], tmp_path / "page.html").read_text()
    sites = [*read_settings(tmp_path / "crawl").seed, *read_settings(plain_directory).seed]
    harmless_links = ("#", "data:image/svg+xml;", "data:text/csv;", *sites)
    for shape in (Shape(html), Shape(together)):
        assert set(shape.tags) <= set(plain.tags) | {"ul", "li"}
        assert set(shape.attributes) <= set(plain.attributes)
        assert all(link.startswith(harmless_links) for link in shape.links)
    assert Counter(Shape(html).tags)["section"] == Counter(plain.tags)["section"]
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", html + together)
    assert len(html) < 300_000


@pytest.mark.parametrize("attack", ATTACKS, ids=["markup", "formula", "controls", "javascript", "long"])
def test_what_is_taken_along_runs_nothing_either(harmless, attack, tmp_path):
    crawl(attack, tmp_path / "crawl")
    files = Shape(write_report(tmp_path / "crawl").read_text()).files
    known = set(harmless[1].files)
    assert set(files) <= known | {"best-words.svg", "best-words.csv", "worst-words.svg", "worst-words.csv"}
    for name, content in files.items():
        if name.endswith(".svg"):
            for element in ElementTree.fromstring(content).iter():
                assert element.tag.rpartition("}")[2] in {
                    "svg",
                    "title",
                    "style",
                    "rect",
                    "g",
                    "text",
                    "line",
                    "polyline",
                    "polygon",
                    "circle",
                }
                assert not [key for key in element.attrib if key.startswith("on") or "href" in key]
        else:
            for row in csv.reader(io.StringIO(content, newline="")):
                cells = [cell for cell in row if not re.fullmatch(r"-?[\d.]+(e-?\d+)?", cell)]
                assert not [cell for cell in cells if cell.lstrip(" ").startswith(tuple("=+-@\t\r\n"))]

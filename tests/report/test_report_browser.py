"""The report in a real browser, where there is one: it fits a phone, is dark on request, and its files are saved."""

import asyncio
from xml.etree import ElementTree

import pypdfium2
import pytest
from benchmarks.chromium import PROGRAM, Chromium

import honeyguide as hg
from honeyguide.report import write_report, write_side_by_side
from honeyguide.report.markup import document, section, table
from html_shape import Shape
from small_webs import topical_web

pytestmark = pytest.mark.skipif(not PROGRAM, reason="needs chromium")

COLOUR = "getComputedStyle(document.body).backgroundColor"
WIDER = "document.documentElement.scrollWidth - innerWidth"


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    home = tmp_path_factory.mktemp("browser")
    for name in ("honeyguide", "breadth-first"):
        settings = {"web": topical_web(), "pages": 120, "directory": home / name}
        hg.Crawl(["http://h0.test/1"], "label:bees", name, **settings).run()
    both = write_side_by_side([home / "honeyguide", home / "breadth-first"], home / "both.html")
    return write_report(home / "honeyguide"), both


async def looked_at(path, widths=((390, False), (1100, False), (1100, True))):
    seen = []
    async with Chromium() as browser:
        for width, dark in widths:
            await browser.show(width, dark)
            await browser.open(path)
            seen.append((await browser.value(WIDER), await browser.value(COLOUR)))
    return seen


@pytest.mark.parametrize("which", [0, 1])
def test_it_fits_the_window_and_follows_its_colours(reports, which):
    phone, light, dark = asyncio.run(looked_at(reports[which]))
    assert (phone[0] <= 0, light[0] <= 0) == (True, True)
    assert (light[1], dark[1]) == ("rgb(255, 255, 255)", "rgb(18, 23, 29)")


def test_figures_are_saved_under_the_policy_of_the_page(reports, tmp_path):
    async def save():
        async with Chromium() as browser:
            await browser.show(1100)
            await browser.open(reports[0])
            return [
                (await browser.saved(f"a[download='lift.{kind}']", tmp_path)).read_text() for kind in ("svg", "csv")
            ]

    svg, numbers = asyncio.run(save())
    files = Shape(reports[0].read_text()).files
    assert svg == files["lift.svg"]
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert numbers == files["lift.csv"].replace("\r\n", "\n")


@pytest.mark.parametrize("which", [0, 1])
def test_on_paper_it_is_light_whole_and_without_buttons(reports, which):
    seen = """[getComputedStyle(document.body).color,
      [...document.querySelectorAll('nav, .saved')].filter(e => e.offsetWidth).length,
      [...document.querySelectorAll('svg, table')].filter(e => e.getBoundingClientRect().right > innerWidth).length,
      [...document.querySelectorAll('figure')].filter(e => e.offsetHeight > 1000).length,
      [...document.querySelectorAll('table')].filter(e => !e.tHead).length]"""

    async def printed():
        async with Chromium() as browser:
            await browser.show(720, dark=True)
            dark = [{"name": "prefers-color-scheme", "value": "dark"}]
            await browser.tell("Emulation.setEmulatedMedia", media="print", features=dark)
            await browser.open(reports[which])
            return await browser.value(seen)

    assert asyncio.run(printed()) == ["rgb(29, 39, 51)", 0, 0, 0, 0]


def test_on_a_phone_it_says_what_lies_beside_the_screen(reports):
    said = "getComputedStyle(document.querySelector('.large + figcaption'), '::before').content"

    async def looked():
        found = []
        async with Chromium() as browser:
            for width in (390, 1100):
                await browser.show(width)
                await browser.open(reports[0])
                found.append(await browser.value(said))
        return found

    phone, desk = asyncio.run(looked())
    assert ("sideways" in phone, desk) == (True, "none")


def test_on_paper_no_heading_stands_alone(tmp_path):
    """What is said below it and the head of its table do not count as company."""
    rows = [["<br>".join(["a row"] * 4)]] * 3
    part = section("part", "Heading", "<p>Said below it.</p>", table(["Head"], rows))
    spaced = "".join(f"<p style='height:{1 + height}px'></p>{part}" for height in range(0, 600, 20))
    (tmp_path / "page.html").write_text(document("Headings", spaced))

    async def printed():
        async with Chromium() as browser:
            await browser.open(tmp_path / "page.html")
            await browser.printed(tmp_path / "page.pdf")

    asyncio.run(printed())
    with pypdfium2.PdfDocument(tmp_path / "page.pdf") as pdf:
        ends = {page.get_textpage().get_text_bounded().split()[-1] for page in pdf}
    assert ends == {"row"}


def test_nothing_is_asked_for(reports):
    async def tried():
        async with Chromium() as browser:
            await browser.open(reports[0])
            return await browser.value("performance.getEntriesByType('resource').length")

    assert asyncio.run(tried()) == 0

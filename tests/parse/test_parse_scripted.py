"""Pages that wait for their scripts, told from those that do not."""

from dataclasses import replace

import pytest

from honeyguide.parse import Reading, parse
from honeyguide.parse.scripted import Signs, waits_for_scripts

WORDS = "bees and honey " * 20
ASKING = Reading(scripts=True)


def scripted(html):
    return parse("http://a.example/", html.encode(), reading=ASKING).scripted


@pytest.mark.parametrize(
    "html",
    [
        '<div id="root"></div><script src="/app.js"></script>',
        '<div id="app"> </div><script type="module" src="/app.js"></script>',
        f'<nav>{"<a href=/x>Menu entry</a> " * 30}</nav><div id="__next"></div><script src="/app.js"></script>',
        "<app-root></app-root><script src=a.js></script><script src=b.js></script>",
        "<noscript>You need to enable JavaScript to run this app.</noscript><script src=a.js></script>",
        "<p>Loading</p><script>document.querySelector('p').textContent = 'many words about bees'</script>",
        "<p>Loading, please wait until it is all there.</p>" + "<script src=a.js></script>" * 3,
        "<title>Shop</title><script src=a.js></script>",
    ],
)
def test_a_shell_waits_for_its_scripts(html):
    assert scripted(html) == "waits"


@pytest.mark.parametrize(
    "html",
    [
        f'<div id="root"><p>{WORDS}</div><script src="/app.js"></script>',
        f"<p>{WORDS}" + "<script src=a.js></script>" * 9,
        f"<p>{WORDS}<noscript>Enable JavaScript to comment.</noscript><script src=a.js></script>",
        "<p>Bees.",
        '<div id="root"></div>',
        '<p>Short.<script type="application/ld+json">{"name": "a long description of something"}</script>',
        "<p>A short page with a counter, and with some fifty letters.<script src=count.js></script>",
    ],
)
def test_a_page_with_words_or_without_scripts_does_not(html):
    assert scripted(html) == ("some" if "src=" in html else "")


def test_it_is_found_out_only_where_asked():
    shell = b'<div id="root"></div><script src="/app.js"></script>'
    assert parse("http://a.example/", shell).scripted == ""
    assert parse("http://a.example/", shell, reading=replace(ASKING, surroundings=False)).scripted == "waits"


@pytest.mark.parametrize(("size", "waits"), [(0, True), (199, True), (200, False)])
def test_the_limit_is_200_characters(size, waits):
    assert waits_for_scripts("x" * 500, "x" * size, Signs(files=1, empty_place=True)) is waits
    assert waits_for_scripts("x" * size, "x" * 500, Signs(written=300)) is waits

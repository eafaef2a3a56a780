"""Links of the docs to other sites: whole, secure, and each with a reason to be there."""

from urllib.parse import urlsplit

from benchmarks.links import PAGES, WHY, links, troubles

from loopback import Loopback, answer

FOUND = [(page.name, link) for page in PAGES for link in links(page.read_text(encoding="utf-8"))]


def test_every_link_has_its_reason():
    assert not [(page, link) for page, link in FOUND if link not in WHY], "a typing error, or one to add to WHY"
    assert not set(WHY) - {link for _, link in FOUND}, "no page has it any more"
    assert all(WHY.values())


def test_every_link_is_whole_and_secure():
    for url in WHY:
        parts = urlsplit(url)
        assert (parts.scheme, parts.username, parts.port, parts.query) == ("https", None, None, ""), url
        assert "." in parts.netloc
        assert parts.netloc == parts.netloc.lower()
        assert parts.path.strip("/"), url


def test_links_are_found_as_they_are_written():
    text = '[a](https://a.example/x "b"), <https://b.example/>\n\n[c]: HTTP://c.example/\n```text\nhttp://d.example\n```\n'
    assert links(text) == ["https://a.example/x", "https://b.example/", "HTTP://c.example/"]


def test_those_that_are_gone_are_told():
    pages = {"/here": answer(b"<title>Here</title>"), "/moved": answer(b"", "301 Moved", Location="/here")}
    with Loopback(pages) as server:
        asked = [f"{server.origin}/{name}" for name in ("here", "moved", "gone")]
        gone = troubles(asked, allow_private=True, delay=0, ip_delay=0, workers=0)
    assert gone == {asked[2]: "http_404"}

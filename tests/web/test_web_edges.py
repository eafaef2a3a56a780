"""Edge lists become webs of pages without text."""

import gzip

import pytest

from honeyguide.base import BadInput, Page
from honeyguide.web.edges import Edges
from honeyguide.web.sources import read_source


def read(path, text):
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return list(read_source(path))


def linked(pages):
    return {page.url: [link.url for link in page.links] for page in pages}


def test_numbers_stand_for_pages(tmp_path):
    pages = read(tmp_path / "web.txt", "# Nodes: 3 Edges: 3\n1\t2\n3 1\n1 3\n")
    at = "http://nodes.invalid/{}".format
    assert linked(pages) == {at(1): [at(2), at(3)], at(2): [], at(3): [at(1)]}


def test_urls_are_put_in_their_normal_form_and_keep_their_anchors(tmp_path):
    (first, second) = read(
        tmp_path / "web.tsv", "source\ttarget\tanchor\nHTTP://A.test\thttp://b.test/x#y\tabout, bees\n"
    )
    assert (first.url, second.url) == ("http://a.test/", "http://b.test/x")
    assert [(link.url, link.anchor) for link in first.links] == [("http://b.test/x", "about, bees")]


def test_names_need_a_header(tmp_path):
    assert [page.url for page in read(tmp_path / "a.csv", "Source,Target\nbees,the hive\n")] == [
        "http://nodes.invalid/bees",
        "http://nodes.invalid/the%20hive",
    ]
    with pytest.raises(BadInput, match="no edge list"):
        read(tmp_path / "b.csv", "bees,the hive\n")


def test_bad_lines_are_named_and_left_out(tmp_path):
    text = "http://a.test/ http://b.test/\nhttp://a.test/\n\nhttp://a.test/ mailto:me@b.test\nhttp://b.test/ http://a.test/\n"
    bad, pages = [], []
    for item in read(tmp_path / "web.edges", text):
        (pages if isinstance(item, Page) else bad).append(item)
    assert [str(entry) for entry in bad] == ["line 2: no two addresses", "line 4: 'mailto:me@b.test' is no URL"]
    assert linked(pages) == {"http://a.test/": ["http://b.test/"], "http://b.test/": ["http://a.test/"]}


def test_among_urls_names_are_bad_lines_and_so_is_what_is_no_text(tmp_path):
    lines = b"http://a.test/ http://b.test/\nERROR timeout\nhttp://a.test/ http://c\xff\xfe.test/\nhttp://b.test/ http://a.test/\n"
    items = read(tmp_path / "web.edges", lines)
    bad = [str(item) for item in items if not isinstance(item, Page)]
    assert [line.partition(":")[0] for line in bad] == ["line 2", "line 3"]
    assert "'ERROR' is no URL" in bad[0]
    assert len(items) - len(bad) == 2


def test_a_list_that_was_cut_short(tmp_path):
    whole = gzip.compress(b"".join(b"%d %d\n" % (i, i + 1) for i in range(20_000)))
    items = read(tmp_path / "web.txt.gz", whole[: len(whole) // 2])
    damage = [item for item in items if not isinstance(item, Page)]
    assert [item.place for item in damage if "cut short" in item.reason] == ["the end of the file"]
    assert len(items) > 1000


def test_links_are_told_as_they_are_read():
    told = []
    edges = Edges(told.append)
    for line in ("1 2", "not-two", "2 3"):
        edges.add(line)
    assert told == [1, 2]

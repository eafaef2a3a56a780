"""Stored webs as arrays: what goes in comes out, and what was cut short is said to be."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from honeyguide.atlas import Atlas, AtlasBuilder
from honeyguide.atlas.layout import ARRAYS
from honeyguide.base import BadInput, Link, Page
from small_webs import page, stored

A, B, C, D = (f"http://{name}.test/" for name in "abcd")
FULL = Page(
    "http://a.example/",
    title="Bees ✓",
    text="All about bees",
    main="bees",
    language="en",
    links=(
        Link("http://b.example/", "b", "before after", 0, "body/a", frozenset({"nofollow", "ugc"})),
        Link("http://c.example/", position=1),
    ),
    type="application/xhtml+xml",
    charset="utf-8",
    canonical="http://a.example/c",
    robots=frozenset({"noindex"}),
    refresh="http://a.example/r",
    label="insects",
    bad_links=3,
)


def rows(values, start):
    return [values[i:j].tolist() for i, j in pairwise(start)]


def test_pages_come_back(tmp_path):
    bare = Page("http://0.example/")
    builder = AtlasBuilder(tmp_path)
    assert builder.add(FULL)
    assert builder.add(bare)
    assert not builder.add(replace(FULL, title="another"))
    builder.finish()
    atlas = Atlas(tmp_path)
    assert atlas.pages == 2
    assert list(atlas.all_pages()) == [FULL, bare]
    assert atlas.find("http://a.example/") == 0
    assert atlas.find("http://nowhere.example/") is None


def test_addresses_are_numbered_pages_first_and_links_go_both_ways(tmp_path):
    atlas = Atlas(stored(tmp_path, page(A, C, B, C, A), page(B, D, A)))
    assert [atlas.urls[i] for i in range(len(atlas))] == [A, B, C, D]
    assert rows(atlas.out, atlas.out_start) == [[2, 1], [3, 0], [], []]  # each once, and never the page itself
    assert rows(atlas.into, atlas.into_start) == [[1], [0], [0], [1]]
    assert [atlas.hosts[i] for i in atlas.host] == ["a.test", "b.test", "c.test", "d.test"]


def test_words_of_pages_and_anchors(tmp_path):
    links = (Link(B, "The bees"), Link(A, "myself"), Link(C), Link(B, "bees again"))
    atlas = Atlas(stored(tmp_path, Page(A, title="Bees", text="The hive", links=links)))
    spelled = [[atlas.words[i] for i in row] for row in rows(atlas.anchor_words, atlas.anchor_start)]
    assert spelled == [["the", "bees", "", "bees", "again"], []]  # what is empty stands between two anchors
    assert [atlas.words[i] for i in atlas.page_words] == ["bees", "the", "hive"]
    assert atlas.word_numbers["hive"] == atlas.page_words[2]


def test_labels_redirects_and_failures(tmp_path):
    builder = AtlasBuilder(tmp_path)
    builder.add_redirect(C, B)
    builder.add_failure(D, "http_404")
    builder.add(page(A, B, C, D, label="nature"))
    builder.add(page(B))
    builder.finish()
    atlas = Atlas(tmp_path)
    numbers = {url: atlas.find(url) for url in (A, B, C, D)}
    assert [atlas.label_of(numbers[url]) for url in (A, B)] == ["nature", ""]
    assert atlas.redirect[numbers[C]] == numbers[B]
    assert atlas.redirect[numbers[D]] == -1
    assert [atlas.why_failed(numbers[url]) for url in (A, C, D)] == ["", "", "http_404"]


def test_an_address_that_holds_a_page_neither_fails_nor_leads_elsewhere(tmp_path):
    builder = AtlasBuilder(tmp_path)
    builder.add_redirect(A, B)
    builder.add(page(A, B))
    builder.add(page(B))
    builder.add_failure(B, "http_404")
    builder.finish()
    atlas = Atlas(tmp_path)
    assert atlas.redirect[atlas.find(A)] == -1
    assert atlas.why_failed(atlas.find(B)) == ""


names = st.integers(0, 9).map(lambda n: f"http://{n % 3}.test/{n}")


@given(st.dictionaries(names, st.lists(names, max_size=6), max_size=6))
def test_any_web_comes_back(tmp_path_factory, links):
    directory = tmp_path_factory.mktemp("atlas") / "web"
    atlas = Atlas(stored(directory, *(page(url, *targets) for url, targets in links.items())))
    known = [atlas.urls[i] for i in range(len(atlas))]
    assert known[: atlas.pages] == list(links)
    assert set(known) == {*links, *(target for targets in links.values() for target in targets)}
    assert all(atlas.find(url) == i for i, url in enumerate(known))
    for i, (url, targets) in enumerate(links.items()):
        assert [known[j] for j in atlas.links_from(i)] == [t for t in dict.fromkeys(targets) if t != url]
    edges = {(i, j) for i in range(len(atlas)) for j in atlas.links_from(i).tolist()}
    assert edges == {(i, j) for j in range(len(atlas)) for i in atlas.links_to(j).tolist()}


def test_arrays_cannot_be_written_to(tmp_path):
    atlas = Atlas(stored(tmp_path, page(A, B)))
    with pytest.raises(ValueError, match="read-only"):
        atlas.out[0] = 0


@pytest.mark.parametrize("name", sorted(ARRAYS))
def test_a_web_that_was_cut_short(tmp_path, name):
    stored(tmp_path, Page(A, title="bees", links=(Link(B, "honey"),)))
    path = tmp_path / f"{name}.bin"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(BadInput, match=rf"{name}\.bin has .* bytes, not .*: the web was cut short; import it again"):
        Atlas(tmp_path)
    path.unlink()
    with pytest.raises(BadInput, match="cut short"):
        Atlas(tmp_path)


def test_a_web_of_another_version(tmp_path):
    manifest = stored(tmp_path, page(A)) / "web.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"format": 99}))
    with pytest.raises(BadInput, match="is a stored web of format 99, not 1; import it again"):
        Atlas(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": 1}', '{"format": 1, "pages": 1, "what": 2}'])
def test_a_manifest_that_says_nothing(tmp_path, content):
    (stored(tmp_path, page(A)) / "web.json").write_text(content)
    with pytest.raises(BadInput, match=r"web\.json cannot be read .*; import the web again"):
        Atlas(tmp_path)


def test_an_import_that_did_not_come_to_its_end_is_no_web(tmp_path):
    builder = AtlasBuilder(tmp_path / "web")
    builder.add(page(A))
    with pytest.raises(BadInput, match="no stored web, or one whose import did not come to its end"):
        Atlas(tmp_path / "web")
    builder.abandon()
    assert not (tmp_path / "web").exists()


def test_nothing_is_written_over(tmp_path):
    (tmp_path / "mine").write_text("keep")
    with pytest.raises(BadInput, match="exists and is not empty"):
        AtlasBuilder(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_too_many_labels(tmp_path, monkeypatch):
    monkeypatch.setattr("honeyguide.atlas.building.MOST_LABELS", 1)
    builder = AtlasBuilder(tmp_path)
    builder.add(page(A, label="one"))
    with pytest.raises(BadInput, match="more than 1 labels, too many for a stored web; the last is 'two'"):
        builder.add(page(B, label="two"))
    builder.abandon()


def test_a_web_without_pages(tmp_path):
    atlas = Atlas(stored(tmp_path))
    assert (atlas.pages, len(atlas), atlas.find(A)) == (0, 0, None)


def test_processes_share_what_is_mapped(tmp_path):
    atlas = Atlas(stored(tmp_path, *(page(f"{A}{i}", *(f"{A}{j}" for j in range(40))) for i in range(40))))
    mapped = [line for line in Path("/proc/self/maps").read_text().splitlines() if str(tmp_path / "out.bin") in line]
    assert mapped and all(" r--s " in line for line in mapped)  # shared, and only to be read
    assert int(np.sum(atlas.out_start[1:] - atlas.out_start[:-1])) == 40 * 39


def test_a_damaged_page_and_a_wrong_number_of_pages_are_told(tmp_path):
    directory = stored(tmp_path / "web", Page(A, text="bees"), Page(B, text="roads"))
    data = directory / "page_data.bin"
    data.write_bytes(bytes(data.stat().st_size))
    with pytest.raises(BadInput, match="a page of the stored web is damaged"):
        Atlas(directory).page(0)
    manifest = directory / "web.json"
    manifest.write_text(manifest.read_text().replace('"pages": 2', '"pages": 1'))
    with pytest.raises(BadInput, match="1 pages, 2 labels"):
        Atlas(directory)

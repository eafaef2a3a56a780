"""Markdown files and passages: what they hold, how they are named and cut."""

import html
import itertools
import json
import re

import pandas
import polars
import pyarrow.json
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import honeyguide as hg
from exported_crawl import ATTACKS
from honeyguide.base import BadInput
from honeyguide.characters import readable
from honeyguide.export.chunks import _WORD, blocks, passages, sections
from honeyguide.export.options import Options
from honeyguide.export.outputs import file_name
from honeyguide.export.writing import export
from honeyguide.parse.markdown import markdown


@pytest.fixture(scope="module")
def folder(crawled, tmp_path_factory):
    path = tmp_path_factory.mktemp("texts") / "pages"
    assert export(crawled, path).written == 16
    return path


def parted(file):
    """The front matter, by an independent reader, and the text."""
    _, matter, text = file.read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(matter), text


def test_every_page_is_a_file_with_front_matter(folder, crawled):
    found = [parted(file)[0] for file in sorted(folder.iterdir())]
    for known, record in zip(found, hg.open(crawled).columns("url"), strict=True):
        assert {name: getattr(record, name) for name in known} == known
        assert known["url"] and known["relevant"] is True and isinstance(known["relevance"], float)


def test_the_text_keeps_headings_lists_code_and_tables(folder):
    (file,) = [file for file in folder.iterdir() if parted(file)[0]["title"] == "Honey"]
    text = parted(file)[1]
    for part in ("# Honey\n", "## Kinds of *honey*\n", "- Clover bees\n", "| kind | price |", "clover\\|lime"):
        assert part in text
    assert "```python\n# no heading\n\njars = 3\n```" in text
    assert re.search(r"- \[Heath\]\(http://bees\.test:\d+/hive\)", text)
    assert "Imprint" not in text and "Home" not in text and "javascript:" not in text and "run" in text


def test_a_reader_of_commonmark_sees_the_parts_of_the_page(folder):
    (file,) = [file for file in folder.iterdir() if parted(file)[0]["title"] == "Honey"]
    tokens = MarkdownIt("commonmark").enable("table").parse(parted(file)[1])
    kinds = [token.type for token in tokens]
    assert [tokens[i + 1].content for i, kind in enumerate(kinds) if kind == "heading_open"] == [
        "Honey", "Kinds of *honey*",
    ]  # fmt: skip
    assert [(t.info, t.content) for t in tokens if t.type == "fence"] == [("python", "# no heading\n\njars = 3\n")]
    assert [tokens[i + 1].content for i, kind in enumerate(kinds) if kind in ("th_open", "td_open")] == [
        "kind", "price", "clover|lime", "3",
    ]  # fmt: skip
    assert kinds.count("list_item_open") == 2
    assert not [token for token in every_token(folder) if token.type in ("html_block", "html_inline")]


def every_token(folder):
    """Of all pages of HTML: what a reader of CommonMark sees in them."""
    pages = [parted(file) for file in folder.iterdir()]
    tokens = [t for known, text in pages if known["type"] == "text/html" for t in MarkdownIt().parse(text)]
    return [*tokens, *(child for token in tokens for child in token.children or ())]


def test_plain_text_stays_plain(folder):
    (file,) = [file for file in folder.iterdir() if parted(file)[0]["type"] == "text/plain"]
    assert parted(file)[1].strip() == "All about bees, in plain text.\n\nA second paragraph."


def test_attacks_are_only_text(folder):
    for file in folder.iterdir():
        text = file.read_text(encoding="utf-8")
        assert not {"\x1b", "\x00", "\x07", "\x9b"} & set(text)
        assert not re.search(r"(?<!\\)<(?:script|img|/script)", parted(file)[1])
    titles = [parted(file)[0].get("title") for file in folder.iterdir()]
    assert "--- !!python/x" in titles and "@SUM(1)" in titles


def test_a_folder_that_holds_something_is_not_written_to(crawled, tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "mine.txt").write_text("mine")
    with pytest.raises(BadInput, match="exists already"):
        export(crawled, tmp_path / "pages")
    assert [path.name for path in tmp_path.rglob("*")] == ["pages", "mine.txt"]


@given(st.integers(0, 10**7), st.text(max_size=300))
def test_a14_no_address_chooses_the_name_of_a_file(number, url):
    name = file_name(number, url, ".md")
    assert re.fullmatch(r"\d{6,}(-[a-z0-9]+)*\.md", name) and len(name) < 110
    assert name.startswith(f"{number:06d}")


@given(st.integers(0, 999), st.integers(0, 999), st.sampled_from(["http://a.test/../x", "http://a.test/x", "CON"]))
def test_two_pages_never_share_a_name(first, second, url):
    assert (file_name(first, url, ".md") == file_name(second, url, ".md")) == (first == second)


@pytest.mark.parametrize("href", ["javascript:alert(1)", " java\nscript:alert(1)", "data:text/html,x", "vbscript:x"])
def test_no_link_runs_anything(href):
    made = markdown(
        "http://a.test/", f"<main><p><a href='{href}'>go</a> <img src='{href}' alt=pic>".encode(), "text/html"
    )
    assert made == "go pic"


@pytest.mark.parametrize("character", ["\x0b", "\x1b", "\u2028", "\u2029", "\u202e", "\u2066", "\ufdd0"])
def test_no_character_that_is_left_out_makes_markup_of_a_text(character):
    c = f"&#{ord(character)};"
    body = f"<main><p>{c}# a</p><h2>b{c}## c</h2><p>{c}- d &lt;{c}img{c}&gt; *{c}*e*{c}* {c}</p><pre>f{c}g</pre>"
    made = markdown("http://a.test/", body.encode(), "text/html") or ""
    assert readable(made) == made
    shown = [token.type for token in MarkdownIt("commonmark").parse(made) if token.nesting == 1]
    assert shown == ["paragraph_open", "heading_open", "paragraph_open"]


@pytest.mark.parametrize("character", ["\x0b", "\u2028", "\u202e", "`"])
@pytest.mark.parametrize("body", ["<pre class='{}'># x</pre>", "<pre><code class='{}'># x</code></pre>"])
def test_the_language_of_a_fence_is_clean(body, character):
    named = body.format(f"language-a&#{ord(character)};b")
    made = markdown("http://a.test/", f"<main><p>Some words</p>{named}<p>More</p></main>".encode(), "text/html") or ""
    assert readable(made) == made
    shown = [token.type for token in MarkdownIt("commonmark").parse(made) if token.nesting >= 0]
    assert shown == ["paragraph_open", "inline", "fence", "paragraph_open", "inline"]


TARGETS = {
    "/x y": "http://a.test/x%20y",
    "/(a)[b]": "http://a.test/%28a%29%5Bb%5D",
    "/a|b\\c^d`e{f}\"'": "http://a.test/a%7Cb/c%5Ed%60e%7Bf%7D%22'",
    "/?q=<b>&copy;[1]|2#to `p": "http://a.test/?q=%3Cb%3E&copy;%5B1%5D%7C2#to%20%60p",
    "/é\u202ecod\u2028\x01x": "http://a.test/%C3%A9%E2%80%AEcod%E2%80%A8%01x",
    "HTTP://[::1]:81/[x]": "http://[::1]:81/%5Bx%5D",
    "//Bücher.test/100%": "http://xn--bcher-kva.test/100%",
}


@pytest.mark.parametrize("href, target", TARGETS.items())
def test_where_links_lead_is_written_as_every_reader_of_markdown_takes_it(href, target):
    escaped = html.escape(href)
    body = f'<main><p><a href="{escaped}">go</a> <img src="{escaped}" alt=pic> <a href="{escaped}">{escaped}</a>'
    made = markdown("http://a.test/", body.encode(), "text/html; charset=utf-8") or ""
    assert readable(made) == made
    assert [target] * 3 == [unquoted.replace("100%25", "100%") for unquoted in linked(made)]
    assert f"[go]({target})".replace("&copy;", "\\&copy;") in made


def linked(text):
    """Where the links and images of a text lead, by an independent reader."""
    (paragraph,) = [token for token in MarkdownIt("commonmark").parse(text) if token.type == "inline"]
    return [
        found for token in paragraph.children for found in [token.attrGet("href") or token.attrGet("src")] if found
    ]


@pytest.mark.parametrize("href", ["http://b\u202ead/x", "http://[bad", "http:// bad/x", "https://a\u2028b/"])
def test_what_is_no_address_is_no_link(href):
    body = f"<main><p><a href='{href}'>go</a> <img src='{href}' alt=pic>"
    assert markdown("http://a.test/", body.encode(), "text/html; charset=utf-8") == "go pic"


def test_markdown_without_addresses_and_of_other_types():
    body = b"<main><p>See <a href=/x>this</a> and <img src=/y.png alt=that></p></main>"
    assert markdown("http://a.test/", body, "text/html", addresses=False) == "See this and that"
    assert markdown("http://a.test/", b"<html xmlns='http://www.w3.org/1999/xhtml'><body><p>x</p></body></html>",
                    "application/xhtml+xml") == "x"  # fmt: skip
    assert markdown("http://a.test/", b"text", "text/plain") is None


def test_a_page_of_very_deep_tags_is_read():
    assert "deep" in (markdown("http://a.test/", b"<div>" * 20_000 + b"deep", "text/html") or "")


# -- passages -----------------------------------------------------------------------------------------------------


def test_passages_say_where_they_stand(crawled, tmp_path):
    export(crawled, tmp_path / "p.chunks.jsonl", options=Options(words=40, overlap=5))
    rows = [json.loads(line) for line in (tmp_path / "p.chunks.jsonl").read_text().splitlines()]
    honey = [row for row in rows if row["title"] == "Honey"]
    assert [row["position"] for row in honey] == list(range(len(honey))) and {r["of"] for r in honey} == {len(honey)}
    assert honey[0]["headings"] == ["Honey"] and honey[-1]["headings"] == ["Honey", "Kinds of *honey*"]
    assert all(len(row["text"].split()) <= 40 for row in rows)
    assert not [row for row in rows if "](http" in row["text"]]
    first, second = honey[0]["text"].split(), honey[1]["text"].split()
    assert first[-5:] == second[:5]
    assert {row["url"] for row in rows} == {record.url for record in hg.open(crawled).columns("url")}


def test_passages_are_read_back_by_pandas_polars_and_pyarrow(crawled, tmp_path):
    path = tmp_path / "p.chunks.jsonl"
    export(crawled, path, options=Options(words=40, overlap=5))
    rows = [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]
    frames = [
        pandas.read_json(path, lines=True).to_dict("list"),
        polars.read_ndjson(path).to_dict(as_series=False),
        pyarrow.json.read_json(path).to_pydict(),
    ]
    assert len(rows) > 16 and any("=2 =3" in row["text"] for row in rows)
    for frame in frames:
        assert list(frame) == list(rows[0])
        for name in ("url", "title", "text", "headings", "position", "of"):
            assert [*frame[name]] == [row[name] for row in rows], name


def test_packed_passages_are_read_back(crawled, tmp_path):
    export(crawled, tmp_path / "p.chunks.jsonl.gz")
    export(crawled, tmp_path / "p.chunks.jsonl")
    plain, packed = (polars.read_ndjson(tmp_path / name) for name in ("p.chunks.jsonl", "p.chunks.jsonl.gz"))
    assert plain.equals(packed) and len(plain) >= 16


def test_code_is_neither_cut_at_blank_lines_nor_taken_for_headings():
    text = "# A\n\n```\n# no heading\n\nx\n```\n\n~~~\n```\n\n~~~\n\nend"
    assert list(blocks(text)) == ["# A", "```\n# no heading\n\nx\n```", "~~~\n```\n\n~~~", "end"]
    assert [section.headings for section in sections(text)] == [("A",)]


def test_headings_make_a_path():
    text = "# A\n\n### C\n\ntext\n\n## B\n\ntext\n\n# D"
    assert [section.headings for section in sections(text)] == [("A",), ("A", "C"), ("A", "B"), ("D",)]


@given(
    st.lists(st.text(alphabet="ab é日\n", min_size=1, max_size=80).filter(str.strip), min_size=1, max_size=6),
    st.integers(2, 12),
    st.integers(0, 5),
)
def test_no_word_is_lost_between_passages(parts, words, overlap):
    overlap = min(overlap, words - 1)
    found = [_WORD.findall(passage) for passage in passages(parts, words, overlap)]
    joined = found[0]
    for before, after in itertools.pairwise(found):
        shared = min(overlap, len(before) - 1)
        assert before[len(before) - shared :] == after[:shared] and len(after) <= words
        joined = joined + after[shared:]
    assert joined == _WORD.findall("\n\n".join(parts))


def test_scripts_without_blanks_are_cut_as_well():
    found = list(passages(["蜂" * 1000], 300, 0))
    assert [len(passage) for passage in found] == [300, 300, 300, 100]
    assert [len(passage) for passage in passages(["x" * 1000], 3, 0)] == [300, 300, 300, 100]


def test_attacks_in_passages_are_only_text(crawled, tmp_path):
    export(crawled, tmp_path / "p.chunks.jsonl")
    text = (tmp_path / "p.chunks.jsonl").read_text(encoding="utf-8")
    assert all(c >= " " or c == "\n" for c in text) and len(ATTACKS) < text.count("\n")

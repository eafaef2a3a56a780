"""JSONL, CSV and Parquet, read back by pandas, polars, pyarrow and the standard library."""

import csv
import datetime
import gzip
import io
import json
import re
import shutil
import subprocess
import sys

import pandas
import polars
import pyarrow
import pyarrow.json
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import honeyguide as hg
from exported_crawl import ATTACKS
from honeyguide.base import BadInput
from honeyguide.characters import REVERSING, readable
from honeyguide.export.cleaning import address, cell, one_line
from honeyguide.export.options import Options
from honeyguide.export.record import COLUMNS, FACTS, USUAL
from honeyguide.export.selection import Selection
from honeyguide.export.writing import export
from honeyguide.store import Store
from small_webs import stored

RELEVANT = 16
TRIGGERS = tuple("=+-@\t\r\n＝＋－＠")


def test_jsonl_is_read_back_by_pandas(crawled, tmp_path):
    outcome = export(crawled, tmp_path / "pages.jsonl")
    frame = pandas.read_json(tmp_path / "pages.jsonl", lines=True)
    assert outcome.written == len(frame) == RELEVANT
    assert list(frame.columns) == list(USUAL)
    hive = frame[frame.title == "Hive"].iloc[0]
    assert hive.url.endswith("/hive") and hive.host.startswith("bees.test:")
    assert hive.main.count("nectar") == 5 and hive.relevant and hive.status == 200 and hive.depth == 1
    assert hive.digest.startswith("sha1:") and hive.language == "en" and hive["type"] == "text/html"


def test_jsonl_is_read_back_by_polars_and_pyarrow(crawled, tmp_path):
    export(crawled, tmp_path / "pages.jsonl", options=Options(columns=",".join(COLUMNS)))
    expected = [{name: getattr(page, name) for name in COLUMNS} for page in hg.open(crawled).columns(*COLUMNS)]
    assert polars.read_ndjson(tmp_path / "pages.jsonl").to_dicts() == expected
    table = pyarrow.json.read_json(tmp_path / "pages.jsonl").to_pylist()
    assert [{**row, "date": f"{row['date']:%Y-%m-%dT%H:%M:%SZ}"} for row in table] == expected


@pytest.mark.parametrize(
    ("detail", "rendered"), [("rendered", True), ("rendered; cut", True), ("not rendered: x", False), ("", False)]
)
def test_a_text_that_a_browser_brought_is_told(crawled, tmp_path, detail, rendered):
    shutil.copytree(crawled, tmp_path / "crawl")
    with Store.open(tmp_path / "crawl") as store:
        store.database.execute("UPDATE visits SET detail = ? WHERE title = 'Hive'", (detail,))
        store.commit()
    export(tmp_path / "crawl", tmp_path / "pages.jsonl", options=Options(columns="title,rendered"))
    told = {
        row["title"]: row["rendered"] for row in map(json.loads, (tmp_path / "pages.jsonl").read_text().splitlines())
    }
    assert told["Hive"] is rendered and told["Honey"] is False


def test_what_is_left_out_is_counted_by_reason(crawled, tmp_path):
    outcome = export(crawled, tmp_path / "pages.jsonl")
    assert outcome.left_out == {"not relevant": 2, "copy": 1, "redirect": 1, "failed": 1, "image": 1}


def test_a_name_that_ends_in_gz_is_packed(crawled, tmp_path):
    export(crawled, tmp_path / "pages.jsonl")
    export(crawled, tmp_path / "pages.jsonl.gz")
    assert gzip.decompress((tmp_path / "pages.jsonl.gz").read_bytes()) == (tmp_path / "pages.jsonl").read_bytes()


def test_a12_csv_is_read_back_by_pandas_and_no_cell_is_a_formula(crawled, tmp_path):
    export(crawled, tmp_path / "pages.csv", options=Options(columns=",".join(COLUMNS)))
    frame = pandas.read_csv(tmp_path / "pages.csv", keep_default_na=False)
    assert len(frame) == RELEVANT and list(frame.columns) == list(COLUMNS)
    text = [name for name in COLUMNS if frame[name].dtype in ("object", "str")]
    assert {"title", "main", "modified"} <= set(text)
    assert any("=cmd|" in value for value in frame.modified)  # a header
    cells = [value for name in text for value in frame[name] if isinstance(value, str) and name != "score"]
    assert not [value for value in cells if value.lstrip("\u200b ").startswith(TRIGGERS)]
    assert not [value for value in cells if {"\x1b", "\x00", "\u202e", "\x9b"} & set(value)]
    assert "'=cmd|' /C calc'!A0\"</script><img src=x onerror=alert(1)>[31mredreversed�›2J" in set(frame.title)


def test_csv_without_further_word_has_no_texts(crawled, tmp_path):
    export(crawled, tmp_path / "pages.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "pages.csv").read_text())))
    assert tuple(rows[0]) == FACTS and len(rows) == RELEVANT


def test_parquet_is_read_back_by_pyarrow_and_polars(crawled, tmp_path):
    export(crawled, tmp_path / "pages.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "pages.parquet")
    assert table.num_rows == RELEVANT and table.column_names == list(USUAL)
    assert table.schema.field("date").type == pyarrow.timestamp("ms", "UTC")
    assert table.schema.field("relevant").type == pyarrow.bool_()
    assert polars.read_parquet(tmp_path / "pages.parquet")["url"].to_list() == table["url"].to_pylist()


def test_parquet_is_written_in_row_groups(crawled, tmp_path, monkeypatch):
    monkeypatch.setattr("honeyguide.export.tables.ROWS", 5)
    export(crawled, tmp_path / "pages.parquet")
    assert pyarrow.parquet.ParquetFile(tmp_path / "pages.parquet").num_row_groups == 4


def test_parquet_without_the_library_says_how_to_get_it(crawled, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(BadInput, match=r"pip install honeyguide\[export\]"):
        export(crawled, tmp_path / "pages.parquet")
    assert list(tmp_path.iterdir()) == []


def test_pages_become_data_frames(crawled):
    pages = hg.open(crawled)
    frames = pages.to_arrow(), pages.to_pandas(), pages.to_polars()
    assert [len(frame) for frame in frames] == [RELEVANT] * 3
    assert frames[1].date.dt.year.min() == frames[2]["date"].dt.year().min() >= 2025
    assert sorted(frames[1].title) == sorted(frames[2]["title"])
    assert frames[0]["score"].to_pylist() == frames[2]["score"].to_list()


def test_pages_are_records_to_loop_over(crawled):
    records = list(hg.open(str(crawled)).where(host="shop.bees.test"))
    assert [(record.title, record.relevant) for record in records] == [("Wax", True)]
    assert "nectar" in records[0].main and not records[0].markdown
    assert repr(hg.open(crawled)) == f"Pages({str(crawled)!r})"


def test_columns_without_texts_need_no_archive(crawled, tmp_path):
    import shutil

    bare = shutil.copytree(crawled, tmp_path / "bare")
    for archive in bare.glob("*.warc.gz"):
        archive.write_bytes(b"")
    assert len(hg.open(bare).columns("url", "title").to_arrow()) == RELEVANT
    with pytest.raises(BadInput, match="holds no response"):
        list(hg.open(bare))


@pytest.mark.parametrize("conditions, titles", [
    ({"language": "German"}, {"Bienen"}),
    ({"language": ["de", "eng"], "without_opt_outs": True}, {"Bienen", "Hive", "Honey", "Wax"}),
    ({"host": ["shop.*"]}, {"Wax"}),
    ({"host": "bees.test", "language": "en"}, {"Wax", "Hive", "Honey", "Reserved bees"}),
    ({"min_relevance": 0.99}, {"Honey"}),
    ({"since": "2999-01-01"}, set()),
    ({"until": "1999-12-31"}, set()),
    ({"until": "2999-12-31", "since": "2020-01-01T00:00:00+02:00", "language": "de"}, {"Bienen"}),
])  # fmt: skip
def test_pages_are_chosen_by_conditions(crawled, conditions, titles):
    assert {record.title for record in hg.open(crawled).where(**conditions).columns("title")} == titles


def test_all_pages_and_those_that_do_not_count(crawled):
    every = [record.title for record in hg.open(crawled).where(all=True).columns("title")]
    assert len(every) == RELEVANT + 2 and {"Index", "Trains"} <= set(every)
    flagged = [r for r in hg.open(crawled).where(all=True, flagged=True).columns("title") if r.flag]
    assert [(r.title, r.flag, r.copy_of.endswith("/honey")) for r in flagged] == [("Honey", "copy", True)]


@pytest.mark.parametrize(
    "wrong",
    [
        {"language": "Klingonish"},
        {"since": "yesterday"},
        {"since": 2026},
        {"min_relevance": 2},
        {"x": 1},
        {"since": "2026-05-02", "until": "2026-05-01"},
        {"since": "2026-05-01T12:00:01", "until": "2026-05-01T12:00"},
    ],
)
def test_conditions_that_make_no_sense_are_refused(crawled, wrong):
    with pytest.raises(BadInput):
        hg.open(crawled).where(**wrong)


def test_pythons_own_times_are_times():
    noon = datetime.datetime(2026, 5, 1, 14, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))
    selection = Selection(since=datetime.date(2026, 5, 1), until=noon)
    assert (selection.since, selection.until) == ("2026-05-01", "2026-05-01T12:00:00")


@pytest.mark.parametrize(
    ("form", "idle"),
    [("csv", {"hubs": 9}), ("seeds", {"words": 20}), ("chunks", {"columns": "url"}), ("wacz", {"overlap": 1})],
)
def test_options_that_a_format_would_pass_over_are_refused(crawled, tmp_path, form, idle):
    (name,) = idle
    with pytest.raises(BadInput, match=f"--{name} is for .*, and says nothing to {form}"):
        export(crawled, tmp_path / "out", form, options=Options(**idle))


def test_a_day_counts_to_its_end():
    selection = Selection(until="2026-05-01", since="2026-05-01")
    dates = ["2026-04-30T23:59:59Z", "2026-05-01T00:00:00Z", "2026-05-01T23:59:59Z", "2026-05-02T00:00:00Z", ""]
    assert [selection._in_time(date) for date in dates] == [False, True, True, False, False]


def test_an_unknown_column_is_refused(crawled):
    with pytest.raises(BadInput, match="no column 'uri'"):
        hg.open(crawled).columns("uri")


def test_what_is_no_crawl_is_refused(tmp_path):
    with pytest.raises(BadInput, match="not a crawl directory"):
        hg.open(tmp_path)


def test_a_simulated_crawl_is_exported_from_the_web_it_ran_on(tmp_path):
    page = hg.Page("http://a.test/", title="Bees", text="menu bees", main="bees", language="en")
    stored(tmp_path / "web", page)
    hg.Crawl([page.url], "keyword:bees", web=hg.open_web(tmp_path / "web"), directory=tmp_path / "crawl").run()
    records = list(hg.open(tmp_path / "crawl").where(all=True).columns("url", "main", "markdown"))
    assert records[0].url == page.url and records[0].main == page.main == records[0].markdown
    assert records[0].date == ""
    assert hg.open(tmp_path / "crawl").where(all=True).to_arrow()["date"].null_count == len(records)


@pytest.mark.parametrize(
    "name", ["pages.jsonl", "pages.csv", "pages.chunks.jsonl", "links.tsv", "links.graphml", "hubs.txt"]
)
def test_no_export_has_lines_or_turns_that_only_some_readers_see(crawled, tmp_path, name):
    chosen = Options(columns=",".join(COLUMNS)) if name in ("pages.jsonl", "pages.csv") else Options()
    export(crawled, tmp_path / name, selection=Selection(all=True), options=chosen)
    text = (tmp_path / name).read_bytes().decode().replace("\r\n", "\n")
    assert text.splitlines() == text.removesuffix("\n").split("\n")
    assert "=2" in text or name == "hubs.txt"
    assert not re.search(f"[{REVERSING}]", text)


def test_data_frames_and_links_are_as_clean_as_files(crawled):
    frame = hg.open(crawled).columns(*COLUMNS).to_polars()
    texts = [value for name in COLUMNS for value in frame[name] if isinstance(value, str)]
    texts += [text for edge in hg.open(crawled).where(all=True).links() for text in edge[:3]]
    assert not [text for text in texts if readable(text) != text]


# -- cells --------------------------------------------------------------------------------------------------------


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=60))
def test_a12_no_text_becomes_a_formula_or_steers_a_terminal(text):
    made = cell(text)
    assert not made.startswith(TRIGGERS)
    assert not made.strip().startswith(TRIGGERS)
    made.encode()
    assert all(c >= " " or c in "\n\t" for c in made) and not any("\x7f" <= c <= "\x9f" for c in made)
    assert list(csv.reader([row(made)])) == [[made]] if "\n" not in made else True


def row(value):
    held = io.StringIO()
    csv.writer(held).writerow([value])
    return held.getvalue()


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=60))
def test_a_title_is_one_line_of_whole_characters(text):
    assert len(one_line(text).splitlines()) <= 1
    assert json.loads(json.dumps(one_line(text))) == one_line(text)
    assert readable(readable(text)) == readable(text)


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=60))
def test_an_address_is_written_without_blanks_and_in_ascii(text):
    made = address(f"http://a.test/{text}")
    assert made.isascii() and made.isprintable() and " " not in made and address(made) == made


def test_an_address_in_its_normal_form_stays_as_it_is():
    url = "http://[::1]:8080/a%20b/(c)?q=[1]&r=%E2%80%AE"
    assert address(url) == url


@pytest.mark.parametrize("text", ATTACKS)
def test_attacks_are_disarmed(text):
    assert not cell(text).startswith(TRIGGERS)


def test_ordinary_texts_are_left_alone():
    for text in ("Bees & honey", "a=b", "3 - 1", "Ärger über Öl", "日本語", "O'Neil", ""):
        assert cell(text) == text


# -- the command --------------------------------------------------------------------------------------------------


def run(*arguments):
    command = [sys.executable, "-m", "honeyguide", "export", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, timeout=60, check=True)


def test_the_command_says_what_it_wrote_and_left_out(crawled, tmp_path):
    done = run(crawled, "-o", tmp_path / "pages.jsonl", "--language", "en", "--columns", "url,title")
    assert f"Wrote 4 pages to {tmp_path / 'pages.jsonl'}." in done.stdout.decode()
    assert "12 in other languages" in done.stdout.decode()
    assert set(json.loads((tmp_path / "pages.jsonl").read_text().splitlines()[0])) == {"url", "title"}


def test_a_text_goes_to_standard_output_and_the_rest_elsewhere(crawled):
    done = run(crawled, "-o", "-", "--format", "csv")
    assert len(pandas.read_csv(io.BytesIO(done.stdout))) == RELEVANT
    assert b"Wrote 16 pages." in done.stderr
    assert not {*b"\x1b\x07\x00"} & {*done.stdout, *done.stderr}


@pytest.mark.parametrize("name, format, options, words", [
    ("x.parquet", "nonsense", {}, "there is no format 'nonsense'"),
    ("x.exe", "", {}, "does not say which format"),
    ("-", "parquet", {}, "cannot be written to standard output"),
    ("-", "", {}, "does not say which format"),
    ("x.wacz.gz", "", {}, r"leave \.gz out"),
    ("x.graphml", "", {"columns": "url"}, "--columns is for"),
    ("x.chunks.jsonl", "", {"words": 20, "overlap": 20}, "smaller --overlap"),
    ("", "jsonl", {}, "is a directory"),
])  # fmt: skip
def test_what_cannot_be_done_is_told_in_a_sentence(crawled, tmp_path, name, format, options, words):
    with pytest.raises(BadInput, match=words):
        export(crawled, name if name == "-" else tmp_path / name, format, options=Options(**options))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["crawl.db", "marked-1.hg", "dashboard.json", "search.db"])
def test_the_files_of_the_crawl_are_not_written_over(crawled, name):
    before = sorted((path.name, path.stat().st_size) for path in crawled.iterdir())
    with pytest.raises(BadInput, match="file of the crawl itself"):
        export(crawled, crawled / name, "jsonl")
    assert sorted((path.name, path.stat().st_size) for path in crawled.iterdir()) == before


def test_a_failed_export_leaves_the_old_file_and_no_half_of_a_new_one(crawled, tmp_path, monkeypatch):
    (tmp_path / "pages.jsonl").write_text("old")
    monkeypatch.setattr("honeyguide.export.source.archived_page", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        export(crawled, tmp_path / "pages.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["pages.jsonl"]
    assert (tmp_path / "pages.jsonl").read_text() == "old"

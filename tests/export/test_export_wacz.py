"""WACZ files: judged by the format's own validator, read by warcio, indexed anew by cdxj-indexer."""

import gzip
import hashlib
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from cdxj_indexer.main import CDXJIndexer
from warcio.archiveiterator import ArchiveIterator

import honeyguide as hg
from exported_crawl import make_crawl
from honeyguide.base import BadInput
from honeyguide.export.cdx import Sorter, packed, url_key
from honeyguide.export.exchanges import _read
from honeyguide.export.selection import Selection
from honeyguide.export.writing import export
from strict_warc import strict_records

WACZ = Path(sys.executable).with_name("wacz")


def packed_up(directory, path, **selection):
    export(directory, path, selection=Selection(**selection))
    return zipfile.ZipFile(path)


def answers(package, name="archive/crawl-00000.warc.gz"):
    """Type, path, status and body of every answer, by warcio."""
    return [
        (
            r.rec_type,
            path_of(r.rec_headers["WARC-Target-URI"]),
            r.http_headers.get_statuscode(),
            r.content_stream().read(),
        )
        for r in ArchiveIterator(io.BytesIO(package.read(name)))
        if r.rec_type in ("response", "revisit")
    ]


def path_of(url):
    return "/" + url.split("/", 3)[3]


def index(package):
    text = gzip.decompress(package.read("indexes/index.cdx.gz")).decode()
    return [(key, stamp, json.loads(fields)) for key, stamp, fields in (x.split(" ", 2) for x in text.splitlines())]


@pytest.mark.parametrize("selection", [{}, {"all": True, "flagged": True}])
def test_the_validator_of_the_format_is_content(crawled, tmp_path, selection):
    packed_up(crawled, tmp_path / "pages.wacz", **selection).close()
    done = subprocess.run(
        [WACZ, "validate", "-f", tmp_path / "pages.wacz"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the passed WACZ is valid" in done.stdout


def test_only_the_wanted_pages_are_packed_with_what_leads_to_them_and_what_they_show(crawled, tmp_path):
    with packed_up(crawled, tmp_path / "pages.wacz", language=["en"], host=["bees.test"]) as package:
        found = answers(package)
    assert {path for _, path, _, _ in found} == {"/wax", "/honey", "/hive", "/reserved", "/moved", "/bee.png"}
    assert [body for _, path, _, body in found if path == "/bee.png"] == [b"\x89PNG\r\n\x1a\n bee"]
    assert [status for _, path, status, _ in found if path == "/moved"] == ["301"]


def test_what_is_reserved_can_be_left_out_of_the_archive_itself(crawled, tmp_path):
    with packed_up(crawled, tmp_path / "pages.wacz", without_opt_outs=True) as package:
        assert "/reserved" not in {path for _, path, _, _ in answers(package)}


def test_the_records_are_whole_and_come_with_request_and_metadata(crawled, tmp_path):
    with packed_up(crawled, tmp_path / "pages.wacz") as package:
        (tmp_path / "crawl-00000.warc.gz").write_bytes(package.read("archive/crawl-00000.warc.gz"))
    kinds = [record.type for record in strict_records(tmp_path / "crawl-00000.warc.gz")]
    assert kinds[0] == "warcinfo" and kinds.count("response") == kinds.count("request") == 18
    done = subprocess.run(
        [Path(sys.executable).with_name("warcio"), "check", tmp_path / "crawl-00000.warc.gz"], capture_output=True
    )
    assert done.returncode == 0, done.stdout


def test_the_index_is_what_an_independent_indexer_makes_of_the_same_archive(crawled, tmp_path):
    with packed_up(crawled, tmp_path / "pages.wacz", all=True) as package:
        ours = index(package)
        (tmp_path / "crawl-00000.warc.gz").write_bytes(package.read("archive/crawl-00000.warc.gz"))
    held = io.StringIO()
    held.close = lambda: None
    CDXJIndexer(held, [str(tmp_path / "crawl-00000.warc.gz")], sort=True).process_all()
    theirs = [line.split(" ", 2) for line in held.getvalue().splitlines()]
    assert [(key, stamp, fields) for key, stamp, fields in ours] == [(k, s, json.loads(f)) for k, s, f in theirs]


def test_every_line_of_the_index_leads_to_its_record(crawled, tmp_path):
    with packed_up(crawled, tmp_path / "pages.wacz") as package:
        for _, _, fields in index(package):
            start, length = int(fields["offset"]), int(fields["length"])
            data = package.read(f"archive/{fields['filename']}")[start : start + length]
            (record,) = ArchiveIterator(io.BytesIO(data))
            assert record.rec_headers["WARC-Target-URI"] == fields["url"]


def test_parts_are_stored_as_they_are_and_listed_with_their_sums(crawled, tmp_path):
    with packed_up(crawled, tmp_path / "pages.wacz", all=True) as package:
        assert {info.compress_type for info in package.infolist()} == {zipfile.ZIP_STORED}
        listed = json.loads(package.read("datapackage.json"))
        assert listed["wacz_version"] == "1.1.1" and listed["title"] == "keyword:bees"
        for part in listed["resources"]:
            data = package.read(part["path"])
            assert part["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}" and part["bytes"] == len(data)
        assert {part["path"] for part in listed["resources"]} | {
            "datapackage.json",
            "datapackage-digest.json",
        } == set(package.namelist())


def test_relevant_pages_are_listed_apart_from_others(crawled, tmp_path):
    with packed_up(crawled, tmp_path / "pages.wacz", all=True) as package:
        head, *pages = map(json.loads, package.read("pages/pages.jsonl").decode().splitlines())
        _, *others = map(json.loads, package.read("pages/extraPages.jsonl").decode().splitlines())
    assert head["format"] == "json-pages-1.0" and len(pages) == 16
    numbers = {record.url: record.number for record in hg.open(crawled).columns("url")}
    assert {page["url"]: page["id"] for page in pages} == {url: f"page-{n}" for url, n in numbers.items()}
    assert {page["title"] for page in others} == {"Index", "Trains"}
    assert all(page["url"].startswith("http://") and page["ts"].endswith("Z") for page in pages)
    assert not [page for page in pages if not page["title"].isprintable() and "\u200b" not in page["title"]]


def test_what_a_revisit_refers_to_is_packed_with_it(crawled_again, tmp_path):
    with packed_up(crawled_again, tmp_path / "pages.wacz", language=["de"]) as package:
        (kind, path, _, body), (old_kind, old_path, _, old_body) = answers(package)
        entries = index(package)
    assert (kind, path, old_kind, old_path) == ("revisit", "/deutsch", "response", "/deutsch")
    assert not body and b"Bienen" in old_body
    assert {fields["mime"] for _, _, fields in entries} == {"warc/revisit", "text/html"}
    done = subprocess.run(
        [WACZ, "validate", "-f", tmp_path / "pages.wacz"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout


def test_an_original_that_is_packed_already_is_not_packed_twice(crawled, tmp_path):
    with packed_up(crawled, tmp_path / "pages.wacz", flagged=True) as package:
        kinds = [(kind, path) for kind, path, _, _ in answers(package)]
    assert len(kinds) == len(set(kinds))
    assert ("revisit", "/copy") in kinds and ("response", "/honey") in kinds


def test_records_come_from_all_warc_files_and_go_into_as_many_as_needed(tmp_path, monkeypatch):
    monkeypatch.setattr("honeyguide.export.wacz.LARGEST", 9000)
    crawl = make_crawl(tmp_path / "crawl", warc_size=5000)
    with packed_up(crawl, tmp_path / "pages.wacz") as package:
        names = [name for name in package.namelist() if name.startswith("archive/")]
        found = [path for name in names for _, path, _, _ in answers(package, name)]
        lines = index(package)
    assert len(names) == 3 and len(found) == 18 == len(lines)
    assert {fields["filename"] for _, _, fields in lines} == {name.removeprefix("archive/") for name in names}


def test_parts_begin_where_replay_web_page_looks_for_them(crawled, tmp_path):
    """It reckons with the extra fields of the directory only, where there are none."""
    with packed_up(crawled, tmp_path / "pages.wacz") as package:
        places = [
            (info.header_offset, info.filename, len(info.extra), package.read(info)) for info in package.infolist()
        ]
    data = (tmp_path / "pages.wacz").read_bytes()
    for offset, name, extra, body in places:
        start = offset + 30 + len(name)
        assert not extra and data[start : start + len(body)] == body


def test_it_can_be_imported_again(crawled, tmp_path):
    packed_up(crawled, tmp_path / "pages.wacz").close()
    titles = {page.title for page in hg.open_web(tmp_path / "pages.wacz").pages()}
    assert {"Honey", "Hive", "Wax", "Bienen"} <= titles


def test_a_simulated_crawl_has_no_records_to_pack(tmp_path):
    web = hg.Archive({"http://a.test/": hg.Page("http://a.test/", text="bees", main="bees")})
    hg.Crawl(["http://a.test/"], "keyword:bees", web=web, directory=tmp_path / "crawl").run()
    with pytest.raises(BadInput, match="only live crawls are archived"):
        export(tmp_path / "crawl", tmp_path / "pages.wacz")
    assert [path.name for path in tmp_path.iterdir()] == ["crawl"]


@pytest.mark.parametrize("url, key", [
    ("http://127.0.0.1:8080/x?b=2&a=1", "1,0,0,127:8080)/x?a=1&b=2"),
    ("https://www2.bees.example/", "example,bees)/"),
    ("http://[::1]:81/a", "[::1]:81)/a"),
    ("https://bees.example/%C3%A4?", "example,bees)/%c3%a4?"),
])  # fmt: skip
def test_keys_of_urls(url, key):
    assert url_key(url) == key


def test_the_index_is_sorted_on_disk_and_cut_into_blocks():
    sorter = Sorter()
    lines = [f"com,a)/{n:05d} 2026 {{}}\n" for n in range(3000)]
    for line in reversed(lines):
        sorter.add(line)
    blocks = list(packed(iter(sorter), "index.cdx.gz"))
    sorter.close()
    assert gzip.decompress(b"".join(data for data, _ in blocks)).decode() == "".join(lines)
    assert [place.partition(" {")[0] for _, place in blocks] == [
        "!meta 0", "com,a)/00000 2026", "com,a)/01024 2026", "com,a)/02048 2026",
    ]  # fmt: skip


def test_a_visit_without_records_has_none():
    assert list(_read(b"")) == []

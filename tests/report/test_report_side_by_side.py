"""Several crawls in one page: their figures, what they share, and what only one found."""

import csv
import io

import pytest
from typer.testing import CliRunner

import honeyguide as hg
from honeyguide.cli.app import app
from honeyguide.report import write_side_by_side
from honeyguide.store import Store
from html_shape import Shape
from small_webs import topical_web


@pytest.fixture
def crawls(tmp_path):
    made = {}
    for name, pages in (("breadth-first", 60), ("honeyguide", 90)):
        settings = {"web": topical_web(), "pages": pages, "directory": tmp_path / name}
        crawl = hg.Crawl(["http://h0.test/1"], "label:bees", name, **settings)
        made[name] = crawl.run(), {crawl.graph.url(i) for i in crawl.graph.visited() if crawl.graph.relevant[i]}
    return made


def rows(shape, name):
    return list(csv.reader(io.StringIO(shape.files[f"{name}.csv"])))


def test_the_figures_are_those_of_the_crawls(crawls, tmp_path):
    path = write_side_by_side([tmp_path / name for name in crawls], tmp_path / "page.html")
    shape = Shape(path.read_text())
    figures = {row[0]: row[1:] for row in rows(shape, "figures")}
    assert figures[""] == list(crawls)
    assert figures["relevant pages"] == [str(summary.relevant) for summary, _ in crawls.values()]
    assert figures["pages fetched"] == ["60", "90"]
    ends = {name: (fetched, found) for name, fetched, found in rows(shape, "lift")[1:]}
    assert ends == {name: (str(s.fetched), str(s.relevant)) for name, (s, _) in crawls.items()}


def test_what_they_share_and_what_they_do_not(crawls, tmp_path):
    shape = Shape(write_side_by_side([tmp_path / name for name in crawls], tmp_path / "page.html").read_text())
    one, other = (urls for _, urls in crawls.values())
    ((*_, both, either, jaccard),) = rows(shape, "overlap")[1:]
    assert (int(both), int(either)) == (len(one & other), len(one | other))
    assert float(jaccard) == pytest.approx(len(one & other) / len(one | other), abs=1e-6)
    assert f"honeyguide{len(other - one)} relevant pages" in shape.sections["alone"]


def test_hosts_with_relevant_pages_over_time(crawls, tmp_path):
    shape = Shape(write_side_by_side([tmp_path / name for name in crawls], tmp_path / "page.html").read_text())
    ends = {name: int(found) for name, _, found in rows(shape, "hosts")[1:]}
    assert ends == {name: len({url.split("/")[2] for url in urls}) for name, (_, urls) in crawls.items()}
    for name in crawls:
        heights = [int(found) for crawl, _, found in rows(shape, "hosts")[1:] if crawl == name]
        assert heights == sorted(heights)
        assert heights[0] == 0
    assert "<polyline" in shape.files["hosts.svg"]


def test_how_much_each_found_alone_is_a_figure(crawls, tmp_path):
    shape = Shape(write_side_by_side([tmp_path / name for name in crawls], tmp_path / "page.html").read_text())
    (one, first), (other, second) = ((name, urls) for name, (_, urls) in crawls.items())
    expected = [
        [one, str(len(first)), str(len(first - second))],
        [other, str(len(second)), str(len(second - first))],
    ]
    assert rows(shape, "alone")[1:] == expected
    assert f"{len(second - first)} of {len(second)}" in shape.files["alone.svg"]


def test_errors_and_exclusions_stand_side_by_side(tmp_path):
    world, names = hg.generate(pages=400, seed=3), ("breadth-first", "random")
    for name in names:
        settings = {"web": hg.SyntheticWeb(world), "pages": 200, "directory": tmp_path / name}
        hg.Crawl(world.portal_seeds(3), world.query("heat pumps"), name, **settings).run()
    shape = Shape(write_side_by_side([tmp_path / name for name in names], tmp_path / "page.html").read_text())
    told = {row[0]: row[1:] for row in rows(shape, "trouble")[1:]}
    assert told.pop("waits for a host") == ["–", "–"]  # of a simulated crawl
    for column, name in enumerate(names):
        with Store.open(tmp_path / name, write=False) as store:
            _, reasons = store.books_and_reasons()
        wanted = {
            f"{state}: {reason}": count
            for state in ("failed", "excluded")
            for reason, count in reasons[state].items()
        }
        assert {reason: int(cells[column]) for reason, cells in told.items() if cells[column] != "0"} == wanted


def test_settings_are_told_apart(crawls, tmp_path):
    shape = Shape(write_side_by_side([tmp_path / name for name in crawls], tmp_path / "page.html").read_text())
    common, _, different = shape.sections["asked"].partition("Different")
    assert "topiclabel:bees" in common
    assert "pages6090" in different
    assert "strategybreadth-firsthoneyguide" in different


def test_directories_of_one_name_are_told_apart(tmp_path):
    for folder in "ab":
        settings = {"web": topical_web(), "pages": 5, "directory": tmp_path / folder / "crawl"}
        hg.Crawl(["http://h0.test/1"], "label:bees", **settings).run()
    paths = [tmp_path / folder / "crawl" for folder in "ab"]
    shape = Shape(write_side_by_side(paths, tmp_path / "page.html").read_text())
    assert rows(shape, "figures")[0] == ["", *map(str, paths)]


def test_the_command(crawls, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["report", *crawls])
    assert (done.exit_code, done.output) == (0, "Report: report.html\n")
    assert "2 crawls side by side" in (tmp_path / "report.html").read_text()
    for same in ("honeyguide", "./honeyguide/", str(tmp_path / "honeyguide")):
        done = CliRunner().invoke(app, ["report", "honeyguide", same])
        assert done.output == "Report: honeyguide/report.html\n"
    write_side_by_side(["honeyguide", "breadth-first", str(tmp_path / "honeyguide")])
    assert "2 crawls side by side" in (tmp_path / "report.html").read_text()

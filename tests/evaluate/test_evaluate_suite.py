"""The leaderboard: which topics it takes, how webs are put together, and what the command writes."""

import subprocess
import sys
from dataclasses import replace

import pytest

from honeyguide.cli import standing
from honeyguide.evaluate import Collection, Design, compare
from honeyguide.evaluate.comparing import judged_topics
from honeyguide.evaluate.design import is_for_tuning
from honeyguide.evaluate.suite import ABLATIONS, Standings, suite_design, suite_strategies, told_standings
from honeyguide.strategy import create, strategies
from small_webs import page


def web(name, labels=("bees", "roads", "music", "stars"), size=240):
    """Hosts that keep to a label, linked in rings and to each other."""
    pages = []
    for n in range(size):
        label = labels[n % len(labels)]
        near = [f"http://{label}.test/{(n + k * len(labels)) % size}" for k in (1, 2, 5)]
        far = [f"http://{labels[(n + 1) % len(labels)]}.test/{(n + 1) % size}"]
        pages.append(page(f"http://{label}.test/{n}", *near, *far, label=label, text=label))
    return Collection.of(pages, name)


def compared(name):
    design = Design(labels=True, topics=4, seed_sets=1, seeds=2, pages=40, at="10,20", yardstick="honeyguide")
    return compare(web(name), ["honeyguide", "random", "oracle"], [], design)


def test_topics_are_split_by_their_names_alone():
    held = web("one")
    parts = [
        {str(found.topic) for found in judged_topics(held, [], Design(labels=True, topics=4, part=part))}
        for part in ("tuning", "final")
    ]
    assert parts[0] | parts[1] == {f"label:{name}" for name in ("bees", "roads", "music", "stars")}
    assert not parts[0] & parts[1]
    assert all(map(is_for_tuning, parts[0]))
    assert suite_design().part == "final"


def test_everything_is_compared_and_ablations_are_settings_that_exist():
    assert set(suite_strategies(False)) == {*strategies(), "genetic:mutation=0", "honeyguide:searches=20", "oracle"}
    assert suite_strategies(True)[0] == "honeyguide"
    assert len(suite_strategies(True)) == len(ABLATIONS) + 1
    for name in suite_strategies(True):
        create(name).used()


def test_each_topic_of_each_web_counts_once():
    one, other = compared("one"), compared("other")
    both = Standings("Both", [one, other])
    (row,) = (each for each in both.rows("near") if each.strategy == "random")
    assert row.topics == 8
    alone = [next(each for each in made.rows("near") if each.strategy == "random") for made in (one, other)]
    assert row.nauc.mean == pytest.approx(sum(each.nauc.mean for each in alone) / 2)
    assert row.wins + row.ties + row.losses == 8
    assert row.difference.mean < 0


def test_the_table_names_the_share_of_the_oracle():
    heads, rows = Standings("One", [compared("one")]).table("near")
    cells = {row[0]: dict(zip(heads, row, strict=True)) for row in rows}
    assert cells["oracle"]["of the oracle"] == "100%"
    assert cells["honeyguide"]["nAUC − honeyguide"] == "–"
    assert cells["random"]["p"] != ""
    text = told_standings([Standings("One", [compared("one")])])
    assert text.startswith("## One\n\n- one: 240 pages, 4 topics, 40 pages a crawl")
    assert "| random |" in text


def test_those_that_search_are_held_against_each_other():
    made = compared("one")
    assert Standings("One", [made]).among_searchers("near") == ""
    renamed = {"honeyguide": "genetic", "random": "honeyguide:searches=20", "oracle": "honeyguide"}
    made = replace(made, results=[replace(each, strategy=renamed[each.strategy]) for each in made.results])
    told = Standings("One", [made]).among_searchers("near")
    mean = {
        name: sum(each.nauc for each in made.results if each.strategy == name and each.start == "near") / 4
        for name in ("genetic", "honeyguide:searches=20")
    }
    assert f"genetic − honeyguide:searches=20 {mean['genetic'] - mean['honeyguide:searches=20']:+.3f} [" in told
    assert told.endswith("W/T/L 4/0/0.")
    assert told in told_standings([Standings("One", [made])])


def test_the_command_writes_tables_and_pages_and_goes_on(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(standing, "GENERATED", ("synthetic:3:600",))
    monkeypatch.setattr(standing, "suite_strategies", lambda ablations: ["honeyguide", "random", "oracle"])
    for _ in range(2):
        standing.run_suite([], ["synthetic:4:600"], False, Design(8, seed_sets=1), 1, tmp_path)
    said = capsys.readouterr()
    assert said.out.count("## All webs") == 2
    assert "crawls are there already" in said.err
    text = (tmp_path / "leaderboard.md").read_text()
    assert "Seed sets for each topic: 1.\n" in text
    assert "## Generated webs" in text
    assert "## synthetic:4:600 (outside the verdict)" in text
    html = (tmp_path / "leaderboard.html").read_text()
    assert html.count("<table>") == 6
    assert (tmp_path / "synthetic-3-600" / "comparison.html").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--suite"], "name a directory to keep its crawls in"),
        ([], "name one web to compare strategies on"),
        (["--suite", "--pages", "77", "--seeds", "2", "-o", "x"], "of its own: leave out --seeds, --pages"),
        (["--suite", "--strategy", "random", "--json", "x", "-o", "x"], "leave out --strategy, --json"),
        (["--suite", "a/web", "b/web", "-o", "x"], "these are alike: a/web, b/web"),
        (["synthetic:1:300", "--ablations"], "are for a suite: add --suite"),
        (["synthetic:1:300", "--part", "best"], "there is no part 'best'"),
    ],
)
def test_what_cannot_be_done_is_said(arguments, said):
    done = subprocess.run(
        [sys.executable, "-m", "honeyguide", "compare", *arguments], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr

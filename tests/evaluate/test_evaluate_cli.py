"""honeyguide compare, as it is called."""

import json
import subprocess
import sys

import pytest

from honeyguide import BadInput
from honeyguide.cli.comparing import split_strategies
from honeyguide.evaluate import Comparison
from small_webs import topical_web


def run(*arguments, code=0, command="compare"):
    command = [sys.executable, "-m", "honeyguide", command, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == code, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture(scope="module")
def jsonl(tmp_path_factory):
    path = tmp_path_factory.mktemp("web") / "ring.jsonl"
    with path.open("w") as file:
        for page in topical_web().pages():
            links = [{"url": link.url, "anchor": link.anchor} for link in page.links]
            title = "About bees" if page.label else "Timetable"
            fields = {"url": page.url, "title": title, "text": page.text, "label": page.label, "links": links}
            file.write(json.dumps(fields) + "\n")
    return path


def test_strategies_side_by_side(jsonl, tmp_path):
    names = "breadth-first,host-odds:floor=0.01,best-first"
    done = run(jsonl, "--strategy", names, "--topic", "keyword:bees", "--topic", "label:bees", "--pages", "25%",
               "--seeds", 2, "--seed-sets", 2, "--jobs", 2, "--json", tmp_path / "made.json")  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.startswith("ring.jsonl: 240 pages. Topics: 2; seed sets for each: 2; seeds in each: 2;")
    assert done.stdout.count("| host-odds:floor=0.01 |") == 2
    made = Comparison.from_dict(json.loads((tmp_path / "made.json").read_text()))
    assert len(made.results) == 3 * 2 * 2 * 2
    assert made.budget == 60
    near = next(row for row in made.rows("near") if row.strategy.startswith("host-odds"))
    assert f"{near.nauc.mean:.3f} [{near.nauc.low:.3f}, {near.nauc.high:.3f}]" in done.stdout
    assert near.difference.mean > 0


def test_labels_as_topics_and_all_strategies(jsonl):
    done = run(jsonl, "--labels", "--start", "near", "--seed-sets", 1, "--pages", 30)
    assert "label:bees (40.0%)" in done.stdout
    assert "| shark-search |" in done.stdout
    assert "Far:" not in done.stdout


def test_an_imported_web_gives_the_same_figures_as_its_file(jsonl, tmp_path):
    run(jsonl, "-o", tmp_path / "web", command="import")
    rows = []
    for web in (jsonl, tmp_path / "web"):
        run(web, "--topic", "label:bees", "--strategy", "random", "--pages", 30, "--json", tmp_path / "made.json")
        made = Comparison.from_dict(json.loads((tmp_path / "made.json").read_text()))
        rows.append([(result.case, result.found) for result in made.results])
    assert rows[0] == rows[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--topic", "keyword:zebra"], "none of the 240 pages of this web matches keyword:zebra"),
        (["--pages", "60"], "name topics with --topic"),
        (["--topic", "label:bees", "--strategy", ","], "--strategy names no strategy"),
    ],
)
def test_bad_input_is_told_in_a_sentence(jsonl, options, message):
    assert message in run(jsonl, *options, code=1).stderr


def test_a_setting_before_any_strategy_is_refused():
    with pytest.raises(BadInput, match="floor=1 is a setting of no strategy"):
        split_strategies("floor=1,host-odds")


def test_strategies_with_words_and_settings_after_the_colon():
    text = "intelligent:content, host-odds:floor=0.01,my.module:Mine,shark-search:decay=1,anchor_share=0"
    assert split_strategies(text) == [
        "intelligent:content", "host-odds:floor=0.01", "my.module:Mine", "shark-search:decay=1,anchor_share=0"
    ]  # fmt: skip

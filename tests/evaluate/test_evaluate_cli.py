"""honeyguide compare, as it is called."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

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


DESIGN = ["--topic", "label:bees", "--strategy", "random,host-odds", "--pages", 40, "--seed-sets", 20, "--jobs", 2]


def started(*arguments):
    command = [sys.executable, "-m", "honeyguide", "compare", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(condition):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen within half a minute")


def lines_of(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def workers_of(pid):
    return [Path(f"/proc/{child}") for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def without_seconds(done):
    """The table that a comparison prints; how long crawls took is never the same."""
    return [line.rpartition("|")[0].rpartition("|")[0] for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def whole(jsonl):
    """What it prints where nothing ended it."""
    return without_seconds(run(jsonl, *DESIGN))


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks at processes in /proc")
@pytest.mark.parametrize("killed_by", [signal.SIGKILL, signal.SIGINT])
def test_a_comparison_that_was_ended_goes_on(jsonl, whole, tmp_path, killed_by, monkeypatch):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    log = tmp_path / "made" / "crawls.jsonl"
    process = started(jsonl, *DESIGN, "-o", tmp_path / "made")
    wait_for(lambda: lines_of(log) > 4)
    workers = workers_of(process.pid)
    process.send_signal(killed_by)
    _, stderr = process.communicate(timeout=30)
    assert workers
    wait_for(lambda: not any(worker.exists() for worker in workers))
    assert list((tmp_path / "temporary").iterdir()) == []
    kept = lines_of(log) - 1
    assert 4 <= kept < 80
    if killed_by == signal.SIGINT:
        assert process.returncode == 130
        assert f"{kept:,} of 80 crawls are kept; the same command goes on" in stderr
    done = run(jsonl, *DESIGN, "-o", tmp_path / "made")
    assert f"{kept:,} of 80 crawls are there already." in done.stderr
    assert without_seconds(done) == whole


def test_a_directory_holds_everything(jsonl, tmp_path):
    done = run(jsonl, "--topic", "label:bees", "--strategy", "random", "--pages", 30, "-o", tmp_path / "made",
               "--html", tmp_path / "page.html")  # fmt: skip
    names = ["comparison.html", "comparison.json", "comparison.md", "crawls.jsonl"]
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == names
    assert (tmp_path / "made" / "comparison.md").read_text() == done.stdout
    assert (tmp_path / "page.html").read_text() == (tmp_path / "made" / "comparison.html").read_text()
    changed = run(
        jsonl, "--topic", "label:bees", "--strategy", "random", "--pages", 31, "-o", tmp_path / "made", code=1
    )
    assert "is of another comparison (design: pages was 30 and is 31); choose another directory" in changed.stderr


@pytest.mark.parametrize("option", ["--json", "--html"])
def test_a_file_that_cannot_be_written_is_refused_before_the_crawls(jsonl, tmp_path, option):
    done = run(jsonl, "--topic", "label:bees", option, tmp_path / "nowhere" / "file", code=1)
    assert "nowhere" in done.stderr


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


def test_statistics_of_webs_side_by_side(jsonl):
    done = run(jsonl, "synthetic:2:300", command="statistics")
    assert done.stdout.startswith("| statistic | 88-host crawl | ring.jsonl | synthetic:2:300 |\n")
    assert "| share of links on the host | .840 | .66" in done.stdout


def test_what_cannot_be_measured_is_told(jsonl):
    assert "is no generated web; write synthetic" in run(jsonl, jsonl, command="calibrate", code=1).stderr
    assert "10 hosts need 240 pages or more, not 100" in run("synthetic:1:100", command="statistics", code=1).stderr
    assert "whole number" in run("synthetic:1:many", command="statistics", code=1).stderr

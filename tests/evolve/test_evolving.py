"""Evolution on a stored web, from the command line: what it writes, that it goes on, and what it refuses."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from honeyguide.base import Link, Page
from honeyguide.evolve.genome import WeightGenome
from honeyguide.evolve.ground import Ground
from honeyguide.evolve.question import Question
from honeyguide.evolve.trials import SimulatedTrials
from honeyguide.strategy import create
from honeyguide.strategy.rank_weights import read_stages, score_names
from honeyguide.topic import as_topic
from small_webs import stored

pytest.importorskip("numba")
HONEYGUIDE = [sys.executable, "-m", "honeyguide"]
QUICK = ("--pages", 60, "--seeds", 3, "--population", 6, "--generations", 2, "--runs", 2, "--jobs", 1)


def run(*arguments, code=0):
    done = subprocess.run([*HONEYGUIDE, *map(str, arguments)], capture_output=True, text=True, timeout=100)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def pages():
    """Ten hosts, each about one of two topics; pages link within their host, every seventh link to the next one."""
    for host in range(10):
        for i in range(40):
            near = [f"http://h{host}.test/{(i * 3 + k) % 40}" for k in range(1, 5)]
            far = [f"http://h{(host + 1 + i % 7) % 10}.test/{(i * 7) % 40}"]
            links = tuple(Link(url, "more", position=n) for n, url in enumerate(near + far) if url)
            yield Page(
                f"http://h{host}.test/{i}",
                text="bees" if host % 2 else "",
                label="odd" if host % 2 else "even",
                links=links,
            )


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    return stored(tmp_path_factory.mktemp("evolving") / "web", *pages())


@pytest.fixture(scope="module")
def evolved(web, tmp_path_factory):
    output = tmp_path_factory.mktemp("evolving") / "out"
    said = run("evolve", web, "-o", output, "--topic", "label:odd", "--validate", "label:even", *QUICK)
    return output, said


def test_weights_history_and_figure_are_written(evolved):
    output, said = evolved
    assert "Evolving on label:odd; validating on label:even" in said.stderr
    assert "generation 2: best" in said.stderr
    assert "best-first: 0." in said.stdout
    assert f"--strategy 'evolved:{output / 'best-1.toml'}'" in said.stdout
    history = json.loads((output / "evolution.json").read_text())["history"]
    assert [row["generation"] for row in history] == [0, 1, 2]
    assert history[0]["best"] <= history[1]["best"] <= history[2]["best"]
    assert (output / "history.csv").read_text().count("\n") == 4
    assert (output / "evolution.svg").read_text().startswith("<svg")
    assert set(json.loads((output / "validation.json").read_text())) == {"best-first", "best 1", "best 2", "best 3"}


def test_what_was_evolved_can_be_used(evolved, web):
    output, _ = evolved
    ((after, weights),) = read_stages(output / "best-1.toml")
    assert after == 0
    assert sum(weights.values()) == pytest.approx(1)
    seed = "http://h1.test/1"
    strategy = f"evolved:{output / 'best-1.toml'}"
    asked = ["simulate", web, "--topic", "label:odd", "--seed", seed, "--pages", 50, "--strategy", strategy]
    found = run(*asked, "--json")
    assert json.loads(found.stdout)["fetched"] == 50


def test_an_interrupted_evolution_goes_on_as_if_it_had_not_been(evolved, web, tmp_path):
    output, said = evolved
    asked = ["evolve", web, "-o", tmp_path / "out", "--topic", "label:odd", "--validate", "label:even", *QUICK]
    run(*asked, "--generations", 1)  # the last one given counts
    again = run(*asked)
    assert "generation 1" not in again.stderr
    assert again.stdout.replace(str(tmp_path / "out"), str(output)) == said.stdout
    assert (tmp_path / "out" / "best-1.toml").read_text() == (output / "best-1.toml").read_text()


def test_a_killed_evolution_goes_on(web, tmp_path):
    asked = [
        "evolve",
        web,
        "-o",
        tmp_path / "out",
        "--topic",
        "label:odd",
        *QUICK[:-4],
        "--generations",
        500,
        "--jobs",
        2,
    ]
    process = subprocess.Popen([*HONEYGUIDE, *map(str, asked)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    state = tmp_path / "out" / "evolution.json"
    while not (state.is_file() and json.loads(state.read_text())["state"]["generation"] >= 2):
        assert process.poll() is None
        time.sleep(0.02)
    workers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert workers
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    reached = json.loads(state.read_text())["state"]["generation"]
    asked[asked.index(500)] = reached + 1
    said = run(*asked)
    assert f"generation {reached + 1}: best" in said.stderr
    assert f"generation {reached}: best" not in said.stderr
    while any(map(is_alive, workers)):  # they end when nobody asks any more
        time.sleep(0.05)


def is_alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_another_question_is_refused(evolved, web):
    output, _ = evolved
    said = run("evolve", web, "-o", output, "--topic", "label:even", *QUICK, code=1)
    assert "holds another evolution: its topic is ['label:odd'], not ['label:even']" in said.stderr


def reworded():
    """The same links; the word is on the other pages."""
    return [Page(page.url, text="" if page.text else "bees", links=page.links, label=page.label) for page in pages()]


@pytest.mark.parametrize(
    ("topic", "after"), [("label:odd", list(pages())[:-1]), ("keyword:bees", reworded())], ids=["links", "texts"]
)
def test_a_web_that_has_changed_is_refused(topic, after, tmp_path):
    directory, output = tmp_path / "web", tmp_path / "out"
    given = ("evolve", directory, "-o", output, "--topic", topic, *QUICK)
    stored(directory, *pages())
    run(*given)
    shutil.rmtree(directory)
    stored(directory, *after)
    assert "that have changed since" in run(*given, code=1).stderr


def test_an_evolution_of_an_earlier_version_goes_on(evolved, web, tmp_path):
    output = shutil.copytree(evolved[0], tmp_path / "out")
    kept = json.loads((output / "evolution.json").read_text())
    for name in ("singles", "distinct"):
        del kept["question"][name]
    (output / "evolution.json").write_text(json.dumps(kept))
    (output / "best-9.toml").write_text("of an earlier generation")
    asked = ("--topic", "label:odd", "--validate", "label:even", *QUICK, "--generations", 3)
    assert "generation 3: best" in run("evolve", web, "-o", output, *asked).stderr
    assert not (output / "best-9.toml").exists()


def test_topics_that_were_evolved_on_are_told(web, tmp_path):
    asked = ("--topic", "label:odd", "--validate", "label:even", "--validate", "label:odd", *QUICK)
    said = run("evolve", web, "-o", tmp_path / "out", *asked).stderr
    assert "validating on other seeds of 1 topics evolved on" in said
    assert said.splitlines()[0].endswith(", label:even")


def test_an_interruption_says_what_is_kept(web, tmp_path):
    given = ["evolve", web, "-o", tmp_path / "out", "--topic", "label:odd", *QUICK, "--generations", 10_000]
    process = subprocess.Popen([*HONEYGUIDE, *map(str, given)], stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if line.startswith("generation 3:"):
            break
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert re.search(r"honeyguide: generation \d+ is kept; the same command goes on", said)


def test_a_damaged_state_is_told(evolved, web, tmp_path):
    (tmp_path / "evolution.json").write_text((evolved[0] / "evolution.json").read_text()[:500])
    said = run("evolve", web, "-o", tmp_path, "--topic", "label:odd", *QUICK, code=1)
    assert "evolution.json is damaged" in said.stderr


def test_labels_are_split_into_those_to_evolve_on_and_those_to_validate_on(web, tmp_path):
    done = subprocess.run(
        [*HONEYGUIDE, *map(str, ["evolve", web, "-o", tmp_path / "o", *QUICK])], capture_output=True, text=True
    )
    both = "Evolving on label:odd; validating on label:even", "Evolving on label:even; validating on label:odd"
    assert any(text in done.stderr for text in both) or "too few topics to choose from" in done.stderr


def test_stages_and_earlier_winners(evolved, web, tmp_path):
    output, _ = evolved
    run(
        "evolve",
        web,
        "-o",
        tmp_path / "o",
        "--topic",
        "label:odd",
        "--stages",
        2,
        "--start-from",
        output / "best-1.toml",
        *QUICK,
    )
    stages = read_stages(tmp_path / "o" / "best-1.toml")
    assert [after for after, _ in stages] == [0, 30]
    assert create(f"evolved:{tmp_path / 'o' / 'best-1.toml'}").stages == stages
    first = json.loads((output / "evolution.json").read_text())["history"][-1]["best"]
    later = json.loads((tmp_path / "o" / "evolution.json").read_text())["history"][0]["best"]
    assert later >= first - 0.05  # the winner was there from the beginning


def test_a_measure_of_ones_own_is_gone_by(web, tmp_path):
    (tmp_path / "mine.py").write_text(
        "def hosts(course):\n    return len(set(course.host[course.relevant].tolist()))\n"
    )
    asked = ["evolve", web, "-o", "out", "--topic", "label:odd", "--fitness", "mine:hosts", *QUICK]
    done = subprocess.run([*HONEYGUIDE, *map(str, asked)], capture_output=True, text=True, cwd=tmp_path, timeout=100)
    assert done.returncode == 0, done.stderr
    assert re.search(r"best [345]\.", done.stderr)  # of the five hosts that are about it, not a share


def test_seeds_that_cannot_be_others_are_told(web, tmp_path):
    asked = ("--topic", "label:odd", *QUICK, "--seeds", 150)
    assert (
        "validating on other seeds of all topics evolved on ("
        in run("evolve", web, "-o", tmp_path / "out", *asked).stderr
    )


def test_each_score_alone_is_among_the_first(web, tmp_path):
    asked = (*QUICK, "--topic", "label:odd", "--population", 12, "--generations", 0, "--singles")
    run("evolve", web, "-o", tmp_path / "out", *asked)
    members = json.loads((tmp_path / "out" / "evolution.json").read_text())["state"]["members"]
    genome = WeightGenome(score_names(5))
    found = [genome.decode(np.array([letter == "1" for letter in member]))[0] for member in members]
    alone = [{name for name, weight in weights.items() if weight} for weights in found]
    assert all({name} in alone for name in score_names(5))


def test_topics_are_tried_one_after_the_other_as_if_each_were_alone(web):
    ground, plan = Ground.open(str(web)), Question(pages=30, seeds=3, runs=2, webs=[str(web)])
    topics = [ground.judged(as_topic(f"label:{name}")) for name in ("odd", "even")]
    weights = [{"parent_1": 0.5, "comm_out": 0.5}]
    together = SimulatedTrials(ground, topics, plan, "training")
    apart = [SimulatedTrials(ground, [topic], plan, "training").fitness(weights) for topic in topics]
    assert together.fitness(weights) == together.fitness(weights) == [*apart[0], *apart[1]]


def test_settings_of_any_strategy_are_evolved(web, tmp_path):
    said = run("evolve", web, "-o", tmp_path / "o", "--strategy", "shark-search", "--topic", "keyword:bees", *QUICK)
    assert "shark-search as it is: 0." in said.stdout
    best = (tmp_path / "o" / "best-1.txt").read_text().strip()
    assert best.startswith("shark-search:")
    create(best)


def test_settings_are_evolved_on_several_webs_from_near_and_far(web, tmp_path):
    other = stored(tmp_path / "other", *pages())
    sizes = ("--pages", 40, "--seeds", 2, "--population", 2, "--generations", 1, "--runs", 1, "--spread", 0.1)
    given = (
        "--strategy",
        "shark-search",
        "--topic",
        "label:odd",
        "--start",
        "both",
        "--fitness",
        "nauc",
        "--jobs",
        1,
    )
    said = run("evolve", web, other, "-o", tmp_path / "o", *given, *sizes)
    assert said.stderr.count("Evolving on label:odd; validating on other seeds") == 2
    assert (tmp_path / "o" / "best-1.txt").read_text().startswith("shark-search:")
    refused = run("evolve", web, other, "-o", tmp_path / "p", "--topic", "label:odd", *sizes, code=1)
    assert "both and several are for settings" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{web}", "--topic", "label:none"], "no page of .* matches label:none; nothing could be found there"),
        (["{web}", "--topic", "label:odd", "--more", "magic"], "--more magic: further scores are anchor and host"),
        (["{web}", "--topic", "label:odd", "--more", "anchor"], "the score anchor needs a topic with words"),
        (["{web}", "--topic", "label:odd", "--population", "7"], "cannot pair off"),
        (["{web}", "--topic", "label:odd", "--fitness", "luck"], "choose one of harvest, recall, nauc, exploration"),
        (["{web}", "--topic", "label:odd", "--pages", "5000"], "has 400 pages, fewer than the 5,000 to fetch"),
        (["{web}", "--topic", "label:odd", "--fitness", "os:nothing"], "'os:nothing' cannot be imported"),
        (["{web}", "--topic", "label:odd", "--singles", "--population", "6"], "the population must be as large"),
        (["{web}", "--strategy", "host-odds", "--singles"], "--singles is for weights of scores"),
        (["{web}", "--strategy", "nonsense"], "there is no strategy 'nonsense'"),
        (["{web}", "--strategy", "breadth-first"], "has no settings that could be evolved"),
        (["nowhere"], "is no imported web; make one of it first: honeyguide import nowhere"),
    ],
)
def test_bad_input_is_told(web, tmp_path, arguments, said):
    given = [argument.format(web=web) for argument in arguments]
    pages = () if "--pages" in given else ("--pages", "60")
    assert re.search(said, run("evolve", *given, "-o", tmp_path / "out", *pages, code=1).stderr)
    assert not (tmp_path / "out").exists() or not list((tmp_path / "out").iterdir())

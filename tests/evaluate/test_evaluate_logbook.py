"""The log of a comparison: what is made is made once, whatever happens in between."""

import dataclasses
import fcntl
import json

import pytest
from msgspec import structs

from honeyguide import BadInput, Strategy, register
from honeyguide.evaluate import Collection, Design, compare
from honeyguide.evaluate.logbook import KEPT_AS
from honeyguide.strategy import _registry
from small_webs import page, topical_web

SMALL = Design(seeds=2, seed_sets=2, pages="40", random_seeds=2, at="10%,1R")
TOPIC = ["label:bees"]
CRAWLS = 2 * 2 * 2  # starts, seed sets, random seeds


@pytest.fixture(scope="module")
def web():
    return Collection.of(topical_web().pages(), "ring")


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


def run(web, log, strategies=("random",), design=SMALL, topics=TOPIC):
    """The comparison, and how many crawls were there before it began."""
    told = []
    made = compare(web, list(strategies), topics, design, log=log, progress=lambda *now: told.append(now))
    return made, told[0][0]


def figures(made):
    return [dataclasses.replace(result, seconds=0.0) for result in made.results]


def test_what_is_made_is_not_made_again(web, log):
    first, before = run(web, log)
    assert (len(first.results), before) == (CRAWLS, 0)
    again, before = run(web, log)
    assert before == CRAWLS
    assert again == first  # CPU times and all


def test_another_strategy_is_added_to_those_that_are_there(web, log):
    run(web, log)
    both, before = run(web, log, ["host-odds", "random"], dataclasses.replace(SMALL, yardstick="random"))
    assert before == CRAWLS
    assert len(both.results) == 2 * CRAWLS
    assert figures(both) == figures(compare(web, ["host-odds", "random"], TOPIC, SMALL))


def test_who_interrupts_is_told_how_many_are_kept(web, log):
    told = []

    def interrupted(done, total):
        if told == [0, 1, 2]:
            told.clear()
            raise KeyboardInterrupt  # the third is written, and nobody has been told
        told.append(done)

    with pytest.raises(KeyboardInterrupt):
        compare(web, ["random"], TOPIC, SMALL, log=log, progress=interrupted)
    assert told == [3]
    assert run(web, log)[1] == 3


def test_half_a_line_of_a_killed_process_is_survived(web, log):
    first, _ = run(web, log)
    path = log / KEPT_AS
    whole = path.read_bytes()
    path.write_bytes(whole[:-100])
    again, before = run(web, log)
    assert before == CRAWLS - 1
    assert figures(again) == figures(first)
    lines = path.read_bytes().splitlines()
    assert all(json.loads(line) for line in lines)
    assert len(lines) == CRAWLS + 1


def test_a_damaged_line_is_said_and_its_crawl_made_again(web, log):
    first, _ = run(web, log)
    path = log / KEPT_AS
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b'\x00\xff{"strategy": 3}\n', b"[]\n", *lines[4:]]))
    again, before = run(web, log)
    assert before == CRAWLS - 2
    assert figures(again) == figures(first)
    assert again.notes[-1] == (
        "Damaged in crawls.jsonl, and left as they are: lines 3, 4. These crawls were made again."
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"design": dataclasses.replace(SMALL, seeds=3)}, "design: seeds was 2 and is 3"),
        ({"design": dataclasses.replace(SMALL, random_seed=7)}, "random_seed was 0 and is 7"),
        ({"topics": ["keyword:bees"]}, "topics: label:bees was .* and is None"),
        (
            {"web": Collection.of([*topical_web().pages(), page("http://new.test/")], "ring")},
            "pages was 240 and is 241",
        ),
    ],
)
def test_another_design_or_web_is_refused_and_nothing_is_mixed(web, log, change, message):
    run(web, log)
    before = (log / KEPT_AS).read_bytes()
    with pytest.raises(BadInput, match=f"is of another comparison .*{message}"):
        run(**{"web": web, "log": log, **change})
    assert (log / KEPT_AS).read_bytes() == before


def test_a_page_that_changed_makes_another_web(web):
    pages = list(topical_web().pages())
    changed = [structs.replace(pages[0], text="other words"), *pages[1:]]
    assert Collection.of(pages).stamp() == web.stamp()
    assert Collection.of(changed).stamp() != web.stamp()
    assert Collection.of([structs.replace(pages[0], links=()), *pages[1:]]).stamp() != web.stamp()


def test_a_log_whose_beginning_is_damaged_is_left_alone(web, log):
    log.mkdir()
    (log / KEPT_AS).write_text("not a log\n")
    with pytest.raises(BadInput, match="the first line is damaged"):
        run(web, log)
    assert (log / KEPT_AS).read_text() == "not a log\n"


def test_two_comparisons_do_not_write_the_same_log(web, log):
    run(web, log)
    with (log / KEPT_AS).open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(BadInput, match="another comparison is writing"):
            run(web, log)


def test_a_strategy_of_another_version_crawls_again(web, log):
    @register
    class Growing(Strategy):
        """Scores by id."""

        name = "growing"
        version = 1

        def score(self, ids):
            return ids.astype("float32")

    try:
        run(web, log, ["growing"])
        Growing.version = 2
        assert run(web, log, ["growing"])[1] == 0
        assert run(web, log, ["growing"])[1] == CRAWLS
    finally:
        del _registry["growing"]


def test_crawls_are_kept_as_they_end(web, log):
    class Enough(Exception):
        pass

    def stop(done, total):
        if done == 3:
            raise Enough

    with pytest.raises(Enough):
        compare(web, ["random"], TOPIC, SMALL, log=log, progress=stop)
    assert run(web, log)[1] == 3

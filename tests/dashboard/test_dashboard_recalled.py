"""What a lesson asks about stored pages: nothing that is known of them, and of conditions only what is not."""

import pytest

import honeyguide as hg
from honeyguide.dashboard.recalled import Doubted, Recalled, takes_long, unanswered
from honeyguide.running import run_async
from honeyguide.topic import BudgetSpent, parse
from small_webs import page

ON, OFF, NEW = (page(f"http://{name}.test/", text="bees") for name in ("on", "off", "new"))
SAID = {ON.url: 0.7, OFF.url: 0.2}


def scores(topic, *pages):
    return run_async(topic.judge(pages))


def answers(score, **given):
    return hg.function(lambda _: score, **given)


@pytest.mark.parametrize(
    ("topic", "long"),
    [
        (answers(1), True),
        (~answers(1), True),
        (hg.links(to=answers(1)), True),
        (~(parse("keyword:bees") | answers(1)), True),
        (parse("keyword:bees"), False),
        (parse("~links:to:(keyword:bees)"), False),
    ],
)
def test_a_function_takes_long_wherever_it_stands(topic, long):
    assert takes_long(topic) is long


def test_what_was_said_stands_and_nobody_is_asked_about_the_rest():
    assert scores(Recalled(SAID), ON, OFF) == [0.7, 0.2]
    with pytest.raises(BudgetSpent):
        scores(Recalled(SAID), NEW)
    with pytest.raises(BudgetSpent):
        scores(Doubted(~answers(0), SAID), NEW)


@pytest.mark.parametrize(("answer", "threshold", "holds"), [(0.7, 0.8, True), (0.8, 0.8, False), (0.5, 0.5, False)])
def test_a_condition_is_asked_at_its_own_threshold(answer, threshold, holds):
    condition = Doubted(~answers(answer, threshold=threshold), SAID)
    assert condition.relevant(scores(condition, OFF)[0]) is holds


def refuses(_):
    raise RuntimeError("the line is busy")


@pytest.mark.parametrize(
    ("function", "why"), [(hg.function(refuses), "the line is busy"), (answers(0, budget=0), "budget")]
)
def test_a_condition_held_of_what_was_on_topic_and_where_it_cannot_be_asked_the_rest_stays(function, why):
    condition = Doubted(~function, SAID)
    assert scores(condition, ON, OFF) == [1.0, 0.2]
    told = unanswered(parse("keyword:bees") & condition)
    assert list(told) == [OFF.url]
    assert why in told[OFF.url]


def test_a_condition_sees_the_pages_that_link_to_one():
    assert Doubted(hg.links(source=answers(1)), SAID).needs_parents

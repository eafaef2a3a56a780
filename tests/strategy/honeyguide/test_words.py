"""What words tell: worked out by hand, and kept."""

import math

import numpy as np
import pytest

from honeyguide.store import state
from honeyguide.strategy.honeyguide.table import Numbered
from honeyguide.strategy.honeyguide.words import IN_LINKS, ON_PAGES, ONWARDS, Words
from honeyguide.strategy.noted import Rows

BEES, HIVE, ROAD = range(3)


def counted():
    """Four pages: two relevant ones with bees, one of them with a hive; a road is on the others."""
    words = Words()
    assert words.numbers(["bees", "hive", "road"]).tolist() == [BEES, HIVE, ROAD]
    for found, good in (([BEES, HIVE], True), ([BEES], True), ([ROAD], False), ([ROAD, HIVE], False)):
        words.count_page(np.array(found), good)
    words.weigh()
    return words


def test_words_are_numbered_as_they_come_and_those_without_a_topic_not_at_all():
    words = Words()
    assert words.numbers(["the", "bees", "of", "1996", "hive", "x"]).tolist() == [0, 1]
    assert words.numbers(["hive", "and", "bees"]).tolist() == [1, 0]
    assert len(words) == 2


def test_a_word_tells_by_how_far_it_is_from_what_is_expected():
    # The base is (2 + ½) / (4 + 1) = ½. Bees: 2 of 2 relevant where 1 is expected, √(¼ · 2 + 1) = √1.5 is the spread.
    assert counted().tells[BEES, ON_PAGES] == pytest.approx(1 / math.sqrt(1.5))
    assert counted().tells[ROAD, ON_PAGES] == pytest.approx(-1 / math.sqrt(1.5))
    assert counted().tells[HIVE, ON_PAGES] == 0


def test_links_tell_by_what_they_led_to():
    words = counted()
    good = np.array([True, True, False])
    words.count_links(np.full(3, HIVE), good, good)
    words.count_leading(np.full(1, HIVE), 1)
    words.weigh()
    base = 2.5 / 4
    assert words.tells[HIVE, IN_LINKS] == pytest.approx((2 - 3 * base) / math.sqrt(3 * base * (1 - base) + 1))
    rows = Rows(np.int32)
    rows.append(np.array([HIVE, BEES]))
    base = 1.5 / 4  # one of the three pages led on
    assert words.tells[HIVE, ONWARDS] == pytest.approx((1 - 3 * base) / math.sqrt(3 * base * (1 - base) + 1))
    expected = (words.tells[HIVE] + words.tells[BEES])[[ON_PAGES, IN_LINKS, ONWARDS]] / math.sqrt(2)
    assert words.of_links(rows, np.array([0]))[0] == pytest.approx(expected)


def test_words_met_since_they_were_weighed_tell_nothing():
    words = counted()
    rows = Rows(np.int32)
    rows.append(words.numbers(["queen"]))
    assert words.of_links(rows, np.array([0])).tolist() == [[0, 0, 0]]


def test_no_text_tells_more_than_the_clearest():
    words = Words()
    numbers = words.numbers([f"word{n}" for n in range(400)])
    for n in range(200):
        words.count_page(numbers if n % 2 else numbers[:0], bool(n % 2))
    words.weigh()
    rows = Rows(np.int32)
    rows.append(numbers)
    assert words.of_links(rows, np.array([0]))[0, ON_PAGES] == 4


def test_what_is_saved_is_what_it_was():
    words, other = counted(), Words()
    other.load(state.load(state.dump(words.save())))
    assert other.numbers(["road", "queen"]).tolist() == [ROAD, 3]
    assert other.tells.tolist() == words.tells.tolist()
    assert other.cases.tolist() == words.cases.tolist()


def test_knowledge_is_counts_by_word_and_only_of_words_met_twice():
    words, other = counted(), Words()
    words.count_page(words.numbers(["once"]), True)
    other.numbers(["something", "else"])
    other.adopt(words.knowledge())
    assert "once" not in words.knowledge()["words"]
    assert other.strongest(other.numbers(["bees"]), ON_PAGES, 1)[0][1] > 0.6
    with pytest.raises(ValueError, match="do not go together"):
        other.adopt({**words.knowledge(), "cases": [1.0]})


def test_texts_are_numbered_as_they_are_asked_for():
    numbered = Numbered(["first"])
    assert [numbered[text] for text in ("second", "first", "third", "second")] == [1, 0, 2, 1]
    assert numbered.texts == ["first", "second", "third"]

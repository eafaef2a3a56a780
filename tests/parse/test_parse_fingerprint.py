"""Fingerprints of texts: alike for alike texts, in every process."""

import os
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.parse import parse
from honeyguide.parse.fingerprint import ENOUGH, _set_bits, distance, fingerprint

WORDS = [f"{first}{last}" for first in "hive comb wax honey queen drone".split() for last in "abcdefghijklmnop"]


def article(seed, words=600):
    return " ".join(random.Random(seed).choices(WORDS, k=words))


def test_every_process_gives_a_text_the_same_fingerprint():
    script = f"from honeyguide.parse.fingerprint import fingerprint; print(fingerprint({article(1)!r}))"
    for seed in ("1", "2"):
        said = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        assert int(said.stdout) == fingerprint(article(1))


def test_a_stored_crawl_is_compared_by_the_same_fingerprints_in_later_versions():
    assert fingerprint(article(1)) == 3631909867876649501
    assert fingerprint(article(2, 4000), "Bees 12") == 8970298594491252380


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=300))
def test_bits_are_counted_side_by_side(numbers):
    counted = _set_bits(np.array(numbers, np.uint64))
    order = np.unpackbits(np.array([1 << n for n in range(64)], np.uint64).view(np.uint8)).reshape(64, 64).argmax(1)
    assert counted[order].tolist() == [sum(number >> n & 1 for number in numbers) for n in range(64)]


@pytest.mark.parametrize("seed", range(10))
def test_a_changed_word_in_a_long_text_changes_few_bits(seed):
    words = article(seed).split()
    changed = [*words]
    changed[random.Random(seed).randrange(len(words))] = "wasp"
    assert distance(fingerprint(" ".join(words)), fingerprint(" ".join(changed))) <= 5


def test_different_texts_differ_in_many_bits():
    found = [fingerprint(article(seed)) for seed in range(20)]
    assert min(distance(a, b) for i, a in enumerate(found) for b in found[:i]) > 10


def test_the_order_of_words_counts():
    words = article(1).split()
    assert distance(fingerprint(" ".join(words)), fingerprint(" ".join(reversed(words)))) > 10


def test_case_and_spaces_do_not_count():
    assert fingerprint(article(1)) == fingerprint(article(1).upper().replace(" ", " \n\t"))


def test_a_short_text_has_none():
    assert fingerprint(article(1, ENOUGH - 1)) == fingerprint("") == 0
    assert fingerprint(article(1, ENOUGH)) != 0


def test_of_a_very_long_text_the_beginning_and_the_end_count():
    begin, middle, end = article(1, 5000), article(2, 5000), article(3, 5000)
    assert fingerprint(f"{begin} {middle} {end}") == fingerprint(f"{begin} {end}")
    assert distance(fingerprint(f"{begin} {end}"), fingerprint(f"{begin} {middle}")) > 3


@settings(deadline=None)
@given(st.lists(st.text(min_size=1), min_size=ENOUGH, max_size=60).map(" ".join))
def test_any_text_has_one_that_fits_into_sqlite(text):
    assert -(2**63) <= fingerprint(text) < 2**63
    assert fingerprint(text) == fingerprint(text)


@given(st.integers(-(2**63), 2**63 - 1), st.integers(-(2**63), 2**63 - 1))
def test_the_distance_is_the_number_of_bits_that_differ(first, second):
    bits = [format(number & 2**64 - 1, "064b") for number in (first, second)]
    assert distance(first, second) == sum(a != b for a, b in zip(*bits, strict=True))
    assert distance(first, first) == 0


def test_menus_around_a_page_do_not_count():
    menus = ["".join(f"<a href='/{i}'>{word} {i}</a>" for i in range(9)) for word in ("bees", "wasps")]
    read = [parse("http://a.test/", f"<nav>{menu}</nav><main><p>{article(3)}</p></main>".encode()) for menu in menus]
    assert read[0].fingerprint == read[1].fingerprint != 0


def test_products_that_share_their_terms_of_sale_are_not_alike():
    terms = article(7, 300)
    prints = {fingerprint(terms, f"Smoker with {name} handle") for name in ("oak", "steel", "leather", "brass")}
    assert len(prints) == 4
    assert min(distance(a, b) for a in prints for b in prints if a != b) > 3


def test_numbers_in_a_title_make_no_other_page():
    assert fingerprint(article(7, 300), "Hives, page 2 of 10") == fingerprint(article(7, 300), "Hives, page 3 of 10")

"""The lexicon and both Jaccard scores, with numbers worked out by hand."""

import math

import numpy as np
import pytest

from honeyguide import BadInput
from honeyguide.strategy import lexicon
from honeyguide.strategy.lexicon import Keywords, Lexicon, keyword_jaccard, keyword_weights, link_jaccard, terms


def two_pages():
    made = Lexicon()
    made.add("Hot lava and hot ash", ["http://a.test/1", "http://a.test/2"], Keywords())
    made.add("Hot lava of 1883", ["http://a.test/2", "http://a.test/3"], Keywords())
    return made


def test_terms_are_telling_words_and_pairs_of_them_that_stand_together():
    assert terms("Hot lava and hot ash, 1883!") == ["hot", "lava", "hot", "ash", "hot lava", "hot ash"]
    assert terms("") == terms("of 1883") == []


def test_pages_are_merged():
    made = two_pages()
    assert made.links == {"http://a.test/1", "http://a.test/2", "http://a.test/3"}
    assert made.counts == {"hot": 3, "lava": 2, "ash": 1, "hot lava": 2, "hot ash": 1}
    assert made.spread == {"hot": 2, "lava": 2, "ash": 1, "hot lava": 2, "hot ash": 1}
    assert made.pages == 2


def test_keywords_are_counted_whatever_their_form():
    made = Lexicon()
    made.add("Lava of the earth, lava of the earth; lava", [], Keywords(["lava of the earth", "lava", "ash"]))
    assert (made.counts["lava of the earth"], made.counts["lava"], made.counts["ash"]) == (2, 3, 0)
    assert (made.spread["lava of the earth"], made.spread["ash"]) == (1, 0)


def test_keywords_are_counted_as_whole_words_in_either_case():
    keywords = Keywords(["lava", "hot spot", "spot", "snow", "火山", "--"])
    assert keywords.counts("Lava! A hot spot, hot spot, Hot\nSpot; lavas; spotless 大火山火山") == [1, 3, 3, 0, 2, 0]
    assert keywords.counts("nothing") == [0] * 6
    assert keywords.lengths.tolist() == [1, 2, 1, 1, 1, 1]
    assert Keywords().counts("lava") == []


def test_the_best_terms_have_the_highest_tf_idf():
    # hot 3 · log 2 = 2.08; lava and hot lava 2 · log 2 = 1.39; ash and hot ash 1 · log 3 = 1.10
    assert two_pages().best_terms(4) == ["hot", "hot lava", "lava", "ash"]
    assert Lexicon().best_terms(4) == []


def test_a_trimmed_lexicon_keeps_its_keywords(monkeypatch):
    monkeypatch.setattr(lexicon, "MOST_TERMS", 2)
    made = two_pages()
    made.trim(["ash", "snow"])
    assert made.counts == {"hot": 3, "hot lava": 2, "ash": 1}
    assert made.spread == {"hot": 2, "hot lava": 2, "ash": 1}


def test_a_lexicon_is_made_again_from_plain_values():
    assert Lexicon.from_dict(two_pages().to_dict()) == two_pages()


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"links": [], "terms": ["a"], "counts": [], "spread": [], "pages": 1},
        {"links": [1], "terms": [], "counts": [], "spread": [], "pages": 1},
        {"links": [], "terms": ["a"], "counts": ["many"], "spread": [1], "pages": 1},
        {"links": None, "terms": [], "counts": [], "spread": [], "pages": 1},
    ],
)
def test_other_values_are_refused(values):
    with pytest.raises(BadInput, match="no lexicon of a genetic crawl"):
        Lexicon.from_dict(values)


def test_jaccard_of_links():
    assert link_jaccard({"a", "b", "c"}, {"b", "c", "d", "e"}) == 2 / 5
    assert link_jaccard({"a"}, {"a"}) == 1
    assert link_jaccard({"a"}, set()) == link_jaccard(set(), set()) == 0


def test_weights_of_keywords():
    # Ten pages: lava on 2 of them, 3 times here; "hot spot", two words, on 5, 2 times here; ash on none yet.
    found = keyword_weights(np.array([3, 2, 4]), np.array([2, 5, 0]), 10, np.array([1, 2, 1]))
    assert found == pytest.approx([3 * math.log(10 / 2), 2 * math.log(10 / 5 * 2), 0])


def test_a_word_on_every_page_tells_nothing_but_a_pair_of_words_does():
    found = keyword_weights(np.array([3, 3]), np.array([4, 4]), 4, np.array([1, 2]))
    assert found == pytest.approx([0, 3 * math.log(2)])


def test_jaccard_of_keywords_is_summed_over_keywords():
    # Σ ab = 3 · 1 + 4 · 2 = 11, Σ a² = 25, Σ b² = 5: 11 / (25 + 5 − 11)
    pages = np.array([[1.0, 2.0], [3.0, 4.0], [0.0, 0.0]])
    assert keyword_jaccard(np.array([3.0, 4.0]), pages) == pytest.approx([11 / 19, 1, 0])


def test_without_keywords_nothing_is_alike():
    assert keyword_jaccard(np.zeros(2), np.zeros((1, 2))).tolist() == [0]
    assert keyword_jaccard(np.zeros(0), np.zeros((3, 0))).tolist() == [0, 0, 0]

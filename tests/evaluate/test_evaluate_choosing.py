"""The rule that chooses topics: always the same ones, within bounds, and not too much alike."""

import itertools
import random
from functools import partial

import pytest

from honeyguide import BadInput, Page
from honeyguide.evaluate.choosing import COMMONEST, LARGEST_LABEL, RAREST, choose, label_candidates, phrases
from honeyguide.evaluate.collection import Collection
from honeyguide.evaluate.comparing import judged_topics
from honeyguide.evaluate.design import Design
from honeyguide.evaluate.relevance import judge

WORDS = [f"{a}{b}{c}" for a in "bdkm" for b in "aeio" for c in ("nt", "rl", "st")]  # bant, barl, …


def worded_pages(count=1200, seed=1):
    """Pages whose words are of all frequencies, with the rarer ones in titles."""
    rng = random.Random(seed)
    weights = [1 / (rank + 1) ** 1.3 for rank in range(len(WORDS))]
    pages = []
    for i in range(count):
        chosen = rng.choices(WORDS, weights, k=4)
        label = f"arts.{WORDS[i % 7]}" if i % 3 else ""
        text = f"the {' and '.join(chosen)} of it, {chosen[0]} {chosen[1]}"
        pages.append(Page(f"http://w.test/{i}", title=f"The {chosen[0]}", text=text, label=label))
    return pages


@pytest.fixture(scope="module")
def pages():
    return Collection.of(worded_pages()).pages


@pytest.fixture(scope="module")
def chosen(pages):
    return choose(pages, False, 6, partial(judge, pages=pages))


def test_words_that_may_be_a_topic():
    found = phrases("Its Heat-Pump of 1996: don't use a 3d web page")
    assert found == {"heat", "pump", "heat pump", "web", "page", "web page"}


def test_chosen_topics_are_within_bounds_and_spread_over_them(chosen):
    shares = [found.share for found in chosen]
    assert len(shares) == 6
    assert all(RAREST <= share <= COMMONEST for share in shares)
    assert shares == sorted(shares)
    assert shares[-1] > 4 * shares[0]


def test_no_two_of_them_are_alike(chosen):
    for a, b in itertools.combinations(chosen, 2):
        both = set(a.ids.tolist()) & set(b.ids.tolist())
        assert len(both) <= min(len(a.ids), len(b.ids)) / 2


def test_the_choice_hangs_on_the_web_alone(pages, chosen):
    shuffled = list(pages)
    random.Random(7).shuffle(shuffled)
    again = choose(Collection.of(shuffled).pages, False, 6, partial(judge, pages=pages))
    assert [str(found.topic) for found in again] == [str(found.topic) for found in chosen]


def test_each_phrase_stands_in_three_titles(pages, chosen):
    for found in chosen:
        assert sum(found.topic.phrases[0] in page.title.lower() for page in pages) >= 3


def test_labels_are_topics_too_and_so_are_broader_ones(pages):
    found = judged_topics(Collection.of(pages), (), Design(labels=True, topics=20))
    names = {str(topic.topic) for topic in found}
    assert all(name.startswith("label:arts.") for name in names)  # two thirds of the pages are about arts: too many
    assert len(names) == 7
    assert all(RAREST <= topic.share <= LARGEST_LABEL for topic in found)
    shares = {str(candidate.topic): candidate.share for candidate in label_candidates(pages)}
    assert shares["label:arts"] == pytest.approx(2 / 3)


def test_where_no_topic_is_found_a_sentence_says_so():
    plain = Collection.of([Page(f"http://w.test/{i}", title="Bees") for i in range(50)], "bees.jsonl")
    with pytest.raises(BadInput, match=r"no phrase in three titles .* of the 50 pages of bees.jsonl; name topics"):
        judged_topics(plain, (), Design())
    with pytest.raises(BadInput, match="have no labels"):
        judged_topics(plain, (), Design(labels=True))


def test_a_topic_without_a_page_is_refused(pages):
    with pytest.raises(BadInput, match="none of the 1,200 pages of this web matches keyword:zebra"):
        judged_topics(Collection.of(pages), ["keyword:zebra"], Design())


def test_a_topic_named_twice_is_compared_once(pages):
    found = judged_topics(Collection.of(pages), ["keyword:bant", "keyword:BANT"], Design())
    assert [str(topic.topic) for topic in found] == ["keyword:bant"]

"""Models that are kept in the crawl directory, named so that it can be moved."""

import pytest

from honeyguide.store.own_models import kept_topic, known_topic


@pytest.mark.parametrize("name", ["crawl", 'a "b" c', "ü&|~"])
@pytest.mark.parametrize(
    "topic",
    [
        "classifier:marked-1.hg@0.5",
        "keyword:bees & ~classifier:marked-12.hg@0.7",
        'keyword:"classifier:marked-1.hg" | classifier:marked-1.hg@0.5',
    ],
)
def test_a_model_in_the_directory_is_kept_by_its_name(tmp_path, name, topic):
    known = known_topic(topic, tmp_path / name)
    assert "marked-" in known
    assert known != topic
    assert kept_topic(known, tmp_path / name) == topic


@pytest.mark.parametrize(
    "topic", ["keyword:bees", "classifier:/elsewhere/marked-1.hg@0.5", "classifier:model.hg", 'regex:"a\\"b"']
)
def test_all_else_stays_as_it_is(tmp_path, topic):
    assert known_topic(topic, tmp_path) == kept_topic(topic, tmp_path) == topic

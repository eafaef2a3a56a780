"""How large an experiment is, and how far."""

from honeyguide.reproduce.findings import Scale


def test_things_are_counted_when_they_are_done():
    told = []
    scale = Scale(progress=lambda done, total: told.append((done, total)))
    assert [(thing, told[-1]) for thing in scale.watched("abc", 3)] == [("a", (0, 3)), ("b", (1, 3)), ("c", (2, 3))]
    assert told[-1] == (3, 3)

"""The queue of one host against a sorted list."""

from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.frontier.host_queue import HOT, HostQueue

keys = st.integers(0, (1 << 60) - 1)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(keys, st.none()), max_size=400))
def test_the_smallest_comes_first_whatever_is_pushed_in_between(operations):
    queue, model = HostQueue(), []
    for key in operations:
        if key is not None:
            queue.push(key)
            model.append(key)
        elif model:
            assert queue.hot[0] == min(model)
            assert queue.pop() == min(model)
            model.remove(min(model))
        assert len(queue) == len(model)
    assert [queue.pop() for _ in range(len(queue))] == sorted(model)


@given(st.lists(keys, max_size=300), st.integers(2, 5))
def test_what_is_not_wanted_goes_and_what_is_wanted_stays_once(found, divisor):
    queue = HostQueue()
    for key in [*found, *found]:
        queue.push(key)
    queue.keep(lambda key: key % divisor == 0)
    assert [queue.pop() for _ in range(len(queue))] == sorted({key for key in found if key % divisor == 0})


def test_most_entries_are_packed():
    queue = HostQueue()
    for key in range(10_000, 0, -1):
        queue.push(key)
    assert len(queue) == 10_000
    assert len(queue.hot) < 10_000 // HOT

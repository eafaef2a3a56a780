"""Running coroutines from plain code: the process is left as it was."""

import gc

import pytest

from honeyguide.running import SELDOM, run_async


async def threshold():
    return gc.get_threshold()


@pytest.mark.parametrize(("before", "meanwhile"), [(700, SELDOM), (SELDOM + 1, SELDOM + 1), (0, 0)])
def test_garbage_is_looked_for_less_often_but_never_where_it_was_not(before, meanwhile):
    own = gc.get_threshold()
    try:
        gc.set_threshold(before, 10, 10)
        assert run_async(threshold()) == (meanwhile, 10, 10)
        assert gc.get_threshold() == (before, 10, 10)
    finally:
        gc.set_threshold(*own)

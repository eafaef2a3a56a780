"""Ranks: slight changes are not told, and far from the top an earlier rank will do."""

import numpy as np

from honeyguide.graph import Graph
from honeyguide.store import state
from honeyguide.strategy.honeyguide.board import BEST, Board
from honeyguide.strategy.honeyguide.pace import SLIGHT


def board_of(count):
    graph = Graph()
    graph.intern([f"http://a.test/{n}" for n in range(count)])
    return Board(graph)


def ranks(*values):
    return np.array(values, np.float32)


def test_new_urls_are_told_whatever_their_rank():
    board = board_of(3)
    assert board.unranked().tolist() == [0, 1, 2]
    assert board.note(np.arange(3), ranks(0, 0, 2)).tolist() == [0, 1, 2]
    assert board.unranked().tolist() == []


def test_slight_changes_are_not_told_until_they_add_up():
    board = board_of(2)
    board.note(np.arange(2), ranks(1, 1))
    assert board.note(np.arange(2), ranks(1 + 0.6 * SLIGHT, 1.5)).tolist() == [1]
    assert board.of(np.array([0])).tolist() == [1]
    assert board.note(np.arange(2), ranks(1 + 1.2 * SLIGHT, 1.5)).tolist() == [0]


def test_only_what_is_or_was_among_the_best_is_told_when_all_are_ranked():
    count = 4 * BEST
    board = board_of(count)
    ids = np.arange(count)
    board.note_all(ids, np.linspace(0, 1, count).astype(np.float32))
    assert len(board.best()) == BEST
    turned = board.note_all(ids, np.linspace(1, 0, count).astype(np.float32))
    assert turned.tolist() == [*range(BEST), *range(3 * BEST, count)]
    assert board.best().tolist() == list(range(BEST))


def test_a_saved_board_goes_on_alike():
    board, other = board_of(5), board_of(5)
    board.note_all(np.arange(5), ranks(1, 2, 3, 4, 5))
    other.load(state.load(state.dump(board.save())))
    assert other.of(np.arange(5)).tolist() == [1, 2, 3, 4, 5]
    assert other.unranked().tolist() == []

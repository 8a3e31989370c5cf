"""What the solver proves of a level that is made: its fewest pushes, and its difficulty."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from gridproof.core.trace import Trace
from gridproof.games.sokoban.making.blasting import Purse
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.search import PushSearch
from gridproof.games.sokoban.solver.solve import trace_of

MOST_WORK = 1_000_000  # a proof's: the positions it may take, times the square of the boxes
_PAIRS = 2_000_000  # pairs of squares, of all settings of the walls, when a difficulty is found out
_MOST_SQUARES = 200  # of a grid with bombs, where that is done at all


class Proof(NamedTuple):
    """What the solver says of a level."""

    found: bool | None
    """None when it gave up."""
    trace: Trace | None
    pushes: int
    effort: int | None
    """None when it would cost too much."""

    @property
    def keys(self) -> Mapping[str, int]:
        """What is said of a level that is won."""
        difficulty = {} if self.effort is None else {"Difficulty": self.effort}
        return {"Pushes": self.pushes, **difficulty}


def _enough(board: Board, states: int) -> bool:
    """Whether a proof has taken the work that a generator allows."""
    return states * len(board.boxes) ** 2 > MOST_WORK


def prove(level: Level, enough: Callable[[Board, int], bool] = _enough) -> Proof:
    """Prove the fewest pushes by the plain search, until `enough` says that it has found too many positions."""
    start = level.start()
    board = Board(start)
    if not board.possible:
        return Proof(False, None, 0, 1)
    if not board.fits:
        return Proof(None, None, 0, None)
    search = PushSearch(board, by_moves=False, plain=True)
    for states in search.run():
        if enough(board, states):
            break
    if search.goal is None:
        return Proof(False if search.exhausted else None, None, 0, search.states)
    trace = trace_of(start, search)
    return Proof(True, trace, len(search.path()) - 1 - _bombs_in(trace), search.states)


def _bombs_in(trace: Trace) -> int:
    return sum(str(step.action) == "bomb" for step in trace.steps)


def effort_with_bombs(level: Level, purse: Purse) -> int | None:
    """The difficulty of a level with bombs; None when it would cost too much."""
    squares = level.size[0] * level.size[1]
    if squares > _MOST_SQUARES:
        return None
    costs = list[int]()

    def enough(board: Board, states: int) -> bool:
        costs.append(board.stages * squares**2 + states * len(board.boxes) ** 2 * 2)
        return costs[-1] > _PAIRS

    proof = prove(level, enough)
    purse.work -= max(costs, default=0) // 100
    return proof.effort if proof.found else None

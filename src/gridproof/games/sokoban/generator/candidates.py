"""Targets for new levels; candidates with their proofs, and their distances from the target."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from gridproof.core.distances import cell_distances
from gridproof.core.errors import GridproofError
from gridproof.core.generate import check_optional, check_range, difficulty_gap
from gridproof.core.trace import Trace
from gridproof.games.sokoban.generator import floor_plan
from gridproof.games.sokoban.generator.bomb_plan import Budget
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.search import PushSearch
from gridproof.games.sokoban.solver.solve import trace_of

MOST_WORK = 1_000_000  # a proof's: the positions it may take, times the square of the boxes
_PAIRS = 2_000_000  # pairs of squares, of all settings of the walls, when a difficulty is found out
_MOST_SQUARES = 200  # of a grid with bombs, where that is done at all


class Proof(NamedTuple):
    """The result of the solver on a level."""

    found: bool | None
    """None when it gave up."""
    trace: Trace | None
    pushes: int
    effort: int | None
    """None when it would cost too much."""

    @property
    def keys(self) -> Mapping[str, int]:
        """The keys of a solved level."""
        difficulty = {} if self.effort is None else {"Difficulty": self.effort}
        return {"Pushes": self.pushes, **difficulty}


def _exceeds_work(board: Board, states: int) -> bool:
    return states * len(board.boxes) ** 2 > MOST_WORK


def prove(level: Level, should_stop: Callable[[Board, int], bool] = _exceeds_work) -> Proof:
    """Prove the fewest pushes by the plain search, until `should_stop` is true of its number of positions."""
    start = level.start()
    board = Board(start)
    if not board.possible:
        return Proof(False, None, 0, 1)
    if not board.fits:
        return Proof(None, None, 0, None)
    search = PushSearch(board, by_moves=False, plain=True)
    for states in search.run():
        if should_stop(board, states):
            break
    if search.goal is None:
        return Proof(False if search.is_exhausted else None, None, 0, search.states)
    trace = trace_of(start, search)
    return Proof(True, trace, len(search.path()) - 1 - _count_bombs(trace), search.states)


def _count_bombs(trace: Trace) -> int:
    return sum(str(step.action) == "bomb" for step in trace.steps)


def measure_bomb_effort(level: Level, budget: Budget) -> int | None:
    """Measure the difficulty of a level with bombs; None when it would cost too much."""
    squares = level.size[0] * level.size[1]
    if squares > _MOST_SQUARES:
        return None
    costs = list[int]()

    def should_stop(board: Board, states: int) -> bool:
        costs.append(board.stage_count * squares**2 + states * len(board.boxes) ** 2 * 2)
        return costs[-1] > _PAIRS

    proof = prove(level, should_stop)
    budget.work -= max(costs, default=0) // 100
    return proof.effort if proof.found else None


SMALLEST, LARGEST, LARGEST_WITH_BOMBS = 3, 50, 20
MOST_BOXES, MOST_BOMBS = 50, 9
_LONG = 40  # pushes that are enough for any level
_MANY, _OPEN = 7, 0.4
"""With so many boxes or more, a level with a smaller share of floor looks like corridors in rock, and says so."""


class Target(NamedTuple):
    """The requested properties of a level."""

    width: int
    height: int
    boxes: int
    bombs: int
    difficulty: int | None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height

    @property
    def least_floor(self) -> int:
        """Cells of floor that boxes need to be moved about."""
        return min((self.width - 2) * (self.height - 2), 3 * self.boxes + 3)

    def tolerance(self, progress: float) -> float:
        """Return the acceptable badness after a share of the work, from 0 to 1: it grows with the share."""
        return progress if self.difficulty is None else 0.0


class Candidate(NamedTuple):
    """A level with its proof."""

    level: Level
    proof: Proof
    needed: int
    """The number of bombs that are needed: one fewer is proved not to suffice."""


def check_target(target: Target) -> Target:
    """Return the target if it is within bounds; else raise a GridproofError."""
    largest = LARGEST_WITH_BOMBS if target.bombs else LARGEST
    check_range("width", target.width, SMALLEST, largest)
    check_range("height", target.height, SMALLEST, largest)
    check_range("bombs", target.bombs, 0, MOST_BOMBS)
    if max(target.width, target.height) < SMALLEST + 2:
        raise GridproofError(f"width or height must be at least {SMALLEST + 2}: a push needs three cells")
    inside = (target.width - 2) * (target.height - 2)
    check_range("boxes", target.boxes, 1, min(MOST_BOXES, inside - 2))
    check_optional("difficulty", target.difficulty, 1, 10**9)
    return target


def badness(candidate: Candidate, target: Target) -> float:
    """Return the distance of a candidate from its target: 0 is good enough."""
    missing = 2.0 * (target.bombs - candidate.needed)
    if target.difficulty is None:
        return missing + max(0.0, 1 - candidate.proof.pushes / min(8 * target.boxes, _LONG))
    return missing + difficulty_gap(candidate.proof.effort, target.difficulty)


def openness(level: Level) -> float:
    """Return the share of the cells inside the border that the player could reach without boxes."""
    width, height = level.size
    free = floor_plan.interior(width, height) - level.walls
    return len(cell_distances(level.player, free)) / ((width - 2) * (height - 2))


def list_shortfalls(candidate: Candidate, target: Target) -> Iterator[str]:
    """Yield the parts of the target that the candidate misses."""
    if target.boxes >= _MANY and (share := openness(candidate.level)) < _OPEN:
        yield f"an open board: {share:.0%} of the inside is floor; a smaller board or more boxes may help"
    if candidate.needed < target.bombs:
        yield f"that all bombs are needed: {candidate.needed} of {target.bombs} are"

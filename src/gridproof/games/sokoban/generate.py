"""New levels from a seed, each with a certificate of fewest pushes that has been proved.

A floor plan is drawn and depots are set in it; a search by pulls finds where the boxes can come from;
the floor that the solution has no use for is filled in; and the solver proves the length. Levels with
bombs are made in another way, see `bombed`. What it may cost is counted, never timed.

Difficulty is search effort: how many positions (boxes, the player's region, walls and bombs) the
solver of this package finds until it has proved the fewest pushes, when it leaves out no push because
of corrals and does not search backwards. It grows with what a person finds
hard, roughly: the length of the solution, the number of choices, and how misleading they are.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.generate import CLOSE, Measured, check_whole, check_wished, factor_off, finished
from gridproof.core.limit import Limit, started
from gridproof.core.rng import Rng
from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban import floorplan
from gridproof.games.sokoban.blasting import Purse
from gridproof.games.sokoban.bombed import Bombed, bombed
from gridproof.games.sokoban.rules import Action, Level, Position, Pushed
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.pulling import Pulled
from gridproof.games.sokoban.solver.search import PushSearch
from gridproof.games.sokoban.solver.solve import trace_of
from gridproof.games.sokoban.validity import Cell, in_reading_order

SMALLEST, LARGEST, LARGEST_WITH_BOMBS = 3, 50, 20
MOST_BOXES, MOST_BOMBS = 50, 9
_PLANS = 12  # floor plans that are tried
_PULLED = 1 << 15  # arrangements of boxes that are looked at on each
_WORK = 1_000_000  # a proof's: the positions it may take, times the square of the boxes
_LONG = 40  # pushes that are enough for any level
_FLOODED = 60_000_000  # squares that may be looked at for a level without bombs, by and large
_BLASTING = 90_000  # units of work for a level with bombs
_PAIRS = 2_000_000  # pairs of squares, of all settings of the walls, when a difficulty is found out
_MOST_SQUARES = 200  # of a grid with bombs, where that is done at all


class Wish(NamedTuple):
    """What the level shall be like."""

    width: int
    height: int
    boxes: int
    bombs: int
    difficulty: int | None

    @property
    def least_floor(self) -> int:
        """Cells of floor that boxes need to be moved about."""
        return min((self.width - 2) * (self.height - 2), 3 * self.boxes + 3)


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


class Made(NamedTuple):
    """A level with its proof."""

    level: Level
    proof: Proof
    needed: int
    """So many bombs are needed; one fewer has been proved not to do."""
    whole: Level | None = None
    """The level with all floor of its plan."""


def generate(
    seed: int,
    *,
    width: int = 10,
    height: int = 10,
    boxes: int = 4,
    bombs: int = 0,
    difficulty: int | None = None,
) -> Level:
    """A new level: the same one for the same arguments, always.

    Parameters
    ----------
    seed : int
        64 bits.
    width, height : int
        The size of the grid in cells, walls included: 3 to 50, with bombs up to 20.
    boxes : int
        1 to 50; at least two cells inside the border must be left without one.
    bombs : int
        0 to 9. Where it can be, the level cannot be won with one bomb fewer.
    difficulty : int, optional
        The search effort wished for, in positions; by default, as hard as a few trials make it.

    Returns
    -------
    Level
        Its `certificate` has the fewest pushes, proved. Its `keys` say the `Pushes`, the `Difficulty`
        (with bombs only where it is quickly found out), and under `Missed` what could not be reached.

    Raises
    ------
    GridproofError
        For a seed or parameters outside these bounds.
    """
    wish = _checked(Wish(width, height, boxes, bombs, difficulty))
    best = _best(_armed if bombs else _unarmed, Rng(seed), wish) or _simplest(wish)
    return _finished(_in_size(best, wish), wish, seed)


def _best(
    maker: Callable[[Rng, Wish], Iterator[tuple[float, Made | None]]], rng: Rng, wish: Wish
) -> Made | None:
    """The first level that is good enough: less and less, as the work is done, is."""
    best: Made | None = None
    for share, made in maker(rng, wish):
        if made and (best is None or _badness(made, wish) < _badness(best, wish)):
            best = made
        if best and _badness(best, wish) <= (share if wish.difficulty is None else 0):
            break
    return best


def _unarmed(rng: Rng, wish: Wish) -> Iterator[tuple[float, Made | None]]:
    """Levels without bombs, each with the share of the work that is done."""
    purse = Purse(_FLOODED)
    for plan in range(_PLANS):
        yield plan / _PLANS, _made(rng, wish, purse)
        if purse.work <= 0:
            break


def _armed(rng: Rng, wish: Wish) -> Iterator[tuple[float, Made | None]]:
    """Levels with bombs, each with the share of the work that is done."""
    purse = Purse(_BLASTING)
    for found in bombed(rng, (wish.width, wish.height), wish.boxes, wish.bombs, purse):
        wanted = wish.difficulty is not None and found.needed == wish.bombs
        yield 1 - purse.work / _BLASTING, _measured(found, purse if wanted else None)


def _measured(found: Bombed, purse: Purse | None) -> Made:
    """A level with its difficulty, if that is wanted."""
    effort = _effort(found.level, purse) if purse else None
    return Made(found.level, Proof(True, found.trace, found.pushes, effort), found.needed)


def _effort(level: Level, purse: Purse) -> int | None:
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


def _checked(wish: Wish) -> Wish:
    largest = LARGEST_WITH_BOMBS if wish.bombs else LARGEST
    check_whole("width", wish.width, SMALLEST, largest)
    check_whole("height", wish.height, SMALLEST, largest)
    check_whole("bombs", wish.bombs, 0, MOST_BOMBS)
    if max(wish.width, wish.height) < SMALLEST + 2:
        raise GridproofError(f"width or height must be at least {SMALLEST + 2}: a push needs three cells")
    inside = (wish.width - 2) * (wish.height - 2)
    check_whole("boxes", wish.boxes, 1, min(MOST_BOXES, inside - 2))
    check_wished("difficulty", wish.difficulty, 1, 10**9)
    return wish


def _badness(made: Made, wish: Wish) -> float:
    """How far a level is from what is wished: 0 is good enough."""
    missing = 2.0 * (wish.bombs - made.needed)
    if wish.difficulty is None:
        return missing + max(0.0, 1 - made.proof.pushes / min(8 * wish.boxes, _LONG))
    # As far as can be, where the difficulty is not known.
    return missing + max(0.0, factor_off(made.proof.effort or 10**9, wish.difficulty) / CLOSE - 1)


def measure(level: Level, limit: Limit | None = None) -> Measured | None:
    """The fewest pushes and the difficulty of any level; None when they are not proved."""
    meter = started(limit)
    proof = prove(level, lambda board, states: meter.reached(states))
    return Measured(proof.trace, proof.keys, "pushes") if proof.trace else None


def _enough(board: Board, states: int) -> bool:
    """Whether a generator has no more patience with a level: no matter of time."""
    return states * len(board.boxes) ** 2 > _WORK


def prove(level: Level, enough: Callable[[Board, int], bool] = _enough) -> Proof:
    """Fewest pushes, by the plain search, as long as it is not told that so many positions are enough."""
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


def _made(rng: Rng, wish: Wish, purse: Purse) -> Made | None:
    """A level on a new floor plan; None when nothing can be pushed there."""
    floor = floorplan.floor_plan(rng, wish.width, wish.height, wish.least_floor)
    depots = floorplan.cluster(rng, floor, wish.boxes)
    return _on_floor(rng, floor, depots, wish, purse)


def _simplest(wish: Wish) -> Made:
    """A level of one push: what there always is."""
    floor = floorplan.whole_room(wish.width, wish.height)
    across = wish.width >= SMALLEST + 2
    player, box, depot = ((x, 1) for x in (1, 2, 3)) if across else ((1, y) for y in (1, 2, 3))
    others = [cell for cell in in_reading_order(floor) if cell not in (player, box, depot)]
    rest = others[len(others) - (wish.boxes - 1) :]
    walls = floorplan.walls_around(floor)
    level = Level(player, wish.bombs, [box, *rest], [depot, *rest], walls, (wish.width, wish.height))
    trace = Trace(level.start(), (Step(Action.RIGHT if across else Action.DOWN),))
    return Made(level, Proof(True, trace, 1, None if wish.bombs else prove(level).effort), 0)


def _on_floor(rng: Rng, floor: set[Cell], depots: list[Cell], wish: Wish, purse: Purse) -> Made | None:
    """The level on this floor whose difficulty is the nearest to the wished one, else the longest."""
    cells = in_reading_order(floor - set(depots))
    if not cells:
        return None
    size = wish.width, wish.height
    board = Board(Level(cells[0], 0, depots, depots, floorplan.walls_around(floor), size).start())
    pulled = Pulled(board, _PULLED)
    purse.work -= pulled.states * len(board.cells)
    best: Made | None = None
    for depth in _depths(pulled.deepest, wish):
        made = _at_depth(rng, pulled, depth, floor, wish)
        if made and (best is None or _badness(made, wish) < _badness(best, wish)):
            best = made
        if best and (wish.difficulty is None or _badness(best, wish) == 0):
            break
        purse.work -= _effort_of(made) * (len(board.cells) + wish.boxes**2)
        if purse.work <= 0:
            break
    return best


def _effort_of(made: Made | None) -> int:
    """The positions that it took; some, where it took too many."""
    return (made.proof.effort or 0) if made else _WORK // 100


def _depths(deepest: int, wish: Wish) -> Iterator[int]:
    """How deep to look: the deepest, and less deep where that is too hard."""
    depth = deepest
    while depth > 0:
        yield depth
        depth = depth * 2 // 3


def _at_depth(rng: Rng, pulled: Pulled, depth: int, floor: set[Cell], wish: Wish) -> Made | None:
    """A level of so many pushes, and no needless floor; None when the proof is too hard."""
    boxes, square = pulled.arranged(rng.choice(pulled.at(depth)))
    board = pulled.board
    depots = [board.cells[goal] for goal in board.goals]
    starts = [board.cells[box] for box in boxes]
    player = rng.choice(in_reading_order(_region(board.cells[square], floor - set(starts))))
    level = Level(player, 0, starts, depots, floorplan.walls_around(floor), (wish.width, wish.height))
    proof = prove(level)
    if proof.trace is None:
        return None
    trimmed = _trimmed(level, floor, _used(proof.trace))
    proof = prove(trimmed)
    return Made(trimmed, proof, 0, level) if proof.trace else None


def _region(start: Cell, free: Collection[Cell]) -> set[Cell]:
    found, queue = {start}, [start]
    for cell in queue:
        fresh = [other for other in floorplan.beside(cell) if other in free and other not in found]
        found.update(fresh)
        queue += fresh
    return found


def _used(trace: Trace) -> set[Cell]:
    """The cells that a player or a box comes to, and the depots."""
    start = trace.start
    assert isinstance(start, Position)
    used = {start.player, *start.boxes, *start.level.depots}
    for outcome in trace.outcomes():
        used.add(outcome.position.player)
        used.update(event.to for event in outcome.events if isinstance(event, Pushed))
    return used


def _trimmed(level: Level, floor: set[Cell], used: set[Cell]) -> Level:
    """The level without the floor that its solution has no use for, if it can be without shrinking."""
    for margin in (2, 4, len(floor)):
        trimmed = _fitted(level, floorplan.without_needless(floor, used, margin))
        if trimmed.size == level.size:
            break
    return trimmed


def _fitted(level: Level, floor: set[Cell]) -> Level:
    """The level with this floor only, in a grid that has no empty row or column at its edges."""
    walls = floorplan.walls_around(floor)
    left, top = min(x for x, _ in walls), min(y for _, y in walls)
    width, height = max(x for x, _ in walls) - left + 1, max(y for _, y in walls) - top + 1

    def moved(cells: Collection[Cell]) -> list[Cell]:
        return [(x - left, y - top) for x, y in cells]

    (player,) = moved([level.player])
    return Level(player, 0, moved(level.boxes), moved(level.depots), moved(walls), (width, height))


def _in_rock(level: Level) -> Level:
    """The level with walls wherever nobody can come."""
    width, height = level.size
    everything = {(x, y) for x in range(width) for y in range(height)}
    floor = _region(level.player, everything - level.walls)
    return dataclasses.replace(level, walls=frozenset(everything - floor))


def _in_size(made: Made, wish: Wish) -> Made:
    """The level in the size that is wished for: with all its floor, and rock beyond that."""
    size = wish.width, wish.height
    if made.level.size == size or made.whole is None:
        return made
    columns, rows = (set(line) for line in zip(*made.whole.walls, strict=True))
    spans = {0, wish.width - 1} <= columns and {0, wish.height - 1} <= rows
    whole = made.whole if spans else _in_rock(made.whole)
    return Made(whole, prove(whole), made.needed)


def _finished(made: Made, wish: Wish, seed: int) -> Level:
    """The level with all that is to be said of it, and its certificate."""
    proof = made.proof
    if wish.bombs and proof.effort is None:
        proof = proof._replace(effort=_effort(made.level, Purse(0)))
    steps = proof.trace.steps if proof.trace else ()
    return finished(made.level, seed, steps, proof.keys, _missed(made, wish))


def _missed(made: Made, wish: Wish) -> Iterator[str]:
    """What could not be reached."""
    if made.needed < wish.bombs:
        yield f"that all bombs are needed: {made.needed} of {wish.bombs} are"
    if wish.difficulty is not None and _badness(made, wish._replace(bombs=made.needed)) > 0:
        yield f"a difficulty of {wish.difficulty}"

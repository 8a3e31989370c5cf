"""New levels in which bombs are needed: rooms and pockets shut off in solid rock.

They are made from their end. Rooms are cut out of rock; bombs are set off, one after the other, where
the player can come; depots are set on what is then open, and boxes are pulled off them, backwards.
Then the rock is put back. What a bomb opened is shut again, and every box and depot that stands
there is in a pocket of its own. That the bombs can win this level is known by then; how many are
needed is proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gridproof.core.rng import Rng
from gridproof.core.trace import Trace
from gridproof.games.sokoban.grid import Grid, Places
from gridproof.games.sokoban.making import floorplan
from gridproof.games.sokoban.making.blasting import Blasting, Plan, Purse, Spent
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.pulling import Pulled
from gridproof.games.sokoban.validity import Cell, in_reading_order

_PULLED = 1 << 11  # arrangements of boxes that are looked at on each plan
_FLOODED = 1200  # squares that are looked at for a unit of work, roughly
_LAID_OUT = 100  # units of work that it costs at least
_DRAWN = 40  # arrangements that are drawn
_TRIED = 3  # of these, those that are proved
_PROOF = 20_000  # units of work for each
_TRACE = 2_000  # and for the trace of a level whose proof has ended early
_MANY = 4  # bombs, which need small rooms and boxes far from each other


class Bombed(NamedTuple):
    """A level with bombs, and what has been proved of it."""

    level: Level
    needed: int
    """How many bombs are needed: it is proved that one fewer does not suffice."""
    pushes: int
    """The fewest."""
    trace: Trace


class _Layout(NamedTuple):
    """A level but for its boxes."""

    grid: Grid
    player: Cell
    rooms: Places
    plan: Plan
    opened: Places
    """The rooms, and what the plan opens."""


def bombed(rng: Rng, size: tuple[int, int], boxes: int, bombs: int, purse: Purse) -> Iterator[Bombed]:
    """Levels, one after the other, until the purse is empty: few of them, where there is little room."""
    grid = Grid(*size)
    while purse.work > 0:
        purse.work -= _LAID_OUT
        layout = _laid_out(rng, grid, size, bombs)
        depots = _depots(rng, layout, boxes, apart=bombs >= _MANY)
        if len(layout.plan) == bombs and depots:
            for starts, pushes in _arranged(rng, layout, size, depots, purse):
                free = layout.rooms | grid.of(starts | depots)
                walls = grid.cells(grid.everywhere & ~free)
                level = Level(layout.player, bombs, starts, depots, walls, size)
                if found := _weighed(level, layout.plan, pushes, purse):
                    yield found


def _laid_out(rng: Rng, grid: Grid, size: tuple[int, int], bombs: int) -> _Layout:
    own = _room(rng, size, 2 if bombs > 2 else 3)  # a small one: from a large one there is too much to prove
    player = rng.choice(in_reading_order(own))
    rooms = grid.of(own)
    for _ in range(rng.below(2) if bombs >= _MANY else 1 + rng.below(3)):
        rooms |= grid.of(_room(rng, size, 3 if bombs >= _MANY else 4))
    opened, plan = rooms, list[Cell]()
    for _ in range(bombs):
        reached = grid.reached(grid.bits[player], opened) & grid.inside
        if places := [cell for cell in grid.cells(reached) if grid.crosses[cell] & ~opened]:
            plan.append(rng.choice(places))
            opened |= grid.crosses[plan[-1]]
    return _Layout(grid, player, rooms, tuple(plan), opened)


def _room(rng: Rng, size: tuple[int, int], most: int) -> set[Cell]:
    wide, high = (min(1 + rng.below(most), side - 2) for side in size)
    left, top = 1 + rng.below(size[0] - 1 - wide), 1 + rng.below(size[1] - 1 - high)
    return {(x, y) for x in range(left, left + wide) for y in range(top, top + high)}


def _depots(rng: Rng, layout: _Layout, count: int, apart: bool) -> set[Cell] | None:
    """Cells inside the border, mostly next to each other, or anywhere."""
    reached = layout.grid.reached(layout.grid.bits[layout.player], layout.opened) & layout.grid.inside
    cells = [cell for cell in layout.grid.cells(reached) if cell != layout.player]
    if len(cells) < count:
        return None
    depots = set[Cell]()
    while len(depots) < count:
        free = [cell for cell in cells if cell not in depots]
        near = [cell for cell in free if not depots.isdisjoint(floorplan.beside(cell))]
        depots.add(rng.choice(near if near and not apart and rng.below(3) else free))
    return depots


def _arranged(
    rng: Rng, layout: _Layout, size: tuple[int, int], depots: set[Cell], purse: Purse
) -> list[tuple[set[Cell], int]]:
    """Where boxes can come from, by how many pushes; the best of some, far apart from each other."""
    grid, player = layout.grid, layout.player
    walls = grid.cells(grid.everywhere & ~layout.opened)
    board = Board(Level(player, 0, depots, depots, walls, size).start())
    pulled = Pulled(board, _PULLED)
    purse.work -= pulled.states * len(depots) * len(board.cells) // _FLOODED
    drawn = list[tuple[int, int, set[Cell]]]()
    for _ in range(_DRAWN if pulled.deepest else 0):
        pushes = pulled.deepest - rng.below(max(1, pulled.deepest * 2 // 3))
        squares, square = pulled.arranged(rng.choice(pulled.at(pushes)))
        boxes = {board.cells[box] for box in squares}
        region = grid.reached(grid.bits[player], layout.opened & ~grid.of(boxes))
        if player not in boxes and region & grid.bits[board.cells[square]]:
            drawn.append((_apart(player, boxes ^ depots, layout), pushes, boxes))
    drawn.sort(key=lambda one: one[:2], reverse=True)
    return [(boxes, pushes) for _, pushes, boxes in drawn[:_TRIED]]


def _apart(player: Cell, cells: set[Cell], layout: _Layout) -> int:
    """Roughly, how many shut-in cells there are of which no bomb opens two."""
    alone = [player]
    for x, y in in_reading_order(cells):
        if not layout.rooms & layout.grid.bits[x, y] and all(
            abs(x - i) > 1 and abs(y - j) > 1 for i, j in alone
        ):
            alone.append((x, y))
    return len(alone)


def _weighed(level: Level, plan: Plan, pushes: int, purse: Purse) -> Bombed | None:
    """The level with its proof; None when that costs too much, or there are too many ways to win it."""
    lent = Purse(min(_PROOF, purse.work))
    purse.work -= lent.work
    blasting, needed = Blasting(level, lent), 0
    try:
        if not blasting.can_follow(plan):
            return None
        direct = pushes == blasting.open_bound()
        try:
            while needed < level.bombs and not blasting.suffices(needed):
                needed += 1
        except Spent:  # as many as have been proved are needed
            lent.work = _TRACE
        if not direct:
            best = blasting.fewest(needed) if needed == level.bombs else None
            if best is None:
                return None
            pushes, plan = best
        return Bombed(level, needed, pushes, blasting.trace(plan))
    except Spent:
        return None
    finally:
        purse.work += lent.work

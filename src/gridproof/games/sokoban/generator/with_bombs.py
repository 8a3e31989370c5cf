"""New levels in which bombs are needed: rooms and pockets shut off in solid rock.

The generator works backwards. It cuts rooms out of rock; it sets off bombs in turn where
the player can come; it sets depots on the open floor, and pulls boxes off them.
Then the rock is put back. What a bomb opened is shut again, and every box and depot that stands
there is in a pocket of its own. That the bombs can win this level is known by then; how many are
needed is proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gridproof.core.distances import neighbours
from gridproof.core.rng import Rng
from gridproof.games.sokoban.generator.bomb_plan import BombAnalysis, Budget, BudgetExceeded, Plan
from gridproof.games.sokoban.generator.candidates import Candidate, Proof
from gridproof.games.sokoban.grid import Grid, Places
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.pull_search import PullSearch
from gridproof.games.sokoban.validity import Cell, sort_cells

_MOST_ARRANGEMENTS = 1 << 11  # arrangements of boxes that are looked at on each plan
_SQUARES_PER_UNIT = 1200  # squares that are looked at for a unit of work, roughly
_LAYOUT_WORK = 100  # units of work that it costs at least
_DRAWS = 40  # arrangements that are drawn
_MOST_PROOFS = 3  # of these, those that are proved
_PROOF = 20_000  # units of work for each
_TRACE = 2_000  # and for the trace of a level whose proof has ended early
_MANY = 4  # bombs, which need small rooms and boxes far from each other


class _Layout(NamedTuple):
    """A level without its boxes."""

    grid: Grid
    player: Cell
    rooms: Places
    plan: Plan
    open_floor: Places
    """The rooms, and the cells that the plan opens."""


def generate_bomb_levels(
    rng: Rng, size: tuple[int, int], boxes: int, bombs: int, budget: Budget
) -> Iterator[Candidate]:
    """Yield levels until the budget is used up: few of them, where there is little room."""
    grid = Grid(*size)
    while budget.work > 0:
        budget.work -= _LAYOUT_WORK
        layout = _draw_layout(rng, grid, size, bombs)
        depots = _draw_depots(rng, layout, boxes, apart=bombs >= _MANY)
        if len(layout.plan) == bombs and depots:
            for starts, pushes in _draw_starts(rng, layout, size, depots, budget):
                free = layout.rooms | grid.to_places(starts | depots)
                walls = grid.to_cells(grid.all_cells & ~free)
                level = Level(layout.player, bombs, starts, depots, walls, size)
                if candidate := _prove_level(level, layout.plan, pushes, budget):
                    yield candidate


def _draw_layout(rng: Rng, grid: Grid, size: tuple[int, int], bombs: int) -> _Layout:
    # a small room: a large one leaves too much to prove
    own = _draw_room(rng, size, 2 if bombs > 2 else 3)
    player = rng.choice(sort_cells(own))
    rooms = grid.to_places(own)
    for _ in range(rng.below(2) if bombs >= _MANY else 1 + rng.below(3)):
        rooms |= grid.to_places(_draw_room(rng, size, 3 if bombs >= _MANY else 4))
    open_floor, plan = rooms, list[Cell]()
    for _ in range(bombs):
        reachable = grid.flood_fill(grid.bits[player], open_floor) & grid.interior
        if places := [cell for cell in grid.to_cells(reachable) if grid.crosses[cell] & ~open_floor]:
            plan.append(rng.choice(places))
            open_floor |= grid.crosses[plan[-1]]
    return _Layout(grid, player, rooms, tuple(plan), open_floor)


def _draw_room(rng: Rng, size: tuple[int, int], most: int) -> set[Cell]:
    wide, high = (min(1 + rng.below(most), side - 2) for side in size)
    left, top = 1 + rng.below(size[0] - 1 - wide), 1 + rng.below(size[1] - 1 - high)
    return {(x, y) for x in range(left, left + wide) for y in range(top, top + high)}


def _draw_depots(rng: Rng, layout: _Layout, count: int, apart: bool) -> set[Cell] | None:
    """Draw cells inside the border, mostly next to each other."""
    reachable = (
        layout.grid.flood_fill(layout.grid.bits[layout.player], layout.open_floor) & layout.grid.interior
    )
    cells = [cell for cell in layout.grid.to_cells(reachable) if cell != layout.player]
    if len(cells) < count:
        return None
    depots = set[Cell]()
    while len(depots) < count:
        free = [cell for cell in cells if cell not in depots]
        near = [cell for cell in free if not depots.isdisjoint(neighbours(cell))]
        depots.add(rng.choice(near if near and not apart and rng.below(3) else free))
    return depots


def _draw_starts(
    rng: Rng, layout: _Layout, size: tuple[int, int], depots: set[Cell], budget: Budget
) -> list[tuple[set[Cell], int]]:
    """Draw starts of the boxes with their numbers of pushes; the best of some, far apart from each other."""
    grid, player = layout.grid, layout.player
    walls = grid.to_cells(grid.all_cells & ~layout.open_floor)
    board = Board(Level(player, 0, depots, depots, walls, size).start())
    pulls = PullSearch(board, _MOST_ARRANGEMENTS)
    budget.work -= pulls.states * len(depots) * len(board.cells) // _SQUARES_PER_UNIT
    starts_by_rank = list[tuple[int, int, set[Cell]]]()
    for _ in range(_DRAWS if pulls.deepest else 0):
        pushes = pulls.deepest - rng.below(max(1, pulls.deepest * 2 // 3))
        squares, square = pulls.arrangement(rng.choice(pulls.at_depth(pushes)))
        boxes = {board.cells[box] for box in squares}
        region = grid.flood_fill(grid.bits[player], layout.open_floor & ~grid.to_places(boxes))
        if player not in boxes and region & grid.bits[board.cells[square]]:
            starts_by_rank.append((_count_isolated_cells(player, boxes ^ depots, layout), pushes, boxes))
    starts_by_rank.sort(key=lambda start: start[:2], reverse=True)
    return [(boxes, pushes) for _, pushes, boxes in starts_by_rank[:_MOST_PROOFS]]


def _count_isolated_cells(player: Cell, cells: set[Cell], layout: _Layout) -> int:
    """Return the rough number of shut-in cells of which no bomb opens two."""
    alone = [player]
    for x, y in sort_cells(cells):
        if not layout.rooms & layout.grid.bits[x, y] and all(
            abs(x - i) > 1 and abs(y - j) > 1 for i, j in alone
        ):
            alone.append((x, y))
    return len(alone)


def _prove_level(level: Level, plan: Plan, pushes: int, budget: Budget) -> Candidate | None:
    """Prove the level; None when that costs too much, or its fewest pushes are not known."""
    loan = Budget(min(_PROOF, budget.work))
    budget.work -= loan.work
    analysis, needed = BombAnalysis(level, loan), 0
    try:
        if not analysis.can_follow(plan):
            return None
        direct = pushes == analysis.lower_bound()
        try:
            while needed < level.bombs and not analysis.can_suffice(needed):
                needed += 1
        except BudgetExceeded:  # as many as have been proved are needed
            loan.work = _TRACE
        if not direct:
            best = analysis.fewest_pushes(needed) if needed == level.bombs else None
            if best is None:
                return None
            pushes, plan = best
        return Candidate(level, Proof(True, analysis.trace(plan), pushes, None), needed)
    except BudgetExceeded:
        return None
    finally:
        budget.work += loan.work

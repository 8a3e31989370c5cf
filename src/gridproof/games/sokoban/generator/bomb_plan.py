"""Prove how many bombs a level needs, and its fewest pushes, by trying all walls that bombs can leave.

Fewer walls never hurt. So the boxes that stand in the way of a walk are left out at first: if the
level cannot be won, by pushes alone, among any of the walls that so many bombs could leave, so many
bombs do not suffice; and no win has fewer pushes than the best one among them. That one is a win of the
level too when its bombs can all go off before the first push.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban.generator import floor_plan
from gridproof.games.sokoban.grid import Grid, Places
from gridproof.games.sokoban.rules import STEPS, Action, Level
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.expand import BOUND, DEAD
from gridproof.games.sokoban.solver.search import PushSearch
from gridproof.games.sokoban.solver.solve import trace_of
from gridproof.games.sokoban.validity import Cell

Plan = tuple[Cell, ...]
"""The cells where bombs go off in turn, all of them before the first push."""
_AREA = 50  # cells that can be looked at for a unit of work
_POSITIONS = 100  # positions, times the square of the boxes
_SIDES = 1000  # pairs of squares
_SEARCH = 20  # units that a search costs at least


class BudgetExceeded(Exception):
    """The budget of work is used up."""


class Budget:
    """A budget of work: counted, never timed, so that it is the same on every machine.

    Attributes
    ----------
    work : int
        What is left, in units of some 20 millionths of a second.
    """

    def __init__(self, work: int) -> None:
        self.work = work

    def spend(self, work: int) -> None:
        """Spend work, or raise `BudgetExceeded`."""
        self.work -= work
        if self.work < 0:
            raise BudgetExceeded


class BombAnalysis:
    """The walls that the bombs of a level can leave.

    Parameters
    ----------
    level : Level
    budget : Budget
        Every method raises `BudgetExceeded` when it is used up.
    """

    def __init__(self, level: Level, budget: Budget) -> None:
        self.level, self._budget = level, budget
        self._grid = grid = Grid(*level.size)
        self._walls = grid.to_places(level.walls)
        self._start = grid.to_places([level.player])
        self._boxes = grid.to_places(level.boxes)
        self._lanes = [self._push_lanes(box) for box in sorted(level.boxes - level.depots)]
        self._lanes += [self._delivery_lanes(depot) for depot in sorted(level.depots - level.boxes)]
        self._layers: list[dict[Places, Plan | None]] = [{self._walls: ()}]

    def _push_lanes(self, box: Cell) -> list[Places]:
        """Return the pairs of cells of which one must be free to push a box: both sides on an axis."""
        x, y = box
        return self._lanes_inside((((x - 1, y), (x + 1, y)), ((x, y - 1), (x, y + 1))))

    def _delivery_lanes(self, depot: Cell) -> list[Places]:
        """Return the pairs of cells of which one must be free to push a box onto a depot: two in a line."""
        x, y = depot
        return self._lanes_inside(((x + dx, y + dy), (x + 2 * dx, y + 2 * dy)) for dx, dy in STEPS.values())

    def _lanes_inside(self, lanes: Iterable[tuple[Cell, Cell]]) -> list[Places]:
        width, height = self.level.size
        fits = [lane for lane in lanes if all(0 <= x < width and 0 <= y < height for x, y in lane)]
        return [self._grid.to_places(lane) for lane in fits]

    def can_suffice(self, bombs: int) -> bool:
        """Return whether a number of bombs may suffice: False proves that it does not."""
        return any(self._count_pushes(walls, None) is not None for walls in self._open_layouts(bombs))

    def fewest_pushes(self, bombs: int) -> tuple[int, Plan] | None:
        """Return the fewest pushes with a number of bombs, and the plan; None when that is not known."""
        layer = self._layer(bombs, last=True)
        best: tuple[int, Plan] | None = None
        for walls in sorted(self._open_layouts(bombs, last=True), key=lambda walls: layer[walls] is None):
            plan = layer[walls]
            pushes = self._count_pushes(walls, best[0] if best else None)
            if pushes is None:
                continue
            if plan is None:
                return None
            best = pushes, plan
        return best

    def _open_layouts(self, bombs: int, last: bool = False) -> list[Places]:
        """Return the walls that shut off no box and no depot."""
        return [
            walls
            for walls in self._layer(bombs, last)
            if all(any(not walls & lane for lane in lanes) for lanes in self._lanes)
        ]

    def _layer(self, bombs: int, last: bool = False) -> dict[Places, Plan | None]:
        """Return the walls that a number of bombs can leave, each with a plan if no box blocks it.

        The last layer has only walls that shut nothing off.
        """
        while len(self._layers) <= bombs:
            self._layers.append(self._next_layer(self._layers[-1], last and len(self._layers) == bombs))
        return self._layers[bombs]

    def _next_layer(self, layer: dict[Places, Plan | None], last: bool) -> dict[Places, Plan | None]:
        grid, next_layer = self._grid, dict[Places, Plan | None]()
        for walls, plan in layer.items():
            self._budget.spend(1 + grid.width * grid.height // _AREA)
            free = grid.all_cells & ~walls
            places = grid.flood_fill(self._start, free)
            reachable = 0 if plan is None else grid.flood_fill(self._start, free & ~self._boxes)
            if last:
                places &= self._places_to_open(walls)
            for cell in grid.to_cells(self._useful_places(walls, places)):
                after = walls & ~grid.crosses[cell]
                if plan is not None and reachable & grid.bits[cell]:
                    next_layer[after] = (*plan, cell)
                else:
                    next_layer.setdefault(after, None)
        return next_layer

    def _useful_places(self, walls: Places, places: Places) -> Places:
        """Return the places where a bomb deletes walls, and more than at other places."""
        grid = self._grid
        rows = sum(row for row in grid.rows if not row & walls)
        columns = sum(column for column in grid.columns if not column & walls)
        both = places & ~rows & ~columns
        for column in grid.columns:
            if column & both:
                places &= ~(column & rows)
        for row in grid.rows:
            if row & both:
                places &= ~(row & columns)
        return places & ~(rows & columns)

    def _places_to_open(self, walls: Places) -> Places:
        """Return the places where a bomb leaves no box and no depot shut off."""
        places = self._grid.all_cells
        for lanes in self._lanes:
            if all(walls & lane for lane in lanes):
                places &= functools.reduce(
                    int.__or__, (self._places_to_delete(walls & lane) for lane in lanes), 0
                )
        return places

    def _places_to_delete(self, walls: Places) -> Places:
        """Return the places from which a bomb deletes all of some walls."""
        crosses = (self._grid.crosses[cell] for cell in self._grid.to_cells(walls))
        return functools.reduce(int.__and__, crosses)

    def lower_bound(self) -> int:
        """Return a lower bound of the pushes, whatever walls are deleted."""
        return int(PushSearch(self._board(0, self.level.player), by_moves=False).figures[0, BOUND])

    def _board(self, walls: Places, player: Cell) -> Board:
        level = self.level
        bare = Level(player, 0, level.boxes, level.depots, self._grid.to_cells(walls), level.size)
        board = Board(bare.start())
        self._budget.spend(_SEARCH + len(board.cells) ** 2 // _SIDES)
        return board

    def _count_pushes(self, walls: Places, fewer_than: int | None) -> int | None:
        """Return the fewest pushes among these walls; None without a win, or without one by fewer."""
        board = self._board(walls, self.level.player)
        if not board.possible:
            return None
        search = PushSearch(board, by_moves=False)
        bound = int(search.figures[0, BOUND])
        if bound == DEAD or (fewer_than is not None and bound >= fewer_than):
            return None
        self._run_search(search)
        if search.goal is None:
            return None
        pushes = len(search.path()) - 1
        return pushes if fewer_than is None or pushes < fewer_than else None

    def _run_search(self, search: PushSearch) -> None:
        before = 0
        for states in search.run():
            self._budget.spend((states - before) * len(self.level.boxes) ** 2 // _POSITIONS)
            before = states

    def can_follow(self, plan: Plan) -> bool:
        """Return whether the player can follow a plan around the boxes."""
        walls = self._walls
        for cell in plan:
            free = self._grid.all_cells & ~walls & ~self._boxes
            if not self._grid.flood_fill(self._start, free) & self._grid.bits[cell]:
                return False
            walls &= ~self._grid.crosses[cell]
        return True

    def trace(self, plan: Plan) -> Trace:
        """Return the trace of a plan: the bombs, each after a walk, and then the fewest pushes."""
        actions, walls, player = list[Action](), self._walls, self.level.player
        for cell in plan:
            free = set(self._grid.to_cells(self._grid.all_cells & ~walls & ~self._boxes))
            actions += [*floor_plan.walk(player, cell, free), Action.BOMB]
            walls, player = walls & ~self._grid.crosses[cell], cell
        search = PushSearch(self._board(walls, player), by_moves=False)
        self._run_search(search)
        steps = [*map(Step, actions), *trace_of(self.level.start(), search).steps]
        return Trace(self.level.start(), tuple(steps))

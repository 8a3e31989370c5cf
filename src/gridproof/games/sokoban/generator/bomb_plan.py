"""How many bombs a level needs, and its fewest pushes: proved by looking at all that bombs can open.

Fewer walls never hurt. So the boxes that stand in the way of a walk are left out at first: if the
level cannot be won, by pushes alone, among any of the walls that so many bombs could leave, so many
bombs do not suffice; and no win has fewer pushes than the best one among them. That one is a win of the
level too when its bombs can all go off before the first push.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban.grid import Grid, Places
from gridproof.games.sokoban.making import floorplan
from gridproof.games.sokoban.rules import STEPS, Action, Level
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.expanding import BOUND, DEAD
from gridproof.games.sokoban.solver.search import PushSearch
from gridproof.games.sokoban.solver.solve import trace_of
from gridproof.games.sokoban.validity import Cell

Plan = tuple[Cell, ...]
"""Where bombs go off, one after the other, all of them before the first push."""
_AREA = 50  # cells that can be looked at for a unit of work
_POSITIONS = 100  # positions, times the square of the boxes
_SIDES = 1000  # pairs of squares
_SEARCH = 20  # units that a search costs at least


class Spent(Exception):
    """The work that was allowed is used up."""


class Purse:
    """A budget of work: counted, never timed, so that it is the same on every machine.

    Attributes
    ----------
    work : int
        What is left, in units of some 20 millionths of a second.
    """

    def __init__(self, work: int) -> None:
        self.work = work

    def pay(self, work: int) -> None:
        """Take so much work from the budget, or raise `Spent`."""
        self.work -= work
        if self.work < 0:
            raise Spent


class Blasting:
    """The walls that the bombs of a level can leave.

    Parameters
    ----------
    level : Level
    purse : Purse
        The budget; every method raises `Spent` when it is used up.
    """

    def __init__(self, level: Level, purse: Purse) -> None:
        self.level, self._purse = level, purse
        self._grid = grid = Grid(*level.size)
        self._walls = grid.of(level.walls)
        self._start = grid.of([level.player])
        self._boxes = grid.of(level.boxes)
        self._wants = [self._ways_out(box) for box in sorted(level.boxes - level.depots)]
        self._wants += [self._ways_in(depot) for depot in sorted(level.depots - level.boxes)]
        self._layers: list[dict[Places, Plan | None]] = [{self._walls: ()}]

    def _ways_out(self, box: Cell) -> list[Places]:
        """What must be free for a box to be pushed: both sides of it."""
        x, y = box
        return self._inside((((x - 1, y), (x + 1, y)), ((x, y - 1), (x, y + 1))))

    def _ways_in(self, depot: Cell) -> list[Places]:
        """What must be free for a box to be pushed onto a depot: two cells on one side."""
        x, y = depot
        return self._inside(((x + dx, y + dy), (x + 2 * dx, y + 2 * dy)) for dx, dy in STEPS.values())

    def _inside(self, ways: Iterable[tuple[Cell, Cell]]) -> list[Places]:
        width, height = self.level.size
        fits = [way for way in ways if all(0 <= x < width and 0 <= y < height for x, y in way)]
        return [self._grid.of(way) for way in fits]

    def suffices(self, bombs: int) -> bool:
        """Whether a number of bombs may suffice: False is a proof that it does not."""
        return any(self._pushes(walls, None) is not None for walls in self._ready(bombs))

    def fewest(self, bombs: int) -> tuple[int, Plan] | None:
        """The fewest pushes with a number of bombs, and where they go off; None when that is not known."""
        layer = self._layer(bombs, last=True)
        best: tuple[int, Plan] | None = None
        for walls in sorted(self._ready(bombs, last=True), key=lambda walls: layer[walls] is None):
            plan = layer[walls]
            pushes = self._pushes(walls, best[0] if best else None)
            if pushes is None:
                continue
            if plan is None:
                return None
            best = pushes, plan
        return best

    def _ready(self, bombs: int, last: bool = False) -> list[Places]:
        """The arrangements of walls that shut off no box and no depot."""
        return [
            walls
            for walls in self._layer(bombs, last)
            if all(any(not walls & way for way in ways) for ways in self._wants)
        ]

    def _layer(self, bombs: int, last: bool = False) -> dict[Places, Plan | None]:
        """The walls that a number of bombs can leave, each with a plan if no box is in its way.

        Of the last one only those that leave nothing shut.
        """
        while len(self._layers) <= bombs:
            self._layers.append(self._after(self._layers[-1], last and len(self._layers) == bombs))
        return self._layers[bombs]

    def _after(self, layer: dict[Places, Plan | None], last: bool) -> dict[Places, Plan | None]:
        grid, following = self._grid, dict[Places, Plan | None]()
        for walls, plan in layer.items():
            self._purse.pay(1 + len(grid.crosses) // _AREA)
            free = grid.everywhere & ~walls
            places = grid.reached(self._start, free)
            walked = 0 if plan is None else grid.reached(self._start, free & ~self._boxes)
            if last:
                places &= self._opening(walls)
            for cell in grid.cells(self._worthwhile(walls, places)):
                after = walls & ~grid.crosses[cell]
                if plan is not None and walked & grid.bits[cell]:
                    following[after] = (*plan, cell)
                else:
                    following.setdefault(after, None)
        return following

    def _worthwhile(self, walls: Places, places: Places) -> Places:
        """Without the places where a bomb deletes nothing, or no more than at another of them."""
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

    def _opening(self, walls: Places) -> Places:
        """The places where a bomb leaves no box and no depot shut."""
        places = self._grid.everywhere
        for ways in self._wants:
            if all(walls & way for way in ways):
                places &= functools.reduce(int.__or__, (self._clearing(walls & way) for way in ways), 0)
        return places

    def _clearing(self, walls: Places) -> Places:
        """The places from which a bomb deletes all of some walls: those in the row or column of each of them."""
        crosses = (self._grid.crosses[cell] for cell in self._grid.cells(walls))
        return functools.reduce(int.__and__, crosses)

    def open_bound(self) -> int:
        """A lower bound of the pushes, whatever walls are deleted."""
        return int(PushSearch(self._board(0, self.level.player), by_moves=False).figures[0, BOUND])

    def _board(self, walls: Places, player: Cell) -> Board:
        level = self.level
        bare = Level(player, 0, level.boxes, level.depots, self._grid.cells(walls), level.size)
        board = Board(bare.start())
        self._purse.pay(_SEARCH + len(board.cells) ** 2 // _SIDES)
        return board

    def _pushes(self, walls: Places, fewer_than: int | None) -> int | None:
        """The fewest pushes among walls that stay; None when there is no win, or none by fewer."""
        board = self._board(walls, self.level.player)
        if not board.possible:
            return None
        search = PushSearch(board, by_moves=False)
        bound = int(search.figures[0, BOUND])
        if bound == DEAD or (fewer_than is not None and bound >= fewer_than):
            return None
        self._run(search)
        if search.goal is None:
            return None
        pushes = len(search.path()) - 1
        return pushes if fewer_than is None or pushes < fewer_than else None

    def _run(self, search: PushSearch) -> None:
        before = 0
        for states in search.run():
            self._purse.pay((states - before) * len(self.level.boxes) ** 2 // _POSITIONS)
            before = states

    def can_follow(self, plan: Plan) -> bool:
        """Whether the bombs can go off there, with the boxes where they stand."""
        walls = self._walls
        for cell in plan:
            free = self._grid.everywhere & ~walls & ~self._boxes
            if not self._grid.reached(self._start, free) & self._grid.bits[cell]:
                return False
            walls &= ~self._grid.crosses[cell]
        return True

    def trace(self, plan: Plan) -> Trace:
        """The bombs, each after a walk, and then the fewest pushes among the walls that are left."""
        actions, walls, player = list[Action](), self._walls, self.level.player
        for cell in plan:
            free = set(self._grid.cells(self._grid.everywhere & ~walls & ~self._boxes))
            actions += [*floorplan.walk(player, cell, free), Action.BOMB]
            walls, player = walls & ~self._grid.crosses[cell], cell
        search = PushSearch(self._board(walls, player), by_moves=False)
        self._run(search)
        steps = [*map(Step, actions), *trace_of(self.level.start(), search).steps]
        return Trace(self.level.start(), tuple(steps))

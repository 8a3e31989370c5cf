"""Explain in a sentence why a position can never be won, where a quick look at its boxes shows it.

All walls that bombs could delete count as deleted. A position without an explanation may be
impossible all the same.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gridproof.core.distances import distances
from gridproof.core.text.phrases import some
from gridproof.games.sokoban.rules import STEPS, Position
from gridproof.games.sokoban.validity import Cell, name_cell, sort_cells

_CELL_BUDGET = 300_000
"""Cells that may be looked at, repeats included, before the search for a reason ends."""

_MOST_BOXES = 200
"""The most boxes that are matched with depots."""
_PLURAL = {"box": "boxes", "depot": "depots"}

Reach = Mapping[Cell, set[Cell]]
"""For each box, the depots to which it could be pushed if it were alone."""


class _BudgetExceeded(Exception):
    """The search for a reason has looked at too many cells."""


def explain_dead_position(position: Position) -> str:
    """Return why some boxes can come to no depot: of those that can never be moved, if there are any; "" without an explanation."""
    reach: dict[Cell, set[Cell]] = {}
    held: list[Cell] = []
    with contextlib.suppress(_BudgetExceeded):
        for box, frozen, depots in _examine_boxes(position):
            if held and not frozen:
                break
            reach[box] = depots
            held += [box] if frozen and not depots else []
    if held:
        return f"{_describe('box', held)} can never be moved, and {'is' if len(held) == 1 else 'are'} on no depot"
    if lost := [box for box, depots in reach.items() if not depots]:
        return f"{_describe('box', lost)} can reach no depot"
    if violator := _hall_violator(reach):
        return f"{_describe('box', violator[0])} can reach only {_describe('depot', violator[1])}"
    return ""


def stuck_boxes(position: Position) -> tuple[Cell, ...]:
    """Return the boxes that can reach no depot, else more boxes than the depots that they can reach; else ()."""
    reach: dict[Cell, set[Cell]] = {}
    with contextlib.suppress(_BudgetExceeded):
        reach.update((box, depots) for box, _, depots in _examine_boxes(position))
    lost = tuple(box for box, depots in reach.items() if not depots)
    violator = None if lost else _hall_violator(reach)
    return tuple(violator[0]) if violator else lost


def _examine_boxes(position: Position) -> Iterator[tuple[Cell, bool, set[Cell]]]:
    """Yield each box, whether it is frozen, and the depots that it could reach, frozen ones first; may raise _BudgetExceeded."""
    floor = _Floor(position)
    frozen = floor.frozen_boxes()
    for box in sorted(sort_cells(position.boxes), key=lambda box: box not in frozen):
        own = {box} & position.level.depots
        yield box, box in frozen, own if box in frozen else floor.reachable_depots(box)


def _hall_violator(reach: Reach) -> tuple[Sequence[Cell], Sequence[Cell]] | None:
    """Return boxes with fewer reachable depots than boxes (Hall's theorem), and these depots; None if none exist."""
    if len(reach) > _MOST_BOXES:
        return None
    box_on: dict[Cell, Cell] = {}
    for box in reach:
        visited: set[Cell] = set()
        if not _augment(box, reach, box_on, visited):
            return sort_cells({box, *(box_on[depot] for depot in visited)}), sort_cells(visited)
    return None


def _augment(box: Cell, reach: Reach, box_on: dict[Cell, Cell], visited: set[Cell]) -> bool:
    """Match a box with a depot, by an augmenting path that may rematch other boxes."""
    for depot in sort_cells(reach[box] - visited):
        if depot in visited:
            continue
        visited.add(depot)
        if depot not in box_on or _augment(box_on[depot], reach, box_on, visited):
            box_on[depot] = box
            return True
    return False


def _describe(piece: str, cells: Iterable[Cell]) -> str:
    places = [*map(name_cell, cells)]
    return f"the {piece if len(places) == 1 else _PLURAL[piece]} in {some(places, ' and ')}"


def _remove_lines(walls: frozenset[Cell], columns: set[int], rows: set[int]) -> frozenset[Cell]:
    return frozenset(wall for wall in walls if wall[0] not in columns and wall[1] not in rows)


class _Floor:
    """The squares that boxes and player may reach, whatever the bombs delete; methods may raise _BudgetExceeded."""

    def __init__(self, position: Position) -> None:
        self._position, self._budget = position, _CELL_BUDGET
        self._neighbours = position.level.neighbours
        if position.bombs:
            columns, rows = self._bomb_lines()
            self._walls = _remove_lines(position.walls, columns, rows)
        else:
            self._walls = position.walls

    def _bomb_lines(self) -> tuple[set[int], set[int]]:
        """Return the columns and rows in which bombs may go off, each bomb opening the way to more."""
        position, walls = self._position, self._position.walls
        columns: set[int] = set()
        rows: set[int] = set()
        for _ in range(position.bombs):
            before = len(columns) + len(rows)
            inside = self._region({position.player}, walls, frozenset())
            columns |= {x for x, _ in inside}
            rows |= {y for _, y in inside}
            if len(columns) + len(rows) == before:
                break
            walls = _remove_lines(walls, columns, rows)
        return columns, rows

    def _count_cell(self) -> None:
        self._budget -= 1
        if self._budget < 0:
            raise _BudgetExceeded

    def _region(self, starts: set[Cell], walls: frozenset[Cell], boxes: frozenset[Cell]) -> set[Cell]:
        def beside(cell: Cell) -> set[Cell]:
            self._count_cell()
            return {to for _, to, _ in self._neighbours[cell]} - walls - boxes

        return set(distances(starts, beside))

    def frozen_boxes(self) -> set[Cell]:
        """Return the boxes that walls, the edge or each other hold on both axes for ever."""
        held = set(self._position.boxes)
        queue = list(held)
        for box in queue:
            self._count_cell()
            if box in held and self._is_movable(box, held):
                held.remove(box)
                queue += [to for _, to, _ in self._neighbours[box] if to in held]
        return held

    def _is_movable(self, box: Cell, held: set[Cell]) -> bool:
        free = {action for action, to, _ in self._neighbours[box] if to not in self._walls and to not in held}
        up, down, left, right = (step in free for step in STEPS)
        return (up and down) or (left and right)

    def reachable_depots(self, box: Cell) -> set[Cell]:
        """Return the depots to which a box could be pushed if it were alone."""
        found: set[Cell] = {box} & self._position.level.depots
        seen: set[tuple[Cell, Cell]] = set()
        queue = [(box, self._position.player)]
        for here, player in queue:
            region = self._region({player}, self._walls, frozenset({here}))
            if (here, min(region)) in seen:
                continue
            seen.add((here, min(region)))
            found |= {here} & self._position.level.depots
            for action, to, _ in self._neighbours[here]:
                dx, dy = STEPS[action]
                if to not in self._walls and (here[0] - dx, here[1] - dy) in region:
                    queue.append((to, here))
        return found

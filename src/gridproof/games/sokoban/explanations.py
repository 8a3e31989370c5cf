"""Why a position can never be won, in a sentence, where a quick look at its boxes shows it.

All walls that bombs could delete are taken as deleted. A position for which nothing is found here may be
impossible all the same.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gridproof.core.distances import distances
from gridproof.core.wording import some
from gridproof.games.sokoban.rules import STEPS, Position
from gridproof.games.sokoban.validity import Cell, in_reading_order

_PURSE = 300_000
"""How many cells may be looked at, repeats included, before the search for a reason ends."""

_MANY = 200
"""More boxes than that are not paired with depots."""
_PLURAL = {"box": "boxes", "depot": "depots"}

Reach = Mapping[Cell, set[Cell]]
"""Of each box, the depots to which it could be pushed if it were alone."""


class _Spent(Exception):
    """Too much has been looked at."""


def why_never_won(position: Position) -> str:
    """Why no box, or not all of them, can come to a depot; "" where it is not seen."""
    reach: dict[Cell, set[Cell]] = {}
    try:
        for box, frozen, depots in _looked_at(position):
            if not depots:
                why = "can never be moved, and is on no depot" if frozen else "can reach no depot"
                return f"the box at {box} {why}"
            reach[box] = depots
    except _Spent:
        return ""
    crowd = _crowd(reach)
    return f"{_at('box', crowd[0])} can reach only {_at('depot', crowd[1])}" if crowd else ""


def stuck_boxes(position: Position) -> tuple[Cell, ...]:
    """The boxes that can come to no depot, else those that can reach fewer depots than they are; () where none is seen."""
    reach: dict[Cell, set[Cell]] = {}
    with contextlib.suppress(_Spent):
        reach.update((box, depots) for box, _, depots in _looked_at(position))
    lost = tuple(box for box, depots in reach.items() if not depots)
    crowd = None if lost else _crowd(reach)
    return tuple(crowd[0]) if crowd else lost


def _looked_at(position: Position) -> Iterator[tuple[Cell, bool, set[Cell]]]:
    """Each box, whether it can never be moved, and the depots that it could come to; _Spent by what takes too long."""
    floor = _Floor(position)
    frozen = floor.frozen()
    for box in in_reading_order(position.boxes):
        own = {box} & position.level.depots
        yield box, box in frozen, own if box in frozen else floor.depots_of(box)


def _crowd(reach: Reach) -> tuple[Sequence[Cell], Sequence[Cell]] | None:
    """Boxes that can reach fewer depots than there are boxes (Hall's theorem), and those; None when there are none."""
    if len(reach) > _MANY:
        return None
    taken: dict[Cell, Cell] = {}
    for box in reach:
        tried: set[Cell] = set()
        if not _placed(box, reach, taken, tried):
            return in_reading_order({box, *(taken[depot] for depot in tried)}), in_reading_order(tried)
    return None


def _placed(box: Cell, reach: Reach, taken: dict[Cell, Cell], tried: set[Cell]) -> bool:
    """Match a box with a depot, by an augmenting path that may rematch other boxes."""
    for depot in in_reading_order(reach[box] - tried):
        if depot in tried:
            continue
        tried.add(depot)
        if depot not in taken or _placed(taken[depot], reach, taken, tried):
            taken[depot] = box
            return True
    return False


def _at(what: str, cells: Iterable[Cell]) -> str:
    places = [*map(str, cells)]
    return f"the {what if len(places) == 1 else _PLURAL[what]} at {some(places)}"


def _without(walls: frozenset[Cell], columns: set[int], rows: set[int]) -> frozenset[Cell]:
    return frozenset(wall for wall in walls if wall[0] not in columns and wall[1] not in rows)


class _Floor:
    """Where boxes and player may come, whatever the bombs delete; _Spent by all that takes too long."""

    def __init__(self, position: Position) -> None:
        self._position, self._purse = position, _PURSE
        self._ways = position.level.ways
        if position.bombs:
            columns, rows = self._lines()
            self._walls = _without(position.walls, columns, rows)
        else:
            self._walls = position.walls

    def _lines(self) -> tuple[set[int], set[int]]:
        """The columns and rows in which bombs may go off, each bomb opening the way to more."""
        position, walls = self._position, self._position.walls
        columns: set[int] = set()
        rows: set[int] = set()
        for _ in range(position.bombs):
            before = len(columns) + len(rows)
            inside = self._walked({position.player}, walls, frozenset())
            columns |= {x for x, _ in inside}
            rows |= {y for _, y in inside}
            if len(columns) + len(rows) == before:
                break
            walls = _without(walls, columns, rows)
        return columns, rows

    def _look(self) -> None:
        """Count one cell that is looked at."""
        self._purse -= 1
        if self._purse < 0:
            raise _Spent

    def _walked(self, starts: set[Cell], walls: frozenset[Cell], boxes: frozenset[Cell]) -> set[Cell]:
        """Where the player can walk."""

        def beside(cell: Cell) -> set[Cell]:
            self._look()
            return {to for _, to, _ in self._ways[cell]} - walls - boxes

        return set(distances(starts, beside))

    def frozen(self) -> set[Cell]:
        """The boxes that can never be moved: each is held on both axes by walls, the edge, or others of them."""
        held = set(self._position.boxes)
        queue = list(held)
        for box in queue:
            self._look()
            if box in held and self._loose(box, held):
                held.remove(box)
                queue += [to for _, to, _ in self._ways[box] if to in held]
        return held

    def _loose(self, box: Cell, held: set[Cell]) -> bool:
        beside = {action for action, to, _ in self._ways[box] if to not in self._walls and to not in held}
        up, down, left, right = (step in beside for step in STEPS)
        return (up and down) or (left and right)

    def depots_of(self, box: Cell) -> set[Cell]:
        """The depots to which a box could be pushed alone."""
        found: set[Cell] = {box} & self._position.level.depots
        seen: set[tuple[Cell, Cell]] = set()
        queue = [(box, self._position.player)]
        for here, player in queue:
            region = self._walked({player}, self._walls, frozenset({here}))
            if (here, min(region)) in seen:
                continue
            seen.add((here, min(region)))
            found |= {here} & self._position.level.depots
            for action, to, _ in self._ways[here]:
                dx, dy = STEPS[action]
                if to not in self._walls and (here[0] - dx, here[1] - dy) in region:
                    queue.append((to, here))
        return found

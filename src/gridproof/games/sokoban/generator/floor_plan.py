"""Floor plans for new levels: rooms that overlap or stand side by side, some with a pillar.

A plan is the set of its floor cells; all of them are connected. What is no floor is rock, of which a
level keeps only the walls that close it. Floor that a solution does not need is filled in.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator

from gridproof.core.distances import cell_distances, neighbours
from gridproof.core.rng import Rng
from gridproof.core.trace import Trace
from gridproof.games.sokoban.rules import STEPS, Action, Level, Position, Pushed
from gridproof.games.sokoban.validity import Cell, sort_cells

_AROUND = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
_ROOM_SIDES = (1, 2, 2, 3, 3, 4, 5)
_MOST_ROOMS = 400  # tried
_MOST_ALTERED = 100  # alterations that are tried, of which many part the floor


def surroundings(cell: Cell) -> Iterator[Cell]:
    """Return the eight cells around a cell."""
    x, y = cell
    return ((x + dx, y + dy) for dx, dy in _AROUND)


def walk(start: Cell, end: Cell, free: Collection[Cell]) -> list[Action]:
    """Return the shortest walk over free cells, of which the end is one."""
    steps = cell_distances(end, free)
    actions = list[Action]()
    while start != end:
        ways = {action: (start[0] + dx, start[1] + dy) for action, (dx, dy) in STEPS.items()}
        action = min(ways, key=lambda action: steps.get(ways[action], len(steps)))
        actions.append(action)
        start = ways[action]
    return actions


def interior(width: int, height: int) -> set[Cell]:
    """Return all cells inside the border."""
    return {(x, y) for x in range(1, width - 1) for y in range(1, height - 1)}


def draw_floor_plan(rng: Rng, width: int, height: int, least: int) -> set[Cell]:
    """Draw a floor of at least `least` cells, where the border leaves room, that reaches all four sides."""
    inside = interior(width, height)
    wanted = max(least, len(inside) * (45 + rng.below(21)) // 100)
    floor: set[Cell] = set()
    for _ in range(_MOST_ROOMS):
        if len(floor) >= wanted and _spans(floor, width, height):
            break
        room = _draw_room(rng, width, height)
        if not floor or any(cell in floor or not floor.isdisjoint(neighbours(cell)) for cell in room):
            floor |= room
    if len(floor) < least:
        return inside
    _set_pillars(rng, floor, len(floor) - least)
    return floor


def _draw_room(rng: Rng, width: int, height: int) -> set[Cell]:
    wide = min(rng.choice(_ROOM_SIDES), width - 2)
    high = min(rng.choice(_ROOM_SIDES), height - 2)
    left, top = 1 + rng.below(width - 1 - wide), 1 + rng.below(height - 1 - high)
    return {(x, y) for x in range(left, left + wide) for y in range(top, top + high)}


def _spans(floor: Collection[Cell], width: int, height: int) -> bool:
    columns, rows = {x for x, _ in floor}, {y for _, y in floor}
    return {1, width - 2} <= columns and {1, height - 2} <= rows


def _set_pillars(rng: Rng, floor: set[Cell], most: int) -> None:
    """Set walls that stand free, so that all floor stays connected."""
    for _ in range(rng.below(4)):
        free = [cell for cell in sort_cells(floor) if floor.issuperset(surroundings(cell))]
        if free and most > 0:
            floor.discard(rng.choice(free))
            most -= 1


def grow_cluster(rng: Rng, floor: Collection[Cell], count: int) -> list[Cell]:
    """Draw cells of the floor that lie together, each next to one before."""
    chosen = [rng.choice(sort_cells(floor))]
    while len(chosen) < count:
        edge = {other for cell in chosen for other in neighbours(cell) if other in floor} - set(chosen)
        # Those with more of the cluster around them come up more often: depots stand in blocks.
        lots = [cell for cell in sort_cells(edge) for _ in range(_count_neighbours(cell, chosen) ** 2)]
        chosen.append(rng.choice(lots))
    return chosen


def _count_neighbours(cell: Cell, chosen: Collection[Cell]) -> int:
    return sum(other in chosen for other in neighbours(cell))


def mutate(
    rng: Rng, floor: set[Cell], depots: list[Cell], width: int, height: int
) -> tuple[set[Cell], list[Cell]]:
    """Return the floor with a few cells more or fewer, or a moved depot; connected, and as wide and high."""
    for _ in range(_MOST_ALTERED):
        changed, moved = set(floor), list(depots)
        for _ in range(1 + rng.below(3)):
            _mutate_once(rng, changed, moved, interior(width, height))
        spans = _spans(changed, width, height) or not _spans(floor, width, height)
        if (
            spans
            and (changed, moved) != (floor, depots)
            and cell_distances(moved[0], changed).keys() == changed
        ):
            return changed, moved
    return floor, depots


def _mutate_once(rng: Rng, floor: set[Cell], depots: list[Cell], inside: set[Cell]) -> None:
    free = [cell for cell in sort_cells(floor) if cell not in depots]
    edge = [cell for cell in sort_cells(inside - floor) if not floor.isdisjoint(neighbours(cell))]
    kind = rng.below(4)
    if kind == 0 and free:
        number = rng.below(len(depots))
        near = [cell for cell in neighbours(depots[number]) if cell in free]
        depots[number] = rng.choice(near if near and rng.below(2) else free)
    elif kind == 1 and free:
        floor.discard(rng.choice(free))
    elif edge:
        floor.add(rng.choice(edge))


def enclosing_walls(floor: Iterable[Cell]) -> set[Cell]:
    """Return the walls that close a floor: all cells around it."""
    inside = set(floor)
    return {other for cell in inside for other in surroundings(cell)} - inside


def prune_floor(floor: Collection[Cell], used: Collection[Cell], margin: int) -> set[Cell]:
    """Return the used floor, with what lies within a few steps of it and is no dead end.

    A solution on the used floor stays one, and less floor allows no shorter one.
    """
    kept = edge = set(used)
    for _ in range(margin):
        edge = {other for cell in edge for other in neighbours(cell) if other in floor} - kept
        kept = kept | edge
    while ends := {cell for cell in kept if cell not in used and _count_neighbours(cell, kept) < 2}:
        kept -= ends
    return kept


def trim_level(level: Level, floor: set[Cell], trace: Trace) -> Level:
    """Return the level without the floor that a win does not need, as far as its size stays the same.

    Parameters
    ----------
    level : Level
        Without bombs, its walls those around the floor.
    floor : set of Cell
        All of it; where it does not reach to all sides of the grid, there is rock beyond.
    trace : Trace
        Wins the level.
    """
    used = used_cells(trace)
    for margin in (2, 4, len(floor)):
        smaller = _fit_grid(level, prune_floor(floor, used, margin))
        if smaller.size == level.size:
            return smaller
    return fill_with_rock(level)


def used_cells(trace: Trace) -> set[Cell]:
    """Return the cells that a player or a box visits, and the depots."""
    start = trace.start
    assert isinstance(start, Position)
    used = {start.player, *start.boxes, *start.level.depots}
    for outcome in trace.outcomes():
        used.add(outcome.position.player)
        used.update(event.to for event in outcome.events if isinstance(event, Pushed))
    return used


def _fit_grid(level: Level, floor: set[Cell]) -> Level:
    """Return the level with this floor only, in a grid without empty rows and columns at its edges."""
    walls = enclosing_walls(floor)
    left, top = min(x for x, _ in walls), min(y for _, y in walls)
    width, height = max(x for x, _ in walls) - left + 1, max(y for _, y in walls) - top + 1

    def shift(cells: Collection[Cell]) -> list[Cell]:
        return [(x - left, y - top) for x, y in cells]

    (player,) = shift([level.player])
    return Level(player, 0, shift(level.boxes), shift(level.depots), shift(walls), (width, height))


def fill_with_rock(level: Level) -> Level:
    """Return the level; if its walls do not span its grid, with walls on every cell out of reach."""
    width, height = level.size
    columns, rows = {x for x, _ in level.walls}, {y for _, y in level.walls}
    if {0, width - 1} <= columns and {0, height - 1} <= rows:
        return level
    everything = {(x, y) for x in range(width) for y in range(height)}
    floor = cell_distances(level.player, everything - level.walls)
    return dataclasses.replace(level, walls=frozenset(everything - floor.keys()))

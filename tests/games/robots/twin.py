"""Naive twin of the rules, after the clauses word by word: sets and pairs of cells, nothing clever."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from gridproof.games.robots import Kind, Position, Response, Rule, Tile

Cell = tuple[int, int]
ARROWS = {0: (-1, 0), 90: (0, 1), 180: (1, 0), 270: (0, -1)}


class State(NamedTuple):
    """Board of the document: cells to tiles, robots to rotations."""

    tiles: dict[Cell, Tile]
    rotations: dict[str, int]
    rules: dict[str, Rule]

    def move(self, robot: str, cell: Cell) -> State:
        """Return the same board with the robot on another cell."""
        tiles = dict(self.tiles)
        old = cell_of(self, robot)
        tiles[old] = tiles[old]._replace(occupier="")
        tiles[cell] = tiles[cell]._replace(occupier=robot)
        return self._replace(tiles=tiles)

    def key(self) -> tuple[object, ...]:
        """Two states are the same when this is."""
        return tuple(sorted(self.tiles.items(), key=lambda item: item[0])), tuple(self.rotations.items())


def state_of(position: Position) -> State:
    """Return the twin's state of a position."""
    tiles = {(x, y): tile for y, row in enumerate(position.tiles) for x, tile in enumerate(row)}
    robots = position.level.robots
    return State(tiles, {r.name: position.rotation(r.name) for r in robots}, {r.name: r.rule for r in robots})


def cell_of(state: State, robot: str) -> Cell:
    return next(cell for cell, tile in state.tiles.items() if tile.occupier == robot)


def home_of(state: State, robot: str) -> Cell:
    return next(cell for cell, tile in state.tiles.items() if tile.target == robot)


def occupied_cells(state: State) -> set[Cell]:  # R4
    return {cell for cell, tile in state.tiles.items() if tile.occupier or tile.kind is Kind.BROKEN}


def adjacent_pairs(state: State) -> set[tuple[Cell, Cell]]:  # R5
    return {
        (one, other)
        for one, other in itertools.product(state.tiles, repeat=2)
        if abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1 and other not in occupied_cells(state)
    }


def target_of(state: State, cell: Cell) -> Cell:
    dx, dy = ARROWS[state.tiles[cell].rotation]
    return cell[0] + dx, cell[1] + dy


def unit_destination(state: State, cell: Cell) -> Cell | None:  # R6
    if state.tiles[cell].kind is not Kind.CONVEYOR:
        return None
    target = target_of(state, cell)
    return target if target in state.tiles and target not in occupied_cells(state) else None


def is_in_loop(state: State, cell: Cell) -> bool:  # R7
    for _ in range(len(state.tiles) + 1):
        if cell not in state.tiles or state.tiles[cell].kind is not Kind.CONVEYOR:
            return False
        cell = target_of(state, cell)
    return True


def destination(state: State, cell: Cell) -> Cell | None:  # R7
    if is_in_loop(state, cell):
        return None
    while (target := unit_destination(state, cell)) is not None:
        cell = target
    return cell


def closure(state: State) -> set[tuple[Cell, Cell]]:  # R8d
    steps: dict[Cell, set[Cell]] = {cell: set() for cell in state.tiles}
    belts = [(cell, destination(state, cell)) for cell, t in state.tiles.items() if t.kind is Kind.CONVEYOR]
    for one, other in [*adjacent_pairs(state), *((one, other) for one, other in belts if other)]:
        steps[one].add(other)
    pairs = set()
    for start in state.tiles:
        seen, todo = {start}, [start]
        while todo:
            for target in steps[todo.pop()] - seen:
                seen.add(target)
                todo.append(target)
        pairs |= {(start, target) for target in seen}
    return pairs


def is_valid(state: State) -> bool:  # R8
    reach = closure(state)
    for robot in state.rotations:
        cells = [cell for cell, tile in state.tiles.items() if tile.occupier == robot]
        homes = [cell for cell, tile in state.tiles.items() if tile.target == robot]
        if len(cells) != 1 or len(homes) != 1 or state.tiles[cells[0]].kind is Kind.BROKEN:
            return False
        if (cells[0], homes[0]) not in reach:
            return False
    return len(state.rules) >= 2 and set(state.rules.values()) == set(Rule)


def run_belts(state: State) -> tuple[State, list[tuple[str, Cell, Cell]]]:  # R20
    carried = []
    again = True
    while again:
        again = False
        for robot in state.rotations:
            cell = cell_of(state, robot)
            target = destination(state, cell)
            if state.tiles[cell].kind is Kind.CONVEYOR and target not in (None, cell):
                assert target is not None
                moved = state.move(robot, target)
                if is_valid(moved):
                    state, again = moved, True
                    carried.append((robot, cell, target))
    return state, carried


class Walk(NamedTuple):
    response: Response
    state: State
    auto: bool = False


def walk(state: State, robot: str, dx: int, dy: int) -> Walk:  # R10, R11, R14-R17
    failed = Walk(Response.FAILED, state)
    if state.rules[robot] is Rule.A:
        local = [(dx, dy)] if abs(dx) + abs(dy) == 1 else []
    else:
        local = [(x, 0) for x in range(1, dx + 1)] if dy == 0 and 1 <= dx <= 3 else []
    for _ in range(state.rotations[robot] // 90):
        local = [(-y, x) for x, y in local]
    x0, y0 = cell_of(state, robot)
    path = [(x0 + x, y0 + y) for x, y in local]
    if not path or any(cell not in state.tiles for cell in path):
        return failed
    target, auto = path[-1], False
    for cell in path:
        if cell in occupied_cells(state):
            return failed
        if state.tiles[cell].kind is Kind.CONVEYOR and not is_in_loop(state, cell):
            carried = destination(state, cell)
            assert carried is not None
            target, auto = carried, True
            break
    moved = state.move(robot, target)
    if not is_valid(moved):
        return failed
    return Walk(Response.WIN if target == home_of(state, robot) else Response.SUCCESS, moved, auto)


def list_exchanges(state: State) -> Iterator[tuple[str, State]]:  # R21
    """Yield each valid exchange with its label, before belts start again."""
    cells = sorted(state.tiles, key=lambda cell: (cell[1], cell[0]))
    for one, other in itertools.combinations(cells, 2):
        tiles = state.tiles[one], state.tiles[other]
        if any(tile.kind in (Kind.HOME, Kind.HINT) for tile in tiles):
            continue
        ways = [(0, 90, 180, 270) if tile.kind is Kind.CONVEYOR else (0,) for tile in tiles]
        for turned in itertools.product(*ways):
            rotations = dict(state.rotations)
            for tile, rotation in zip(tiles, turned, strict=True):
                if tile.occupier:
                    rotations[tile.occupier] = (rotations[tile.occupier] - (rotation - tile.rotation)) % 360
            first, second = (tile._replace(rotation=new) for tile, new in zip(tiles, turned, strict=True))
            result = State(state.tiles | {one: second, other: first}, rotations, state.rules)
            if result.key() != state.key() and is_valid(result):
                said = [str(r) for t, r in zip(tiles, turned, strict=True) if t.kind is Kind.CONVEYOR]
                (x, y), (u, v) = one, other
                yield " ".join([f"({x},{y})<->({u},{v})", *said]), result

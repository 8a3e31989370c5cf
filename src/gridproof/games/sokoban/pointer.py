"""Actions for a pointer: walks to a cell, drags of a box, steps in the direction of a swipe."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

from gridproof.core.distances import shortest_path
from gridproof.core.look import Pointed, point_by_arrow
from gridproof.games.sokoban.rules import STEPS, Action, Position
from gridproof.games.sokoban.validity import Cell

S = TypeVar("S", bound=Hashable)

MOST = 50_000
"""The most places of player and box that a search visits; on the largest boards a box may need two drags."""


def pointer_actions(position: Position, at: Pointed) -> tuple[str, ...]:
    """Return the shortest walk to a free cell, a push of the box beside the player, or the shortest drag of a box.

    Pointing at the bombs, which lie below the board's first cell, sets one off.
    """
    cell = (at.x, at.y)
    if at.to is None and cell == (0, position.level.size[1]):
        return (str(Action.BOMB),) if Action.BOMB in position.actions() else ()
    if cell in position.boxes:
        return _drag(position, cell, at.to) if at.to else _push(position, cell)
    if at.to is not None:
        return _swipe(position, at, at.to)
    return _walk(position, cell)


def _push(position: Position, box: Cell) -> tuple[str, ...]:
    x, y = position.player
    return tuple(str(action) for action, (dx, dy) in STEPS.items() if (x + dx, y + dy) == box)


def _swipe(position: Position, at: Pointed, end: Cell) -> tuple[str, ...]:
    """Return the walk of a dragged player; else a step or push in the direction of the swipe."""
    arrows = point_by_arrow(position, at)
    step = [action for action in position.actions() if (str(action),) == arrows]
    (x, y), (dx, dy) = position.player, STEPS[step[0]] if step else (0, 0)
    walk = (at.x, at.y) == (x, y) and (x + dx, y + dy) not in position.boxes
    return (walk and _walk(position, end)) or tuple(map(str, step))


def _walk(position: Position, end: Cell) -> tuple[str, ...]:
    blocked = position.walls | position.boxes

    def steps(cell: Cell) -> Iterator[tuple[Action, Cell]]:
        for action, to, _ in position.level.neighbours[cell]:
            if to not in blocked:
                yield action, to

    return _shortest_actions(position.player, steps, lambda cell: cell == end)


def _drag(position: Position, box: Cell, end: Cell) -> tuple[str, ...]:
    """Return the fewest steps that bring one box to a cell, while the others stay."""
    blocked = position.walls | position.boxes - {box}

    def steps(at: tuple[Cell, Cell]) -> Iterator[tuple[Action, tuple[Cell, Cell]]]:
        player, here = at
        for action, to, behind in position.level.neighbours[player]:
            if to == here and behind is not None and behind not in blocked:
                yield action, (to, behind)
            elif to != here and to not in blocked:
                yield action, (to, here)

    return _shortest_actions((position.player, box), steps, lambda at: at[1] == end)


def _shortest_actions(
    start: S, steps: Callable[[S], Iterable[tuple[Action, S]]], is_end: Callable[[S], bool]
) -> tuple[str, ...]:
    path = shortest_path(start, steps, is_end, MOST)
    return tuple(map(str, path[0])) if path else ()

"""What is meant by pointing at a cell: walks without a push, pushes of one box to where it is dragged, steps the way of a swipe."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

from gridproof.core.distances import shortest_path
from gridproof.core.look import Pointed, pointed_arrows
from gridproof.games.sokoban.rules import STEPS, Action, Position
from gridproof.games.sokoban.validity import Cell

S = TypeVar("S", bound=Hashable)

MOST = 50_000
"""Places of player and box that are looked at; on the largest boards a box may have to be dragged twice."""


def pointed(position: Position, at: Pointed) -> tuple[str, ...]:
    """The shortest walk to a free cell, a push of the box beside the player, the fewest steps that push a box there.

    Pointing at the player sets off a bomb.
    """
    cell = (at.x, at.y)
    if cell in position.boxes:
        return _dragged(position, cell, at.to) if at.to else _pushed(position, cell)
    if at.to is not None:
        return _swiped(position, at, at.to)
    if cell == position.player:
        return (str(Action.BOMB),) if Action.BOMB in position.actions() else ()
    return _walked(position, cell)


def _pushed(position: Position, box: Cell) -> tuple[str, ...]:
    x, y = position.player
    return tuple(str(action) for action, (dx, dy) in STEPS.items() if (x + dx, y + dy) == box)


def _swiped(position: Position, at: Pointed, end: Cell) -> tuple[str, ...]:
    """The walk of a player who is dragged to a free cell; else a step, which may be a push, the way of the swipe."""
    way = pointed_arrows(position, at)
    step = [action for action in position.actions() if (str(action),) == way]
    (x, y), (dx, dy) = position.player, STEPS[step[0]] if step else (0, 0)
    walk = (at.x, at.y) == (x, y) and (x + dx, y + dy) not in position.boxes
    return (walk and _walked(position, end)) or tuple(map(str, step))


def _walked(position: Position, end: Cell) -> tuple[str, ...]:
    barred = position.walls | position.boxes

    def ways(cell: Cell) -> Iterator[tuple[Action, Cell]]:
        for action, to, _ in position.level.ways[cell]:
            if to not in barred:
                yield action, to

    return _shortest(position.player, ways, lambda cell: cell == end)


def _dragged(position: Position, box: Cell, end: Cell) -> tuple[str, ...]:
    """The fewest steps that bring one box to a cell, while the others stay."""
    barred = position.walls | position.boxes - {box}

    def ways(at: tuple[Cell, Cell]) -> Iterator[tuple[Action, tuple[Cell, Cell]]]:
        player, here = at
        for action, to, behind in position.level.ways[player]:
            if to == here and behind is not None and behind not in barred:
                yield action, (to, behind)
            elif to != here and to not in barred:
                yield action, (to, here)

    return _shortest((position.player, box), ways, lambda at: at[1] == end)


def _shortest(
    start: S, ways: Callable[[S], Iterable[tuple[Action, S]]], is_end: Callable[[S], bool]
) -> tuple[str, ...]:
    found = shortest_path(start, ways, is_end, MOST)
    return tuple(map(str, found[0])) if found else ()

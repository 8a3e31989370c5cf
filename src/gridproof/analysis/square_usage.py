"""Unused squares of a level."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from gridproof.core.look import Board
from gridproof.core.position import NATURE, Level
from gridproof.core.proposition import propositions

if TYPE_CHECKING:
    import numpy as np

    from gridproof.prove.reachability import Reachability

    Array = np.ndarray[Any, Any]

Cell = tuple[int, int]
"""A column from the left and a row from the top, of the board of the game's look."""

_MOST_BOARDS = 20_000
"""The most positions with a check of their boards."""
_NO_SQUARE = {"wall", "ground", "cross", "belt"}
"""Shapes of cells that are never used."""


class UnusedSquares(NamedTuple):
    """Unused squares of a level; None if not known."""

    never: tuple[Cell, ...] | None
    """Squares where nothing changes in any reachable position."""
    idle: tuple[Cell, ...] | None
    """Squares where something can change, but does not on any shortest solution."""


def squares_of(winning: Reachability) -> UnusedSquares:
    """Return the unused squares of a complete space, by propositions about squares, if there are any, else by the boards."""
    level, shortest = winning.space.level, winning.on_shortest
    cells = _cells(level.game.look.board(winning.space[0]))
    terms = {cell: list(_terms(level, cell)) for cell in cells}
    used, useful = _by_values(winning, terms) if all(terms.values()) else _by_boards(winning, cells)
    never = None if used is None else tuple(cell for cell in cells if cell not in used)
    if never is None or useful is None or not len(shortest):
        return UnusedSquares(never, None)
    return UnusedSquares(never, tuple(cell for cell in cells if cell not in useful and cell not in never))


def _cells(board: Board) -> list[Cell]:
    """Return the squares on which something may happen."""
    return [
        (x, y)
        for y, row in enumerate(board)
        for x, pile in enumerate(row)
        if not _NO_SQUARE & {piece.shape for piece in pile}
    ]


def _terms(level: Level, cell: Cell) -> Iterator[str]:
    """Yield the propositions about a square: at(x,y), at(robot,x,y)."""
    x, y = cell
    players = [actor for actor in level.game.actors(level) if actor != NATURE]
    for item in propositions(level.game).values():
        if item.number or item.parameters[-2:] != ("x", "y"):
            continue
        if len(item.parameters) == 2:
            yield f"{item.name}({x},{y})"
        elif item.parameters[:-2] == ("robot",):
            yield from (f"{item.name}({player},{x},{y})" for player in players)


Used = tuple[set[Cell] | None, set[Cell] | None]
"""The used squares, and those used on shortest solutions; None if not known."""


def _by_values(winning: Reachability, terms: dict[Cell, list[str]]) -> Used:
    used, useful = set[Cell](), set[Cell]()
    for cell, texts in terms.items():
        for text in texts:
            values = winning.space.values(text)
            if _changes(values):
                used.add(cell)
                if _changes(values[winning.on_shortest]):
                    useful.add(cell)
    return used, useful


def _changes(values: Array) -> bool:
    return bool(values.any()) and not bool(values.all())


def _by_boards(winning: Reachability, cells: list[Cell]) -> Used:
    every, shortest = range(winning.space.states), winning.on_shortest.tolist()
    return _changed_cells(winning, every, cells), _changed_cells(winning, shortest, cells)


def _changed_cells(winning: Reachability, numbers: Iterable[int], cells: list[Cell]) -> set[Cell] | None:
    """Return the cells whose piles differ among some positions; None if these are too many to check."""
    look, found, first = winning.space.level.game.look, set[Cell](), list[Board]()
    for count, number in enumerate(numbers):
        if len(found) == len(cells):
            break
        if count == _MOST_BOARDS:
            return None
        board = look.board(winning.space[number])
        first = first or [board]
        found.update((x, y) for x, y in cells if board[y][x] != first[0][y][x])
    return found

"""Squares on which nothing ever happens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from gridproof.core.look import Board
from gridproof.core.position import NATURE, Level, Position
from gridproof.core.proposition import propositions

if TYPE_CHECKING:
    import numpy as np

    from gridproof.prove.winning import Winning

    Array = np.ndarray[Any, Any]

Cell = tuple[int, int]
"""A column from the left and a row from the top, of the board of the game's look."""

_MOST_BOARDS = 20_000
"""Positions whose boards are looked at."""
_NO_SQUARE = {"wall", "ground", "cross", "belt"}
"""Shapes of cells on which nothing is meant to rest."""


class Squares(NamedTuple):
    """What happens on the squares of a level; None where that is not known."""

    never: tuple[Cell, ...] | None
    """Nothing there changes, in any position that can be reached."""
    idle: tuple[Cell, ...] | None
    """Something can change there, but does not on any shortest solution."""


def squares_of(winning: Winning) -> Squares:
    """The squares of a complete space, by propositions about a square, where the game has them, else by the boards."""
    level, shortest = winning.space.level, winning.on_shortest
    cells = _cells(level.game.look.board(winning.space[0]))
    terms = {cell: list(_terms(level, cell)) for cell in cells}
    used, useful = _by_values(winning, terms) if all(terms.values()) else _by_boards(winning, cells)
    never = None if used is None else tuple(cell for cell in cells if cell not in used)
    if never is None or useful is None or not len(shortest):
        return Squares(never, None)
    return Squares(never, tuple(cell for cell in cells if cell not in useful and cell not in never))


def _cells(board: Board) -> list[Cell]:
    """The squares on which something may happen."""
    return [
        (x, y)
        for y, row in enumerate(board)
        for x, pile in enumerate(row)
        if not _NO_SQUARE & {piece.shape for piece in pile}
    ]


def _terms(level: Level, cell: Cell) -> Iterator[str]:
    """Propositions that say what is on a square: at(x,y), at(robot,x,y)."""
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
"""The squares that are used at all, and those that are on shortest solutions; None where they are not known."""


def _by_values(winning: Winning, terms: dict[Cell, list[str]]) -> Used:
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


def _by_boards(winning: Winning, cells: list[Cell]) -> Used:
    every, shortest = range(winning.space.states), winning.on_shortest.tolist()
    return _changing(winning, every, cells), _changing(winning, shortest, cells)


def _changing(winning: Winning, numbers: Iterable[int], cells: list[Cell]) -> set[Cell] | None:
    """The cells whose piles differ among some positions; None where they are too many to be sure of the others."""
    found, first = set[Cell](), list[Board]()
    for count, number in enumerate(numbers):
        if len(found) == len(cells):
            break
        if count == _MOST_BOARDS:
            return None
        board = _board(winning.space[number])
        first = first or [board]
        found.update((x, y) for x, y in cells if board[y][x] != first[0][y][x])
    return found


def _board(position: Position[Any]) -> Board:
    return position.level.game.look.board(position)

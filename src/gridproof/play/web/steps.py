"""What an action has changed on the board, for pages: what moved, and which cells look different."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gridproof.core.look import Board, Cell, Look, Motion, Piece
from gridproof.core.position import Action, Outcome, Position
from gridproof.play.data import Data, plain
from gridproof.play.web.pieces import PieceTable, is_wall

Place = tuple[int, int]


def differences(before: Board, after: Board) -> list[Place]:
    """The cells that are not alike on two boards of one shape."""
    found = []
    for y, (old, new) in enumerate(zip(before, after, strict=True)):
        if old is not new and old != new:
            found += [(x, y) for x, (was, now) in enumerate(zip(old, new, strict=True)) if was != now]
    return found


def same_shape(before: Board, after: Board) -> bool:
    """Whether two boards have as many cells in every row."""
    return [*map(len, before)] == [*map(len, after)]


def compared(before: Board, after: Board, places: Iterable[Place]) -> tuple[Motion, ...]:
    """What has moved between two boards: things of a shape and text that are gone here and have come there.

    Of several that are alike, those nearest to each other are the same.
    """
    gone, come = _moved_from(before, after, places), _moved_from(after, before, places)
    return tuple(
        Motion((piece,), origin, to)
        for key, leaving in gone.items()
        for piece, origin, to in _paired(leaving, [place for _, place in come.get(key, ())])
    )


def _moved_from(
    before: Board, after: Board, places: Iterable[Place]
) -> dict[tuple[str, str], list[tuple[Piece, Place]]]:
    found: dict[tuple[str, str], list[tuple[Piece, Place]]] = defaultdict(list)
    for x, y in places:
        left = [(piece.shape, piece.text) for piece in after[y][x]]
        for piece in before[y][x]:
            key = piece.shape, piece.text
            if key in left:
                left.remove(key)
            else:
                found[key].append((piece, (x, y)))
    return found


def _paired(
    leaving: Sequence[tuple[Piece, Place]], free: list[Place]
) -> Iterator[tuple[Piece, Place, Place]]:
    for piece, origin in leaving:
        if free:
            to = min(free, key=lambda place: abs(place[0] - origin[0]) + abs(place[1] - origin[1]))
            free.remove(to)
            yield piece, origin, to


def with_walls_around(board: Board, places: Sequence[Place], before: Board) -> list[Place]:
    """The places, and the walls around those where a wall has come or gone: they look different, too."""
    changed = [(x, y) for x, y in places if is_wall(board[y][x]) != is_wall(before[y][x])]
    if not changed:
        return [*places]
    near = {(x + dx, y + dy) for x, y in changed for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    walls = {
        (x, y) for x, y in near if 0 <= y < len(board) and 0 <= x < len(board[y]) and is_wall(board[y][x])
    }
    return sorted({*places, *walls})


class Drawn:
    """A position with its board, as pages see it."""

    def __init__(self, position: Position[Any]) -> None:
        look = position.level.game.look
        self.position = position
        self.board = look.board(position)
        self.beside: Cell = look.beside(position)

    def data(self, table: PieceTable) -> Data:
        """All of it."""
        return table.board(self.board, self.beside)


def step_data(
    table: PieceTable, before: Drawn, after: Drawn, action: Action, outcome: Outcome[Any], back: bool = False
) -> Data:
    """One action as it is to be shown, or as it is taken back.

    Parameters
    ----------
    before, after : Drawn
        As the action was done, also when it is taken back.
    outcome : Outcome
        As whoever is told learns of it.
    """
    look: Look = before.position.level.game.look
    data: Data = {
        "action": str(action),
        "words": look.words(action),
        "reward": outcome.reward,
        "label": outcome.label,
        "events": [plain(event) for event in outcome.events],
    }
    shown, left = (before, after) if back else (after, before)
    places = differences(left.board, shown.board)
    motions = (
        look.motions(before.position, action, outcome)
        if look.motions
        else compared(before.board, after.board, places)
    )
    data["moves"] = [
        [table.number(piece), *(motion.to + motion.origin if back else motion.origin + motion.to)]
        for motion in motions
        for piece in motion.pieces
    ]
    cells = with_walls_around(shown.board, places, left.board)
    data["cells"] = [[x, y, table.pile(shown.board, x, y)] for x, y in cells]
    if shown.beside != left.beside:
        data["beside"] = [table.number(piece) for piece in shown.beside]
    return data

"""View of the list of moves: as many lines as there is room for, those around the position."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text
from textual.widgets import Static

from gridproof.core.text.display import mask_unprintable
from gridproof.prove.position_status import LossCause
from gridproof.table.move_list import ListedMove, listed_moves
from gridproof.table.table import Table

MOST = 200
"""Most moves before the position and after it."""
GAP = "  "
LEGEND = "+1, +2: extra moves"


class MoveListView(Static):
    """The moves of a level, with marks for those that lost the win, also by bad luck, or cost extra."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._moves: list[ListedMove] = []

    def show(self, table: Table, frame: str) -> None:
        """Show the moves of a table, in directions of a frame."""
        self._moves = [*listed_moves(table, frame, MOST)]
        self._fit()

    def on_resize(self) -> None:
        """Show as many moves as fit."""
        self._fit()

    def _fit(self) -> None:
        width, height = self.size
        current = sum(move.is_done for move in self._moves)
        lines, at = wrap_moves(self._moves, width, current)
        if any(move.extra for move in self._moves):
            lines.append(Text(LEGEND, "dim"))
        first = max(0, min(at - height + 2, len(lines) - height))
        self.update(Text("\n").join(lines[first : first + height]), layout=False)


def wrap_moves(moves: Iterable[ListedMove], width: int, current: int) -> tuple[list[Text], int]:
    """Return moves in lines of a width, and the line of the current one, which is counted from 1 in the list."""
    lines, at = [Text()], 0
    for place, move in enumerate(moves, 1):
        text = _text(move, place == current)
        if lines[-1] and len(lines[-1]) + len(GAP) + len(text) > width:
            lines.append(Text())
        lines[-1].append_text(Text(GAP if lines[-1] else "") + text)
        if place <= current:
            at = len(lines) - 1
    return lines, at


def _text(move: ListedMove, is_current: bool) -> Text:
    """Return a move with its number and its mark."""
    text = Text(f"{move.number} ", "dim")
    text.append(mask_unprintable(move.name), "bold" if is_current else "" if move.is_done else "dim")
    if move.loss is LossCause.MOVE:
        text.append(" ✕", "bold red")
    elif move.loss is LossCause.CHANCE:
        text.append(" bad luck", "dim")
    elif move.extra:
        text.append(f" +{move.extra}", "yellow")
    return text

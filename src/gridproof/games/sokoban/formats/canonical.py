"""A fast reader of canonical texts of positions: certificates list very many."""

from __future__ import annotations

import functools
import re

from gridproof.games.sokoban.rules import Level, Position
from gridproof.games.sokoban.validity import Cell

_BARE = str.maketrans("@+$*", "-.-.")
_PLAYER, _BOX = re.compile(r"[@+]"), re.compile(r"[$*]")


@functools.lru_cache(maxsize=8)
def canonical_reader(level: Level) -> CanonicalReader:
    """Return the reader of a level's positions, shared by levels that differ only in their titles."""
    return CanonicalReader(level)


class CanonicalReader:
    """A reader of texts that differ from a known one only by the places of player and boxes."""

    def __init__(self, level: Level) -> None:
        self._width = level.size[0] + 1
        self._known: dict[str, Position] = {}
        self._cells: dict[int, Cell] = {}

    def remember(self, position: Position, text: str) -> None:
        """Remember a position's text, if it is the canonical one."""
        if (bare := text.translate(_BARE)) not in self._known and position.text() == text:
            self._known[bare] = position

    def position(self, level: Level, text: str) -> Position | None:
        """Return the level's position; None for a text that needs the full reader."""
        like = self._known.get(text.translate(_BARE))
        players = _PLAYER.findall(text)
        if like is None or len(players) != 1:
            return None
        boxes = frozenset(self._cell(match.start()) for match in _BOX.finditer(text))
        if len(boxes) != len(like.boxes):
            return None
        return Position(level, self._cell(text.index(players[0])), boxes, like.bombs, like.walls)

    def _cell(self, place: int) -> Cell:
        if (cell := self._cells.get(place)) is None:
            y, x = divmod(place, self._width)
            cell = self._cells[place] = x, y
        return cell

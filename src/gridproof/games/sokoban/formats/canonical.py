"""Positions from their canonical texts, in a few millionths of a second: certificates list very many."""

from __future__ import annotations

import functools
import re

from gridproof.games.sokoban.rules import Level, Position
from gridproof.games.sokoban.validity import Cell

_BARE = str.maketrans("@+$*", "-.-.")
_PLAYER, _BOX = re.compile(r"[@+]"), re.compile(r"[$*]")


@functools.lru_cache(maxsize=8)
def canonical_texts(level: Level) -> Canonical:
    """What reads the texts of a level's positions, and of those of levels that differ in their titles alone."""
    return Canonical(level)


class Canonical:
    """Reads texts that differ from one that is known by where the player and the boxes are."""

    def __init__(self, level: Level) -> None:
        self._width = level.size[0] + 1
        self._known: dict[str, Position] = {}
        self._cells: dict[int, Cell] = {}

    def learn(self, position: Position, text: str) -> None:
        """Know a position's text, if it is the canonical one."""
        if (bare := text.translate(_BARE)) not in self._known and position.text() == text:
            self._known[bare] = position

    def position(self, level: Level, text: str) -> Position | None:
        """The level's position; None for a text that another reader has to look at."""
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

"""Canonical texts of positions as bits, for certificates that list very many."""

from __future__ import annotations

from gridproof.games.sokoban.certificate.pushes import Node, Pushes
from gridproof.games.sokoban.grid import Places
from gridproof.prove.certificate import position_of

_BARE = str.maketrans("@+$*", "-.-.")
_BOXES = str.maketrans("$*-.#@+\n", "11000000")


class CanonicalTexts:
    """A reader of the texts of a level's positions.

    A text that differs from a known one only by the places of player and boxes is not read in full: its rows have the
    bits of a `Grid`, one for each line end among them.
    """

    def __init__(self, pushes: Pushes) -> None:
        width, height = pushes.level.size
        self._pushes, self._end = pushes, (width + 1) * height
        self._known = dict[str, tuple[Places, int]]()
        """Walls and bombs by the text without player and boxes."""

    def node(self, text: str) -> tuple[Node, Places]:
        """Return the node of a position, and where its player is.

        Raises
        ------
        GridproofError
            When the text is not the canonical one of a position of the level.
        """
        bare, boxes = text.translate(_BARE), Places()
        known = self._known.get(bare)
        if known is not None and text.count("@") + text.count("+") == 1:
            boxes = int(text[self._end - 1 :: -1].translate(_BOXES), 2)
        if known is None or boxes.bit_count() != len(self._pushes.level.boxes):
            node, player = self._pushes.node(position_of(self._pushes.level, text))  # type: ignore[arg-type]  # Sokoban's
            self._known[bare] = node.walls, node.bombs
            return node, player
        return Node(boxes, *known), 1 << max(text.find("@"), text.find("+"))

"""Kinds of new puzzles, and the words for their difficulty: how many of 100 random games fail."""

from __future__ import annotations

from collections.abc import Mapping

from gridproof.core.difficulty import Kind, Puzzles

_MOVES = {"beginner": 2, "easy": 3, "medium": 6, "hard": 12, "expert": 30}
"""Moves before the target is made, by difficulty."""
_MOVES_ON_FEW_CELLS = {"beginner": 1, "easy": 2, "medium": 5, "hard": 10, "expert": 20}
_MOVES_ON_MANY_CELLS = {"beginner": 2, "easy": 4, "medium": 6, "hard": 12, "expert": 30}


def _kind(name: str, title: str, side: int, target: int, moves: Mapping[str, int] = _MOVES) -> Kind:
    return Kind(
        name=name,
        title=title,
        meaning=f"{side} × {side} cells; you begin up to {max(moves.values())} moves before the tile {target}",
        parameters={"width": side, "height": side, "target": target},
        by_difficulty={word: {"moves": count} for word, count in moves.items()},
        of_the_day=side <= 4,  # larger boards have no estimate to show
    )


PUZZLES = Puzzles(
    most=(20, 40, 65, 90),
    kinds=(
        _kind("small", "Small", 3, 64, _MOVES_ON_FEW_CELLS),
        _kind("classic", "Classic", 4, 2048),
        _kind("large", "Large", 5, 2048, _MOVES_ON_MANY_CELLS),
    ),
    meaning="The difficulty says how often random moves miss the tile. Careful moves miss it far less often.",
    standard="for random moves",
    measure="",
)

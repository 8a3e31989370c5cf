"""Kinds of new puzzles, and the words for their difficulty."""

from __future__ import annotations

from gridproof.core.difficulty import Kind, Puzzles

_EFFORTS = {"beginner": 60, "easy": 600, "medium": 3500, "hard": 20_000, "expert": 100_000}


def _kind(name: str, title: str, meaning: str, special: bool = False, **parameters: int) -> Kind:
    wanted = {word: {"difficulty": effort} for word, effort in _EFFORTS.items()}
    return Kind(
        name=name,
        title=title,
        meaning=meaning,
        special=special,
        parameters=parameters,
        by_difficulty=wanted,
    )


PUZZLES = Puzzles(
    most=(200, 1500, 8000, 50_000),
    kinds=(
        _kind("small", "Small", "3 × 3 tiles, 3 colours", width=3, height=3, colours=3),
        _kind("medium", "Medium", "4 × 3 tiles, 4 colours", width=4, height=3, colours=4),
        _kind("large", "Large", "4 × 4 tiles, 4 colours", width=4, height=4, colours=4),
        _kind(
            "locks",
            "With locks",
            "4 × 4 tiles, 2 of them locked: their rows and columns stand still",
            special=True,
            width=4,
            height=4,
            colours=4,
            locks=2,
        ),
    ),
)

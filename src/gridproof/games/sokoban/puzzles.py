"""Kinds of new puzzles, and the words for their difficulty."""

from __future__ import annotations

from gridproof.core.difficulty import Kind, Puzzles

_BOXES = {"beginner": (1, 12), "easy": (2, 60), "medium": (3, 330), "hard": (4, 1400), "expert": (4, 4500)}
"""Boxes and target of the search effort, by difficulty."""
_WITH_BOMBS = {
    "beginner": (1, 15),
    "easy": (2, 70),
    "medium": (2, 330),
    "hard": (3, 1400),
    "expert": (3, 5000),
}


def _kind(name: str, meaning: str, width: int, height: int) -> Kind:
    wanted = {word: {"boxes": boxes, "difficulty": effort} for word, (boxes, effort) in _BOXES.items()}
    size = {"width": width, "height": height}
    return Kind(name=name, title=name.capitalize(), meaning=meaning, parameters=size, by_difficulty=wanted)


PUZZLES = Puzzles(
    most=(30, 150, 700, 2500),
    kinds=(
        _kind("small", "up to 6 × 6 cells of floor", 8, 8),
        _kind("medium", "up to 8 × 7 cells of floor", 10, 9),
        _kind("large", "up to 10 × 9 cells of floor", 12, 11),
        Kind(
            name="bombs",
            title="With a bomb",
            meaning="a bomb opens walls, and you need it",
            parameters={"width": 9, "height": 8, "bombs": 1},
            by_difficulty={
                word: {"boxes": boxes, "difficulty": effort} for word, (boxes, effort) in _WITH_BOMBS.items()
            },
        ),
    ),
    measure="pushes",
)

"""Kinds of new puzzles, and the words for their difficulty."""

from __future__ import annotations

from gridproof.core.difficulty import Kind, Puzzles

_ROBOTS = {
    "beginner": (2, 22),
    "easy": (2, 100),
    "medium": (3, 500),
    "hard": (3, 3500),
    "expert": (4, 16_000),
}
"""Robots and target of the search effort, by difficulty."""


def _kind(name: str, width: int, height: int) -> Kind:
    wanted = {word: {"robots": robots, "difficulty": effort} for word, (robots, effort) in _ROBOTS.items()}
    return Kind(
        name=name,
        title=name.capitalize(),
        meaning=f"{width} × {height} cells, 2 to 4 robots",
        parameters={"width": width, "height": height},
        by_difficulty=wanted,
    )


PUZZLES = Puzzles(
    most=(40, 200, 1200, 10_000), kinds=(_kind("small", 6, 5), _kind("medium", 7, 7), _kind("large", 9, 8))
)

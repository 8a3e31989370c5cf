"""Kinds of new puzzles, and the words for their difficulty."""

from __future__ import annotations

from gridproof.core.difficulty import Kind, Puzzles, Source

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


def _source(difficulties: str, *choices: tuple[int, int, int]) -> Source:
    """Return a source of levels of some widths, heights and numbers of boxes."""
    return Source(
        difficulties=tuple(difficulties.split()),
        choices=tuple({"width": width, "height": height, "boxes": boxes} for width, height, boxes in choices),
    )


PUZZLES = Puzzles(
    most=(30, 150, 700, 2500),
    kinds=(
        _kind("small", "up to 6 × 6 cells of floor", 8, 8),
        _kind("medium", "up to 8 × 7 cells of floor", 10, 9),
        _kind("large", "up to 10 × 9 cells of floor", 12, 11),
        Kind(
            name="bombs",
            title="With a bomb",
            meaning="up to 7 × 6 cells of floor; you need a bomb to open walls",
            special=True,
            parameters={"width": 9, "height": 8, "bombs": 1},
            by_difficulty={
                word: {"boxes": boxes, "difficulty": effort} for word, (boxes, effort) in _WITH_BOMBS.items()
            },
        ),
    ),
    measure="pushes",
    corpus=(
        _source("beginner", (7, 7, 1), (8, 8, 2), (7, 7, 2)),
        _source("easy", (8, 8, 2), (8, 8, 3), (9, 8, 3)),
        _source("medium", (8, 8, 4), (9, 9, 4), (10, 9, 4), (8, 8, 5)),
        _source("hard expert", (8, 8, 6), (8, 8, 7), (9, 8, 6)),
    ),
)

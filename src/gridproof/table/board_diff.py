"""What has moved between two boards, where a look does not say it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from gridproof.core.look import Board, Motion, Piece

Place = tuple[int, int]


def differences(before: Board, after: Board) -> list[Place]:
    """The cells that are not alike on two boards of one shape."""
    found = []
    for y, (old, new) in enumerate(zip(before, after, strict=True)):
        if old is not new and old != new:
            pairs = enumerate(zip(old, new, strict=True))
            found += [(x, y) for x, (was, now) in pairs if was is not now and was != now]
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

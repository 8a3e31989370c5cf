"""Board difference: changed cells and motions between two boards, for looks without motions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from gridproof.core.look import Board, Motion, Piece

Place = tuple[int, int]


def differences(before: Board, after: Board) -> list[Place]:
    """Return the cells that differ on two boards of the same shape."""
    found = []
    for y, (old, new) in enumerate(zip(before, after, strict=True)):
        if old is not new and old != new:
            pairs = enumerate(zip(old, new, strict=True))
            found += [(x, y) for x, (was, now) in pairs if was is not now and was != now]
    return found


def same_shape(before: Board, after: Board) -> bool:
    """Return whether two boards have rows of equal lengths."""
    return [*map(len, before)] == [*map(len, after)]


def match_motions(before: Board, after: Board, places: Iterable[Place]) -> tuple[Motion, ...]:
    """Match things that vanished with equal things that appeared, as moves.

    Of several equal ones, the nearest match.
    """
    vanished, appeared = _removals(before, after, places), _removals(after, before, places)
    return tuple(
        Motion((piece,), origin, to)
        for key, removals in vanished.items()
        for piece, origin, to in _pair_nearest(removals, [place for _, place in appeared.get(key, ())])
    )


def _removals(
    before: Board, after: Board, places: Iterable[Place]
) -> dict[tuple[str, str], list[tuple[Piece, Place]]]:
    found: dict[tuple[str, str], list[tuple[Piece, Place]]] = defaultdict(list)
    for x, y in places:
        others = [(piece.shape, piece.text) for piece in after[y][x]]
        for piece in before[y][x]:
            key = piece.shape, piece.text
            if key in others:
                others.remove(key)
            else:
                found[key].append((piece, (x, y)))
    return found


def _pair_nearest(
    removals: Sequence[tuple[Piece, Place]], places: list[Place]
) -> Iterator[tuple[Piece, Place, Place]]:
    for piece, origin in removals:
        if places:
            to = min(places, key=lambda place: abs(place[0] - origin[0]) + abs(place[1] - origin[1]))
            places.remove(to)
            yield piece, origin, to

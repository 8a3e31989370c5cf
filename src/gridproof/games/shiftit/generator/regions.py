"""Boards that are won: every side of every tile is coloured so that each colour is one region (S13)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from gridproof.core.distances import distances
from gridproof.core.rng import Rng

Side = tuple[int, int]
"""A place in reading order, and the number of a side: up, right, down, left."""
Border = tuple[int, int, int, int]
"""A place, its neighbour, and the numbers of the sides that face each other."""

_SPREAD = 4  # places among which the one furthest from all regions begins the next


def adjacent(places: int, borders: Sequence[Border]) -> dict[Side, tuple[Side, ...]]:
    """The sides that are adjacent to each side: two round the tile's centre, one across a border (S9)."""
    across: dict[Side, Side] = {}
    for place, neighbour, out, into in borders:
        across[place, out] = (neighbour, into)
        across[neighbour, into] = (place, out)
    sides = [(place, side) for place in range(places) for side in range(4)]
    return {
        (place, side): ((place, (side + 1) % 4), (place, (side + 3) % 4))
        + ((across[place, side],) if (place, side) in across else ())
        for place, side in sides
    }


def begin(rng: Rng, beside: Mapping[Side, Collection[Side]], taken: list[list[Side]], count: int) -> None:
    """Let regions begin, one side each and well apart, until there are `count` of them."""
    free = [side for side in beside if not any(side in region for region in taken)]
    while len(taken) < count:
        distance = distances((side for region in taken for side in region), beside.__getitem__)
        some = [rng.choice(free) for _ in range(_SPREAD)]
        furthest = max(some, key=lambda side: distance.get(side, len(beside)))
        free.remove(furthest)
        taken.append([furthest])


def grown(
    rng: Rng,
    beside: Mapping[Side, Collection[Side]],
    regions: Sequence[Sequence[Side]],
    still: int | None = None,
) -> dict[Side, int]:
    """The region of every side, when regions grow in turns, the smallest first, until nothing is left.

    Parameters
    ----------
    regions : sequence of sequences of sides
        Where they begin; a side belongs to one of them only.
    still : int, optional
        The region that does not grow; the others must be able to reach every side without it.
    """
    owner = {side: number for number, region in enumerate(regions) for side in region}
    sizes = [len(region) for region in regions]
    fringes = [dict.fromkeys(other for side in region for other in beside[side]) for region in regions]
    growing = {number for number in range(len(regions)) if number != still}
    while growing:
        number = min(growing, key=lambda item: (sizes[item], item))
        fringe = [side for side in fringes[number] if side not in owner]
        if not fringe:
            growing.remove(number)
            continue
        fits = [sum(owner.get(other) == number for other in beside[side]) for side in fringe]
        chosen = rng.choice([side for side, fit in zip(fringe, fits, strict=True) if fit == max(fits)])
        owner[chosen] = number
        sizes[number] += 1
        fringes[number] = dict.fromkeys([*fringe, *beside[chosen]])
    return owner

"""Regions of won boards: each colour is one region of sides (S13)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from gridproof.core.distances import distances
from gridproof.core.rng import Rng

Side = tuple[int, int]
"""A place in reading order, and the number of a side: up, right, down, left."""
Border = tuple[int, int, int, int]
"""A place, its neighbour, and the numbers of the sides that face each other."""

_SPREAD = 4  # random sides; the one furthest from all regions begins the next


def adjacent_sides(places: int, borders: Sequence[Border]) -> dict[Side, tuple[Side, ...]]:
    """Return the neighbours of each side: two round the tile's centre, one across a border (S9)."""
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


def begin_regions(
    rng: Rng, beside: Mapping[Side, Collection[Side]], seeds: list[list[Side]], count: int
) -> None:
    """Begin regions, one side each and well apart, until there are `count` of them."""
    free = [side for side in beside if not any(side in region for region in seeds)]
    while len(seeds) < count:
        distance = distances((side for region in seeds for side in region), beside.__getitem__)
        some = [rng.choice(free) for _ in range(_SPREAD)]
        furthest = max(some, key=lambda side: distance.get(side, len(beside)))
        free.remove(furthest)
        seeds.append([furthest])


def grow_regions(
    rng: Rng,
    beside: Mapping[Side, Collection[Side]],
    regions: Sequence[Sequence[Side]],
    static: int | None = None,
) -> dict[Side, int]:
    """Grow regions in turns, the smallest first, until each side has one; return the region of each side.

    Parameters
    ----------
    regions : sequence of sequences of sides
        The first sides of each region; a side belongs to one of them only.
    static : int, optional
        The number of a region that does not grow; the others must reach every side without it.
    """
    owner = {side: number for number, region in enumerate(regions) for side in region}
    sizes = [len(region) for region in regions]
    fringes = [dict.fromkeys(other for side in region for other in beside[side]) for region in regions]
    growing = {number for number in range(len(regions)) if number != static}
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

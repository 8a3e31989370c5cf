"""Calls of kernels of Shift It outside its game kernel, for `gridproof warm` to compile."""

from __future__ import annotations


def _warm_claims() -> None:
    """Check claims and count runs on a board that is too large for the rules."""
    from gridproof.core.limit import Limit
    from gridproof.games.shiftit.claims.explicit import check_claims, count_runs
    from gridproof.games.shiftit.rules import Level, Tile

    sides = [[f"{place}{side}" for side in range(4)] for place in range(9)]
    sides[2][1] = sides[0][3] = "joined by a shift to the right"
    tiles = [Tile(f"t{place}", place % 3, 2 - place // 3, tuple(sides[place])) for place in range(9)]
    for work in (check_claims, count_runs):
        work(Level(tiles), 4, Limit().start())


WARM = {"claims": _warm_claims}

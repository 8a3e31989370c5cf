"""The kernel of Shift It, as engines take it."""

from gridproof.games.shiftit.kernel.ranks import ranked_state, ranked_successors, ranking
from gridproof.games.shiftit.kernel.shifts import (
    mask,
    near,
    observe,
    predecessors,
    prepare,
    status,
    step,
    successors,
)
from gridproof.games.shiftit.kernel.updates import update
from gridproof.kernels.game import GameKernel


def _claims() -> None:
    """The claims and the runs of a board with more positions than the rules are asked about."""
    from gridproof.core.limit import Limit
    from gridproof.games.shiftit.claims.explicit import claims, count
    from gridproof.games.shiftit.rules import Level, Tile

    sides = [[f"{place}{side}" for side in range(4)] for place in range(9)]
    sides[2][1] = sides[0][3] = "joined by a shift to the right"
    tiles = [Tile(f"t{place}", place % 3, 2 - place // 3, tuple(sides[place])) for place in range(9)]
    for work in (claims, count):
        work(Level(tiles), 4, Limit().start())


KERNEL = GameKernel(
    prepare=prepare,
    successors=successors,
    status=status,
    step=step,
    observe=observe,
    mask=mask,
    update=update,
    propositions={("near", 0): near},
    predecessors=predecessors,
    ranking=ranking,
    ranked_successors=ranked_successors,
    ranked_state=ranked_state,
    others={"claims": _claims},
)

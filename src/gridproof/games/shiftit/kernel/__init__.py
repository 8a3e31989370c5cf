"""The kernel of Shift It, as engines take it."""

from gridproof.games.shiftit.kernel.ranks import expand, ranked_state, ranked_successors, ranking
from gridproof.games.shiftit.kernel.shifts import (
    at,
    has_each_tile,
    mask,
    near,
    numbers,
    observe,
    predecessors,
    prepare,
    status,
    step,
    successors,
    update,
)
from gridproof.games.shiftit.kernel.symmetry import SYMMETRY
from gridproof.kernels.game import EnvKernel, GameKernel, RankedKernel, SearchKernel

KERNEL = GameKernel(
    prepare=prepare,
    successors=successors,
    status=status,
    step=step,
    mask=mask,
    propositions={("near", 0): near, ("at", 3): at, ("valid", 0): has_each_tile},
    numbers=numbers,
    search=SearchKernel(predecessors=predecessors, symmetry=SYMMETRY),
    env=EnvKernel(observe=observe, update=update),
    ranked=RankedKernel(ranking=ranking, successors=ranked_successors, state=ranked_state, expand=expand),
)

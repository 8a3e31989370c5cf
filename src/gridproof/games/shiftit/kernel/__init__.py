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
    update,
)
from gridproof.kernels.game import EnvKernel, GameKernel, RankedKernel, SearchKernel

KERNEL = GameKernel(
    prepare=prepare,
    successors=successors,
    status=status,
    step=step,
    mask=mask,
    propositions={("near", 0): near},
    search=SearchKernel(predecessors=predecessors),
    env=EnvKernel(observe=observe, update=update),
    ranked=RankedKernel(ranking=ranking, successors=ranked_successors, state=ranked_state),
)

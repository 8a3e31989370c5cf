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
from gridproof.kernels.game import GameKernel

KERNEL = GameKernel(
    prepare=prepare,
    successors=successors,
    status=status,
    step=step,
    observe=observe,
    mask=mask,
    propositions={("near", 0): near},
    predecessors=predecessors,
    ranking=ranking,
    ranked_successors=ranked_successors,
    ranked_state=ranked_state,
)

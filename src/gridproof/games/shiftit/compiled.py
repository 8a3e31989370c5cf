"""The kernel of Shift It, as engines take it."""

from gridproof.games.shiftit.kernel import mask, near, predecessors, prepare, status, step, successors
from gridproof.games.shiftit.ranks import ranked_successors, ranking
from gridproof.kernels.game import GameKernel

KERNEL = GameKernel(
    prepare=prepare,
    successors=successors,
    status=status,
    step=step,
    mask=mask,
    propositions={("near", 0): near},
    predecessors=predecessors,
    ranking=ranking,
    ranked_successors=ranked_successors,
)

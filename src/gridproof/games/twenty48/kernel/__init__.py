"""The kernel of 2048, as engines take it."""

from gridproof.games.twenty48.kernel.cells import is_lost
from gridproof.games.twenty48.kernel.moves import (
    begin,
    empty,
    has_two_tiles,
    mask,
    max_tile,
    min_moves_to_tile,
    min_moves_to_win,
    observe,
    status,
    step,
    successors,
    tile,
    update,
)
from gridproof.games.twenty48.kernel.packing import prepare
from gridproof.kernels.game import EnvKernel, GameKernel, SearchKernel

KERNEL = GameKernel(
    prepare=prepare,
    successors=successors,
    status=status,
    step=step,
    mask=mask,
    propositions={
        ("empty", 0): empty,
        ("max_tile", 0): max_tile,
        ("tile", 1): tile,
        ("valid", 0): has_two_tiles,
        ("lost", 0): is_lost,
        ("ended", 0): is_lost,  # one may go on after a win (T11)
    },
    search=SearchKernel(bounds={("won", 0): min_moves_to_win, ("tile", 1): min_moves_to_tile}),
    env=EnvKernel(observe=observe, begin=begin, update=update),
)

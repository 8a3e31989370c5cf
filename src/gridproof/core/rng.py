"""One small counter-based generator: the same numbers on every machine, and in kernels.

A stream is named by a seed and a number; its k-th draw is a mix of both (SplitMix64: Steele, Lea
and Flood, OOPSLA 2014). So the n-th action's chance depends on the seed and n alone (T18).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from gridproof.core.errors import GridproofError

T = TypeVar("T")

LARGEST_SEED = 2**64 - 1

_MASK = 0xFFFF_FFFF_FFFF_FFFF
_GOLDEN = 0x9E37_79B9_7F4A_7C15


def mix(value: int) -> int:
    """Mix a word by SplitMix64's finaliser, a bijection of 64-bit words."""
    value = ((value ^ (value >> 30)) * 0xBF58_476D_1CE4_E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D0_49BB_1331_11EB) & _MASK
    return value ^ (value >> 31)


def check_seed(seed: int) -> int:
    """Return a seed after a check; GridproofError if it is no whole number of 64 bits."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= LARGEST_SEED:
        raise GridproofError(f"seed {seed!r}: it must be a whole number from 0 to 2**64 - 1")
    return seed


def derive(seed: int, number: int = 1) -> int:
    """Derive another seed from a seed and a number."""
    return mix((mix(check_seed(seed)) + _GOLDEN * (number + 1)) & _MASK)


def check_rng(rng: Rng) -> Rng:
    """Return a generator after a check; TypeError for any other value."""
    if not isinstance(rng, Rng):
        raise TypeError(f"a generator (gridproof.Rng) is needed, not {type(rng).__name__}")
    return rng


class Rng:
    """One stream of random numbers.

    Parameters
    ----------
    seed : int
        64 bits.
    stream : int
        Which of the seed's streams: 0 for the start of a level, n for its n-th action.
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int = 0, stream: int = 0) -> None:
        self._state = derive(seed, stream)

    def __str__(self) -> str:
        return f"a stream of random numbers, in state {self._state}"

    def __repr__(self) -> str:
        return f"<Rng in state {self._state}>"

    def word(self) -> int:
        """Return the next 64 random bits."""
        self._state = (self._state + _GOLDEN) & _MASK
        return mix(self._state)

    def below(self, bound: int) -> int:
        """Draw a uniform whole number from 0 to bound - 1, without bias (rejection); the bound is from 1 to 2**64."""
        if not 1 <= bound <= _MASK + 1:
            raise GridproofError(f"bound {bound!r}: it must be from 1 to 2**64")
        refused = (_MASK + 1) % bound
        while True:
            word = self.word()
            if word >= refused:
                return word % bound

    def choice(self, items: Sequence[T]) -> T:
        """Draw one of the items, each as likely."""
        return items[self.below(len(items))]

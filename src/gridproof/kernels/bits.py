"""Bits of words."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.kernels.compile import kernel

U = np.uint64
_ONE = U(1)


@kernel
def count_ones(word: Any) -> Any:
    """Count the bits that are set in a word."""
    word -= (word >> _ONE) & U(0x5555555555555555)
    word = (word & U(0x3333333333333333)) + ((word >> U(2)) & U(0x3333333333333333))
    word = (word + (word >> U(4))) & U(0x0F0F0F0F0F0F0F0F)
    return (word * U(0x0101010101010101)) >> U(56)

"""Chance in kernels: `gridproof.core.rng.Rng` on one word, with the same numbers.

`random` is a uint64 array of shape (1,), the generator's state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.core.rng import derive
from gridproof.kernels.compile import kernel
from gridproof.kernels.states import mix

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_ZERO = np.uint64(0)


def stream(seed: int, number: int = 0) -> np.ndarray[Any, Any]:
    """Return the generator of a seed's stream for kernels."""
    return np.array([derive(seed, number)], np.uint64)


@kernel
def derive_mixed(mixed: Any, number: Any) -> Any:
    """Derive a stream from a mixed seed; the mixing is done once for all streams of a seed."""
    return mix(mixed + _GOLDEN * np.uint64(number + 1))


@kernel
def derive_stream(seed: Any, number: Any) -> Any:
    """Derive the start of a seed's stream, as `gridproof.core.rng.derive` does."""
    return derive_mixed(mix(seed), number)


@kernel
def word(random: Any) -> Any:
    """Return the next 64 random bits."""
    random[0] += _GOLDEN
    return mix(random[0])


@kernel
def below(random: Any, bound: Any) -> Any:
    """Draw a uniform number below a bound from 1 to 2**63, as a signed one."""
    limit = np.uint64(bound)
    while True:
        value = word(random)
        if value >= limit or value >= (_ZERO - limit) % limit:  # fewer than `limit` words are refused
            return np.int64(value % limit)

"""The generator in kernels gives the numbers of `core/rng.py`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridproof.core.rng import Rng, derive
from gridproof.kernels.chance import below, derive_stream, stream, word
from gridproof.testing.agreement import to_python

seeds = st.integers(0, 2**64 - 1)
numbers = st.integers(0, 2**40)


@given(seeds, numbers)
def test_kernel_streams_start_as_core_streams(seed: int, number: int) -> None:
    assert int(derive_stream(np.uint64(seed), number)) == derive(seed, number)
    assert int(to_python(derive_stream)(np.uint64(seed), number)) == derive(seed, number)


@given(seeds, numbers)
def test_kernel_words_agree_with_core(seed: int, number: int) -> None:
    rng, random = Rng(seed, number), stream(seed, number)
    assert [int(word(random)) for _ in range(5)] == [rng.word() for _ in range(5)]


@pytest.mark.parametrize("function", [below, to_python(below)])
@given(seeds, st.one_of(st.integers(1, 200), st.integers(2**62, 2**63), st.integers(1, 2**63)))
def test_kernel_numbers_below_a_bound_agree_with_core(function: object, seed: int, bound: int) -> None:
    """Words are often refused for the largest bounds."""
    assert callable(function)
    rng, random = Rng(seed, 1), stream(seed, 1)
    for _ in range(10):
        assert function(random, np.uint64(bound)) == rng.below(bound)
    assert rng.word() == int(word(random))

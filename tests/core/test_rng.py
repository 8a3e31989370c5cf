"""The generator: the published SplitMix64, streams that do not meet, uniform numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridproof.core.errors import GridproofError
from gridproof.core.rng import Rng, check_seed, derive, mix

GOLDEN = 0x9E37_79B9_7F4A_7C15
SEEDS = st.integers(0, 2**64 - 1)


def test_mix_agrees_with_published_generator() -> None:
    """The first five numbers of the reference implementation, seeded with 1234567."""
    numbers = [mix((1234567 + GOLDEN * n) % 2**64) for n in range(1, 6)]
    assert numbers == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize(
    ("seed", "stream", "words"),
    [
        (0, 0, [12035550249420947055, 12935080325729570654, 7141179953334974231]),
        (1, 0, [6180444375122719049, 18124085362564153841, 6258715490988419664]),
        (0, 1, [5095610196844313600, 3982070227906906278, 16216609496213459576]),
    ],
)
def test_random_numbers_never_change(seed: int, stream: int, words: list[int]) -> None:
    """Recorded games depend on them."""
    rng = Rng(seed, stream)
    assert [rng.word() for _ in words] == words


def test_small_random_numbers_never_change() -> None:
    rng = Rng(2**64 - 1, 7)
    assert [rng.below(10) for _ in range(10)] == [7, 5, 3, 4, 1, 0, 2, 9, 7, 7]
    assert derive(5, 2) == 14449662404081437896


@pytest.mark.slow
@given(SEEDS, SEEDS)
def test_mix_is_a_bijection(first: int, second: int) -> None:
    assert (mix(first) == mix(second)) == (first == second)


@given(SEEDS, st.integers(0, 1000), st.integers(0, 1000))
def test_streams_of_a_seed_differ(seed: int, first: int, second: int) -> None:
    one, other = Rng(seed, first), Rng(seed, second)
    assert ([one.word(), one.word()] == [other.word(), other.word()]) == (first == second)


def test_first_words_of_near_seeds_and_streams_differ() -> None:
    words = {Rng(seed, stream).word() for seed in range(100) for stream in range(100)}
    assert len(words) == 100 * 100


@pytest.mark.parametrize("bound", [2, 3, 10, 16])
def test_below_is_uniform(bound: int) -> None:
    """The chi-squared statistic of 20,000 numbers stays under its 0.9999 quantile."""
    rng, counts, total = Rng(42, bound), [0] * bound, 20_000
    for _ in range(total):
        counts[rng.below(bound)] += 1
    expected = total / bound
    statistic = sum((count - expected) ** 2 / expected for count in counts)
    assert statistic < {2: 15.2, 3: 18.5, 10: 33.8, 16: 44.3}[bound]


@pytest.mark.parametrize("bit", range(64))
def test_bits_are_equally_often_0_and_1(bit: int) -> None:
    rng = Rng(7)
    ones = sum(rng.word() >> bit & 1 for _ in range(2000))
    assert 880 < ones < 1120  # more than five standard deviations


def test_below_rejects_words_that_would_favour_some_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """2**64 mod 6 is 4: the words 0 to 3 are refused."""
    words = iter([0, 3, 4 + 6 * 5])
    monkeypatch.setattr(Rng, "word", lambda self: next(words))
    assert Rng().below(6) == 4


@pytest.mark.parametrize("bound", [0, -1, 2**64 + 1])
def test_below_refuses_invalid_bounds(bound: int) -> None:
    with pytest.raises(GridproofError, match="bound"):
        Rng().below(bound)


@pytest.mark.parametrize("bound", [1, 2**63 + 1, 2**64])
def test_below_accepts_greatest_bounds(bound: int) -> None:
    assert 0 <= Rng(3).below(bound) < bound


def test_choice_draws_an_item() -> None:
    rng = Rng(1)
    assert {rng.choice("abc") for _ in range(50)} == {"a", "b", "c"}
    with pytest.raises(GridproofError):
        rng.choice([])


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", None, True])
def test_check_seed_refuses_invalid_seed(seed: object) -> None:
    with pytest.raises(GridproofError, match="seed"):
        check_seed(seed)  # type: ignore[arg-type]  # what is tried
    with pytest.raises(GridproofError, match="seed"):
        Rng(seed)  # type: ignore[arg-type]  # what is tried

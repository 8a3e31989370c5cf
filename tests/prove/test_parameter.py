"""Parameters of formulas: numbers for names, how formulas change with them, and the least value that holds."""

from __future__ import annotations

import random

import pytest

import gridproof as gp
from gridproof.prove.parameter import (
    STRONGER,
    WEAKER,
    Least,
    check_parameter_names,
    direction_of,
    find_least,
    put_values,
    put_values_in_definition,
)
from gridproof.prove.parsing import parse

SIGNS = ["<", "<=", ">", ">=", "=", "!="]


def test_put_values_replaces_whole_words() -> None:
    assert put_values("F<=T tile(T) & Tx & xT & T_", {"T": 12}) == "F<=12 tile(12) & Tx & xT & T_"
    assert put_values("at(T,N) & T", {"T": -1, "N": 2}) == "at(-1,2) & -1"
    assert put_values("won", {}) == "won"


def test_put_values_in_definition_leaves_its_own_parameters() -> None:
    assert put_values_in_definition("far(T) = at(T) & x(N)", {"T": 1, "N": 2}) == "far(T) = at(T) & x(2)"
    assert put_values_in_definition("far = at(T)", {"T": 1}) == "far = at(1)"
    assert put_values_in_definition("no definition T", {"T": 1}) == "no definition T"


@pytest.mark.parametrize(
    ("formula", "direction"),
    [
        ("EF (won & cost(pushes) <= T)", WEAKER),
        ("AG !(won & cost(pushes) < T)", STRONGER),
        ("AG (bombs >= T -> AX won)", WEAKER),
        ("E[bombs > T U T >= bombs]", None),
        ("A[T > bombs W T >= bombs]", WEAKER),
        ("G (won <-> bombs < T)", None),
        ("EF bombs = T", None),
        ("EF at(T,1)", None),
        ("P>=0.9 [F<=T won]", WEAKER),
        ("P<0.9 [F<T won]", STRONGER),
        ("P>=0.9 [G<=T won]", STRONGER),
        ("P>=0.9 [!won U<=T bombs < T]", WEAKER),
        ("P>=0.9 [F=T won]", None),
        ("P>=0.T [F won]", STRONGER),
        ('R{"pushes"}<=T [F won]', WEAKER),
        ('R{"pushes"}<=2 [F bombs < T]', None),
        ("P>=0.9 [F bombs < T || F won]", WEAKER),
        ("P>=0.9 [F won || F bombs < T]", None),
        ("<<a>> F bombs < T", WEAKER),
        ("forall b in boxes: EF bombs < T", WEAKER),
    ],
)
def test_direction_of_is_that_of_the_operators(formula: str, direction: int | None) -> None:
    assert direction_of([parse(put_values(formula, {"T": value})) for value in range(1, 9)]) == direction


@pytest.mark.slow
def test_direction_of_holds_for_verdicts() -> None:
    """What is proved of formulas is true of their verdicts."""
    chance, checked = random.Random(7), 0
    (level,) = gp.read("######\n#@ $.#\n#    #\n######\n")
    space = gp.explore(level)
    atoms = ["won", "at(1,1)", "at(2,1)", "placed", "T"]
    while checked < 150:
        text = _formula(chance, atoms, 4)
        try:
            formulas = [parse(put_values(text, {"T": value})) for value in range(-1, 5)]
        except gp.GridproofError:
            continue
        direction = direction_of(formulas)
        if direction is None or "T" not in text:
            continue
        answers = [bool(gp.check(space, one).holds) for one in formulas]
        assert answers == sorted(answers, reverse=direction == STRONGER), text
        checked += 1


def _formula(chance: random.Random, atoms: list[str], depth: int) -> str:
    """Return a random formula of CTL with a parameter T."""
    if depth == 0 or chance.random() < 0.15:
        atom = chance.choice(atoms)
        return f"{'placed'} {chance.choice(SIGNS)} T" if atom in ("T", "placed") else atom
    one, other = _formula(chance, atoms, depth - 1), _formula(chance, atoms, depth - 1)
    if chance.random() < 0.4:
        return f"{chance.choice(['!', 'EX', 'AX', 'EF', 'AF', 'EG', 'AG'])} ({one})"
    if chance.random() < 0.4:
        return f"{chance.choice('AE')}[({one}) {chance.choice('UWR')} ({other})]"
    return f"({one}) {chance.choice(['&', '|', '->', '<->'])} ({other})"


@pytest.mark.parametrize("number", [1, 2, 3, 7, 30])
def test_find_least_by_bisection(number: int) -> None:
    for first in range(number + 1):
        asked: list[int] = []

        def ask(place: int, first: int = first, asked: list[int] = asked) -> bool:
            assert place not in asked
            asked.append(place)
            return place >= first

        found = find_least(number, ask, WEAKER)
        assert found == (Least(first, True, first) if first < number else Least(None, True))
        assert len(asked) <= 2 * number.bit_length() + 1
        if 0 < first < number:
            assert {first - 1, first} <= {*asked}


def test_find_least_by_bisection_with_unknown_answers() -> None:
    for held in range(1, 20):
        for failed in range(held):

            def ask(place: int, failed: int = failed, held: int = held) -> bool | None:
                return None if failed <= place < held else place >= held

            found = find_least(20, ask, WEAKER)
            if failed < held:
                assert (found.place, found.is_known) == (failed, False)
                assert found.most is None or held <= found.most


def test_find_least_without_direction_asks_one_after_the_other() -> None:
    answers = [False, True, False, True]
    assert find_least(4, answers.__getitem__, None) == Least(1, True, 1)
    assert find_least(4, [False, None, False, True].__getitem__, None) == Least(1, False, 3)
    assert find_least(2, [False, None].__getitem__, None) == Least(1, False)
    assert find_least(2, [False, False].__getitem__, None) == Least(None, True)


def test_find_least_of_stronger_formulas_asks_once() -> None:
    assert find_least(9, [True].__getitem__, STRONGER) == Least(0, True, 0)
    assert find_least(9, [False].__getitem__, STRONGER) == Least(None, True)
    assert find_least(9, [None].__getitem__, STRONGER) == Least(0, False)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("won", "won cannot be a parameter: it is a proposition of sokoban"),
        ("pushes", "pushes cannot be a parameter: it is a measure of sokoban"),
        ("boxes", "boxes cannot be a parameter: it is a domain of sokoban"),
        ("e", "e cannot be a parameter: it is a word of formulas"),
        ("player", "player cannot be a parameter: it is an actor of the level"),
        ("2", "'2' cannot be a parameter: write a name such as T"),
        ("N", "the parameter N does not occur in the formula"),
    ],
)
def test_check_parameter_names_refuses(name: str, why: str) -> None:
    level = gp.level("sokoban/first-steps/1")
    with pytest.raises(gp.GridproofError) as error:
        check_parameter_names([name], ["EF at(T,1) & won & 2 & e(up)"], level)
    assert str(error.value) == why

"""Solutions in level files: replayed before they are believed, and written with what a text says anyway."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.sokoban.boards import winnable
from tests.measurement import examples

import gridproof as gp
from gridproof.core.text.level_lookup import builtin_pack, pack_names
from gridproof.core.text.pack import Pack
from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban import GAME, Action, Level
from gridproof.games.sokoban.formats import lurd, xsb
from gridproof.games.sokoban.rules import LETTERS

BOARD = "########\n#@ $  .#\n########\n"
WON = "rRRR"


def read(value: str, form: str = "xsb") -> Pack:
    """A pack of the board with some lines below it."""
    if form == "xsb":
        return gp.read(BOARD + value)
    return gp.read(gp.read(BOARD + value).text("slc"))


def letters(level: gp.Level) -> str:
    assert level.certificate is not None
    assert level.certificate.start == level.start()
    assert level.certificate.replay().won
    return lurd.write_solution(level.certificate)


@pytest.mark.clause("K22")
@pytest.mark.parametrize("form", ["xsb", "slc"])
@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("Solution: rRRR\n", False),
        ("solution: rRRR\n", False),
        ("Solution: rrrr\n", True),  # not as it is written here
        ("Solution: r3R\n", True),
        ("Solution: r0000000003R\n", True),
        ("Solution: rR\nSolution: RR\n", True),  # in parts
        ("Solution: rlu\nSolution: rRRR\n", True),  # two, of which one wins
        ("Solution: r R\nRR\n", True),  # the rest below
        ("Solution:\nrRRR\n", True),
        ("\nSolution\nrRRR\n", False),  # as YASC writes them
        ("\nSolution/Moves\nrR\nRR\n\n", False),
        ("\nrRRR\n", False),
    ],
)
def test_solutions_become_certificates(value: str, kept: bool, form: str) -> None:
    pack = read(value, form)
    assert letters(pack[0]) == WON
    assert ("Solution" in pack[0].keys) is kept
    assert not pack.notices
    written = pack.text(form)
    again = gp.read(written)
    assert (again[0].keys, again[0].certificate) == (pack[0].keys, pack[0].certificate)
    assert again.text(form) == written


@pytest.mark.clause("K22")
@pytest.mark.parametrize("form", ["xsb", "slc"])
@pytest.mark.parametrize(
    "value",
    [
        "Solution: rRR\n",  # does not win
        "Solution: rRRRl\n",  # goes on after the win
        "Solution: uRRR\n",
        "Solution: somewhere else\n",
        "Solution: rRR5\n",
        "Solution: rRRR0l\n",
        "Solution: r3 R\n",
        "Solution: r1 2R\n",
        "Solution:\n",
        "\nSolution\nrRR\n",
        "Solution: 999999999r\n",
    ],
)
def test_solutions_that_do_not_win_stay_texts_with_a_notice(value: str, form: str) -> None:
    pack = read(value, form)
    assert pack[0].certificate is None
    assert list(pack.notices) == [1]
    assert pack.notices[1] == "its solution does not win it, and is kept as a text"
    again = gp.read(pack.text(form))
    assert (again[0].keys, again[0].notes_below) == (pack[0].keys, pack[0].notes_below)  # type: ignore[attr-defined]  # Sokoban's


@pytest.mark.clause("K22")
@given(st.text("lurdLURD!0123() \n\tx\u0662"), st.integers(0, 30))
def test_solutions_in_files_are_read_as_typed_ones(value: str, most: int) -> None:
    try:
        actions = lurd.read_actions(value)
    except gp.ParseError:
        assert lurd.plain_letters(value, most) is None
    else:
        letters = lurd.trace_letters(Trace(read("")[0].start(), tuple(map(Step, actions))))
        assert lurd.plain_letters(value, most) == (letters if len(letters) <= most else None)


def test_words_are_no_solutions() -> None:
    pack = read("Author: Rudi\n\ndull\nlurd\n")
    assert pack[0].certificate is None
    assert not pack.notices


def test_notices_are_of_their_level() -> None:
    one = BOARD + "Solution: {}\n"
    pack = gp.read("\n".join(one.format(value) for value in ("rRRR", "l", "rRRR", "u")))
    assert list(pack.notices) == [2, 4]
    assert [level.certificate is None for level in pack] == [False, True, False, True]


def test_replay_of_solutions_is_bounded_by_length_of_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = list[str]()
    monkeypatch.setattr(lurd, "verify_letters", lambda level, letters: steps.append(letters))
    one = BOARD + "Bombs: 999999\nSolution: 3000!\n"
    pack = gp.read("\n".join([one] * 50))
    assert sum(map(len, steps)) <= 4 * len(one) * 50 + 1000
    assert pack.notices[50] == "its solution is too long to be replayed, and is kept as a text"


def test_certificates_are_written_once_and_only_when_they_win() -> None:
    level = gp.read(BOARD)[0]
    assert isinstance(level, Level)
    start = level.start()
    right = Step(Action.RIGHT)
    won = dataclasses.replace(level, certificate=Trace(start, (right,) * 4))
    assert xsb.write(Pack([won])) == BOARD + "Solution: rRRR\n"
    assert won.text() == BOARD  # a level's own text says what it is, not how it is won
    for certificate in (
        Trace(start, (right,)),
        Trace(start.outcomes(Action.RIGHT)[0].position, (right,) * 3),
    ):
        assert xsb.write(Pack([dataclasses.replace(level, certificate=certificate)])) == BOARD
    wrong = gp.read(BOARD + "Solution: rlu\n")[0]
    mended = dataclasses.replace(wrong, certificate=won.certificate)
    assert xsb.write(Pack([mended])) == BOARD + "Solution: rlu\nSolution: rRRR\n"
    assert letters(gp.read(xsb.write(Pack([mended])))[0]) == WON


@pytest.mark.clause("K6", "K7", "K8", "K9", "K15")
@given(st.integers(0, 40), st.text("lurd!", max_size=40))
@examples(60)
def test_quick_replay_agrees_with_the_rules(seed: int, tried: str) -> None:
    level = dataclasses.replace(winnable(seed), bombs=seed % 3)
    position, done = level.start(), ""
    for letter in tried:
        legal = LETTERS[letter] in position.actions()
        assert legal or lurd.verify_letters(level, done + letter) is None
        if legal:
            position = position.outcomes(LETTERS[letter])[0].position
            done += letter
            assert (lurd.verify_letters(level, done) is not None) == position.won


@pytest.mark.parametrize("pack", pack_names(GAME))
def test_certificates_are_replayed_quickly(pack: str) -> None:
    for level in builtin_pack(GAME, pack):
        assert isinstance(level, Level)
        if level.certificate:
            letters = lurd.trace_letters(level.certificate)
            assert lurd.verify_letters(level, letters) == lurd.write_solution(level.certificate)
            assert lurd.verify_letters(level, letters[:-1]) is None


def test_box_and_player_stay_in_the_grid() -> None:
    level = Level((0, 0), 0, [(1, 0)], [(2, 0)], [], (3, 1))
    assert lurd.verify_letters(level, "r") == "R"
    assert lurd.verify_letters(level, "rr") is None
    assert lurd.verify_letters(level, "l") is None
    assert lurd.verify_letters(level, "u") is None
    assert lurd.verify_letters(Level((0, 0), 0, [(1, 0)], [(0, 0)], [], (2, 1)), "r") is None

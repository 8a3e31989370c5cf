"""Traces of verdicts: saved in files, and printed by their changes."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from tests.prove.test_check import SOKOBAN, level

import gridproof as gp
from gridproof.games.shiftit import Level, Tile
from gridproof.prove.trace_text import row_changes


def test_traces_of_verdicts_can_be_saved_and_drawn(tmp_path: Path) -> None:
    trace = gp.check(level(), "G F won").trace
    assert trace is not None
    trace.save(tmp_path / "trace.json")
    assert gp.Trace.load(tmp_path / "trace.json") == trace


PRINTED = """\
`G (at(1) -> F won)` does not hold on all paths. 4 reachable positions were examined (* s).

counterexample, 2 actions:
@..o
at(1) false, won false
from here on again and again, these 2 steps:
1  right
   @..o  ->  .@.o
   at(1) true
2  left
   .@.o  ->  @..o
   at(1) false"""


def test_trace_text_prints_changes_only() -> None:
    verdict = gp.check(level("@..o"), "G (at(1) -> F won)")
    assert str(dataclasses.replace(verdict, seconds=0)) == PRINTED.replace("*", "0.00")


def test_trace_text_prints_changed_rows_and_numbers() -> None:
    printed = str(gp.check(level(SOKOBAN, "sokoban"), "EF (won & bombs = 1)")).splitlines()
    assert printed[2:] == [
        "witness, 2 actions:", "######", "#@ $.#", "# #  #", "######", "won false, bombs 1",
        "1  right", "   row 2  #@ $.#  ->  # @$.#",
        "2  right", "   row 2  # @$.#  ->  #  @*#", "   won true", "no action is possible any more",
    ]  # fmt: skip
    bombed = str(gp.check(level("Bombs: 1\n\n#####\n#@#.#\n# $ #\n#####\n", "sokoban"), "EF bombs = 0"))
    assert "   bombs 0" in bombed.splitlines()


@pytest.mark.clause("S1")
def test_trace_text_numbers_rows_as_words_of_moves_do() -> None:
    """Check the row numbers of Shift It: they are counted from the bottom, and begin anywhere."""
    tiles = [Tile(f"t{x}{y}", x, y, "rg"[(x + y) % 2]) for x in (0, 1) for y in (5, 6)]
    for y in (5, 6):
        position = Level(tiles).start()
        (moved,) = position.outcomes(position.action(f"RM({y},left)"))
        assert [line.split("  ")[0] for line in row_changes(position, moved.position)] == [f"row {7 - y}"]


def test_trace_text_prints_random_outcomes() -> None:
    assert "1  hop: by 2" in str(gp.check(level(), "EF at(2)"))

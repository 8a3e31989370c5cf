"""Tests of the puzzles that come with the package."""

from __future__ import annotations

import runpy
from pathlib import Path
from random import Random

import pytest
from tests.sizes import size

from gridproof.core.puzzle import PuzzleId, make_puzzle, parse_id
from gridproof.store import Store
from gridproof.store.first_puzzles import first_puzzles
from gridproof.store.puzzles import read_puzzle

SCRIPT = Path(__file__).parents[2] / "docs" / "puzzles.py"


def first_ids() -> list[PuzzleId]:
    """Return the ids that the file must have."""
    return [*runpy.run_path(str(SCRIPT))["first_ids"]()]


@pytest.mark.slow
def test_first_puzzle_of_each_series_comes_with_its_win() -> None:
    assert [*first_puzzles()] == [str(puzzle_id) for puzzle_id in first_ids()]
    for text, certificate in first_puzzles().items():
        level = read_puzzle(parse_id(text), certificate).level
        assert level.certificate is not None
        assert level.certificate.start == level.start()
        assert level.certificate.replay().won


def test_puzzle_that_is_read_has_its_title_in_the_words_of_today() -> None:
    text = str(first_ids()[0])
    before = first_puzzles()[text]
    puzzle = read_puzzle(parse_id(text), before.replace("title: ", "title: Once ", 1))
    assert puzzle.level.title == puzzle.words()
    assert puzzle.level.certificate is not None
    assert puzzle.level.certificate.level.title == puzzle.words()


@pytest.mark.long
def test_first_puzzles_are_those_that_the_generators_make() -> None:
    some = Random(7).sample([*first_puzzles().items()], size("puzzles", 20))
    for text, certificate in some:
        assert read_puzzle(parse_id(text), certificate) == make_puzzle(parse_id(text))


def test_store_has_the_first_puzzles_from_the_start() -> None:
    store, (first, *_) = Store("sqlite://"), first_ids()
    assert store.puzzles.find_made([first, first._replace(seed=1)]) == {first}
    assert not store.puzzles.claim(first)
    found = store.puzzles.get(first)
    assert found is not None
    assert found.id == first
    store.close()

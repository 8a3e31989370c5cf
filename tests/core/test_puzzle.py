"""Puzzles by id: ids as text, the puzzle of the day, and the words for difficulties."""

from __future__ import annotations

import dataclasses
import datetime
import re
from typing import Any

import pytest

import gridproof as gp
from gridproof.core.difficulty import DIFFICULTIES, KEY, difficulty_word, puzzles_of, word_for
from gridproof.core.puzzle import (
    Puzzle,
    PuzzleId,
    build_id,
    daily_id,
    hash_seed,
    make_puzzle,
    parse_id,
    puzzle_games,
    puzzle_of,
    read_seed,
    series,
    write_seed,
)
from gridproof.core.text.level_lookup import builtin_pack, levels_at, pack_names
from gridproof.core.text.phrases import format_count

GAMES = [game.name for game in puzzle_games()]
EASY = PuzzleId("twenty48", "small", "easy", 7)


@pytest.mark.parametrize("seed", [0, 1, 31, 32, 12345678, 2**50 - 1])
def test_seed_is_read_back(seed: int) -> None:
    assert read_seed(write_seed(seed)) == seed


def test_seed_is_read_however_it_is_typed() -> None:
    assert read_seed(" 1F3K9 ") == read_seed("if3k9") == read_seed("lf3k9")


@pytest.mark.parametrize("game", GAMES)
def test_id_is_parsed_back_for_each_kind_and_difficulty(game: str) -> None:
    puzzles = puzzles_of(gp.game(game))
    assert puzzles is not None
    for kind in puzzles.kinds:
        assert kind.difficulties == DIFFICULTIES
        for difficulty in kind.difficulties:
            made = build_id(game, kind.name, difficulty, hash_seed(kind.name))
            assert parse_id(str(made)) == parse_id(str(made).upper()) == made


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x", "'x' is no id of a puzzle, such as sokoban-small-easy-1f3k9"),
        ("chess-small-easy-1", "no puzzles of 'chess' can be made; choose from"),
        ("sokoban-huge-easy-1", "sokoban has no puzzles of the kind 'huge'; choose from small, medium"),
        ("sokoban-small-awful-1", "no difficulty 'awful'; choose from beginner, easy"),
        ("sokoban-small-easy-uuu", "'uuu' is no seed"),
        ("sokoban-small-easy-12345678901", "is no seed"),
        ("sokoban-small-easy-v3-1", "is of version 3 of the generator; this is version 1"),
    ],
)
def test_wrong_id_is_refused_in_words(text: str, reason: str) -> None:
    with pytest.raises(gp.GridproofError, match=reason):
        parse_id(text)


def test_same_id_makes_same_certified_level() -> None:
    puzzle = make_puzzle(EASY)
    assert puzzle == make_puzzle(EASY)
    assert puzzle.level.certificate is not None
    assert puzzle.level.certificate.replay().won
    assert puzzle.difficulty == "easy"
    assert puzzle_of(puzzle.level) == puzzle
    assert puzzle.optimum is None  # chance has a part in it
    assert dict(puzzle.level.keys)["Puzzle"] == "twenty48-small-easy-7"


def test_title_names_size_and_difficulty() -> None:
    words = [PuzzleId("shiftit", "medium", word, 1).words() for word in ("easy", "medium")]
    assert words == ["Medium size, easy", "Medium size, medium difficulty"]
    assert PuzzleId("sokoban", "bombs", "beginner", 1).words() == "With a bomb, for beginners"
    assert make_puzzle(EASY).level.title == "Small size, easy"


def test_size_in_words_is_the_size_of_the_puzzle() -> None:
    puzzles = puzzles_of(gp.game("shiftit"))
    assert puzzles is not None
    for kind in puzzles.kinds:
        size = f"{kind.parameters['width']} × {kind.parameters['height']} tiles"
        assert kind.meaning.startswith(size)
        locks = re.search(r"(\d) of them locked", kind.meaning)
        assert kind.parameters.get("locks", 0) == (int(locks[1]) if locks else 0)


def test_title_says_measured_and_asked_difficulty_when_they_differ() -> None:
    level: Any = gp.read("2048 2x2 target=64\n")[0]
    puzzle = Puzzle(EASY, dataclasses.replace(level, keys={KEY: "95"}))
    assert (puzzle.difficulty, puzzle.words()) == (
        "expert", "Small size, very hard (asked for: easy)",
    )  # fmt: skip


def test_puzzle_says_its_proved_optimum() -> None:
    puzzle = make_puzzle(PuzzleId("robots", "small", "beginner", 1))
    assert puzzle.level.certificate is not None
    assert puzzle.optimum_words == format_count(len(puzzle.level.certificate.steps), "moves")


def test_series_is_the_same_for_all() -> None:
    first = series("sokoban", "small", "easy", 3)
    assert first == series("sokoban", "small", "easy", 4)[:3]
    assert len(set(first)) == 3


@pytest.mark.parametrize("game", GAMES)
def test_puzzle_of_the_day_follows_from_the_date(game: str) -> None:
    monday = datetime.date(2030, 1, 7)
    week = [daily_id(game, monday + datetime.timedelta(day)) for day in range(7)]
    assert [one.difficulty for one in week] == [
        "beginner", "easy", "easy", "medium", "medium", "hard", "expert",
    ]  # fmt: skip
    assert len(set(week)) == 7
    assert daily_id(game, monday) == week[0]


def test_puzzle_of_the_day_takes_turns_among_the_kinds_that_are_meant_for_it() -> None:
    monday = datetime.date(2026, 3, 2)
    kinds = [daily_id("twenty48", monday + datetime.timedelta(day)).kind for day in range(4)]
    assert sorted(kinds) == ["classic", "classic", "small", "small"]


def test_difficulty_has_words() -> None:
    sokoban = gp.game("sokoban")
    words = [word_for(sokoban, number) for number in (1, 30, 31, 700, 701, 10**6)]
    assert words == ["beginner", "beginner", "easy", "medium", "hard", "expert"]
    assert word_for(sokoban, None) == word_for(sokoban, "much") == word_for(gp.game("null"), 3) == ""
    assert word_for(sokoban, "hard") == "hard"
    assert difficulty_word(levels_at("sokoban/first-steps")[0]) == "beginner"


@pytest.mark.slow
def test_difficulties_of_packs_spread_over_the_words() -> None:
    for game in GAMES:
        if game != "twenty48":  # its positions are measured by nothing
            packs = [builtin_pack(gp.game(game), name) for name in pack_names(gp.game(game))]
            found = {difficulty_word(level) for pack in packs for level in pack}
            assert found >= set(DIFFICULTIES), game


def test_difficulty_of_2048_is_that_of_its_puzzles_alone() -> None:
    """Words of another scale would mean another thing."""
    game = gp.game("twenty48")
    levels = [level for name in pack_names(game) for level in builtin_pack(game, name)]
    assert not [level.title for level in levels if KEY in level.keys]

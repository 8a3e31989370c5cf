"""The corpora that are published in `corpora`: complete, sound, and the same when they are made again."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import gridproof as gp
from gridproof.agents.dataset_card import CARD, digest_of_folder
from gridproof.core.design import canonical
from gridproof.core.difficulty import puzzles_of
from gridproof.core.measure import cost_of, find_measure
from gridproof.core.trace import Step, Trace
from gridproof.envs import tasks
from gridproof.envs.corpus import Corpus, list_candidates, sources_of

FOLDER = Path(__file__).parent.parent / "corpora"
GAMES = sorted(path.name for path in FOLDER.iterdir())


def read_rows(game: str) -> list[dict[str, Any]]:
    """Return the rows of a corpus; its checksums are compared."""
    rows: list[dict[str, Any]] = gp.dataset(FOLDER / game).table().to_pylist()
    return rows


def make_first(game: gp.Game, count: int) -> list[dict[str, Any]]:
    """Return the first levels of each source."""
    found = list[dict[str, Any]]()
    for source in sources_of(game):
        made = (gp.generate(*task.arguments, **task.options) for task in list_candidates(game, source, 0))
        found += itertools.islice(Corpus(game, 10**6, []).choose(source, made, 0), count)
    return found


def find_steps(position: Any, texts: list[str]) -> tuple[Step, ...] | None:
    """Return the steps of these actions to a win, with luck if an action has several outcomes."""
    if not texts:
        return () if position.won else None
    action = position.action(texts[0])
    for outcome in position.outcomes(action):
        rest = find_steps(outcome.position, texts[1:])
        if rest is not None:
            return Step(action, outcome.label), *rest
    return None


def check_row(game: gp.Game, row: dict[str, Any]) -> None:
    """Check that the solution of a row wins at its cost."""
    start = gp.read(row["text"], game)[0].start()
    steps = find_steps(start, [*row["solution"]] if game.name == "sokoban" else row["solution"].split())
    puzzles = puzzles_of(game)
    assert puzzles is not None
    assert steps is not None
    assert cost_of(Trace(start, steps), find_measure(game, puzzles.measure)) == row["cost"]
    assert puzzles.word(row["effort"]) == row["difficulty"]


@pytest.mark.parametrize("game", GAMES)
def test_corpus_is_complete(game: str) -> None:
    rows = read_rows(game)
    numbers = Counter(row["difficulty"] for row in rows)
    assert len(numbers) == 5
    assert len({*numbers.values()}) == 1
    card = (FOLDER / game / CARD).read_text(encoding="utf-8")
    assert digest_of_folder(FOLDER / game) in card
    assert f"| levels | {len(rows):,}, " in card


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_first_levels_of_corpus_are_made_again(game: str) -> None:
    rows, made = read_rows(game), make_first(gp.game(game), 1)
    assert [row for row in made if row not in rows] == []


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_levels_of_corpus_are_different_and_won_by_their_solutions(name: str) -> None:
    rows, game = read_rows(name), gp.game(name)
    forms = [canonical(level) for level in gp.dataset(FOLDER / name).levels()]
    assert len({*forms}) == len(rows)
    assert tasks.canonical_levels(name).isdisjoint(forms)
    for row in rows[:: max(1, len(rows) // 100)]:
        check_row(game, row)

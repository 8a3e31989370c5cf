"""Corpora: certified levels of each difficulty, without symmetric copies and levels of graded tasks."""

from __future__ import annotations

import collections
import dataclasses
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gridproof.core.design import canonical
from gridproof.core.difficulty import DIFFICULTIES, KEY, Puzzles, Source, puzzles_of
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.generate import MISSED
from gridproof.core.measure import cost_of, find_measure, spoken_name
from gridproof.core.position import Level
from gridproof.core.rng import check_seed
from gridproof.core.text import recognition
from gridproof.core.text.phrases import format_count
from gridproof.envs import tasks
from gridproof.envs.splits import TEST, split_of
from gridproof.jobs import Task
from gridproof.store.level_digest import digest
from gridproof.store.parquet import Row

COLUMNS: Mapping[str, tuple[type, str]] = {
    "game": (str, "name of the game"),
    "text": (str, "the level; its title has the difficulty and a number"),
    "digest": (str, "SHA-256 of the level without its title and keys"),
    "difficulty": (str, "one of five words"),
    "effort": (int, "measured difficulty, in positions"),
    "cost": (int, "proved least cost of a win"),
    "solution": (str, "actions of a cheapest win, with luck if there is chance"),
    "split": (str, "train, or for a tenth of all levels test; symmetric copies are in the same one"),
    "seed": (int, "seed of the generator"),
    "parameters": (str, "its parameters, as JSON"),
    "copies": (
        int,
        "copies of other levels or of graded tasks, left out between the level before and this one",
    ),
    "others": (int, "levels of other difficulties or without a proof, left out there"),
}
"""Type and meaning of each column."""
MOST_LEFT_OUT = 1000
"""Candidates that are left out in a row, after which a source has no more levels."""
LARGEST_FIRST_SEED = 2**62


def sources_of(game: Game) -> tuple[Source, ...]:
    """Return the sources of a game's corpus; GridproofError if the game offers no puzzles."""
    return _puzzles(game).sources


def list_candidates(game: Game, source: Source, first: int) -> Iterator[Task]:
    """Yield tasks without end that generate the candidates of seeds from `first` on, in their order."""
    for number in itertools.count():
        seed = first + number
        yield Task(str(number), "gridproof:generate", (game.name, seed), _parameters(source, seed))


def _parameters(source: Source, seed: int) -> Mapping[str, Any]:
    return source.choices[seed % len(source.choices)]


def _puzzles(game: Game) -> Puzzles:
    puzzles = puzzles_of(game)
    if puzzles is None:
        raise GridproofError(f"{game.name} has no levels of five difficulties")
    return puzzles


def check_first_seed(seed: int) -> int:
    """Return the first seed of a corpus; GridproofError if those that follow may not fit a column, which has 63 bits."""
    if check_seed(seed) > LARGEST_FIRST_SEED:
        raise GridproofError(
            f"seed {seed}: the first seed of a corpus is at most 2**62, as the others count up"
        )
    return seed


class Corpus:
    """Levels of a corpus, chosen from candidates in the order of their seeds.

    Parameters
    ----------
    game : Game
    count : int
        Number of levels of each difficulty.
    rows : iterable of Row
        Levels chosen before.
    """

    def __init__(self, game: Game, count: int, rows: Iterable[Row]) -> None:
        self._game, self._count = game, count
        self._puzzles = _puzzles(game)
        self._seen = set(tasks.canonical_levels(game.name))
        self._numbers = collections.Counter[str]()
        for row in rows:
            self._seen.add(canonical(recognition.read(str(row["text"]), game)[0]))
            self._numbers[str(row["difficulty"])] += 1

    def __len__(self) -> int:
        return self._numbers.total()

    def is_complete(self, source: Source) -> bool:
        """Return whether all levels of a source have been chosen."""
        return all(self._numbers[word] >= self._count for word in source.difficulties)

    def choose(self, source: Source, candidates: Iterable[Level], seed: int) -> Iterator[Row]:
        """Yield the rows of the levels that are kept, until a source is complete.

        `seed` is that of the first candidate; the seeds of the others count up. GridproofError if no more levels come.
        """
        copies = others = 0
        for level in candidates:
            word = self._word(level)
            form = canonical(level)
            if word not in source.difficulties or self._numbers[word] >= self._count:
                others += 1
            elif form in self._seen:
                copies += 1
            else:
                self._seen.add(form)
                self._numbers[word] += 1
                yield {**self._row(level, word, source, seed), "copies": copies, "others": others}
                copies = others = 0
                if self.is_complete(source):
                    return
            if copies + others >= MOST_LEFT_OUT:
                raise GridproofError(
                    f"no more levels among {MOST_LEFT_OUT:,} candidates for {' and '.join(source.difficulties)}: ask for fewer"
                )
            seed += 1

    def _word(self, level: Level) -> str:
        """Return the word for a measured difficulty; "" without a proof."""
        if level.certificate is None or KEY not in level.keys:
            return ""
        return self._puzzles.word(float(level.keys[KEY]))

    def _row(self, level: Any, word: str, source: Source, seed: int) -> Row:
        keys = {name: text for name, text in level.keys.items() if name != MISSED}
        title = f"{word.capitalize()} {self._numbers[word]}"
        named = dataclasses.replace(level, title=title, keys=keys)
        measure = self._puzzles.measure
        return {
            "game": self._game.name,
            "text": named.text(),
            "digest": digest(named),
            "difficulty": word,
            "effort": int(level.keys[KEY]),
            "cost": cost_of(level.certificate, find_measure(self._game, measure)) if measure else None,
            "solution": self._game.own_format.join_actions(level.certificate),
            "split": split_of(level),
            "seed": seed,
            "parameters": json.dumps(_parameters(source, seed)),
        }


def describe_rows(game: Game, rows: Iterable[Row]) -> dict[str, str]:
    """Return the statistics of a corpus as texts."""
    by_word = dict[str, list[Row]]()
    left_out = collections.Counter[str]()
    for row in rows:
        by_word.setdefault(str(row["difficulty"]), []).append(row)
        left_out.update(copies=_number(row["copies"]), others=_number(row["others"]))
        left_out[str(row["split"])] += 1
    total = sum(map(len, by_word.values()))
    measure = _puzzles(game).measure
    unit = spoken_name(measure) if measure else ""
    words = {
        word: f"{format_count(len(by_word[word]), 'levels')}; {_spread(by_word[word], 'cost', unit)}{_spread(by_word[word], 'effort', 'positions')}"
        for word in DIFFICULTIES
        if word in by_word
    }
    return {
        "levels": f"{total:,}, {left_out[TEST]:,} of them to test on",
        **words,
        "candidates": f"{total + left_out['copies'] + left_out['others']:,}",
        "copies left out": f"{left_out['copies']:,}",
        "of other difficulties, or without a proof": f"{left_out['others']:,}",
    }


def _spread(rows: list[Row], column: str, unit: str) -> str:
    values = [_number(row[column]) for row in rows if row[column] is not None]
    if not values:
        return ""
    start = "" if column == "cost" else "; "
    return f"{start}{min(values):,} to {max(values):,} {unit}, {sum(values) / len(values):,.1f} on average"


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value

"""Difficulty in five words, and the kinds of puzzles that a game offers: its extension `puzzles`."""

from __future__ import annotations

import bisect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.measure import ACTIONS
from gridproof.core.position import Level

DIFFICULTIES = ("beginner", "easy", "medium", "hard", "expert")
"""The steps of difficulty, the easiest first."""

_PHRASES = {"beginner": "for beginners", "medium": "medium difficulty", "expert": "for experts"}
"""Difficulties in titles, where the word alone could be misread: "Medium size, medium difficulty"."""
_STEPS = {"beginner": "very easy", "expert": "very hard"}
"""Difficulties in words for games whose difficulty is not that for people, as their standard says."""
_SIZES = ("small", "medium", "large")
"""Names of kinds that are sizes."""

KEY = "Difficulty"
"""Key of a level for its measured difficulty."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of puzzles: a size, or another choice of the generator's parameters."""

    name: str
    """A lower-case word for ids: "small"."""
    title: str
    """Words for people: "Small"."""
    meaning: str
    """A few words about it: "7 × 7, 2 boxes"."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the generator."""
    by_difficulty: Mapping[str, Mapping[str, Any]]
    """Further parameters for each difficulty that the kind offers."""
    of_the_day: bool = True
    """True if it takes its turn as the puzzle of the day."""
    special: bool = False
    """True if its boards have something that those of the sizes lack, such as a bomb."""

    @property
    def phrase(self) -> str:
        """Words for titles: "Small size"."""
        return f"{self.title} size" if self.name in _SIZES else self.title

    @property
    def difficulties(self) -> tuple[str, ...]:
        """Difficulties that the kind offers, the easiest first."""
        return tuple(word for word in DIFFICULTIES if word in self.by_difficulty)


@dataclass(frozen=True, kw_only=True)
class Source:
    """Generated levels for a corpus: seeds count up, and the choices of parameters take turns."""

    difficulties: tuple[str, ...]
    """Difficulties of the levels that are kept."""
    choices: tuple[Mapping[str, Any], ...]
    """Parameters of the generator."""


@dataclass(frozen=True, kw_only=True)
class Puzzles:
    """Puzzles that a game offers: the value `PUZZLES` of its extension `puzzles`."""

    most: tuple[int, int, int, int]
    """Largest difficulty, as the game's generator measures it, of a beginner's, easy, medium and hard level."""
    kinds: tuple[Kind, ...]
    """Kinds of puzzles, the smallest first."""
    meaning: str = ""
    """Sentences on what the words for the difficulty mean, where the words alone could mislead."""
    standard: str = ""
    """For whom a puzzle is as difficult as its word says, if not for a person who thinks: "for random moves"."""
    version: int = 1
    """Version of the generator; ids name it, because another version makes other levels."""
    measure: str = ACTIONS.name
    """Measure of which a generated level's certificate has the least cost, if its difficulty is known; "" for none."""
    corpus: tuple[Source, ...] = ()
    """Sources of a corpus, if the targets of the kinds are slower than levels without a target."""

    @property
    def sources(self) -> tuple[Source, ...]:
        """Sources of a corpus: the game's own, or all kinds of each difficulty."""
        if self.corpus:
            return self.corpus
        by_word = {
            word: tuple(
                {**kind.parameters, **kind.by_difficulty[word]}
                for kind in self.kinds
                if word in kind.by_difficulty
            )
            for word in DIFFICULTIES
        }
        return tuple(
            Source(difficulties=(word,), choices=choices) for word, choices in by_word.items() if choices
        )

    def word(self, difficulty: float) -> str:
        """Return the word for a measured difficulty."""
        return DIFFICULTIES[bisect.bisect_left(self.most, difficulty)]

    def kind(self, name: str) -> Kind | None:
        """Return the kind of a name; None if there is none."""
        return next((kind for kind in self.kinds if kind.name == name), None)


def difficulty_phrase(game: Game, word: str) -> str:
    """Return one of the five words for a title: "for beginners", "medium difficulty"."""
    phrase = _PHRASES.get(word, word)
    return _STEPS.get(word, phrase) if difficulty_standard(game) else phrase


def spoken_difficulty(game: Game, word: str) -> str:
    """Return one of the five words, or "", as it is shown for a game: "very hard" where no expert is meant."""
    return _STEPS.get(word, word) if difficulty_standard(game) else word


def measured_difficulty(game: Game, word: str) -> str:
    """Return one of the five words, or "", for designers of levels: with the standard, "very hard for random moves"."""
    return " ".join(filter(None, (spoken_difficulty(game, word), difficulty_standard(game)))) if word else ""


def difficulty_standard(game: Game) -> str:
    """Return for whom a game's puzzles are as difficult as their words say: "for random moves"; "" for people."""
    puzzles = puzzles_of(game)
    return puzzles.standard if puzzles else ""


def puzzles_of(game: Game) -> Puzzles | None:
    """Return the puzzles that a game offers; None when it offers none."""
    return find_extension(game, "puzzles", Puzzles)


def difficulty_word(level: Level) -> str:
    """Return the word for a level's recorded difficulty; "" if it is unknown."""
    return word_for(level.game, level.keys.get(KEY, ""))


def word_for(game: Game, difficulty: str | float | None) -> str:
    """Return the word for a measured difficulty of a game; "" if it is unknown, or the game has no limits."""
    if difficulty in DIFFICULTIES:
        return str(difficulty)
    puzzles = puzzles_of(game)
    try:
        return puzzles.word(float(difficulty or "")) if puzzles else ""
    except ValueError:
        return ""

"""Puzzles by id, such as `sokoban-small-easy-1f3k9`: the same id is the same level everywhere.

An id names a game, one of its kinds, a difficulty and a seed. Where the generator is not in its first version, it names that,
too: `sokoban-small-easy-v2-1f3k9`. The puzzle of the day has an id that follows from the date.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import hashlib
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from gridproof.core.difficulty import (
    DIFFICULTIES,
    KEY,
    Kind,
    Puzzles,
    difficulty_phrase,
    puzzles_of,
    word_for,
)
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.generate import MISSED, generate
from gridproof.core.limit import Stop
from gridproof.core.measure import cost_of, find_measure, spoken_name
from gridproof.core.position import Level
from gridproof.core.registry import game as game_named
from gridproof.core.registry import games, is_game
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Trace

PUZZLE_KEY = "Puzzle"
"""Key of a level for the puzzle's id."""
SEED_BITS = 25
"""Bits of a drawn seed: five letters of an id."""
_ASKED = " (asked for: "
_SEED_TITLE = re.compile(r"Seed \d+")
_MOST_LETTERS = 10
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_ALIKE = str.maketrans({"i": "1", "l": "1", "o": "0"})
ATTEMPTS = 6
"""Levels that are made until one has the difficulty of the id."""
_PATTERN = re.compile(r"([\w-]+)-([a-z0-9]+)-([a-z]+)(?:-v(\d{1,4}))?-([a-z0-9]+)", re.ASCII)
_WEEK = ("beginner", "easy", "easy", "medium", "medium", "hard", "expert")
"""Difficulties of the days, from Monday on."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class PuzzleId(NamedTuple):
    """The id of a puzzle; its text is what players type."""

    game: str
    kind: str
    difficulty: str
    seed: int
    version: int = 1

    def __str__(self) -> str:
        version = f"-v{self.version}" if self.version > 1 else ""
        return f"{self.series}{version}-{write_seed(self.seed)}"

    @property
    def series(self) -> str:
        """Game, kind and difficulty: puzzles that are alike."""
        return f"{self.game}-{self.kind}-{self.difficulty}"

    def words(self) -> str:
        """Describe what is asked for: "Small size, easy"."""
        return f"{self.kind_words}, {difficulty_phrase(game_named(self.game), self.difficulty)}"

    @property
    def kind_words(self) -> str:
        """The kind in words: "Small size"."""
        return _kind_of(self).phrase


@dataclasses.dataclass(frozen=True)
class Puzzle:
    """A generated level."""

    id: PuzzleId
    level: Level
    """With its certificate."""

    @property
    def measure(self) -> str:
        """The measure of the optimum; "" without any."""
        return _puzzles(self.id.game).measure

    @functools.cached_property
    def optimum(self) -> int | None:
        """Least cost of a win, proved; None where none is known."""
        measure = self.measure
        if not measure or KEY not in self.level.keys or self.level.certificate is None:
            return None
        return cost_of(self.level.certificate, find_measure(self.level.game, measure))

    @property
    def optimum_words(self) -> str:
        """The optimum with its measure: "3 pushes"; "" where none is known."""
        return "" if self.optimum is None else format_count(self.optimum, spoken_name(self.measure))

    @property
    def difficulty(self) -> str:
        """The word for the measured difficulty, else that of the id."""
        return word_for(self.level.game, self.level.keys.get(KEY)) or self.id.difficulty

    def words(self) -> str:
        """Describe the puzzle: "Small size, hard (asked for: easy)"."""
        asked = "" if self.difficulty == self.id.difficulty else f"{_ASKED}{self.id.difficulty})"
        return f"{self.id.kind_words}, {difficulty_phrase(self.level.game, self.difficulty)}{asked}"


def write_seed(seed: int) -> str:
    """Write a seed in base 32, without letters that look like digits."""
    letters = ""
    while seed or not letters:
        seed, last = divmod(seed, 32)
        letters = _LETTERS[last] + letters
    return letters


def read_seed(text: str) -> int:
    """Read what `write_seed` wrote, however it is typed.

    Raises
    ------
    GridproofError
        If it is no such seed.
    """
    letters = text.strip().lower().translate(_ALIKE)
    if not 0 < len(letters) <= _MOST_LETTERS or not set(letters) <= set(_LETTERS):
        raise GridproofError(
            f"{text!r} is no seed: write up to {_MOST_LETTERS} digits and letters, without u"
        )
    seed = 0
    for letter in letters:
        seed = 32 * seed + _LETTERS.index(letter)
    return seed


def parse_id(text: str) -> PuzzleId:
    """Parse the id of a puzzle.

    Raises
    ------
    GridproofError
        If there is no such puzzle; the message says which part is wrong.
    """
    match = _PATTERN.fullmatch(text.strip().lower())
    if match is None:
        raise GridproofError(f"{text!r} is no id of a puzzle, such as sokoban-small-easy-1f3k9")
    game, kind, difficulty, version, seed = match.groups()
    return check_id(PuzzleId(game, kind, difficulty, read_seed(seed), int(version or 1)))


def check_id(puzzle_id: PuzzleId) -> PuzzleId:
    """Return an id after a check of its game, kind, difficulty and version; GridproofError if one of them is unknown."""
    check_series(puzzle_id.game, puzzle_id.kind, puzzle_id.difficulty)
    current = _puzzles(puzzle_id.game).version
    if puzzle_id.version != current:
        raise GridproofError(
            f"{puzzle_id} is of version {puzzle_id.version} of the generator; this is version {current}"
        )
    return puzzle_id


def check_series(game: str, kind: str, difficulty: str) -> None:
    """Check that a game offers puzzles of a kind and a difficulty; GridproofError, with the choice, if not."""
    puzzles = _puzzles(game)
    found = puzzles.kind(kind)
    if found is None:
        known = ", ".join(one.name for one in puzzles.kinds)
        raise GridproofError(f"{game} has no puzzles of the kind {kind!r}; choose from {known}")
    if difficulty not in found.difficulties:
        raise GridproofError(f"no difficulty {difficulty!r}; choose from {', '.join(found.difficulties)}")


def build_id(game: str, kind: str, difficulty: str, seed: int) -> PuzzleId:
    """Build an id of the present version of the generator; errors as of `check_series`."""
    check_series(game, kind, difficulty)
    return PuzzleId(game, kind, difficulty, seed, _puzzles(game).version)


def puzzle_games() -> tuple[Game, ...]:
    """Return the games that offer puzzles."""
    return tuple(game for game in games() if puzzles_of(game) is not None)


def make_puzzle(
    puzzle_id: PuzzleId, stop: Stop | None = None, progress: Callable[[int], object] = lambda _: None
) -> Puzzle:
    """Make the puzzle of an id: always the same one. `progress` gets the number of levels made so far.

    Several levels are made from the seed until one has the difficulty of the id; else the first of the nearest ones.

    Raises
    ------
    GridproofError
        For an unknown game, kind or difficulty.
    Stopped
        When `stop` has been set before.
    """
    check_id(puzzle_id)
    found: list[tuple[int, Level]] = []
    for attempt in range(ATTEMPTS):
        level = _make_level(puzzle_id, attempt, stop)
        found.append((_distance(puzzle_id, level), level))
        progress(attempt + 1)
        if not found[-1][0]:
            break
    level = min(found, key=lambda pair: pair[0])[1]
    return name_puzzle(Puzzle(puzzle_id, level))


def puzzle_of(level: Level) -> Puzzle | None:
    """Return the puzzle that a level is by its keys; None if it is none."""
    try:
        return Puzzle(parse_id(level.keys[PUZZLE_KEY]), level)
    except (KeyError, GridproofError):
        return None


def is_generated_title(game: Game, title: str) -> bool:
    """Return whether a title is one that a generated level of the game gets: "Small size, easy", "Seed 7", or that of a day."""
    found = puzzles_of(game)
    series = ((kind.phrase, word) for kind in found.kinds for word in DIFFICULTIES) if found else ()
    titles = {f"{phrase}, {difficulty_phrase(game, word)}" for phrase, word in series}
    is_daily = re.fullmatch(rf"{re.escape(game.title)}, \d\d? ({'|'.join(_MONTHS)})", title)
    return title.partition(_ASKED)[0] in titles or bool(is_daily or _SEED_TITLE.fullmatch(title))


def daily_id(game: str, day: datetime.date) -> PuzzleId:
    """Return the id of a game's puzzle of the day.

    The days of the week go from easy to hard, the kinds take turns.

    Raises
    ------
    GridproofError
        If the game offers no puzzles.
    """
    wanted = _WEEK[day.weekday()]
    kinds = [kind for kind in _puzzles(game).kinds if kind.of_the_day]
    kind = kinds[day.toordinal() % len(kinds)]
    offered = kind.difficulties
    place = DIFFICULTIES.index(wanted)
    difficulty = min(offered, key=lambda word: abs(DIFFICULTIES.index(word) - place))
    return build_id(game, kind.name, difficulty, hash_seed(f"{game} {day.isoformat()}"))


def series(game: str, kind: str, difficulty: str, count: int) -> list[PuzzleId]:
    """Return the first ids of the series of puzzles that are alike, in which all servers make them ahead."""
    alike = f"{game}-{kind}-{difficulty}"
    return [build_id(game, kind, difficulty, hash_seed(f"{alike} {number}")) for number in range(count)]


def daily_title(game: str, day: datetime.date) -> str:
    """Return the title of a game's puzzle of the day: "Sokoban, 28 Nov"; titles of the kinds are alike in several games."""
    return f"{game_named(game).title}, {day.day} {_MONTHS[day.month - 1]}"


def title_daily(level: Level, day: datetime.date) -> Level:
    """Return a level with the title of the day if it is the game's puzzle of that day, else the level itself."""
    puzzle = puzzle_of(level)
    if puzzle is None or puzzle.id != daily_id(puzzle.id.game, day):
        return level
    return _replace(level, title=daily_title(puzzle.id.game, day))


def today() -> datetime.date:
    """Return the date in UTC, by which days change for all."""
    return datetime.datetime.now(datetime.UTC).date()


def hash_seed(text: str, bits: int = SEED_BITS) -> int:
    """Return a seed that follows from a text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> (64 - bits)


def _puzzles(game: str) -> Puzzles:
    puzzles = puzzles_of(game_named(game)) if is_game(game) else None
    if puzzles is None:
        raise GridproofError(
            f"no puzzles of {game!r} can be made; choose from {', '.join(one.name for one in puzzle_games())}"
        )
    return puzzles


def _kind_of(puzzle_id: PuzzleId) -> Kind:
    kind = _puzzles(puzzle_id.game).kind(puzzle_id.kind)
    assert kind is not None, "it was checked"
    return kind


def _make_level(puzzle_id: PuzzleId, attempt: int, stop: Stop | None) -> Level:
    kind = _kind_of(puzzle_id)
    parameters: dict[str, Any] = {**kind.parameters, **kind.by_difficulty[puzzle_id.difficulty]}
    return generate(puzzle_id.game, hash_seed(f"{puzzle_id} {attempt}", 64), stop=stop, **parameters)


def _distance(puzzle_id: PuzzleId, level: Level) -> int:
    """Return how many steps the level's difficulty is from that of the id; more where it is unknown."""
    word = word_for(level.game, level.keys.get(KEY))
    if not word:
        return len(DIFFICULTIES)
    return abs(DIFFICULTIES.index(word) - DIFFICULTIES.index(puzzle_id.difficulty))


def name_puzzle(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle whose level has its title and keys, and its certificate."""
    level = puzzle.level
    keys = {name: text for name, text in level.keys.items() if name != MISSED}
    named = _replace(level, title=puzzle.words(), keys={PUZZLE_KEY: str(puzzle.id), **keys})
    steps = level.certificate.steps if level.certificate else ()
    return Puzzle(puzzle.id, _replace(named, certificate=Trace(named.start(), steps)))


def _replace(level: Any, **changes: object) -> Level:
    """Return a level, which is a data class, with some fields changed."""
    found: Level = dataclasses.replace(level, **changes)
    return found

"""Submissions: results of a player on a graded task, in a file that others can check.

Each level is played once with each of five seeds. A won game has its actions, which are replayed with the game's seed, so
that no chance can be chosen; a lost game needs no proof.
"""

from __future__ import annotations

import gzip
import json
import math
import statistics
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from gridproof.agents.evaluation import GameResult
from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.position import Level
from gridproof.core.rng import Rng, derive
from gridproof.core.text import files, level_lookup
from gridproof.core.text.phrases import short_repr

SEEDS = (0, 1, 2, 3, 4)
MOST = 200
"""Actions of a game (in Robots, requests of all robots), after which it is lost; 2048 ends by itself."""
VERSION = 1
LARGEST = 64 << 20
"""Bytes of the largest file that is read."""
_STUDENT = 2.776
"""Quantile of Student's t for the 95 % interval of the mean of five."""


@dataclass(frozen=True, slots=True)
class Submission:
    """Results of a player on a graded task; GridproofError when the parts do not belong together."""

    task: str
    digest: str
    """SHA-256 of the task's levels."""
    player: str
    command: str
    """Command that plays the games again."""
    code: str
    """Version of gridproof."""
    wins: tuple[int, ...]
    """Number of won games for each seed."""
    games: tuple[tuple[str | None, ...], ...]
    """For each seed and level, the actions of a won game in the game's own format; None for a lost one."""

    def __post_init__(self) -> None:
        if self.task not in level_lookup.TASKS:
            raise GridproofError(f"no task {short_repr(self.task)}")
        if self.digest != level_lookup.TASKS[self.task]:
            raise GridproofError(
                f"{self.task} has other levels: their SHA-256 is not {short_repr(self.digest)}"
            )
        levels = len(level_lookup.task(self.task))
        if len(self.games) != len(SEEDS) or {len(one) for one in self.games} != {levels}:
            raise GridproofError(f"{self.task} needs {levels} games for each of the {len(SEEDS)} seeds")
        counted = tuple(sum(game is not None for game in one) for one in self.games)
        if counted != self.wins:
            raise GridproofError(f"the wins are {list(counted)}, not {list(self.wins)}")

    @property
    def mean(self) -> float:
        """Mean share of won games."""
        return statistics.fmean(self.shares)

    @property
    def margin(self) -> float:
        """Half of the 95 % interval of the mean over the seeds (Student's t)."""
        return _STUDENT * statistics.stdev(self.shares) / math.sqrt(len(SEEDS))

    @property
    def shares(self) -> list[float]:
        """Share of won games for each seed."""
        return [wins / len(games) for wins, games in zip(self.wins, self.games, strict=True)]

    def check(self) -> None:
        """Replay all won games by the rules; GridproofError for the first one that does not win."""
        levels = level_lookup.task(self.task)
        for seed, games in zip(SEEDS, self.games, strict=True):
            for number, (level, actions) in enumerate(zip(levels, games, strict=True)):
                if actions is not None:
                    try:
                        _check_win(level, game_seed(seed, number), actions)
                    except GridproofError as error:
                        where = f"{self.task}/{number + 1}, seed {seed}"
                        raise GridproofError(f"{where}: the game is not won: {error}") from None

    def save(self, path: Path) -> None:
        """Write it to a file, packed by gzip if its name ends in .gz; GridproofError when that fails."""
        head: dict[str, Any] = {"gridproof": "submission", "version": VERSION} | asdict(self)
        games = head.pop("games")
        lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in games)
        text = json.dumps(head, ensure_ascii=False, indent=1).removesuffix("\n}")
        with files.open_atomic(path, packed=path.suffix == ".gz") as file:
            file.write(f'{text},\n "games": [\n{lines}\n ]\n}}\n')

    @classmethod
    def load(cls, path: Path) -> Submission:
        """Read it from a file, without replaying it.

        ParseError when the file is no submission, GridproofError when its parts do not belong together.
        """
        try:
            data = json.loads(_read(path))
            if (data.pop("gridproof"), data.pop("version")) != ("submission", VERSION):
                raise ValueError
            return cls(**_parse(data))
        except GridproofError as error:
            raise GridproofError(f"{path}: {error}") from None
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError, EOFError, zlib.error):
            raise ParseError(f"{path}: no submission of version {VERSION}", line=1) from None


def _read(path: Path) -> bytes:
    """Return the bytes of a file, unpacked; GridproofError when it cannot be read, or is too large."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            data: bytes = file.read(LARGEST + 1)
    except gzip.BadGzipFile as error:
        raise ValueError from error
    except OSError as error:
        raise GridproofError(error.strerror or str(error)) from None
    files.check_size(len(data), LARGEST, "submission")
    return data


def _parse(data: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a submission; ValueError or TypeError for other ones."""
    texts = [item.name for item in fields(Submission) if item.type == "str"]
    if {*data} != {*texts, "wins", "games"} or any(type(data[name]) is not str for name in texts):
        raise ValueError
    games = tuple(map(tuple, data["games"]))
    if any(game is not None and type(game) is not str for one in games for game in one):
        raise ValueError
    if any(type(wins) is not int for wins in data["wins"]):
        raise ValueError
    return data | {"wins": tuple(data["wins"]), "games": games}


def game_seed(seed: int, number: int) -> int:
    """Return the seed of the game on a level, by its number from 0."""
    return derive(seed, number)


def action_limit(level: Level) -> int | None:
    """Return the limit on the actions of a game: none if the game ends by itself."""
    return None if level.game.policy.keeps_score else MOST


def create_submission(
    task: str, player: str, command: str, code: str, results: Sequence[Iterable[GameResult]]
) -> Submission:
    """Create the submission of the results for each seed, which `play` has played up to the win."""
    games = tuple(tuple(one.solution for one in played) for played in results)
    wins = tuple(sum(game is not None for game in one) for one in games)
    return Submission(task, level_lookup.TASKS[task], player, command, code, wins, games)


def _check_win(level: Level, seed: int, actions: str) -> None:
    """Replay a game; GridproofError when an action cannot be executed, it does not win, or is too long."""
    position, limit = level.start(seed), action_limit(level)
    texts = level.game.own_format.split_actions(actions)
    if limit is not None and len(texts) > limit:
        raise GridproofError(f"it has {len(texts)} actions, more than {limit}")
    for number, text in enumerate(texts, 1):
        position = position.step(position.action(text), Rng(seed, number)).position
    if not position.won:
        raise GridproofError("its actions do not win")

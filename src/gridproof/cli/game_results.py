"""Games of `evaluate`: played here or in workers, and in a dataset folder that later runs continue."""

from __future__ import annotations

import functools
import json as texts
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import gridproof
from gridproof.agents import evaluation
from gridproof.agents.evaluation import GameResult
from gridproof.cli.answer_folder import (
    DONE,
    FolderAnswer,
    FolderQuestion,
    FolderTarget,
    level_of_row,
    level_rows,
    write_answers,
)
from gridproof.cli.level_results import in_order
from gridproof.cli.output import ExitStatus
from gridproof.cli.parallel_map import Workers, run_calls
from gridproof.cli.players import name_of_player
from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.core.rng import derive
from gridproof.core.text import recognition
from gridproof.core.text.level_lookup import digest_of

if TYPE_CHECKING:
    from gridproof.store.parquet import Row

_CHUNK_SIZE = 8
"""Number of games of a task for a process."""
Results = dict[str, Mapping[int, GameResult]]
"""The results of each player by the number of the game, from 1; without those of processes that died."""


class Play(NamedTuple):
    """The levels and the player of games."""

    pack: Sequence[Level]
    name: str
    most: int | None
    options: dict[str, Any]
    up_to_win: bool = False

    def game(self, level: Level, seed: int) -> GameResult:
        """Play a game."""
        return evaluation.play(level, self.name, seed, self.most, self.options, self.up_to_win)


Chunk = tuple[str, str, list[int], Play]
"""The game and text of a level, seeds, and how to play."""


def name_of_game(play: Play, number: int) -> str:
    """Return a name of a game for people: the player, and the number from 1."""
    return f"{name_of_player(play.name)}, game {number}"


def play_games(play: Play, seeds: list[int], workers: Workers) -> Iterator[GameResult | GridproofError]:
    """Yield the results of games in the order of their seeds. A process that dies costs its game alone, whose result is the error."""
    if not workers.is_here and len(seeds) > 1:
        yield from in_order(_in_workers(play, seeds, workers))
        return
    with Progress(f"{play.name} plays", "games", len(seeds)) as progress:
        for number, seed in enumerate(seeds):
            progress(number)
            yield play.game(play.pack[number % len(play.pack)], seed)


def _in_workers(
    play: Play, seeds: list[int], workers: Workers
) -> Iterator[tuple[int, GameResult | GridproofError]]:
    """Yield the number of each game, from 0, with its result; games of a chunk whose process died are played one by one."""
    count, size = len(play.pack), _CHUNK_SIZE
    places = [
        list(range(first, len(seeds), count))[start : start + size]
        for first in range(count)
        for start in range(0, -(-len(seeds) // count), size)
    ]
    places = [some for some in places if some]
    alone = play._replace(pack=())
    while places:
        levels = [play.pack[some[0] % count] for some in places]
        chunks: list[Chunk] = [
            (level.game.name, level.text(), [seeds[one] for one in some], alone)
            for level, some in zip(levels, places, strict=True)
        ]
        left = list[list[int]]()
        for number, answer in run_calls(
            f"{__name__}:play_chunk", chunks, workers, f"{play.name} plays", "parts"
        ):
            some = places[number]
            if not isinstance(answer, GridproofError):
                yield from zip(some, answer, strict=True)
            elif len(some) > 1:
                left += [[one] for one in some]
            else:
                yield some[0], answer
        places = left


def play_chunk(chunk: Chunk) -> list[GameResult]:
    """Play the games of a task."""
    game, text, seeds, play = chunk
    (level,) = recognition.read(text, game)
    return [play.game(level, seed) for seed in seeds]


# -- in a folder


def play_into_folder(
    target: FolderTarget,
    plays: Sequence[Play],
    names: Sequence[str],
    games: tuple[int, int],
    workers: Workers,
) -> tuple[ExitStatus, Results]:
    """Play the games that are not in a folder yet, and return the results of all.

    Parameters
    ----------
    target : FolderTarget
    plays : one for each player, on the same levels
    names : names of the levels
    games : the seed of all games, and their number
    workers : Workers
    """
    (first, *_), (seed, count) = plays, games
    levels = level_rows([*zip(names, first.pack, strict=True)])
    by_name = {name_of_player(play.name): play for play in plays}
    if len(by_name) < len(plays):
        raise GridproofError(f"a folder needs players of different names, not {', '.join(by_name)} twice")
    rows = [
        _row(play, number, derive(seed, number - 1), levels[(number - 1) % len(levels)])
        for number in range(1, count + 1)
        for play in plays
    ]
    content = {
        "command": "evaluate",
        "levels": [row["digest"] for row in levels],
        "players": [*by_name],
        "seed": str(seed),
        "actions": first.most,
        "options": {name: value for name, value in first.options.items() if name != "file"},
        "files": _file_digests(plays),
    }
    ask = functools.partial(_answer, {name: play._replace(pack=()) for name, play in by_name.items()})
    question = FolderQuestion(content, ask, f"Games of {' and '.join(by_name)}")
    status = write_answers(target, question, rows, workers)
    return status, _results(target.path, plays, {row["play"] for row in rows})


def _row(play: Play, number: int, seed: int, level: Row) -> Row:
    """Return the row of a game, without its result."""
    own: Row = {"player": name_of_player(play.name), "number": number, "seed": str(seed)}
    return {"play": name_of_game(play, number), **own, **level}


def _file_digests(plays: Sequence[Play]) -> dict[str, str]:
    """Return the hash of each file of a player, by the file's name: a changed player is another one."""
    names = [*(play.name.partition(":")[0] for play in plays), plays[0].options.get("file", "")]
    return {Path(name).name: digest_of(Path(name)) for name in names if Path(name).is_file()}


def _answer(plays: Mapping[str, Play], row: Row) -> FolderAnswer:
    """Play the game of a row."""
    result = plays[str(row["player"])].game(level_of_row(row), int(str(row["seed"])))
    return FolderAnswer(DONE, asdict(result))


def _results(path: Path, plays: Sequence[Play], asked: Collection[object]) -> Results:
    """Read the results of games from a folder."""
    found = {name_of_player(play.name): dict[int, GameResult]() for play in plays}
    for row in gridproof.dataset(path).table().to_pylist():
        if row["answer"] == DONE and row["play"] in asked:
            data = texts.loads(row["result"])
            result = GameResult(**data | {"winners": tuple(data["winners"])})
            found[row["player"]][row["number"]] = result
    return {play.name: found[name_of_player(play.name)] for play in plays}

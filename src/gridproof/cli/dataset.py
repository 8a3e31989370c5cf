"""`dataset`: write games or labelled positions of levels as a data set."""

from __future__ import annotations

import functools
import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from gridproof.cli.level_results import results_of_levels
from gridproof.cli.options import (
    GameName,
    Jobs,
    Json,
    PackName,
    Seed,
    StatesPerLevel,
    Where,
    level_names,
    note_broken,
    read_pack,
    refuse_unused,
)
from gridproof.cli.output import ExitStatus, print_json, print_paragraph, report_error
from gridproof.cli.parallel_map import Workers, parse_workers
from gridproof.cli.players import name_of_player
from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.position import Level
from gridproof.core.rng import check_seed
from gridproof.core.text import files, level_lookup
from gridproof.core.text.pack import Pack
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Trace

if TYPE_CHECKING:
    from gridproof.envs.game_batch import Array

GAMES, POSITIONS = CONTENTS = ("games", "positions")
PARQUET, NPZ, MINARI = FORMS = ("parquet", "npz", "minari")
SOLVER = "solver"
STATES = 3_000_000
"""Positions for the search for a solution; there is no limit in seconds, so that every machine gets the same."""

Table = tuple[str, "Mapping[str, Array]"]
"""The name of a part, and its columns."""
Prepare = Callable[[Level, Progress | None], Any]
"""Prepares a level in a worker; GridproofError is its result if it cannot be used."""


class Facts(NamedTuple):
    """Facts about a written data set."""

    columns: list[str]
    left_out: int
    """Number of levels."""
    statistics: dict[str, str]


class Request(NamedTuple):
    """The content of a data set."""

    reference: str
    pack: Pack
    content: str
    form: str
    player: str
    games: int | None
    observation: str
    seed: int
    states: int

    @property
    def command(self) -> str:
        """The command that makes the data set, without places on this machine."""
        name = Path(self.reference).name if files.is_file(self.reference) else self.reference
        words = ["gridproof", "dataset", name, "--content", self.content, "--to", self.form]
        words += ["--observation", self.observation, "--states", str(self.states)]
        if self.content == GAMES:
            words += ["--player", name_of_player(self.player), "--seed", str(self.seed)]
            words += [] if self.games is None else ["--games", str(self.games)]
        return shlex.join([*words, "--out", "FOLDER"])

    @property
    def summary(self) -> str:
        """Description in sentences."""
        what = f"{format_count(len(self.pack), 'levels')} of {self.pack[0].game.title} ({Path(self.reference).name})"
        if self.content == POSITIONS:
            return f"All positions that can be reached on {what} before a win, each with its exact value, its distance to a win and the best actions."
        who = f"the player {name_of_player(self.player)}" if self.player != SOLVER else "the solver"
        plays = f"Games that {who} plays on {what}: the reward is 1 for a win, which ends the game."
        return (
            f"{plays} Where there is no chance, each game is a proved shortest solution."
            if self.player == SOLVER
            else plays
        )


def dataset(
    level: PackName,
    out: Annotated[
        Path,
        typer.Option(metavar="FOLDER", help="New folder for the data, the levels and a card (README.md)."),
    ],
    content: Annotated[
        str,
        typer.Option(
            metavar="WHAT",
            help="games: what a player does, step by step. positions: all positions of each level with their distance to a win, value and best actions.",
        ),
    ] = GAMES,
    to: Annotated[str, typer.Option(metavar="FORM", help="parquet, npz or minari.")] = PARQUET,
    player: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Player of the games, as in evaluate. solver plays proved shortest solutions, and 2048 on small boards by exact chances.",
        ),
    ] = SOLVER,
    games: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Number of games. Default: one on each level.")
    ] = None,
    observation: Annotated[str, typer.Option(metavar="KIND", help="symbols or planes.")] = "symbols",
    states: StatesPerLevel = STATES,
    jobs: Jobs = 1,
    where: Where = None,
    seed: Seed = 0,
    game: GameName = None,
    json: Json = False,
) -> ExitStatus:
    """Write games or labelled positions as a data set with a card.

    Levels without a solution, or too large for the limit, are left out. Exit status: 0 all levels, 3 some are left out.
    """
    reference, pack = read_pack(level, game)
    request = Request(
        reference, pack, content, to, player, games, observation, check_seed(seed), states or STATES
    )
    _check_options(request)
    note_broken(reference, pack)
    _make_folder(out)
    collect = _collect_games if content == GAMES else _collect_positions
    facts = collect(request, out, parse_workers(where, jobs), json)
    _finish(request, out, facts, json)
    return ExitStatus.LIMIT if facts.left_out or pack.broken else ExitStatus.DONE


def _check_options(request: Request) -> None:
    """Raise GridproofError for an unknown or unused option."""
    for value, known in ((request.content, CONTENTS), (request.form, FORMS)):
        if value not in known:
            raise GridproofError(f"no {value!r}: choose {', '.join(known)}")
    if request.content == POSITIONS:
        options = {"--games": request.games, "--player": request.player != SOLVER, "--seed": request.seed}
        refuse_unused("with --content positions", options | {"--to minari": request.form == MINARI})


def _make_folder(out: Path) -> None:
    """Make a folder before any work, unless there is an empty one."""
    files.check_folder(out)
    if os.path.lexists(out) and not out.is_dir():
        raise GridproofError(f"{out} is a file; give a folder")
    if out.is_dir() and os.listdir(out):
        raise GridproofError(f"{out} is not empty; give a new folder")
    with files.report_errors(out):
        out.mkdir(exist_ok=True)


def _collect_games(request: Request, out: Path, workers: Workers, json: bool) -> Facts:
    """Play the games and write them; return the facts about them."""
    from gridproof.agents import dataset_files, demonstrations
    from gridproof.agents.dataset_card import statistics_of

    pack, solutions = request.pack, dict[int, Trace]()
    # games of several actors are refused before any work
    demonstrations.environment_of_levels([pack[0]], 1, request.observation).close()
    if request.player == SOLVER and demonstrations.needs_solution(pack[0]):
        if all(map(level_lookup.is_of_task, pack)):
            solutions = dict(enumerate(map(demonstrations.shortest_solution, pack)))
        else:
            ask = functools.partial(find_shortest, request.states)
            solutions = dict(_prepare(request, ask, workers, "Solving", json))
        numbers = [*solutions]
    else:
        numbers = [*range(len(pack))]
    _check_some(request, len(numbers))
    with Progress(f"{request.player} plays"):
        played = demonstrations.record_games(
            [pack[number] for number in numbers],
            request.player,
            request.games,
            request.seed,
            request.observation,
            [*solutions.values()],
        )
    episodes = [one._replace(level=numbers[one.level]) for one in played]
    columns = demonstrations.columns_of(episodes)
    if request.form == MINARI:
        dataset_files.write_minari(out, episodes, pack, request.reference, _minari_facts(request))
    else:
        _write_tables(request, out, [(GAMES, columns)])
    wins = sum(bool(one.reward[-1] > 0) for one in episodes)
    return Facts([*columns], len(pack) - len(numbers), statistics_of(columns, wins))


def _collect_positions(request: Request, out: Path, workers: Workers, json: bool) -> Facts:
    """Label the positions of the levels and write them; return the facts about them."""
    import numpy as np

    from gridproof.agents.dataset_card import statistics_of
    from gridproof.agents.demonstrations import largest_levels

    beside = largest_levels(request.pack, request.observation)
    ask = functools.partial(label, request.observation, request.states, beside)
    found, names = dict[str, list[Any]](), list[str]()

    def tables() -> Iterator[Table]:
        for number, columns in _prepare(request, ask, workers, "Labelling", json):
            table = {"level": np.full(len(columns["value"]), number), **columns}
            for name in ("level", "value", "distance"):
                found.setdefault(name, []).append(table[name])
            names[:] = table
            yield f"level-{number + 1}", table
        _check_some(request, len(names))

    _write_tables(request, out, tables())
    columns = {name: np.concatenate(parts) for name, parts in found.items()}
    return Facts(names, len(request.pack) - len(found["level"]), statistics_of(columns))


def _check_some(request: Request, count: int) -> None:
    if not count:
        raise GridproofError(f"{request.reference} has no level for a data set")


def _prepare(
    request: Request, prepare: Prepare, workers: Workers, what: str, json: bool
) -> Iterator[tuple[int, Any]]:
    """Yield the number of each level, from 0, with what `prepare` returns; report levels that cannot be used."""
    names = level_names(request.reference, request.pack)
    found = list(zip(names, request.pack, strict=True))
    for number, result in enumerate(results_of_levels(found, prepare, workers, what)):
        if isinstance(result, GridproofError):
            report_error(names[number], result, json)
        else:
            yield number, result


def find_shortest(states: int, level: Level, progress: Progress | None) -> Trace | GridproofError:
    """Return a proved shortest solution of a level, or why there is none."""
    from gridproof.agents.demonstrations import shortest_solution

    try:
        return shortest_solution(level, Limit(states=states))
    except GridproofError as error:
        return error


def label(
    observation: str, states: int, beside: tuple[Level, ...], level: Level, progress: Progress | None
) -> dict[str, Array] | GridproofError:
    """Return the labelled positions of a level, or why there are none."""
    from gridproof.envs.labels import label_positions

    try:
        return label_positions(level, observation, Limit(states=states), beside)
    except GridproofError as error:
        return error


def _write_tables(request: Request, out: Path, tables: Iterable[Table]) -> None:
    from gridproof.agents import dataset_files

    if request.form == PARQUET:
        dataset_files.write_parquet(out, tables, {"command": request.command})
    else:
        dataset_files.write_npz(out / f"{request.content}.npz", tables)


def _minari_facts(request: Request) -> dict[str, str]:
    """Return metadata of Minari, and our own."""
    return {
        "description": request.summary,
        "algorithm_name": name_of_player(request.player),
        "command": request.command,
        "observation": request.observation,
    }


def _finish(request: Request, out: Path, facts: Facts, json: bool) -> None:
    """Write the levels and the card, and print what is in the folder."""
    from gridproof.agents.dataset_card import MEANINGS, Card, write_card
    from gridproof.agents.demonstrations import environment_of_levels

    pack = request.pack
    path = out / f"levels{pack[0].game.own_format.extensions[0]}"
    level_lookup.save(pack, path)
    title = f"{request.content.capitalize()} of {Path(request.reference).name}"
    actions = environment_of_levels(pack, 1, request.observation).actions
    notes = {
        PARQUET: "`gridproof.dataset(FOLDER).table()` reads the parts, whose checksums are in `manifest.jsonl`; `content` there has the shape of an observation.",
        NPZ: f"`numpy.load` reads `{request.content}.npz`.",
        MINARI: '`minari.MinariDataset("FOLDER/data")` reads the games, with the board after the last action; `infos` has the masks and targets.',
    }
    statistics = facts.statistics | ({"levels left out": str(facts.left_out)} if facts.left_out else {})
    note = f"{notes[request.form]} `{path.name}` has the levels."
    columns = {name: MEANINGS[name] for name in facts.columns}
    card = Card(title, request.summary, request.command, columns, statistics, note, actions)
    digest = write_card(out, card)
    if json:
        told = {"out": str(out), "content": request.content, "form": request.form, "left_out": facts.left_out}
        print_json(told | {"statistics": facts.statistics, "digest": digest})
        return
    for name, fact in statistics.items():
        print_paragraph(f"{name}: {fact}", hanging=2)
    print_paragraph(f"data set in {out}, SHA-256 {digest}")

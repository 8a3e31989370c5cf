"""Training of n-tuple networks: `gridproof train twenty48`.

Game n of a seed has the chance of the seed `derive(seed, n)`. In one thread, the same seed and options give the same network,
also if the training is interrupted and resumed. Several threads read and write the weights at once without locks, so each run
is different.
"""

from __future__ import annotations

import csv
import importlib.metadata
import io
import math
import operator
import os
import platform
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridproof.core.errors import GridproofError
from gridproof.core.extension import Answer
from gridproof.core.lazy_import import defer_signals
from gridproof.core.limit import check_stop
from gridproof.core.rng import check_seed, derive
from gridproof.core.text.files import check_target, open_atomic_bytes, remove_partial_files, write
from gridproof.core.text.phrases import format_count, short_repr
from gridproof.core.train_request import TrainRequest
from gridproof.games.twenty48.network import (
    SYMBOLS,
    Network,
    check_finite,
    check_stages,
    load_arrays,
    pack_board,
    parse_stages,
    parse_tuples,
    save_network,
    save_small_network,
    usual_tuples,
)
from gridproof.games.twenty48.rules import Level
from gridproof.games.twenty48.text import FORMAT

if TYPE_CHECKING:
    import numpy as np

    from gridproof.search.thread_pool import Each

    Array = np.ndarray[Any, Any]

_CHUNK = 100
"""Games of a thread between two chances to interrupt."""
_MOST_MOVES = 1 << 16
"""The most moves of a game of training."""
_BYTES_A_WEIGHT = 12
"""With the sums of its errors and of their sizes."""
_MOST_COLUMNS = 40
"""The most columns of a curve."""


@dataclass(frozen=True, kw_only=True)
class LearningOptions:
    """Options of the learning."""

    rate: float = 1.0
    """Learning rate; each weight's own rate, by temporal coherence, is a part of it."""
    decay: float = 0.5
    """Lambda: the share of what happened later in the game; the rest is the value of the next afterstate."""
    restart: int = 200
    """After a game, its second half is played and learned once more, and so on, while it has this many moves; 0 for never."""
    optimism: float = 0.0
    """Value of all boards at the beginning."""
    stages: tuple[int, ...] = ()
    """Tiles: when a game has reached one, boards with it, and with larger ones, get weights of their own."""

    def __post_init__(self) -> None:
        if not 0 < self.rate <= 1:
            raise GridproofError(f"rate {self.rate:g}: it must be above 0, and at most 1")
        if not 0 <= self.decay <= 1:
            raise GridproofError(f"decay {self.decay:g}: it must be from 0 to 1")
        if not isinstance(self.restart, int) or self.restart < 0:
            raise GridproofError(f"restart {short_repr(self.restart)}: it must be a whole number from 0 on")
        if not math.isfinite(self.optimism):
            raise GridproofError(f"optimism {self.optimism:g}: it must be a finite number")
        check_stages(self.stages)


class Trainer:
    """A network in training.

    Parameters
    ----------
    network : Network
        Its weights change.
    level : Level
        Its size, spawn rule and start.
    seed : int
    options : LearningOptions, optional
    changes : float32 array (weights, 2), optional
        Sums of the errors and of their sizes, of a training that is resumed.
    progress : mapping, optional
        `games`, `moves`, `seconds`, `largest` and `curve` of a training that is resumed.
    """

    def __init__(
        self,
        network: Network,
        level: Level,
        seed: int = 0,
        options: LearningOptions | None = None,
        changes: Array | None = None,
        progress: Mapping[str, Any] | None = None,
    ) -> None:
        import numpy as np

        from gridproof.games.twenty48.kernel.cells import NIBBLES
        from gridproof.games.twenty48.kernel.packing import data_of
        from gridproof.games.twenty48.kernel.temporal_difference import training_kernel

        network.check_level(level)
        self.network, self.level, self.seed = network, level, check_seed(seed)
        self.options = options or LearningOptions()
        shape = len(network.weights), 2
        self.changes = np.zeros(shape, np.float32) if changes is None else changes
        if self.changes.shape != shape or self.changes.dtype != np.float32:
            raise GridproofError(
                f"the changes must be float32 {shape}, not {self.changes.dtype} {self.changes.shape}"
            )
        done = progress or {}
        self.games, self.moves, self.seconds = (
            done.get("games", 0),
            done.get("moves", 0),
            done.get("seconds", 0.0),
        )
        self.largest, self.command = done.get("largest", 0), done.get("command", "")
        self.resumes: list[str] = list(done.get("resumes", ()))
        self.curve: list[dict[str, Any]] = list(done.get("curve", ()))
        self._data, self._start = data_of(level, NIBBLES), pack_board(level.start().cells)
        self._kernel = training_kernel(network.kernels)
        self._compile()
        if progress is None:
            network.weights.fill(self.options.optimism / len(network.tables.lookups))

    def play(self, games: int, threads: int = 1) -> tuple[Array, Array]:
        """Play and learn the next games; return their scores and the exponents of their largest tiles."""
        import numpy as np

        from gridproof.search.thread_pool import thread_map

        results = np.zeros((2, games), np.int64)
        done, most = 0, _CHUNK * threads
        with thread_map(threads) as each:
            while done < games:
                following = (
                    done + most - self.games % most
                )  # whatever was asked for, stages begin at the same games
                with defer_signals():  # what is learned is counted
                    self._play_chunk(results[:, done:following], threads, each)
                    if self.games % most == 0:
                        self._begin_stage()
                done = following
        return results[0], results[1]

    def _compile(self) -> None:
        """Play no game, so that the time of games is without that of compiling."""
        import numpy as np

        none = np.zeros(0, np.int64)
        self._train(none.astype(np.uint64), (none, none))

    def _train(self, seeds: Array, results: tuple[Array, Array]) -> int:
        """Play and learn games by the kernel; return the number of moves."""
        plan = self.options.rate, self.options.decay, self.options.restart, _MOST_MOVES
        return int(
            self._kernel(self._data, self.network.tables, self.changes, self._start, seeds, plan, results)
        )

    def _begin_stage(self) -> None:
        """Begin the next stage, if some game has reached its tile."""
        import numpy as np

        tile = next(iter(self.options.stages[len(self.network.stages) :]), None)
        if tile is None or self.largest < tile:
            return
        fresh = np.zeros((sum(self.network.sizes), 2), np.float32)
        changes = np.concatenate([self.changes, fresh])
        self.network, self.changes = self.network.add_stage(tile), changes

    def _play_chunk(self, results: Array, threads: int, each: Each) -> None:
        """Play and learn some games, each thread as many."""
        import numpy as np

        begin, games = time.perf_counter(), results.shape[1]
        seeds = np.array([derive(self.seed, self.games + number) for number in range(games)], np.uint64)
        size = -(-games // threads)

        def play_part(first: int) -> int:
            part = slice(first, first + size)
            return self._train(seeds[part], (results[0, part], results[1, part]))

        self.moves += sum(each(play_part, range(0, games, size)))
        self.games += games
        self.largest = max(self.largest, 1 << int(results[1].max()))
        self.seconds += time.perf_counter() - begin

    def describe(self) -> Mapping[str, Any]:
        """Return how the network was made, as JSON has it."""
        import numba
        import numpy as np

        versions = {
            "gridproof": importlib.metadata.version("gridproof"),
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": numba.__version__,
        }
        return {
            "level": self.level.text(),
            "seed": self.seed,
            "plan": asdict(self.options),
            "games": self.games,
            "moves": self.moves,
            "seconds": round(self.seconds, 3),
            "largest": self.largest,
            "command": self.command,
            "resumes": self.resumes,
            "versions": versions,
            "curve": self.curve,
        }

    def save(self, path: Path, small: bool = False) -> None:
        """Write the network and the state of its training; with `small` the network alone, in few bytes."""
        network = self.network
        described = replace(network, facts=self.describe())
        if small:
            save_small_network(path, described)
        else:
            save_network(path, described, {"changes": self.changes})


def load_trainer(path: Path) -> Trainer:
    """Read a training from its file, to go on with it; GridproofError when it has none."""
    network, arrays = load_arrays(path)
    facts = network.facts
    try:
        (level,) = FORMAT.read(facts["level"])
        plan = {**facts["plan"], "stages": tuple(facts["plan"].get("stages", ()))}
        options, changes = LearningOptions(**plan), arrays["changes"]
        check_finite(changes)
        seed, progress = check_seed(facts["seed"]), _read_progress(facts)
    except (AttributeError, LookupError, TypeError, ValueError):
        raise GridproofError(f"{path}: it has a network, but no training to go on with") from None
    return Trainer(network, level, seed, options, changes, progress)


def _read_progress(facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the progress of a training; LookupError, TypeError or ValueError if it has none."""
    games, moves = operator.index(facts["games"]), operator.index(facts["moves"])
    largest = operator.index(facts.get("largest", 0))
    seconds = float(facts["seconds"])
    curve = [
        {**point, "games": operator.index(point["games"]), "mean": float(point["mean"])}
        for point in facts["curve"]
    ]
    if not all(
        0 <= number < math.inf for number in (games, moves, seconds, *(point["mean"] for point in curve))
    ):
        raise ValueError("a number is negative or not finite")
    return {
        "games": games,
        "moves": moves,
        "seconds": seconds,
        "largest": largest,
        "command": str(facts["command"]),
        "resumes": [str(command) for command in facts.get("resumes", ())],
        "curve": curve,
    }


def train(  # noqa: PLR0913  # each parameter is an option of the command
    request: TrainRequest,
    tuples: str = "",
    threads: int = 1,
    rate: float = LearningOptions.rate,
    decay: float = LearningOptions.decay,
    restart: int = LearningOptions.restart,
    optimism: float = LearningOptions.optimism,
    stages: str = "",
    report: int = 1000,
    small: str = "",
    curve: str = "",
) -> Iterator[Answer]:
    """Train a network for boards of 2048.

    Parameters
    ----------
    tuples : CELLS
        2048: tuples of cells, such as "0123 0145"; cells are digits, then letters, in reading order.
    threads : N
        2048: threads that learn at once. Several do not repeat a run. Default: 1.
    rate : X
        2048: learning rate. Default: 1.
    decay : X
        2048: lambda of TD(lambda). Default: 0.5.
    restart : N
        2048: learn the second half of a game once more if it has N moves; 0 never. Default: 200.
    optimism : X
        2048: value of all boards at the beginning. Default: 0.
    stages : TILES
        2048: tiles, such as "2048 8192": from each one on, boards have weights of their own.
    report : N
        2048: games between two lines. Default: 1,000.
    small : FILE
        2048: at the end, also write the network in few bytes.
    curve : FILE
        2048: at the end, draw the scores, as .svg or .png, or write them as .csv.
    """
    options = LearningOptions(
        rate=rate, decay=decay, restart=restart, optimism=optimism, stages=parse_stages(stages)
    )
    if report < 1 or threads < 1:
        raise GridproofError("report and threads: they must be at least 1")
    _check_files(request, small, curve)
    if request.resume:
        trainer = load_trainer(request.out)
        if trainer.level != request.level or tuples or options != LearningOptions():
            raise GridproofError(
                f"{request.out}: give its own level to resume it, and no options of learning"
            )
        if request.seed not in (TrainRequest.seed, trainer.seed):
            raise GridproofError(f"{request.out}: its seed is {trainer.seed}; a resumed training keeps it")
        remove_partial_files(request.out)
        trainer.resumes.append(request.command)
    else:
        trainer = _begin(request, tuples, options)
    try:
        yield from _train(trainer, request, threads, report)
    finally:
        trainer.save(request.out)
        if small:
            trainer.save(Path(small), small=True)
        if curve and trainer.curve:
            write_curve(Path(curve), trainer.curve)
    if curve and not trainer.curve:
        write_curve(Path(curve), [])  # says why


def _check_files(request: TrainRequest, small: str, curve: str) -> None:
    """Raise GridproofError, before any work, if the files at the end cannot be written."""
    others = [Path(name) for name in (small, curve) if name]
    for path in others:
        check_target(path, request.force or request.resume)
    if len({os.path.realpath(path) for path in (request.out, *others)}) <= len(others):
        raise GridproofError("out, small and curve: they must be different files")
    if curve:
        check_curve(Path(curve))


def _begin(request: TrainRequest, tuples: str, options: LearningOptions) -> Trainer:
    level = request.level
    assert isinstance(level, Level)  # of this game
    size = level.width, level.height
    cells = parse_tuples(tuples, *size) if tuples else usual_tuples(*size)
    try:
        trainer = Trainer(Network(*size, cells), level, request.seed, options)
    except MemoryError:
        needed = _BYTES_A_WEIGHT * sum(SYMBOLS ** len(one) for one in cells) / 1e9
        raise GridproofError(f"training these tuples needs {needed:,.1f} GB of memory") from None
    trainer.command = request.command
    return trainer


def _train(trainer: Trainer, request: TrainRequest, threads: int, report: int) -> Iterator[Answer]:
    """Play until a limit is reached, and save now and then; yield a line for each `report` games, and for the rest.

    After Ctrl-C, the rest is in the curve, too.
    """
    begin = saved = time.monotonic()
    recent = _RecentGames(trainer)
    is_done = False
    try:
        while not is_done:
            check_stop()
            games = min(_CHUNK * threads, report - recent.games)
            if request.games is not None:
                games = max(0, min(games, request.games - trainer.games))
            is_done = games == 0 or (
                request.seconds is not None and time.monotonic() - begin >= request.seconds
            )
            if not is_done:
                recent.play(games, threads)
            if recent.games == report or (is_done and recent.games):
                yield recent.report()
            if time.monotonic() - saved >= request.checkpoint:
                trainer.save(request.out)
                saved = time.monotonic()
    finally:
        if recent.games:
            recent.report()


class _RecentGames:
    """The games of a training since the last point of its curve."""

    def __init__(self, trainer: Trainer) -> None:
        self._trainer = trainer
        self._begin()

    def _begin(self) -> None:
        self._scores, self._exponents = list[int](), list[int]()
        self._moves, self._seconds = self._trainer.moves, self._trainer.seconds

    @property
    def games(self) -> int:
        """The number of these games."""
        return len(self._scores)

    def play(self, games: int, threads: int) -> None:
        """Play and learn more of them."""
        with defer_signals():
            scores, exponents = self._trainer.play(games, threads)
            self._scores += scores.tolist()
            self._exponents += exponents.tolist()

    def report(self) -> Answer:
        """Add a point to the curve, and describe it."""
        with defer_signals():
            point = self._point()
            self._trainer.curve.append(point)
            self._begin()
        target = self._trainer.level.target
        share = f", {target} in {point['share']:.1%}" if "share" in point else ""
        words = (
            f"{format_count(point['games'], 'games')}: score {point['mean']:,.0f} on average{share}, largest tile {point['largest']}; "
            f"{point['games_per_second']:,.1f} games/s, {point['moves_per_second']:,} moves/s"
        )
        return Answer(True, words, point)

    def _point(self) -> dict[str, Any]:
        trainer = self._trainer
        moves, seconds = trainer.moves - self._moves, trainer.seconds - self._seconds
        won = trainer.level.target.bit_length() - 1
        is_known = won < SYMBOLS  # larger tiles are not told apart
        return {
            "games": trainer.games,
            "moves": trainer.moves,
            "seconds": round(trainer.seconds, 3),
            "mean": statistics.fmean(self._scores),
            **({"share": statistics.fmean(one >= won for one in self._exponents)} if is_known else {}),
            "largest": 1 << max(self._exponents),
            "games_per_second": round(len(self._scores) / seconds, 3),
            "moves_per_second": round(moves / seconds),
        }


def check_curve(path: Path) -> None:
    """Raise GridproofError if the name of a curve has no known ending, or for PNG where cairosvg is not installed."""
    if path.suffix.lower() not in (".svg", ".png", ".csv"):
        raise GridproofError(f"{path}: a curve is written as .svg, .png or .csv")
    if path.suffix.lower() == ".png":
        _import_cairosvg(path)


def write_curve(path: Path, points: Sequence[Mapping[str, Any]]) -> None:
    """Write the points of a training as a table, or draw their scores, as the name ends: .csv, .png or .svg.

    GridproofError without a point, and as of `check_curve`.
    """
    check_curve(path)
    if not points:
        raise GridproofError("the training has no point of a curve yet: play more games")
    if path.suffix.lower() == ".csv":
        write(path, _table_of(points))
        return
    picture = draw_curve(points)
    if path.suffix.lower() == ".svg":
        write(path, picture)
        return
    png = _import_cairosvg(path).svg2png(picture.encode(), scale=2, background_color="white")
    with open_atomic_bytes(path) as file:
        file.write(png)


def _table_of(points: Sequence[Mapping[str, Any]]) -> str:
    """Return all points as CSV; the first line names the columns."""
    text = io.StringIO()
    names = dict.fromkeys(name for point in points for name in point)
    table = csv.DictWriter(text, [*names], lineterminator="\n")
    table.writeheader()
    table.writerows(points)
    return text.getvalue()


def draw_curve(points: Sequence[Mapping[str, Any]]) -> str:
    """Draw the mean scores as SVG, in a few columns if there are many points."""
    from gridproof.pictures.plot import columns

    step = -(-len(points) // _MOST_COLUMNS)
    groups = [points[first : first + step] for first in range(0, len(points), step)]
    means = [statistics.fmean(point["mean"] for point in group) for group in groups]
    names = [f"{group[-1]['games'] / 1000:g}k" for group in groups]
    return columns("Mean score of the games of the training", "games", {"mean score": means}, names, "light")


def _import_cairosvg(path: Path) -> Any:
    try:
        import cairosvg
    except ImportError:
        raise GridproofError(
            f"{path}: PNG needs cairosvg: pip install 'gridproof[envs]', or give a name with .svg"
        ) from None
    return cairosvg

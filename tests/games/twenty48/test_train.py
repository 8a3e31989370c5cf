"""Training does what a plain Python twin does, repeats itself, and survives interruptions."""

from __future__ import annotations

import csv
import json
import math
import os
import re
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gridproof as gp
from gridproof.core.limit import Stopped, use_stop
from gridproof.core.rng import Rng, derive
from gridproof.core.train_request import TrainRequest
from gridproof.games.twenty48 import Level, Position
from gridproof.games.twenty48.kernel import temporal_difference
from gridproof.games.twenty48.kernel.cells import NIBBLES
from gridproof.games.twenty48.kernel.packing import data_of
from gridproof.games.twenty48.kernel.temporal_difference import playing_kernel, training_kernel
from gridproof.games.twenty48.network import Network, load_network, pack_board, parse_tuples, save_network
from gridproof.games.twenty48.network_games import play_games
from gridproof.games.twenty48.network_player import NetworkPlayer, exponents_of
from gridproof.games.twenty48.train import (
    LearningOptions,
    Trainer,
    draw_curve,
    load_trainer,
    train,
    write_curve,
)
from gridproof.testing.agreement import to_python

LEVEL = Level(2, 2, spawn="classic", target=16)


class Twin:
    """The learning by its definition, over the rules."""

    def __init__(self, level: Level, tuples: str, options: LearningOptions) -> None:
        self.level, self.options = level, options
        self.network = Network(level.width, level.height, parse_tuples(tuples, level.width, level.height))
        self.changes = np.zeros((len(self.network.weights), 2), np.float32)
        self.lookups = self.network.tables.lookups.tolist()
        self.scores: list[int] = []

    def indices(self, cells: list[int]) -> list[int]:
        exponents = exponents_of(cells)
        stage = sum(max(cells) >= tile for tile in self.network.stages)
        begin = stage * sum(self.network.sizes)
        return [
            begin + first + sum(16**place * exponents[cell] for place, cell in enumerate(places) if cell >= 0)
            for first, *places in self.lookups
        ]

    def value(self, cells: list[int]) -> np.float32:
        """The value with the kernel's own rounding, which decides between moves of equal worth."""
        state = pack_board(cells)
        found = np.zeros(1)
        self.network.kernels.value_states(self.network.tables, state[np.newaxis], found)
        return np.float32(found[0])

    def episode(self, position: Position, rng: Rng) -> list[tuple[list[int], int]]:
        done = []
        while not position.lost:
            afters = [position.afterstate(move) for move in position.actions()]
            after = max(afters, key=lambda one: np.float32(one.reward) + self.value(one.cells))
            done.append((list(after.cells), after.reward))
            position = self.spawned(list(after.cells), rng)
        return done

    def spawned(self, cells: list[int], rng: Rng) -> Position:
        empty, urn = [place for place, tile in enumerate(cells) if not tile], self.level.rule.tile
        place, entry = divmod(rng.below(len(empty) * len(urn)), len(urn))
        cells[empty[place]] = urn[entry]
        return Position(self.level, tuple(cells))

    def learn(self, done: list[tuple[list[int], int]]) -> None:
        target, weights = 0.0, self.network.weights
        for cells, reward in reversed(done):
            indices = self.indices(cells)
            error = np.float32(target) - sum((weights[index] for index in indices), np.float32(0))
            step = np.float32(self.options.rate / len(indices)) * error
            for index in indices:
                errors, sizes = self.changes[index]
                weights[index] += step * (abs(errors) / sizes) if sizes else step
                self.changes[index] += error, abs(error)
            value = float(sum((weights[index] for index in indices), np.float32(0)))
            target = reward + self.options.decay * target + (1 - self.options.decay) * value

    def play(self, seed: int) -> None:
        rng, start = Rng(seed), self.level.start(seed)
        cells = len(start.cells)
        rng.below(cells * (cells - 1) // 2 * len(self.level.rule.pair))
        done = self.episode(start, rng)
        self.scores.append(sum(reward for _, reward in done))
        while True:
            self.learn(done)
            middle = len(done) // 2
            if not self.options.restart or len(done) - middle < self.options.restart:
                return
            done = self.episode(self.spawned(list(done[middle][0]), rng), rng)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "tuples"),
    [(LEVEL, "012 03"), (Level(3, 2), "0134 25"), (Level(spawn="classic"), "0123 0145 f")],
    ids=["2x2", "3x2", "4x4"],
)
@pytest.mark.parametrize(
    "options", [LearningOptions(), LearningOptions(rate=0.5, decay=0.0, restart=12)], ids=["usual", "other"]
)
def test_trainer_learns_as_the_twin(level: Level, tuples: str, options: LearningOptions) -> None:
    twin = Twin(level, tuples, options)
    trainer = Trainer(Network(level.width, level.height, twin.network.tuples), level, 5, options)
    scores, _ = trainer.play(3)
    for number in range(3):
        twin.play(derive(5, number))
    assert scores.tolist() == twin.scores
    assert np.allclose(trainer.network.weights, twin.network.weights, rtol=1e-3, atol=1e-2)
    assert np.allclose(trainer.changes, twin.changes, rtol=1e-3, atol=1e-1)


def test_trained_player_is_near_the_best_expected_score() -> None:
    trainer = Trainer(Network(2, 2, ((0, 1, 2, 3),)), LEVEL, 1)
    trainer.play(3000)
    best = gp.value(LEVEL, "score")
    player = NetworkPlayer(LEVEL.game, file=trainer.network)
    for start in LEVEL.starts():
        exact = float(best.at(start.position).best)
        assert max(player.values(start.position).values()) == pytest.approx(exact, rel=0.2)


def test_optimism_is_the_value_of_all_boards_at_first() -> None:
    network = Network(3, 3, parse_tuples("012 4", 3, 3))
    Trainer(network, Level(3, 3), options=LearningOptions(optimism=320.0))
    assert network.value([1, 2, 3, 4, 5, 6, 7, 8, 9]) == pytest.approx(320)


def test_several_threads_play_all_games() -> None:
    trainer = Trainer(Network(2, 2, ((0, 1, 2, 3),)), LEVEL, 1)
    scores, exponents = trainer.play(450, threads=2)
    assert (scores > 0).all()
    assert (exponents > 1).all()
    assert trainer.games == 450


@pytest.mark.slow
def test_trainer_begins_stages_as_the_twin() -> None:
    options = LearningOptions(stages=(8, 16))
    twin, trainer = Twin(LEVEL, "01 03", options), Trainer(Network(2, 2, ((0, 1), (0, 3))), LEVEL, 5, options)
    scores, _ = trainer.play(230)
    for number in range(230):
        twin.play(derive(5, number))
        if number in (99, 199):
            twin.network = twin.network.add_stage(options.stages[number // 100])
            twin.changes = np.concatenate([twin.changes, np.zeros((512, 2), np.float32)])
    assert scores.tolist() == twin.scores
    assert trainer.network.stages == (8, 16)
    assert np.allclose(trainer.network.weights, twin.network.weights, rtol=1e-3, atol=1e-2)
    assert not (trainer.network.weights[:512] == trainer.network.weights[512:1024]).all()


def request(path: Path, games: int, resume: bool = False) -> TrainRequest:
    return TrainRequest(level=LEVEL, out=path, seed=3, games=games, resume=resume, command="gridproof train")


@pytest.mark.parametrize("stages", ["", "4 8 32"])
def test_resumed_training_is_that_without_interruption(tmp_path: Path, stages: str) -> None:
    whole, parts = tmp_path / "whole.npz", tmp_path / "parts.npz"
    (*_, last) = train(request(whole, 600), "0123", report=200, stages=stages)
    assert (last.data["games"], last.data["largest"]) == (600, 32)
    assert last.words.startswith("600 games: score ")
    list(train(request(parts, 250), "0123", report=170, stages=stages))
    list(train(replace(request(parts, 600, resume=True), command="gridproof train --resume")))
    found, expected = load_network(parts), load_network(whole)
    assert found.stages == expected.stages == tuple(map(int, stages.split()))
    assert (found.weights == expected.weights).all()
    assert found.facts["games"] == expected.facts["games"] == 600
    assert found.facts["command"] == expected.facts["command"] == "gridproof train"
    assert (found.facts["resumes"], expected.facts["resumes"]) == (["gridproof train --resume"], [])
    assert expected.facts["seed"] == 3
    assert expected.facts["versions"].keys() == {"gridproof", "python", "numpy", "numba"}
    assert [point["games"] for point in expected.facts["curve"]] == [200, 400, 600]


def test_training_saves_when_it_is_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "network.npz"
    training = train(request(path, 10_000), report=100)
    next(training)
    with pytest.raises(KeyboardInterrupt):
        training.throw(KeyboardInterrupt())  # type: ignore[attr-defined]  # a generator
    assert load_trainer(path).games == 100


def test_training_ends_after_its_seconds(tmp_path: Path) -> None:
    options = TrainRequest(level=LEVEL, out=tmp_path / "network.npz", seconds=0)
    assert list(train(options)) == []
    assert load_trainer(options.out).games == 0


@pytest.mark.slow
def test_training_writes_small_network_and_curve(tmp_path: Path) -> None:
    small, curve = tmp_path / "small.npz", tmp_path / "curve.svg"
    list(train(request(tmp_path / "network.npz", 300), report=100, small=str(small), curve=str(curve)))
    assert NetworkPlayer(LEVEL.game, file=small).values(LEVEL.start(1))
    assert "mean score" in curve.read_text()
    with pytest.raises(gp.GridproofError, match="it has a network, but no training to go on with"):
        load_trainer(small)
    png = tmp_path / "curve.png"
    write_curve(png, load_network(small).facts["curve"])
    assert png.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(gp.GridproofError, match="no point of a curve yet"):
        write_curve(png, [])
    table = tmp_path / "curve.csv"
    points = load_network(small).facts["curve"]
    write_curve(table, points)
    with table.open() as file:
        rows = [*csv.DictReader(file)]
    assert [{name: float(number) for name, number in row.items()} for row in rows] == points


def test_trainer_compiles_before_the_time_of_its_games_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    games = list[int]()

    def count(data: Any, tables: Any, changes: Any, start: Any, seeds: Any, *rest: Any) -> int:
        games.append(len(seeds))
        return 0

    monkeypatch.setattr(temporal_difference, "training_kernel", lambda kernels: count)
    Trainer(Network(2, 2, ((0, 1),)), LEVEL)
    assert games == [0]


def test_train_refuses_curves_of_unknown_kinds_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(gp.GridproofError, match=r"curve\.txt: a curve is written as \.svg, \.png or \.csv"):
        list(train(request(tmp_path / "network.npz", 1), curve=str(tmp_path / "curve.txt")))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rate": 0.0}, "rate 0: it must be above 0, and at most 1"),
        ({"decay": 2.0}, "decay 2: it must be from 0 to 1"),
        ({"restart": -1}, "restart -1: it must be a whole number from 0 on"),
        ({"optimism": math.nan}, "optimism nan: it must be a finite number"),
        ({"stages": "8 4"}, "stages '8 4': they must be rising tiles from 4 to 32768"),
        ({"threads": 0}, "report and threads: they must be at least 1"),
        ({"small": "missing/small.npz"}, "missing/small.npz: there is no folder missing"),
    ],
)
def test_train_refuses_invalid_options(tmp_path: Path, options: dict[str, float], message: str) -> None:
    with pytest.raises(gp.GridproofError) as caught:
        list(train(request(tmp_path / "network.npz", 1), **options))  # type: ignore[arg-type]  # numbers and texts
    assert str(caught.value) == message


def test_resume_refuses_other_level_and_options(tmp_path: Path) -> None:
    path = tmp_path / "network.npz"
    list(train(request(path, 100)))
    with pytest.raises(
        gp.GridproofError, match="give its own level to resume it, and no options of learning"
    ):
        list(train(request(path, 200, resume=True), rate=0.5))
    with pytest.raises(gp.GridproofError, match="for boards of 2x2, not 3x3: train one"):
        Trainer(load_network(path), Level(3, 3))
    with pytest.raises(
        gp.GridproofError, match=r"the changes must be float32 \(65792, 2\), not float64 \(3,\)"
    ):
        Trainer(load_network(path), LEVEL, changes=np.zeros(3))


def test_full_episode_is_neither_learned_nor_restarted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.games.twenty48.train._MOST_MOVES", 2)
    trainer = Trainer(Network(2, 2, ((0, 1),)), LEVEL, options=LearningOptions(restart=1))
    trainer.play(1)
    assert trainer.moves == 2
    assert not trainer.changes.any()


def test_interrupted_training_counts_what_it_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, path = tmp_path / "whole.npz", tmp_path / "network.npz"
    small, curve = tmp_path / "small.npz", tmp_path / "curve.svg"
    list(train(request(whole, 400)))
    with monkeypatch.context() as patch:
        calls = list[int]()

        def make_kernel(kernels: Any) -> Any:
            def learn(*arguments: Any) -> Any:
                moves = training_kernel(kernels)(*arguments)
                calls.append(moves)
                if len(calls) == 3:  # the first call only compiles
                    signal.raise_signal(signal.SIGINT)
                return moves

            return learn

        patch.setattr(temporal_difference, "training_kernel", make_kernel)
        with pytest.raises(KeyboardInterrupt):
            list(train(request(path, 400), report=1000, small=str(small), curve=str(curve)))
    assert [point["games"] for point in load_network(small).facts["curve"]] == [200]
    assert "mean score" in curve.read_text()
    list(train(request(path, 400, resume=True)))
    assert (load_network(path).weights == load_network(whole).weights).all()


def test_early_interruption_is_no_error_of_the_curve(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    with use_stop(stop), pytest.raises(Stopped):
        list(train(request(tmp_path / "network.npz", 1), curve=str(tmp_path / "curve.svg")))
    with pytest.raises(gp.GridproofError, match="no point of a curve yet"):
        list(train(replace(request(tmp_path / "other.npz", 1), seconds=0), curve=str(tmp_path / "curve.svg")))


def test_threads_share_few_games() -> None:
    trainer = Trainer(Network(2, 2, ((0, 1),)), LEVEL, 1)
    kernel, sizes = trainer._kernel, list[int]()

    def learn(*arguments: Any) -> Any:
        sizes.append(len(arguments[4]))
        return kernel(*arguments)

    trainer._kernel = learn
    trainer.play(7, threads=2)
    trainer.play(250, threads=2)
    assert sorted(sizes) == [3, 4, 28, 29, 96, 97]  # the second chunk ends with game 200


def test_report_leaves_out_share_of_targets_that_are_not_told_apart(tmp_path: Path) -> None:
    for target, has_share in ((1 << 15, True), (1 << 16, False)):
        level = Level(4, 4, target=target)
        (answer,) = train(TrainRequest(level=level, out=tmp_path / f"{target}.npz", games=1), "0123 0145 f")
        assert ("share" in answer.data) == has_share == (str(target) in answer.words)


def test_train_says_how_much_memory_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("gridproof.games.twenty48.train.Network", refuse)
    with pytest.raises(gp.GridproofError, match=r"training these tuples needs 0\.8 GB of memory"):
        list(train(request(tmp_path / "network.npz", 1), "0123 " * 1024))


def test_train_keeps_files_of_other_options(tmp_path: Path) -> None:
    path, old = tmp_path / "network.npz", tmp_path / "old"
    old.touch()
    for option in ("small", "curve"):
        with pytest.raises(gp.GridproofError, match="old exists already; use --force to overwrite it"):
            list(train(request(path, 1), **{option: str(old)}))  # type: ignore[arg-type]  # texts
        with pytest.raises(gp.GridproofError, match="is a folder; give a file"):
            list(train(request(path, 1), **{option: str(tmp_path)}))  # type: ignore[arg-type]  # texts
        with pytest.raises(gp.GridproofError, match="they must be different files"):
            list(train(request(path, 1), **{option: str(path)}))  # type: ignore[arg-type]  # texts
    list(train(replace(request(path, 1), force=True), small=str(old)))
    assert load_network(old).facts["games"] == 1


def test_train_asks_for_cairosvg_before_any_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(gp.GridproofError, match=r"curve\.png: PNG needs cairosvg"):
        list(train(request(tmp_path / "network.npz", 1), curve=str(tmp_path / "curve.png")))
    assert list(tmp_path.iterdir()) == []


def test_resume_keeps_the_seed_and_removes_what_is_left_of_writing(tmp_path: Path) -> None:
    path, left = tmp_path / "network.npz", tmp_path / ".network.npz.0123abcd"
    list(train(request(path, 1)))
    left.touch()
    with pytest.raises(gp.GridproofError, match="its seed is 3; a resumed training keeps it"):
        list(train(replace(request(path, 2, resume=True), seed=7)))
    list(train(replace(request(path, 2, resume=True), seed=0)))
    assert (load_trainer(path).seed, list(tmp_path.iterdir())) == (3, [path])


@pytest.mark.parametrize("name", ["seconds", "checkpoint"])
@pytest.mark.parametrize("value", [math.nan, -1.0])
def test_train_request_refuses_invalid_seconds(name: str, value: float) -> None:
    with pytest.raises(gp.GridproofError, match=f"{name} {value:g}: it must be a number of at least 0"):
        TrainRequest(level=LEVEL, out=Path("network.npz"), **{name: value})  # type: ignore[arg-type]  # numbers


@pytest.mark.parametrize(
    "odd",
    [
        {"seed": None},
        {"curve": 5},
        {"curve": [{"games": 1}]},
        {"games": "x"},
        {"games": -1},
        {"seconds": math.nan},
        {"plan": {"restart": "x"}},
        {"plan": 3},
        {"level": 3},
    ],
    ids=str,
)
def test_load_trainer_refuses_odd_files(tmp_path: Path, odd: dict[str, Any]) -> None:
    path = tmp_path / "network.npz"
    trainer = Trainer(Network(2, 2, ((0, 1),)), LEVEL)
    described = replace(trainer.network, facts={**trainer.describe(), **odd})
    save_network(path, described, {"changes": trainer.changes})
    with pytest.raises(gp.GridproofError, match="it has a network, but no training to go on with"):
        load_trainer(path)


def test_load_trainer_refuses_numbers_that_are_not_finite(tmp_path: Path) -> None:
    path = tmp_path / "network.npz"
    trainer = Trainer(Network(2, 2, ((0, 1),)), LEVEL)
    trainer.changes[3, 0] = math.nan
    trainer.save(path)
    with pytest.raises(gp.GridproofError, match="it has a network, but no training to go on with"):
        load_trainer(path)
    trainer.network.weights[3] = math.inf
    trainer.save(path)
    with pytest.raises(gp.GridproofError, match="it has no network of 2048: 'a number is not finite'"):
        load_network(path)


@pytest.mark.slow
def test_killed_training_is_resumed(tmp_path: Path) -> None:
    (tmp_path / "level.2048").write_text(LEVEL.text())
    command = [sys.executable, "-m", "gridproof", "train", "level.2048", "--out", "network.npz", "--json"]
    own = ["--report", "100", "--checkpoint", "0"]
    with subprocess.Popen([*command, *own], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        for _ in range(3):
            line = process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
    assert json.loads(line)["games"] == 300
    saved = load_trainer(tmp_path / "network.npz").games
    assert saved >= 200
    more = [*command, "--resume", "--games", str(saved + 100)]
    subprocess.run(more, cwd=tmp_path, check=True, capture_output=True)
    assert load_trainer(tmp_path / "network.npz").games == saved + 100


@pytest.mark.slow
@pytest.mark.parametrize("level", [LEVEL, Level(spawn="classic")], ids=["2x2", "4x4"])
def test_kernels_do_the_same_as_plain_python(level: Level) -> None:
    compiled, plain = (Trainer(Network(level.width, level.height, ((0, 1),)), level, 2) for _ in range(2))
    plain._kernel = to_python(plain._kernel)
    assert [results.tolist() for results in compiled.play(1)] == [
        results.tolist() for results in plain.play(1)
    ]
    assert (compiled.network.weights == plain.network.weights).all()
    network, most = plain.network, 1 << 10
    own = [np.zeros(1, np.int64) for _ in range(3)]
    play = to_python(playing_kernel(network.kernels))
    start = pack_board(level.start().cells)
    play(data_of(level, NIBBLES), network.tables, start, np.array([derive(4, 0)], np.uint64), most, own)
    assert own[1] == play_games(network, level, 1, seed=4).scores


def test_curve_names_its_columns() -> None:
    points = [{"games": 1000 * number, "mean": number} for number in range(1, 201)]
    assert len(re.findall(r">\d+k<", draw_curve(points))) > 3

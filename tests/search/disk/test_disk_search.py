"""Exploration on a disk: the same layers as in memory, whatever ends it; damaged and foreign folders are refused."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.search.test_two_bit_bfs import board

import gridproof as gp
from gridproof.games.shiftit import Position
from gridproof.search.disk import bit_layers, layer_store, run_layers, runs
from gridproof.search.disk.bit_layers import BitLayers
from gridproof.search.disk.layer_store import MANIFEST, Content, LayerStore, WordWriter
from gridproof.search.disk.space import DiskSpace
from gridproof.search.thread_pool import available_cores

Start = gp.Level | gp.Position[Any]

LEVELS: dict[str, Callable[[], Start]] = {
    "2x2": lambda: board(2, 2),
    "3x2": lambda: board(3, 2),
    "3x2 with wins": lambda: gp.level("shiftit/boards/6"),
    "3x3 with a lock": lambda: board(3, 3, [(0, 0)]),
    "no moves": lambda: board(2, 2, [(0, 0), (1, 1)]),
    "from a position": lambda: gp.explore("shiftit/boards/6")[100],
    "sokoban": lambda: gp.level("sokoban/first-steps/3"),
    "sokoban with bombs": lambda: gp.level("sokoban/bombs/1"),
    "robots": lambda: gp.level("robots/yards/1"),
}
SLOW = ("3x3 with a lock", "sokoban with bombs", "robots")
SMALL = ("shiftit/boards/6", "sokoban/first-steps/1")
"""A level by ranks, and one by sorted runs."""


def explore(level: Start, folder: Path, **limits: float) -> DiskSpace:
    space = gp.explore(level, disk=folder, limit=gp.Limit(**limits))  # type: ignore[arg-type]  # states are whole
    assert isinstance(space, DiskSpace)
    return space


def assert_same(space: gp.StateSpace, level: Start) -> None:
    expected = gp.explore(level)
    assert (space.by_depth, space.states) == (expected.by_depth, expected.states)
    assert (space.complete, space.stopped_by, space.transitions) == (True, "", expected.transitions)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.slow] * (one in SLOW)) for one in LEVELS]
)
def test_space_on_disk_equals_space_in_memory(name: str, tmp_path: Path) -> None:
    level = LEVELS[name]()
    space, expected = explore(level, tmp_path / "new" / "folder"), gp.explore(level)
    assert_same(space, level)
    positions = list(space)
    assert set(positions) == set(expected)
    assert space.values("won").sum() == expected.values("won").sum()
    assert space.values("home").sum() == expected.values("home").sum()
    assert (
        space.values("won", space.states // 2).tolist() == space.values("won")[space.states // 2 :].tolist()
    )
    for number in random.Random(1).choices(range(space.states), k=20):
        assert (space[number], space.number(positions[number])) == (positions[number], number)
        assert space.depth(positions[number]) == expected.depth(positions[number])
        trace = space.trace_to(positions[number])
        assert (trace.replay(), len(trace.steps)) == (positions[number], expected.depth(positions[number]))
    assert space.to_dict()["disk"] == sum(
        512 * path.stat().st_blocks for path in space._found.store.path.iterdir()
    )
    with pytest.raises(gp.GridproofError, match="a space on a disk has no graph"):
        space.graph()


def test_trace_to_goal_is_shortest(tmp_path: Path) -> None:
    level = gp.level("shiftit/boards/6")
    won = gp.solve(level)
    space = explore(level, tmp_path)
    trace = space.trace_to_goal("won")
    assert trace
    assert (trace.replay().status, len(trace.steps)) == (gp.Status.WON, won.cost)
    in_memory = gp.explore(level).trace_to_goal("won")
    assert in_memory
    assert len(in_memory.steps) == won.cost
    assert explore(board(3, 2), tmp_path / "other").trace_to_goal("won") is None
    with pytest.raises(gp.GridproofError):
        space.trace_to_goal("nonsense")


def test_space_on_disk_has_no_positions_of_other_levels(tmp_path: Path) -> None:
    level = board(3, 3, [(0, 0)])
    space = explore(level, tmp_path)
    stranger = gp.explore(board(2, 2))[3]
    moved = Position(level, (1, 0, *range(2, 9)))  # the locked tile has left
    for position in (stranger, moved):
        assert position not in space
        with pytest.raises(gp.GridproofError, match="the position was not reached"):
            space.number(position)
        with pytest.raises(gp.GridproofError, match="the position was not reached"):
            space.depth(position)


@pytest.mark.slow
@pytest.mark.parametrize("words", [1, 2, 5])
def test_layers_do_not_depend_on_memory(words: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BitLayers, "_words_at_once", lambda search: words)
    monkeypatch.setattr(bit_layers, "_BLOCK", 2)
    level = board(3, 2)
    space = explore(level, tmp_path)
    assert_same(space, level)
    assert space[space.states - 1] in space
    assert space.number(space[300]) == 300


@pytest.mark.slow
def test_layers_of_runs_do_not_depend_on_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, value in (
        (runs, "STEP", 4),
        (runs, "_PIECE", 16),
        (runs, "_GAP", 1),
        (runs, "_MOST_STEPS", 2),
        (run_layers, "STEP", 4),
        (run_layers, "_WORDS", 80),
        (run_layers, "_BLOCK", 8),
        (run_layers, "_LARGEST", 200 + available_cores() * 80),
    ):
        monkeypatch.setattr(module, name, value)
    level, spilled, write = gp.level("sokoban/bombs/1"), set[str](), LayerStore.write

    def note_and_write(store: LayerStore, name: str) -> AbstractContextManager[WordWriter]:
        spilled.add(name.partition("-")[2])
        return write(store, name)

    monkeypatch.setattr(LayerStore, "write", note_and_write)
    space = explore(level, tmp_path, states=1000)
    assert (space.complete, space.stopped_by) == (False, "states")
    assert_same(explore(level, tmp_path), level)
    assert {"layer", "seen", "run-0", "run-1"} <= spilled
    assert not list(tmp_path.glob("*-run-*"))


@pytest.mark.long
def test_actors_are_those_of_the_question(tmp_path: Path) -> None:
    level, limit = gp.level("robots/yards/1"), gp.Limit(states=3000)
    for actors in ("all", ("a",)):
        space = gp.explore(level, actors, limit, disk=tmp_path / "".join(actors))
        expected = gp.explore(level, actors, gp.Limit(states=20_000))
        assert space.by_depth == expected.by_depth[: len(space.by_depth)]
        assert space.trace_to(space[space.states - 1]).replay() == space[space.states - 1]
    with pytest.raises(gp.GridproofError, match=r"of another question \(actors a, not players\); use"):
        gp.explore(level, disk=tmp_path / "a")


def test_words_at_once_fit_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bit_layers, "memory_in_use", lambda: 0)
    search = explore(board(3, 2), tmp_path)._found
    assert isinstance(search, BitLayers)
    search._words = 1000
    for room, words in ((8000, 1000), (7999, 500), (4000, 500), (1000, 125), (126, 16)):
        search._meter.memory = bit_layers._RESERVE + room
        assert search._words_at_once() == words
        assert words * 8 <= room + 8
    search._meter.memory = bit_layers._RESERVE + 124
    with pytest.raises(MemoryError):
        search._words_at_once()


def snapshots(monkeypatch: pytest.MonkeyPatch, folder: Path, copies: Path) -> list[Path]:
    """Copy the folder before each write, as `kill -9` would leave it there."""
    made: list[Path] = []
    write, commit = WordWriter.write, LayerStore.commit

    def copy() -> None:
        made.append(copies / str(len(made)))
        shutil.copytree(folder, made[-1])

    def copy_and_write(writer: WordWriter, words: np.ndarray[Any, Any]) -> None:
        copy()
        write(writer, words)

    def copy_and_commit(store: LayerStore, content: Content) -> None:
        copy()
        commit(store, content)
        copy()

    monkeypatch.setattr(WordWriter, "write", copy_and_write)
    monkeypatch.setattr(LayerStore, "commit", copy_and_commit)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_search_goes_on_wherever_it_was_killed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = gp.level(name)
    with monkeypatch.context() as patch:
        made = snapshots(patch, tmp_path / "whole", tmp_path)
        whole = explore(level, tmp_path / "whole")
    assert len(made) > 2 * len(whole.by_depth)
    for folder in made:
        space = explore(level, folder)
        assert_same(space, level)
        names = {path.name for path in folder.iterdir()}
        assert names == {path.name for path in (tmp_path / "whole").iterdir()}


@pytest.mark.long
def test_search_goes_on_after_kill(tmp_path: Path) -> None:
    folder, draw = tmp_path / "layers", random.Random(4)
    command = [
        sys.executable,
        "-m",
        "gridproof",
        "explore",
        "shiftit/boards/5",
        "--disk",
        str(folder),
        "--json",
    ]
    for _ in range(6):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while not (folder / MANIFEST).exists() and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(draw.random() / 5)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    data = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    expected = gp.explore("shiftit/boards/5")
    assert (tuple(data["by_depth"]), data["complete"]) == (expected.by_depth, True)
    assert data["transitions"] == expected.transitions


@pytest.mark.slow
def test_limits_end_the_search_at_a_finished_layer(tmp_path: Path) -> None:
    level = board(3, 2)
    depths = gp.explore(level).by_depth
    for limits, stopped_by, layers in (
        ({"seconds": 0}, "seconds", 1),
        ({"states": 0}, "states", 1),
        ({"states": sum(depths[:3])}, "states", 3),
        ({"states": sum(depths[:5]) - 1}, "states", 4),
    ):
        space = explore(level, tmp_path, **limits)
        assert (space.complete, space.stopped_by, space.by_depth) == (False, stopped_by, depths[:layers])
        assert space.expanded_count == sum(depths[: layers - 1])
        assert space.trace_to(space[space.states - 1]).replay() == space[space.states - 1]
    assert explore(level, tmp_path, memory=1).stopped_by == "memory"
    assert_same(explore(level, tmp_path), level)
    for limit in ("seconds", "states", "memory"):  # nothing is left to do
        assert_same(explore(level, tmp_path, **{limit: 0}), level)


def test_interrupted_search_keeps_finished_layers(tmp_path: Path) -> None:
    level = board(3, 2)

    def interrupt(count: int) -> None:
        if count > 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gp.explore(level, progress=interrupt, disk=tmp_path)
    kept = json.loads((tmp_path / MANIFEST).read_text())["layers"]
    assert [layer[0] for layer in kept] == list(gp.explore(level).by_depth[:3])
    assert_same(explore(level, tmp_path), level)


class Usage(NamedTuple):
    free: int


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Let no file of this process become larger."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.slow
def test_full_disk_ends_the_search_at_a_finished_layer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = board(3, 2)
    depths = gp.explore(level).by_depth
    for free, stopped_by in ((2 * 96 - 1, "disk"), (2 * 96, "")):
        usage = Usage(
            layer_store._RESERVE + free
        )  # a layer has 96 bytes, and so has the file of all seen ranks
        with monkeypatch.context() as patch:
            patch.setattr(shutil, "disk_usage", lambda path, usage=usage: usage)
            space = explore(level, tmp_path / "room")
        assert space.stopped_by == stopped_by
        assert space.by_depth == depths[: 1 if stopped_by else None]
    with (
        largest_file(700),
        pytest.raises(gp.GridproofError, match="larger: the disk is full"),
    ):
        explore(board(3, 3, [(0, 0)]), tmp_path / "larger")
    with largest_file(600):
        space = explore(level, tmp_path / "manifest")
    assert (space.complete, space.stopped_by) == (False, "disk")
    assert 0 < len(space.by_depth) < len(depths)
    assert space.by_depth == depths[: len(space.by_depth)]
    assert_same(explore(level, tmp_path / "manifest"), level)


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def test_damaged_folder_is_refused(tmp_path: Path) -> None:
    level = board(3, 2)
    explore(level, tmp_path / "whole", states=300)
    names = sorted(path.name for path in (tmp_path / "whole").iterdir() if path.suffix == ".words")
    damages: list[tuple[Callable[[Path], object], str]] = [
        (damage, "is damaged: its checksum is not the one in manifest.json"),
        (
            lambda path: path.write_bytes(path.read_bytes()[:-8]),
            "is damaged: its size is not the one in manifest.json",
        ),
        (Path.unlink, "No such file or directory"),
    ]
    for number, (name, (work, message)) in enumerate((name, one) for name in names for one in damages):
        folder = tmp_path / str(number)
        shutil.copytree(tmp_path / "whole", folder)
        work(folder / name)
        with pytest.raises(gp.GridproofError, match=f"{folder / name}.*{message}"):
            explore(level, folder)
    manifest = json.loads((tmp_path / "whole" / MANIFEST).read_text())
    wrong = [
        "",
        "[]",
        "{}",
        signed(manifest, schema=1),
        signed(manifest, layers=[[1, 2, ["../other.words", 1, 1]]]),
        signed(manifest, seen=[[1]]),
        json.dumps(manifest)[:-9],
    ]
    for text in wrong:
        (tmp_path / "whole" / MANIFEST).write_text(text)
        with pytest.raises(gp.GridproofError, match=r"manifest.json: no layers of version 2"):
            explore(level, tmp_path / "whole")


def signed(manifest: dict[str, Any], **changes: object) -> str:
    """Return a manifest with other values, and the checksum of them."""
    data = {name: value for name, value in (manifest | changes).items() if name != "crc32"}
    return json.dumps(data | {"crc32": zlib.crc32(json.dumps(data).encode())})


@pytest.mark.slow
def test_damaged_manifest_is_refused(tmp_path: Path) -> None:
    explore(board(2, 2), tmp_path)
    path = tmp_path / MANIFEST
    data = path.read_bytes()
    question = json.loads(data)["question"]
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(gp.GridproofError, match=f"{path}(: no layers| is damaged: its checksum)"):
            LayerStore(tmp_path, question)
    path.write_bytes(data.replace(b"[[1, 0,", b"[[2, 0,"))
    with pytest.raises(gp.GridproofError, match="is damaged: its checksum is not the one in manifest"):
        explore(board(2, 2), tmp_path)


@pytest.mark.slow
def test_layers_of_another_size_are_refused(tmp_path: Path) -> None:
    level = gp.level("sokoban/first-steps/1")
    explore(level, tmp_path)
    manifest = json.loads((tmp_path / MANIFEST).read_text())
    manifest["layers"][0][0] += 1
    (tmp_path / MANIFEST).write_text(signed(manifest))
    with pytest.raises(gp.GridproofError, match=r"0000-layer.words is damaged: its size is not the one in"):
        explore(level, tmp_path)


def test_other_files_stay_in_a_folder(tmp_path: Path) -> None:
    level = board(3, 2)
    explore(level, tmp_path, states=100)
    (tmp_path / "notes.words").write_text("mine")
    (tmp_path / "list.words").mkdir()
    (tmp_path / "0009-run-2.words").write_text("unfinished")
    assert_same(explore(level, tmp_path), level)
    assert (tmp_path / "notes.words").read_text() == "mine"
    assert (tmp_path / "list.words").is_dir()
    assert not (tmp_path / "0009-run-2.words").exists()


def test_folder_in_place_of_a_layer_is_refused(tmp_path: Path) -> None:
    level = board(3, 2)
    layers = len(explore(level, tmp_path, states=20).by_depth)
    path = tmp_path / f"{layers:04}-layer.words"
    path.mkdir()
    with pytest.raises(gp.GridproofError, match=f"^{path}: Is a directory$"):
        explore(level, tmp_path)
    path.rmdir()
    assert_same(explore(level, tmp_path), level)


def test_folder_of_something_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    level = board(3, 2)
    space = explore(level, tmp_path / "layers", states=100)
    with pytest.raises(gp.GridproofError, match=r"of another question \(level \w{16}, not \w{16}\); use"):
        explore(gp.level("shiftit/boards/6"), tmp_path / "layers")
    with pytest.raises(gp.GridproofError, match=r"of another question \(start "):
        explore(space[1], tmp_path / "layers")
    with monkeypatch.context() as patch:
        patch.setattr("gridproof.search.disk.explore.CODE", "0.0.9")
        with pytest.raises(gp.GridproofError, match=r"\(code 0.1.0 ranked_successors_\w+, not 0.0.9 ranked"):
            explore(level, tmp_path / "layers")
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(gp.GridproofError, match="is no folder of layers: it has layers"):
        explore(level, tmp_path)
    with pytest.raises(gp.GridproofError, match="exists"):
        explore(level, tmp_path / "notes.txt")
    with pytest.raises(gp.GridproofError, match="cannot be explored on a disk: the level is too large"):
        gp.explore(board(7, 7), disk=tmp_path / "large")
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.slow
def test_odd_placements_are_explored_by_sorted_runs(tmp_path: Path) -> None:
    level = board(3, 1)
    odd = Position(level, (1, 0, 2))
    space = explore(odd, tmp_path)
    assert (space.states, space.engine, odd in space) == (3, "sorted states on disk", True)
    assert explore(level, tmp_path / "even").engine == "ranks on disk"


def test_folder_is_used_by_one_process(tmp_path: Path) -> None:
    level = board(3, 2)
    explore(level, tmp_path, states=100)
    question = json.loads((tmp_path / MANIFEST).read_text())["question"]
    store = LayerStore(tmp_path, question)
    with pytest.raises(gp.GridproofError, match="another process uses it"):
        explore(level, tmp_path)
    store.close()
    assert_same(explore(level, tmp_path), level)

"""Layers of packed states as sorted runs: one file for each layer, and a few files for all seen states.

The successors of a layer are sorted in memory, part by part; what does not fit goes into files. They are merged, and those that
are not seen are the next layer. The seen states are in files of growing size: a new layer is merged with those
that are not much larger than itself, so that each state is merged a logarithmic number of times.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter
from gridproof.core.memory import memory_in_use
from gridproof.core.position import Position
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import GameKernel, Packing
from gridproof.search.disk.layer_store import WORD, DiskLayer, LayerStore, WordFile
from gridproof.search.disk.layers import DiskSearch, NextLayer
from gridproof.search.disk.runs import STEP, Run, find_places, mark_common, merge, sort_rows
from gridproof.search.packed_bfs import Expansion
from gridproof.search.state_store import scratch
from gridproof.search.thread_pool import Each, available_cores, thread_map

Array = np.ndarray[Any, Any]

_WORDS = 1 << 20  # of successors of each core between two checks of the clock
_BLOCK = 1 << 16  # states that are read at once
_LARGEST = 1 << 27  # words of successors in memory
_RATIO = 2  # of the sizes of files that are merged

successors: Any = Hole()


def list_successors(data: Any, states: Any, found: Any, room: Any) -> Any:
    """Write all successors of the states; return their number."""
    (out, action, reward, weight), count = room, 0
    for state in range(states.shape[0]):
        number = successors(data, states[state], out, action, reward, weight)
        for i in range(number):
            for word in range(states.shape[1]):
                found[count, word] = out[i, word]
            count += 1
    return count


def find_parent(data: Any, states: Any, target: Any, room: Any) -> Any:
    """Return the number of the first state of which the target is a successor, or -1."""
    out, action, reward, weight = room
    for state in range(states.shape[0]):
        for i in range(successors(data, states[state], out, action, reward, weight)):
            same = True
            for word in range(states.shape[1]):
                same &= out[i, word] == target[word]
            if same:
                return state
    return -1


class RunLayers(DiskSearch):
    """The packed states reached from distinct starts, layer by layer, by all cores.

    Parameters
    ----------
    game, packing : GameKernel, Packing
    expansion : Expansion
        The successors by the actors.
    starts : list of Position
    store : LayerStore
    meter : Meter
        Its limit of memory says how many successors are kept in memory.
    """

    def __init__(
        self,
        game: GameKernel,
        packing: Packing,
        expansion: Expansion,
        starts: list[Position[Any]],
        store: LayerStore,
        meter: Meter,
    ) -> None:
        super().__init__(game, packing, store)
        self._meter, self._expansion = meter, expansion
        self._starts = np.array([packing.pack(start) for start in starts], np.uint64)
        self._cores = available_cores()
        self._list = kernel(list_successors, successors=expansion.successors)
        self._find = kernel(find_parent, successors=expansion.successors)
        self._outcomes = [scratch(expansion.most, packing.words) for _ in range(self._cores)]
        self._expansions = max(1, _WORDS // (expansion.most * packing.words))
        self._rooms: list[tuple[Array, Array]] = []
        for layer in store.content.layers:
            if layer.positions * packing.words != layer.file.words:
                raise store.damage_error(layer.file.name, "size")
        self._runs = {file: self._open(file) for file in store.content.files}

    def prepare(self) -> None:
        rows = np.zeros((1, self.packing.words), np.uint64)
        self._list(self._expansion.data, rows[:0], rows, self._outcomes[0])
        self._find(self._expansion.data, rows[:0], rows[0], self._outcomes[0])
        sort_rows(rows, rows.copy())
        find_places(rows, rows, np.zeros(1, np.int64))
        mark_common(rows, rows, np.zeros(1, bool))

    def _open(self, file: WordFile) -> Run:
        """Return the run in a file, of which every STEP-th row is read."""
        rows = range(0, file.words // self.packing.words, _BLOCK)
        index = [self._read(file, row, _BLOCK)[::STEP].copy() for row in rows]  # a view would keep its block
        return self._run(file, np.concatenate([self._starts[:0], *index]))

    def _run(self, file: WordFile, index: Array) -> Run:
        return Run(
            lambda first, count: self._read(file, first, count), file.words // self.packing.words, index
        )

    def _read(self, file: WordFile, first: int, count: int) -> Array:
        words = self.packing.words
        return self.store.read(file, words * first, words * count).reshape(-1, words)

    def _layer_run(self, layer: int) -> Run:
        return self._runs[self.store.content.layers[layer].file]

    def _write(self, name: str, blocks: Iterator[Array]) -> Generator[int, None, WordFile]:
        """Write the rows of all blocks into a file."""
        index, before = [self._starts[:0]], 0
        with self.store.write(name) as writer:
            for rows in blocks:
                writer.write(rows)
                index.append(rows[-before % STEP :: STEP].copy())
                before += len(rows)
                yield self.count
            file = writer.finish()
        self._runs[file] = self._run(file, np.concatenate(index))
        return file

    def _write_next_layer(self) -> NextLayer:
        number, content = len(self.store.content.layers), self.store.content
        self._runs = {file: self._runs[file] for file in content.files}
        with thread_map(self._cores) as each:
            runs, transitions = yield from self._gather(number, each)
            seen = [self._runs[file] for file in content.seen]
            blocks = merge(runs, seen, each, self._cores) if runs else iter(())
            file = yield from self._write(f"{number:04}-layer", blocks)
            layer = DiskLayer(len(self._runs[file]), transitions, file)
            return layer, (yield from self._merge_seen(number, file, each))

    def _merge_seen(
        self, number: int, new: WordFile, each: Each
    ) -> Generator[int, None, tuple[WordFile, ...]]:
        """Merge a new layer with the seen files that are not much larger."""
        seen, small = list(self.store.content.seen), [new]
        while seen and seen[-1].words <= _RATIO * sum(file.words for file in small):
            small.append(seen.pop())
        if len(small) > 1 and new.words:
            self.store.check_room(WORD * sum(file.words for file in small))
            blocks = merge([self._runs[file] for file in small], (), each, self._cores)
            new = yield from self._write(f"{number:04}-seen", blocks)
        return *seen, new

    def _gather(self, number: int, each: Each) -> Generator[int, None, tuple[list[Run], int]]:
        """Return runs of the last layer's successors, and the number of outcomes; at first, a run of the starts."""
        if number == 0:
            rows = self._starts.copy()
            return [Run.of(rows[: sort_rows(rows, rows.copy())])], 0
        last, runs, spilled, transitions = self._layer_run(number - 1), list[Run](), list[Run](), 0
        step, buffer, used = self._expansions, self._make_buffer(), 0
        for first in range(0, len(last), step * self._cores):
            firsts = range(first, min(len(last), first + step * self._cores), step)
            if used + len(firsts) * step * self._expansion.most > len(buffer):
                blocks = merge(runs, (), each, self._cores)
                spilled.append(
                    self._runs[(yield from self._write(f"{number:04}-run-{len(spilled)}", blocks))]
                )
                runs, used = [], 0
            shares = [last.read(one, step) for one in firsts]
            self._make_rooms(len(shares), max(map(len, shares)))
            for rows, count in each(self._expand, shares, self._rooms, self._outcomes):
                runs.append(Run.of(buffer[used : used + len(rows)]))
                buffer[used : used + len(rows)] = rows
                used, transitions = used + len(rows), transitions + count
            yield self.count
        return runs + spilled, transitions

    def _make_buffer(self) -> Array:
        """Make room for successors in memory, in a quarter of what is left of it; MemoryError if that is too little."""
        words = min(_LARGEST, (self._meter.memory - memory_in_use()) // (4 * WORD))
        rows = words // self.packing.words
        if rows < self._cores * self._expansions * self._expansion.most:
            raise MemoryError
        return np.empty((rows, self.packing.words), np.uint64)

    def _make_rooms(self, count: int, states: int) -> None:
        """Make room for the successors of some states, for each of some threads."""
        shape = states * self._expansion.most, self.packing.words
        if len(self._rooms) < count or self._rooms[0][0].shape < shape:
            self._rooms = [(np.empty(shape, np.uint64), np.empty(shape, np.uint64)) for _ in range(count)]

    def _expand(self, states: Array, room: tuple[Array, Array], outcomes: Any) -> tuple[Array, int]:
        """Return the distinct successors of some states, sorted, and the number of outcomes; the next call overwrites them."""
        found, other = room
        count = int(self._list(self._expansion.data, states, found, outcomes))
        return found[: sort_rows(found[:count], other[:count])], count

    def place(self, layer: int, position: Position[Any]) -> int | None:
        if position.level != self.packing.level or not self.packing.fits(position):
            return None
        run, state = self._layer_run(layer), self.packing.pack(position)
        place = run.place(state)
        return place if np.array_equal(run.read(place, 1), state[np.newaxis]) else None

    def position(self, layer: int, place: int) -> Position[Any]:
        return self.packing.unpack(self._layer_run(layer).read(place, 1)[0])

    def state_blocks(self, layer: int) -> Iterator[Array]:
        run = self._layer_run(layer)
        for first in range(0, len(run), _BLOCK):
            yield run.read(first, _BLOCK)

    def _parent(self, layer: int, position: Position[Any]) -> Position[Any]:
        target = self.packing.pack(position)
        for states in self.state_blocks(layer):
            number = int(self._find(self._expansion.data, states, target, self._outcomes[0]))
            if number >= 0:
                return self.packing.unpack(states[number])
        raise GridproofError("a layer has no predecessor of a position of the next one")

"""n-tuple networks for 2048: patterns of cells, their weights, and files that hold them.

The value of an afterstate estimates the points that follow. It is the sum of the weights that tuples of cells look up, on the
board itself and on its turned and mirrored images.
"""

from __future__ import annotations

import functools
import itertools
import json
import lzma
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.representation import Representable
from gridproof.core.text.files import open_atomic_bytes
from gridproof.core.text.phrases import format_count, short_repr

if TYPE_CHECKING:
    import numpy as np

    from gridproof.games.twenty48.kernel.network import NetworkKernels, Tables
    from gridproof.games.twenty48.rules import Level

    Array = np.ndarray[Any, Any]

SYMBOLS = 16
"""A cell is empty, or has one of the tiles from 2 to 32768; larger tiles count as 32768."""
MOST_CELLS = 7
"""The most cells of a tuple: a table of 7 cells takes a gigabyte."""
_SIDES = range(2, 6)
_DIGITS = "0123456789abcdefghijklmno"
_FORMAT = "gridproof network of 2048"
_STEPS = 8_000
"""Steps between 0 and the largest weight of a file with small numbers."""

_DEFECTS = (
    zipfile.BadZipFile,
    lzma.LZMAError,
    zlib.error,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    EOFError,
    RuntimeError,
    MemoryError,
)
"""Errors of files that are no archives, or have other members; ValueError: also a NUL character in the name.

MemoryError: the size in the head of an array is wrong.
"""

Tuples = tuple[tuple[int, ...], ...]


def parse_tuples(text: str, width: int, height: int) -> Tuples:
    """Parse tuples of cells, such as "0123 0145": a digit a cell in reading order, then a, b, ... o.

    Raises
    ------
    GridproofError
        When a tuple has no cells, more than seven, one twice, or one that is not on the board.
    """
    return check_tuples([[_DIGITS.find(digit) for digit in word] for word in text.split()], width, height)


def check_tuples(tuples: Iterable[Sequence[int]], width: int, height: int) -> Tuples:
    """Return the tuples with their cells in order; GridproofError for one that is not on a board of this size."""
    if width not in _SIDES or height not in _SIDES:
        raise GridproofError(f"a network is for boards from 2x2 to 5x5, not {width}x{height}")
    found = []
    for cells in tuples:
        text = write_tuples([cells])
        if not 1 <= len(cells) <= MOST_CELLS or len(set(cells)) < len(cells):
            raise GridproofError(f"tuple {text}: it must have 1 to {MOST_CELLS} different cells")
        if not all(0 <= cell < width * height for cell in cells):
            raise GridproofError(f"tuple {text}: the board of {width}x{height} has no such cell")
        found.append(tuple(sorted(cells)))
    if not found:
        raise GridproofError("a network needs at least one tuple")
    return tuple(found)


def write_tuples(tuples: Iterable[Sequence[int]]) -> str:
    """Write tuples as a text."""
    return " ".join("".join(_DIGITS[cell] if 0 <= cell < 25 else "?" for cell in cells) for cells in tuples)


def parse_stages(text: str) -> tuple[int, ...]:
    """Parse tiles, such as "2048 8192"; GridproofError unless they rise from 4 to 32768."""
    words = text.split()
    stages = tuple(int(word) if word.isascii() and word.isdigit() and len(word) < 6 else 0 for word in words)
    if 0 in stages:
        raise GridproofError(f"stages {short_repr(text)}: they must be tiles, such as 2048 8192")
    check_stages(stages)
    return stages


def check_stages(stages: Sequence[int]) -> None:
    """Raise GridproofError unless these are tiles from 4 to 32768, rising."""
    tiles = [1 << exponent for exponent in range(2, SYMBOLS)]
    if any(tile not in tiles for tile in stages) or any(a >= b for a, b in itertools.pairwise(stages)):
        raise GridproofError(
            f"stages {short_repr(' '.join(map(str, stages)))}: they must be rising tiles from 4 to {tiles[-1]}"
        )


def usual_tuples(width: int, height: int) -> Tuples:
    """Return tuples for a board: four-cell rows or parts of them, and two-by-two squares, up to symmetry."""
    span = min(width, 4)
    rows = [
        [row * width + x for x in range(first, first + span)]
        for row in range(height)
        for first in range(width - span + 1)
    ]
    squares = [
        [corner, corner + 1, corner + width, corner + width + 1]
        for row in range(height - 1)
        for corner in range(row * width, row * width + width - 1)
    ]
    found = dict[frozenset[tuple[int, ...]], tuple[int, ...]]()
    for cells in rows + squares:
        images = frozenset(tuple(sorted(image[cell] for cell in cells)) for image in images_of(width, height))
        found.setdefault(images, tuple(cells))
    return tuple(found.values())


@functools.cache
def images_of(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """Return the symmetries of a board: for each image the cell that stands in each place."""
    whole = [[row * width + x for x in range(width)] for row in range(height)]
    found = list[list[list[int]]]()
    for _ in range(2 if width == height else 1):
        mirrored = [row[::-1] for row in whole]
        found += [whole, whole[::-1], mirrored, mirrored[::-1]]
        whole = [list(column) for column in zip(*whole, strict=True)]
    return tuple(tuple(itertools.chain(*rows)) for rows in found)


@dataclass(frozen=True, eq=False, repr=False)
class Network(Representable):
    """A network of tuples for boards of one size.

    Parameters
    ----------
    width, height : int
        From 2 to 5.
    tuples : sequence of sequences of int
        Cells in reading order, up to seven a tuple.
    weights : float32 array (n,), optional
        The tables of the tuples, one after the other: 16^k weights for k cells. The first cell of a tuple has the lowest digit
        of the weight's number. Those of each stage follow. Zeros by default.
    facts : mapping
        How it was made, as JSON has it.
    stages : tuple of int
        Tiles, rising: with each a stage of the game begins, which has weights of its own (I.-C. Wu et al., "Multi-stage
        temporal difference learning for 2048", TAAI 2014).

    Raises
    ------
    GridproofError
        For other sizes, tuples or weights.
    """

    width: int
    height: int
    tuples: Tuples
    weights: Array = None  # type: ignore[assignment]  # made below
    facts: Mapping[str, Any] = field(default_factory=dict)
    stages: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        import numpy as np

        object.__setattr__(self, "tuples", check_tuples(self.tuples, self.width, self.height))
        check_stages(self.stages)
        size = sum(self.sizes) * (1 + len(self.stages))
        weights = np.zeros(size, np.float32) if self.weights is None else self.weights
        if weights.shape != (size,) or weights.dtype != np.float32:
            raise GridproofError(
                f"the weights must be float32 ({size},), not {weights.dtype} {weights.shape}"
            )
        object.__setattr__(self, "weights", weights)

    @property
    def sizes(self) -> list[int]:
        """The number of weights of each tuple, in each stage."""
        return [SYMBOLS ** len(cells) for cells in self.tuples]

    def __str__(self) -> str:
        size = f"{self.width}x{self.height}"
        return f"a network of {format_count(len(self.tuples), 'tuples')} for boards of {size}: {write_tuples(self.tuples)}"

    def _summary(self) -> str:
        return f"<Network {self.width}x{self.height} of 2048: {write_tuples(self.tuples)}>"

    @functools.cached_property
    def tables(self) -> Tables:
        """The network for kernels."""
        import numpy as np

        from gridproof.games.twenty48.kernel.network import Tables

        firsts = [sum(self.sizes[:number]) for number in range(len(self.tuples))]
        lookups = [
            (first, *(image[cell] for cell in cells))
            for image in images_of(self.width, self.height)
            for first, cells in zip(firsts, self.tuples, strict=True)
        ]
        table = np.full((len(lookups), max(map(len, lookups))), -1, np.int64)
        for number, lookup in enumerate(lookups):
            table[number, : len(lookup)] = lookup
        begins = [
            (tile.bit_length() - 1, number * sum(self.sizes)) for number, tile in enumerate(self.stages, 1)
        ]
        return Tables(self.weights, table, np.array(begins, np.int64).reshape(-1, 2))

    def add_stage(self, tile: int) -> Network:
        """Return the network with one more stage, which begins with this tile, and with the weights of the one before it."""
        import numpy as np

        last = self.weights[-sum(self.sizes) :]
        return replace(self, weights=np.concatenate([self.weights, last]), stages=(*self.stages, tile))

    @functools.cached_property
    def kernels(self) -> NetworkKernels:
        """The kernels of the pattern."""
        from gridproof.games.twenty48.kernel.network import network_kernels

        if (self.width, self.height) != (4, 4):
            return network_kernels(None)
        runs = [_runs_of(cells) for cells in self.tuples]
        most = max(map(len, runs))
        firsts = (sum(self.sizes[:number]) for number in range(len(runs)))
        full = (cuts + [(0, 0)] * (most - len(cuts)) for cuts in runs)
        return network_kernels(
            tuple((first, *itertools.chain(*cuts)) for first, cuts in zip(firsts, full, strict=True))
        )

    def check_level(self, level: Level) -> None:
        """Raise GridproofError if the network is for boards of another size than the level's."""
        if (level.width, level.height) != (self.width, self.height):
            own = f"{self.width}x{self.height}"
            raise GridproofError(
                f"the network is for boards of {own}, not {level.width}x{level.height}: train one, and give its file"
            )

    def parts(self, exponents: Sequence[int]) -> list[float]:
        """Return what each tuple adds to the value of an afterstate, by the exponents of its cells in reading order."""
        stage = sum(max(exponents) >= tile.bit_length() - 1 for tile in self.stages)
        first, found = stage * sum(self.sizes), []
        for cells, size in zip(self.tuples, self.sizes, strict=True):
            total = 0.0
            for image in images_of(self.width, self.height):
                number = sum(
                    min(exponents[image[cell]], SYMBOLS - 1) * SYMBOLS**place
                    for place, cell in enumerate(cells)
                )
                total += float(self.weights[first + number])
            found.append(total)
            first += size
        return found

    def value(self, exponents: Sequence[int]) -> float:
        """Return the value of an afterstate, by the exponents of its cells in reading order."""
        return sum(self.parts(exponents))


def pack_board(cells: Iterable[int]) -> Array:
    """Return the words of a board for a network: 4 bits a cell, 15 for 32768 and larger tiles."""
    from gridproof.games.twenty48.kernel.cells import NIBBLES
    from gridproof.games.twenty48.kernel.packing import pack_cells

    return pack_cells([min(tile, 1 << SYMBOLS - 1) for tile in cells], NIBBLES)


def _runs_of(cells: Sequence[int]) -> list[tuple[int, int]]:
    """Return shift and mask of each run of cells of a tuple, in a word with 4 bits a cell."""
    runs = list[tuple[int, int]]()
    for place, cell in enumerate(cells):
        shift, mask = 4 * (cell - place), 15 << 4 * place
        if runs and runs[-1][0] == shift:
            runs[-1] = shift, runs[-1][1] | mask
        else:
            runs.append((shift, mask))
    return runs


def save_network(path: Path, network: Network, arrays: Mapping[str, Array] | None = None) -> None:
    """Write a network with float32 weights, and further arrays; the old file is replaced at the end."""
    _save(path, network, {"weights": network.weights, **(arrays or {})}, zipfile.ZIP_STORED)


def save_small_network(path: Path, network: Network) -> None:
    """Write a network in few bytes: weights are rounded to steps of their largest size by 8,000, and packed."""
    import numpy as np

    step = float(np.abs(network.weights).max()) / _STEPS or 1.0
    steps = np.rint(network.weights / step).astype(np.int16).view(np.uint16)
    halves = {"low": (steps & 255).astype(np.uint8), "high": (steps >> 8).astype(np.uint8)}
    _save(path, network, {**halves, "step": np.float64(step)}, zipfile.ZIP_LZMA)


def _save(path: Path, network: Network, arrays: Mapping[str, Any], packing: int) -> None:
    import numpy as np

    facts = {
        "format": _FORMAT,
        "width": network.width,
        "height": network.height,
        "tuples": write_tuples(network.tuples),
        **({"stages": network.stages} if network.stages else {}),
        **network.facts,
    }
    with open_atomic_bytes(path) as file, zipfile.ZipFile(file, "w", packing) as package:
        package.writestr(zipfile.ZipInfo("facts.json"), json.dumps(facts, indent=1))
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy")
            entry.compress_type = packing
            with package.open(entry, "w", force_zip64=True) as out:
                np.lib.format.write_array(out, np.asanyarray(array), allow_pickle=False)


def load_network(path: Path) -> Network:
    """Read a network from a file; GridproofError when it has none."""
    return load_arrays(path)[0]


def load_arrays(path: Path) -> tuple[Network, Mapping[str, Array]]:
    """Read a network from a file, and the further arrays."""
    try:
        with zipfile.ZipFile(path) as package:
            facts = json.loads(package.read("facts.json"))
            arrays = {
                name.removesuffix(".npy"): _read_array(package, name)
                for name in package.namelist()
                if name.endswith(".npy")
            }
        if facts.pop("format") != _FORMAT:
            raise ParseError("it has no network of 2048")
        width, height = facts.pop("width"), facts.pop("height")
        tuples, stages = parse_tuples(facts.pop("tuples"), width, height), tuple(facts.pop("stages", ()))
        weights = arrays.pop("weights") if "weights" in arrays else _join_halves(arrays)
        check_finite(weights)
    except OSError as error:
        raise GridproofError(f"{path}: {error.strerror or error}") from None
    except _DEFECTS as error:
        raise GridproofError(f"{path}: it has no network of 2048: {short_repr(str(error))}") from None
    return Network(width, height, tuples, weights, facts, stages), arrays


def check_finite(array: Array) -> None:
    """Raise ValueError if a number of an array is not finite."""
    import numpy as np

    if not np.isfinite([array.min(), array.max()]).all():
        raise ValueError("a number is not finite")


def _read_array(package: zipfile.ZipFile, name: str) -> Array:
    import numpy as np

    with package.open(name) as file:
        found: Array = np.lib.format.read_array(file, allow_pickle=False)
        return found


def _join_halves(arrays: dict[str, Array]) -> Array:
    import numpy as np

    steps = arrays.pop("low").astype(np.uint16) | (arrays.pop("high").astype(np.uint16) << 8)
    found: Array = steps.view(np.int16) * np.float32(arrays.pop("step"))
    return found

"""Observations of environments: symbols, planes, or text, with or without the mask."""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from gridproof.core.errors import GridproofError
from gridproof.core.position import Position
from gridproof.envs.game_batch import Array, Games
from gridproof.kernels.compile import Hole, borrowing, inlined

U = np.uint64

KINDS = ("symbols", "planes", "text")
_BITS = {1: np.uint8, 2: np.uint16, 4: np.uint32}
"""Types of the bits of numbers of so many bytes: numba knows no float16."""
LANES = 32
"""Cells that the processor compares at once."""
_CHARACTERS = string.printable
_TEXT_FACTOR = 4  # times the longest start's text: numbers of 2048 grow

Positions = Callable[[], Iterable[Position[Any]]]


def check_kind(kind: str, kinds: Sequence[str] = KINDS) -> None:
    """Check that there is this kind of observation; GridproofError without one."""
    if kind not in kinds:
        raise GridproofError(f"no observation {kind!r}: there are {', '.join(kinds)}")


class Observer:
    """Turns symbols of a kernel into observations of one kind; GridproofError for an unknown kind.

    "symbols": uint8, in the shape of the board. "planes": uint8 (symbols, height, width), 1 at each place of a symbol.
    "text": the position's canonical text. With the mask, {"observation": ..., "action_mask": int8 (actions,)}.
    """

    kinds: Sequence[str] = KINDS

    def __init__(self, games: Games, kind: str, with_mask: bool) -> None:
        check_kind(kind, self.kinds)
        self._kind, self._with_mask = kind, with_mask
        self._shape = games.shape
        self._most = games.symbols
        seen = self._space(games)
        actions = spaces.MultiBinary(len(games.actions))
        mask = spaces.Box(0, 1, actions.shape, np.int8)
        self.space: spaces.Space[Any] = (
            spaces.Dict({"observation": seen, "action_mask": mask}) if with_mask else seen
        )

    def _space(self, games: Games) -> spaces.Space[Any]:
        if self._kind == "symbols":
            return spaces.Box(0, self._most - 1, self._shape, np.uint8)
        if self._kind == "planes":
            return spaces.Box(0, 1, self._planes(np.zeros((1, *self._shape), np.uint8)).shape[1:], np.uint8)
        longest = max(len(level.start().text()) for level in games.levels)
        return spaces.Text(_TEXT_FACTOR * longest, charset=_CHARACTERS)

    def _planes(self, symbols: Array, out: Array | None = None) -> Array:
        """Return one plane for each symbol; for cells of several symbols, planes for each of them."""
        rows, columns = (*self._shape, 1)[:2] if len(self._shape) > 1 else (1, self._shape[0])
        games, cells = len(symbols), rows * columns
        parts = math.prod(self._shape) // cells
        if out is None:
            out = np.empty((games, parts * self._most, rows, columns), np.uint8)
        bits = out.view(_BITS[out.dtype.itemsize])
        one = np.ones(1, out.dtype).view(bits.dtype)[0]
        if parts == 1:
            _compare(symbols.reshape(games * cells), one, bits.reshape(games, self._most, cells))
        else:
            planes = bits.reshape(games, parts, self._most, cells)
            _scatter(symbols.reshape(games, cells, parts), one, planes)
        return out

    def check_output(self, buffer: Any, games: int) -> Array:
        """Return the user's buffer for the observations of a batch as an array that shares its memory.

        GridproofError when it has another shape or type, or cannot be written.
        """
        if self._kind == "text":
            raise GridproofError("texts cannot be written into an array")
        space: Any = self.space["observation"] if isinstance(self.space, spaces.Dict) else self.space
        array = np.asarray(buffer) if hasattr(buffer, "__array__") else np.from_dlpack(buffer)
        names = ("uint8", "float16", "float32") if self._kind == "planes" else ("uint8",)
        if array.shape != (games, *space.shape) or array.dtype.name not in names:
            raise GridproofError(
                f"an array of {(games, *space.shape)} and {' or '.join(names)} is needed, not "
                f"{array.shape} and {array.dtype.name}"
            )
        if not (array.flags.c_contiguous and array.flags.writeable):
            raise GridproofError("the array must be contiguous and writable")
        return array

    def observe_batch(
        self, symbols: Array, masks: Array, positions: Positions, out: Array | None = None
    ) -> Any:
        """Return the observations of a batch, from uint8 (games, symbols) and uint8 (games, actions).

        They are written into `out`, as `check_output` returns it, if it is given.
        """
        seen = self._see(symbols, positions, out)
        return {"observation": seen, "action_mask": masks.astype(np.int8)} if self._with_mask else seen

    def _see(self, symbols: Array, positions: Positions, out: Array | None) -> Any:
        """Return the observations without masks."""
        if self._kind == "text":
            return tuple(position.text() for position in positions())
        board = symbols.reshape(len(symbols), *self._shape)
        if self._kind == "planes":
            return self._planes(board, out)
        if out is None:
            return board
        out[...] = board
        return out

    def select(self, seen: Any, number: int) -> Any:
        """Return a copy of the observation of one game of a batch."""
        if self._with_mask:
            one, mask = self._single(seen["observation"], number), seen["action_mask"][number].copy()
            return {"observation": one, "action_mask": mask}
        return self._single(seen, number)

    def _single(self, seen: Any, number: int) -> Any:
        return seen[number] if self._kind == "text" else seen[number].copy()


lanes: Any = Hole()


def compare_game(symbols: Any, one: Any, out: Any, most: Any, cells: Any, game: Any) -> None:
    """Write the planes of a game from the first to the last, each so long that `lanes` divides its length."""
    width = (cells + lanes - 1) // lanes * lanes
    seen = symbols[game * cells : game * cells + width]
    for symbol in range(most):
        at = (game * most + symbol) * cells
        plane = out[at : at + width]
        for place in range(width):
            plane[place] = (seen[place] == np.uint8(symbol)) * one


_compare_wide = inlined(compare_game, lanes=LANES)
_compare_exact = inlined(compare_game, lanes=1)


@borrowing
def _compare(symbols: Any, one: Any, out: Any) -> None:
    """Write planes, bits (games, symbols, cells), of uint8 (games * cells,); `one` is the bits of 1.

    The processor compares many cells at once where the compiler knows that `LANES` divides their number. So a plane goes
    on into the next one, which is written afterwards; except in the last games, where the arrays would end.
    """
    games, most, cells = out.shape
    flat = out.reshape(games * most * cells)
    last = max(games - (cells + LANES - 2) // cells, 0)
    for game in range(last):
        _compare_wide(symbols, one, flat, most, cells, game)
    for game in range(last, games):
        _compare_exact(symbols, one, flat, most, cells, game)


@borrowing
def _scatter(symbols: Any, one: Any, out: Any) -> None:
    """Write planes, bits (games, parts, symbols, cells), of uint8 (games, cells, parts): a few ones among zeros."""
    games, parts, cells = out.shape[0], out.shape[1], out.shape[3]
    for game in range(U(games)):
        planes = out[game]
        planes[:] = 0
        for cell in range(U(cells)):
            for part in range(U(parts)):
                planes[part, U(symbols[game, cell, part]), cell] = one

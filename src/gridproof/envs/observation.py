"""Observations of environments: symbols, planes, or text, with or without the mask."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from gymnasium import spaces

from gridproof.core.errors import GridproofError
from gridproof.core.position import Position
from gridproof.envs.game_batch import Array, Games

KINDS = ("symbols", "planes", "text")
_CHARACTERS = string.printable
_TEXT_FACTOR = 4  # times the longest start's text: numbers of 2048 grow

Positions = Callable[[], Iterable[Position[Any]]]


class Observer:
    """Turns symbols of a kernel into observations of one kind; GridproofError for an unknown kind.

    "symbols": uint8, in the shape of the board. "planes": uint8 (symbols, height, width), 1 at each place of a symbol.
    "text": the position's canonical text. With the mask, {"observation": ..., "action_mask": int8 (actions,)}.
    """

    def __init__(self, games: Games, kind: str, with_mask: bool) -> None:
        if kind not in KINDS:
            raise GridproofError(f"no observation {kind!r}: there are {', '.join(KINDS)}")
        self._kind, self._with_mask = kind, with_mask
        self._shape = games.shape
        self._most = games.symbols
        self._of_symbol = np.eye(self._most, dtype=np.uint8)
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

    def _planes(self, symbols: Array) -> Array:
        """Return one plane for each symbol; for cells of several symbols, planes for each of them."""
        whole = self._of_symbol[symbols]
        rows, columns = (*self._shape, 1)[:2] if len(self._shape) > 1 else (1, self._shape[0])
        flat = whole.reshape(len(symbols), rows, columns, -1)
        return np.ascontiguousarray(np.moveaxis(flat, -1, 1))

    def observe_batch(self, symbols: Array, masks: Array, positions: Positions) -> Any:
        """Return the observations of a batch, from uint8 (games, symbols) and uint8 (games, actions)."""
        if self._kind == "text":
            seen: Any = tuple(position.text() for position in positions())
        else:
            board = symbols.reshape(len(symbols), *self._shape)
            seen = board if self._kind == "symbols" else self._planes(board)
        return {"observation": seen, "action_mask": masks.astype(np.int8)} if self._with_mask else seen

    def select(self, seen: Any, number: int) -> Any:
        """Return a copy of the observation of one game of a batch."""
        if self._with_mask:
            one, mask = self._single(seen["observation"], number), seen["action_mask"][number].copy()
            return {"observation": one, "action_mask": mask}
        return self._single(seen, number)

    def _single(self, seen: Any, number: int) -> Any:
        return seen[number] if self._kind == "text" else seen[number].copy()

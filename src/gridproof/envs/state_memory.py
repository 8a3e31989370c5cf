"""Memory of an environment's mutable arrays: one block, so that one copy saves or restores all of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Form = tuple[tuple[int, ...], type]
"""Shape and type of an array."""
_LINE = 64
"""Bytes of a cache line: each array begins with one."""


class StateMemory:
    """Arrays of zeros in one block of memory."""

    def __init__(self, forms: Sequence[Form]) -> None:
        self.forms = tuple((tuple(shape), np.dtype(kind).str) for shape, kind in forms)
        """Shape and type of each array."""
        sizes = [math.prod(shape) * np.dtype(kind).itemsize for shape, kind in forms]
        places = [0]
        for size in sizes:
            places.append(places[-1] + -(-size // _LINE) * _LINE)
        room = np.zeros(places[-1] + _LINE, np.uint8)
        first = -room.ctypes.data % _LINE
        block = room[first : first + places[-1]]
        self.arrays: tuple[Array, ...] = tuple(
            block[place : place + size].view(kind).reshape(shape)
            for place, size, (shape, kind) in zip(places, sizes, forms, strict=False)
        )
        """The arrays, in the order of their forms."""
        self._bytes = block.data

    def save(self) -> bytes:
        """Return the content of all arrays."""
        return bytes(self._bytes)

    def restore(self, saved: bytes) -> None:
        """Restore content that arrays of the same forms have saved."""
        self._bytes[:] = saved

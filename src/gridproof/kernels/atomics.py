# mypy: disallow-untyped-calls=False
"""Atomic operations on arrays that several threads read and write at once.

The order of one thread's writes holds for another one that has loaded, or added to, what was stored after them.
"""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]  # it has no types
from numba.core import cgutils, config, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from gridproof.kernels.digest import Instructions

_WORD = 8
_X86, _ARM = ("x86_64", "AMD64"), ("aarch64", "arm64")


def _in_machine_code(plain: Callable[..., Any]) -> Callable[[Any], Any]:
    """Replace plain Python by machine instructions; with NUMBA_DISABLE_JIT=1 keep it, for one thread.

    `plain` of the result is the plain Python.
    """
    interpreted = getattr(config, "DISABLE_JIT", False)

    def replace(written: Any) -> Any:
        made: Any = Instructions(plain) if interpreted else intrinsic(written)
        made.plain = plain
        return made

    return replace


def _address(context: Any, builder: Any, array: Any, values: Any) -> Any:
    """Return the address of the item of that number."""
    data = make_array(array)(context, builder, values[0]).data
    return builder.gep(data, [values[1]])


def _plain_load(array: Any, place: int) -> Any:
    return array[place]


@_in_machine_code(_plain_load)
def load(typing: Any, array: Any, place: Any) -> Any:
    """Load the item at a place of an int64 array, with all that was written before it was stored."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.load_atomic(_address(context, builder, signature.args[0], values), "acquire", _WORD)

    return types.int64(array, types.int64), generate


def _plain_store(array: Any, place: int, value: int) -> None:
    array[place] = value


@_in_machine_code(_plain_store)
def store(typing: Any, array: Any, place: Any, value: Any) -> Any:
    """Store a value at a place of an int64 array, after all that was written before."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        where = _address(context, builder, signature.args[0], values)
        builder.store_atomic(values[2], where, "release", _WORD)
        return context.get_dummy_value()

    return types.none(array, types.int64, types.int64), generate


def _plain_add(array: Any, place: int, value: int) -> Any:
    array[place] += value
    return array[place] - value


@_in_machine_code(_plain_add)
def add(typing: Any, array: Any, place: Any, value: Any) -> Any:
    """Add to the item at a place of an int64 array; return the one before."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        where = _address(context, builder, signature.args[0], values)
        return builder.atomic_rmw("add", where, values[2], "acq_rel")

    return types.int64(array, types.int64, types.int64), generate


def _plain_unite(array: Any, place: int, bits: Any) -> Any:
    array[place] |= bits
    return array[place]


@_in_machine_code(_plain_unite)
def unite(typing: Any, array: Any, place: Any, bits: Any) -> Any:
    """Set bits of the item at a place of a uint64 array; the result has no meaning."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        where = _address(context, builder, signature.args[0], values)
        return builder.atomic_rmw("or", where, values[2], "monotonic")

    return types.uint64(array, types.uint64, types.uint64), generate


def _plain_rest() -> None:
    """Do nothing: there is nobody to wait for."""


@_in_machine_code(_plain_rest)
def rest(typing: Any) -> Any:
    """Wait some tens of processor cycles."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        nothing = ir.VoidType()
        if platform.machine() in _X86:
            pause = ir.FunctionType(nothing, [])
            builder.call(cgutils.get_or_insert_function(builder.module, pause, "llvm.x86.sse2.pause"), [])
        elif platform.machine() in _ARM:
            hint = ir.FunctionType(nothing, [ir.IntType(32)])
            function = cgutils.get_or_insert_function(builder.module, hint, "llvm.aarch64.hint")
            builder.call(function, [ir.Constant(ir.IntType(32), 1)])  # yield
        return context.get_dummy_value()

    return types.none(), generate


def _plain_prefetch(array: Any, place: int) -> None:
    """Do nothing: it makes no difference but for the time."""


@_in_machine_code(_plain_prefetch)
def prefetch(typing: Any, array: Any, place: Any) -> Any:
    """Fetch the item at a place of a one-dimensional array into the cache, without waiting for it."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = make_array(signature.args[0])(context, builder, values[0]).data
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        there = builder.bitcast(builder.gep(data, [values[1]]), byte)
        builder.call(function, [there, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.none(array, types.int64), generate


def _plain_copy(array: Any, first: int, last: int, to: int) -> None:
    ctypes.memmove(int(to + first), array.ctypes.data + int(first), int(last - first))


@_in_machine_code(_plain_copy)
def copy_bytes(typing: Any, array: Any, first: Any, last: Any, to: Any) -> Any:
    """Copy the bytes from `first` to `last` of a contiguous array into another one at an address."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        bytes_of = ir.IntType(8).as_pointer()
        data = make_array(signature.args[0])(context, builder, values[0]).data
        here = builder.gep(builder.bitcast(data, bytes_of), [values[1]])
        there = builder.gep(builder.inttoptr(values[3], bytes_of), [values[1]])
        cgutils.raw_memcpy(builder, there, here, builder.sub(values[2], values[1]), 1)
        return context.get_dummy_value()

    return types.none(array, types.int64, types.int64, types.int64), generate


_C_TYPES: dict[type, Any] = {bool: ctypes.c_bool, float: ctypes.c_double}


def _plain_put(value: bool | float, place: int, to: int) -> None:
    of_c = _C_TYPES[type(value)]
    of_c.from_address(int(to) + int(place) * ctypes.sizeof(of_c)).value = value


@_in_machine_code(_plain_put)
def put(typing: Any, value: Any, place: Any, to: Any) -> Any:
    """Store a bool or float at a place of an array of the same type at an address."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        item = context.get_data_type(signature.args[0])
        there = builder.gep(builder.inttoptr(values[2], item.as_pointer()), [values[1]])
        context.pack_value(builder, signature.args[0], values[0], there)
        return context.get_dummy_value()

    return types.none(value, types.int64, types.int64), generate

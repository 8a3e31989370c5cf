"""Kernels as plain Python, for debuggers, coverage and comparison."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from gridproof.kernels.game import GameKernel


def to_python(compiled: Any) -> Callable[..., Any]:
    """Return a kernel as a plain function; the kernels that it calls are plain as well."""
    function: Callable[..., Any] = np.errstate(over="ignore")(_plain(compiled.py_func, {}))
    return function


def kernel_to_python(kernel: GameKernel) -> GameKernel:
    """Return a game's kernel with plain functions for compiled ones."""
    plain: GameKernel = _value(kernel)
    return plain


def _value(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _value(item) for name, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = {item.name: _value(getattr(value, item.name)) for item in dataclasses.fields(value)}
        return dataclasses.replace(value, **parts)
    return to_python(value) if hasattr(value, "py_func") else value


def _plain(function: types.FunctionType, done: dict[Any, types.FunctionType]) -> types.FunctionType:
    if function not in done:
        scope = dict(function.__globals__)
        twin = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
        twin.__kwdefaults__ = function.__kwdefaults__
        done[function] = twin
        for name in function.__code__.co_names:
            inner = getattr(scope.get(name), "py_func", None)
            if inner is not None:
                scope[name] = _plain(inner, done)
    return done[function]

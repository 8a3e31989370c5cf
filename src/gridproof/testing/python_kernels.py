"""Kernels as plain Python: to step through them, to measure what tests reach, to compare both."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from gridproof.kernels.game import GameKernel


def interpreted(compiled: Any) -> Callable[..., Any]:
    """The plain function of a kernel, in which all kernels that it calls are plain as well."""
    function: Callable[..., Any] = np.errstate(over="ignore")(_plain(compiled.py_func, {}))
    return function


def interpreted_game(kernel: GameKernel) -> GameKernel:
    """A game's kernel with plain functions for compiled ones."""
    values = {item.name: _value(getattr(kernel, item.name)) for item in dataclasses.fields(kernel)}
    return dataclasses.replace(kernel, **values)


def _value(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _value(item) for name, item in value.items()}
    return interpreted(value) if hasattr(value, "py_func") else value


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

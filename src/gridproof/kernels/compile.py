"""`kernel`: one generic template, specialised per game, compiled by numba, cached on disk, never stale.

A template is a plain Python function some of whose global names are holes. `kernel(template, hole=...)`
copies it with the holes bound, and puts a digest of everything it reaches into its qualified name:
bytecode with nested code, constants, global arrays, enumerations, callees through all files. Numba's
cache on disk knows functions by that name, so it is hit exactly when nothing reachable has changed.
What cannot be digested is refused, never ignored.
"""

from __future__ import annotations

import enum
import hashlib
import math
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import config

_OPAQUE_MODULES = (np, math, numba)
"""Their versions are part of the digest; they are not looked into."""

_PLAIN = (bool, int, float, complex, str, bytes, np.generic)


class Hole:
    """What a template's hole is until it is bound: `successors: Any = Hole()`."""


class _Digest:
    """Folds everything that a function reaches into one number."""

    def __init__(self) -> None:
        self._hash = hashlib.blake2s(f"{np.__version__} {numba.__version__}".encode(), digest_size=8)
        self._seen: set[types.FunctionType] = set()

    def text(self) -> str:
        return self._hash.hexdigest()

    def _add(self, what: str, value: object) -> None:
        self._hash.update(f"{what}:{value}\0".encode())

    def function(self, function: types.FunctionType) -> None:
        """A function with its defaults, its code, and all that its names mean."""
        if function in self._seen:
            self._add("again", function.__name__)
            return
        self._seen.add(function)
        if function.__closure__:
            raise TypeError(f"{function.__qualname__} is a closure: bind globals instead")
        self.value("defaults", function.__defaults__ or ())
        self.value("keyword defaults", tuple(sorted((function.__kwdefaults__ or {}).items())))
        for code in _codes(function.__code__):
            self._code(code, function.__globals__)

    def _code(self, code: types.CodeType, scope: dict[str, Any]) -> None:
        self._hash.update(code.co_code)
        self._hash.update(code.co_exceptiontable)
        self._add("names", (code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars))
        for i, constant in enumerate(code.co_consts):
            if not isinstance(constant, types.CodeType):
                self.value(f"constant {i}", constant)
        for name in code.co_names:
            if name not in scope:
                continue
            if isinstance(scope[name], types.ModuleType):
                self._module(name, scope[name], code.co_names)
            else:
                self.value(name, scope[name])

    def _module(self, name: str, module: types.ModuleType, names: tuple[str, ...]) -> None:
        """Of a module of ours, the attributes that the code's names can mean."""
        if module in _OPAQUE_MODULES:
            return
        for attribute in names:
            if hasattr(module, attribute):
                self.value(f"{name}.{attribute}", getattr(module, attribute))

    def value(self, name: str, value: object) -> None:
        """A constant, or what a global name means."""
        function = getattr(value, "py_func", value)  # of a kernel, compiled or not
        if isinstance(function, types.FunctionType):
            self.function(function)
        elif isinstance(value, np.ndarray):
            self._add(name, f"{value.dtype.str} {value.shape}")
            self._hash.update(np.ascontiguousarray(value).tobytes())
        elif isinstance(value, (tuple, list)):
            self._add(name, f"{type(value).__name__} of {len(value)}")
            for i, item in enumerate(value):
                self.value(f"{name}[{i}]", item)
        elif isinstance(value, type):
            self._type(name, value)
        else:
            self._add(name, _written(name, value))

    def _type(self, name: str, value: type) -> None:
        if issubclass(value, enum.Enum):
            self._add(name, [(member.name, member.value) for member in value])
        elif hasattr(value, "_fields"):
            self._add(name, (value.__name__, value._fields))
        elif value.__module__ in ("builtins", "numpy"):
            self._add(name, value.__name__)
        else:
            raise TypeError(f"a kernel reaches {name}, the class {value.__name__}: it cannot be digested")


def _written(name: str, value: object) -> str:
    """A value without parts, in full."""
    kind = type(value).__name__
    if isinstance(value, Hole):
        raise TypeError(f"a kernel's hole is not bound: {name}")
    if value is None or value is Ellipsis or isinstance(value, _PLAIN):
        return f"{kind}={value!r}"
    if isinstance(value, frozenset):
        return f"{kind}={sorted(map(repr, value))}"  # not in the order of the process's hash seed
    if isinstance(value, types.BuiltinFunctionType):
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, numba.types.Type):
        return str(value)
    raise TypeError(f"a kernel reaches {name}, a {kind}: it cannot be digested, its cache could go stale")


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object and those nested in it: comprehensions, inner functions."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def kernel(template: Callable[..., Any], **bindings: object) -> Any:
    """The compiled template, with some of its global names bound to other kernels or constants.

    Used as a decorator, or as `kernel(template, successors=..., ...)`. Numbers and arrays that it
    reaches are constants of the compiled code. Compiled when first called with new argument types;
    in later processes found on disk, beside the template's file or in the user's cache folder.

    Raises
    ------
    TypeError
        When it is a closure, or reaches what cannot be digested.
    """
    source = _plain(template)
    scope = {**source.__globals__, **bindings} if bindings else source.__globals__
    function = types.FunctionType(source.__code__, scope, source.__name__, source.__defaults__)
    function.__kwdefaults__ = source.__kwdefaults__
    digest = _Digest()
    digest.function(function)
    function.__module__, function.__doc__ = source.__module__, source.__doc__
    function.__qualname__ = f"{source.__qualname__}_{digest.text()}"
    if getattr(config, "DISABLE_JIT", False):
        return _interpreted(function)
    on_disk = Path(source.__code__.co_filename).exists()  # a notebook's kernel has no file
    return numba.njit(cache=on_disk, nogil=True, error_model="numpy")(function)


def _interpreted(function: types.FunctionType) -> Any:
    """With NUMBA_DISABLE_JIT=1: the plain function, in which words overflow silently as compiled ones do."""
    quiet: Any = np.errstate(over="ignore")(function)
    quiet.py_func = function
    return quiet


def _plain(template: Callable[..., Any]) -> types.FunctionType:
    source = getattr(template, "py_func", template)
    if not isinstance(source, types.FunctionType):
        raise TypeError(f"a kernel is made of a function, not of {template!r}")
    return source

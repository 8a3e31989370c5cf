"""Digest of everything that a compiled function depends on.

Bytecode with nested code, the shape of the parameters, constants, global numbers and arrays,
enumerations, callees through all files, attributes of modules. What cannot be digested is refused,
never ignored; so is a name that means nothing yet, for it could mean anything later.
"""

from __future__ import annotations

import builtins
import dis
import enum
import functools
import hashlib
import inspect
import math
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import llvmlite  # type: ignore[import-untyped]  # it has no types
import numba
import numpy as np
from numba.core import config
from numba.core.extending import _Intrinsic

_OPAQUE_MODULES = (np, math, numba)
"""Modules whose versions are part of the digest; their contents are not."""

_PLAIN = frozenset({bool, int, float, complex, str, bytes, type(None), type(Ellipsis)})


_KINDS = (
    inspect.CO_VARARGS
    | inspect.CO_VARKEYWORDS
    | inspect.CO_GENERATOR
    | inspect.CO_COROUTINE
    | inspect.CO_ASYNC_GENERATOR
)
"""Flags of a code object that tell how it is called; numba changes others where a profiler runs."""

ITSELF = "itself"
"""Meaning of a function's own name while it is digested."""


SETTLED = "__digest__"
"""Attribute of a kernel's function with its digest; from then on the meaning of its names is fixed."""


class Hole:
    """An unbound hole of a template: `successors: Any = Hole()`."""


class Instructions:
    """A plain function in the place of machine instructions in compiled code (`numba.extending.intrinsic`).

    As of those, its own code is digested, and not what that reaches: it is part of numba or of Python.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._defn: Any = function

    def __call__(self, *given: Any) -> Any:
        return self._defn(*given)


Chain = tuple[str, ...]
"""A global name and its attributes: `np.uint64`."""


@functools.cache
def globals_of(function_code: types.CodeType) -> tuple[Chain, ...]:
    """Return the global names of a code object and those nested in it, each with attributes, in their order."""
    return tuple(dict.fromkeys(chain for code in codes(function_code) for chain in _chains(code)))


def _chains(code: types.CodeType) -> Iterator[Chain]:
    chain: Chain = ()
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            if chain:
                yield chain
            chain = (instruction.argval,)
        elif chain and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            chain = (*chain, instruction.argval)
        elif chain and instruction.opname != "EXTENDED_ARG":
            yield chain
            chain = ()


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a code object and those nested in it: comprehensions, inner functions."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes(constant)


class Digest:
    """Folds everything that a function reaches into one number; TypeError for what cannot be digested."""

    def __init__(self) -> None:
        checked = getattr(config, "BOUNDSCHECK", None)  # code with checks of indices is other code
        versions = f"{np.__version__} {numba.__version__} {llvmlite.__version__} {checked}"
        self._hash = hashlib.blake2s(versions.encode(), digest_size=8)
        self._seen: dict[types.FunctionType, int] = {}

    def text(self) -> str:
        """Return the number as 16 hexadecimal digits."""
        return self._hash.hexdigest()

    def options(self, options: Mapping[str, object]) -> None:
        """Add the options of compilation; a function without reference counting is called in another way."""
        self.value("compiled with", tuple(sorted(options.items())))

    def _add(self, what: str, value: object) -> None:
        self._hash.update(f"{what}:{value}\0".encode())

    def function(self, function: types.FunctionType) -> None:
        """Add a function with its defaults, its code, and the meanings of its names."""
        if function in self._seen:
            self._add("again", self._seen[function])
            return
        self._seen[function] = len(self._seen)
        if function.__closure__:
            raise TypeError(f"{function.__qualname__} is a closure: bind globals instead")
        self.value("defaults", function.__defaults__ or ())
        self.value("keyword defaults", tuple(sorted((function.__kwdefaults__ or {}).items())))
        for code in codes(function.__code__):
            self._code(code)
        for chain in globals_of(function.__code__):
            self._global(chain, function)

    def _code(self, code: types.CodeType) -> None:
        self._hash.update(code.co_code)
        self._hash.update(code.co_exceptiontable)
        self._add("names", (code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars))
        flags = code.co_flags & _KINDS
        counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, flags
        self._add("parameters", counts)
        for i, constant in enumerate(code.co_consts):
            if not isinstance(constant, types.CodeType):
                self.value(f"constant {i}", constant)

    def _global(self, chain: Chain, function: types.FunctionType) -> None:
        """Add the meaning of a name, or of an attribute of a module."""
        name, scope = chain[0], function.__globals__
        if name not in scope:
            if not hasattr(builtins, name):
                raise TypeError(f"{function.__qualname__} reaches {name}, which means nothing yet")
            self._add(name, "built in")
            return
        value = scope[name]
        if value is ITSELF:
            value = function
        for attribute in chain[1:]:
            if not isinstance(value, types.ModuleType) or value in _OPAQUE_MODULES:
                break
            if not hasattr(value, attribute):
                raise TypeError(
                    f"{function.__qualname__} reaches {name}.{attribute}, which means nothing yet"
                )
            name, value = f"{name}.{attribute}", getattr(value, attribute)
        self.value(name, value)

    def value(self, name: str, value: object) -> None:
        """Add a constant, or the meaning of a global name."""
        function = getattr(value, "py_func", value)  # of a kernel, compiled or not
        if isinstance(function, types.FunctionType):
            self._callee(name, function, getattr(value, "targetoptions", {}))
        elif isinstance(value, _Intrinsic | Instructions):
            self._add(name, "instructions")
            for code in codes(value._defn.__code__):  # noqa: SLF001  numba offers no other way
                self._code(code)
        elif isinstance(value, np.ndarray):
            self._array(name, value)
        elif isinstance(value, (tuple, list)):
            self._add(name, f"{type(value).__name__} of {len(value)} {getattr(value, '_fields', '')}")
            for i, item in enumerate(value):
                self.value(f"{name}[{i}]", item)
        elif isinstance(value, enum.Enum):
            self._add(name, value.name)
            self._type(name, type(value))
        elif isinstance(value, type):
            self._type(name, value)
        else:
            self._add(name, _format_value(name, value))

    def _callee(self, name: str, function: types.FunctionType, options: Mapping[str, object]) -> None:
        """Add a called function. A kernel's digest stands for all that it reaches."""
        if function not in self._seen:
            if settled := getattr(function, SETTLED, ""):
                self._add(name, f"kernel {settled}")
                return
            self.options(options)
        self._add(name, "function")
        self.function(function)

    def _array(self, name: str, value: np.ndarray[Any, Any]) -> None:
        """Add an array, a constant of the compiled code: it and the array that it is a view of become read-only."""
        if value.dtype.hasobject:
            raise TypeError(f"a kernel reaches {name}, an array of objects: it cannot be digested")
        self._add(name, f"{value.dtype!r} {value.shape}")
        self._hash.update(np.ascontiguousarray(value).tobytes())
        whole: object = value
        while isinstance(whole, np.ndarray):
            whole.setflags(write=False)
            whole = whole.base

    def _type(self, name: str, value: type) -> None:
        if issubclass(value, enum.Enum):
            self._add(name, [base.__name__ for base in value.__mro__])
            for member, item in value.__members__.items():  # with aliases
                self.value(f"{name}.{member}", item.value)
        elif hasattr(value, "_fields"):
            self._add(name, (value.__name__, value._fields))
            self.value(f"{name} defaults", tuple(sorted(getattr(value, "_field_defaults", {}).items())))
        elif value.__module__ in ("builtins", "numpy"):
            self._add(name, value.__name__)
        else:
            raise TypeError(f"a kernel reaches {name}, the class {value.__name__}: it cannot be digested")


def _format_value(name: str, value: object) -> str:
    """Format a value without parts in full."""
    kind = type(value).__name__
    if isinstance(value, Hole):
        raise TypeError(f"a kernel's hole is not bound: {name}")
    if type(value) in _PLAIN or isinstance(value, (np.generic, np.dtype)):
        return f"{kind}={value!r}"
    if isinstance(value, frozenset):
        return f"{kind}={sorted(map(repr, value))}"  # not in the order of the process's hash seed
    if isinstance(value, types.ModuleType) and value in _OPAQUE_MODULES:
        return value.__name__
    if isinstance(value, types.BuiltinFunctionType):
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, numba.types.Type):
        return str(value)
    raise TypeError(f"a kernel reaches {name}, a {kind}: it cannot be digested, its cache could go stale")

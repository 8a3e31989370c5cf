"""`kernel`: one generic template, specialised per game, compiled by numba, cached on disk, never stale.

A template is a plain Python function some of whose global names are holes. `kernel(template, hole=...)`
copies it with the holes bound, and puts a digest of everything it reaches into its qualified name.
The cache on disk knows functions by that name, so it is hit exactly when nothing reachable has changed,
in whatever file.
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable, Iterator
from typing import Any

import numba
import numpy as np
from numba.core import config, event

from gridproof.core.lazy_import import compile_listeners, defer_signals_and_gc
from gridproof.core.limit import check_stop
from gridproof.kernels.cache import cache_on_disk
from gridproof.kernels.digest import ITSELF, SETTLED, Digest, Hole, globals_of
from gridproof.kernels.link_only import PartsCompiler, handle_parts

__all__ = ["Hole", "borrowing", "inlined", "kernel", "specialise"]


def kernel(template: Callable[..., Any], **bindings: object) -> Any:
    """Compile a template, with some of its global names bound to other kernels or constants.

    Used as a decorator, or as `kernel(template, successors=..., ...)`. Numbers and arrays that it
    reaches are constants of the compiled code. Compiled when first called with new argument types;
    in later processes found on disk, beside the template's file or in the user's cache folder.

    The meaning of its names is fixed now: a global that changes later is not seen, and an array that a
    kernel reaches can no longer be written to. It may call itself, but nothing that is defined later.

    Raises
    ------
    TypeError
        When it is a closure, or reaches what cannot be digested, or has no global of a bound name; and when
        it is compiled, if anything that it reaches has changed.
    """
    return _make(template, bindings, borrows=False)


def borrowing(template: Callable[..., Any], **bindings: object) -> Any:
    """Compile as `kernel` does, without reference counting: for functions that only use the arrays of their arguments.

    Counting references around a call that is not inlined can take longer than the call itself. Such a
    function must not make an array, take one from another kernel (it would never be freed), or return one, which is a
    TypeError when it is compiled.
    """
    return _make(template, bindings, borrows=True)


def inlined(template: Callable[..., Any], **bindings: object) -> Any:
    """Compile as `borrowing` does, inlined into all callers: each array that is passed costs nanoseconds."""
    return _make(template, bindings, borrows=True, inlines=True)


def specialise(compiled: Any, *arguments: object) -> Any:
    """Specialise a kernel for the types of these arguments.

    A call of it does not look at the types, which takes microseconds where there are many arrays.
    """
    if not hasattr(compiled, "compile"):  # NUMBA_DISABLE_JIT=1
        return compiled
    return compiled.compile(tuple(map(numba.typeof, arguments)))


def _make(
    template: Callable[..., Any], bindings: dict[str, object], borrows: bool, inlines: bool = False
) -> Any:
    source = _plain_function(template)
    named = {chain[0] for chain in globals_of(source.__code__)}
    if unknown := sorted(bindings.keys() - named):
        raise TypeError(f"{source.__qualname__} has no hole {', '.join(unknown)}")
    scope = {**source.__globals__, source.__name__: ITSELF, **bindings}
    function = types.FunctionType(
        source.__code__, scope, source.__name__, source.__defaults__, source.__closure__
    )
    function.__kwdefaults__ = source.__kwdefaults__
    options = _options(borrows, inlines)
    digest = _digest_of(function, options)
    function.__module__, function.__doc__ = source.__module__, source.__doc__
    function.__qualname__ = f"{source.__qualname__}_{digest}"
    key = source.__code__.co_filename, function.__module__, function.__qualname__
    if key not in _kernels:
        interpreted = getattr(config, "DISABLE_JIT", False)
        compiled = _interpret(function) if interpreted else _compile(function, options, digest)
        if source.__name__ not in bindings:
            scope[source.__name__] = compiled
        setattr(function, SETTLED, digest)
        _kernels[key] = compiled
    return _kernels[key]


_kernels: dict[tuple[str, str, str], Any] = {}
"""Kernels of this process, each made only once."""


def _options(borrows: bool, inlines: bool) -> dict[str, Any]:
    """Return numba's options; `_nrt` is whether references are counted."""
    inline = {"forceinline": True} if inlines else {}
    return {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": not borrows, **inline}


def _digest_of(function: types.FunctionType, options: dict[str, Any]) -> str:
    digest = Digest()
    digest.options(options)
    digest.function(function)
    return digest.text()


def _compile(function: types.FunctionType, options: dict[str, Any], digest: str) -> Any:
    def check() -> None:
        """Refuse what has changed since the digest was made: its code would be stored under the wrong digest."""
        if _digest_of(function, options) != digest:
            raise TypeError(f"what {function.__qualname__} reaches has changed since the kernel was made")

    dispatcher: Any = numba.njit(**options, pipeline_class=PartsCompiler)(function)
    cache_on_disk(dispatcher, check)
    handle_parts(dispatcher)
    dispatcher.compile = _guard_compilation()(dispatcher.compile)
    if not options["_nrt"]:
        _refuse_arrays(dispatcher)
    return dispatcher


class _Compiling(event.Listener):
    """Notifies `compile_listeners`; kernels are compiled inside those that call them."""

    def __init__(self) -> None:
        self._depth = 0

    def on_start(self, event: object) -> None:
        self._depth += 1
        if self._depth == 1:
            self._notify(True)

    def on_end(self, event: object) -> None:
        self._depth -= 1
        if not self._depth:
            self._notify(False)

    def _notify(self, begins: bool) -> None:
        for listener in tuple(compile_listeners):  # another thread may begin or end to listen
            listener(begins)


event.register("numba:compile", _Compiling())  # type: ignore[no-untyped-call]  # numba has no types here


@contextlib.contextmanager
def _guard_compilation() -> Iterator[None]:
    """Defer Ctrl-C, which LLVM would lose; compile nothing more for work that another thread has ended."""
    check_stop()
    with defer_signals_and_gc():
        yield


def _refuse_arrays(dispatcher: Any) -> None:
    """Refuse code that returns a value with a reference count: an array, or a tuple or list that contains one."""
    add_overload, models = dispatcher.add_overload, dispatcher.targetctx.data_model_manager

    def add(result: Any) -> None:
        if models[result.signature.return_type].contains_nrt_meminfo():
            raise TypeError(f"{dispatcher.py_func.__qualname__} borrows arrays, so it cannot return one")
        add_overload(result)

    dispatcher.add_overload = add  # before it can be called, or kept on disk


def _interpret(function: types.FunctionType) -> Any:
    """Return the plain function, with silent overflow as in compiled code (NUMBA_DISABLE_JIT=1)."""
    quiet: Any = np.errstate(over="ignore")(function)
    quiet.py_func = function
    return quiet


def _plain_function(template: Callable[..., Any]) -> types.FunctionType:
    source = getattr(template, "py_func", template)
    if not isinstance(source, types.FunctionType):
        raise TypeError(f"a kernel is made of a function, not of {template!r}")
    return source

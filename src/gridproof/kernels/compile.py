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

from gridproof.core.limit import check_stop
from gridproof.core.loading import told_of_compiling, undisturbed
from gridproof.kernels.cache import cache_on_disk
from gridproof.kernels.digest import ITSELF, SETTLED, Digest, Hole, globals_of
from gridproof.kernels.parts import PartsCompiler, know_parts

__all__ = ["Hole", "borrowing", "inlined", "kernel", "settled"]


def kernel(template: Callable[..., Any], **bindings: object) -> Any:
    """The compiled template, with some of its global names bound to other kernels or constants.

    Used as a decorator, or as `kernel(template, successors=..., ...)`. Numbers and arrays that it
    reaches are constants of the compiled code. Compiled when first called with new argument types;
    in later processes found on disk, beside the template's file or in the user's cache folder.

    What its names mean is settled now: a global that changes later is not seen, and an array that a
    kernel reaches can no longer be written to. It may call itself, but nothing that is defined later.

    Raises
    ------
    TypeError
        When it is a closure, or reaches what cannot be digested, or does not name what is bound; and when
        it is compiled, if what it reaches has changed all the same.
    """
    return _made(template, bindings, borrows=False)


def borrowing(template: Callable[..., Any], **bindings: object) -> Any:
    """As `kernel`, without reference counting: for functions that only use the arrays they are given.

    Counting references around a call that is not inlined can take longer than the call itself. Such a
    function must not make an array, take one from another kernel (it would never be freed), or return one.

    Raises
    ------
    TypeError
        As `kernel`; and when it is compiled, for one that returns an array.
    """
    return _made(template, bindings, borrows=True)


def inlined(template: Callable[..., Any], **bindings: object) -> Any:
    """As `borrowing`, and inlined wherever it is called: each array that is passed costs nanoseconds.

    Raises
    ------
    TypeError
        As `borrowing`.
    """
    return _made(template, bindings, borrows=True, inlines=True)


def settled(compiled: Any, *arguments: object) -> Any:
    """A kernel for arguments of the types that these have, always.

    A call of it does not look at the types, which takes microseconds where there are many arrays.
    """
    if not hasattr(compiled, "compile"):  # NUMBA_DISABLE_JIT=1
        return compiled
    return compiled.compile(tuple(map(numba.typeof, arguments)))


def _made(
    template: Callable[..., Any], bindings: dict[str, object], borrows: bool, inlines: bool = False
) -> Any:
    source = _plain(template)
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
    if key not in _known:
        interpreted = getattr(config, "DISABLE_JIT", False)
        compiled = _interpreted(function) if interpreted else _compiled(function, options, digest)
        if source.__name__ not in bindings:
            scope[source.__name__] = compiled
        setattr(function, SETTLED, digest)
        _known[key] = compiled
    return _known[key]


_known: dict[tuple[str, str, str], Any] = {}
"""The kernels made by this process; asking for the same one again gives it from here."""


def _options(borrows: bool, inlines: bool) -> dict[str, Any]:
    """What numba is told; `_nrt` is whether references are counted."""
    inline = {"forceinline": True} if inlines else {}
    return {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": not borrows, **inline}


def _digest_of(function: types.FunctionType, options: dict[str, Any]) -> str:
    digest = Digest()
    digest.options(options)
    digest.function(function)
    return digest.text()


def _compiled(function: types.FunctionType, options: dict[str, Any], digest: str) -> Any:
    def check() -> None:
        """Refuse what has changed since the digest was made: its code would be stored under the wrong digest."""
        if _digest_of(function, options) != digest:
            raise TypeError(f"what {function.__qualname__} reaches has changed since the kernel was made")

    dispatcher: Any = numba.njit(**options, pipeline_class=PartsCompiler)(function)
    cache_on_disk(dispatcher, check)
    know_parts(dispatcher)
    dispatcher.compile = _compiling()(dispatcher.compile)
    if not options["_nrt"]:
        _refuse_arrays(dispatcher)
    return dispatcher


class _Compiling(event.Listener):
    """Tells whoever shows it to a person; kernels are compiled inside those that call them."""

    def __init__(self) -> None:
        self._depth = 0

    def on_start(self, event: object) -> None:
        self._depth += 1
        if self._depth == 1:
            self._tell(True)

    def on_end(self, event: object) -> None:
        self._depth -= 1
        if not self._depth:
            self._tell(False)

    def _tell(self, begins: bool) -> None:
        for told in tuple(told_of_compiling):  # another thread may begin or end to listen
            told(begins)


event.register("numba:compile", _Compiling())  # type: ignore[no-untyped-call]  # numba has no types here


@contextlib.contextmanager
def _compiling() -> Iterator[None]:
    """Hold back Ctrl-C, which LLVM would lose; nothing more is compiled for work that another thread has ended."""
    check_stop()
    with undisturbed():
        yield


def _refuse_arrays(dispatcher: Any) -> None:
    """Refuse code that returns a value with a reference count: an array, or a tuple or list that contains one."""
    add_overload, models = dispatcher.add_overload, dispatcher.targetctx.data_model_manager

    def add(result: Any) -> None:
        if models[result.signature.return_type].contains_nrt_meminfo():
            raise TypeError(f"{dispatcher.py_func.__qualname__} borrows arrays, so it cannot return one")
        add_overload(result)

    dispatcher.add_overload = add  # before it can be called, or kept on disk


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

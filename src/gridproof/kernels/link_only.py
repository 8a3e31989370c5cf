# mypy: disallow-untyped-calls=False
"""Parts: kernels that are compiled only for another kernel that calls them.

Numba makes machine code of each kernel on the way down, and a way in from Python: more than a quarter of the time
that compiling takes, and nobody calls that. The caller has their code linked into its own by LLVM. A part is that code
and no more; where Python calls such a kernel after all, it is compiled once more, as a whole.
"""

from __future__ import annotations

import threading
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]  # it has no types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, compile_result
from numba.core.compiler_lock import global_compiler_lock

MARK = "part"


class _Depth(threading.local):
    kernels = 0
    """Number of kernels that this thread compiles, each of them for the one before."""


_depth = _Depth()


def within() -> bool:
    """Return whether the current compilation is for another kernel that is being compiled."""
    return _depth.kernels > 1


def is_part(result: Any) -> bool:
    """Return whether this is code for other kernels alone."""
    return isinstance(result.library, Part)


class Part(JITCodeLibrary):
    """Code that callers link into theirs."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """Return the part for the cache: there is no machine code."""
        return self.name, MARK, self._get_module_for_linking().as_bitcode()


class PartsCompiler(Compiler):
    """Numba's compiler, which makes parts of kernels that other kernels call."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function."""
        if within():
            flags, context = self.state.flags, self.state.targetctx
            flags.no_cpython_wrapper = flags.no_compile = True
            self.state.library = Part(context.codegen(), func.__qualname__)
        return super().compile_extra(func)

    def _compile_core(self) -> Any:
        result = super()._compile_core()
        if is_part(result):
            result = result._replace(entry_point=object())  # by which callers find it
            self.state.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        else:
            for environment in result._find_referenced_environments():  # noqa: SLF001  its own, and its parts'
                result.codegen.set_env(environment.env_name, environment)
        return result


def restore_part(context: Any, payload: Any) -> Any:
    """Restore a part from the cache."""
    (name, _, code), description, environment, signature, objectmode, lifted, types, reload, known = payload
    for function in reload:
        function()
    library = Part(context.codegen(), name)
    library._shared_module, library._finalized = llvm.parse_bitcode(code), True  # noqa: SLF001  as numba's own do
    return compile_result(
        target_context=context,
        typing_context=context.typing_context,
        library=library,
        environment=environment,
        entry_point=object(),
        fndesc=description,
        type_annotation=types,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        reload_init=reload,
        referenced_envs=known,
    )


def handle_parts(dispatcher: Any) -> None:
    """Let a dispatcher make parts, and whole kernels of them when Python calls it."""
    compile_types, add_overload = dispatcher.compile, dispatcher.add_overload

    def compile_one(types: Any) -> Any:
        with global_compiler_lock:
            _depth.kernels += 1
            try:
                known = dispatcher.overloads.get(tuple(types))
                if known is not None and is_part(known) and not within():
                    del dispatcher.overloads[tuple(types)]
                return compile_types(types)
            finally:
                _depth.kernels -= 1

    def add(result: Any) -> None:
        if is_part(result):
            dispatcher.overloads[tuple(result.signature.args)] = result  # numba's would let Python call it
        else:
            add_overload(result)

    dispatcher.compile, dispatcher.add_overload = compile_one, add

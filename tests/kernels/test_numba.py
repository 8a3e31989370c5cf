"""Undocumented parts of numba that kernels use: a version without them fails here first."""

from __future__ import annotations

import inspect
import tomllib
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.runtime.nrt import rtsys
from packaging.requirements import Requirement

WHAT_TO_DO = (
    f"numba {numba.__version__} is not one that gridproof's kernels were tried with: read what "
    "src/gridproof/kernels/cache.py, parts.py and compile.py use of it, mend that, run tests/kernels with the slow ones, "
    "and only then raise the bound in pyproject.toml"
)


def test_numba_version_is_a_tested_one() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    wanted = {one.name: one.specifier for one in map(Requirement, project["dependencies"])}["numba"]
    assert any(one.operator == "<" for one in wanted), "numba needs an upper bound"
    assert wanted.contains(numba.__version__, prereleases=True), WHAT_TO_DO


PRIVATE: list[tuple[Any, str, tuple[str, ...]]] = [
    (IndexDataCacheFile, "__init__", ("self", "cache_path", "filename_base", "source_stamp")),
    (IndexDataCacheFile, "_dump", ("self", "obj")),
    (IndexDataCacheFile, "_data_name", ("self", "number")),
    (IndexDataCacheFile, "_data_path", ("self", "name")),
    (IndexDataCacheFile, "_open_for_write", ("self", "filepath")),
    (FunctionCache, "__init__", ("self", "py_func")),
    (FunctionCache, "load_overload", ("self", "sig", "target_context")),
    (FunctionCache, "save_overload", ("self", "sig", "data")),
    (FunctionCache, "_load_overload", ("self", "sig", "target_context")),
    (FunctionCache, "_save_overload", ("self", "sig", "data")),
    (FunctionCache, "_index_key", ("self", "sig", "codegen")),
    (FunctionCache, "_guard_against_spurious_io_errors", ("self",)),
    (Dispatcher, "compile", ("self", "sig")),
    (Dispatcher, "add_overload", ("self", "cres")),
    (JITCodeLibrary, "_finalize_final_module", ("self",)),
    (JITCodeLibrary, "_finalize_dynamic_globals", ("self",)),
    (JITCodeLibrary, "_verify_declare_only_symbols", ("self",)),
    (JITCodeLibrary, "_get_module_for_linking", ("self",)),
    (JITCodeLibrary, "serialize_using_object_code", ("self",)),
    (Compiler, "compile_extra", ("self", "func")),
    (Compiler, "_compile_core", ("self",)),
    (CompileResult, "_find_referenced_environments", ("self",)),
    (type(rtsys), "initialize", ("self", "ctx")),
    (event, "register", ("kind", "listener")),
]


@pytest.mark.parametrize(
    ("owner", "name", "parameters"), PRIVATE, ids=lambda item: getattr(item, "__name__", "")
)
def test_undocumented_functions_of_numba_are_unchanged(
    owner: Any, name: str, parameters: tuple[str, ...]
) -> None:
    found = getattr(owner, name, None)
    assert found is not None, f"{owner.__name__}.{name} is gone: {WHAT_TO_DO}"
    assert tuple(inspect.signature(found).parameters) == parameters, f"{owner.__name__}.{name}: {WHAT_TO_DO}"


@pytest.mark.slow
def test_undocumented_attributes_of_numba_are_unchanged() -> None:
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
    function: Any = numba.njit(**options)(lambda x: x)
    assert function(1) == 1
    for name in ("_cache", "targetctx", "targetoptions", "py_func", "overloads", "stats"):
        assert hasattr(function, name), f"a dispatcher's {name} is gone: {WHAT_TO_DO}"
    assert function.targetoptions["_nrt"] is False, WHAT_TO_DO
    assert "UserWide" in str(CompileResultCacheImpl._locator_classes), WHAT_TO_DO
    result = function.overloads[function.signatures[0]]
    models = function.targetctx.data_model_manager
    assert not models[result.signature.return_type].contains_nrt_meminfo(), WHAT_TO_DO


def test_compile_event_of_numba_is_unchanged() -> None:
    with event.install_recorder("numba:compile") as recorder:
        numba.njit(lambda x: x)(1)
    assert [item.is_start for _, item in recorder.buffer] == [True, False], WHAT_TO_DO

# mypy: disallow-untyped-calls=False
"""Compiled kernels on disk: a file for each kernel and signature, written at once or not at all.

Numba's own cache numbers its files in an index that processes read and write without a lock: two that
start cold at once can give two signatures one number, and later processes run the wrong code. Here the
file of a signature is named by all it depends on (the kernel's name carries its digest), so whoever
writes it writes the same. It begins with a checksum: a processor obeys whatever a broken disk has made
of compiled code.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
from collections.abc import Callable, Iterator
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.runtime.nrt import rtsys
from numba.core.types.containers import BaseTuple, NamedTuple, NamedUniTuple

from gridproof.kernels.link_only import MARK, is_part, restore_part, within

_MOVED = (AttributeError, ImportError)
"""Errors on reading a sound file, if a name in it has moved."""

_CHECKSUM = 32
"""Bytes."""


class _Files(IndexDataCacheFile):
    """The files of one kernel, in the folder that numba has chosen: each a checksum and a pickle."""

    def save(self, key: object, data: object) -> None:
        dumped = self._dump(data)
        with self._open_for_write(self._path(key)) as file:
            file.write(_checksum(key, dumped) + dumped)

    def load(self, key: object) -> Any:
        """Return the saved data; None if there are none, or broken ones: those are deleted."""
        path = self._path(key)
        try:
            with open(path, "rb") as file:
                checksum, dumped = file.read(_CHECKSUM), file.read()
        except OSError:
            return None
        if checksum == _checksum(key, dumped):
            with contextlib.suppress(*_MOVED):
                return pickle.loads(dumped)  # noqa: S301  it is as this program has written it
        with contextlib.suppress(OSError):
            os.unlink(path)
        return None

    def flush(self) -> None:
        """Do nothing: no file can be stale."""

    def _path(self, key: object) -> str:
        digest = hashlib.blake2s(repr(key).encode(), digest_size=6).digest()
        return str(self._data_path(self._data_name(int.from_bytes(digest, "big"))))


def _checksum(key: object, dumped: bytes) -> bytes:
    """Return the checksum of data and key: another key's file is no better than a broken one."""
    mark = hashlib.blake2b(repr(key).encode(), digest_size=_CHECKSUM).digest()
    return hashlib.blake2b(dumped, digest_size=_CHECKSUM, key=mark).digest()


_OF_USER: Any = next(one for one in CompileResultCacheImpl._locator_classes if "UserWide" in one.__name__)  # noqa: SLF001  numba offers no other way


class _FolderOfUser(_OF_USER):  # type: ignore[misc]  # numba's classes have other names in older versions
    """The user's cache folder, where the folder of the source cannot be written to.

    Numba takes an XDG_CACHE_HOME that is empty, or no full path, from wherever the program was started;
    it counts as unset (XDG Base Directory Specification).
    """

    def __init__(self, function: Any, file: str) -> None:
        super().__init__(function, file)
        if not os.path.isabs(self.get_cache_path()):
            home = os.path.expanduser("~/.cache/numba")
            self._cache_path = os.path.join(home, self.get_suitable_cache_subpath(file))

    def ensure_cache_path(self) -> None:
        if not os.path.isabs(self.get_cache_path()):
            raise FileNotFoundError("this user has no home")
        super().ensure_cache_path()


_writable: set[str] = set()
"""Folders that can be written to: each kernel would try its own again, by writing a file."""


def _try_once(locator: Any) -> Any:
    """Let one of numba's locators try each folder only once."""

    def ensure_cache_path(self: Any) -> None:
        path = self.get_cache_path()
        if path not in _writable:
            locator.ensure_cache_path(self)
            _writable.add(path)

    return type(locator.__name__, (locator,), {"ensure_cache_path": ensure_cache_path})


class _Place(CompileResultCacheImpl):
    """Places, names and contents of a kernel's files."""

    _locator_classes = [  # noqa: RUF012  as numba has them
        _try_once(_FolderOfUser if one is _OF_USER else one)
        for one in CompileResultCacheImpl._locator_classes  # noqa: SLF001  numba offers no other way
    ]

    def reduce(self, result: Any) -> Any:
        """Reduce code for the cache: without empty environments, since loading one would import its module."""
        *rest, environments = super().reduce(result)
        return (*rest, tuple(one for one in environments if one.consts))

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """Rebuild code from the cache. Code that counts references needs numba's runtime, which is started for it."""
        _, kind, code = payload[0]
        if kind == MARK:
            return restore_part(target_context, payload)
        machine_code, _ = code
        if b"NRT_" in machine_code:
            rtsys.initialize(target_context)
        return super().rebuild(target_context, payload)


class KernelCache(FunctionCache):
    """The cache of one kernel's compiled code.

    `check` raises an error when the kernel may not be compiled; it is called when that is not on disk.
    RuntimeError where there is no folder to write to, neither beside the source nor the user's.
    """

    _impl_class = _Place

    def __init__(self, function: Any, check: Callable[[], None]) -> None:
        super().__init__(function)
        self._check = check
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, stamp)

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """Return numba's key, and the fields of named tuples: their types are written without them."""
        return *super()._index_key(sig, codegen), *(named for one in sig for named in _fields(one))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load the compiled code of a signature; None when it is not on disk.

        Numba would first load all it knows of typing and lowering, a third of a second in which nothing
        is done that running compiled code needs; the compiler does it by itself.
        """
        with self._guard_against_spurious_io_errors():
            found = self._load_overload(sig, target_context)
        if found is None:
            rtsys.initialize(target_context)
            self._check()
        return found

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        whole = self._index_key(sig, target_context.codegen())
        for key in ((*whole, MARK), whole) if within() else (whole,):
            data = self._cache_file.load(key)
            if data is not None:
                return self._impl.rebuild(target_context, data)
        return None

    def _save_overload(self, sig: Any, data: Any) -> None:
        if self._impl.check_cachable(data):
            self._impl.locator.ensure_cache_path()
            key = self._index_key(sig, data.codegen)
            self._cache_file.save((*key, MARK) if is_part(data) else key, self._impl.reduce(data))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save compiled code, if the disk takes it."""
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


def _fields(kind: Any) -> Iterator[tuple[str, ...]]:
    """Yield the fields of a named tuple, and of those within a tuple."""
    if isinstance(kind, NamedTuple | NamedUniTuple):
        yield kind.fields
    parts: Any = kind if isinstance(kind, BaseTuple) else ()
    for part in parts:
        yield from _fields(part)


def cache_on_disk(dispatcher: Any, check: Callable[[], None]) -> None:
    """Let a dispatcher find its code on disk, where there is a place for it."""
    with contextlib.suppress(RuntimeError):  # a kernel of a notebook, or no folder can be written to
        dispatcher._cache = KernelCache(dispatcher.py_func, check)  # noqa: SLF001  numba has no other way

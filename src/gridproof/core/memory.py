"""Memory that this process may hold, and that it holds."""

from __future__ import annotations

import functools
import mmap
import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psutil

_NAMES = {"cgroup": ("memory.limit_in_bytes",), "cgroup2": ("memory.max", "memory.high")}
"""The files with the limits of a control group, by the kind of its file system: versions 1 and 2."""
_ROOT = Path("/")
_PAGE = mmap.PAGESIZE


def memory_in_use() -> int:
    """Return the bytes of memory that this process holds now."""
    try:
        handle = os.open("/proc/self/statm", os.O_RDONLY)  # half the time of `open`, and searches ask often
    except OSError:  # it is no Linux
        return int(_process(os.getpid()).memory_info().rss)
    try:
        return int(os.read(handle, 200).split()[1]) * _PAGE
    finally:
        os.close(handle)


@functools.lru_cache(maxsize=1)
def _process(number: int) -> psutil.Process:
    """Return the process of this number: making it takes longer than asking it, and searches ask often."""
    import psutil  # here, since it takes a while to load, and only other systems than Linux need it

    return psutil.Process(number)


def available_memory() -> int:
    """Return the bytes of memory that this process may hold: the machine's, or less in a container."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * _PAGE
    except (AttributeError, ValueError):  # it is no POSIX
        import psutil

        whole = int(psutil.virtual_memory().total)
    return min((whole, *cgroup_limits(_ROOT)))


def cgroup_limits(root: Path) -> Iterator[int]:
    """Yield the limits of the control groups that this process is in, and of all those around them.

    Parameters
    ----------
    root : Path
        Where the system's own files are: `proc/self` and what that names.
    """
    for file in _cgroup_files(root):
        text = _read(file).strip()
        if text.isdecimal():  # "max" is no limit
            yield int(text)


@functools.lru_cache(maxsize=1)
def _cgroup_files(root: Path) -> tuple[Path, ...]:
    """Return the files with these limits; finding them takes longer than many a search."""
    found = list[Path]()
    paths = dict(_cgroup_paths(_read(root / "proc/self/cgroup")))
    for line in _read(root / "proc/self/mountinfo").splitlines():
        before, _, after = line.partition(" - ")
        place, (kind, *options) = before.split()[3:5], after.split() or [""]
        is_other = kind == "cgroup" and "memory" not in options[-1].split(",")
        if len(place) < 2 or kind not in paths or is_other:
            continue
        mounted, folder = map(_unescape, place)
        for group in _ancestors(paths[kind], mounted):
            files = (root / folder.lstrip("/") / group / name for name in _NAMES[kind])
            found += filter(os.path.isfile, files)
    return tuple(found)


def _cgroup_paths(text: str) -> Iterator[tuple[str, str]]:
    """Yield the path of this process's group by kind: that of memory in version 1, the only one in version 2."""
    for line in text.splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if "memory" in controllers.split(","):
            yield "cgroup", path
        elif number == "0" and not controllers:
            yield "cgroup2", path


def _ancestors(path: str, mounted: str) -> list[PurePosixPath]:
    """Return a group and those around it, as folders below the mount point; only that one when it is elsewhere."""
    group = PurePosixPath(path)
    if ".." in group.parts or not group.is_relative_to(mounted):
        return [PurePosixPath()]
    inside = group.relative_to(mounted)
    return [inside, *inside.parents]


def _unescape(path: str) -> str:
    """Decode a path of mountinfo, in which spaces and the like are octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), path)


def _read(path: Path) -> str:
    """Return the text of a file; "" if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""

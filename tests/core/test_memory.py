"""Memory that a container leaves to a process, by the files of the kernel."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import psutil
import pytest

from gridproof.core import memory
from gridproof.core.limit import Limit
from gridproof.core.memory import available_memory, cgroup_limits

TWO = "35 31 0:32 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw,nsdelegate\n"
ONE = (
    "34 31 0:31 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu\n"
    "35 31 0:32 {} /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
)
GIB = 1 << 30


def system(root: Path, group: str, mounts: str, limits: Mapping[str, str]) -> Path:
    """The files of a system, of which a process sees these."""
    files = {"proc/self/cgroup": group, "proc/self/mountinfo": mounts, **limits}
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.parametrize(
    ("group", "mounts", "limits", "least"),
    [
        # version 2: the group's own limit, that of one around it, none
        ("0::/a/b\n", TWO, {"a/b/memory.max": "5\n", "a/memory.max": "max\n"}, 5),
        ("0::/a/b\n", TWO, {"a/b/memory.max": "9\n", "a/memory.max": "4\n"}, 4),
        ("0::/a/b\n", TWO, {"a/b/memory.max": "9\n", "a/b/memory.high": "3\n"}, 3),
        ("0::/a\n", TWO, {"a/memory.max": "max\n"}, None),
        # in a container the group is the root of all that is seen, or above it
        ("0::/\n", TWO, {"memory.max": "7\n"}, 7),
        ("0::/../..\n", TWO, {"memory.max": "7\n"}, 7),
        # version 1, beside an empty version 2
        ("4:memory:/a/b\n0::/\n", ONE.format("/"), {"memory/a/b/memory.limit_in_bytes": "8\n"}, 8),
        ("4:cpu,memory:/a/b\n", ONE.format("/"), {"memory/a/memory.limit_in_bytes": "6\n"}, 6),
        # a container that sees its own group as the root, though it knows the path outside
        ("4:memory:/d/a/b\n", ONE.format("/d/a"), {"memory/b/memory.limit_in_bytes": "2\n"}, 2),
        ("4:memory:/d/a\n", ONE.format("/d/a"), {"memory/memory.limit_in_bytes": "2\n"}, 2),
        ("4:memory:/elsewhere\n", ONE.format("/d/a"), {"memory/memory.limit_in_bytes": "2\n"}, 2),
        # not what limits memory
        ("4:cpu:/a\n", ONE.format("/"), {"cpu/a/memory.limit_in_bytes": "1\n"}, None),
        ("nonsense\n\n", "nonsense\n\n1 2 3 - cgroup2\n", {}, None),
    ],
)
def test_cgroup_limits_are_found(
    tmp_path: Path, group: str, mounts: str, limits: Mapping[str, str], least: int | None
) -> None:
    files = {f"sys/fs/cgroup/{name}": text for name, text in limits.items()}
    assert min(cgroup_limits(system(tmp_path, group, mounts, files)), default=None) == least


def test_cgroup_folder_may_have_a_space(tmp_path: Path) -> None:
    mounts = TWO.replace("/sys/fs/cgroup ", "/my\\040groups ")
    assert [*cgroup_limits(system(tmp_path, "0::/\n", mounts, {"my groups/memory.max": "7"}))] == [7]


def test_system_without_cgroups_has_no_limits(tmp_path: Path) -> None:
    assert not [*cgroup_limits(tmp_path)]


def test_changed_cgroup_limit_is_read_again(tmp_path: Path) -> None:
    root = system(tmp_path, "0::/\n", TWO, {"sys/fs/cgroup/memory.max": "7\n"})
    assert [*cgroup_limits(root)] == [7]
    (root / "sys/fs/cgroup/memory.max").write_text("5\n")
    assert [*cgroup_limits(root)] == [5]


def test_cgroups_are_searched_once(tmp_path: Path) -> None:
    root = system(tmp_path, "0::/\n", TWO, {"sys/fs/cgroup/memory.max": "7\n"})
    assert [*cgroup_limits(root)] == [7]
    (root / "proc/self/mountinfo").unlink()
    assert [*cgroup_limits(root)] == [7]


def test_default_memory_limit_is_half_of_container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"sys/fs/cgroup/a/memory.max": f"{GIB // 4}\n", "sys/fs/cgroup/memory.max": f"{GIB}\n"}
    monkeypatch.setattr(memory, "_ROOT", system(tmp_path, "0::/a\n", TWO, limits))
    assert Limit().start().memory == GIB // 8
    monkeypatch.setattr(memory, "_ROOT", tmp_path / "nothing")
    assert available_memory() == psutil.virtual_memory().total

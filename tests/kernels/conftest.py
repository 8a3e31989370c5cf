"""Programs with kernels of their own, run as fresh processes on a cache of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

REPORT = """
import json
from numba.core.dispatcher import Dispatcher

def report(kernels, answers):
    hits = {name: sum(one.stats.cache_hits.values()) for name, one in kernels.items() if isinstance(one, Dispatcher)}
    misses = {name: sum(one.stats.cache_misses.values()) for name, one in kernels.items() if isinstance(one, Dispatcher)}
    print(json.dumps({"answers": answers, "hits": hits, "misses": misses}))
"""


class Programs:
    """A folder of modules and a folder for the cache."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "code"
        self.cache = folder / "cache"
        self.folder.mkdir()
        self.write("report", REPORT)

    def write(self, name: str, text: str) -> None:
        """Write a module."""
        (self.folder / f"{name}.py").write_text(text)

    def change(self, name: str, old: str, new: str) -> None:
        """Change a module in one place."""
        path = self.folder / f"{name}.py"
        text = path.read_text()
        assert text.count(old) == 1
        path.write_text(text.replace(old, new))

    def start(self, name: str, **environment: str) -> subprocess.Popen[str]:
        """Start a module as a program."""
        surroundings = {**os.environ, "NUMBA_CACHE_DIR": str(self.cache), **environment}
        if not surroundings["NUMBA_CACHE_DIR"]:
            del surroundings["NUMBA_CACHE_DIR"]
        return subprocess.Popen(
            [sys.executable, "-B", str(self.folder / f"{name}.py")],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=surroundings,
        )

    def end(self, process: subprocess.Popen[str]) -> Any:
        """Return the last line that a program printed, from JSON."""
        out, err = process.communicate(timeout=600)
        assert process.returncode == 0, err
        return json.loads(out.splitlines()[-1])

    def run(self, name: str, **environment: str) -> Any:
        """Run a module as a program."""
        return self.end(self.start(name, **environment))


@pytest.fixture
def programs(tmp_path: Path) -> Programs:
    return Programs(tmp_path)

"""How many of a sample of mutants the fast tests kill: `make mutants N=100 SEED=1 ONLY='games/sokoban/*'`."""

from __future__ import annotations

import argparse
import ast
import difflib
import fnmatch
import itertools
import json
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tests.mutants.changes import changes
from tests.mutants.coverage_map import Reached

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "gridproof"
WANTED = 98.0
"""The percentage that is to be killed."""

_LEFT_OUT = (
    ".git",
    ".venv*",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    ".coverage*",
    "site",
    "dist",
    "build",
)
_ONE_TEST = 150
"""Seconds by the clock for one test: those of the fast tests that compile kernels take up to forty."""
_PASSED, _MISUSED, _NONE = 0, 4, 5
"""What pytest ends with when all pass, arguments are wrong or its configuration cannot be loaded, or there is no test."""


@dataclass(frozen=True)
class Mutant:
    """A module of the package with one change."""

    path: str
    """Where the module is in the project."""
    before: str
    after: str

    def difference(self) -> str:
        """The change, as a patch without context."""
        texts = self.before.splitlines(), self.after.splitlines()
        lines = list(difflib.unified_diff(*texts, self.path, self.path, lineterm="", n=0))
        return "\n".join([f"  {self.path}", *(f"    {line}" for line in lines[2:])])

    def lines(self) -> tuple[str, str]:
        """The lines that go and those that come, without the space around them."""
        old, new = self.before.splitlines(), self.after.splitlines()
        first = _alike(old, new)
        last = _alike(old[:first:-1], new[:first:-1])
        gone, come = (" ".join(map(str.strip, text[first : len(text) - last])) for text in (old, new))
        return gone, come

    def function(self) -> str:
        """The innermost function in which it is, "" when it is in none."""
        line = _alike(self.before.splitlines(), self.after.splitlines()) + 1
        around = [
            node
            for node in ast.walk(ast.parse(self.before))
            if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
        ]
        return max(around, key=lambda node: node.lineno).name if around else ""


class Equivalent(NamedTuple):
    """A mutant that no test can kill; the reason stands in the file."""

    path: str
    old: str
    new: str
    function: str = ""
    """Where it is, when the module has such lines more than once."""

    def means(self, mutant: Mutant) -> bool:
        """Whether it is this one."""
        return (
            mutant.path == self.path
            and mutant.lines() == (self.old, self.new)
            and self.function in ("", mutant.function())
        )


def _alike(one: list[str], other: list[str]) -> int:
    """How many lines are the same, from the first on."""
    same = (a == b for a, b in zip(one, other, strict=False))
    return sum(1 for _ in itertools.takewhile(bool, same))


def mutants(only: str) -> Iterator[Mutant]:
    """All mutants of the package, in the order of the files; `only` is of which modules."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if fnmatch.fnmatch(path.relative_to(PACKAGE).as_posix(), only):
            text = path.read_text(encoding="utf-8")
            for change in changes(text):
                yield Mutant(path.relative_to(ROOT).as_posix(), text, change.applied(text))


def equivalent() -> list[Equivalent]:
    """All that are listed."""
    data = tomllib.loads((Path(__file__).parent / "equivalent.toml").read_text(encoding="utf-8"))
    return [
        Equivalent(**{name: one[name] for name in Equivalent._fields if name in one})
        for one in data.get("mutant", ())
    ]


def steps(path: str) -> Iterator[list[str]]:
    """The tests to ask, in turn: of the module, of its folders, and what holds kernels to rules."""
    module = (ROOT / path).relative_to(PACKAGE)
    folder = Path("tests") / module.parent
    while not (ROOT / folder).is_dir():
        folder = folder.parent
    own = folder / f"test_{module.stem}.py"
    if (ROOT / own).exists():
        yield [str(own)]
    left_out: list[str] = []
    while folder.name not in ("tests", "games"):
        yield [str(folder), *left_out]
        left_out = [f"--ignore={folder}"]
        folder = folder.parent
    if module.parts[0] == "games":
        yield ["tests/agreement", "tests/golden", "-k", module.parts[1]]


def rounds(mutant: Mutant, reached: Reached, near: bool) -> list[list[str]]:
    """The tests of each round: some that reach the change, then by folders, then all files of such tests.

    `near`: only some tests that reach it and its module's.
    """
    first, files = reached.tests(mutant.path, mutant.before, mutant.after)
    files = [file for file in files if (ROOT / file).is_file()]
    others = list(steps(mutant.path))
    if near:
        return [first, *(step for step in others[:1] if step[0].endswith(".py"))]
    return [first, *others, files or ["tests", "examples"]]


class Copy:
    """A copy of the project in which a mutant can be tried."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*_LEFT_OUT), symlinks=True)
        sources = (folder / "src", *folder.glob("examples/*/src"))
        levels = ROOT.parent / "shared" / "levels"
        environment = {
            "GRIDPROOF_LEVELS": str(levels),
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, sources)),
            "PYTHONDONTWRITEBYTECODE": "1",  # a change within a second may have the size of what was there
        }
        self._runner = subprocess.Popen(
            [sys.executable, "-m", "tests.mutants.runner"], cwd=folder, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def recorded(self, jobs: int) -> Path | None:
        """Where it is written which tests reach what; None when some fail anyway, which would kill all mutants."""
        options = ["-n", str(jobs), "--dist", "loadfile", "--cov", "--cov-report=", "--cov-context=test"]
        failure = self._failure([*options, "tests", "examples"])
        if failure:
            print(f"without a mutant, too: {failure}")
            return None
        return self.folder / ".coverage"

    def killed_by(self, mutant: Mutant, tests: list[str]) -> str:
        """Which of the tests kills it, "" when it survives them."""
        place = self.folder / mutant.path
        place.write_text(mutant.after, encoding="utf-8")
        try:
            return self._failure(["-x", "-p", "no:xdist", *tests])
        finally:
            place.write_text(mutant.before, encoding="utf-8")

    def _failure(self, arguments: list[str]) -> str:
        """What fails first, "" when all pass or there is no such test."""
        options = ["-q", "-p", "no:cacheprovider", "--hypothesis-seed=0", "--tb=no", "-m", "not slow"]
        options += ["-o", f"faulthandler_timeout={_ONE_TEST}", "-o", "faulthandler_exit_on_timeout=true"]
        shutil.rmtree(self.folder / ".hypothesis", ignore_errors=True)  # found for another mutant
        assert self._runner.stdin
        assert self._runner.stdout
        self._runner.stdin.write(json.dumps([*options, *arguments]) + "\n")
        self._runner.stdin.flush()
        code, out = json.loads(self._runner.stdout.readline())
        if code in (_PASSED, _NONE) or (code == _MISUSED and "not found: " in out):
            return ""
        if code < 0:
            timed = -code in (signal.SIGXCPU, signal.SIGALRM)
            return "it does not end" if timed else "the interpreter ends"
        if "Timeout (" in out:
            return "it does not end"
        first = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", out, re.MULTILINE)
        return first[1] if first else out.strip().splitlines()[-1]


def run(
    sample: list[Mutant], jobs: int, recorded: Path | None = None, near: bool = False
) -> list[Mutant] | None:
    """Try the mutants; those that survive, or None when the tests fail without a mutant.

    Which tests reach what is read from the file `recorded`, where it is, or else kept there.
    """
    survivors = []
    with tempfile.TemporaryDirectory(prefix="gridproof-mutants-") as folder:
        copies: queue.SimpleQueue[Copy] = queue.SimpleQueue()
        for i in range(jobs):
            copies.put(Copy(Path(folder) / str(i)))
        if not (recorded and recorded.is_file()):
            first = copies.get()
            made = first.recorded(jobs)
            copies.put(first)
            if made is None:
                return None
            recorded = Path(shutil.copy(made, recorded)) if recorded else made
        reached = Reached(recorded)

        left = [(mutant, rounds(mutant, reached, near)) for mutant in sample]
        with ThreadPoolExecutor(jobs) as pool:
            while left:
                survivors += [mutant for mutant, tests in left if not tests]
                left = [trial for trial in left if trial[1]]
                print(f"{len(left)} to try, {len(survivors)} survive all rounds", flush=True)
                killers = pool.map(lambda trial: _killer(copies, trial[0], trial[1].pop(0)), left)
                left = [
                    trial for trial, killer in zip(left, killers, strict=True) if not _told(trial[0], killer)
                ]
    return survivors


def _killer(copies: queue.SimpleQueue[Copy], mutant: Mutant, tests: list[str]) -> str:
    copy = copies.get()
    try:
        return copy.killed_by(mutant, tests) if tests else ""
    finally:
        copies.put(copy)


def _told(mutant: Mutant, killer: str) -> bool:
    """Print what has killed a mutant; whether something has."""
    print(f"{killer or 'lives'}\n{mutant.difference()}", flush=True)
    return bool(killer)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=100, help="how many mutants are drawn")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="*", help="of which modules, as in games/sokoban/*")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--recorded", type=Path, help="file of which tests reach what, for the next run too")
    parser.add_argument(
        "--near", action="store_true", help="ask only tests near the change: a lower bound, sooner"
    )
    wishes = parser.parse_args()
    began = time.monotonic()
    known = equivalent()
    found = list(mutants(wishes.only))
    drawn = random.Random(wishes.seed).sample(found, min(wishes.number, len(found)))
    sample = [one for one in drawn if not any(listed.means(one) for listed in known)]
    print(
        f"{len(sample)} of {len(found)} mutants, seed {wishes.seed}; {len(drawn) - len(sample)} equivalent",
        flush=True,
    )
    if not sample:
        print("there is nothing to try: other modules (--only), or more (--number)")
        return 2
    survivors = run(sample, wishes.jobs, wishes.recorded, wishes.near)
    if survivors is None:
        return 2
    score = 100 * (1 - len(survivors) / len(sample))
    print("\nSurvivors:" if survivors else "\nNone survives.")
    for mutant in survivors:
        print(mutant.difference())
    minutes = (time.monotonic() - began) / 60
    print(f"\n{score:.1f} % of {len(sample)} killed, seed {wishes.seed}, {minutes:.0f} minutes")
    return 0 if score >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())

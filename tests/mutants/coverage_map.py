"""Which tests reach a line of the package, as coverage has recorded it, so that few tests are asked of a mutant."""

from __future__ import annotations

import ast
import random
from pathlib import Path

from coverage import CoverageData

_OWN, _OTHERS = 80, 40
"""How many tests are asked first, at most: of the module's own folder, and of the others."""


class Reached:
    """The tests that reach each line.

    Lines that only compiled code or the import of a module reaches are reached by no test.

    Parameters
    ----------
    recorded : Path
        What coverage has written of a copy of the project, with a context for each test.
    """

    def __init__(self, recorded: Path) -> None:
        self._data = CoverageData(str(recorded))
        self._data.read()
        self._files = {file[file.rindex("src/gridproof/") :]: file for file in self._data.measured_files()}

    def tests(self, path: str, before: str, after: str) -> tuple[list[str], list[str]]:
        """Some tests that reach what was changed, the module's own folder first; the files of all such tests."""
        contexts = self._data.contexts_by_lineno(self._files.get(path, path))
        names = {name for line in lines_changed(before, after) for name in contexts.get(line, ())}
        tests = sorted({name.rpartition("|")[0] for name in names if "|" in name})
        module = Path(path).relative_to("src/gridproof")
        folder = f"{Path('tests') / module.parent}/"
        own = [test for test in tests if test.startswith(folder)]
        others = [test for test in tests if not test.startswith(folder)]
        file = f"test_{module.stem}.py"
        own.sort(key=lambda test: file not in test)
        random.Random(0).shuffle(others)
        return own[:_OWN] + others[:_OTHERS], sorted({test.partition("::")[0] for test in tests})


def lines_changed(before: str, after: str) -> range:
    """The lines of the innermost statement, or its head, in which two texts begin to differ."""
    old, new = before.splitlines(), after.splitlines()
    first = next((i for i, (a, b) in enumerate(zip(old, new, strict=False), 1) if a != b), len(old))
    around = [head for node in ast.walk(ast.parse(before)) if first in (head := _head(node))]
    return min(around, key=len, default=range(first, first + 1))


def _head(node: ast.AST) -> range:
    """The lines of a statement without those of its body."""
    if not isinstance(node, ast.stmt):
        return range(0)
    body: list[ast.stmt] = getattr(node, "body", [])
    end = max(body[0].lineno, node.lineno + 1) if body else (node.end_lineno or node.lineno) + 1
    return range(node.lineno, end)

"""From a clause of a game's rules to the code that realises it and the tests that prove it.

Code names clauses in comments and docstrings; tests carry them as `@pytest.mark.clause("K8")`.
"""

from __future__ import annotations

import ast
import functools
import importlib.resources
import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import gridproof
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.text.phrases import format_count

_CLAUSE = re.compile(r"\b([A-Z]\d+)[a-z]?\b(?:-([A-Z]\d+)\b)?")
_UNFOLDED = 1  # places or tests in a cell of a table
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Proof(NamedTuple):
    """A test and a clause it proves."""

    clause: str
    path: Path
    test: str
    """The name of the function or class; "" for a mark of the whole file."""


class Place(NamedTuple):
    """Where code names a clause."""

    clause: str
    path: Path
    name: str
    """The function or class, "Level.text"; "" for the module itself."""


def proofs(tests: Path) -> list[Proof]:
    """The clauses that the tests below a folder carry as marks, in the order of files and lines.

    Raises
    ------
    GridproofError
        When a mark's numbers are not written out.
    """
    return [proof for path in sorted(tests.rglob("test_*.py")) for proof in _proofs_in(path)]


def _proofs_in(path: Path) -> Iterator[Proof]:
    text = path.read_text(encoding="utf-8")
    if "mark.clause" not in text:
        return
    for statement in ast.parse(text).body:
        name = statement.name if isinstance(statement, _SCOPES) else ""
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and _is_mark(node.func):
                for argument in node.args:
                    yield Proof(_literal(argument, path), path, name)


def _is_mark(function: ast.expr) -> bool:
    named = isinstance(function, ast.Attribute) and function.attr == "clause"
    return named and ast.unparse(function) == "pytest.mark.clause"


def _literal(argument: ast.expr, path: Path) -> str:
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        return argument.value
    raise GridproofError(f"{path}, line {argument.lineno}: a clause mark must have its number written out")


def places(source: Path) -> list[Place]:
    """The clauses named in comments and docstrings of a module or of all modules below a folder."""
    paths = sorted(source.rglob("*.py")) if source.is_dir() else [source] * (source.suffix == ".py")
    return [place for path in paths for place in _places_in(path)]


@functools.cache
def _places_in(path: Path) -> tuple[Place, ...]:
    text = path.read_text(encoding="utf-8")
    if not _CLAUSE.search(text):
        return ()
    tree = ast.parse(text)
    scopes = dict(_scopes(tree, ""))
    return tuple(
        Place(clause, path, _innermost(scopes, line))
        for line, remark in sorted([*_comments(text), *_docstrings(tree)])
        for clause in named_in(remark)
    )


def named_in(remark: str) -> Iterator[str]:
    """The clauses a remark names: "R8d" is clause R8, "K11-K13" are three."""
    for first, last in _CLAUSE.findall(remark):
        if last and last[0] == first[0]:
            yield from (f"{first[0]}{n}" for n in range(int(first[1:]), int(last[1:]) + 1))
        else:
            yield from (clause for clause in (first, last) if clause)


def _comments(text: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Strings that stand alone: of modules, classes, functions and attributes."""
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.lineno, value.value


def _scopes(node: ast.AST, outer: str) -> Iterator[tuple[range, str]]:
    """The lines of each function and class, with its full name; outer ones first."""
    for child in ast.iter_child_nodes(node):
        name = outer
        if isinstance(child, _SCOPES):
            name = f"{outer}.{child.name}".removeprefix(".")
            yield range(child.lineno, (child.end_lineno or child.lineno) + 1), name
        yield from _scopes(child, name)


def _innermost(scopes: Mapping[range, str], line: int) -> str:
    inside = [name for lines, name in scopes.items() if line in lines]
    return inside[-1] if inside else ""


def code_places(game: Game) -> list[Place]:
    """Where the game's own package, and what all games share, name clauses of the game."""
    found = (place for source in _sources(game) for place in places(source))
    return [place for place in found if place.clause in game.clauses]


def _sources(game: Game) -> list[Path]:
    """The folder of the game and the rooms that know no game."""
    house = Path(gridproof.__file__).parent
    own = Path(str(importlib.resources.files(game.package)))
    return [own, *sorted(path for path in house.iterdir() if path.name not in ("games", "testing"))]


def clause_table(game: Game, root: Path) -> str:
    """A Markdown table of the game's clauses: number, meaning, where in the code, tests; long lists fold.

    Parameters
    ----------
    game : Game
    root : Path
        The checkout, with the tests in its folder `tests`.
    """
    where, tested = code_places(game), proofs(root / "tests")
    rows = ["| clause | meaning | where | tests |", "| --- | --- | --- | --- |"]
    for clause, meaning in game.clauses.items():
        modules = (_code(place) for place in where if place.clause == clause)
        tests = (f"`{p.path.stem}: {p.test}`" for p in tested if p.clause == clause)
        cells = (clause, _cell(meaning), _listed(modules, "places"), _listed(tests, "tests"))
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def _code(place: Place) -> str:
    module = place.path.parent.name if place.path.name == "__init__.py" else place.path.stem
    return f"`{module}: {place.name}`" if place.name else f"`{module}`"


def _listed(items: Iterator[str], things: str) -> str:
    different = list(dict.fromkeys(items))
    listed = "<br>".join(different)
    if len(different) <= _UNFOLDED:
        return listed
    return f"<details><summary>{format_count(len(different), things)}</summary>{listed}</details>"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")

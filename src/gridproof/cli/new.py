"""`new`: create a folder with a new puzzle, from the template game `null`, that passes the conformance kit."""

from __future__ import annotations

import importlib.resources
import keyword
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template
from typing import Annotated

import typer

import gridproof
from gridproof.cli.options import Json
from gridproof.cli.output import ExitStatus, print_json
from gridproof.core.errors import GridproofError
from gridproof.core.registry import TEMPLATE, is_game
from gridproof.core.registry import game as game_named
from gridproof.core.text import files
from gridproof.core.text.level_lookup import builtin_pack, pack_names

_OMITTED = ("kernel.py", "enumeration.py")
"""Modules that a new puzzle does not need."""


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the puzzle, such as my_puzzle.")],
    json: Json = False,
) -> ExitStatus:
    """Create a package with a new puzzle, ready to play and test.

    The package is a small puzzle for you to change. It is created in the
    current folder, under the puzzle's name.
    """
    _check_name(name)
    folder = Path(name)
    if folder.exists():
        raise GridproofError(f"{folder} exists already; choose another name or remove it")
    written = []
    for path, text in puzzle_files(name):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        files.write(target, text)
        written.append(path)
    if json:
        print_json({"folder": name, "files": written})
    else:
        typer.echo(f"{name}: {len(written)} files. Install it and run its tests:")
        typer.echo(f"  cd {name}\n  pip install --editable .\n  pytest")
    return ExitStatus.DONE


def _check_name(name: str) -> None:
    """Raise GridproofError if the name of a new game is no lower-case identifier, or is taken."""
    if keyword.iskeyword(name):
        raise GridproofError(f"{name!r} is a Python keyword; choose another name")
    if name == gridproof.__name__:
        raise GridproofError(f"{name!r} is the name of this package; choose another name")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise GridproofError(
            f"{name!r} is not a valid name; use lower-case letters, digits and _, starting with a letter"
        )
    if is_game(name):
        raise GridproofError(f"the game {name} exists already; choose another name")


def puzzle_files(name: str) -> Iterator[tuple[str, str]]:
    """Yield the files of a new puzzle: each path in its folder, and the text."""
    title, package = name.replace("_", " ").capitalize().strip(), f"gridproof_{name}"
    fields = {
        "name": name,
        "title": title,
        "package": package,
        "dashed": name.replace("_", "-").strip("-"),
        "version": gridproof.__version__,
    }
    yield "pyproject.toml", _fill("pyproject.toml", fields)
    yield "README.md", _fill("README.md", fields)
    yield f"tests/test_{name}.py", _fill("test_rules.py", fields)
    yield f"src/{package}/py.typed", ""
    template = game_named(TEMPLATE)
    for source in sorted(importlib.resources.files(template.package).iterdir(), key=lambda item: item.name):
        if source.name.endswith(".py") and source.name not in _OMITTED:
            text = source.read_text(encoding="utf-8").replace(template.package, package)
            yield f"src/{package}/{source.name}", _adapt(text, name, title)
    for pack in pack_names(template):
        levels = builtin_pack(template, pack)
        rows = (level.text().rpartition("\n\n")[2].splitlines()[-1] for level in levels)
        texts = [f"{name}: {level.title}\n{row}\n" for level, row in zip(levels, rows, strict=True)]
        yield f"src/{package}/levels/{pack}.{name}", "\n".join(texts)


def _fill(name: str, fields: Mapping[str, str]) -> str:
    """Return the text of a file in the folder `new_puzzle`, with these values for its fields."""
    file = importlib.resources.files(__package__) / "new_puzzle" / f"{name}.in"
    return Template(file.read_text(encoding="utf-8")).substitute(fields)


def _adapt(text: str, name: str, title: str) -> str:
    """Return the text of a template module for a new name, which is also the mark of its levels."""
    text = text.replace(
        "the smallest game that has everything; copy this folder to begin a new one.", "a new puzzle."
    )
    text = text.replace('"Null"', f'"{title}"').replace("title: The short way", f"{TEMPLATE}: The short way")
    text = text.replace("    height=1,\n)", f'    height=1,\n    mark="{TEMPLATE}",\n)')
    return re.sub(rf"\b{TEMPLATE}\b", name, text)

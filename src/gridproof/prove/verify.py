"""`gp.verify`: certificates checked by the rules alone. Nothing here searches, and no kernel is asked."""

from __future__ import annotations

import gzip
import importlib
import json
import zlib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import filterfalse
from pathlib import Path
from typing import Any, NamedTuple

from gridproof.core import files, loading, proposition, reading, registry
from gridproof.core.errors import GridproofError
from gridproof.core.position import Level, Position
from gridproof.core.wording import shown

CLOSED = "closed"
"""The kind of certificates that every game has; others are those of `Game.certificates`."""
_HEADER = {"gridproof": "str", "version": "int", "game": "str", "level": "str", "starts": "list", "goal": "str",
           "actors": "NoneType str list", "positions": "int", "kind": "str", "lemmas": "list"}  # fmt: skip


class Statement(NamedTuple):
    """What a certificate says: from the starts, these actors never come to the goal."""

    level: Level
    starts: tuple[Position[Any], ...]
    goal: proposition.Goal
    goal_text: str
    who: tuple[str | None, ...]
    kind: str
    lemmas: Sequence[Any]


class Verified(NamedTuple):
    """Whether a certificate proves what it says."""

    holds: bool
    reason: str
    """The first thing that is wrong, with its line."""
    positions: int
    """How many it lists, as far as it could be read."""
    statement: Statement | None
    """What it says; None when that could not be read."""


class Wrong(Exception):
    """What is wrong with a certificate, and on which line."""

    def __init__(self, line: int, reason: object) -> None:
        super().__init__(f"line {line}: {reason}")


@loading.uncollected()
def verify(path: str | Path) -> Verified:
    """Check a certificate; what is wrong in it is an answer, but GridproofError if it cannot be opened."""
    said, listed = None, dict[str, int]()
    try:
        values = _values(files.path_meant(path))
        header: Any = next(values, None)
        said = _statement(header)
        for line, text in enumerate(values, 2):
            if not isinstance(text, str) or text in listed or len(listed) >= header["positions"]:
                raise Wrong(line, f"{shown(text)} is no text, or there already, or one too many")
            listed[text] = line
        if (found := len(listed)) < header["positions"]:
            raise Wrong(found + 2, f"the file ends, after {found} of {header['positions']} positions")
        own = said.level.game.certificates.get(said.kind)
        check = importlib.import_module(f"{own}.check").check if own else _check_closed
        check(_statement(header), listed)  # what the rules remember of a level is forgotten with it
    except Wrong as wrong:
        return Verified(False, str(wrong), len(listed), said)
    return Verified(True, "", len(listed), said)


def _values(path: Path) -> Iterator[Any]:
    """What the lines of a file say; it is unpacked when its name ends in .gz."""
    line, decode = 0, json.JSONDecoder().decode
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            while data := file.readline(files.LARGEST):
                line += 1
                yield decode(data.decode("utf-8"))
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        if isinstance(error, OSError | ValueError) and not line and not isinstance(error, gzip.BadGzipFile):
            raise GridproofError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
        raise Wrong(line, f"damaged: {error}") from None


def _statement(header: Any) -> Statement:
    """What the first line says."""
    if not isinstance(header, dict) or header.keys() != _HEADER.keys():
        raise Wrong(1, f"a certificate begins with an object of {', '.join(_HEADER)}")
    if wrong := [key for key, kind in _HEADER.items() if type(header[key]).__name__ not in kind.split()]:
        raise Wrong(1, f"{wrong[0]} is {shown(header[wrong[0]])}")
    title, version, name, text, texts, goal_text, actors, _, kind, lemmas = (header[key] for key in _HEADER)
    try:
        game = registry.game(name)
        level, *others = reading.read(text, game)
        starts = tuple(position_of(level, text) for text in texts)
        goal = proposition.goal(game, goal_text)
        goal.value(level.start())  # tells which arguments mean nothing on this level
    except GridproofError as error:
        raise Wrong(1, error) from None
    known = game.actors(level)
    names = known if actors == "all" else () if actors is None or isinstance(actors, str) else actors
    if others or not starts or not (actors is None or (names and all(name in known for name in names))):
        raise Wrong(1, f"one level, a start, and actors: null, all or of {', '.join(known)}, are needed")
    if (title, version) != ("certificate", 1) or kind not in (CLOSED, *game.certificates):
        raise Wrong(1, f"no certificate of version 1 of {name}: {shown(title)}, {version}, {shown(kind)}")
    return Statement(level, starts, goal, goal_text, tuple(names) or (None,), kind, lemmas)


def position_of(level: Level, text: Any) -> Position[Any]:
    """The position that a text shows; GridproofError, unless it is the canonical one."""
    position = level.position(text)
    if position.text() != text:
        raise GridproofError(f"the text is not canonical: {shown(text)}")
    return position


def _check_closed(said: Statement, listed: Mapping[str, int]) -> None:
    """Check that no listed position has the goal, and that every action in one leads to a listed one."""
    met = {start.text(): start for start in said.starts}  # an outcome that was met need not be read
    known = set[Hashable]()
    if said.lemmas or not met.keys() <= listed.keys():
        raise Wrong(1, f"a start is not listed, or there are lemmas: {CLOSED} has none")
    for text, line in listed.items():
        try:
            position = met.pop(text, None) or position_of(said.level, text)
            if said.goal(position):
                raise Wrong(line, f"{said.goal_text} holds here:\n{text}")
            for actor in said.who:
                for successor in filterfalse(known.__contains__, position.successors(actor)):
                    known.add(successor)
                    after = position.at(successor)
                    if (reached := after.text()) not in listed:
                        raise Wrong(line, _leaving(position, after, actor))
                    met[reached] = after
        except GridproofError as error:
            raise Wrong(line, error) from None


def _leaving(position: Position[Any], after: Position[Any], actor: str | None) -> str:
    """What is wrong where an action leads to a position that is not listed."""
    outcomes = ((action, one) for action in position.actions(actor) for one in position.outcomes(action))
    action = next((action for action, one in outcomes if one.position == after), "an action")
    return f"{action} leads to what is not listed:\n{after.text()}"

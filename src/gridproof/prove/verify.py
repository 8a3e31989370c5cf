"""`gp.verify`: checks certificates by the rules alone, without search or kernels."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from gridproof.core import lazy_import, proposition, registry
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, Meter, Stopped, start_meter
from gridproof.core.position import Level, Position
from gridproof.core.text import files, recognition
from gridproof.core.text.level_lookup import resolve_level
from gridproof.core.text.phrases import short_repr
from gridproof.prove.certificate import CLOSED, AnyStatement, Statement, Verified, kinds_of, position_of
from gridproof.prove.certificate_file import CertificateFile, Defect, locate_defect
from gridproof.prove.checkers.kinds import KINDS, check_kind_name
from gridproof.prove.checkers.position_list import UNLISTED, PositionList
from gridproof.prove.checkers.statements import Setting

_HEADER = {"gridproof": "str", "version": "int", "game": "str", "level": "str", "starts": "list",
           "actors": "NoneType str list", "positions": "int", "kind": "str"}  # fmt: skip
_GOAL_KEYS = {"goal": "str", "lemmas": "list"}


@lazy_import.pause_gc()
def verify(path: str | Path, level: Level | str | None = None, limit: Limit | None = None) -> Verified:
    """Check a certificate; a defect is an answer, not an error.

    Parameters
    ----------
    path : str or Path
        The certificate; one whose name ends in .gz is unpacked.
    level : Level or str, optional
        The level that it must be about, from all its starts; by default its own.
    limit : Limit
        When to stop without an answer; never an error.

    Returns
    -------
    Verified
        The result, with the first defect if there is one.

    Raises
    ------
    GridproofError
        When the file cannot be opened, or `level` is no level.

    Examples
    --------
    >>> import gridproof as gp, tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
    ...     gp.verify(file.name).holds
    False
    """
    level = resolve_level(level)
    if not isinstance(level, Level | None):
        raise GridproofError(f"a level is needed, not {type(level).__name__}")
    meter = start_meter(limit)
    with closing(CertificateFile(files.to_path(path))) as listed:
        return _verify(listed, level, meter)


def _verify(listed: CertificateFile, level: Level | None, meter: Meter) -> Verified:
    said: AnyStatement | None = None
    try:
        with meter.enforce():
            header = listed.read_header()
            said = _statement(header)
            if level is not None:
                starts = frozenset(start.position for start in level.starts())
                if said.level != level or not said.covers(starts):
                    raise Defect(1, f"it covers another level, or not all starts:\n{said.starts[0]}")
            if meter.is_full(header["positions"] - 1):
                raise Stopped
            _check(_statement(header), listed, header["positions"])  # caches of the rules go with the level
    except Defect as wrong:
        return Verified(False, str(wrong), listed.count, said)
    except (Stopped, MemoryError):
        return Verified(None, f"the limit of {meter.reason} was reached before the end", listed.count, said)
    return Verified(True, "", listed.count, said)


def _check(said: AnyStatement, listed: CertificateFile, positions: int) -> None:
    """Check the lines after the first."""
    if isinstance(said, Statement):
        listed.read_texts(positions)
        own = kinds_of(said.level.game).get(said.kind)
        (own.check if own else _check_closed)(said, listed)
    else:
        KINDS[said.kind].check(said, listed, positions)


def _statement(header: Any) -> AnyStatement:
    """Read the statement from the first line."""
    if isinstance(header, dict) and header.get("version", 1) != 1:
        raise Defect(1, f"version 1 of certificates is read, not {short_repr(header['version'])}")
    with locate_defect(1):
        check_kind_name(header)
    form = KINDS.get(str(header.get("kind"))) if isinstance(header, dict) else None
    keys = {**_HEADER, **(form.keys if form else _GOAL_KEYS)}
    if not isinstance(header, dict) or header.keys() != keys.keys():
        raise Defect(1, f"a certificate begins with an object of {', '.join(keys)}")
    if wrong := [key for key, kind in keys.items() if type(header[key]).__name__ not in kind.split()]:
        raise Defect(1, f"{wrong[0]} is {short_repr(header[wrong[0]])}")
    title, _, name, text, texts, actors, _, kind = (header[key] for key in _HEADER)
    with locate_defect(1):
        game = registry.game(name)
        level, *others = recognition.read(text, game)
        starts = tuple(position_of(level, text) for text in texts)
    players = game.actors(level)
    names = players if actors == "all" else () if actors is None or isinstance(actors, str) else actors
    if others or not starts or not (actors is None or (names and all(name in players for name in names))):
        raise Defect(1, f"one level, a start, and actors: null, all or of {', '.join(players)}, are needed")
    if title != "certificate":
        raise Defect(1, f"no certificate, but {short_repr(title)}")
    setting = Setting(level, starts, tuple(name for name in players if name in names) or (None,), kind)
    with locate_defect(1):
        if form:
            return form.read(header, setting)
        goal = proposition.parse_goal(game, header["goal"])
        goal.value(level.start())  # tells which arguments mean nothing on this level
        return Statement(level, starts, goal, header["goal"], setting.who, kind, header["lemmas"])


def _check_closed(said: Statement, listed: CertificateFile) -> None:
    """Check that no listed position has the goal, and that every action in one leads to a listed one."""
    positions = PositionList(said, listed)
    if said.lemmas or UNLISTED in map(positions.find, said.starts):
        raise Defect(1, f"a start is not listed, or there are lemmas: {CLOSED} has none")
    for line, position in positions:
        with locate_defect(line):
            if said.goal(position):
                raise Defect(line, f"{said.goal_text} holds here:\n{position.text()}")
            if UNLISTED in positions.after(position):
                raise Defect(line, _describe_exit(said, positions, position))


def _describe_exit(said: Statement, positions: PositionList, position: Position[Any]) -> str:
    """Return which action leads to a position that is not listed, and to which."""
    outcomes = (
        (action, one.position)
        for actor in said.who
        for action in position.actions(actor)
        for one in position.outcomes(action)
    )
    action, after = next(found for found in outcomes if positions.find(found[1]) == UNLISTED)
    return f"{action} leads to a position that is not listed:\n{after.text()}"

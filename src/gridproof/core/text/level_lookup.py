"""The packs that come with the games, and how a person names a level.

A pack is a file in its game's folder `levels`; beside `name.xsb`, `name.xsb.certificates.json`, or for short
`name.certificates.json`, is a list of solutions, each {"level": number from 1, "steps": [{"action": ..., "label": ...}, ...]}.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib.resources
import json
import os
import re
from collections.abc import Iterable, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from gridproof.core import files, reading
from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.frozen import FrozenDict
from gridproof.core.game import Game
from gridproof.core.pack import Pack
from gridproof.core.position import Level
from gridproof.core.registry import game as game_named
from gridproof.core.registry import games, is_game
from gridproof.core.trace import Trace, done_from_data, is_step, steps_to_data, text_of

CERTIFICATES = ".certificates.json"


def pack_names(game: Game) -> tuple[str, ...]:
    """The names of the packs that come with a game, in alphabetical order."""
    return tuple(sorted(_files(game.package, _endings(game))))


def first_pack(name: str) -> str:
    """The reference of the pack to begin with, of those that come with a game.

    Raises
    ------
    GridproofError
        When there is no such game, or it comes with no levels.
    """
    game = game_named(name)
    packs = pack_names(game)
    if not packs:
        raise GridproofError(f"{name} comes with no levels: name a file")
    return f"{name}/{game.first_pack or packs[0]}"


def pack_meant(reference: str) -> str:
    """A reference as it is, or the first pack of the game that it names alone."""
    return first_pack(reference) if is_game(reference) and not files.is_file(reference) else reference


def shipped(game: Game, name: str, only: int | None = None) -> Pack:
    """A pack that comes with a game; its levels have their certificates.

    Parameters
    ----------
    only : int, optional
        The number of the only level whose certificate is wanted: each is replayed.

    Raises
    ------
    GridproofError
        When the game has no such pack.
    """
    pack = reading.read(pack_text(game, name), game)
    certificates = _certificates(game.package, _pack_file(game, name).name)
    if certificates and max(certificates) > len(pack):
        raise GridproofError(f"{game.name}/{name} has no level {max(certificates)}, but a certificate of it")
    levels = [
        certified(level, certificates[number]) if number in certificates and only in (None, number) else level
        for number, level in enumerate(pack, 1)
    ]
    return Pack(levels, title=pack.title, author=pack.author, keys=pack.keys, notes=pack.notes)


def pack_text(game: Game, name: str) -> str:
    """The text of a pack that comes with a game; errors as of `shipped`."""
    return _pack_file(game, name).read_text(encoding="utf-8")


def _pack_file(game: Game, name: str) -> Traversable:
    found = _files(game.package, _endings(game))
    if name not in found:
        raise GridproofError(f"{game.name} has no pack {name!r}: it has {', '.join(sorted(found)) or 'none'}")
    return found[name]


def levels_at(reference: str, game: str | None = None, *, lenient: bool = False) -> Pack:
    """The levels that a person means by `FILE`, `FILE#3`, `game/pack`, `game/pack/3`, `-` or `-#3`.

    Parameters
    ----------
    game : str, optional
        Needed only for files that no format recognises.
    lenient : bool
        As of `gp.read`, for whole files; of `FILE#3` other levels may be broken anyway.

    Raises
    ------
    GridproofError
        When there is no such file, pack or level, or its text is broken.
    """
    if not isinstance(reference, str):
        raise GridproofError(f"levels are named by a text, not by {type(reference).__name__}")
    path, number = _split(reference, "#")
    if path and number and not os.path.exists(reference):
        return _one(_read(path, game, lenient=True), number, reference)
    if reference == "-" or files.is_file(reference):
        return _read(reference, game, lenient)
    parts = reference.split("/")
    if is_game(parts[0]) and len(parts) in (2, 3):
        if len(parts) == 2:
            return shipped(game_named(parts[0]), parts[1])
        return _one(shipped(game_named(parts[0]), parts[1], _number(parts[2])), parts[2], reference)
    if os.path.isdir(reference):
        raise GridproofError(f"{reference}: it is a directory, a file is needed")
    raise GridproofError(f"{reference}: no such file, and no pack by that name (see `gridproof levels`)")


def _read(path: str, game: str | None, lenient: bool) -> Pack:
    return reading.read(files.text_of_input() if path == "-" else Path(path), game, lenient=lenient)


def _split(reference: str, mark: str) -> tuple[str, str]:
    path, _, number = reference.rpartition(mark)
    return path, number


def _number(text: str) -> int:
    """The number of a level; 0, which none has, if the text is no number."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else 0


def _one(pack: Pack, text: str, reference: str) -> Pack:
    last, number = len(pack) + len(pack.broken), _number(text)
    if not 1 <= number <= last:
        raise GridproofError(f"{reference}: the levels are numbered from 1 to {last}")
    notices = {1: pack.notices[number]} if number in pack.notices else {}
    one = [pack.numbered(number)]
    return Pack(one, title=pack.title, author=pack.author, keys=pack.keys, notices=notices)


def _endings(game: Game) -> tuple[str, ...]:
    return tuple(ending for item in game.formats for ending in item.extensions)


@functools.cache
def _files(package: str, endings: tuple[str, ...]) -> Mapping[str, Traversable]:
    folder = importlib.resources.files(package) / "levels"
    if not folder.is_dir():
        return {}
    found = (file for file in folder.iterdir() if file.name.endswith(endings))
    return {_stem(file.name): file for file in found}


@functools.cache
def _certificates(package: str, name: str) -> Mapping[int, list[dict[str, str]]]:
    folder = importlib.resources.files(package) / "levels"
    own, short = folder / f"{name}{CERTIFICATES}", folder / f"{_stem(name)}{CERTIFICATES}"
    return certificates_in(own if own.is_file() else short)


def _stem(name: str) -> str:
    return name.rsplit(".", 1)[0]


def certificates_in(file: Traversable) -> Mapping[int, list[dict[str, str]]]:
    """The steps of each certificate in a file by the number of its level; none when there is no file.

    Raises
    ------
    ParseError
        When the file does not hold certificates, or is larger than traces may be.
    GridproofError
        When it cannot be read.
    """
    if not (os.path.isfile(file) if isinstance(file, Path) else file.is_file()):  # a name may be too long
        return {}
    text = text_of(file) if isinstance(file, Path) else file.read_text(encoding="utf-8")
    try:
        found = {item["level"]: item["steps"] for item in json.loads(text)}
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise ParseError(f"{file.name} does not hold certificates: {error!r}") from None
    for number, steps in found.items():
        if (
            type(number) is not int
            or number < 1
            or not isinstance(steps, list)
            or not all(map(is_step, steps))
        ):
            raise ParseError(
                f"{file.name} does not hold certificates: that of level {number!r} has not the form"
            )
    return found


def certificate_file(path: Path) -> Path:
    """Where the certificates of the pack in the file `path` are: `pack.robots.certificates.json`.

    The short name, `pack.certificates.json`, counts where it alone is there and can mean no other pack.
    """
    own = path.with_name(path.name + CERTIFICATES)
    short = path.with_name(_stem(path.name) + CERTIFICATES)
    return own if os.path.isfile(own) or not os.path.isfile(short) or _shares_name(path) else short


def _shares_name(path: Path) -> bool:
    """Whether other levels lie beside a file, by the same name with another ending."""
    endings = {"", *(ending for game in games() for ending in _endings(game))}
    names = {_stem(path.name) + ending for ending in endings} - {path.name}
    return any(os.path.isfile(path.with_name(name)) for name in names if name)


def certified(level: Level, steps: Iterable[Mapping[str, str]]) -> Level:
    """The level with the certificate that does these steps from its start.

    Raises
    ------
    IllegalAction
        At a step that cannot be done as it says.
    GridproofError
        When they do not win.
    """
    start = level.start()
    done = list(done_from_data(start, steps))
    end = done[-1][1] if done else start
    if not end.won:
        raise GridproofError(f"the certificate of the level {level.title!r} does not win it")
    return with_certificate(level, Trace(start, tuple(step for step, _ in done)))


def with_certificate(level: Level, trace: Trace | None) -> Level:
    """The level with another certificate, or without one."""
    return dataclasses.replace(level, certificate=trace)


def add_certificates(pack: Pack, path: Path) -> None:
    """Give the levels of a pack in the file `path` the certificates beside it, where they have none.

    What does not win is not believed, nor is a file that holds none: the pack's `notices` say so.
    """
    notices = dict(pack.notices)
    try:
        known = certificates_in(certificate_file(path))
    except GridproofError as error:
        known, notices[1] = {}, str(error)
    for place, number in enumerate(pack.numbers):
        if number in known and pack[place].certificate is None:
            try:
                pack[place] = certified(pack[place], known[number])
                notices.pop(number, "")
            except GridproofError as error:
                notices[number] = f"{certificate_file(path).name}: {error}"
    pack.notices = FrozenDict(notices)


def save(pack: Pack, path: Path, form: str | None = None) -> int:
    """Write a pack to a file, and its certificates beside it where the format does not keep them.

    Returns
    -------
    int
        How many certificates are lost: beside what is no file, such as a pipe, nothing can lie.

    Raises
    ------
    GridproofError
        As `reading.write`.
    """
    unkept = certificates_unkept(pack, reading.write(pack, path, form))
    if not os.path.isfile(path):
        return unkept
    if unkept or os.path.isfile(certificate_file(path)):
        write_certificates(path, pack)
    return 0


def certificates_unkept(pack: Pack, text: str) -> int:
    """How many certificates of a pack are not in its text."""
    again = reading.read(text, pack.game)
    return sum(
        bool(level.certificate and not kept.certificate) for level, kept in zip(pack, again, strict=True)
    )


def write_certificates(path: Path, pack: Pack) -> None:
    """Write the certificates of a pack's levels beside its file `path`."""
    data: list[dict[str, Any]] = [
        {"level": number, "steps": steps_to_data(level.certificate.steps)}
        for number, level in enumerate(pack, 1)
        if level.certificate is not None
    ]
    lines = ",\n".join(json.dumps(item, ensure_ascii=False) for item in data)
    files.write(certificate_file(path), f"[\n{lines}\n]\n")

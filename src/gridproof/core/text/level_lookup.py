"""Built-in packs, files and references to levels.

A pack is a file in its game's folder `levels`; beside `name.xsb`, `name.xsb.certificates.json`, or for short
`name.certificates.json`, is a list of solutions, each {"level": number from 1, "steps": [{"action": ..., "label": ...}, ...]}.

A graded task is a set of levels that never changes, so that results are comparable: its files have fixed digests.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import importlib.resources
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.game import Game
from gridproof.core.immutable import FrozenDict
from gridproof.core.position import Level
from gridproof.core.registry import game as game_named
from gridproof.core.registry import games, is_game, name_of_title, suggest_game
from gridproof.core.text import files, recognition
from gridproof.core.text.pack import Pack
from gridproof.core.text.phrases import short_repr, suggestion
from gridproof.core.trace import Trace, is_step, read_trace_text, replay_steps, steps_to_data

T = TypeVar("T")

CERTIFICATES = ".certificates.json"

_DIGESTS = {
    file: digest
    for line in Path(__file__).with_name("graded.sha256").read_text(encoding="ascii").splitlines()
    for digest, file in [line.split()]
}
"""SHA-256 of each file of a graded task, as `sha256sum --check` reads it."""
TASKS = {Path(file).stem: digest for file, digest in _DIGESTS.items() if CERTIFICATES not in file}
"""SHA-256 of each graded task's file of levels, by the task's name."""

_GAME = re.compile(r"\w[\w -]*")
"""The name or the title of a game."""
_FILE_NAME = re.compile(r"\w\.[A-Za-z]\w{1,9}$")


def read(source: str | Path, game: str | Game | None = None, *, lenient: bool = False) -> Pack:
    r"""Read the levels of a text (str) or a file (Path), with the winning certificates beside it.

    Parameters
    ----------
    source : str or Path
        At most 16 MiB.
    game : str or Game, optional
        Needed only for texts that no format recognises, or those of several games alike.
    lenient : bool
        Leave broken levels out, as long as one is valid: `Pack.broken` has the error of each, and
        `Pack.numbers` the numbers that the others have in the text.

    Returns
    -------
    Pack
        At least one level.

    Raises
    ------
    ParseError
        When the text, or a level of it, has not the form of its format, or no level is in it.
    InvalidLevel
        When levels break clauses of their game: all levels and all clauses are listed.
    GridproofError
        When a file cannot be read, the source is neither a text nor a Path, or there is no such game.

    Examples
    --------
    >>> import gridproof as gp
    >>> (level,) = gp.read("######\n#@$ .#\n######")
    >>> print(level)
    ######
    #@$ .#
    ######
    """
    if isinstance(source, Path):
        with files.locate_errors(source):
            text = files.read_text(source)
            pack = recognition.read(text, game, lenient=lenient, ending=source.suffix.lower())
        add_certificates(pack, source)
        for error in pack.broken.values():
            error.path = source
        return pack
    try:
        return recognition.read(source, game, lenient=lenient)
    except ParseError as error:
        if not _is_file_name(source):
            raise
        raise ParseError(
            f"{source}: this is no text of a level; to read a file, give Path({source!r})", line=1
        ) from error


def _is_file_name(text: str) -> bool:
    """Return whether a text that is no level has the form of a file's name."""
    return len(text) < 256 and text.isprintable() and _FILE_NAME.search(text) is not None


def pack_names(game: Game) -> tuple[str, ...]:
    """Return the names of a game's built-in packs, in alphabetical order."""
    return tuple(sorted(_files(game.package, _endings(game))))


def title_of(name: str) -> str:
    """Return a title made of the name of a pack: "First steps" of "first-steps"."""
    return name.replace("-", " ").capitalize()


def pack_title(reference: str) -> str:
    """Return the title of a built-in pack ("sokoban/first-steps"), else one made of its name."""
    name, _, pack = reference.partition("/")
    return recognition.read(pack_text(game_named(name), pack), name).title or title_of(pack)


def first_pack(name: str) -> str:
    """Return the reference of a game's first built-in pack; GridproofError when it has none."""
    game = game_named(name)
    packs = pack_names(game)
    if not packs:
        raise GridproofError(f"{name} has no built-in levels; give a file")
    return f"{name}/{game.first_pack or packs[0]}"


def resolve_pack(reference: str) -> str:
    """Return a reference as it is, or the first pack of the game whose name or title it is."""
    if not _GAME.fullmatch(reference) or files.is_file(reference):
        return reference
    name = reference if is_game(reference) else name_of_title(reference)
    return first_pack(name) if name else reference


def builtin_pack(game: Game, name: str, only: int | None = None) -> Pack:
    """Return a built-in pack of a game, with certificates; GridproofError when the game has no such pack.

    Parameters
    ----------
    only : int, optional
        Number of the only level that gets its certificate, since each is replayed.
    """
    pack = recognition.read(pack_text(game, name), game)
    certificates = _certificates(game.package, _pack_file(game, name).name)
    if certificates and max(certificates) > len(pack):
        raise GridproofError(f"{game.name}/{name} has no level {max(certificates)}, but a certificate of it")
    levels = [
        certify_level(level, certificates[number])
        if number in certificates and only in (None, number)
        else level
        for number, level in enumerate(pack, 1)
    ]
    for number, level in enumerate(levels, 1):
        level.__dict__["_name"] = f"{game.name}/{name}/{number}"
    return Pack(levels, title=pack.title, author=pack.author, keys=pack.keys, notes=pack.notes)


def pack_text(game: Game, name: str) -> str:
    """Return the text of a built-in pack; errors as of `builtin_pack`."""
    return _pack_file(game, name).read_text(encoding="utf-8")


def _pack_file(game: Game, name: str) -> Traversable:
    found = _files(game.package, _endings(game))
    if name not in found:
        known = ", ".join(sorted(found)) or "none"
        raise GridproofError(f"{game.name} has no pack {name!r}: it has {known}{suggestion(name, found)}")
    return found[name]


@functools.cache
def task(name: str) -> Pack:
    """Return the levels of a graded task; the certificate of each wins with the fewest actions.

    In 2048 that is the fewest with luck, and the key `Best` is the best player's probability of a win.

    Parameters
    ----------
    name : str
        One of `TASKS`: "sokoban-easy".

    Returns
    -------
    Pack

    Raises
    ------
    GridproofError
        When there is no such task, or its files have changed.

    Examples
    --------
    >>> len(task("sokoban-easy"))
    100
    """
    if not isinstance(name, str) or name not in TASKS:
        raise GridproofError(f"no task {short_repr(name)}: there are {', '.join(TASKS)}")
    own = game_named(game_of_task(name))
    path = Path(__file__).parent / "graded" / f"{name}{own.own_format.extensions[0]}"
    certificates = certificate_file(path)
    _check_digest(path, TASKS[name], f"the levels of the task {name}")
    digest = _DIGESTS.get(f"graded/{certificates.name}", "")  # there are none if the levels have them
    _check_digest(certificates, digest, f"the certificates of the task {name}")
    pack = read(path, own)
    for number, level in enumerate(pack, 1):
        level.__dict__["_name"] = f"{name}/{number}"
    return pack


def is_of_task(level: Level) -> bool:
    """Return whether a level was read from a graded task, so that its certificate is proved to be shortest."""
    return str(vars(level).get("_name", "")).split("/")[0] in TASKS


def game_of_task(name: str) -> str:
    """Return the name of a graded task's game."""
    return name.split("-", maxsplit=1)[0]


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits; "" without a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _check_digest(path: Path, digest: str, what: str) -> None:
    if digest_of(path) != digest:
        raise GridproofError(f"{path}: {what} {'have been changed' if path.is_file() else 'are missing'}")


def levels_at(reference: str, game: str | None = None, *, lenient: bool = False) -> Pack:
    """Return the levels of a reference: `FILE`, `FILE#3`, `game`, `game/pack`, `game/pack/3`, `-` or `-#3`.

    A game stands for its first pack. A graded task is a pack, too: `sokoban-easy`, `sokoban-easy/3`.

    Parameters
    ----------
    reference : str
    game : str, optional
        Needed only for files that no format recognises.
    lenient : bool
        As of `gp.read`, for whole files; of `FILE#3` other levels may be broken anyway.

    Returns
    -------
    Pack

    Raises
    ------
    GridproofError
        When there is no such file, pack or level, or its text is broken.

    Examples
    --------
    >>> import gridproof as gp
    >>> gp.levels_at("sokoban/first-steps")
    <Pack 'First steps' of 13 levels>
    """
    if not isinstance(reference, str):
        raise GridproofError(f"a level reference must be a text, not {type(reference).__name__}")
    reference = resolve_pack(reference)
    path, _, number = reference.rpartition("#")
    if path and number and not os.path.exists(reference):
        return _pick_level(_read_reference(path, game, lenient=True), number, reference)
    if reference == "-" or files.is_file(reference):
        return _read_reference(reference, game, lenient)
    parts = reference.split("/")
    if is_game(parts[0]) and len(parts) in (2, 3):
        if len(parts) == 2:
            return builtin_pack(game_named(parts[0]), parts[1])
        return _pick_level(
            builtin_pack(game_named(parts[0]), parts[1], _number(parts[2])), parts[2], reference
        )
    if parts[0] in TASKS and len(parts) < 3:
        return _pick_level(task(parts[0]), parts[1], reference) if parts[1:] else task(parts[0])
    if os.path.isdir(reference):
        raise GridproofError(f"{reference}: this is a directory; give a file")
    if len(parts) == 1:
        meant = suggestion(reference, TASKS, likeness=0.8) or suggest_game(reference)
    else:
        meant = suggestion(reference, _references(parts[2:]))
    raise GridproofError(
        f"{reference or repr(reference)}: no such file, and no pack by that name (see `gridproof levels`){meant}"
    )


def _references(number: Sequence[str]) -> list[str]:
    """Return the references of all built-in packs, or of the level of this number in each."""
    packs = ((game.name, pack) for game in games() for pack in pack_names(game))
    return ["/".join((*pack, *number)) for pack in packs]


def level(name: str) -> Level:
    """Return the level of a name, as on the command line: of a built-in pack, or of a file.

    Parameters
    ----------
    name : str
        `sokoban/first-steps/1`, `FILE`, `FILE#3`.

    Returns
    -------
    Level
        With its certificate, where one is known.

    Raises
    ------
    GridproofError
        When there is no such file, pack or level, when there are several, or when the text is broken.

    Examples
    --------
    >>> import gridproof as gp
    >>> gp.level("sokoban/first-steps/1")
    gridproof.level('sokoban/first-steps/1')
    """
    pack = levels_at(name)
    if len(pack) != 1:
        raise GridproofError(f"{name} has {len(pack)} levels: name one of them, by its number")
    return pack[0]


def resolve_level(named: T | str) -> T | Level:
    """Return the level of a name; other values stay as they are. Errors as of `level`."""
    return level(named) if isinstance(named, str) else named


def _read_reference(path: str, game: str | None, lenient: bool) -> Pack:
    if path == "-":
        return recognition.read(files.read_stdin(), game, lenient=lenient)
    return read(Path(path), game, lenient=lenient)


def _number(text: str) -> int:
    """Return the number of a level; 0, which none has, if the text is no number."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else 0


def _pick_level(pack: Pack, text: str, reference: str) -> Pack:
    last, number = len(pack) + len(pack.broken), _number(text)
    if not 1 <= number <= last:
        raise GridproofError(f"{reference}: choose a level from 1 to {last}")
    notices = {1: pack.notices[number]} if number in pack.notices else {}
    one = [pack.find_level(number)]
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
    return read_certificates(own if own.is_file() else short)


def _stem(name: str) -> str:
    return name.rsplit(".", 1)[0]


def read_certificates(file: Traversable) -> Mapping[int, list[dict[str, str]]]:
    """Read the steps of each certificate in a file, by the number of its level; none without a file.

    ParseError when the file does not hold certificates, or is larger than traces may be.
    """
    if not (os.path.isfile(file) if isinstance(file, Path) else file.is_file()):  # a name may be too long
        return {}
    text = read_trace_text(file) if isinstance(file, Path) else file.read_text(encoding="utf-8")
    try:
        found = {item["level"]: item["steps"] for item in json.loads(text)}
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise ParseError(f"{file.name} does not hold certificates: {error!r}") from None
    for number, steps in found.items():
        is_numbered = type(number) is int and number >= 1
        if not is_numbered or not isinstance(steps, list) or not all(map(is_step, steps)):
            raise ParseError(
                f"{file.name} does not hold certificates: that of level {number!r} has not the form"
            )
    return found


def certificate_file(path: Path) -> Path:
    """Return the path of the certificates of the pack at `path`: `pack.robots.certificates.json`.

    The short name, `pack.certificates.json`, counts where it alone is there and can mean no other pack.
    """
    own = path.with_name(path.name + CERTIFICATES)
    short = path.with_name(_stem(path.name) + CERTIFICATES)
    return own if os.path.isfile(own) or not os.path.isfile(short) or _shares_name(path) else short


def _shares_name(path: Path) -> bool:
    """Return whether other levels lie beside a file, by the same name with another ending."""
    endings = {"", *(ending for game in games() for ending in _endings(game))}
    names = {_stem(path.name) + ending for ending in endings} - {path.name}
    return any(os.path.isfile(path.with_name(name)) for name in names if name)


def certify_level(level: Level, steps: Iterable[Mapping[str, str]]) -> Level:
    """Return the level with the certificate of these steps from its start.

    IllegalAction at a step that is not executable or has another label, GridproofError when they do not win.
    """
    start = level.start()
    done = list(replay_steps(start, steps))
    end = done[-1][1] if done else start
    if not end.won:
        raise GridproofError(f"the certificate of the level {level.title!r} does not win it")
    return with_certificate(level, Trace(start, tuple(step for step, _ in done)))


def with_certificate(level: Level, trace: Trace | None) -> Level:
    """Return the level with another certificate, or without one."""
    return dataclasses.replace(level, certificate=trace)


def add_certificates(pack: Pack, path: Path) -> None:
    """Give the levels of a pack in the file `path` the certificates beside it, where they have none.

    Certificates that do not win, and broken files, become `notices` of the pack.
    """
    notices = dict(pack.notices)
    try:
        known = read_certificates(certificate_file(path))
    except GridproofError as error:
        known, notices[1] = {}, str(error)
    for place, number in enumerate(pack.numbers):
        if number in known and pack[place].certificate is None:
            try:
                pack[place] = certify_level(pack[place], known[number])
                notices.pop(number, "")
            except GridproofError as error:
                notices[number] = f"{certificate_file(path).name}: {error}"
    pack.notices = FrozenDict(notices)


def save(pack: Pack, path: Path, form: str | None = None) -> int:
    """Write a pack to a file, and its certificates beside it where the format does not keep them.

    Return the number of lost certificates: nothing can lie beside a pipe or a device.
    """
    unkept = count_lost_certificates(pack, recognition.write(pack, path, form))
    if not os.path.isfile(path):
        return unkept
    if unkept or os.path.isfile(certificate_file(path)):
        write_certificates(path, pack)
    return 0


def count_lost_certificates(pack: Pack, text: str) -> int:
    """Count the certificates of a pack that are not in its text."""
    again = recognition.read(text, pack.game)
    return sum(
        bool(level.certificate and not copy.certificate) for level, copy in zip(pack, again, strict=True)
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

"""The theory as FO(.) text for IDP-Z3: vocabulary, theory, verifications, and the structures of boards (S27)."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from gridproof.core.errors import GridproofError
from gridproof.core.text.lines import one_line
from gridproof.core.text.phrases import short_repr
from gridproof.games.shiftit.claims.commands import choose_horizon, read_boards
from gridproof.games.shiftit.elements import DIRECTIONS
from gridproof.games.shiftit.idp.comments import LEVEL, remark_lines
from gridproof.games.shiftit.rules import Level
from gridproof.games.shiftit.runs import LONGEST, check_horizon

VERIFICATIONS = {
    "Wins": "claim 1 holds if this is sat",
    "EndsUnwon": "claim 2 holds if this is unsat",
    "Ends": "and is vacuous if this is unsat, too",
    "WinsUnreached": "claim 3 holds if this is unsat; without a win it is true of nothing",
    "WinsKeeping": "claim 4 holds if this is sat",
    "WinsNear": "claim 5 holds if this is sat",
    "GoesBackElsewhere": "claim 6 holds if this is unsat",
    "GoesBack": "and is vacuous if this is unsat, too",
}
"""The meaning of a model of each of the theory's last blocks for the claims (S19 to S24)."""

_LANGUAGE = """
    all and are card co codomain completion conditions constructed Concept Date Bool Int Real display distinct domain
    else enumerated exists false for from goal goal_symbol greater if import in induction is less max maximum min
    minimum necessary not of or partial prefix procedure recursive relevant same stable strictly structure such
    sufficient sum template than that the then theory there total true type var view vocabulary founded well
"""
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_DOMAIN = "dom_"  # prefix of the predicate that is the domain of a partial function


def fodot(text: str, game: str | None, horizon: int | None = None) -> str:
    """Shift It's theory in FO(.), with the boards of a text.

    Parameters
    ----------
    horizon : T
        Last time, for input that lists no times.

    Raises
    ------
    GridproofError
        For levels of another game, and a horizon that is missing, invalid or too large.
    """
    given = list(read_boards(text, game))
    names = ["Board"] if len(given) == 1 else [f"Board{number}" for number in range(1, len(given) + 1)]
    parts = [read_theory()]
    for name, (_, level, listed) in zip(names, given, strict=True):
        parts.append(
            "".join(f"{line}\n" for line in _structure_lines(name, level, choose_horizon(listed, horizon)))
        )
    return "\n".join([*parts, "".join(f"{line}\n" for line in _main_lines(names))])


@functools.cache
def read_theory() -> str:
    """Return vocabulary, theory and verifications."""
    return Path(__file__).with_name("theory.fodot").read_text(encoding="utf-8")


def _main_lines(names: Iterable[str]) -> Iterator[str]:
    """Yield the procedure that IDP-Z3 runs."""
    yield "procedure main() {"
    for name in names:
        yield f'  pretty_print("the first ten runs of {name}; max=0 asks for all of them")'
        yield f"  pretty_print(model_expand(ShiftIt, {name}, max=10, timeout_seconds=0))"
        for theory, meaning in VERIFICATIONS.items():
            yield f'  pretty_print("{meaning}:")'
            yield f"  pretty_print(model_check(ShiftIt, {name}, {theory}))"
    yield "}"


def _structure_lines(name: str, level: Level, horizon: int) -> Iterator[str]:
    """Yield the board and Time = {0..T}, under the names of the vocabulary (S16, S17)."""
    if check_horizon(horizon) > LONGEST:
        raise GridproofError(f"runs are written up to a horizon of {LONGEST:,}, not {short_repr(horizon)}")
    tiles = make_identifiers((tile.name for tile in level.tiles), "tile")
    colours = make_identifiers(level.colours, "colour", tiles.values())
    yield from (line.rstrip() for line in remark_lines(LEVEL, level.title, level.author, level.keys))
    for text, identifier in (*tiles.items(), *colours.items()):
        if text != identifier:
            yield f"// {identifier} stands for {one_line(text)}"
    yield f"structure {name} : ShiftItVoc {{"
    yield f"  Time := {{0..{horizon}}}."
    yield "  Start := 0."
    yield from _partial_lines("Next", {str(time): str(time + 1) for time in range(horizon)})
    yield _set_line("Co", map(str, sorted({*level.columns, *level.rows})))
    yield _set_line("XCo", map(str, level.columns))
    yield _set_line("YCo", map(str, level.rows))
    yield _set_line("Tile", tiles.values())
    yield _set_line("Colour", colours.values())
    yield _function_line("Init_GetPos", {tiles[tile.name]: f"P({tile.x}, {tile.y})" for tile in level.tiles})
    yield _set_line("IsLocked", (tiles[tile.name] for tile in level.tiles if tile.locked))
    whole: dict[str, str] = {}
    own: dict[str, str] = {}
    for tile in level.tiles:
        looks = [colours[colour or ""] for colour in tile.colours]
        if len(set(looks)) == 1:
            whole[tiles[tile.name]] = looks[0]
        else:
            own.update(
                (f"S({tiles[tile.name]}, {way})", look) for way, look in zip(DIRECTIONS, looks, strict=True)
            )
    yield from _partial_lines("Init_Colouring_Full", whole)
    yield from _partial_lines("Init_Colouring", own)
    yield "}"


def _set_line(name: str, elements: Iterable[str]) -> str:
    return f"  {name} := {{{', '.join(elements)}}}."


def _function_line(name: str, values: Mapping[str, str]) -> str:
    return _set_line(name, (f"{argument} -> {value}" for argument, value in values.items()))


def _partial_lines(name: str, values: Mapping[str, str]) -> Iterator[str]:
    """Yield the domain of a partial function and its values."""
    yield _set_line(f"{_DOMAIN}{name}", values)
    if values:
        yield _function_line(name, values)


def make_identifiers(names: Iterable[str], kind: str, reserved: Iterable[str] = ()) -> dict[str, str]:
    """Return a different identifier of FO(.) for each name: itself where possible, else `kind` with a number."""
    listed = list(names)
    used = {*_LANGUAGE.split(), *_WORD.findall(re.sub("//.*", "", read_theory())), *reserved}
    usable = {name for name in listed if _WORD.fullmatch(name) and not name.startswith(_DOMAIN)} - used
    used |= usable
    free = (name for number in itertools.count(1) if (name := f"{kind}_{number}") not in used)
    return {name: name if name in usable else next(free) for name in listed}

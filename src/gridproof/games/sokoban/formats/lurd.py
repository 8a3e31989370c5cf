"""Solutions as LURD (K22): `l u r d` a step, `L U R D` a push, `!` a bomb; run lengths as in `3r2U`.

On reading any letter case is accepted, white space is passed over, and groups are repeated, as in `3(ru2(lD))`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from gridproof.core.errors import ParseError
from gridproof.core.text import phrases
from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban.formats.pddl import is_plan, read_plan
from gridproof.games.sokoban.rules import LETTERS, STEPS, Action, Level, Position, Pushed

MOST_ACTIONS = 1_000_000
"""The most actions that one text may have, its run lengths written out."""

_RUN = re.compile(r"\s*([0-9]*)([^0-9]|$)")
_LURD = re.compile(r"[\slurd!0-9()]+", re.IGNORECASE)
_MISTYPED = re.compile(r"(?=.{4})[lurd!0-9()]*([^\W_lurd0-9])[lurd!0-9()]*", re.IGNORECASE)
_LETTER_OF: Mapping[Any, str] = {action: letter for letter, action in LETTERS.items()}
_REPEATED = re.compile("[0-9()]")
_STEP_OF = {letter: STEPS[action] for letter, action in LETTERS.items() if action in STEPS}
_EXPECTED = "one of l u r d L U R D !, or a number before one or before a group in brackets"


class _Group(NamedTuple):
    """An open bracket."""

    times: int
    place: int
    """Index of the bracket in the text."""
    runs: int
    """Number of runs before it."""
    length: int
    """Number of actions before it."""


def read_actions(text: str) -> tuple[Action, ...]:
    """Return the actions of a text, whether they can be executed or not.

    Raises
    ------
    ParseError
        With the line and column of what is no LURD, or where MOST_ACTIONS are exceeded.
    """
    return tuple(LETTERS[letter] for letter in _letters(text, MOST_ACTIONS))


def _letters(text: str, most: int) -> str:
    """Return the small letters of a text; errors as of `read_actions`, with another bound."""
    if is_solution(text) and _REPEATED.search(text) is None:  # files have millions of letters
        letters = "".join(text.split()).lower()
        if len(letters) <= most:
            return letters
    return _expand(text, most)


def _expand(text: str, most: int) -> str:
    """Return the small letters of a text with run lengths; errors as of `_letters`."""
    runs, length, groups = list[str](), 0, list[_Group]()
    for run in _RUN.finditer(text.rstrip()):
        digits, letter = run.groups()
        if not (digits or letter):
            continue
        if letter == ")" and not digits:
            if not groups:
                raise _error("')' without its other bracket", text, run.start(2))
            group = groups.pop()
            added = _added_length(group, length - group.length, text, most)
            if added:
                runs[group.runs :] = ["".join(runs[group.runs :]) * group.times]
            length += added
            continue
        times = _parse_run_length(digits, text, run.start(1), most - length, most)
        if letter in ("", ")"):
            raise _error("a number without a letter", text, run.start(1))
        if letter == "(":
            groups.append(_Group(times, run.start(2), len(runs), length))
            continue
        if letter.lower() not in LETTERS:
            raise _error(f"{letter!r} in a solution", text, run.start(2))
        runs.append(letter.lower() * times)
        length += times
    if groups:
        raise _error("'(' without its other bracket", text, groups[-1].place)
    return "".join(runs)


def _added_length(group: _Group, once: int, text: str, most: int) -> int:
    """Return by how much a group grows when it is repeated; errors as of `_letters`."""
    added = (group.times - 1) * once
    if not once:
        raise _error("a group of no actions", text, group.place)
    if group.length + once + added > most:
        raise _error(f"more than {most} actions", text, group.place)
    return added


def split_actions(text: str) -> list[str]:
    """Split a text into single actions: LURD as a whole or in parts, names as in every game, or a plan of a planner.

    Raises
    ------
    ParseError
        As `read_actions` for a text of LURD alone, else when brackets do not match, or for a part that
        would be LURD but for one letter.
    """
    if is_plan(text):
        return read_plan(text)
    parts = [text] if _LURD.fullmatch(text) else phrases.split_actions(text)
    for part in parts:
        if wrong := _MISTYPED.fullmatch(part):
            raise _error(f"{wrong[1]!r} in a solution", text, text.index(part) + wrong.start(1))
    return [name for part in parts for name in _action_names(part, alone=len(parts) == 1)]


def _action_names(part: str, alone: bool) -> list[str]:
    """Return the names of the actions of a part; a number among names is not LURD, as in "undoo 3"."""
    is_lurd = _LURD.fullmatch(part) and (alone or not part.isdigit())
    return [str(action) for action in read_actions(part)] if is_lurd else [part]


def _parse_run_length(digits: str, text: str, place: int, room: int, most: int) -> int:
    times = int(digits.lstrip("0")[:9] or 0) if digits else 1
    if not times:
        raise _error("a run of no actions", text, place)
    if times > room:
        raise _error(f"more than {most} actions", text, place)
    return times


def _error(reason: str, text: str, place: int) -> ParseError:
    return ParseError.at(text, place, reason, _EXPECTED)


def read_solution(start: Level | Position, text: str) -> Trace:
    """Return the trace of a text from a level's start, or from a position, and replay it.

    Raises
    ------
    ParseError
        As `read_actions`.
    IllegalAction
        At the first action that is not executable.
    """
    position = start if isinstance(start, Position) else start.start()
    trace = Trace(position, tuple(Step(action) for action in read_actions(text)))
    trace.replay()
    return trace


def is_solution(text: str) -> bool:
    """Return whether a text is nothing but LURD."""
    return _LURD.fullmatch(text) is not None


def plain_letters(text: str, most: int) -> str | None:
    """Return the small letters of a text as of `read_actions`; None for no LURD, or for more than `most`."""
    try:
        return _letters(text, most)
    except ParseError:
        return None


def trace_letters(trace: Trace) -> str:
    """Return the small letters of a trace's actions."""
    return "".join(_LETTER_OF[action] for action in trace.actions)


def verify_letters(level: Level, letters: str) -> str | None:
    """Return small letters in the form of `write_solution`, if they win a level from its start; else None.

    The rules once more (K6 to K9, K15), fast, since files have millions of letters.
    """
    (width, height), (x, y) = level.size, level.player
    walls, boxes, depots, bombs = set(level.walls), set(level.boxes), level.depots, level.bombs
    missing, written = len(boxes - depots), list[str]()
    for letter in letters:
        if not missing:
            return None
        if letter == "!":
            if not bombs:
                return None
            bombs -= 1
            walls = {wall for wall in walls if wall[0] != x and wall[1] != y}
            written.append(letter)
            continue
        dx, dy = _STEP_OF[letter]
        x, y = to = x + dx, y + dy
        if to in walls or not (0 <= x < width and 0 <= y < height):
            return None
        if to in boxes:
            behind = x + dx, y + dy
            if behind in walls or behind in boxes or not (0 <= behind[0] < width and 0 <= behind[1] < height):
                return None
            boxes.remove(to)
            boxes.add(behind)
            missing += (to in depots) - (behind in depots)
            letter = letter.upper()  # noqa: PLW2901  # a push
        written.append(letter)
    return None if missing else "".join(written)


def write_solution(trace: Trace, run_lengths: bool = False) -> str:
    """Return the letters of a trace, pushes as capitals; with run lengths on request.

    Raises
    ------
    IllegalAction
        At a step of the trace that cannot be done.
    """
    letters = "".join(
        _LETTER_OF[action].upper() if isinstance(outcome.events[0], Pushed) else _LETTER_OF[action]
        for action, outcome in zip(trace.actions, trace.outcomes(), strict=True)
    )
    return _encode_run_lengths(letters) if run_lengths else letters


def _encode_run_lengths(letters: str) -> str:
    runs = ((letter, len(list(run))) for letter, run in itertools.groupby(letters))
    return "".join(f"{length}{letter}" if length > 1 else letter for letter, length in runs)

"""Solutions as LURD (K22): `l u r d` a step, `L U R D` a push, `!` a bomb; run lengths as in `3r2U`.

On reading any letter case is accepted, and white space is passed over.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from typing import Any

from gridproof.core import wording
from gridproof.core.errors import ParseError
from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban.rules import LETTERS, Action, Level, Position, Pushed

MOST_ACTIONS = 1_000_000
"""The most actions that one text may have, its run lengths written out."""

_RUN = re.compile(r"\s*([0-9]*)([^0-9]|$)")
_LURD = re.compile(r"[\slurd!0-9]+", re.IGNORECASE)
_LETTER_OF: Mapping[Any, str] = {action: letter for letter, action in LETTERS.items()}
_EXPECTED = "one of l u r d L U R D !, or a number before one"


def read_actions(text: str) -> tuple[Action, ...]:
    """The actions that a text means, whether they can be executed or not.

    Raises
    ------
    ParseError
        With the line and column of what is no LURD, or where MOST_ACTIONS are exceeded.
    """
    actions: list[Action] = []
    for run in _RUN.finditer(text.rstrip()):
        digits, letter = run.groups()
        if digits or letter:
            times = _times(digits, text, run.start(1), room=MOST_ACTIONS - len(actions))
            if not letter:
                raise _error("a number without a letter", text, run.start(1))
            if letter.lower() not in LETTERS:
                raise _error(f"{letter!r} in a solution", text, run.start(2))
            actions += [LETTERS[letter.lower()]] * times
    return tuple(actions)


def split_actions(text: str) -> list[str]:
    """The texts of single actions: LURD as a whole or in parts, names as in every game.

    Raises
    ------
    ParseError
        As `read_actions` for a text of LURD alone, else when brackets do not match.
    """
    parts = [text] if _LURD.fullmatch(text) else wording.split_actions(text)
    return [name for part in parts for name in _names(part)]


def _names(part: str) -> list[str]:
    return [str(action) for action in read_actions(part)] if _LURD.fullmatch(part) else [part]


def _times(digits: str, text: str, place: int, room: int) -> int:
    times = int(digits.lstrip("0")[:9] or 0) if digits else 1
    if not times:
        raise _error("a run of no actions", text, place)
    if times > room:
        raise _error(f"more than {MOST_ACTIONS} actions", text, place)
    return times


def _error(reason: str, text: str, place: int) -> ParseError:
    line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
    return ParseError(reason, line=line, column=column, expected=_EXPECTED)


def read_solution(start: Level | Position, text: str) -> Trace:
    """The trace that a text means from a level's start, or from a position on; it is replayed.

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


def write_solution(trace: Trace, run_lengths: bool = False) -> str:
    """The letters of a trace, pushes as capitals; with run lengths when they are wanted.

    Raises
    ------
    IllegalAction
        At a step of the trace that cannot be done.
    """
    letters = "".join(
        _LETTER_OF[action].upper() if isinstance(outcome.events[0], Pushed) else _LETTER_OF[action]
        for action, outcome in zip(trace.actions, trace.outcomes(), strict=True)
    )
    return _with_run_lengths(letters) if run_lengths else letters


def _with_run_lengths(letters: str) -> str:
    runs = ((letter, len(list(run))) for letter, run in itertools.groupby(letters))
    return "".join(f"{length}{letter}" if length > 1 else letter for letter, length in runs)

"""Solutions in level files: verified by replaying them, and written as the collections do (K22).

They are lines `Solution: rrUUl` below a board, in XML the key of that name; or, as Sokoban YASC writes
them, lines of letters by themselves, mostly under a line `Solution`. A solution that wins the level from
its start becomes its certificate. Any other stays a text, and the pack's `notices` say so.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping

from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban.formats import lurd
from gridproof.games.sokoban.rules import LETTERS, Level

SOLUTION = "Solution"
"""The key of a solution."""
_MORE = 4  # actions for each character of a text: run lengths make them more than there are letters
_LEAST = 1000  # actions that any text may have
_WALLS = 16  # that a bomb may look at for an action
_STEPS = {letter: Step(action) for letter, action in LETTERS.items()}


class Solutions:
    """A verifier of the solutions of one text, with a limit on the work by the text's length.

    Parameters
    ----------
    length : int
        Of the text, in characters.
    """

    def __init__(self, length: int) -> None:
        self._budget = _LEAST + _MORE * length

    def certify(self, level: Level, notice: Callable[[str], None]) -> Level:
        """Return the level with a winning solution of its text as certificate; else give notice of an announced one."""
        value = level.keys.get(SOLUTION)
        for text in _solution_texts(level):
            letters = self._replay(level, text)
            if letters:
                keys = {
                    name: value for name, value in level.keys.items() if (name, value) != (SOLUTION, letters)
                }
                steps = tuple(_STEPS[letter] for letter in letters.lower())
                return dataclasses.replace(level, keys=keys, certificate=Trace(level.start(), steps))
        if value is not None or any(_announces_solution(note) for note in level.notes_below):
            reason = "does not win it" if self._budget >= 0 else "is too long to be replayed"
            notice(f"its solution {reason}, and is kept as a text")
        return level

    def _replay(self, level: Level, text: str) -> str | None:
        """Return the letters of a solution that wins; None for any other text."""
        letters = lurd.plain_letters(text, self._budget)
        if letters is None:
            return None
        bombs = min(level.bombs, letters.count("!"))
        self._budget -= len(letters) + bombs * len(level.walls) // _WALLS
        return lurd.verify_letters(level, letters) if self._budget >= 0 else None


def _solution_texts(level: Level) -> Iterator[str]:
    """Yield possible solutions: the lines of the key, together and one by one, and lines of letters below."""
    value = level.keys.get(SOLUTION, "")
    if value:
        yield value
    if "\n" in value:
        yield from value.split("\n")
    for is_solution, lines in itertools.groupby(level.notes_below, lurd.is_solution):
        if is_solution:
            found = "\n".join(lines)
            yield found
            if value:
                yield f"{value}\n{found}"
                value = ""


def _announces_solution(note: str) -> bool:
    return note.strip().lower().startswith(SOLUTION.lower())


def keys_with_solution(level: Level) -> Mapping[str, str]:
    """Return the keys of a level with its certificate as a solution, unless its text has it anyway."""
    trace = level.certificate
    if trace is None or trace.start != level.start():
        return level.keys
    plain = lurd.trace_letters(trace)
    letters = lurd.verify_letters(level, plain)
    if letters is None or any(
        lurd.plain_letters(text, len(plain)) == plain for text in _solution_texts(level)
    ):
        return level.keys
    value = level.keys.get(SOLUTION)
    return {**level.keys, SOLUTION: letters if value is None else f"{value}\n{letters}"}

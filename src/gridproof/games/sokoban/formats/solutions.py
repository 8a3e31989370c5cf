"""Solutions in level files: verified by replaying them, and written as the collections do (K22).

They are lines `Solution: rrUUl` below a board, in XML the key of that name; or, as Sokoban YASC writes
them, lines of letters by themselves, mostly under a line `Solution`. A solution that wins the level from
its start becomes its certificate. Any other stays what it is, a text, and the pack's `notices` say so.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping

from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban.formats import lurd
from gridproof.games.sokoban.rules import LETTERS, Level

SOLUTION = "Solution"
"""The key under which it is written."""
_MORE = 4  # actions for each character of a text: run lengths make them more than there are letters
_LEAST = 1000  # actions that any text may have
_WALLS = 16  # that a bomb may look at for an action
_STEPS = {letter: Step(action) for letter, action in LETTERS.items()}


class Solutions:
    """Replays the solutions of one text, with a limit on the work that depends on the text's length.

    Parameters
    ----------
    length : int
        Of the text, in characters.
    """

    def __init__(self, length: int) -> None:
        self._left = _LEAST + _MORE * length

    def believed(self, level: Level, notice: Callable[[str], None]) -> Level:
        """The level with the certificate that its text gives, if one wins; else a notice, where one is announced."""
        told = level.keys.get(SOLUTION)
        for text in _texts(level):
            letters = self._replayed(level, text)
            if letters:
                keys = {
                    name: value for name, value in level.keys.items() if (name, value) != (SOLUTION, letters)
                }
                steps = tuple(_STEPS[letter] for letter in letters.lower())
                return dataclasses.replace(level, keys=keys, certificate=Trace(level.start(), steps))
        if told is not None or any(_announces(note) for note in level.notes_below):
            reason = "does not win it" if self._left >= 0 else "is too long to be replayed"
            notice(f"its solution {reason}, and is kept as a text")
        return level

    def _replayed(self, level: Level, text: str) -> str | None:
        """The letters of a solution that wins; None for any other text."""
        letters = lurd.plain(text, self._left)
        if letters is None:
            return None
        bombs = min(level.bombs, letters.count("!"))
        self._left -= len(letters) + bombs * len(level.walls) // _WALLS
        return lurd.winning(level, letters) if self._left >= 0 else None


def _texts(level: Level) -> Iterator[str]:
    """What may be a solution: the lines of the key, together and one by one, and lines of letters below."""
    told = level.keys.get(SOLUTION, "")
    if told:
        yield told
    if "\n" in told:
        yield from told.split("\n")
    for is_solution, lines in itertools.groupby(level.notes_below, lurd.is_solution):
        if is_solution:
            found = "\n".join(lines)
            yield found
            if told:
                yield f"{told}\n{found}"
                told = ""


def _announces(note: str) -> bool:
    return note.strip().lower().startswith(SOLUTION.lower())


def keys_with_solution(level: Level) -> Mapping[str, str]:
    """The keys of a level and, when its text does not say it anyway, its certificate as a solution."""
    trace = level.certificate
    if trace is None or trace.start != level.start():
        return level.keys
    plain = lurd.letters_of(trace)
    letters = lurd.winning(level, plain)
    if letters is None or any(lurd.plain(text, len(plain)) == plain for text in _texts(level)):
        return level.keys
    told = level.keys.get(SOLUTION)
    return {**level.keys, SOLUTION: letters if told is None else f"{told}\n{letters}"}

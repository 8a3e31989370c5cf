"""What the table tells, in the order in which it is to be seen: positions one after the other, then an end."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gridproof.core.position import Position
from gridproof.play.messages import AllDone, Best, Board, Lost, Message, Moved, Won


@dataclass(frozen=True, slots=True)
class Shown:
    """A position on the way, to be seen for a moment."""

    position: Position[Any]


@dataclass(frozen=True, slots=True)
class End:
    """A level has been won or lost."""

    board: Board
    words: tuple[str, ...]
    won: bool


Scene = Shown | Board | End


def scenes(told: Iterable[Message]) -> deque[Scene]:
    """What is to be seen of an answer."""
    found: deque[Scene] = deque()
    board: Board | None = None
    for message in told:
        if isinstance(message, Moved) and message.change.kind == "act":
            found.append(Shown(message.change.after))
        elif isinstance(message, Board):
            board = message
            found.append(message)
        elif isinstance(message, (Won, Lost)) and board is not None:
            found.append(End(board, (message.words(),), isinstance(message, Won)))
        elif isinstance(message, (Best, AllDone)) and found and isinstance(found[-1], End):
            found[-1] = End(found[-1].board, (*found[-1].words, message.words()), found[-1].won)
    return found

"""What the table tells, in the order in which it is to be seen: positions one after the other, then an end."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gridproof.core.look import Motion
from gridproof.core.position import Position
from gridproof.core.viewer import Change
from gridproof.play.messages import AllDone, Best, Board, Entered, Lost, Message, Moved, Refused, Won
from gridproof.play.moved import compared, differences, same_shape


@dataclass(frozen=True, slots=True)
class Shown:
    """A position on the way, to be seen for a moment."""

    position: Position[Any]


@dataclass(frozen=True, slots=True)
class Sliding:
    """What an action moves, a part of its way on."""

    before: Position[Any]
    motions: tuple[Motion, ...]
    part: float


@dataclass(frozen=True, slots=True)
class End:
    """A level has been won or lost."""

    board: Board
    words: tuple[str, ...]
    won: bool


Scene = Shown | Sliding | Board | Entered | End


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
        elif isinstance(message, Entered):
            found.append(message)
        elif isinstance(message, (Won, Lost)) and board is not None:
            found.append(End(board, (message.words(),), isinstance(message, Won)))
        elif isinstance(message, (Best, AllDone)) and found and isinstance(found[-1], End):
            found[-1] = End(found[-1].board, (*found[-1].words, message.words()), found[-1].won)
    return found


PARTS = (1 / 3, 2 / 3)
"""Of the way of what moves, at which it is seen."""
MOST_SLID = 3
"""Actions of one input that are slid; of more, each is seen for a moment."""


def slid(told: Iterable[Message], found: Iterable[Scene]) -> deque[Scene]:
    """The same, with what is on its way between two positions."""
    changes = iter([one.change for one in told if isinstance(one, Moved) and one.change.kind == "act"])
    with_slides: deque[Scene] = deque()
    for scene in found:
        if isinstance(scene, Shown):
            change = next(changes)
            motions = moved(change)
            with_slides.extend(Sliding(change.before, motions, part) for part in PARTS if motions)
        with_slides.append(scene)
    return with_slides


def conversation(message: Moved) -> tuple[str, ...]:
    """What an actor asked for, and what the player who is told learns besides, such as a hint."""
    if message.change.kind != "act":
        return ()
    look = message.change.before.level.game.look
    ((action, outcome),) = message.change.steps
    (heard,) = look.heard([outcome], message.actor)
    return look.words(action), *look.private_words(heard)


def moved(change: Change) -> tuple[Motion, ...]:
    """What an action has moved, as the game's look says, or by comparing the boards."""
    look = change.before.level.game.look
    ((action, outcome),) = change.steps
    if look.motions:
        return look.motions(change.before, action, outcome)
    before, after = look.board(change.before), look.board(change.after)
    return compared(before, after, differences(before, after)) if same_shape(before, after) else ()


def refused(told: Iterable[Message]) -> str:
    """All that was refused, and why; "" where nothing was."""
    return "; ".join(message.reason for message in told if isinstance(message, Refused))

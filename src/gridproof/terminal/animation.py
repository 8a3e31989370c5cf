"""Messages of the table as scenes, in the order in which the screen shows them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gridproof.core.look import Motion
from gridproof.core.observers import Change
from gridproof.core.position import Position
from gridproof.table.keys import explain_refusal
from gridproof.table.messages import AllDone, Best, Board, Entered, Lost, Message, Moved, Over, Refused, Won
from gridproof.table.moved_pieces import motions_of
from gridproof.terminal.sidebar import describe_best


@dataclass(frozen=True, slots=True)
class PositionFrame:
    """A position shown for a moment."""

    position: Position[Any]


@dataclass(frozen=True, slots=True)
class SlideFrame:
    """Pieces that an action moves, a part of their way on."""

    before: Position[Any]
    motions: tuple[Motion, ...]
    part: float


@dataclass(frozen=True, slots=True)
class End:
    """The end of a level, won or lost."""

    board: Board
    words: tuple[str, ...]
    won: bool


Scene = PositionFrame | SlideFrame | Board | Entered | End


def scenes_of(messages: Iterable[Message]) -> deque[Scene]:
    """Return the scenes that show messages."""
    scenes: deque[Scene] = deque()
    board: Board | None = None
    for message in messages:
        if isinstance(message, Moved) and message.change.kind == "act":
            scenes.append(PositionFrame(message.change.after))
        elif isinstance(message, Board):
            board = message
            scenes.append(message)
        elif isinstance(message, Entered):
            scenes.append(message)
        elif isinstance(message, (Won, Lost)) and board is not None:
            scenes.append(End(board, (message.words(),), isinstance(message, (Won, Over))))
        elif isinstance(message, (Best, AllDone)) and scenes and isinstance(scenes[-1], End):
            end, level = scenes[-1], scenes[-1].board.position.level
            words = describe_best(message.values, level) if isinstance(message, Best) else message.words()
            scenes[-1] = End(end.board, (*end.words, words), end.won)
    return scenes


PARTS = (1 / 3, 2 / 3)
"""Parts of the way at which sliding pieces are shown."""
MAX_SLIDES = 3
"""Largest number of actions of one input that slide; with more, each is shown for a moment."""


def add_slides(messages: Iterable[Message], scenes: Iterable[Scene]) -> deque[Scene]:
    """Return the scenes with slides between positions."""
    changes = iter([one.change for one in messages if isinstance(one, Moved) and one.change.kind == "act"])
    with_slides: deque[Scene] = deque()
    for scene in scenes:
        if isinstance(scene, PositionFrame):
            change = next(changes)
            motions = motions_of_change(change)
            with_slides.extend(SlideFrame(change.before, motions, part) for part in PARTS if motions)
        with_slides.append(scene)
    return with_slides


def request_lines(message: Moved, frame: str) -> tuple[str, ...]:
    """Describe the request of an actor, and its private events for the player, such as a hint, in directions of a frame."""
    if message.change.kind != "act":
        return ()
    look = message.change.before.level.game.look
    ((action, outcome),) = message.change.steps
    (heard,) = look.filter_outcomes([outcome], message.actor)
    return look.describe_in(message.change.before, action, frame), *look.private_texts(heard, frame)


def motions_of_change(change: Change) -> tuple[Motion, ...]:
    """Return what an action moved."""
    ((action, outcome),) = change.steps
    return motions_of(change.before, action, outcome)


def is_wrong_input(messages: Iterable[Message]) -> bool:
    """Return whether a refusal is of something else than an action that the rules do not allow here, or a command without use now."""
    refusals = [message for message in messages if isinstance(message, Refused)]
    return any(not (message.blocked or message.sentence) for message in refusals)


def refusal_reasons(messages: Iterable[Message], position: Position[Any], frame: str) -> str:
    """Return the reasons of all refusals in a position, in directions of a frame; "" without any."""
    refusals = [message for message in messages if isinstance(message, Refused)]
    return "; ".join(
        (one.blocked and explain_refusal(position, one.blocked, frame)) or one.sentence or one.reason
        for one in refusals
    )

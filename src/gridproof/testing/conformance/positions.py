"""Checks of positions: values that print, read back, compare and are immutable."""

from __future__ import annotations

import pickle
from typing import Any

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.game import Game, Proposition
from gridproof.core.position import NATURE, Position, Status
from gridproof.core.proposition import propositions
from gridproof.testing.conformance.fault import place, raises, require, require_immutable

NO_ACTION = "no such action"
_NONSENSE = ("nonsense", -1, 10**9, 0)


def check_position(position: Position[Any], game: Game) -> None:
    """Check a position without actions."""
    _check_value(position)
    _check_actions(position)
    _check_status(position, game)
    for item in propositions(game).values():
        with place(f"proposition {item.name!r}"):
            _check_proposition(item, position)


def _check_value(position: Position[Any]) -> None:
    require_immutable(position, "level", "the position")
    text = position.text()
    require(isinstance(text, str) and text.endswith("\n"), "its text does not end with a newline")
    again = position.level.position(text)
    require(
        again == position, f"level.position of its text {text!r} gives another position, {again.text()!r}"
    )
    require(hash(again) == hash(position), "an equal position has another hash")
    require(again.text() == text, "an equal position has another text")
    require(again.actions() == position.actions(), "an equal position has other actions")
    require(position != object(), "it is equal to what is no position")
    copied = pickle.loads(pickle.dumps(position))  # noqa: S301  # our own
    require(copied == position and hash(copied) == hash(position), "pickling gives another position")


def _check_actions(position: Position[Any]) -> None:
    actions = position.actions()
    require(isinstance(actions, tuple), "its actions are no tuple")
    require(position.actions() == actions, "its actions change from call to call")
    players = [name for name in position.level.game.actors(position.level) if name != NATURE]
    shares = [action for name in players for action in position.actions(name)]
    listed = position.level.all_actions()
    for action in position.all_actions() if listed else ():
        require(action in listed, f"{action} is none of all_actions() of the level")
    for action in actions:
        require(action in shares, f"{action} is an action of no actor")
    require(
        len(shares) == len(actions), f"the actors have {len(shares)} actions, all together {len(actions)}"
    )
    for name in position.level.game.actors(position.level):
        for action in position.actions(name):
            owner = position.level.owner(action)
            require(owner == name, f"{action} is an action of {name}, but its owner is {owner}")
    texts = [str(action) for action in position.all_actions()]
    require(len(set(texts)) == len(texts), f"two actions have the same text: {texts}")
    for action, text in zip(position.all_actions(), texts, strict=True):
        sound = text.strip() == text and text.isprintable() and text
        require(sound, f"the text of the action, {text!r}, is not one line")
        require(position.action(text) == action, f"action({text!r}) is another action")
        require(hash(position.action(text)) == hash(action), f"the equal action {text!r} has another hash")
    refused = raises(IllegalAction, lambda: position.action(NO_ACTION))
    require(refused, f"action({NO_ACTION!r}) does not raise IllegalAction")


def _check_status(position: Position[Any], game: Game) -> None:
    actions, status = position.actions(), position.status
    if position.won:
        require(status is Status.WON, f"it is won, but its status is {status}")
        allowed = game.policy.act_after_win or not position.all_actions()
        require(allowed, "it is won, but has actions, and the policy does not say act_after_win")
    else:
        wanted = Status.PLAYING if actions else Status.LOST
        require(
            status is wanted, f"with {len(actions)} actions and no win its status is {status}, not {wanted}"
        )
    require(position.ended == (not actions), f"with {len(actions)} actions, ended is {position.ended}")


def _check_proposition(item: Proposition, position: Position[Any]) -> None:
    kind = int if item.number else bool
    most = len(item.parameters)
    for count in range(most - item.optional, most + 1):
        for argument in _NONSENSE if count else (None,):
            arguments = (argument,) * count
            with place(f"with the arguments {arguments}"):
                value = _value(item, position, arguments)
                require(isinstance(value, kind), f"its value is {value!r}, which is no {kind.__name__}")


def _value(item: Proposition, position: Position[Any], arguments: tuple[object, ...]) -> object:
    """Return the value; for arguments that the game refuses, return False."""
    try:
        return item.value(position, *arguments)
    except GridproofError:
        require(arguments, "it refuses to be asked without arguments")
        return False

"""Parser of typed actions: by name, key, first letters or number."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from typing import Any

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.position import Action, Position
from gridproof.core.text.phrases import some, split_actions
from gridproof.table.keys import VI_KEYS, WASD, keys_on

_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
_ARROW = re.compile(r"\x1b(?:\[(?:[0-9;]*)|O)([ABCD])")


def name_arrows(line: str) -> str:
    """Replace the escape sequences of arrow keys, such as ESC [ A, by their names."""
    if not _ARROW.search(line):
        return line
    return " ".join(_ARROW.sub(lambda found: f" {_ARROWS[found[1]]} ", line).split()) + "\n"


class ActionParser:
    """Parser of the short forms of a position's actions, made from their names and keys.

    W, A, S and D are arrow keys where the level has arrows, and nothing else: "d" is right, never down.
    If another short form has several meanings, it means the executable action.

    The first letters of names are short forms, so "l" is left; vi's keys for the arrows are not. Nor are
    digits, which are the numbers of the listed actions.

    Parameters
    ----------
    position : Position
    actor : str, optional
        Actor whose keys count.
    """

    def __init__(self, position: Position[Any], actor: str | None = None) -> None:
        self.position = position
        self.actor = actor

    @functools.cached_property
    def executable(self) -> tuple[str, ...]:
        """Return the texts of the executable actions."""
        return tuple(map(str, self.position.all_actions()))

    @functools.cached_property
    def _keys(self) -> Mapping[str, str]:
        return keys_on(self.position.level, self.actor)

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """Return the texts of all actions of the level."""
        on_level = tuple(map(str, self.position.level.all_actions())) or tuple(self._keys.values())
        return tuple(dict.fromkeys((*on_level, *self.executable)))

    @functools.cached_property
    def keys(self) -> Mapping[str, str]:
        """Return the keys that are short forms: neither digits nor vi's arrow keys."""
        keys = self._keys
        return {
            key: text
            for key, text in keys.items()
            if text in self.names and not key.isdigit() and keys.get(VI_KEYS.get(key, "")) != text
        }

    @functools.cached_property
    def wasd(self) -> Mapping[str, str]:
        """Return W, A, S and D if they are arrow keys."""
        keys = self._keys
        return {
            key: keys[key] for key, arrow in WASD.items() if key in self.keys and keys[key] == keys.get(arrow)
        }

    def texts(self, typed: str) -> list[str]:
        """Split a line into the texts of single actions.

        Raises
        ------
        ParseError
            From the game's `split_actions`.
        """
        split: Callable[[str], list[str]] = self.position.level.game.own_format.split_actions
        if self.are_arrows(typed):
            return [letter for letter in typed if letter != " "]
        parts = split_actions(typed)
        if not any(part in self.names or part.lower() in self.wasd for part in parts):
            return split(typed)
        return [text for part in parts for text in ([part] if part.lower() in self.wasd else split(part))]

    def are_arrows(self, typed: str) -> bool:
        """Return whether a line consists of W, A, S and D as arrow keys."""
        return all(letter.lower() in self.wasd for letter in typed if letter != " ")

    def meanings(self, typed: str) -> tuple[str, ...]:
        """Return the actions that short forms may mean; several if they are ambiguous."""
        if typed.lower() in self.wasd:
            return (self.wasd[typed.lower()],)
        key = (self.keys[typed],) if typed in self.keys else ()
        return tuple(dict.fromkeys((*key, *(name for name in self.names if name.startswith(typed)))))

    def short_forms(self, name: str) -> tuple[str, ...]:
        """Return the unambiguous first letter and keys of an action."""
        forms = dict.fromkeys((name[:1], *self.keys))
        return tuple(form for form in forms if form != name and self.meanings(form) == (name,))

    def action(self, typed: str, numbers: bool = True) -> Action:
        """Return the executable action that a text means.

        Parameters
        ----------
        numbers : bool
            Let "2" mean the second of `position.actions()`.

        Raises
        ------
        IllegalAction
            If the text means no executable action, or several.
        """
        try:
            arrow = self.wasd.get(typed.lower(), typed) if typed.lower() in WASD else typed
            action: Action = self.position.action(arrow)
            return action
        except IllegalAction as error:
            refusal = error
        if numbers and re.fullmatch("[0-9]{1,9}", typed):
            return _nth_action(self.position, typed)
        meanings = self.meanings(typed) or self.meanings(typed.lower())
        executable = tuple(name for name in meanings if name in self.executable)
        if len(executable) > 1:
            raise IllegalAction(typed, f"it may mean {some(executable, ' or ')}")
        if len(executable or meanings) != 1:
            raise refusal
        named: Action = self.position.action((executable or meanings)[0])
        return named

    def illegal_action(self, error: GridproofError) -> str:
        """Return the action that an error refuses, if the level has it; else ""."""
        text = error.action if isinstance(error, IllegalAction) else ""
        return text if text in self.names else ""

    def is_action(self, typed: str) -> bool:
        """Return whether a text means an executable action."""
        try:
            self.action(typed)
        except GridproofError:
            return False
        return True


def _nth_action(position: Position[Any], typed: str) -> Action:
    actions = position.actions()
    if not 1 <= int(typed) <= len(actions):
        raise IllegalAction(typed, f"choose an action from 1 to {len(actions)}")
    action: Action = actions[int(typed) - 1]
    return action

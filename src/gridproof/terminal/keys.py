"""What keys mean to a player: those of commands and of the game, and what the player has set instead.

Settings have, by game, keys of one's own as "up": "up,w,e": the first of the usual keys, and those that count instead
of all of them. Of commands, which stand under "", it is the command's name; Textual's keymap takes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from textual.binding import Binding

from gridproof.play.commands import COMMANDS
from gridproof.play.keys import keys_on
from gridproof.play.table import Table
from gridproof.play.terminal.settings import Settings

COMMANDS_HERE = ""
"""What keys of commands are kept under."""
SHOWN = {
    "undo": "Undo",
    "hint": "Hint",
    "as": "Switch",
    "redo": "Redo",
    "solve": "Solve",
    "watch": "Watch",
    "restart": "Restart",
    "levels": "Levels",
    "proof": "Proof",
}
"""What stands in the footer, in its order, as far as there is room."""
_FIRST = ("undo", "hint")
"""What stands before the rest, also on a narrow screen."""
_ASKING = ("help", "quit", "open", "save")
"""Commands that a screen has its own way to ask for."""


@dataclass(frozen=True, slots=True)
class KeyRow:
    """Keys that mean the same."""

    table: str
    """The game's name, or "" for commands."""
    name: str
    """What they are kept under."""
    words: str
    keys: tuple[str, ...]


def command_bindings(*names: str) -> list[Binding]:
    """Commands as bindings, of these names or all others, in the order of the footer; those that ask have their own."""
    known = {command.words[0]: command for command in COMMANDS if command.keys}
    ordered = [*SHOWN, *(name for name in known if name not in SHOWN and name not in _ASKING)]
    wanted = names or [name for name in ordered if name not in _FIRST]
    return [_binding(name, known[name].keys) for name in wanted]


def _binding(name: str, keys: tuple[str, ...]) -> Binding:
    first = sorted(keys, key=lambda key: (len(key), key))  # the footer shows the first
    return Binding(",".join(first), f"run('{name}')", SHOWN.get(name, name), name in SHOWN, id=name)


class Keys:
    """The keys of one player."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @property
    def keymap(self) -> Mapping[str, str]:
        """The player's own keys of commands, as Textual has them."""
        return self._settings.keys.get(COMMANDS_HERE, {})

    def actions(self, table: Table) -> dict[str, str]:
        """Key -> text of an action, on the level that is played and for whom the player acts."""
        return {key: text for text, row in self._groups(table).items() for key in row.keys}

    def action(self, table: Table, key: str, character: str | None) -> str | None:
        """The text of the action that a key means; None for another key."""
        actions = self.actions(table)
        return actions.get(key, actions.get(character or ""))

    def rows(self, table: Table | None) -> list[KeyRow]:
        """All keys that can be set, of the game first."""
        own = self.keymap
        commands = [
            KeyRow(COMMANDS_HERE, one.words[0], one.by_key, _split(own.get(one.words[0])) or one.keys)
            for one in COMMANDS
            if one.keys
        ]
        return [*(self._groups(table).values() if table else ()), *commands]

    def set(self, row: KeyRow, keys: tuple[str, ...], table: Table | None) -> None:
        """Have other keys mean something; what else they meant, they do not mean any more."""
        for other in self.rows(table):
            left = tuple(key for key in other.keys if key not in keys)
            if (other.table, other.name) == (row.table, row.name):
                left = keys
            if left != other.keys:
                self._settings.keys.setdefault(other.table, {})[other.name] = ",".join(left)

    def reset(self, row: KeyRow) -> None:
        """Have the usual keys mean something again."""
        self._settings.keys.get(row.table, {}).pop(row.name, None)

    def _groups(self, table: Table) -> dict[str, KeyRow]:
        """The keys of a level by what they mean."""
        groups: dict[str, list[str]] = {}
        for key, text in keys_on(table.level, table.actor).items():
            groups.setdefault(text, []).append(key)
        game = table.session.game.name
        own = self._settings.keys.get(game, {})
        named = {text: sorted(keys, key=lambda key: (len(key) == 1, key)) for text, keys in groups.items()}
        return {
            text: KeyRow(game, keys[0], text, _split(own[keys[0]]) if keys[0] in own else tuple(keys))
            for text, keys in named.items()
        }


def _split(keys: str | None) -> tuple[str, ...]:
    return tuple(key for key in (keys or "").split(",") if key)

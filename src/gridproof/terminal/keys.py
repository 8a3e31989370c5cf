"""Keys of commands and of games, and the player's own settings of them.

Settings hold the player's keys by game as "up": "up,w,e": the first default key, and the keys that replace all
default ones. Under "" are commands by name, in the form of Textual's keymap.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from textual.binding import Binding

from gridproof.core.look import OWN
from gridproof.core.position import Position
from gridproof.table.commands import COMMANDS
from gridproof.table.keys import keys_at, keys_on, meanings
from gridproof.table.table import Table
from gridproof.terminal.settings import Settings

COMMANDS_HERE = ""
"""Key of commands in the settings."""
LABELS = {
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
"""Labels in the footer, in its order, as far as there is room."""
_FIRST = ("undo", "hint")
"""Commands at the left of the footer, which fit on a narrow screen."""
_OWN_BINDINGS = ("help", "quit", "open", "save")
"""Commands for which screens have bindings of their own."""

SCREEN_COMMANDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "spoilers": ("choose how much of a solution to tell", ("f9",)),
    "players": ("choose who plays each actor", ("p",)),
    "race": ("watch a race of programs", ("f6",)),
    "type": ("type any action or command", ("colon", "slash")),
    "copy": ("copy the level as text", ("ctrl+c",)),
    "paste": ("play levels as text", ("ctrl+v",)),
    "palette": ("more: themes, directions, proofs", ("ctrl+p",)),
}
"""Commands of the screen of a game: name -> meaning and keys."""
_RACES = ("players", "race")


@dataclass(frozen=True, slots=True)
class KeyRow:
    """Keys with the same meaning."""

    table: str
    """The game's name, or "" for commands."""
    name: str
    """Name in the settings."""
    words: str
    keys: tuple[str, ...]


def command_bindings(*names: str) -> list[Binding]:
    """Return bindings of the named commands, or of all others, in the order of the footer."""
    commands = {command.words[0]: command for command in COMMANDS if command.keys}
    ordered = [*LABELS, *(name for name in commands if name not in LABELS and name not in _OWN_BINDINGS)]
    wanted = names or [name for name in ordered if name not in _FIRST]
    return [_binding(name, commands[name].keys) for name in wanted]


def screen_binding(name: str, action: str, label: str) -> Binding:
    """Return the binding of one of `SCREEN_COMMANDS`."""
    return Binding(",".join(SCREEN_COMMANDS[name][1]), action, label, name != "copy", id=name)


def _binding(name: str, keys: tuple[str, ...]) -> Binding:
    first = sorted(keys, key=lambda key: (len(key), key))  # the footer shows the first
    return Binding(",".join(first), f"run('{name}')", LABELS.get(name, name), name in LABELS, id=name)


_NUMBER = re.compile("[0-9]+")
_WAY = re.compile("(?:^| )(?:left|right|up|down)$")
CURSOR_KEYS = {
    "move a cursor": ["left", "down", "up", "right"],
    "click there": ["enter"],
    "and an arrow: drag": ["shift"],
}
"""Keys by their meaning where the arrow keys move a cursor."""


class Keys:
    """The keys of one player."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @property
    def keymap(self) -> Mapping[str, str]:
        """The player's own keys of commands, as Textual's keymap."""
        return self._settings.keys.get(COMMANDS_HERE, {})

    @property
    def are_board_directed(self) -> bool:
        """True if arrows mean directions of the board, not those of the actor that is played."""
        return self._settings.directions != OWN

    def actions(self, table: Table) -> dict[str, str]:
        """Return the text of the action of each key, on the current level and for the current actor."""
        return {key: text for text, row in self._rows_by_text(table).items() for key in row.keys}

    def action(self, table: Table, key: str, character: str | None) -> str | None:
        """Return the text of a key's action; None for another key."""
        actions = self.actions(table)
        return actions.get(key, actions.get(character or ""))

    def rows(self, table: Table | None) -> list[KeyRow]:
        """Return all keys that can be set, those of the game first."""
        own, offered = self.keymap, {one.words[0]: (one.short_meaning, one.keys) for one in COMMANDS}
        commands = [
            KeyRow(COMMANDS_HERE, name, words, _split(own.get(name)) or keys)
            for name, (words, keys) in {**offered, **SCREEN_COMMANDS}.items()
            if keys
        ]
        return [*(self._rows_by_text(table).values() if table else ()), *commands]

    def rows_of_use(self, table: Table) -> list[KeyRow]:
        """Return the rows whose keys do something on the current level."""
        rows = self.rows(table)
        actions = {str(action) for action in table.level.all_actions()}
        offered = {command.words[0] for command in table.commands}
        offered |= {name for name in SCREEN_COMMANDS if name not in _RACES or "let" in offered}
        return [
            row
            for row in rows
            if (row.name in offered if row.table == COMMANDS_HERE else row.words in actions or not actions)
        ]

    def meaning(self, row: KeyRow, table: Table) -> str:
        """Return what the keys of a row do, in words and in the player's directions."""
        if row.table == COMMANDS_HERE:
            return row.words
        seen, position = table.look.seen, table.session.position
        if seen is None or not self.are_board_directed:
            return meanings(table.level, [row.words]).get(row.words, row.words)
        actions = (action for action in table.level.all_actions() if str(action) == row.words)
        return next((seen(position, action).words for action in actions), row.words)

    def moves_cursor(self, table: Table) -> bool:
        """Return whether the arrow keys move a cursor, because the game does not use them."""
        return "up" not in self.actions(table)

    def summarize(self, table: Table) -> dict[str, list[str]]:
        """Return the meanings of the game's keys, those of several lines or directions together, and keys for each: "row … left"."""
        groups: dict[str, list[str]] = {}
        for row in self.rows_of_use(table):
            if row.table != COMMANDS_HERE and row.keys:
                words = self.meaning(row, table)
                common = _NUMBER.sub("…", words) if _NUMBER.search(words) else _WAY.sub("", words)
                groups.setdefault(common or "move", []).append(row.keys[0])
        return {**groups, **(CURSOR_KEYS if self.moves_cursor(table) else {})}

    def set(self, row: KeyRow, keys: tuple[str, ...], table: Table) -> None:
        """Set the keys of a row, and take them from other rows."""
        for other in self.rows(table):
            left = tuple(key for key in other.keys if key not in keys)
            if (other.table, other.name) == (row.table, row.name):
                left = keys
            if left != other.keys:
                self._settings.keys.setdefault(other.table, {})[other.name] = ",".join(left)

    def reset(self, row: KeyRow) -> None:
        """Restore the default keys of a row."""
        self._settings.keys.get(row.table, {}).pop(row.name, None)

    def _rows_by_text(self, table: Table) -> dict[str, KeyRow]:
        """Return the rows of a level by the texts of actions."""
        groups: dict[str, list[str]] = {}
        position = table.session.position
        for key, text in (keys_at if self.are_board_directed else _keys_on)(position, table.actor).items():
            groups.setdefault(text, []).append(key)
        game = table.session.game.name
        own = self._settings.keys.get(game, {})
        named = {text: sorted(keys, key=lambda key: (len(key) == 1, key)) for text, keys in groups.items()}
        return {
            text: KeyRow(game, keys[0], text, _split(own[keys[0]]) if keys[0] in own else tuple(keys))
            for text, keys in named.items()
        }


def _keys_on(position: Position[Any], actor: str | None) -> Mapping[str, str]:
    return keys_on(position.level, actor)


def _split(keys: str | None) -> tuple[str, ...]:
    return tuple(key for key in (keys or "").split(",") if key)

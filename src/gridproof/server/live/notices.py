"""Notices: what one player has done to the game of all, in a sentence for each of them."""

from __future__ import annotations

from collections.abc import Iterable

from gridproof.analysis.json_data import Data
from gridproof.core.observers import Change
from gridproof.core.position import NATURE
from gridproof.core.text.phrases import format_count, join_names
from gridproof.table.messages import Message, Moved
from gridproof.table.table import Table


def change_notices(table: Table, answer: Iterable[Message]) -> list[Data]:
    """Return a notice of what a player's command has changed, or has asked nature for; none of other actions, which name their actors."""
    change = next((message.change for message in answer if isinstance(message, Moved)), None)
    if change is not None and change.kind == "act":
        return _requests_to_nature(table, change)
    if change is None or change.kind not in ("undo", "redo", "restart", "new game", "select"):
        return []
    count = len(change.steps)
    last = "the last move" if count == 1 else f"the last {format_count(count, 'moves')}"
    words = {
        "undo": f"taken {last} back",
        "redo": f"done {last} again",
        "restart": "begun the level again",
        "new game": "begun a new game",
        "select": f"gone to level {change.current + 1}",
    }
    return [_notice(table, words[change.kind])]


def _requests_to_nature(table: Table, change: Change) -> list[Data]:
    """Return a notice of an act of nature: the game does not record who asked for it."""
    level = table.session.levels[change.place]
    asked = [level.game.look.describe(level, one) for one, _ in change.steps if level.owner(one) == NATURE]
    return [_notice(table, f"asked nature to {join_names(asked)}")] if asked else []


def next_level_notice(table: Table) -> Data:
    """Return the notice that a player has left the end of a level for the next one."""
    return _notice(table, f"gone on to level {table.session.current + 1}")


def _notice(table: Table, done: str) -> Data:
    own = sorted(table.co_players.player_actors)
    is_one_of_several = table.actor is not None or table.others
    who = join_names(own) if own and is_one_of_several else "Another player"
    return {
        "kind": "notice",
        "text": f"{who} {'have' if len(own) > 1 and is_one_of_several else 'has'} {done}.",
    }

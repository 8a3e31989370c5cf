"""What front ends tell programs: games, levels, positions and outcomes as JSON has them."""

from __future__ import annotations

import dataclasses
import enum
import functools
from collections.abc import Mapping
from typing import Any

from gridproof.core.game import Game
from gridproof.core.look import board_text
from gridproof.core.measure import measures
from gridproof.core.position import Action, Level, Outcome, Position
from gridproof.core.proposition import propositions
from gridproof.core.shelf import pack_names
from gridproof.search.solve import minimised_by, solvers

Data = dict[str, Any]


def plain(value: object) -> Any:
    """A value of an event: numbers, texts, lists and objects."""
    if value is None or isinstance(value, (int, str)):
        return value
    if type(value) is tuple:
        return [plain(item) for item in value]
    if isinstance(value, enum.Enum):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            "type": type(value).__name__,
            **{name: plain(getattr(value, name)) for name in _fields(type(value))},
        }
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return [plain(item) for item in sorted(value)]
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return str(value)  # fractions, actions


@functools.cache
def _fields(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))


def game_data(game: Game) -> Data:
    """What there is to know about a game."""
    return {
        "name": game.name,
        "title": game.title,
        "meaning": game.meaning,
        "actors": game.acting,
        "formats": [
            {
                "name": item.name,
                "extensions": list(item.extensions),
                "meaning": item.meaning,
                "written": item.write is not None,
            }
            for item in game.formats
        ],
        "exports": list(game.exports),
        "packs": [f"{game.name}/{name}" for name in pack_names(game)],
        "measures": [{"name": item.name, "meaning": item.meaning} for item in measures(game).values()],
        "solvers": [
            {
                "name": item.name,
                "meaning": item.meaning,
                "minimises": list(minimised_by(item, game)),
                "optimal": item.optimal,
            }
            for item in solvers(game)
        ],
        "propositions": [
            {
                "name": item.name,
                "parameters": list(item.parameters),
                "meaning": item.meaning,
                "number": item.number,
            }
            for item in propositions(game).values()
        ],
        "invariants": [{"clause": clause, "formula": formula} for clause, formula in game.invariants.items()],
    }


def level_data(name: str, level: Level) -> Data:
    """A level and what means it."""
    return {
        "level": name,
        "game": level.game.name,
        "title": level.title,
        "author": level.author,
        "keys": dict(level.keys),
    }


def position_data(position: Position[Any], tally: Any) -> Data:
    """A position, and what a player is told of the way there, of which the look has this tally."""
    look = position.level.game.look
    return {
        "status": str(position.status),
        "text": position.text(),
        "board": board_text(look.board(position)).splitlines(),
        "counts": dict(look.counts(position, tally)),
        "actions": [str(action) for action in position.actions()],
    }


def outcome_data(action: Action, outcome: Outcome[Any]) -> Data:
    """What an action has brought."""
    return {
        "action": str(action),
        "executable": True,
        "status": str(outcome.position.status),
        "text": outcome.position.text(),
        "reward": outcome.reward,
        "events": [plain(event) for event in outcome.events],
        "label": outcome.label,
    }


def loop_data(loop: int | None) -> Data:
    """After how many actions the loop of a trace begins, to which its last action returns; nothing of others."""
    return {} if loop is None else {"loop": loop}


def refusal_data(action: str, reason: str, position: Position[Any]) -> Data:
    """That an action cannot be executed, and the position that is as it was."""
    return {
        "action": action,
        "executable": False,
        "reason": reason,
        "status": str(position.status),
        "text": position.text(),
        "reward": 0,
        "events": [],
        "label": "",
    }


def board_size(position: Position[Any]) -> tuple[int, int]:
    """Columns and rows of a position's board."""
    board = position.level.game.look.board(position)
    return max((len(row) for row in board), default=0), len(board)

"""Games, levels, positions and outcomes as JSON."""

from __future__ import annotations

import dataclasses
import enum
import functools
from collections.abc import Mapping
from typing import Any

from gridproof.core.extension import function_table
from gridproof.core.game import Game
from gridproof.core.look import board_text
from gridproof.core.measure import measures
from gridproof.core.position import Action, Level, Outcome, Position
from gridproof.core.proposition import propositions
from gridproof.core.text.level_lookup import pack_names
from gridproof.prove.game_formulas import domains_of, formulas_of
from gridproof.search.solve import solver_measures, solvers

Data = dict[str, Any]


def plain(value: object) -> Any:
    """Return a value of an event as numbers, texts, lists and objects."""
    if value is None or isinstance(value, (int, float, str)):
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


def fields_data(value: object, *names: str) -> Data:
    """Return attributes of a value."""
    return {name: plain(getattr(value, name)) for name in names}


def game_data(game: Game) -> Data:
    """Return a game as JSON has it."""
    return {
        "name": game.name,
        "title": game.title,
        "meaning": game.meaning,
        "actors": game.look.actors_help,
        "formats": [
            fields_data(item, "name", "extensions", "meaning") | {"written": item.write is not None}
            for item in game.formats
        ],
        "exports": list(function_table(game, "exports")),
        "packs": [f"{game.name}/{name}" for name in pack_names(game)],
        "measures": [fields_data(item, "name", "meaning") for item in measures(game).values()],
        "solvers": [
            fields_data(item, "name", "meaning")
            | {"minimises": list(solver_measures(item, game)), "optimal": item.optimal}
            for item in solvers(game)
        ],
        "propositions": [
            fields_data(item, "name", "parameters", "meaning", "number")
            for item in propositions(game).values()
        ],
        "domains": [
            {"name": name, **fields_data(item, "parameters", "meaning")}
            for name, item in domains_of(game).items()
        ],
        "invariants": [
            {"clause": clause, "formula": formula} for clause, formula in formulas_of(game).invariants.items()
        ],
    }


def level_data(name: str, level: Level) -> Data:
    """Return a level and its name as JSON has them."""
    return {
        "level": name,
        "game": level.game.name,
        "title": level.title,
        "author": level.author,
        "keys": dict(level.keys),
    }


def position_data(position: Position[Any], tally: Any) -> Data:
    """Return a position, with the counts of the way there, of which the look has this tally."""
    look = position.level.game.look
    return {
        "status": str(position.status),
        "text": position.text(),
        "board": board_text(look.board(position)).splitlines(),
        "counts": dict(look.counts(position, tally)),
        "actions": [str(action) for action in position.actions()],
    }


def outcome_data(action: Action, outcome: Outcome[Any]) -> Data:
    """Return the result of an action."""
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
    """Return after how many actions the loop of a trace begins; nothing for a trace without one."""
    return {} if loop is None else {"loop": loop}


def refusal_data(action: str, reason: str, position: Position[Any]) -> Data:
    """Return an action that cannot be executed, with the reason and the unchanged position."""
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
    """Return the columns and rows of a position's board."""
    board = position.level.game.look.board(position)
    return max((len(row) for row in board), default=0), len(board)

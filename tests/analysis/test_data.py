from __future__ import annotations

import enum
import json
from dataclasses import dataclass
from fractions import Fraction

import pytest

import gridproof as gp
from gridproof.analysis.json_data import game_data, level_data, outcome_data, plain, position_data
from gridproof.core.text.level_lookup import pack_names


class Side(enum.Enum):
    LEFT = 1

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Inner:
    cell: tuple[int, int]


@dataclass(frozen=True)
class Event:
    side: Side
    cells: frozenset[tuple[int, int]]
    inner: Inner
    chance: Fraction
    names: dict[str, object]
    nothing: None = None


def test_events_become_plain_data() -> None:
    event = Event(Side.LEFT, frozenset({(2, 1), (0, 3)}), Inner((1, 1)), Fraction(1, 3), {"a": Side.LEFT})
    assert plain(event) == {
        "type": "Event",
        "side": "LEFT",
        "cells": [[0, 3], [2, 1]],
        "inner": {"type": "Inner", "cell": [1, 1]},
        "chance": "1/3",
        "names": {"a": "LEFT"},
        "nothing": None,
    }


@pytest.mark.parametrize("name", [*gp.game_names(), "null"])
def test_data_of_every_game_is_json(name: str) -> None:
    game = gp.game(name)
    json.dumps(game_data(game))
    for pack in pack_names(game):
        level = gp.levels_at(f"{name}/{pack}/1")[0]
        position = level.start()
        json.dumps(level_data("it", level) | position_data(position, game.look.tally.start))
        for action in position.actions():
            for outcome in position.outcomes(action):
                json.dumps(outcome_data(action, outcome))

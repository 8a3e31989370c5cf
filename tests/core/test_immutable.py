"""Immutability of returned values."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest

import gridproof as gp
from gridproof.core.immutable import FrozenDict
from gridproof.core.position import Level
from gridproof.core.registry import game as game_named
from gridproof.core.text.level_lookup import builtin_pack, pack_names
from gridproof.core.text.pack import Pack
from gridproof.search.space import StateSpace

GAMES = (*gp.game_names(), "null", "lights_out")


def test_frozen_dict_is_independent_of_its_source() -> None:
    held = {"a": 1}
    frozen = FrozenDict(held)
    held["b"] = 2
    assert frozen == {"a": 1}
    assert (list(frozen), len(frozen), frozen["a"]) == (["a"], 1, 1)
    assert (frozen.get("a"), frozen.get("b"), frozen.get("b", 3)) == (1, None, 3)
    assert repr(frozen) == "{'a': 1}"
    assert hash(frozen) == hash(FrozenDict({"a": 1}))
    assert frozen != {"a": 2}
    assert FrozenDict() == {}


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_frozen_dict_can_be_copied(again: Any) -> None:
    frozen = again(FrozenDict({"a": 1}))
    assert type(frozen) is FrozenDict
    assert frozen == {"a": 1}


def is_immutable(mapping: Any) -> bool:
    with pytest.raises(TypeError):
        mapping["new"] = "value"
    with pytest.raises(AttributeError):
        mapping.clear()
    return "new" not in mapping


@pytest.mark.parametrize("name", GAMES)
def test_keys_of_levels_and_packs_are_immutable(name: str) -> None:
    game = game_named(name)
    pack = builtin_pack(game, pack_names(game)[0])
    level: Level = pack[0]
    assert is_immutable(level.keys)
    held = {"Key": "value"}
    changed = dataclasses.replace(level, keys=held)
    held["Key"] = "other"
    assert changed.keys == {"Key": "value"}
    assert is_immutable(changed.keys)
    assert is_immutable(pickle.loads(pickle.dumps(changed)).keys)
    assert is_immutable(pack.keys)
    assert is_immutable(pack.broken)
    assert is_immutable(pack.notices)


def test_lenient_reader_lists_broken_levels() -> None:
    pack: Pack = gp.read("@o\n\n@@\n", "null", lenient=True)
    assert list(pack.broken) == [2]
    assert is_immutable(pack.broken)


def is_read_only(array: Any) -> bool:
    with pytest.raises(ValueError, match="read-only"):
        array[:1] = 0
    return isinstance(array, np.ndarray)


@pytest.mark.parametrize(
    "name", ["null/first/1", "sokoban/first-steps/1", "shiftit/boards/1", "robots/races/1"]
)
def test_graphs_and_values_are_immutable(name: str) -> None:
    space: StateSpace = gp.explore(gp.levels_at(name)[0])
    graph: Any = space.graph()
    assert all(map(is_read_only, (graph.offsets, graph.targets, graph.actions, graph.weights)))
    assert graph.actions.dtype == np.int32
    assert is_read_only(space.values("won"))
    for what in ("offsets", "targets", "actions", "weights"):
        with pytest.raises(AttributeError):
            setattr(graph, what, np.zeros(1))

"""What is returned can be read, and changes for nobody."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest

import gridproof as gp
from gridproof.core.frozen import FrozenDict
from gridproof.core.pack import Pack
from gridproof.core.position import Level
from gridproof.core.registry import game as game_named
from gridproof.core.shelf import pack_names, shipped
from gridproof.search.space import StateSpace

GAMES = (*gp.game_names(), "null", "lights_out")


def test_a_frozen_mapping_is_its_own() -> None:
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
def test_a_frozen_mapping_is_copied(again: Any) -> None:
    frozen = again(FrozenDict({"a": 1}))
    assert type(frozen) is FrozenDict
    assert frozen == {"a": 1}


def refused(mapping: Any) -> bool:
    with pytest.raises(TypeError):
        mapping["new"] = "value"
    with pytest.raises(AttributeError):
        mapping.clear()
    return "new" not in mapping


@pytest.mark.parametrize("name", GAMES)
def test_keys_of_levels_and_packs(name: str) -> None:
    game = game_named(name)
    pack = shipped(game, pack_names(game)[0])
    level: Level = pack[0]
    assert refused(level.keys)
    held = {"Key": "value"}
    changed = dataclasses.replace(level, keys=held)
    held["Key"] = "other"
    assert changed.keys == {"Key": "value"}
    assert refused(changed.keys)
    assert refused(pickle.loads(pickle.dumps(changed)).keys)
    assert refused(pack.keys)
    assert refused(pack.broken)
    assert refused(pack.notices)


def test_what_a_lenient_reader_tells() -> None:
    pack: Pack = gp.read("@o\n\n@@\n", "null", lenient=True)
    assert list(pack.broken) == [2]
    assert refused(pack.broken)


def fixed(array: Any) -> bool:
    with pytest.raises(ValueError, match="read-only"):
        array[:1] = 0
    return isinstance(array, np.ndarray)


@pytest.mark.parametrize(
    "name", ["null/first/1", "sokoban/first-steps/1", "shiftit/boards/1", "robots/races/1"]
)
def test_graphs_and_values(name: str) -> None:
    space: StateSpace = gp.explore(gp.levels_at(name)[0])
    graph: Any = space.graph()
    assert all(map(fixed, (graph.offsets, graph.targets, graph.actions, graph.weights)))
    assert graph.actions.dtype == np.int32
    assert fixed(space.values("won"))
    for what in ("offsets", "targets", "actions", "weights"):
        with pytest.raises(AttributeError):
            setattr(graph, what, np.zeros(1))

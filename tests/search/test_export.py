"""Graphs in files of other tools, read back: by networkx, and line by line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest

import gridproof as gp
from gridproof.search import export
from gridproof.search.export import edges, write_graph
from gridproof.search.space import StateSpace

LEVELS: dict[str, Callable[[], gp.Level]] = {
    "null": lambda: gp.read("@.....o", "null")[0],
    "2048": lambda: gp.read("2048 2x2 spawn=spec target=8\n", "twenty48")[0],
    "shiftit": lambda: gp.read("shiftit 2x2\nb r\nr b*\n", "shiftit")[0],
    "sokoban": lambda: gp.read("######\n#@ $.#\n#    #\n######\n", "sokoban")[0],
}


@pytest.fixture(params=LEVELS)
def space(request: pytest.FixtureRequest) -> StateSpace:
    return gp.explore(LEVELS[request.param]())


def count_edges(space: StateSpace) -> Counter[Any]:
    """All edges by the rules: an action's outcomes that lead to the same position are one."""
    found: dict[Any, Fraction] = {}
    for number, position in enumerate(space):
        for action in position.actions():
            for outcome in position.outcomes(action):
                key = number, str(action), space.number(outcome.position)
                found[key] = found.get(key, Fraction()) + outcome.probability
    return Counter((*key, float(probability)) for key, probability in found.items())


def test_edges_of_graph(space: StateSpace, monkeypatch: pytest.MonkeyPatch) -> None:
    found = list(edges(space.graph()))
    monkeypatch.setattr(export, "_CHUNK", 2)
    assert list(edges(space.graph())) == found
    assert Counter(
        (one.source, one.action, one.target, float(one.probability)) for one in found
    ) == count_edges(space)
    choices = {(one.source, one.choice): one.action for one in found}
    assert len(choices) == len({(one.source, one.action) for one in found})


def test_networkx_reads_graphml(space: StateSpace, tmp_path: Path) -> None:
    path = tmp_path / "graph.graphml"
    assert write_graph(space, path) == [path]
    graph: Any = networkx.MultiDiGraph(networkx.read_graphml(path, node_type=int))
    assert sorted(graph) == list(range(space.states))
    for number, position in enumerate(space):
        node = graph.nodes[number]
        assert node["position"] == position.text()
        assert node.get("won", False) is position.won
        assert node.get("start", False) is (number < space.by_depth[0])
    found = graph.edges(data=True)
    assert Counter((a, data["action"], b, data["probability"]) for a, b, data in found) == count_edges(space)


def test_dot_file(space: StateSpace, tmp_path: Path) -> None:
    path = tmp_path / "graph.dot"
    if space.states > 1000:
        with pytest.raises(gp.GridproofError, match=r": [\d,]+ positions cannot be drawn: more than 1,000$"):
            write_graph(space, path)
        return
    write_graph(space, path)
    text = path.read_text()
    assert len(re.findall(r"^\d+ \[label", text, re.MULTILINE)) == space.states
    assert text.count("peripheries=2") == np.count_nonzero(space.values("won"))
    found = re.findall(r'^(\d+) -> (\d+) \[label="([^" ]+)( [\d/]+)?"\];$', text, re.MULTILINE)
    read = Counter(
        (int(a), name, int(b), float(Fraction(chance.strip() or 1))) for a, b, name, chance in found
    )
    assert read == count_edges(space)


def test_aldebaran_file(space: StateSpace, tmp_path: Path) -> None:
    write_graph(space, tmp_path / "graph.aut")
    first, *rest = (tmp_path / "graph.aut").read_text().splitlines()
    start, count, states = map(int, re.fullmatch(r"des \((\d+), (\d+), (\d+)\)", first).groups())  # type: ignore[union-attr]  # it matches
    lines = [re.fullmatch(r'\((\d+), "(.*)", (\d+)\)', line).groups() for line in rest]  # type: ignore[union-attr]  # it matches
    assert len(lines) == count
    starts = {int(b) for a, name, b in lines if name == "start"} or {start}
    assert starts == set(range(space.by_depth[0]))
    assert states == space.states + (len(starts) > 1)
    read = {(int(a), name, int(b)) for a, name, b in lines if name != "start"}
    assert read == {(a, name, b) for a, name, b, _ in count_edges(space)}


def labels_of_storm(text: str) -> dict[int, set[str]]:
    head, names, end, *lines = text.splitlines()
    assert (head, end) == ("#DECLARATION", "#END")
    found = {int(number): set(held) for number, *held in map(str.split, lines)}
    assert set().union(*found.values()) <= set(names.split())
    return found


def labels_of_prism(text: str) -> dict[int, set[str]]:
    head, *lines = text.splitlines()
    names = dict(re.findall(r'(\d+)="(\w+)"', head))
    return {int(a): {names[b] for b in rest.split()} for a, rest in (line.split(":") for line in lines)}


@pytest.mark.parametrize(("ending", "read"), [(".tra", labels_of_storm), (".prism.tra", labels_of_prism)])
def test_explicit_files_of_prism_and_storm(space: StateSpace, ending: str, read: Any, tmp_path: Path) -> None:
    transitions, labels = write_graph(space, tmp_path / f"graph{ending}")
    assert labels.name == transitions.name.replace(".tra", ".lab")
    head, *lines = transitions.read_text().splitlines()
    rows = [line.split() for line in lines]
    chances: Counter[tuple[str, str]] = Counter()
    for source, choice, _, probability, _ in rows:
        chances[source, choice] += float(probability)  # type: ignore[assignment]  # a defaultdict of floats
    assert head == ("mdp" if ending == ".tra" else f"{space.states} {len(chances)} {len(rows)}")
    assert all(abs(chance - 1) < 1e-12 for chance in chances.values())
    assert [int(row[0]) for row in rows] == sorted(int(row[0]) for row in rows)
    assert {int(row[0]) for row in rows} == set(range(space.states))
    moves = Counter((int(a), name, int(b), float(chance)) for a, _, b, chance, name in rows if name != "stay")
    assert moves == count_edges(space)
    held = read(labels.read_text())
    for number, position in enumerate(space):
        names = held.get(number, set())
        assert ("won" in names) is position.won
        assert ("init" in names) is (number < space.by_depth[0])
        assert ("deadlock" in names) is (not position.actions())


def test_write_graph_refuses_invalid_use(tmp_path: Path) -> None:
    space = gp.explore(LEVELS["null"]())
    for wrong in ("graph.txt", "graph", "graph.lab"):
        with pytest.raises(
            gp.GridproofError,
            match=r": graph files must end in \.graphml, \.dot, \.aut, \.tra, \.prism\.tra$",
        ):
            write_graph(space, tmp_path / wrong)
    part = gp.explore(LEVELS["null"](), limit=gp.Limit(states=3))
    with pytest.raises(
        gp.GridproofError, match=r"^the space is not complete, stopped by states: it has no graph$"
    ):
        write_graph(part, tmp_path / "graph.aut")
    assert list(tmp_path.iterdir()) == []

"""Export of state spaces as graph files, for other tools: GraphML, DOT, Aldebaran's `.aut`, the explicit files of PRISM and Storm.

The nodes are the positions' numbers. Outcomes of one action that lead to the same position are one edge.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, TextIO
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.proposition import propositions
from gridproof.core.text import files
from gridproof.search.graph import Graph
from gridproof.search.space import StateSpace

Array = np.ndarray[Any, Any]

_MOST_DRAWN = 1000  # positions in a drawing
_CHUNK = 1 << 16  # positions whose rows are lists at a time


class Edge(NamedTuple):
    """One edge."""

    source: int
    choice: int
    """The number of the action among those of its position, from 0."""
    target: int
    action: str
    probability: Fraction


def write_graph(space: StateSpace, path: str | Path) -> list[Path]:
    """Write the graph of a complete space in the format of the file's suffix; return the files.

    Parameters
    ----------
    space : StateSpace
    path : str or Path
        `.graphml`: positions with their texts and propositions, edges with actions and probabilities.
        `.dot`: the same to be drawn, of up to 1,000 positions.
        `.aut`: Aldebaran's; where there are several starts, one more node leads to them.
        `.tra`: an MDP as Storm reads it, with the propositions in a file `.lab` beside it; `.prism.tra` and
        `.prism.lab` as PRISM reads them. A position from which nothing leads is followed by itself.

    Raises
    ------
    GridproofError
        For another suffix, a space that is not complete or too large to be drawn, and files that cannot be written.
    """
    path = Path(path)
    ending = format_suffix(path)
    if ending == ".dot" and space.states > _MOST_DRAWN:
        raise GridproofError(f"{path}: {space.states:,} positions cannot be drawn: more than {_MOST_DRAWN:,}")
    graph = space.graph()
    written = graph_files(path)
    with files.open_atomic(path) as file:
        _WRITERS[ending](space, graph, file)
    for labels in written[1:]:
        with files.open_atomic(labels) as file:
            (_write_prism_labels if ending == ".prism.tra" else _write_storm_labels)(space, graph, file)
    return written


def graph_files(path: Path) -> list[Path]:
    """Return the files of a graph."""
    return [path, path.with_suffix(".lab")] if format_suffix(path).endswith(".tra") else [path]


def format_suffix(path: Path) -> str:
    """Return the suffix of a path that tells the format; GridproofError for any other."""
    for ending in sorted(_WRITERS, key=len, reverse=True):
        if path.name.lower().endswith(ending):
            return ending
    raise GridproofError(f"{path}: graph files must end in {', '.join(_WRITERS)}")


def edges(graph: Graph) -> Iterator[Edge]:
    """Yield all edges, by their positions' numbers and in the order of the rules."""
    names = [str(label) for label in graph.labels]
    states = len(graph.offsets) - 1
    for begin in range(0, states, _CHUNK):
        offsets = graph.offsets[begin : begin + _CHUNK + 1].tolist()
        first, last = offsets[0], offsets[-1]
        rows = [part[first:last].tolist() for part in (graph.actions, graph.targets, graph.weights)]
        for source, (one, two) in enumerate(itertools.pairwise(offsets), begin):
            row = zip(*(part[one - first : two - first] for part in rows), strict=True)
            for choice, (action, outcomes) in enumerate(itertools.groupby(row, operator.itemgetter(0))):
                merged: dict[int, int] = {}
                for _, target, weight in outcomes:
                    merged[target] = merged.get(target, 0) + weight
                for target, weight in merged.items():
                    yield Edge(source, choice, target, names[action], Fraction(weight, graph.whole))


def _labels(space: StateSpace) -> dict[str, Array]:
    known = propositions(space.level.game).values()
    plain = [one.name for one in known if not one.number and len(one.parameters) == one.optional]
    return {name: space.values(name) for name in plain}


def _starts(space: StateSpace) -> Array:
    found = np.zeros(space.states, bool)
    found[: space.by_depth[0]] = True
    return found


def _write_graphml(space: StateSpace, graph: Graph, file: TextIO) -> None:
    labels = {"start": _starts(space), **_labels(space)}
    file.write(
        '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    )
    for name, where, kind in [
        ("position", "node", "string"),
        *((name, "node", "boolean") for name in labels),
        ("action", "edge", "string"),
        ("probability", "edge", "double"),
    ]:
        file.write(f'<key id="{name}" for="{where}" attr.name="{name}" attr.type="{kind}"/>\n')
    file.write('<graph edgedefault="directed">\n')
    for number, position in enumerate(space):
        data = {"position": escape(position.text())}
        data |= {name: "true" for name, values in labels.items() if values[number]}
        file.write(f'<node id="{number}">{_data(data)}</node>\n')
    for number, edge in enumerate(edges(graph)):
        data = {"action": escape(edge.action), "probability": repr(float(edge.probability))}
        ends = f'source="{edge.source}" target="{edge.target}"'
        file.write(f'<edge id="e{number}" {ends}>{_data(data)}</edge>\n')
    file.write("</graph>\n</graphml>\n")


def _data(values: Mapping[str, str]) -> str:
    return "".join(f"<data key={quoteattr(key)}>{value}</data>" for key, value in values.items())


def _write_dot(space: StateSpace, graph: Graph, file: TextIO) -> None:
    starts, won = _starts(space), space.values("won")
    file.write('digraph {\nnode [shape=box, fontname="monospace"];\n')
    for number, position in enumerate(space):
        style = ', style="bold"' * bool(starts[number]) + ", peripheries=2" * bool(won[number])
        board = "".join(f"{line}\\l" for line in map(_quote, str(position).splitlines()))
        file.write(f'{number} [label="{board}"{style}];\n')
    for edge in edges(graph):
        chance = "" if edge.probability == 1 else f" {edge.probability}"
        file.write(f'{edge.source} -> {edge.target} [label="{_quote(edge.action)}{chance}"];\n')
    file.write("}\n")


def _quote(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _write_aldebaran(space: StateSpace, graph: Graph, file: TextIO) -> None:
    starts = space.by_depth[0]
    several = range(starts if starts > 1 else 0)
    number = sum(1 for _ in edges(graph)) + len(several)
    first = space.states if several else 0
    file.write(f"des ({first}, {number}, {space.states + bool(several)})\n")
    for start in several:
        file.write(f'({first}, "start", {start})\n')
    for edge in edges(graph):
        file.write(f'({edge.source}, "{_quote(edge.action)}", {edge.target})\n')


def _write_transitions(graph: Graph, file: TextIO) -> None:
    """Write the rows of an MDP; a position without edges is followed by itself."""
    following = 0
    for edge in itertools.chain(edges(graph), [None]):
        last = len(graph.offsets) - 1 if edge is None else edge.source
        for ended in range(following, last):
            file.write(f"{ended} 0 {ended} 1 stay\n")
        if edge is not None:
            file.write(
                f"{edge.source} {edge.choice} {edge.target} {float(edge.probability)!r} {edge.action}\n"
            )
            following = edge.source + 1


def _write_storm(space: StateSpace, graph: Graph, file: TextIO) -> None:
    file.write("mdp\n")
    _write_transitions(graph, file)


def _write_prism(space: StateSpace, graph: Graph, file: TextIO) -> None:
    ended = int(np.count_nonzero(np.diff(graph.offsets) == 0))
    transitions = ended + sum(1 for _ in edges(graph))
    file.write(f"{space.states} {ended + len(graph.choices())} {transitions}\n")
    _write_transitions(graph, file)


def _all_labels(space: StateSpace, graph: Graph) -> dict[str, Array]:
    return {"init": _starts(space), "deadlock": np.diff(graph.offsets) == 0, **_labels(space)}


def _write_prism_labels(space: StateSpace, graph: Graph, file: TextIO) -> None:
    labels = _all_labels(space, graph)
    file.write(" ".join(f'{number}="{name}"' for number, name in enumerate(labels)) + "\n")
    for number, held in _label_rows(labels):
        file.write(f"{number}: {' '.join(str(place) for place, holds in enumerate(held) if holds)}\n")


def _write_storm_labels(space: StateSpace, graph: Graph, file: TextIO) -> None:
    labels = _all_labels(space, graph)
    file.write(f"#DECLARATION\n{' '.join(labels)}\n#END\n")
    for number, held in _label_rows(labels):
        file.write(f"{number} {' '.join(itertools.compress(labels, held))}\n")


def _label_rows(labels: Mapping[str, Array]) -> Iterator[tuple[int, tuple[bool, ...]]]:
    """Yield the positions where some labels hold, with the values of all labels."""
    for number, held in enumerate(zip(*(values.tolist() for values in labels.values()), strict=True)):
        if any(held):
            yield number, held


_WRITERS: Mapping[str, Callable[[StateSpace, Graph, TextIO], None]] = {
    ".graphml": _write_graphml,
    ".dot": _write_dot,
    ".aut": _write_aldebaran,
    ".tra": _write_storm,
    ".prism.tra": _write_prism,
}

SUFFIXES = (*_WRITERS,)
"""The suffixes of the formats."""

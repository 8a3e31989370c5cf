"""Labels for learning: all positions of a level, each with its exact value, its distance to a win, and the best actions."""

from __future__ import annotations

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, describe_limit
from gridproof.core.position import Level
from gridproof.envs.conversion import check_all_actors, environment_of
from gridproof.envs.game_batch import Array
from gridproof.prove.interval_iteration import Choices, iterate_bounds
from gridproof.prove.model import Rows
from gridproof.search.explore import explore
from gridproof.search.graph import Graph

DEAD = -1
"""Distance of a position from which no win can be reached."""
_CLOSE = 1e-12
"""Difference of values that count as equal."""


def label_positions(
    level: Level | str,
    observation: str = "symbols",
    limit: Limit | None = None,
    beside: tuple[Level, ...] = (),
) -> dict[str, Array]:
    """Label all positions that can be reached on a level before a win, by exploring all of them.

    Parameters
    ----------
    level : Level or str
        Such as one of Sokoban, Shift It, 2048 on a small board, or Robots, where one player sends the requests of all
        robots (the option `robot="all"` of environments).
    observation : str
        "symbols" or "planes".
    limit : Limit, optional
        Of the exploration.
    beside : tuple of Level, optional
        Other levels of an environment: observations have its shape.

    Returns
    -------
    dict of str to array
        "observation" (n, ...), as environments show it; "action_mask", uint8 (n, actions); "value", float64 (n,), the
        probability of a win for the best player, without chance 1 or 0; "distance", int32 (n,), the fewest actions to a
        win (with luck, if there is chance), or `DEAD` if none can be reached; "best", uint8 (n, actions), 1 for each
        action of the best player: without chance those that lead to a smaller distance, else those of the highest
        value. The first rows are the starts.

    Raises
    ------
    GridproofError
        When the limit is reached, the observation is a text, or environments do not show the positions or all actions.

    Examples
    --------
    >>> found = label_positions("sokoban/first-steps/1")
    >>> found["distance"][0], found["best"][0], (found["distance"] == DEAD).any()
    (np.int32(3), array([0, 1, 0, 0, 0], dtype=uint8), np.True_)
    """
    if observation == "text":
        raise GridproofError("labels have observations of numbers: choose symbols or planes")
    space = explore(level, limit=limit or Limit())
    if not space.complete:
        raise GridproofError(describe_limit(space.stopped_by))
    env = environment_of(space.level, observation, beside, joint=True)
    graph, won = space.graph(), space.values("won")
    check_all_actors(space.level, env.games)
    rows = _positions_before_wins(graph, won, space.by_depth[0])
    distance, is_sure = _distances(graph, won), _is_sure(graph)
    value = (
        (distance != DEAD).astype(np.float64)
        if is_sure
        else iterate_bounds(Choices(graph), won, best=True, meter=Limit().start()).low
    )
    symbols, masks = env.games.observe_positions(space)
    best = np.zeros_like(masks)
    sources, actions = graph.sources(), graph.actions
    if is_sure:
        chosen = (distance[graph.targets] != DEAD) & (distance[graph.targets] == distance[sources] - 1)
    else:
        chosen = _keeps_value(graph, value) & ~won[sources]
    numbers = env.games.action_numbers(0)
    columns = np.array([numbers.get(str(action), -1) for action in space.level.all_actions()])
    best[sources[chosen], columns[actions[chosen]]] = 1
    seen = env.observer.observe_batch(symbols, masks, lambda: iter(space))
    labels = {"observation": seen, "action_mask": masks, "value": value, "distance": distance, "best": best}
    return {name: column[rows] for name, column in labels.items()}


def _positions_before_wins(graph: Graph, won: Array, starts: int) -> Array:
    """Return the numbers of the positions that can be reached before a win, as a game may go on after it (2048)."""
    found = np.zeros(len(won), np.bool_)
    layer = np.arange(starts)
    while len(layer):
        found[layer] = True
        going_on = layer[~won[layer]]
        parts = [graph.targets[graph.offsets[one] : graph.offsets[one + 1]] for one in going_on]
        reached = np.unique(np.concatenate(parts)) if parts else layer[:0]
        layer = reached[~found[reached]]
    return np.flatnonzero(found)


def _is_sure(graph: Graph) -> bool:
    """Return whether every action leads to one position; chance may tell different things, as a hint of Robots."""
    begins = graph.choices()
    least, most = (kind.reduceat(graph.targets, begins) for kind in (np.minimum, np.maximum))
    return bool((least == most).all())


def _keeps_value(graph: Graph, value: Array) -> Array:
    """Return whether an edge is of an action that keeps a value above 0, bool (m,)."""
    begins, sources = graph.choices(), graph.sources()
    chances = graph.weights.astype(np.float64) / graph.whole
    means = np.add.reduceat(value[graph.targets] * chances, begins)
    owners = value[sources[begins]]
    kept = (owners > 0) & (means >= owners - _CLOSE)
    found: Array = np.repeat(kept, np.diff(np.append(begins, len(graph))))
    return found


def _distances(graph: Graph, won: Array) -> Array:
    """Return the fewest edges to a won position, int32 (n,), by a search from the won ones against the edges."""
    begins, sources = Rows(graph).backward
    distance = np.where(won, 0, DEAD).astype(np.int32)
    layer, depth = np.flatnonzero(won), 0
    while len(layer):
        depth += 1
        found = np.unique(np.concatenate([sources[begins[one] : begins[one + 1]] for one in layer]))
        layer = found[distance[found] == DEAD]
        distance[layer] = depth
    return distance

"""Labels for learning: all positions of a level, each with its proved distance to a win, and the best actions."""

from __future__ import annotations

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.position import Level
from gridproof.envs.conversion import environment_of
from gridproof.envs.game_batch import Array
from gridproof.prove.model import Rows
from gridproof.search.explore import explore
from gridproof.search.graph import Graph

DEAD = -1
"""Distance of a position from which no win can be reached."""


def label_positions(
    level: Level | str, observation: str = "symbols", limit: Limit | None = None
) -> dict[str, Array]:
    """Label all positions that can be reached on a level, by exploring all of them.

    Parameters
    ----------
    level : Level or str
        Of a game without chance and with one player, such as Sokoban or Shift It.
    observation : str
        "symbols" or "planes".
    limit : Limit, optional
        Of the exploration.

    Returns
    -------
    dict of str to array
        "observation" (n, ...), as environments show it; "action_mask", uint8 (n, actions); "distance", int32 (n,), the
        fewest actions to a win, or `DEAD` if none can be reached; "best", uint8 (n, actions), 1 for each action that
        leads to a position with a smaller distance. The first row is the start.

    Raises
    ------
    GridproofError
        When the limit is reached, the game has chance or several actors, or environments do not show its position.

    Examples
    --------
    >>> found = label_positions("sokoban/first-steps/1")
    >>> found["distance"][0], found["best"][0], (found["distance"] == DEAD).any()
    (np.int32(3), array([0, 1, 0, 0, 0], dtype=uint8), np.True_)
    """
    space = explore(level, limit=limit or Limit())
    env = environment_of(space.level, observation)
    graph = space.graph()
    if tuple(map(str, graph.labels)) != env.actions:
        raise GridproofError(
            f"positions of {space.level.game.name} cannot be labelled: its environment is for one of several actors"
        )
    sources = np.repeat(np.arange(space.states), np.diff(graph.offsets))
    _check_deterministic(graph, sources)
    distance = _distances(graph, space.values("won"))
    symbols, masks = env.games.observe_positions(space)
    best = np.zeros_like(masks)
    nearer = (distance[graph.targets] != DEAD) & (distance[graph.targets] == distance[sources] - 1)
    best[sources[nearer], graph.actions[nearer]] = 1
    seen = env.observer.observe_batch(symbols, masks, lambda: iter(space))
    return {"observation": seen, "action_mask": masks, "distance": distance, "best": best}


def _check_deterministic(graph: Graph, sources: Array) -> None:
    pairs = np.stack((sources, graph.actions))
    if len(np.unique(pairs, axis=1).T) < pairs.shape[1]:
        raise GridproofError("positions can be labelled only in a game without chance")


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

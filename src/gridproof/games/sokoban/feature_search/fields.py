"""The tables of a level for macro moves, forwards and backwards."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.sokoban.feature_search.macro_moves import BACKWARDS, NONE, Field, Options
from gridproof.games.sokoban.feature_search.rooms import links_of
from gridproof.games.sokoban.solver.board import AWAY, FAR, SIDES, Array, Board, find_distances
from gridproof.games.sokoban.solver.flood_fill import flood
from gridproof.kernels.compile import borrowing


@borrowing
def find_pull_distances(neighbours: Any, sides: Any, starts: Any, distances: Any, queue: Any) -> None:
    """Find how many pulls bring a single box from each square and side to each start: breadth-first, by pushes.

    `queue` is int16 (4 * squares, 2), of no meaning afterwards.
    """
    for number in range(starts.shape[0]):
        start, head, tail = starts[number], 0, 0
        distances[start, AWAY, number] = 0
        for side in range(AWAY):
            distances[start, side, number] = 0
            queue[tail, 0], queue[tail, 1] = start, side
            tail += 1
        while head < tail:
            square, side = queue[head, 0], queue[head, 1]
            head += 1
            for direction in range(4):
                behind, ahead = neighbours[square, direction ^ 1], neighbours[square, direction]
                if behind < 0 or ahead < 0 or sides[square, behind] != side:
                    continue
                after = sides[ahead, square]
                if distances[ahead, after, number] == FAR:
                    distances[ahead, after, number] = distances[square, side, number] + 1
                    queue[tail, 0], queue[tail, 1] = ahead, after
                    tail += 1


def random_keys(squares: int) -> Array:
    """Return random keys, the same in each process."""
    return np.random.default_rng(0).integers(0, 1 << 64, (2, squares), np.uint64)


def forward_field(board: Board, options: Options, hotspots: Array) -> Field:
    """Return the field of a board without bombs, with what `hotspots_of` found."""
    return Field(
        board.neighbours[0],
        board.dead[0],
        board.goal,
        board.distances[0],
        board.sides[0],
        random_keys(len(board.cells)),
        np.full(1, NONE, np.int64),
        np.zeros(len(board.cells), np.int16),
        links_of(board.neighbours[0]),
        hotspots,
        np.full((len(board.cells), 2), (0, NONE), np.int16),
        np.full(1, len(board.cells)),
        np.array(options, np.int64),
    )


def field_towards(board: Board, boxes: list[int], options: Options) -> Field:
    """Return the field of a board without bombs from either end to other boxes, of which only a meeting is the end."""
    squares, targets = len(board.cells), np.array(sorted(boxes), np.int32)
    distances, target = np.full((squares, SIDES, len(targets)), FAR, np.int16), np.zeros(squares, np.uint8)
    target[targets] = 1
    queue, find = np.empty((4 * squares, 2), np.int16), find_distances
    if options.kind >= BACKWARDS:
        find = find_pull_distances
    find(board.neighbours[0], board.sides[0], targets, distances, queue)
    return Field(
        board.neighbours[0],
        np.all(distances >= FAR, axis=(1, 2)).astype(np.uint8),
        target,
        distances,
        board.sides[0],
        random_keys(squares),
        np.full(1, squares, np.int64),
        np.zeros(squares, np.int16),
        np.zeros(squares, np.uint64),
        np.zeros((squares, squares // 64 + 1), np.uint64),
        np.full((squares, 2), (0, NONE), np.int16),
        np.full(1, squares),
        np.array(options, np.int64),
    )


def backward_field(board: Board, options: Options) -> Field:
    """Return the field of the same board by pulls, from the depots to where the boxes start."""
    field = field_towards(board, list(board.boxes), options)
    steps = np.empty(len(board.cells), np.int16)
    field.end[0] = flood(board.neighbours[0], field.target, board.player, steps, steps.copy())
    return field


def clearing_field(board: Board, options: Options) -> Field:
    """Return the field by pulls in which it counts how many boxes stand on depots, and how far from them the others are."""
    count, nearest = len(board.goals), board.distances[0].min(axis=(1, 2), initial=FAR)
    links = np.zeros(len(board.cells), np.uint64)
    links[board.goals] = np.left_shift(np.uint64(1), np.arange(count, dtype=np.uint64) % np.uint64(64))
    depots = np.where(nearest < FAR, nearest, 0).astype(np.int16)
    return backward_field(board, options)._replace(links=links, depots=depots)


def leaving_field(board: Board, options: Options, shares: bool) -> Field:
    """Return the field by pulls in which boxes leave the board where others start.

    One at each start, or any number if it `shares` them. A box that has left is on a square behind all others.
    """
    starts = sorted(board.boxes)
    field = clearing_field(board, options)
    squares, count = len(starts) + len(board.cells), len(board.cells)
    sinks = np.arange(count, squares)

    def extend(array: Array, value: int) -> Array:
        extended = np.full((squares, *array.shape[1:]), value, array.dtype)
        extended[:count] = array
        return extended

    distances, sides = extend(field.distances, FAR), np.full((squares, squares), AWAY, np.uint8)
    distances[sinks, :, slice(None) if shares else np.arange(len(starts))] = 0
    sides[:count, :count] = field.sides
    leaving = np.full((squares, 2), (0, NONE), np.int16)
    leaving[starts] = (count, squares - 1) if shares else np.stack([sinks, sinks], axis=1)
    return field._replace(
        neighbours=extend(field.neighbours, NONE),
        dead=extend(field.dead, 0),
        target=extend(field.target, 0),
        distances=distances,
        sides=sides,
        keys=random_keys(squares),
        end=np.full(1, NONE, np.int64),
        depots=extend(field.depots, 0),
        links=extend(field.links, 0),
        hotspots=np.zeros((squares, squares // 64 + 1), np.uint64),
        sinks=leaving,
    )

"""Rooms of a board, and the corridors that link them.

A room consists of blocks of two by two squares, each of which shares a side with another one. Squares of two rooms
belong to none of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.sokoban.solver.board import Array
from gridproof.kernels.compile import borrowing

_MOST_LINKS = 64
_MOST_ROOMS = 200


def rooms_of(neighbours: Array) -> list[int]:
    """Return the room of each square; -1 for corridors."""
    around = neighbours.tolist()
    blocks = dict[int, frozenset[int]]()
    for square, (_, down, _, right) in enumerate(around):
        if down >= 0 and right >= 0 and around[down][3] >= 0:
            blocks[square] = frozenset((square, down, right, around[down][3]))
    rooms, waiting, found = [-1] * len(around), set(blocks), list[set[int]]()
    while waiting:
        group = [waiting.pop()]
        for block in group:
            beside = {other for other in around[block] if other in waiting}
            waiting -= beside
            group += sorted(beside)
        if len(group) > 1:
            found.append(set().union(*(blocks[block] for block in group)))
    for number, room in enumerate(sorted(found, key=min)):
        for square in room:
            rooms[square] = number if rooms[square] == -1 else -2
    return [max(room, -1) for room in rooms]


def links_of(neighbours: Array) -> Array:
    """Return, as bits for each square, the links of rooms that a box on it blocks: uint64 (squares,).

    A link is a shortest path between two rooms through squares of no room.
    """
    around, rooms = neighbours.tolist(), rooms_of(neighbours)
    bits, links = [0] * len(around), 0
    count = max(rooms, default=-1) + 1
    for room in range(count if count <= _MOST_ROOMS else 0):
        before = {square: -1 for square, number in enumerate(rooms) if number == room}
        path, met = list(before), set[int]()
        for square in path:
            for other in around[square]:
                if other < 0 or other in before:
                    continue
                if rooms[other] < 0:
                    before[other] = square
                    path.append(other)
                elif (
                    room < rooms[other]
                    and rooms[other] not in met
                    and rooms[square] < 0
                    and links < _MOST_LINKS
                ):
                    met.add(rooms[other])
                    step = square
                    while rooms[step] != room:
                        bits[step] |= 1 << links
                        step = before[step]
                    links += 1
    return np.array(bits, np.uint64)


@borrowing
def count_blocked(links: Any, boxes: Any) -> Any:
    """Return the number of links that boxes block."""
    blocked = np.uint64(0)
    for box in boxes:
        blocked |= links[box]
    count = 0
    while blocked:
        blocked &= blocked - np.uint64(1)
        count += 1
    return count

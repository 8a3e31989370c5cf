"""Boards with large tiles as boards with smaller ones, which a network has learned better.

A network learns from games one slide ahead, few of which reach 16384. Where a tile is missing below the largest one, all tiles
above the gap can be halved: equal tiles stay equal, so the same slides are valid, and the next large tile is as far away. This
is tile downgrading: H. Guei, L.-P. Chen and I.-C. Wu, "Optimistic temporal difference learning for 2048" (IEEE Transactions on
Games, 2021).
"""

from __future__ import annotations

LIMIT = 1 << 14
"""The smallest of the tiles that a network has learned too little of."""


def downgrade_tiles(cells: tuple[int, ...]) -> tuple[int, ...]:
    """Return a board without tiles of the limit and more, where it has enough gaps.

    While the largest tile is too large, all tiles above the largest missing one are halved. A board that has all tiles below
    its largest one stays as it is.
    """
    while (largest := max(cells)) >= LIMIT:
        missing = largest // 2
        while missing in cells:
            missing //= 2
        if missing < 2:
            break
        cells = tuple(tile // 2 if tile > missing else tile for tile in cells)
    return cells

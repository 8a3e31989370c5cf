"""Heuristic of Shift It for agents."""

from __future__ import annotations

from gridproof.games.shiftit.rules import Position


class ShiftItAgents:
    """Parts of `gridproof.agents.extension`."""

    def heuristic(self, position: Position) -> float:
        """Count the unions of blocks, all of which a win needs (S13)."""
        return float(position.level.connection.count_unions(position.tiles))


AGENTS = ShiftItAgents()

"""All robots as one player, as in solutions and graded tasks: games stepped by the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gridproof.core.position import Level, Position
from gridproof.envs.game_batch import Array
from gridproof.envs.rules_batch import RuleGames
from gridproof.games.robots.env.observation import REQUESTS, board_space, encode_board


class JointGames(RuleGames):
    """Games of one player who sends the requests of all robots, one at a time; the first that is home wins for all.

    An action is `REQUESTS` times the place of the robot, plus the number of the request in its rule. Those that succeed
    are executable. An observation is the full board as the first robot sees it, padded to the size of the largest.
    """

    def _pack(self) -> None:
        super()._pack()
        levels: list[Any] = self.levels
        self._robots = max(len(level.robots) for level in levels)
        self._size = max(level.grid.height for level in levels), max(level.grid.width for level in levels)
        self._action_numbers = [_number_requests(level) for level in levels]
        self.symbols = 1 + int(board_space(self._size, self._robots).high.max())

    def action_numbers(self, level: int) -> Mapping[str, int]:
        return {str(request): number for request, number in self._action_numbers[level].items()}

    def _actions(self) -> tuple[str, ...]:
        """Return the request of each number; those of several rules if the levels differ, and "none" without one."""
        texts: list[dict[str, None]] = [{} for _ in range(REQUESTS * self._robots)]
        for numbers in self._action_numbers:
            for request, number in numbers.items():
                texts[number][str(request)] = None
        return tuple(" or ".join(one) or "none" for one in texts)

    def _shape(self) -> tuple[int, ...]:
        return (*self._size, 2)

    def _write_observations(
        self, positions: Iterable[Position[Any]], levels: Array, seen: Array, masks: Array
    ) -> None:
        masks[:] = 0
        for place, (position, level) in enumerate(zip(positions, levels, strict=True)):
            board: Any = position
            seen[place] = encode_board(board, 0, self._size).ravel()
            numbers = self._action_numbers[level]
            masks[place, [numbers[action] for action in position.actions()]] = 1


def _number_requests(level: Level) -> dict[Any, int]:
    """Return the number of each request of a level's robots."""
    robots: Any = level
    return {
        request: REQUESTS * place + number
        for place, robot in enumerate(robots.robots)
        for number, request in enumerate(robot.requests)
    }

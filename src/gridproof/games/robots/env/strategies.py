"""One robot against strategies in Python: hint followers, planners, your own (R30).

The rules run a race beside each game, from which the words for the kernel's observations are written: slower than
`RaceGames`, and the same in all else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.core.position import Position
from gridproof.envs.game_batch import Array
from gridproof.envs.rules import PythonGames
from gridproof.envs.step_kernel import LEVEL, SEED
from gridproof.games.robots.env.observation import encode_knowledge
from gridproof.games.robots.env.race_kernel import RaceGames
from gridproof.games.robots.kernel.play import ANSWER, ASKED, NOTICES, WIN_NOTICES
from gridproof.games.robots.race import Race
from gridproof.games.robots.race.knowledge import Knowledge


class StrategyGames(PythonGames, RaceGames):
    """`RaceGames` against other strategies than random ones."""

    _STATE = ("_begun", "_races")

    def __init__(self, *given: Any) -> None:
        self._races: dict[int, Race] = {}
        super().__init__(*given)
        for level in range(len(self.levels)):
            self._race(level, 0)  # raises for wrong strategies

    def enter(self, marked: Array, chosen: Array | None = None) -> None:
        super().enter(marked, chosen)
        for number in map(int, np.flatnonzero(marked)):
            level, seed = self._games[number, LEVEL], self._chances[number, SEED]
            self._races[number] = self._race(int(level), int(seed))

    def place(self, number: int, position: Position[Any]) -> None:
        race = self._race(int(self._games[number, LEVEL]), int(self._chances[number, SEED]), position)
        self._races[number] = race
        self._write(number, race)

    def _act(self, number: int, action: int) -> tuple[bool, int, int]:
        race = self._races[number]
        illegal = self._serve(race, action)
        self._write(number, race)
        return illegal, 0, 0

    def _end_status(self, number: int) -> tuple[bool, bool]:
        race = self._races[number]
        return bool(race.winners), self._names(race.level)[0] in race.winners

    def _write(self, number: int, race: Race) -> None:
        packing = self.packings[int(self._games[number, LEVEL])]
        words = [pack_knowledge(race.knowledge[name]) for name in race.level.names]
        self.plays[number, : packing.words] = packing.pack(race.position)
        self.plays[number, packing.words : packing.words + packing.memory] = words


def pack_knowledge(knowledge: Knowledge) -> int:
    """Return the word of a robot's knowledge for the kernel."""
    _, *hints, request, answer, notices, wins = map(int, encode_knowledge(knowledge))
    word = sum(bit << place for place, bit in enumerate(hints))
    return (
        word
        | request << int(ASKED)
        | answer << int(ANSWER)
        | notices << int(NOTICES)
        | wins << int(WIN_NOTICES)
    )

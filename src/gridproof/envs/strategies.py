"""One robot against strategies that are plain Python: hint followers, planners, one's own (R30).

A race of the rules is run beside each game, and the words that the kernel observes are written from it: slower than
`racing`, and the same in all else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.envs import stepping
from gridproof.envs.games import Array, Stepped
from gridproof.envs.knowing import known
from gridproof.envs.racing import RaceGames
from gridproof.envs.stepping import ELAPSED, LEVEL, LIMIT, MODE, OVER, SEED
from gridproof.games.robots.kernel.playing import ANSWER, ASKED, NOTICES, WIN_NOTICES
from gridproof.games.robots.race import Race
from gridproof.games.robots.race.knowledge import Knowledge


class StrategyGames(RaceGames):
    """As `RaceGames`, against other strategies than chance."""

    def __init__(self, *given: Any) -> None:
        self._races: dict[int, Race] = {}
        super().__init__(*given)
        for level in range(len(self.levels)):
            self._race(level, 0)  # says what is wrong with the strategies

    def enter(self, marked: Array, chosen: Array | None = None) -> None:
        super().enter(marked, chosen)
        for number in map(int, np.flatnonzero(marked)):
            level, seed = self._games[number, LEVEL], self._chances[number, SEED]
            self._races[number] = self._race(int(level), int(seed))

    def step(self, actions: Array) -> Stepped:
        self.check_steps()
        rewards, flags = np.zeros(self.count), np.zeros((4, self.count), np.bool_)
        mode = self._settings[MODE]
        over = self._games[:, OVER].astype(np.bool_)
        for number in map(int, np.flatnonzero(~over)):
            rewards[number], flags[:, number] = self._served(number, int(actions[number]))
        if mode == stepping.NEXT_STEP and over.any():
            self.enter(over)
        elif mode == stepping.DISABLED:
            for number in map(int, np.flatnonzero(over)):
                flags[:, number] = self._stands(number)
        ended = flags[0] | flags[1]
        if mode == stepping.SAME_STEP and ended.any():
            self.finals[ended, :-1], self.finals[ended, -1] = self.plays[ended], self._games[ended, LEVEL]
            self.enter(ended)
        self.see_anew()
        return Stepped(*self.see(), rewards, self.level, *flags)

    def _served(self, number: int, action: int) -> tuple[float, tuple[bool, bool, bool, bool]]:
        """One step of a game: its reward and its flags."""
        race, game = self._races[number], self._games[number]
        illegal = self._serve(race, action)
        self._write(number, race)
        game[ELAPSED] += 1
        ended, won = bool(race.winners), self._names(race.level)[0] in race.winners
        late = not ended and 0 < self._settings[LIMIT] <= game[ELAPSED]
        game[OVER] = ended or late
        weights = self._weights
        reward = weights[stepping.STEP] + weights[stepping.ILLEGAL] * illegal
        reward += (weights[stepping.WIN] if won else weights[stepping.LOSE]) * ended
        return float(reward), (ended, late, illegal, won)

    def _stands(self, number: int) -> tuple[bool, bool, bool, bool]:
        """The flags of a game that is over, in which nothing is done."""
        race = self._races[number]
        ended = bool(race.winners)
        return ended, not ended, True, self._names(race.level)[0] in race.winners

    def _write(self, number: int, race: Race) -> None:
        packing = self.packings[int(self._games[number, LEVEL])]
        words = [memory_of(race.knowledge[name]) for name in race.level.names]
        self.plays[number, : packing.words] = packing.pack(race.position)
        self.plays[number, packing.words : packing.words + packing.memory] = words


def memory_of(knowledge: Knowledge) -> int:
    """What a robot knows, in the word that the kernel keeps of it."""
    _, *hints, asked, answer, notices, wins = map(int, known(knowledge))
    word = sum(bit << place for place, bit in enumerate(hints))
    return (
        word
        | asked << int(ASKED)
        | answer << int(ANSWER)
        | notices << int(NOTICES)
        | wins << int(WIN_NOTICES)
    )

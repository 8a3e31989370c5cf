"""Rewards by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.text.phrases import short_repr


@dataclass(frozen=True, slots=True)
class Reward:
    """Reward of a step, the sum of its parts."""

    step: float = 0.0
    """Reward of every step."""
    win: float = 0.0
    """Reward of a win, once."""
    lose: float = 0.0
    """Reward of an end without a win, once (in Robots: when another robot has won)."""
    score: float = 0.0
    """Factor of the gained score (2048)."""
    illegal: float = 0.0
    """Reward of an illegal action."""
    measure: str = ""
    """A number of the game, such as `placed` in Sokoban."""
    measured: float = 0.0
    """Factor of the growth of the measure."""

    @property
    def weights(self) -> tuple[float, ...]:
        """The parts in the order of the compiled step."""
        return self.step, self.win, self.lose, self.score, self.illegal, self.measured

    def of_step(self, gain: int, growth: int, *, won: bool, lost: bool, illegal: bool = False) -> float:
        """Return the reward of a step with this gained score and growth of the measure.

        `won` is true in the step that wins, and `lost` in the one that ends the game without a win.
        """
        found = self.step + self.score * gain + self.measured * growth
        return float(found + self.illegal * illegal + self.win * won + self.lose * lost)

    def without_steps(self) -> Reward:
        """Return the reward of a player in another player's step: wins and losses alone."""
        return Reward(win=self.win, lose=self.lose)


REWARDS: Mapping[str, Reward] = {
    "win": Reward(win=1.0, lose=-1.0),
    "score": Reward(score=1.0),
    "moves": Reward(step=-1.0),
    "boxes": Reward(step=-0.1, win=10.0, measure="placed", measured=1.0),
}
"""`win`: 1 for a win, -1 for a loss (R32). `score`: the score gained (2048's own). `moves`: -1 a step, so that the
return is the negative number of steps. `boxes` (Sokoban): 1 for each box put on a depot, -1 for each
taken off, 10 for a win, -0.1 a step, as in Schrader's gym-sokoban."""


def find_reward(game: Game, chosen: str | Reward | None) -> Reward:
    """Return a reward by name, or a given one; by default `score` if the game keeps one, else `win`.

    GridproofError for an unknown name, or a measure that the game does not have.
    """
    if chosen is None:
        chosen = "score" if game.policy.keeps_score else "win"
    name = f"reward {chosen!r}: " if isinstance(chosen, str) else ""
    if isinstance(chosen, str):
        if chosen not in REWARDS:
            raise GridproofError(f"no reward {chosen!r}: there are {', '.join(REWARDS)}")
        chosen = REWARDS[chosen]
    if not isinstance(chosen, Reward):
        raise GridproofError(f"a reward is a name or a Reward, not {short_repr(chosen)}")
    if chosen.measure and chosen.measure not in {
        item.name for item in game.propositions if not item.parameters
    }:
        raise GridproofError(f"{name}{game.name} measures no {chosen.measure!r}")
    return replace(chosen)

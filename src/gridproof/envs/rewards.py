"""Rewards by name: what each is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.wording import shown


@dataclass(frozen=True, slots=True)
class Reward:
    """What a step is worth: the sum of its parts.

    Parameters
    ----------
    step : float
        For every step.
    win : float
        Once, when the game is won.
    lose : float
        Once, when it ends without a win and cannot go on (in Robots: when another robot has won).
    score : float
        Times the score gained (2048).
    illegal : float
        For an action that could not be done.
    measure : str
        A number that the game knows, such as `placed` in Sokoban.
    measured : float
        Times what the measure has grown by.
    """

    step: float = 0.0
    win: float = 0.0
    lose: float = 0.0
    score: float = 0.0
    illegal: float = 0.0
    measure: str = ""
    measured: float = 0.0

    @property
    def weights(self) -> tuple[float, ...]:
        """The parts in the order of the compiled step."""
        return self.step, self.win, self.lose, self.score, self.illegal, self.measured


REWARDS: Mapping[str, Reward] = {
    "win": Reward(win=1.0, lose=-1.0),
    "score": Reward(score=1.0),
    "moves": Reward(step=-1.0),
    "boxes": Reward(step=-0.1, win=10.0, measure="placed", measured=1.0),
}
"""`win`: 1 for a win, -1 for a loss (R32). `score`: the score gained (2048's own). `moves`: -1 a step, so that the
return is the length of the way, negative. `boxes` (Sokoban): 1 for each box put on a depot, -1 for each
taken off, 10 for a win, -0.1 a step, as in Schrader's gym-sokoban."""


def reward_named(game: Game, chosen: str | Reward | None) -> Reward:
    """A reward by its name, or one's own; by default `score` where the game keeps one, else `win`.

    Raises
    ------
    GridproofError
        When there is none of that name, or the game does not know what it measures.
    """
    if chosen is None:
        chosen = "score" if game.policy.keeps_score else "win"
    name = f"reward {chosen!r}: " if isinstance(chosen, str) else ""
    if isinstance(chosen, str):
        if chosen not in REWARDS:
            raise GridproofError(f"no reward {chosen!r}: there are {', '.join(REWARDS)}")
        chosen = REWARDS[chosen]
    if not isinstance(chosen, Reward):
        raise GridproofError(f"a reward is a name or a Reward, not {shown(chosen)}")
    if chosen.measure and chosen.measure not in {
        item.name for item in game.propositions if not item.parameters
    }:
        raise GridproofError(f"{name}{game.name} measures no {chosen.measure!r}")
    return replace(chosen)

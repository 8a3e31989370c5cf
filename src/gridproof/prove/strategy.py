"""Strategies of players who take turns: what they do, and a check by the rules against every answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from gridproof.core.errors import GridproofError
from gridproof.core.position import Position
from gridproof.core.trace import Step, Trace
from gridproof.core.wording import shown

UNTIL, UNLESS, NEXT = "until", "unless", "next"


class Objective(NamedTuple):
    """What players want: `hold` until `reach` comes (UNTIL), the same or for ever (UNLESS), or `reach` at once (NEXT)."""

    kind: str
    hold: Any
    reach: Any


class Turn(NamedTuple):
    """A position, and the place in the order of the player who is about to act."""

    position: Position[Any]
    place: int


class Judge(Protocol):
    """What a strategy knows."""

    def choice(self, turn: Turn) -> Any:
        """The action to do, or None for a pass; GridproofError where the strategy does not win."""

    def held(self, turn: Turn) -> bool:
        """Whether what must hold does."""

    def reached(self, turn: Turn) -> bool:
        """Whether what must be reached is."""

    def left(self, turn: Turn) -> int:
        """How many turns it takes at most until it is."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """What some players do, each at its turn, so that they get their way whatever the others do.

    Attributes
    ----------
    players : tuple of str
    order : tuple of str
        All who take turns, in their order, again and again.
    kind : str
        Whether something is to be reached ("until"), to be kept ("unless"), or to be so after one turn ("next").
    starts : tuple of Position
        Where it begins; the first of the order is about to act.
    """

    players: tuple[str, ...]
    order: tuple[str, ...]
    kind: str
    starts: tuple[Position[Any], ...]
    judge: Judge = field(repr=False, compare=False)

    def __call__(self, position: Position[Any], player: str) -> Any:
        """The action that a player does who is about to act; None for a pass.

        Raises
        ------
        GridproofError
            For one who is not among the players, or where they cannot get their way.
        """
        if player not in self.players:
            raise GridproofError(
                f"{shown(player)} does not play by this strategy: {', '.join(self.players)} do"
            )
        return self.judge.choice(Turn(position, self.order.index(player)))

    def verify(self) -> int:
        """Play against every answer, by the rules; how many turns have been looked at.

        Raises
        ------
        GridproofError
            When an answer beats it: please report the level.
        """
        if self.kind == NEXT:
            turns = {turn for start in self.starts for turn in self._following(Turn(start, 0))}
            self._see(all(map(self.judge.reached, turns)), self.starts[0])
            return len(turns)
        done: dict[Turn, bool] = {}
        """Whether all that follows from a turn has been looked at."""
        for start in self.starts:
            waiting = [self._entered(Turn(start, 0), done)]
            while waiting:
                turn, following = waiting[-1]
                after = next(following, None)
                if after is None:
                    done[turn] = True
                    waiting.pop()
                elif after not in done:
                    waiting.append(self._entered(after, done))
                else:  # whoever wants to get somewhere must not go round in circles
                    self._see(done[after] or self.kind == UNLESS, after.position)
        return len(done)

    def _entered(self, turn: Turn, done: dict[Turn, bool]) -> tuple[Turn, Iterator[Turn]]:
        """Look at a turn; what follows from it."""
        done[turn] = False
        over = self.judge.reached(turn)
        self._see(over or self.judge.held(turn), turn.position)
        return turn, iter(()) if over else self._following(turn)

    @staticmethod
    def _see(true: bool, position: Position[Any]) -> None:
        if not true:
            raise GridproofError(f"an answer beats the strategy: please report this level\n{position}")

    def _following(self, turn: Turn) -> Iterator[Turn]:
        """What can follow: by the strategy, or by any answer, a pass among them."""
        after = (turn.place + 1) % len(self.order)
        for action in self._choices(turn):
            outcomes = () if action is None else turn.position.outcomes(action)
            positions = [turn.position] if action is None else [outcome.position for outcome in outcomes]
            yield from (Turn(position, after) for position in positions)

    def _choices(self, turn: Turn) -> tuple[Any, ...]:
        player = self.order[turn.place]
        if player in self.players:
            return (self.judge.choice(turn),)
        return (None, *turn.position.actions(player))

    def trace(self) -> Trace | None:
        """A play in which the others put it off as long as they can, passes left out; None where nothing is to be reached."""
        if self.kind != UNTIL:
            return None
        turn, steps = Turn(self.starts[0], 0), list[Step]()
        while not self.judge.reached(turn):
            step, turn = max(self._options(turn), key=lambda option: self.judge.left(option[1]))
            if step is not None:
                steps.append(step)
        trace = Trace(self.starts[0], tuple(steps))
        trace.replay()
        return trace

    def _options(self, turn: Turn) -> Iterator[tuple[Step | None, Turn]]:
        after = (turn.place + 1) % len(self.order)
        for action in self._choices(turn):
            if action is None:
                yield None, Turn(turn.position, after)
                continue
            for outcome in turn.position.outcomes(action):
                yield Step(action, outcome.label), Turn(outcome.position, after)

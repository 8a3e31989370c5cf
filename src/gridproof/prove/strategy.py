"""Strategies of players who take turns, and their check by the rules against every answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from gridproof.core.errors import GridproofError
from gridproof.core.position import Position
from gridproof.core.text.phrases import short_repr
from gridproof.core.trace import Step, Trace
from gridproof.prove.recurrence import RECURRENT

UNTIL, UNLESS, NEXT = "until", "unless", "next"


class Objective(NamedTuple):
    """An objective of players, or of a path: `hold` until `reach` (UNTIL), the same or for ever (UNLESS), or `reach` at once (NEXT).

    If `hold` comes again and again, `reach` does (STREETT); or `reach` comes after each `hold` (RESPONSE).
    """

    kind: str
    hold: Any
    reach: Any
    most: int | None = None
    """The number of turns within which UNTIL comes true, or which UNLESS lasts."""


class Turn(NamedTuple):
    """A position, and the place in the order of the player who is about to act."""

    position: Position[Any]
    place: int


class Judge(Protocol):
    """The knowledge behind a strategy."""

    def choice(self, turn: Turn) -> Any:
        """The action to do, or None for a pass; GridproofError where the strategy does not win."""

    def is_held(self, turn: Turn) -> bool:
        """Return whether `hold` is true."""

    def is_reached(self, turn: Turn) -> bool:
        """Return whether `reach` is true."""

    def count_turns(self, turn: Turn) -> int:
        """Return the largest number of turns until the goal is reached."""

    def is_valid_successor(self, turn: Turn, after: Turn) -> bool:
        """Return whether a turn may come after another, if something has to come again and again."""


class NumberStrategy(Protocol):
    """A strategy that reaches a number: a probability, or an expected cost."""

    @property
    def players(self) -> tuple[str, ...]:
        """The players who follow it."""

    def __call__(self, position: Position[Any], /, *turn: Any) -> Any:
        """Return the action in a position, at the turn of a player and with so many steps left if it needs to know them."""

    def verify(self) -> Any:
        """Return the number that it reaches by the rules alone, whatever others do."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """Actions of some players at their turns that reach their objective whatever the others do.

    The players in `order` take turns again and again, from the first at `starts` on. The objective is to reach something
    ("until"), to keep it ("unless"), to have it after one turn ("next"), or again and again (`RECURRENT`).
    """

    players: tuple[str, ...]
    order: tuple[str, ...]
    kind: str
    starts: tuple[Position[Any], ...]
    judge: Judge = field(repr=False, compare=False)
    most: int | None = None
    """The number of turns within which they reach something, or keep it."""

    def __call__(self, position: Position[Any], player: str) -> Any:
        """Return the action of a player at its turn; None for a pass.

        GridproofError for somebody who is not among the players, or where they cannot reach their objective.
        """
        if player not in self.players:
            raise GridproofError(
                f"{short_repr(player)} is not a player of this strategy: {', '.join(self.players)} do"
            )
        return self.judge.choice(Turn(position, self.order.index(player)))

    def verify(self) -> int:
        """Play against every answer, by the rules, and return the number of turns.

        GridproofError when an answer beats it: please report the level.
        """
        if self.kind == NEXT:
            turns = {turn for start in self.starts for turn in self._successors(Turn(start, 0))}
            self._require(all(map(self.judge.is_reached, turns)), self.starts[0])
            return len(turns)
        if self.most is not None:
            return self._verify_turns(self.most)
        done: dict[Turn, bool] = {}
        """True if all turns that follow were checked."""
        for start in self.starts:
            waiting = [self._enter(Turn(start, 0), done)]
            while waiting:
                turn, following = waiting[-1]
                after = next(following, None)
                if after and self.kind in RECURRENT:
                    self._require(self.judge.is_valid_successor(turn, after), after.position)
                if after is None:
                    done[turn] = True
                    waiting.pop()
                elif after not in done:
                    waiting.append(self._enter(after, done))
                else:  # a strategy that must reach something must not go round in circles
                    self._require(done[after] or self.kind in (UNLESS, *RECURRENT), after.position)
        return len(done)

    def _verify_turns(self, most: int) -> int:
        """Play for so many turns; what has to be kept is looked at once at each turn."""
        seen, turns = set[Turn](), {Turn(start, 0) for start in self.starts}
        for left in range(most, -1, -1):
            seen |= turns
            following = set[Turn]()
            for turn in turns:
                over = self.judge.is_reached(turn)
                is_kept = self.judge.is_held(turn) and (left > 0 or self.kind == UNLESS)
                self._require(over or is_kept, turn.position)
                if left and not over:
                    following.update(self._successors(turn))
            turns = following - seen if self.kind == UNLESS else following
            if not turns:
                break
        return len(seen)

    def _enter(self, turn: Turn, done: dict[Turn, bool]) -> tuple[Turn, Iterator[Turn]]:
        """Check a turn, and return it with the turns that follow."""
        done[turn] = False
        over = self.judge.is_reached(turn)
        self._require(over or self.judge.is_held(turn), turn.position)
        return turn, iter(()) if over else self._successors(turn)

    @staticmethod
    def _require(true: bool, position: Position[Any]) -> None:
        if not true:
            raise GridproofError(f"the strategy can be beaten; please report this level\n{position}")

    def _successors(self, turn: Turn) -> Iterator[Turn]:
        """Return the turns that can follow: by the strategy, or by any answer, a pass among them."""
        return (after for _, after in self._options(turn))

    def _choices(self, turn: Turn) -> tuple[Any, ...]:
        player = self.order[turn.place]
        if player in self.players:
            return (self.judge.choice(turn),)
        return (None, *turn.position.actions(player))

    def trace(self) -> Trace | None:
        """Return a play in which the others delay the end, without passes; None if nothing must be reached."""
        if self.kind != UNTIL:
            return None
        turn, steps = Turn(self.starts[0], 0), list[Step]()
        while not self.judge.is_reached(turn):
            step, turn = max(self._options(turn), key=lambda option: self.judge.count_turns(option[1]))
            if step is not None:
                steps.append(step)
        trace = Trace(self.starts[0], tuple(steps))
        trace.replay()
        return trace

    def _options(self, turn: Turn) -> Iterator[tuple[Step | None, Turn]]:
        """Yield the steps that can follow, None for a pass, each with the turn after it."""
        after = (turn.place + 1) % len(self.order)
        for action in self._choices(turn):
            if action is None:
                yield None, Turn(turn.position, after)
                continue
            for outcome in turn.position.outcomes(action):
                yield Step(action, outcome.label), Turn(outcome.position, after)

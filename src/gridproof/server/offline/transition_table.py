"""What surrounds a position: a table of what the rules say there, for pages that go on while the server is away.

It holds positions in breadth-first order, what leads from each to which other, and how that looks, in both ways. So the
rules stay in one place: a page only looks up what they have said.
"""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gridproof.core.limit import Limit
from gridproof.core.position import Action, Outcome, Position
from gridproof.core.proposition import value_of
from gridproof.play.data import Data
from gridproof.play.moved import same_shape
from gridproof.play.web.pieces import PieceTable
from gridproof.play.web.steps import Drawn, step_data
from gridproof.play.web.telling import MOST_ACTIONS, Actions

MOST_POSITIONS = 30_000
"""In one table."""
MOST_BYTES = 300_000
"""Of one table as it is sent."""
OFTEN = 64
"""Positions after which the limit is looked at."""
CHANCE = -1
"""Where an action leads to that the table does not follow: chance has a part in it, or the board takes another shape."""


@dataclass(frozen=True, slots=True)
class Surrounded:
    """What a table is made for: the positions that undo and redo lead through, and which of them is the present one."""

    line: tuple[Position[Any], ...]
    at: int

    def __call__(self, limit: Limit, tell: object = None) -> bytes:
        """The table, as it is sent: compressed JSON of at most `MOST_BYTES`, as far as the limit allows."""
        return _Table(self).made(limit)


class _Table:
    def __init__(self, asked: Surrounded) -> None:
        self._asked = asked
        present = asked.line[asked.at]
        self._game, self._look = present.level.game, present.level.game.look
        self._pieces = PieceTable()
        self._actions = Actions(self._pieces)
        self._several = len(self._game.actors(present.level)) > 1
        self._lost = value_of(self._game, "lost", ())
        self._numbers: dict[Position[Any], int] = {}
        self._positions: list[tuple[Position[Any], Any]] = []
        """Each with a tally of one way there."""
        self._drawn: dict[int, Drawn] = {}
        self._views, self._steps = _Interned(), _Interned()
        self._degrees: list[int] = []
        self._known = [(0, 0, 0)]
        """How many views, steps and pieces there were before each position was looked at, and after the last."""
        self._edges: list[tuple[int, int, int]] = []
        """View of the action, target, step."""
        self._counts = [word for word, _ in self._look.counts(present, self._look.tally.start)]
        self._unsure: set[str] = set()
        near = sorted(range(len(asked.line)), key=lambda place: abs(place - asked.at))
        for place in near:
            self._number(asked.line[place], self._look.tally.start)

    def made(self, limit: Limit) -> bytes:
        """The table within a limit."""
        meter, states = limit.start(), min(limit.states or MOST_POSITIONS, MOST_POSITIONS)
        while (number := len(self._degrees)) < len(self._positions) <= states:
            if number % OFTEN == 0 and meter.reached(len(self._positions)):
                break
            self._expand(number)
        expanded = len(self._degrees)
        packed = self._packed(expanded)
        while expanded and len(packed) > MOST_BYTES:
            expanded = int(0.95 * expanded * MOST_BYTES / len(packed))
            packed = self._packed(expanded)
        return packed

    # -- one position after the other

    def _number(self, position: Position[Any], tally: Any) -> int:
        number = self._numbers.setdefault(position, len(self._positions))
        if number == len(self._positions):
            self._positions.append((position, tally))
        return number

    def _drawing(self, number: int) -> Drawn:
        if number not in self._drawn:
            self._drawn[number] = Drawn(self._positions[number][0])
        return self._drawn[number]

    def _expand(self, number: int) -> None:
        """Look at all that can be done in a position."""
        position, _ = self._positions[number]
        over = position.won and not self._game.policy.act_after_win
        actions = () if over else position.all_actions()[:MOST_ACTIONS]
        for action in actions:
            view = self._views.number(self._actions.of(position, action, self._several))
            self._edges.append((view, *self._followed(number, action)))
        self._degrees.append(len(actions))
        self._known.append((len(self._views.values), len(self._steps.values), len(self._pieces)))
        self._drawn.pop(number, None)

    def _followed(self, number: int, action: Action) -> tuple[int, int]:
        position, tally = self._positions[number]
        outcome, *others = itertools.islice(position.outcomes(action), 2)
        if others:
            return CHANCE, CHANCE
        known = len(self._positions)
        target = self._number(outcome.position, self._look.tally.add(tally, outcome))
        before, after = self._drawing(number), self._drawing(target)
        if not same_shape(before.board, after.board):
            if target == known:
                self._positions.pop()
                del self._numbers[outcome.position], self._drawn[target]
            return CHANCE, CHANCE
        return target, self._steps.number(self._step(number, before, after, action, outcome))

    def _step(
        self, number: int, before: Drawn, after: Drawn, action: Action, outcome: Outcome[Any]
    ) -> Sequence[Any]:
        """How an action looks that is done and that is taken back, and what it adds to the counts."""
        done = step_data(self._pieces, before, after, action, outcome)
        board = before.board
        cells = [[x, y, pile, self._pieces.pile(board, x, y)] for x, y, pile in done["cells"]]
        beside = [done["beside"], [*map(self._pieces.number, before.beside)]] if "beside" in done else None
        return done["moves"], cells, beside, self._added(number, outcome), outcome.reward

    def _added(self, number: int, outcome: Outcome[Any]) -> list[int]:
        """What an action adds to each count; a count to which it adds not always the same is left to the server."""
        position, tally = self._positions[number]
        added = []
        for word, *values in zip(
            self._counts,
            *(self._adds(position, one, outcome) for one in (tally, self._look.tally.start)),
            strict=True,
        ):
            if values[0] is None or values[0] != values[1]:
                self._unsure.add(word)
            added.append(values[0] or 0)
        return added

    def _adds(self, position: Position[Any], tally: Any, outcome: Outcome[Any]) -> list[int | None]:
        look = self._look
        before = dict(look.counts(position, tally))
        after = dict(look.counts(outcome.position, look.tally.add(tally, outcome)))
        return [_difference(before.get(word), after.get(word)) for word in self._counts]

    # -- as it is sent

    def _packed(self, expanded: int) -> bytes:
        return gzip.compress(self._text(expanded), 9, mtime=0)

    def _text(self, expanded: int) -> bytes:
        """JSON of a table that looks no further than the first so many positions."""
        degrees = self._degrees[:expanded]
        views, steps, pieces = self._known[expanded]
        edges = self._edges[: sum(degrees)]
        roots = [self._numbers[position] for position in self._asked.line]
        there = 1 + max(*roots, *(target for _, target, _ in edges), 0)
        positions = [position for position, _ in self._positions[:there]]
        policy, look = self._game.policy, self._look
        data: Data = {
            "complete": expanded == there,
            "undo_after_win": policy.undo_after_win,
            "words": {"won": look.won, "lost": look.lost},
            "pieces": self._pieces.known[:pieces],
            "actions": self._views.values[:views],
            "steps": self._steps.values[:steps],
            "counts": [word if word not in self._unsure else None for word in self._counts],
            "line": roots,
            "at": self._asked.at,
            "positions": there,
            "degrees": degrees,
            "views": [view for view, _, _ in edges],
            "targets": _shortened([target for _, target, _ in edges], max(roots)),
            "by": [step for _, _, step in edges],
            "won": [number for number, position in enumerate(positions) if position.won],
            "lost": [number for number, position in enumerate(positions) if self._lost(position)],
        }
        return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()


class _Interned:
    """Values, each listed once."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[str, int] = {}

    def number(self, value: Any) -> int:
        """The number of a value."""
        number = self._numbers.setdefault(repr(value), len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number


def _difference(before: str | None, after: str | None) -> int | None:
    """What was added to a count; None for what is no number."""
    if before is None or after is None or not (before.isdigit() and after.isdigit()):
        return None
    return int(after) - int(before)


def _shortened(targets: Sequence[int], newest: int) -> list[int]:
    """Targets as numbers that are mostly small: 0 is the next new position, n the one n before that; -1 stays."""
    short = []
    for target in targets:
        short.append(target if target == CHANCE else newest + 1 - target)
        newest = max(newest, target)
    return short

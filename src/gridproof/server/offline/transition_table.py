"""Transition table: the positions around one, for play without the server.

It holds positions in breadth-first order, with their actions, targets and board deltas in both directions. So the rules
stay in one place: a page only looks up their results.
"""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gridproof.analysis.json_data import Data
from gridproof.core.limit import Limit
from gridproof.core.look import PointedCell
from gridproof.core.position import Action, Outcome, Position
from gridproof.core.proposition import value_of
from gridproof.server.live.board_delta import BoardSnapshot, step_data
from gridproof.server.live.piece_table import PieceTable, Pile
from gridproof.server.live.serializers import MOST_ACTIONS, Actions
from gridproof.table.board_diff import same_shape

MOST_POSITIONS = 30_000
"""Positions in one table."""
MOST_BYTES = 300_000
"""Bytes of one compressed table."""
OFTEN = 64
"""Positions between two checks of the limit."""
CHANCE = -1
"""Target of an action that the table does not follow: it is random, or the board changes its shape."""


@dataclass(frozen=True, slots=True)
class TransitionTable:
    """Task that builds a table: the positions of undo and redo, and the place of the current one."""

    line: tuple[Position[Any], ...]
    at: int

    def __call__(self, limit: Limit, tell: object = None) -> bytes:
        """Build the table within the limit, as compressed JSON of at most `MOST_BYTES`."""
        return _TableBuilder(self).build(limit)


class _TableBuilder:
    def __init__(self, task: TransitionTable) -> None:
        self._task = task
        present = task.line[task.at]
        self._game, self._look = present.level.game, present.level.game.look
        self._pieces = PieceTable()
        self._actions = Actions(self._pieces)
        self._several = len(self._game.actors(present.level)) > 1
        self._lost = value_of(self._game, "lost", ())
        self._numbers: dict[Position[Any], int] = {}
        self._positions: list[tuple[Position[Any], Any]] = []
        """Each with the tally of one path to it."""
        self._snapshots: dict[int, BoardSnapshot] = {}
        self._views, self._steps = _InternTable(), _InternTable()
        self._degrees: list[int] = []
        self._in_vain: dict[int, list[str]] = {}
        """Piece on top of a cell -> why a click on it and a drag of it mean no action."""
        self._sizes = [(0, 0, 0)]
        """Numbers of views, steps and pieces before each expansion, and after the last."""
        self._edges: list[tuple[int, int, int]] = []
        """(view of the action, target, step)."""
        self._counts = [word for word, _ in self._look.counts(present, self._look.tally.start)]
        self._varying: set[str] = set()
        near = sorted(range(len(task.line)), key=lambda place: abs(place - task.at))
        for place in near:
            self._number(task.line[place], self._look.tally.start)

    def build(self, limit: Limit) -> bytes:
        """Build the table within a limit."""
        meter, states = limit.start(), min(limit.states or MOST_POSITIONS, MOST_POSITIONS)
        while (number := len(self._degrees)) < len(self._positions) <= states:
            if number % OFTEN == 0 and meter.is_reached(len(self._positions)):
                break
            self._expand(number)
        expanded = len(self._degrees)
        content = self._compress(expanded)
        while expanded and len(content) > MOST_BYTES:
            expanded = int(0.95 * expanded * MOST_BYTES / len(content))
            content = self._compress(expanded)
        return content

    # -- expansion

    def _number(self, position: Position[Any], tally: Any) -> int:
        number = self._numbers.setdefault(position, len(self._positions))
        if number == len(self._positions):
            self._positions.append((position, tally))
        return number

    def _snapshot(self, number: int) -> BoardSnapshot:
        if number not in self._snapshots:
            self._snapshots[number] = BoardSnapshot(self._positions[number][0])
        return self._snapshots[number]

    def _expand(self, number: int) -> None:
        """Add the actions of a position."""
        position, _ = self._positions[number]
        over = position.won and not self._game.policy.act_after_win
        actions = () if over else position.all_actions()[:MOST_ACTIONS]
        for action in actions:
            view = self._views.number(self._actions.action_data(position, action, self._several))
            self._edges.append((view, *self._follow(number, action)))
        self._degrees.append(len(actions))
        self._sizes.append((len(self._views.values), len(self._steps.values), len(self._pieces)))
        self._snapshots.pop(number, None)

    def _follow(self, number: int, action: Action) -> tuple[int, int]:
        position, tally = self._positions[number]
        outcome, *others = itertools.islice(position.outcomes(action), 2)
        if others:
            return CHANCE, CHANCE
        count = len(self._positions)
        target = self._number(outcome.position, self._look.tally.add(tally, outcome))
        before, after = self._snapshot(number), self._snapshot(target)
        if not same_shape(before.board, after.board):
            if target == count:
                self._positions.pop()
                del self._numbers[outcome.position], self._snapshots[target]
            return CHANCE, CHANCE
        return target, self._steps.number(self._step(number, before, after, action, outcome))

    def _step(
        self, number: int, before: BoardSnapshot, after: BoardSnapshot, action: Action, outcome: Outcome[Any]
    ) -> Sequence[Any]:
        """Return the board deltas of an action and its undo, and the changes of the counts."""
        done = step_data(self._pieces, before, after, action, outcome)
        board = before.board
        cells = [[x, y, pile, self._pieces.pile(board, x, y)] for x, y, pile in done["cells"]]
        self._explain_in_vain(after.position, [(x, y, pile) for x, y, pile, _ in cells])
        self._explain_in_vain(before.position, [(x, y, pile) for x, y, _, pile in cells])
        beside = [done["beside"], [*map(self._pieces.number, before.beside)]] if "beside" in done else None
        return done["moves"], cells, beside, self._count_changes(number, outcome), outcome.reward

    def _explain_in_vain(self, position: Position[Any], cells: Iterable[tuple[int, int, Pile]]) -> None:
        """Learn why pointing at the pieces on top of cells means no action, which depends on the piece alone."""
        for x, y, pile in cells:
            if pile and pile[-1] not in self._in_vain:
                self._in_vain[pile[-1]] = [
                    self._look.pointed_in_vain(position, PointedCell(x, y, to)) for to in (None, (x, y))
                ]

    def _count_changes(self, number: int, outcome: Outcome[Any]) -> list[int]:
        """Return the change of each count; counts whose change depends on the path are left to the server."""
        position, tally = self._positions[number]
        changes = []
        for word, *values in zip(
            self._counts,
            *(self._tally_changes(position, one, outcome) for one in (tally, self._look.tally.start)),
            strict=True,
        ):
            if values[0] is None or values[0] != values[1]:
                self._varying.add(word)
            changes.append(values[0] or 0)
        return changes

    def _tally_changes(self, position: Position[Any], tally: Any, outcome: Outcome[Any]) -> list[int | None]:
        look = self._look
        before = dict(look.counts(position, tally))
        after = dict(look.counts(outcome.position, look.tally.add(tally, outcome)))
        return [_difference(before.get(word), after.get(word)) for word in self._counts]

    # -- serialization

    def _compress(self, expanded: int) -> bytes:
        return gzip.compress(self._text(expanded), 9, mtime=0)

    def _text(self, expanded: int) -> bytes:
        """Serialize the table with the actions of the first `expanded` positions."""
        degrees = self._degrees[:expanded]
        views, steps, pieces = self._sizes[expanded]
        edges = self._edges[: sum(degrees)]
        roots = [self._numbers[position] for position in self._task.line]
        size = 1 + max(*roots, *(target for _, target, _ in edges), 0)
        positions = [position for position, _ in self._positions[:size]]
        policy, look = self._game.policy, self._look
        data: Data = {
            "complete": expanded == size,
            "undo_after_win": policy.undo_after_win,
            "words": {"won": look.won, "lost": look.lost},
            "wins": {
                number: words
                for number, one in enumerate(positions)
                if one.won and (words := look.win_text(one)) != look.won
            },
            "in_vain": {piece: texts for piece, texts in self._in_vain.items() if piece < pieces},
            "pieces": self._pieces.pieces[:pieces],
            "actions": self._views.values[:views],
            "steps": self._steps.values[:steps],
            "counts": [word if word not in self._varying else None for word in self._counts],
            "line": roots,
            "at": self._task.at,
            "positions": size,
            "degrees": degrees,
            "views": [view for view, _, _ in edges],
            "targets": _shorten_targets([target for _, target, _ in edges], max(roots)),
            "by": [step for _, _, step in edges],
            "won": [number for number, position in enumerate(positions) if position.won],
            "lost": [number for number, position in enumerate(positions) if self._lost(position)],
        }
        return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()


class _InternTable:
    """Values, each listed once."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[str, int] = {}

    def number(self, value: Any) -> int:
        """Return the number of a value, which may be new."""
        number = self._numbers.setdefault(repr(value), len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number


def _difference(before: str | None, after: str | None) -> int | None:
    """Return the change of a count; None if it is not a number."""
    if before is None or after is None or not (before.isdigit() and after.isdigit()):
        return None
    return int(after) - int(before)


def _shorten_targets(targets: Sequence[int], newest: int) -> list[int]:
    """Encode targets as small numbers: 0 is the next new position, n the one n before that; -1 stays."""
    short = []
    for target in targets:
        short.append(target if target == CHANCE else newest + 1 - target)
        newest = max(newest, target)
    return short

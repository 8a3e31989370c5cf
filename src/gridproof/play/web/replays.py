"""What a page watches for itself: traces, solutions and shows, told in parts."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import Any

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.position import Action, Outcome, Position
from gridproof.core.progress import SavedPlay
from gridproof.core.session import Session
from gridproof.core.trace import Trace
from gridproof.core.viewer import Keeper
from gridproof.play.data import Data
from gridproof.play.replay import SPEEDS, Replay
from gridproof.play.web.chance import CHOSEN, drawn_seed
from gridproof.play.web.faults import Fault
from gridproof.play.web.limits import Limits
from gridproof.play.web.pieces import PieceTable
from gridproof.play.web.steps import Drawn, step_data

MOST = 4
"""Replays of one page; the oldest is given up."""
MOST_STEPS = 200
"""In one part."""


def trace_of(data: object, limits: Limits) -> Trace:
    """The trace that a page has sent, as JSON or as its text, every step verified.

    Raises
    ------
    Fault
        When it is too large.
    GridproofError
        When it is no trace.
    """
    text = data if isinstance(data, str) else json.dumps(data)
    if len(text) > limits.trace:
        raise Fault("large", f"a trace has at most {limits.trace} characters here")
    trace = Trace.from_json(text)
    if len(trace.steps) > limits.steps:
        raise Fault("large", f"a trace has at most {limits.steps} steps here")
    return trace


@dataclass(frozen=True, slots=True)
class Part:
    """Actions of a replay in a row, each with how it stands then; what may take long is done."""

    replay: int
    first: int
    before: Position[Any]
    steps: list[tuple[Action, Outcome[Any], Data]]
    end: bool

    def data(self, pieces: PieceTable) -> Data:
        """The part as it is shown."""
        drawn, found = Drawn(self.before), list[Data]()
        for action, outcome, now in self.steps:
            after = Drawn(outcome.position)
            found.append({**step_data(pieces, drawn, after, action, outcome), "now": now})
            drawn = after
        told: Data = {"kind": "steps", "text": "", "replay": self.replay, "from": self.first}
        return {**told, "steps": found, "end": self.end}


class Replays:
    """The replays of one page, by their numbers."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._replays: dict[int, Replay] = {}
        self._numbers = itertools.count(1)

    def of_trace(self, data: object) -> Replay:
        """That of a trace; errors as of `trace_of`."""
        trace = trace_of(data, self._limits)
        return Replay.of(trace, trace.level.title)

    def begin(self, replay: Replay, pieces: PieceTable) -> Data:
        """Tell of a replay, at its start."""
        number = next(self._numbers)
        self._replays[number] = replay
        if len(self._replays) > MOST:
            del self._replays[min(self._replays)]
        return {
            "kind": "replay",
            "text": replay.title,
            "title": replay.title,
            "replay": number,
            "board": Drawn(replay.position).data(pieces),
            "now": _now(replay),
            "speeds": SPEEDS,
        }

    def steps(self, number: int, first: int, count: int) -> Part:
        """A part of a replay, which ends where it is as long as a trace may be.

        Raises
        ------
        GridproofError
            When there is no such replay, what is asked for lies far beyond what was seen of it, or it does not go on.
        """
        replay = self._replays.get(number)
        if replay is None:
            raise GridproofError(f"there is no replay {number} any more")
        if first < 0 or count < 1:
            raise GridproofError("steps begin at 0, and are 1 or more")
        if first > replay.seen + MOST_STEPS:
            raise GridproofError(
                f"of this replay {replay.seen} steps are known so far: ask for the next ones"
            )
        longest = self._limits.steps
        replay.go(min(first, longest))
        found: list[tuple[Action, Outcome[Any], Data]] = []
        before, end = replay.position, replay.at < first
        while len(found) < min(count, MOST_STEPS) and not end:
            step = replay.forward() if replay.at < longest else None
            end = step is None
            if step is not None:
                found.append((*step, _now(replay)))
        return Part(number, first, before, found, end)


def _now(replay: Replay) -> Data:
    board = replay.board
    data: dict[str, Any] = {"counts": board.counts, "status": str(replay.position.status)}
    return data if board.score is None else {**data, "score": board.score[0]}


def session_of(trace: Trace, keeper: Keeper) -> Session:
    """A session of a trace's level that stands at the trace's end.

    Raises
    ------
    IllegalAction
        When chance has a part in the trace that no seed draws: it can only be watched.
    """
    seed = drawn_seed() if trace.seed is None else trace.seed
    steps = tuple((str(step.action), step.label) for step in trace.steps)
    if trace.level.start(seed) != trace.start or (trace.seed is None and any(label for _, label in steps)):
        raise IllegalAction(
            "go on", "the chance in this trace was not drawn from a seed: it can only be watched"
        )
    saved = SavedPlay(seed, steps, len(steps), trace.replay().won)
    return Session.resume(trace.level, seed % CHOSEN, 0, {0: saved}, keeper)

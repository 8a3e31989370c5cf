"""Replays of one page: traces, solutions and demos, sent in parts."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import Any

from gridproof.analysis.json_data import Data
from gridproof.core.errors import GridproofError
from gridproof.core.play_record import SavedPlay
from gridproof.core.position import Action, Outcome, Position, Status
from gridproof.core.session import Session, SessionStore
from gridproof.core.text.phrases import format_count, join_names
from gridproof.core.trace import Trace, parse_trace
from gridproof.prove.verdict_line import spoken_word
from gridproof.server.errors import RequestError
from gridproof.server.live.board_delta import BoardSnapshot, step_data
from gridproof.server.live.piece_table import PieceTable
from gridproof.server.live.serializers import counts_data
from gridproof.server.ranked_seed import CHOSEN, draw_seed
from gridproof.server.rate_limits import Limits
from gridproof.server.session_memory import check_board, check_steps
from gridproof.table.messages import Board
from gridproof.table.replay import SPEEDS, Replay

MOST = 4
"""Replays of one page; the oldest is dropped."""
CHARACTERS_A_STEP = 20
MOST_STEPS = 200
"""Steps in one part."""


def trace_length(data: dict[str, Any] | str | None) -> int:
    """Estimate the characters of a trace, given as JSON or as text."""
    if not isinstance(data, dict):
        return len(data or "")
    steps = data.get("steps")
    return len(str(data.get("level", ""))) + (
        len(steps) * CHARACTERS_A_STEP if isinstance(steps, list) else 0
    )


def trace_of(data: object, limits: Limits) -> Trace:
    """Parse the trace that a page sent, as JSON or as text, and verify every step.

    Raises
    ------
    RequestError, TooLarge
        If the trace or its board is too large.
    GridproofError
        If it is not a trace.
    """
    text = data if isinstance(data, str) else json.dumps(data)
    if len(text) > limits.trace:
        raise RequestError("large", f"the trace is too long; at most {limits.trace} characters are accepted")
    start, document = parse_trace(text)
    if len(document["steps"]) > limits.steps:
        raise RequestError("large", f"the trace is too long; at most {limits.steps} steps are accepted")
    check_board(start, limits)
    check_steps(start, len(document["steps"]), limits)
    return Trace.from_json(text)


@dataclass(frozen=True, slots=True)
class Part:
    """A run of replay steps, each with its state."""

    replay: int
    first: int
    before: Position[Any]
    steps: list[tuple[Action, Outcome[Any], Data]]
    end: bool
    remark: str = ""
    """Remark about the start, with the first steps."""

    def data(self, pieces: PieceTable) -> Data:
        """Return the part as JSON."""
        snapshot, parts = BoardSnapshot(self.before), list[Data]()
        for action, outcome, now in self.steps:
            after = BoardSnapshot(outcome.position)
            parts.append({**step_data(pieces, snapshot, after, action, outcome), "now": now})
            snapshot = after
        head: Data = {"kind": "steps", "text": "", "replay": self.replay, "from": self.first}
        if self.remark:
            head["remark"] = self.remark
        return {**head, "steps": parts, "end": self.end}


class Replays:
    """The replays of one page, by number."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._replays: dict[int, Replay] = {}
        self._numbers = itertools.count(1)

    def start(self, replay: Replay, pieces: PieceTable, here: Board | None = None) -> Data:
        """Announce a replay with its start; for the current game also the shown place and the length.

        `ahead` says that the replay begins in the session's position, that of the board `here`: its counts go on.
        """
        number = next(self._numbers)
        self._replays[number] = replay
        if len(self._replays) > MOST:
            del self._replays[min(self._replays)]
        at = replay.at
        replay.go(0)
        place: Data = {"at": at, "length": replay.length} if replay.resumable else {}
        if not replay.resumable and here is not None and replay.start == here.position:
            place = {"ahead": True, **({} if replay.length is None else {"total": replay.length})}
            replay.count_from(here)
        return {
            "kind": "replay",
            "text": replay.title,
            "title": replay.title,
            "replay": number,
            "board": BoardSnapshot(replay.position).data(pieces),
            "now": _now(replay),
            "speeds": SPEEDS,
            **place,
        }

    def start_trace(self, trace: Trace, pieces: PieceTable, here: Board | None = None) -> Data:
        """Announce a trace with its result."""
        return {**self.start(Replay.of(trace, trace.level.title), pieces, here), "result": _result(trace)}

    def steps(self, number: int, first: int, count: int) -> Part:
        """Return a part of a replay, up to the longest allowed trace.

        Raises
        ------
        GridproofError
            If there is no such replay, the first step is far beyond the known ones, or the replay fails.
        """
        replay = self._replays.get(number)
        if replay is None:
            raise GridproofError(f"replay {number} has ended")
        if first < 0 or count < 1:
            raise GridproofError("give a first step of 0 or more and at least 1 step")
        if first > replay.computed_count + MOST_STEPS:
            raise GridproofError(
                f"only {replay.computed_count} steps of this replay are known so far; ask for the next ones"
            )
        longest = self._limits.steps
        replay.go(min(first, longest))
        parts: list[tuple[Action, Outcome[Any], Data]] = []
        before, end = replay.position, replay.at < first
        while len(parts) < min(count, MOST_STEPS) and not end:
            step = replay.forward() if replay.at < longest else None
            end = step is None
            if step is not None:
                parts.append((*step, _now(replay)))
        return Part(number, first, before, parts, end, "" if first else replay.start_remark)


def _now(replay: Replay) -> Data:
    board, position = replay.board, replay.position
    data: dict[str, Any] = {**counts_data(board), "status": str(position.status)}
    look = position.level.game.look
    if replay.remark:
        data["remark"] = replay.remark
    if position.won and look.winners(position):
        data["end"] = look.win_text(position)
    return data if board.score is None else {**data, "score": board.score[0]}


def _result(trace: Trace) -> str:
    """Summarise the result of a trace in a sentence; where several actors play, it says who has won."""
    end, count = trace.replay(), format_count(len(trace.steps), spoken_word(trace.level))
    winners = join_names(trace.level.game.look.winners(end)) if end.won else ""
    won = f"{winners} won in {count}." if winners else f"Won in {count}."
    return {Status.WON: won, Status.LOST: f"Lost after {count}."}.get(end.status, f"Played for {count}.")


def session_of(trace: Trace, store: SessionStore, watch: bool = False) -> Session:
    """Create a session for a trace: at its end if the game can continue there, else at the level's start.

    Parameters
    ----------
    watch : bool
        A win is watched from the start, even if the game could continue after it.
    """
    seed = draw_seed() if trace.seed is None else trace.seed
    if not _can_continue(trace, seed) or (watch and trace.replay().won):
        return Session.resume(trace.level, seed % CHOSEN, 0, {0: SavedPlay(seed, (), 0, False)}, store)
    steps = tuple((str(step.action), step.label) for step in trace.steps)
    saved = SavedPlay(seed, steps, len(steps), trace.replay().won)
    return Session.resume(trace.level, seed % CHOSEN, 0, {0: saved}, store)


def _can_continue(trace: Trace, seed: int) -> bool:
    """Return whether a session can continue after a trace, with randomness from its seed."""
    end = trace.replay()
    if not end.actions() or (end.won and not trace.level.game.policy.act_after_win):
        return False
    from_seed = trace.seed is not None or not trace.is_random
    return from_seed and trace.level.start(seed) == trace.start

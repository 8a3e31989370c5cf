"""Checks of sessions and traces: actions, undo, redo, texts, replay."""

from __future__ import annotations

from gridproof.core.errors import IllegalAction
from gridproof.core.position import Level
from gridproof.core.rng import Rng
from gridproof.core.session import Session
from gridproof.core.trace import Trace
from gridproof.testing.conformance.fault import place, raises, require


def check_session(level: Level, rng: Rng, depth: int) -> None:
    """Play to a depth, go back and forth, and write a trace."""
    session = Session(level, seed=rng.word())
    positions = [session.position]
    for _ in range(depth):
        if session.position.ended:
            break
        outcome = session.act(rng.choice(session.position.all_actions()))
        positions.append(outcome.position)
        require(session.position == outcome.position, "the session is not at the position of its outcome")
    with place("undo and redo"):
        _check_undo(session)
    with place("trace"):
        _check_trace(session.trace())
        require(list(session.trace().positions()) == positions, "it goes through other positions")
        _check_action_texts(session.trace())


def _check_undo(session: Session) -> None:
    history, count = session.history, session.actions_done
    if session.position.won and not session.game.policy.undo_after_win:
        require(raises(IllegalAction, session.undo), "a won game is undone, against the policy")
        return
    for back in range(1, count + 1):
        session.undo()
        require(session.position == history[back], f"undo number {back} leads to another position")
    session.redo(count)
    require(session.history == history, "redo leads to other positions")


def _check_trace(trace: Trace) -> None:
    again = Trace.from_json(trace.to_json())
    require(again == trace, "its JSON is read as another trace")
    require(again.replay() == trace.replay(), "it replays to another position")


def _check_action_texts(trace: Trace) -> None:
    game = trace.level.game
    text = game.own_format.join_actions(trace)
    parts = game.own_format.split_actions(text)
    count = len(trace.steps)
    require(len(parts) == count, f"its {count} actions in one text, {text!r}, are split into {parts}")
    for part, action, position in zip(parts, trace.actions, trace.positions(), strict=False):
        require(position.action(part) == action, f"the action {action} is joined and split to {part!r}")

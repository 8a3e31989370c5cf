"""Message of a win: which of several actors has won, and whether the player plays it."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from gridproof.core.position import NATURE, Position
from gridproof.core.session import Session
from gridproof.core.text.phrases import join_names
from gridproof.core.trace import Trace
from gridproof.table.conversation import Conversation
from gridproof.table.messages import Lost, Message, Won


def win_message(table: Conversation, place: int, position: Position[Any], mine: Set[str]) -> Message:
    """Return the message of a level that is won in this position, for the player of some of its actors."""
    look, actors = table.session.game.look, table.session.game.actors(position.level)
    if len(actors) < 2:
        return Won(look.win_text(position))
    winners, because = look.winners(position), look.reason(position)
    if not winners or mine.isdisjoint(actors):
        return Won(look.win_text(position), because, 0 if winners else None)
    own = count_own(table.session.trace(place), mine)
    if mine.isdisjoint(winners):
        return Lost(f"You have lost: the winner is {join_names(winners)}.", because, own)
    is_one_of_several = table.is_guest or not mine >= {*actors} - {NATURE}
    return Won(f"You have won! {look.won}" if is_one_of_several else look.win_text(position), because, own)


def count_own(trace: Trace, mine: Set[str]) -> int | None:
    """Count the actions of the player's actors, and those for nature; None if they are all, or if the player has no actor."""
    if not mine:
        return None
    owners = [trace.level.owner(action) for action in trace.actions]
    count = sum(owner in mine or owner == NATURE for owner in owners)
    return None if count == len(owners) else count


def has_just_won(session: Session) -> bool:
    """Return whether the last action of a session has won its level."""
    return session.position.won and session.actions_done > 0 and not session.history[1].won


def shows_win(session: Session) -> bool:
    """Return whether a game that goes on after a win stands where it was won."""
    return session.game.policy.act_after_win and has_just_won(session)

"""Actors that are played by strategies, in a game in which the player plays the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from operator import is_
from typing import TYPE_CHECKING, Any

from gridproof.core.errors import IllegalAction
from gridproof.core.limit import Limit
from gridproof.core.position import Action, Outcome, Position
from gridproof.core.session import Session
from gridproof.core.wording import some
from gridproof.play.jobs import Job
from gridproof.play.messages import Message, Words
from gridproof.play.shows import Partner, partners

if TYPE_CHECKING:
    from gridproof.play.table import Table

BY_HAND = "hand"


def _think(
    partner: Partner,
    position: Position[Any],
    done: tuple[Outcome[Any], ...],
    limit: Limit,
    progress: Callable[[int], None],
) -> tuple[Partner, Action | None]:
    """What a partner does next, and the partner as it is then: it may have thought in another process."""
    action = partner.act(position, done)
    return partner, action


class Partners:
    """Who acts after each of the player's actions, each for one actor.

    Each is asked as long work, one after the other; the player's next action ends their round. After an undo, or on
    another level, they begin anew, with all that has been done.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self.chosen: dict[str, str] = {}
        """Actor -> name of the strategy."""
        self._made: dict[str, tuple[Partner, Session, tuple[Outcome[Any], ...]]] = {}  # with what each knows
        self._asked = ""

    def let(self, actor: str, name: str) -> None:
        """Have an actor played by a strategy, or by hand.

        Raises
        ------
        IllegalAction
            When there is no such actor or strategy.
        """
        table, known = self._table, partners(self._table.session.game)
        if actor not in table.actors:
            raise IllegalAction(f"let {actor}".strip(), f"there are {some(table.actors)}")
        if name not in (*known, BY_HAND):
            raise IllegalAction(f"let {actor} {name}", f"there are {some((*known, BY_HAND))}")
        self._made.pop(actor, None)
        self.chosen.pop(actor, None)
        if name != BY_HAND:
            self.chosen[actor] = name
        table.tell(Words(f"{actor} is played by {name}"))

    def go_round(self) -> None:
        """Ask all of them, one after the other."""
        self._made.pop(self._asked, None)  # it was interrupted while it thought
        if not self.chosen:
            return
        known = partners(self._table.session.game)
        self._ask([one for one, name in self.chosen.items() if one in self._table.actors and name in known])

    def _ask(self, actors: list[str]) -> None:
        table, session = self._table, self._table.session
        position = session.position
        if not actors or position.ended or position.won:
            return
        actor, *others = actors
        done = session.outcomes
        partner, known = self._partner(actor, done)
        self._asked = actor

        def answer(found: tuple[Partner, Action | None]) -> Iterable[Message]:
            thought, action = found
            self._asked, self._made[actor] = "", (thought, session, done)
            if action is None:
                table.tell(Words(f"{actor} does nothing"))
            else:
                table.act_for_another(action)
            self._ask(others)
            return ()

        table.begin_job(Job(f"{actor} thinks", partial(_think, partner, position, done[known:]), answer))

    def _partner(self, actor: str, done: tuple[Outcome[Any], ...]) -> tuple[Partner, int]:
        """Who plays for an actor, and of how many outcomes they know: a new one, where what they know was undone."""
        table, session = self._table, self._table.session
        if actor in self._made:
            partner, there, known = self._made[actor]
            if (
                there is session
                and len(known) <= len(done)
                and all(map(is_, known[-1:], done[len(known) - 1 :]))
            ):
                return partner, len(known)
        make = partners(session.game)[self.chosen[actor]]
        return make(table.level, actor, session.seed), 0

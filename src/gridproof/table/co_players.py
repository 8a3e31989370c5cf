"""Co-players: strategies that play other actors beside the player."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import takewhile
from operator import is_
from typing import Any

from gridproof.agents.demos import co_players, demo_meanings
from gridproof.agents.extension import CoPlayer, PassWords
from gridproof.core.errors import IllegalAction
from gridproof.core.limit import Limit
from gridproof.core.position import NATURE, Action, Level, Outcome, Position
from gridproof.core.puzzle import puzzle_of
from gridproof.core.session import Session
from gridproof.core.text.phrases import some
from gridproof.table.conversation import Conversation
from gridproof.table.jobs import Job
from gridproof.table.messages import Message, Passed, Words

BY_HAND = "hand"


def default_actor(level: Level) -> str | None:
    """Return the actor that the player gets while programs play the others.

    It is the first one that wins by the level's certificate, else the first one. It is None where no programs can play
    the others, and for generated puzzles: their fewest actions are those of all actors together.
    """
    actors = [name for name in level.game.actors(level) if name != NATURE]
    if len(actors) < 2 or puzzle_of(level) or not co_players(level.game):
        return None
    winners = level.certificate and level.game.look.winners(level.certificate.replay())
    return next((name for name in actors if name in (winners or ())), actors[0])


def _think(
    co_player: CoPlayer,
    position: Position[Any],
    done: tuple[Outcome[Any], ...],
    limit: Limit,
    progress: Callable[[int], None],
) -> tuple[CoPlayer, Action | None]:
    """Return the co-player in its new state, since it may run in another process, and its action."""
    action = co_player.act(position, done)
    return co_player, action


class CoPlayers:
    """The co-players of a table, one for each actor; they act after each of the player's actions.

    Each thinks as a job, one after the other; the player's next action ends their round. After an undo, or on another
    level, they start again, with all outcomes so far. On the level after a win they wait for the player's first action.
    """

    def __init__(self, table: Conversation) -> None:
        self._table = table
        self.chosen: dict[str, str] = {}
        """Actor -> name of the strategy."""
        self.is_race: Callable[[], bool] = lambda: table.session.is_race
        """True if a race of programs alone runs, or led to the current position."""
        self._states: dict[
            str, tuple[CoPlayer, Session, tuple[Outcome[Any], ...]]
        ] = {}  # each with the outcomes that it knows
        self._thinking = ""

    @property
    def player_actors(self) -> frozenset[str]:
        """Return the actors that the player plays: those that neither co-players nor other people do; none in a race.

        On a won board they are those of the win, whoever plays from then on.
        """
        if self.is_race():
            return frozenset()
        table, session = self._table, self._table.session
        programs = (session.programs if session.position.won else self.chosen).keys()
        if table.actor is not None and (table.is_guest or table.others):
            return frozenset({table.actor} - programs)
        return frozenset(table.actors) - table.others - programs

    @property
    def playing(self) -> dict[str, str]:
        """Return the strategies of the actors that this level has."""
        return {actor: name for actor, name in self.chosen.items() if actor in self._table.actors}

    def let(self, actor: str, name: str) -> None:
        """Let a strategy play an actor, or give it back to the player.

        Raises
        ------
        IllegalAction
            If there is no such actor or strategy.
        """
        table, strategies = self._table, co_players(self._table.session.game)
        if actor not in table.actors:
            raise IllegalAction(f"let {actor}".strip(), f"choose from {some(table.actors)}")
        if name not in (*strategies, BY_HAND):
            raise IllegalAction(f"let {actor} {name}", f"choose from {some((*strategies, BY_HAND))}")
        self._states.pop(actor, None)
        self.chosen.pop(actor, None)
        if name != BY_HAND:
            self.chosen[actor] = name
        table.tell(Words(f"{actor} is played by {demo_meanings(table.session.game).get(name, name)}"))

    @property
    def undo_count(self) -> int:
        """Return how many actions `undo` takes back: the player's last one, and what programs have done after it."""
        done, _ = self._owners()
        programs = sum(1 for _ in takewhile(self.playing.__contains__, reversed(done)))
        return max(1, min(programs + 1, len(done)))

    @property
    def undo_refusal(self) -> str:
        """Return why `undo` would be refused, since another person acted last; "" if it would not be."""
        return self._undo_refusal(self.undo_count)

    def check_undo(self, word: str, count: int) -> None:
        """Check that none of the last actions is that of another person.

        Raises
        ------
        IllegalAction
            If one is.
        """
        if refusal := self._undo_refusal(count):
            raise IllegalAction(word, refusal)

    def _undo_refusal(self, count: int) -> str:
        table, session = self._table, self._table.session
        done = session.actions_done
        if not table.taken or not 0 < count <= done:
            return ""
        _, line = session.line(count)
        owners = [table.level.owner(action) for _, action in line[:count]]
        actor = next((owner for owner in reversed(owners) if owner in table.taken), "")
        return f"another person plays {actor}, who has acted since" if actor else ""

    @property
    def redo_count(self) -> int:
        """Return how many actions `redo` does again: the next one, and what programs have done after it."""
        _, undone = self._owners()
        return 1 + sum(1 for _ in takewhile(self.playing.__contains__, undone[1:]))

    def _owners(self) -> tuple[list[str], list[str]]:
        """Return the actors of the actions that are done, and of those that are undone; none without programs."""
        if not self.chosen:
            return [], []
        session, level = self._table.session, self._table.level
        done = session.actions_done
        _, line = session.line(max(done, session.actions_undone))
        owners = [level.owner(action) for _, action in line]
        return owners[:done], owners[done:]

    def start_round(self) -> None:
        """Let all co-players act, in turn."""
        self._states.pop(self._thinking, None)  # it was interrupted while it thought
        if not self.chosen:
            return
        strategies = co_players(self._table.session.game)
        self._start_next([one for one, name in self.playing.items() if name in strategies])

    def _start_next(self, actors: list[str]) -> None:
        table, session = self._table, self._table.session
        position = session.position
        if not actors or position.ended or position.won:
            return
        actor, *others = actors
        done = session.outcomes
        co_player, seen = self._co_player(actor, done)
        self._thinking = actor

        def answer(found: tuple[CoPlayer, Action | None]) -> Iterable[Message]:
            co_player, action = found
            self._thinking, self._states[actor] = "", (co_player, session, done)
            if actor not in self.chosen:
                table.tell(Words(f"{actor} is played by {BY_HAND}"))
            elif action is None:
                reason = co_player.pass_words if isinstance(co_player, PassWords) else ""
                table.tell(Passed(reason or f"{actor} passes"))
            elif table.act_for_co_player(action):
                return ()
            self._start_next(others)
            return ()

        think = partial(_think, co_player, position, done[seen:])
        table.begin_job(Job(f"{actor} thinks", think, answer, actor=actor))

    def _co_player(self, actor: str, done: tuple[Outcome[Any], ...]) -> tuple[CoPlayer, int]:
        """Return an actor's co-player, a new one after an undo, and the number of outcomes that it knows."""
        table, session = self._table, self._table.session
        if actor in self._states:
            co_player, there, seen = self._states[actor]
            if (
                there is session
                and len(seen) <= len(done)
                and all(map(is_, seen[-1:], done[len(seen) - 1 :]))
            ):
                return co_player, len(seen)
        make = co_players(session.game)[self.chosen[actor]]
        return make(table.level, actor, session.seed), 0

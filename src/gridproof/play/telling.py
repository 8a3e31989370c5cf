"""What is told of a session: whatever changes it, in the same order to all who look."""

from __future__ import annotations

import itertools
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.position import NATURE, Level, Position
from gridproof.core.proposition import value_of
from gridproof.core.session import Session
from gridproof.core.viewer import Change, Viewer, Viewers
from gridproof.play import messages
from gridproof.play.jobs import Job
from gridproof.play.library import Library
from gridproof.play.menu import LevelEntry, entries
from gridproof.play.messages import Board, Entered, Message, Refused
from gridproof.play.plan import Plan
from gridproof.play.text import printable


class Teller:
    """A viewer of a session that makes messages of its changes.

    Those that come while an input is answered are gathered; viewers are told those that are shared, always.
    """

    def __init__(self, session: Session, library: Library | None) -> None:
        self.library = library
        self._viewers: Viewers[Teller, Message] = Viewers()
        self._answer: list[Message] | None = None
        self._faults: list[Exception] = []
        """What viewers have raised: one of them is raised when all is told."""
        self._typed: str | None = None
        self.bound = False
        """Whether the player acts for one actor on all levels, also where that one is not there."""
        self._sit(session)

    def _sit(self, session: Session) -> None:
        self.session = session
        self.look = session.game.look
        self.going = True
        """Whether the player is still there."""
        self.left = False
        """Whether the player has left: then nothing is done but to begin another game."""
        self.just_won = False
        """Whether the last thing that happened was a win after which one may go on."""
        self.actor: str | None = None
        """Whom the player acts for, of several: keys and hints are that one's. None for all."""
        self.job: Job | None = None
        """The long work that is under way."""
        self._stale = False
        self._plans: dict[tuple[int, str | None], Plan] = {}
        self._lost = value_of(session.game, "lost", ())
        self._judged: tuple[Position[Any] | None, bool] = None, False
        """The position that was judged last, and whether it is lost."""
        session.attach(self)

    # -- who looks at it

    def attach(self, viewer: Viewer[Any, Message]) -> None:
        """Tell a viewer of every message that is shared, whoever has brought it about."""
        self._viewers.attach(viewer)

    def detach(self, viewer: Viewer[Any, Message]) -> None:
        """Tell a viewer no more."""
        self._viewers.detach(viewer)

    def close(self) -> None:
        """Leave the session: nothing is told of it any more, and long work ends."""
        self._leave_job()
        self.session.detach(self)

    # -- what can be seen

    @property
    def level(self) -> Level:
        """The current level."""
        return self.session.levels[self.session.current]

    @property
    def is_lost(self) -> bool:
        """Whether the current position is lost."""
        position = self.session.position
        if self._judged[0] is not position:
            self._judged = position, bool(self._lost(position))
        return self._judged[1]

    @property
    def plan(self) -> Plan:
        """What is known of winning the current level."""
        place = self.session.current, self.actor
        if place not in self._plans:
            self._plans[place] = Plan(None if self.actor else self.level.certificate)
        return self._plans[place]

    @property
    def board(self) -> Board:
        """How the current level stands."""
        return self._board(self.session.current)

    def entries(self) -> tuple[LevelEntry, ...]:
        """The levels with what has been reached on them; errors as of `best`."""
        session = self.session
        return entries(session.levels, self.library, session.completed, session.current)

    @property
    def best(self) -> dict[str, int]:
        """What the current level has been won with at best, by measure.

        Raises
        ------
        GridproofError
            When what is kept cannot be read.
        """
        return self._best(self.level)

    # -- what is told

    def tell(self, message: Message) -> None:
        """Tell something: in the answer, and all viewers what is shared."""
        if isinstance(message, Board) and message.place == self.session.current:
            self._stale = False
        if self._answer is not None:
            self._answer.append(message)
        if message.shared:
            try:
                self._viewers.tell(self, message)
            except Exception as fault:  # noqa: BLE001  # raised by `_told`
                self._faults.append(fault)

    def _told(self) -> tuple[Message, ...]:
        """What has been answered, or the first exception of a viewer."""
        faults, self._faults = self._faults, []
        if faults:
            raise faults[0]
        return tuple(self._answer or ())

    def show_again(self) -> None:
        """The board is to be shown, though nothing has changed."""
        self._stale = True

    def changed(self, session: Session, change: Change) -> None:
        """Tell what has changed, also by others at the same session."""
        self._stale, self.just_won = True, False
        actors = session.game.actors(self.level)
        if self.actor is not None and self.actor not in actors and not self.bound:  # another level has others
            self.actor = actors[0]
        self._leave_job()
        self.tell(messages.Moved(change, self._is_news(change), self.actor))
        if change.won:
            self.tell(self._board(change.place))
            self._tell_end(change.place)
        if change.kind == "select" or change.current != change.place:
            self._tell_entered()
        if self._answer is None:
            self._show_changed()
            self._told()

    def _is_news(self, change: Change) -> bool:
        """Whether one action was typed alone, and words say more of it."""
        if self._typed is None or change.kind != "act":
            return False
        ((action, outcome),) = change.steps
        return bool(outcome.reward) or self._typed not in (self.look.words(action), str(action))

    def _tell_end(self, place: int) -> None:
        """Tell that a level is won, and what follows."""
        session = self.session
        self.tell(messages.Won(self.look.won))
        self._tell_best(session.levels[place])
        if session.game.policy.act_after_win:
            self.just_won = True
            self._tell_if_lost()
        elif not session.incomplete:
            if len(session.levels) > 1:
                self.tell(messages.AllDone("All levels are done."))
            self.going = False

    def _tell_best(self, level: Level) -> None:
        try:
            if best := self._best(level):
                self.tell(messages.Best(best))
        except GridproofError as error:
            self.tell(Refused(printable(str(error))))

    def _best(self, level: Level) -> dict[str, int]:
        records = self.library.best(level) if self.library else {}
        return {name: record.value for name, record in records.items()}

    def _tell_entered(self) -> None:
        self.tell(Entered(self.session.current, len(self.session.levels), self.level.title))

    def _tell_if_lost(self) -> None:
        if self.is_lost:
            self.tell(messages.Lost(self.look.lost))

    def _show_changed(self) -> None:
        if self._stale:
            self.tell(self.board)
            self._tell_if_lost()

    def _board(self, place: int) -> Board:
        """How a level stands: the current one, or one that has just been won and left."""
        session = self.session
        position = session.position if place == session.current else session.trace(place).replay()
        score = (session.score, session.high_score) if session.game.policy.keeps_score else None
        tally = session.tally(place, self.actor)
        return Board(position, tally, place, len(session.levels), len(session.completed), score)

    def _leave_job(self) -> None:
        if self.job is not None:
            self.job.cancel()
            self.job = None


def has_chance(session: Session) -> bool:
    """Whether chance has a part in the game, as its first level shows."""
    level, position = session.levels[0], session.position
    chances = (level.starts(), *map(position.outcomes, position.actions()))
    return NATURE in session.game.actors(level) or any(
        len([*itertools.islice(one, 2)]) > 1 for one in chances
    )

"""Session, the mid-end of every front end: history, undo, redo, level set, score, viewers.

It is the only mutable thing between rules and front ends. No game owns undo, scores or progress;
where games differ, the session asks the game's policy.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.measure import measures
from gridproof.core.pack import levels_in
from gridproof.core.plays import Plays
from gridproof.core.position import Action, Level, Outcome, Position, Status
from gridproof.core.progress import Pending, Play, SavedPlay, check_count, check_score
from gridproof.core.rng import Rng, check_seed, derive
from gridproof.core.trace import Trace
from gridproof.core.viewer import Change, Keeper, KeptAfterAll, Viewer, Viewers, check_keeper

_HIGH_SCORES: dict[str, int] = {}
"""The best scores of this process, shared by all sessions (T4)."""


class Session:
    """A set of levels being played, one of them current.

    Parameters
    ----------
    levels : Level or iterable of Level
        At least one, all of one game; they keep their order, the first is current (K14).
    seed : int
        64 bits; it determines all chance (T18).
    store : Keeper, optional
        Where to keep the session and high scores beyond the process.
    score : int
        Points brought along to the first level (T12), 0 or more (T3); a new game begins without.

    Raises
    ------
    GridproofError
        Without a level, with levels of several games or other values, or for an invalid seed, store or score.
    """

    def __init__(
        self, levels: Level | Iterable[Level], seed: int = 0, store: Keeper | None = None, score: int = 0
    ) -> None:
        self.levels = levels_in(levels)
        if len({level.game.name for level in self.levels}) != 1:
            raise GridproofError("a session needs levels, and all of one game")
        self.game = self.levels[0].game
        self.seed = check_seed(seed)
        self._store = check_keeper(store)
        self._viewers: Viewers[Session, Change] = Viewers()
        self._plays = Plays({0: Play(self.levels[0].start(self.seed), self.seed, check_score(score))})
        self._finished: set[int] = set()
        self._current = 0
        self._record(0)
        self._settle(Pending(0))

    # -- what can be seen

    @property
    def current(self) -> int:
        """The place of the current level, from 0."""
        return self._current

    @property
    def position(self) -> Position[Any]:
        """The current position."""
        return self._plays[self._current].position

    @property
    def history(self) -> tuple[Position[Any], ...]:
        """The current level's positions since its start, the newest first (K11)."""
        return (*(outcome.position for outcome in reversed(self.outcomes)), self._play.start)

    @property
    def actions_done(self) -> int:
        """How many actions have been done on the current level."""
        return self._play.done

    @property
    def outcomes(self) -> tuple[Outcome[Any], ...]:
        """What came of the current level's actions, the oldest first."""
        return tuple(outcome for _, outcome in self._play.steps_done())

    def tally(self, place: int | None = None, actor: str | None = None) -> Any:
        """What the game's look has counted on the current level, or on another as it was won or left.

        Parameters
        ----------
        actor : str, optional
            As this one's player learns of it.

        Raises
        ------
        GridproofError
            When the level at that place has not been played.
        """
        return self._played(place).tally(self.game.look, actor)

    @property
    def actions_undone(self) -> int:
        """How many actions `redo` could do again."""
        return self._play.length - self._play.done

    @property
    def score(self) -> int:
        """The current level's rewards so far."""
        return self._play.score

    @property
    def high_score(self) -> int:
        """The best score of all sessions of such levels (T4); never below `score`."""
        key = self.score_key
        kept = self._store.high_score(key) if self._store else 0
        return max(_HIGH_SCORES.get(key, 0), kept, self.score)

    @property
    def score_key(self) -> str:
        """What the current level's high score is kept under."""
        return self._score_key(self._current)

    def scores(self, places: Iterable[int]) -> Mapping[str, int]:
        """The best score of each level that is played, by the key under which its high score is kept."""
        best: dict[str, int] = {}
        for place in places:
            if place in self._plays:
                key = self._score_key(place)
                best[key] = max(best.get(key, 0), self._plays[place].score)
        return best

    @property
    def status(self) -> Status:
        """The current position's status. Where a win leads to the next level, only the last one stays current when won (K17)."""
        return self.position.status

    @property
    def completed(self) -> tuple[int, ...]:
        """The places of the levels that have been won."""
        return tuple(sorted(self._finished))

    @property
    def incomplete(self) -> tuple[int, ...]:
        """The places of the levels that have not been won."""
        return tuple(place for place in range(len(self.levels)) if place not in self._finished)

    def trace(self, place: int | None = None) -> Trace:
        """What has been done on the current level, or on another as it was won or left.

        Raises
        ------
        GridproofError
            When the level at that place has not been played.
        """
        return self._played(place).trace()

    def costs(self, place: int) -> dict[str, int]:
        """What has been done on a level costs so much by each measure of the game; errors as of `trace`."""
        return self._played(place).costs(measures(self.game).values())

    def saved(self, place: int, last_step: bool = False) -> SavedPlay | None:
        """What has been done on the level at a place, as data; None when it has not been entered.

        Parameters
        ----------
        last_step : bool
            Give only the last step, done or undone: a change affects no other.
        """
        play = self._plays.entered(place)
        skipped = max(play.length - 1, 0) if play and last_step else 0
        return None if play is None else play.saved(place in self._finished, skipped)

    @classmethod
    def resume(
        cls, levels: Level | Iterable[Level], seed: int, current: int, plays: Mapping[int, SavedPlay],
        store: Keeper | None = None,
    ) -> Session:  # fmt: skip
        """A session as it was left: what `saved` gave for each place, every step done again.

        Raises
        ------
        GridproofError
            When something kept cannot be done again.
        """
        session = cls(levels, seed)
        for place, saved in plays.items():
            session._check_place(place)
            session._plays[place] = Play.resumed(session.levels[place].start(saved.seed), saved)
            if saved.finished:
                session._finished.add(place)
        if current not in session._plays:
            raise GridproofError(f"the session's current level {current} is missing")
        session._current, session._store = current, check_keeper(store)
        return session

    def pack(self) -> None:
        """Take less memory: what was done on other levels is kept as texts, and done again where it is asked for."""
        self._plays.pack(self._current)

    def copy(self) -> Session:
        """An independent session in the same state, without viewers and without a store."""
        twin = Session(self.levels, self.seed)
        twin._be_as(self)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: all but its viewers and the store, as of `copy`."""
        return {**vars(self), "_viewers": Viewers(), "_store": None}

    # -- what can be done

    def act(self, action: Action | str) -> Outcome[Any]:
        """Do an action; its chance depends on the seed and the number of actions done alone.

        Returns
        -------
        Outcome
            With the winning position in it, even when the session moves on to the next level.

        Raises
        ------
        IllegalAction
            When it is not executable; nothing has changed then.
        """
        play, policy = self._play, self.game.policy
        chosen = play.action(str(action), policy.act_after_win)
        if chosen is None:
            raise IllegalAction(action, "the game is over")
        if not isinstance(action, str) and action != chosen:
            raise play.position.no_action(action)
        outcome = play.position.step(chosen, Rng(play.seed, play.done + 1))
        with self._changing("act") as change:
            change.won = outcome.position.won and not play.position.won
            play.act(chosen, outcome)
            change.steps = ((chosen, outcome),)
            self._settle(change)
        return outcome

    def undo(self, n: int = 1) -> None:
        """Take the last n actions back (K12).

        Raises
        ------
        IllegalAction
            When n is out of range or the policy refuses; nothing has changed then.
        """
        check_count("undo", n, self._play.done)
        if self.position.won and not self.game.policy.undo_after_win:
            raise IllegalAction("undo", "the game is won")
        with self._changing("undo") as change:
            change.steps = self._play.last_steps(n)
            self._play.undo(n)

    def redo(self, n: int = 1) -> None:
        """Do the n actions undone last again (K13), with the outcomes they had.

        Raises
        ------
        IllegalAction
            When n is out of range; nothing has changed then.
        """
        play = self._play
        check_count("redo", n, self.actions_undone)
        with self._changing("redo") as change:
            was_won = play.position.won
            play.redo(n)
            change.steps = play.last_steps(n)
            change.won = play.position.won and not was_won
            self._settle(change)

    def restart(self) -> None:
        """Begin the current level again; `redo` still does what was done."""
        with self._changing("restart") as change:
            if self.position.won and not self.game.policy.undo_after_win:
                self._begin(change, self._current)
            else:
                change.steps = self._play.last_steps(self.actions_done)
                self._play.undo(self.actions_done)

    def new_game(self) -> None:
        """Begin the current level with a new seed, derived from the one before (T13)."""
        with self._changing("new game") as change:
            self._begin(change, self._current, derive(self._play.seed))

    def select(self, place: int) -> None:
        """Make another level current: as it was left, or from its start when it is won and over.

        One that is won at its start is completed, and the next may follow (K16).

        Raises
        ------
        IllegalAction
            When there is no such place; nothing has changed then.
        """
        self._check_place(place)
        with self._changing("select") as change:
            self._current = change.place = place
            won = place in self._plays and self._plays[place].position.won
            if place not in self._plays or (won and not self.game.policy.act_after_win):
                self._begin(change, place)
            self._settle(change)

    def go_on(self) -> None:
        """From a level that is won make the first current that is not, past those won at their start."""
        with self._changing("select") as change:
            self._move_on(change)
            change.place = self._current

    def attach(self, viewer: Viewer[Session, Change]) -> None:
        """Tell a viewer of every change from now on; TypeError when it has no function `changed`."""
        self._viewers.attach(viewer)

    def detach(self, viewer: Viewer[Session, Change]) -> None:
        """Tell a viewer no more; one that is not attached is no error."""
        self._viewers.detach(viewer)

    # -- inside

    @property
    def _play(self) -> Play:
        return self._plays[self._current]

    def _played(self, place: int | None) -> Play:
        play = self._plays.entered(self._current if place is None else place)
        if play is None:
            raise GridproofError(f"the level at place {place} has not been played")
        return play

    def _begin(self, change: Pending, place: int, seed: int | None = None) -> None:
        if seed is None:
            seed = derive(self.seed, place) if place else self.seed
        plays, before = self._plays, self._plays.entered(place)
        back = partial(plays.forget, place) if before is None else partial(plays.__setitem__, place, before)
        change.back.append(back)
        self._plays[place] = Play(self.levels[place].start(seed), seed)

    def _check_place(self, place: int) -> None:
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(self.levels):
            raise IllegalAction(f"select {place}", f"the places are 0 to {len(self.levels) - 1}")

    def _score_key(self, place: int) -> str:
        return f"{self.game.name} {self.game.score_key(self.levels[place])}"

    def _record(self, place: int) -> None:
        """Raise the high score to the score (T4, T7)."""
        if self.game.policy.keeps_score:
            key = self._score_key(place)
            _HIGH_SCORES[key] = max(_HIGH_SCORES.get(key, 0), self._plays[place].score)

    @contextlib.contextmanager
    def _changing(self, kind: str) -> Iterator[Pending]:
        """The block changes the current level; the change is rolled back when the store cannot keep it."""
        play, current = self._play, self._current
        change, before, mark = Pending(current), play.position, play.mark()
        try:
            yield change
            if self._store:
                self._store.keep(self, change.place, change.won, change.passed)
        except BaseException as error:
            change.take_back()
            play.return_to(mark)
            self._current = current
            if isinstance(error, KeptAfterAll):
                self._be_as(error.session)
                self._record(self._current)
                self._tell("reload", before, Pending(self._current))
            raise
        self._record(change.place)
        self._tell(kind, before, change)

    def _be_as(self, other: Session) -> None:
        self._current, self._finished = other._current, {*other._finished}
        self._plays = other._plays.copy()

    def _settle(self, change: Pending) -> None:
        """Complete a won level and move on, past those won at their start (K16)."""
        if self.position.won:
            change.complete(self._current, self._finished)
            if self.game.policy.next_level_after_win:
                self._move_on(change)

    def _move_on(self, change: Pending) -> None:
        for place in range(len(self.levels)):
            if self.position.won and place not in self._finished:
                self._current = place
                if place not in self._plays:
                    self._begin(change, place)
                if self.position.won:
                    change.complete(self._current, self._finished)

    def _tell(self, kind: str, before: Position[Any], made: Pending) -> None:
        after, steps = self._plays[made.place].position, tuple(made.steps)
        change = Change(kind, made.place, before, after, steps, made.won, tuple(made.passed), self._current)
        self._viewers.tell(self, change)

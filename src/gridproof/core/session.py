"""Session, the mid-end of every front end: history, undo, redo, level set, score, viewers.

It is the only mutable thing between rules and front ends. No game owns undo, scores or progress;
where games differ, the session asks the game's policy.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, Protocol, runtime_checkable

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.immutable import FrozenDict
from gridproof.core.measure import measures
from gridproof.core.observers import Change, Observer, Observers
from gridproof.core.play_record import (
    PendingChange,
    PlayRecord,
    PlayRecords,
    SavedPlay,
    check_count,
    check_score,
)
from gridproof.core.position import NATURE, Action, Level, Outcome, Position, Status
from gridproof.core.representation import Representable
from gridproof.core.rng import Rng, check_seed, derive
from gridproof.core.text.pack import to_levels
from gridproof.core.text.phrases import format_count, short_repr
from gridproof.core.trace import Trace

_HIGH_SCORES: dict[str, int] = {}
"""Best scores of this process, shared by all sessions (T4)."""


@runtime_checkable
class SessionStore(Protocol):
    """The store, which keeps sessions beyond the process."""

    def high_score(self, key: str) -> int:
        """Return the best score under a key; 0 when there is none."""

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        """Save the latest change of the level at a place; `won` says whether the change won it.

        It is called before the change is answered: all of the change is saved or, when this raises, none,
        and then the session rolls it back. The levels at the places `passed` are completed by it too.
        On each of these levels and the current one, no step but the last of all has changed.

        Raises
        ------
        AlreadySaved
            When the change before was saved, though this had raised: the answer to a commit is lost when a
            server is restarted. Nothing more is saved then, and the session is as that change left it.
        """


def check_store(store: SessionStore | None) -> SessionStore | None:
    """Return a store or None after a check; GridproofError for what cannot keep sessions and high scores."""
    if store is not None and not isinstance(store, SessionStore):
        raise GridproofError(
            f"a store that keeps sessions and high scores is needed, not {short_repr(store)}"
        )
    return store


class AlreadySaved(GridproofError):
    """A change was saved though its saving seemed to fail; `session` is the saved one."""

    def __init__(self, session: Session) -> None:
        super().__init__("the last action was saved after all, so nothing else was done")
        self.session = session


class Session(Representable):
    """A game on a set of levels, one of them current.

    Parameters
    ----------
    levels : Level or iterable of Level
        At least one, all of one game; they keep their order, the first is current (K14).
    seed : int
        64 bits; it determines all chance (T18).
    store : SessionStore, optional
        Where to keep the session and high scores beyond the process.
    score : int
        Points brought along to the first level (T12), 0 or more (T3); a new game begins without.

    Raises
    ------
    GridproofError
        Without a level, with levels of several games or other values, or for an invalid seed, store or score.
    """

    def __init__(
        self,
        levels: Level | Iterable[Level],
        seed: int = 0,
        store: SessionStore | None = None,
        score: int = 0,
    ) -> None:
        self.levels = to_levels(levels)
        if len({level.game.name for level in self.levels}) != 1:
            raise GridproofError("a session needs levels, and all of one game")
        self.game = self.levels[0].game
        self.seed = check_seed(seed)
        self._store = check_store(store)
        self._viewers: Observers[Session, Change] = Observers()
        self._plays = PlayRecords(
            {0: PlayRecord(self.levels[0].start(self.seed), self.seed, check_score(score))}
        )
        self._finished: set[int] = set()
        self._current = 0
        self._record(0)
        self._complete_win(PendingChange(0))

    def __str__(self) -> str:
        """Return the game and the level, the board, and what was done.

        The seed is shown only without a store: on a server it is secret.
        """
        title = self.levels[self._current].title
        head = f"{self.game.name}, {self._place_text}" + (f": {title}" if title else "")
        done = [format_count(self.actions_done, "actions"), self.status.name.lower()]
        if self.game.policy.keeps_score:
            done.append(f"score {self.score:,}")
        if self._store is None:
            done.append(f"seed {self.seed}")
        return f"{head}\n{self.position}\n{', '.join(done)}"

    def _summary(self) -> str:
        done = format_count(self.actions_done, "actions")
        return f"<Session of {self.game.name}: {self._place_text}, {done}, {self.status.name.lower()}>"

    @property
    def _place_text(self) -> str:
        return f"level {self._current + 1} of {len(self.levels)}"

    # -- state

    @property
    def current(self) -> int:
        """The place of the current level, from 0."""
        return self._current

    @property
    def position(self) -> Position[Any]:
        """The current position."""
        return self._plays[self._current].position

    @property
    def level_seed(self) -> int:
        """The seed of the play of the current level."""
        return self._play.seed

    @property
    def has_chance(self) -> bool:
        """True if the current level is random, judged by its start: begun anew, it is another game."""
        return self._is_random(self._current)

    @property
    def history(self) -> tuple[Position[Any], ...]:
        """The current level's positions since its start, the newest first (K11)."""
        return (*(outcome.position for outcome in reversed(self.outcomes)), self._play.start)

    @property
    def actions_done(self) -> int:
        """Number of actions done on the current level."""
        return self._play.done

    @property
    def outcomes(self) -> tuple[Outcome[Any], ...]:
        """Outcomes of the current level's actions, the oldest first."""
        return tuple(outcome for _, outcome in self._play.past_steps())

    def line(self, most: int) -> tuple[int, tuple[tuple[Position[Any], Action], ...]]:
        """Return the current level's actions, done and undone, from at most `most` before the position to `most` after it.

        Each comes with the position before it. The first value is the number of actions before these.
        """
        play = self._play
        first, last = max(0, play.done - most), min(play.length, play.done + most)
        steps = play.steps[first:last]
        before = play.steps[first - 1][1].position if first else play.start
        positions = (before, *(outcome.position for _, outcome in steps))
        return first, tuple(
            (position, action) for position, (action, _) in zip(positions, steps, strict=False)
        )

    def tally(self, place: int | None = None, actor: str | None = None) -> Any:
        """Return the look's tally of the current level, or of another as it was won or left; errors as of `trace`.

        Parameters
        ----------
        actor : str, optional
            The actor whose player sees the tally.
        """
        return self._find_play(place).tally(self.game.look, actor)

    @property
    def actions_undone(self) -> int:
        """Number of actions that `redo` could do again."""
        return self._play.length - self._play.done

    @property
    def score(self) -> int:
        """The current level's rewards so far."""
        return self._play.score

    @property
    def high_score(self) -> int:
        """The best score of all sessions of such levels (T4); never below `score`."""
        key = self.score_key
        saved = self._store.high_score(key) if self._store else 0
        return max(_HIGH_SCORES.get(key, 0), saved, self.score)

    @property
    def score_key(self) -> str:
        """Key of the current level's high score."""
        return self._score_key(self._current)

    def scores(self, places: Iterable[int]) -> Mapping[str, int]:
        """Return the best score of each played level by the key of its high score."""
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

    @property
    def following(self) -> tuple[int, ...]:
        """The places of the other levels that have not been won, from the next one on and around the end."""
        others = (place for place in self.incomplete if place != self._current)
        return tuple(sorted(others, key=self._current.__gt__))

    def trace(self, place: int | None = None) -> Trace:
        """Return the trace of the current level, or of another as it was won or left.

        Raises
        ------
        GridproofError
            When the level at that place has not been played.
        """
        return self._find_play(place).trace()

    def costs(self, place: int) -> dict[str, int]:
        """Return the cost of a level's actions by each measure of the game; errors as of `trace`."""
        return self._find_play(place).costs(measures(self.game).values())

    def best_costs(self, place: int) -> dict[str, int]:
        """Return the costs of a win that count as best ones: none after hints; errors as of `trace`."""
        return {} if self.is_helped(place) else self.costs(place)

    def is_helped(self, place: int | None = None) -> bool:
        """Return whether hints were shown on a level, by default the current one, since its last game; errors as of `trace`.

        A level without chance that is begun anew is the same game: its solution is still known.
        """
        return self._find_play(place).helped

    @property
    def programs(self) -> Mapping[str, str]:
        """Actor -> strategy of the programs that played when the current position was reached; none where steps are undone."""
        play = self._play
        return play.programs if 0 < play.done == play.length else FrozenDict()

    @property
    def is_race(self) -> bool:
        """True if programs played all actors when the current position was reached."""
        return bool(self.programs) and {*self.game.actors(self.levels[self._current])} - {NATURE} <= {
            *self.programs
        }

    def is_won_by_programs(self, place: int | None = None) -> bool:
        """Return whether a level, by default the current one, is won and its winners are programs; errors as of `trace`."""
        play = self._find_play(place)
        if not (play.programs and play.position.won):
            return False
        winners = self.game.look.winners(play.position) or self.game.actors(play.position.level)
        return {*winners} - {NATURE} <= {*play.programs}

    def to_data(self, place: int, last_step: bool = False) -> SavedPlay | None:
        """Return the play of the level at a place as data; None when it has not been played.

        Parameters
        ----------
        last_step : bool
            Give only the last step, done or undone: a change affects no other.
        """
        play = self._plays.find(place)
        skipped = max(play.length - 1, 0) if play and last_step else 0
        return None if play is None else play.to_data(place in self._finished, skipped)

    @classmethod
    def resume(
        cls, levels: Level | Iterable[Level], seed: int, current: int, plays: Mapping[int, SavedPlay],
        store: SessionStore | None = None,
    ) -> Session:  # fmt: skip
        """Restore a session from the data of `to_data` for each place: every step is done again.

        Raises
        ------
        GridproofError
            When a saved step cannot be done again.
        """
        session = cls(levels, seed)
        for place, saved in plays.items():
            session._check_place(place)
            session._plays[place] = PlayRecord.from_data(session.levels[place].start(saved.seed), saved)
            if saved.finished:
                session._finished.add(place)
        if current not in session._plays:
            raise GridproofError(f"the session's current level {current} is missing")
        session._current, session._store = current, check_store(store)
        return session

    def pack(self) -> None:
        """Compact the plays of the other levels to texts, which are played again when needed."""
        self._plays.pack(self._current)

    def copy(self) -> Session:
        """Return an independent session in the same state, without viewers and without a store."""
        twin = Session(self.levels, self.seed)
        twin._copy_state(self)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle: all but its viewers and the store, as of `copy`."""
        return {**vars(self), "_viewers": Observers(), "_store": None}

    # -- actions

    def act(self, action: Action | str, programs: Mapping[str, str] = FrozenDict()) -> Outcome[Any]:
        """Do an action; its chance depends on the seed and the number of actions done alone.

        Parameters
        ----------
        programs : mapping
            Actor -> strategy, for the actors that programs play; a level that they win is not completed.

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
        with self._change("act") as change:
            change.won = outcome.position.won and not play.position.won
            play.act(chosen, outcome, FrozenDict(programs))
            change.steps = ((chosen, outcome),)
            self._complete_win(change)
        return outcome

    def undo(self, n: int = 1) -> None:
        """Undo the last n actions (K12).

        Raises
        ------
        IllegalAction
            When n is out of range or the policy refuses; nothing has changed then.
        """
        check_count("undo", n, self._play.done)
        if self.position.won and not self.game.policy.undo_after_win:
            raise IllegalAction("undo", "the game is won")
        with self._change("undo") as change:
            change.steps = self._play.last_steps(n)
            self._play.undo(n)

    def redo(self, n: int = 1) -> None:
        """Redo the n actions undone last (K13), with the outcomes they had.

        Raises
        ------
        IllegalAction
            When n is out of range; nothing has changed then.
        """
        play = self._play
        check_count("redo", n, self.actions_undone)
        with self._change("redo") as change:
            was_won = play.position.won
            play.redo(n)
            change.steps = play.last_steps(n)
            change.won = play.position.won and not was_won
            self._complete_win(change)

    def restart(self) -> None:
        """Restart the current level; `redo` still does its actions again.

        After a hint, a level with chance begins a new game without hints; the moves behind it cannot be redone.
        """
        play = self._play
        with self._change("restart") as change:
            is_over = self.position.won and not self.game.policy.undo_after_win
            if is_over or (play.helped and self.has_chance):
                change.rollback.append(partial(self._plays.__setitem__, self._current, play))
                is_helped = play.helped and not self.has_chance
                self._plays[self._current] = PlayRecord(
                    play.start, play.seed, play.initial_score, helped=is_helped
                )
            else:
                change.steps = self._play.last_steps(self.actions_done)
                self._play.undo(self.actions_done)

    def new_game(self) -> None:
        """Restart the current level with a new seed, derived from the one before (T13)."""
        with self._change("new game") as change:
            self._start_level(change, self._current, derive(self._play.seed))

    def note_help(self) -> None:
        """Note that a hint is shown on the current level: its win has no best counts and no rank."""
        if not self._play.helped:
            with self._change(None):
                self._play.helped = True

    def select(self, place: int) -> None:
        """Make another level current: as it was left, or from its start when it is won and over.

        One that is won at its start is completed, and the next of the `following` may become current (K16); in a game that
        goes on after a win it is played like any other.

        Raises
        ------
        IllegalAction
            When there is no such place; nothing has changed then.
        """
        self._check_place(place)
        with self._change("select") as change:
            self._current = change.place = place
            won = place in self._plays and self._plays[place].position.won
            if place not in self._plays or (won and not self.game.policy.act_after_win):
                self._start_level(change, place)
            if not self.game.policy.act_after_win:
                self._complete_win(change)

    def go_on(self) -> None:
        """Go on from a won level to the next of the `following`, past those won at their start."""
        with self._change("select") as change:
            self._move_on(change)
            change.place = self._current

    def attach(self, viewer: Observer[Session, Change]) -> None:
        """Attach a viewer of every change from now on; TypeError when it has no function `changed`."""
        self._viewers.attach(viewer)

    def detach(self, viewer: Observer[Session, Change]) -> None:
        """Detach a viewer; one that is not attached is no error."""
        self._viewers.detach(viewer)

    # -- inside

    @property
    def _play(self) -> PlayRecord:
        return self._plays[self._current]

    def _find_play(self, place: int | None) -> PlayRecord:
        play = self._plays.find(self._current if place is None else place)
        if play is None:
            raise GridproofError(f"the level at place {place} has not been played")
        return play

    def _start_level(self, change: PendingChange, place: int, seed: int | None = None) -> None:
        if seed is None:
            seed = derive(self.seed, place) if place else self.seed
        plays, before = self._plays, self._plays.find(place)
        back = partial(plays.forget, place) if before is None else partial(plays.__setitem__, place, before)
        change.rollback.append(back)
        is_helped = before is not None and before.helped and not self._is_random(place)
        self._plays[place] = PlayRecord(self.levels[place].start(seed), seed, helped=is_helped)

    def _is_random(self, place: int) -> bool:
        level, start = self.levels[place], self._plays[place].start
        chances = (level.starts(), *map(start.outcomes, start.actions()))
        return NATURE in self.game.actors(level) or any(len([*islice(one, 2)]) > 1 for one in chances)

    def _check_place(self, place: int) -> None:
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(self.levels):
            raise IllegalAction(f"select {place}", f"the places are 0 to {len(self.levels) - 1}")

    def _score_key(self, place: int) -> str:
        return f"{self.game.name} {self.game.policy.score_key(self.levels[place])}"

    def _record(self, place: int) -> None:
        """Raise the high score to the score (T4, T7)."""
        if self.game.policy.keeps_score:
            key = self._score_key(place)
            _HIGH_SCORES[key] = max(_HIGH_SCORES.get(key, 0), self._plays[place].score)

    @contextlib.contextmanager
    def _change(self, kind: str | None) -> Iterator[PendingChange]:
        """Change the current level in the block; roll the change back when the store cannot keep it.

        Viewers are not told of a change without a kind.
        """
        play, current = self._play, self._current
        change, before, checkpoint = PendingChange(current), play.position, play.checkpoint()
        try:
            yield change
            if self._store:
                self._store.keep(self, change.place, change.won, change.passed)
        except BaseException as error:
            change.roll_back()
            play.restore(checkpoint)
            self._current = current
            if isinstance(error, AlreadySaved):
                self._copy_state(error.session)
                self._record(self._current)
                self._tell("reload", before, PendingChange(self._current))
            raise
        self._record(change.place)
        if kind is not None:
            self._tell(kind, before, change)

    def _copy_state(self, other: Session) -> None:
        self._current, self._finished = other._current, {*other._finished}
        self._plays = other._plays.copy()

    def _complete_win(self, change: PendingChange) -> None:
        """Complete a level that the player has won and move on, past those won at their start (K16)."""
        if self.position.won and not self.is_won_by_programs():
            change.complete(self._current, self._finished)
            if self.game.policy.next_level_after_win:
                self._move_on(change)

    def _move_on(self, change: PendingChange) -> None:
        for place in self.following:
            if self.position.won:
                self._current = place
                if place not in self._plays or self.is_won_by_programs(place):
                    self._start_level(change, place)
                if self.position.won:
                    change.complete(self._current, self._finished)

    def _tell(self, kind: str, before: Position[Any], made: PendingChange) -> None:
        after, steps = self._plays[made.place].position, tuple(made.steps)
        change = Change(kind, made.place, before, after, steps, made.won, tuple(made.passed), self._current)
        self._viewers.tell(self, change)

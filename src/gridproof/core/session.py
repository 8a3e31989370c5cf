"""Session, the mid-end of every front end: history, undo, redo, level set, score, viewers.

It is the only mutable thing between rules and front ends. No game owns undo, scores or progress;
where games differ, the session asks the game's policy.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Protocol

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.game import Action, Level, Outcome, Position, Status
from gridproof.core.pack import levels_in
from gridproof.core.progress import Play, SavedPlay, check_score
from gridproof.core.rng import Rng, check_seed, derive
from gridproof.core.trace import Trace

_State = tuple[int, dict[int, Play], dict[int, Play]]
"""The current place, and by place the level as it is played, and as it was won."""

_HIGH_SCORES: dict[str, int] = {}
"""The best scores of this process, shared by all sessions (T4)."""


class Viewer(Protocol):
    """Whoever wants to know that a session has changed; it then asks for what it shows."""

    def changed(self, session: Session) -> None:
        """Something has changed."""


class Keeper(Protocol):
    """Where sessions are kept beyond the process: the store."""

    def high_score(self, key: str) -> int:
        """The best score kept under a key; 0 when there is none."""

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        """Keep what has just changed on the level at a place, which has been `won` by it or not.

        It is called before the change is answered: all of the change is kept or, when this raises, none,
        and then the session takes it back. The levels at the places `passed` are completed by it too.
        """


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
        Without a level, with levels of several games or what is none, or for a seed or score that is none.
    """

    def __init__(
        self,
        levels: Level | Iterable[Level],
        seed: int = 0,
        store: Keeper | None = None,
        score: int = 0,
    ) -> None:
        self.levels = levels_in(levels)
        if len({level.game.name for level in self.levels}) != 1:
            raise GridproofError("a session needs levels, and all of one game")
        self.game = self.levels[0].game
        self.seed = check_seed(seed)
        self._store = store
        self._viewers: list[Viewer] = []
        self._plays: dict[int, Play] = {}
        self._finished: dict[int, Play] = {}
        self._current = 0
        self._begin(0)
        self._play.score = check_score(score)
        self._record(0)
        self._settle()

    # -- what can be seen

    @property
    def current(self) -> int:
        """The place of the current level, from 0."""
        return self._current

    @property
    def position(self) -> Position[Any]:
        """The current position."""
        return self._play.position

    @property
    def history(self) -> tuple[Position[Any], ...]:
        """The current level's positions since its start, the newest first (K11)."""
        positions = [outcome.position for _, outcome in self._play.done]
        return (*reversed(positions), self._play.start)

    @property
    def actions_done(self) -> int:
        """How many actions have been done on the current level."""
        return len(self._play.done)

    @property
    def outcomes(self) -> tuple[Outcome[Any], ...]:
        """What came of the current level's actions, the oldest first."""
        return tuple(outcome for _, outcome in self._play.done)

    @property
    def actions_undone(self) -> int:
        """How many actions `redo` could do again."""
        return len(self._play.undone)

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

    def scores(self) -> Mapping[str, int]:
        """The best score of the levels as they are played, by what their high scores are kept under."""
        best: dict[str, int] = {}
        for place, play in self._plays.items():
            key = self._score_key(place)
            best[key] = max(best.get(key, 0), play.score)
        return best

    @property
    def status(self) -> Status:
        """The current position's status; won levels have been left, but for the last (K17)."""
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
        if place is None or place == self._current:
            return self._play.trace()
        play = self._plays.get(place)
        if play is None:
            raise GridproofError(f"the level at place {place} has not been played")
        return play.trace()

    def saved(self, place: int) -> SavedPlay | None:
        """What has been done on the level at a place, as data; None when it has not been entered."""
        play = self._plays.get(place)
        if play is None:
            return None
        steps = [*play.done, *reversed(play.undone)]
        texts = tuple((str(action), outcome.label) for action, outcome in steps)
        return SavedPlay(play.seed, texts, len(play.done), place in self._finished, play.brought)

    @classmethod
    def resume(
        cls,
        levels: Level | Iterable[Level],
        seed: int,
        current: int,
        plays: Mapping[int, SavedPlay],
        store: Keeper | None = None,
    ) -> Session:
        """A session as it was left: what `saved` gave for each place, every step done again.

        Raises
        ------
        GridproofError
            When something kept cannot be done again.
        """
        session = cls(levels, seed)
        for place, saved in plays.items():
            session._check_place(place)
            session._begin(place, saved.seed)
            play = session._plays[place]
            play.replay(saved)
            if saved.finished:
                session._finished[place] = play
        if current not in session._plays:
            raise GridproofError(f"the session's current level {current} is missing")
        session._current, session._store = current, store
        return session

    def copy(self) -> Session:
        """A session that goes its own way from here; it has no viewers, and nothing keeps it."""
        twin = Session(self.levels, self.seed)
        twin._current, twin._plays, twin._finished = self._state()
        return twin

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
        if play.position.ended or (play.position.won and not policy.act_after_win):
            raise IllegalAction(action, "the game is over")
        chosen = play.position.action(str(action))
        if not isinstance(action, str) and action != chosen:
            raise IllegalAction(action, f"{action!r} is no action of {self.game.name}")
        outcome = play.position.step(chosen, Rng(play.seed, len(play.done) + 1))
        before = self._before()
        play.undone.clear()
        self._advance(before, [(chosen, outcome)])
        return outcome

    def undo(self, n: int = 1) -> None:
        """Take the last n actions back (K12).

        Raises
        ------
        IllegalAction
            When n is out of range or the policy refuses; nothing has changed then.
        """
        play = self._play
        self._check_count("undo", n, len(play.done))
        if play.position.won and not self.game.policy.undo_after_win:
            raise IllegalAction("undo", "the game is won")
        before = self._before()
        for _ in range(n):
            play.go_back()
        self._changed(before, self._current)

    def redo(self, n: int = 1) -> None:
        """Do the n actions undone last again (K13), with the outcomes they had.

        Raises
        ------
        IllegalAction
            When n is out of range; nothing has changed then.
        """
        self._check_count("redo", n, len(self._play.undone))
        before = self._before()
        self._advance(before, [self._play.undone.pop() for _ in range(n)])

    def restart(self) -> None:
        """Begin the current level again; `redo` still does what was done."""
        if self.position.won and not self.game.policy.undo_after_win:
            before = self._before()
            self._begin(self._current)
            self._changed(before, self._current)
        else:
            self.undo(self.actions_done)

    def new_game(self) -> None:
        """Begin the current level with a new seed, derived from the one before (T13)."""
        before = self._before()
        self._begin(self._current, derive(self._play.seed))
        self._changed(before, self._current)

    def select(self, place: int) -> None:
        """Make another level current: as it was left, or from its start when it is won and over.

        One that is won at its start is completed, and the next may follow (K16).

        Raises
        ------
        IllegalAction
            When there is no such place; nothing has changed then.
        """
        self._check_place(place)
        before = self._before()
        self._current = place
        won = place in self._plays and self._plays[place].position.won
        if place not in self._plays or (won and not self.game.policy.act_after_win):
            self._begin(place)
        self._changed(before, place, passed=self._settle())

    def attach(self, viewer: Viewer) -> None:
        """Tell a viewer of every change from now on."""
        if viewer not in self._viewers:
            self._viewers.append(viewer)

    def detach(self, viewer: Viewer) -> None:
        """Tell a viewer no more; one that is not attached is no error."""
        if viewer in self._viewers:
            self._viewers.remove(viewer)

    # -- inside

    @property
    def _play(self) -> Play:
        return self._plays[self._current]

    def _check_count(self, what: str, n: int, most: int) -> None:
        if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n <= most:
            raise IllegalAction(f"{what} {n}", f"from 0 to {most} can be")

    def _begin(self, place: int, seed: int | None = None) -> None:
        if seed is None:
            seed = derive(self.seed, place) if place else self.seed
        self._plays[place] = Play(self.levels[place].start(seed), seed)

    def _check_place(self, place: int) -> None:
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(self.levels):
            raise IllegalAction(f"select {place}", f"the places are 0 to {len(self.levels) - 1}")

    def _score_key(self, place: int) -> str:
        return f"{self.game.name} {self.game.score_key(self.levels[place])}"

    def _record(self, place: int) -> None:
        """Let the high score follow (T4, T7)."""
        if self.game.policy.keeps_score:
            key = self._score_key(place)
            _HIGH_SCORES[key] = max(_HIGH_SCORES.get(key, 0), self._plays[place].score)

    def _state(self) -> _State:
        """A copy of all that changes."""
        plays = {id(play): play.copy() for play in (*self._plays.values(), *self._finished.values())}
        return (
            self._current,
            {place: plays[id(play)] for place, play in self._plays.items()},
            {place: plays[id(play)] for place, play in self._finished.items()},
        )

    def _before(self) -> _State | None:
        """The state to come back to when a change cannot be kept; None where nothing is kept."""
        return self._state() if self._store else None

    def _advance(self, before: _State | None, steps: Iterable[tuple[Action, Outcome[Any]]]) -> None:
        place, play = self._current, self._play
        won_before = play.position.won
        for action, outcome in steps:
            play.go_on(action, outcome)
        self._changed(before, place, play.position.won and not won_before, self._settle())

    def _settle(self) -> list[int]:
        """Complete a won level and move on, past those won at their start (K16): the places completed."""
        passed = []
        while self.position.won:
            passed.append(self._current)
            self._finished[self._current] = self._play
            if not self.game.policy.next_level_after_win or not self.incomplete:
                break
            self._current = self.incomplete[0]
            if self._current not in self._plays:
                self._begin(self._current)
        return passed

    def _changed(
        self, before: _State | None, place: int, won: bool = False, passed: Collection[int] = ()
    ) -> None:
        """Keep a change and tell the viewers; what cannot be kept has not happened."""
        if self._store and before:
            try:
                self._store.keep(self, place, won, passed)
            except BaseException:
                self._current, self._plays, self._finished = before
                raise
        self._record(place)
        for viewer in tuple(self._viewers):
            viewer.changed(self)

"""Batches of games that environments step: their arrays, and the threads that share the work."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from gymnasium.error import ResetNeeded

from gridproof.core.errors import GridproofError
from gridproof.core.position import Level, Position, Status
from gridproof.core.rng import Rng
from gridproof.core.text import level_lookup
from gridproof.core.trace import Step, Trace
from gridproof.envs import step_kernel, work_sharing
from gridproof.envs.rewards import Reward
from gridproof.envs.state_memory import StateMemory
from gridproof.envs.thread_tuning import ThreadTuner
from gridproof.envs.threads import ThreadCrew
from gridproof.kernels.batch import stack_rows, start_of
from gridproof.kernels.game import LOST, PLAYING, WON, BoardKernel, GameKernel, Packing, packing_of
from gridproof.search.thread_pool import available_cores

Array = np.ndarray[Any, Any]
_STATUS = {Status.PLAYING: PLAYING, Status.WON: WON, Status.LOST: LOST}
GAMES_PER_THREAD = 256
"""Number of games for which another thread pays."""


class StepArrays(NamedTuple):
    """Results of a step: new arrays (games,), but symbols (games, symbols) and masks (games, actions)."""

    symbols: Array
    masks: Array
    rewards: Array
    levels: Array
    terminated: Array
    truncated: Array
    illegal: Array
    won: Array


class GamesState(NamedTuple):
    """Mutable state of games."""

    forms: tuple[tuple[tuple[int, ...], str], ...]
    """Shapes and types of the arrays."""
    arrays: bytes
    """Content of the arrays."""
    begun: bool
    """True if the games were ever reset."""
    others: Mapping[str, Any] | None
    """State that is no array, of games in Python."""


class UnsupportedLevels(GridproofError):
    """No kernel supports these levels; use the rules."""


class Games:
    """Games on some levels of one game; pickles and copies keep their state.

    The levels have a kernel, the same actions, and one size, unless the game can pad small boards. An episode is truncated
    after `limit` steps, never for 0. `mode` is NEXT_STEP, SAME_STEP or DISABLED. If `redraw`, each episode draws a level;
    if `at_win`, a win ends the game, even if it could go on. Callers hold `lock`, so that threads take turns.
    """

    _STATE: tuple[str, ...] = ()
    """Attributes of the state besides arrays."""
    _arguments: tuple[Any, ...]

    def __new__(cls, *arguments: Any) -> Self:
        games = super().__new__(cls)
        games._arguments = arguments
        return games

    def __init__(
        self,
        levels: Sequence[Level],
        count: int,
        reward: Reward,
        limit: int,
        mode: int,
        redraw: bool,
        at_win: bool,
    ) -> None:
        self.levels = list(levels)
        self.count = count
        self.game = self.levels[0].game
        self.lock = threading.RLock()
        self.all_games = np.ones(count, np.bool_)
        """Read-only mask of all games."""
        self.all_games.flags.writeable = False
        self._pack()
        self.actions = self._actions()
        self.shape = self._shape()
        self._use_boards(reward)
        self._tables(reward)
        policy = self.game.policy
        self._settings[
            [step_kernel.LIMIT, step_kernel.AT_WIN, step_kernel.MODE, step_kernel.LEVELS, step_kernel.REDRAW]
        ] = limit, at_win or not policy.act_after_win, mode, len(self.levels), redraw
        self._begun = self._closed = False
        self._build(reward)

    def __reduce__(self) -> tuple[Any, ...]:
        with self.lock:
            return type(self).restore, (self._arguments, self._closed, self.state())

    def state(self) -> GamesState:
        """Return a copy of the mutable state."""
        memory = self._memory
        return GamesState(memory.forms, memory.save(), self._begun, self._others())

    def set_state(self, state: GamesState) -> None:
        """Go back to a state; GridproofError when it is of other games, and after the end."""
        self._check_open()
        forms, saved, begun, others = state
        if forms != self._memory.forms or (others is None) != (not self._STATE):
            raise GridproofError("the state is one of an environment with other levels or options")
        self._memory.restore(saved)
        self._begun = begun
        if others is not None:
            self._set_others(others)

    def _others(self) -> Mapping[str, Any] | None:
        """Return a copy of the state that is no array; None if all of it is arrays."""
        return None

    def _set_others(self, others: Mapping[str, Any]) -> None:
        """Go back to state that is no array."""

    @classmethod
    def restore(cls, arguments: tuple[Any, ...], closed: bool, state: GamesState) -> Self:
        """Restore pickled games."""
        games = cls(*arguments)
        games.set_state(state)
        if closed:
            games.close()
        return games

    def _pack(self) -> None:
        """Find the kernel, and pack the levels."""
        found = [packing_of(level) for level in self.levels]
        self.packings = [one[1] for one in found if one]
        if found[0] is None or len(self.packings) < len(found):
            raise UnsupportedLevels(f"a kernel cannot hold all of these levels of {self.game.name}")
        self.kernel: GameKernel | BoardKernel = found[0][0]
        self.symbols = max(one.symbols for one in self.packings)
        """Upper bound of symbols, exclusive."""

    def _shape(self) -> tuple[int, ...]:
        """Return the shape of an observation of the largest board."""
        shapes = {one.observed for one in self.packings}
        if self.kernel.env.observe is None or not all(shapes):
            raise UnsupportedLevels("these levels have no observation; a board may be too large")
        if len(shapes) > 1 and (
            not all(one.framed for one in self.packings) or len({len(one) for one in shapes}) > 1
        ):
            raise self._incompatible_levels("their boards have one size")
        return tuple(map(max, zip(*shapes, strict=True)))

    def _use_boards(self, reward: Reward) -> None:
        """Use the kernel's faster functions if they support the levels and the reward."""
        boards = self.kernel.env.boards
        if boards is None or (reward.measure and (reward.measure, 0) not in boards.propositions):
            return
        packings = [boards.prepare(one, self.shape) for one in self.packings]
        found = [one for one in packings if one is not None]
        if len(found) == len(packings):
            self.kernel, self.packings = boards, found

    def _actions(self) -> tuple[str, ...]:
        """Return the texts of the player's actions."""
        texts = {tuple(map(str, one.actions)) for one in self.packings}
        if len(texts) > 1:
            raise self._incompatible_levels("they have the same actions")
        return texts.pop()

    def action_numbers(self, level: int) -> Mapping[str, int]:
        """Return the number of each action of a level, by its text."""
        return {text: number for number, text in enumerate(self.actions)}

    def _incompatible_levels(self, when: str) -> GridproofError:
        game = self.levels[0].game
        one = f"{level_lookup.first_pack(game.name)}/1" if level_lookup.pack_names(game) else "FILE"
        return GridproofError(
            f"levels of {game.name} can share an environment if {when}, which these {len(self.levels)} do not; choose some "
            f"with levels=..., such as levels={one!r}"
        )

    def _tables(self, reward: Reward) -> None:
        count = self.count
        self._symbols = math.prod(self.shape)
        self._settings = np.zeros(step_kernel.SETTINGS, np.int64)
        self._weights, self._reward = np.array(reward.weights, np.float64), reward
        words, actions = self._words(), len(self.actions)
        self._memory = StateMemory(
            (
                ((count, words), np.uint64),
                ((count, step_kernel.FIELDS), np.int64),
                ((count, step_kernel.CHANCES), np.uint64),
                ((count, words + 1), np.uint64),
                ((count, self._symbols), np.uint8),
                ((count, actions), np.uint8),
                ((count,), np.int64),
                ((1,), np.uint64),
            )
        )
        self.plays, self._games, self._chances, self.finals, seen, masks, levels, self.choices = (
            self._memory.arrays
        )
        self._games[:, step_kernel.CHOSEN] = -1
        masks[:] = 1
        self._current = self._empty_result()._replace(seen=seen, masks=masks, levels=levels)
        self.masks: Array = masks
        """Executable actions of each game, uint8 (games, actions); every step updates it."""

    def _words(self) -> int:
        """Return the number of words of a game."""
        return max(one.words + one.memory for one in self.packings)

    def _build(self, reward: Reward) -> None:
        """Build the arrays, the kernels and the threads."""
        count = self.count
        self._threads = max(1, min(available_cores(), count // GAMES_PER_THREAD))
        self._data = stack_rows([self._level_data(one) for one in self.packings])
        widths = np.array([one.words + one.memory for one in self.packings])
        starts = stack_rows([start_of(one) for one in self.packings])
        self._world = step_kernel.World(
            self._data,
            widths,
            starts,
            self._settings,
            self._weights,
            np.zeros(1, np.int64),
            self.plays,
            self._games,
            self._chances,
            np.zeros(count, np.int16 if len(self.actions) < 2**15 else np.int64),
            self.finals,
            self._current.seen,
            self._current.masks,
            self._current.levels,
            np.zeros(work_sharing.NEXT + work_sharing.LINE * self._threads, np.int64),
        )
        self._compiled = self._compile(reward)
        self._start_threads()

    def _empty_result(self) -> step_kernel.StepResult:
        count, empty = self.count, np.empty
        return step_kernel.StepResult(
            empty((count, self._symbols), np.uint8),
            empty((count, len(self.actions)), np.uint8),
            empty(count),
            empty((step_kernel.FLAGS, count), np.bool_),
            empty(count, np.int64),
        )

    def _level_data(self, packing: Packing) -> Array:
        return (
            packing.framed(self.shape) if packing.framed and packing.observed != self.shape else packing.data
        )

    def _compile(self, reward: Reward) -> step_kernel.Compiled:
        measured = self.kernel.propositions[reward.measure, 0] if reward.measure else None
        return step_kernel.Compiled(self.kernel, measured)

    def _start_threads(self) -> None:
        """Start the threads, each with its own scratch arrays."""
        words = self.plays.shape[1]  # the states of several threads lie in different cache lines
        memory = np.zeros((self._threads, words + 1 + 2 * work_sharing.LINE), np.uint64)
        scratches = [
            step_kernel.Scratch(own[:1], own[1 : 1 + words], number) for number, own in enumerate(memory)
        ]
        self._scratch = scratches[0]
        self._world.shared[work_sharing.NEXT :] = self.count  # no part is pending
        if scratches[1:]:
            # compile now, not in a thread that may be killed
            self._compiled.attend(self._world, self._scratch)
        self._crew = ThreadCrew(self._compiled.attend, self._world, scratches[1:])
        self._tuner = ThreadTuner()

    # -- queries

    @property
    def level(self) -> Array:
        """Number of each game's level, int64 (games,)."""
        found: Array = self._games[:, step_kernel.LEVEL].copy()
        return found

    @property
    def seeds(self) -> Array:
        """Seed of each game's episode, uint64 (games,): a session with it would be the same game."""
        found: Array = self._chances[:, step_kernel.SEED].copy()
        return found

    def position(self, number: int) -> Position[Any]:
        """Return the position of a game."""
        return self._unpack(int(self._games[number, step_kernel.LEVEL]), self.plays[number])

    def position_at_end(self, number: int) -> Position[Any]:
        """Return the last position of a game that was reset in the same step."""
        return self._unpack(int(self.finals[number, -1]), self.finals[number])

    def _unpack(self, level: int, play: Array) -> Position[Any]:
        packing = self.packings[level]
        return packing.unpack(play[: packing.words])

    def trace(self, level: int, seed: int, actions: Iterable[int]) -> Trace:
        """Replay an episode by the rules, without illegal actions."""
        position = start = self.levels[level].start(seed)
        steps = list[Step]()
        for number in actions:
            legal = {str(action): action for action in position.actions()}
            action = legal.get(self.actions[number]) if 0 <= number < len(self.actions) else None
            if action is not None:
                outcome = position.step(action, Rng(seed, len(steps) + 1))
                steps.append(Step(action, outcome.label))
                position = outcome.position
        return Trace(start, tuple(steps), seed=seed)

    # -- changes

    def key(self, number: int, key: int) -> None:
        """Set the key that decides a game's episodes; its next one is the first."""
        self._chances[number, step_kernel.KEY] = key
        self._games[number, step_kernel.EPISODE] = 0

    def enter(self, marked: Array, chosen: Array | None = None) -> None:
        """Begin the next episode of each marked game, bool (games,), on its chosen level.

        Without one it is the planned level, else a random one.
        `check_begin` says before whether they can begin.
        """
        self._begun = True
        planned = self._games[:, step_kernel.CHOSEN].copy()
        if chosen is not None:
            self._games[:, step_kernel.CHOSEN] = chosen
        self._enter(marked)
        self._games[:, step_kernel.CHOSEN] = planned

    def _enter(self, marked: Array) -> None:
        """Begin the next episode of each marked game, on its planned level or a random one."""
        self._compiled.enter(self._world, self._scratch, marked)

    def plan_levels(self, numbers: Array, levels: Array | int) -> None:
        """Plan the level of the next episode of some games; -1 for a random one."""
        self._games[numbers, step_kernel.CHOSEN] = levels

    def level_of(self, position: Position[Any]) -> int:
        """Return the number of a position's level; GridproofError when no game can continue from the position."""
        number = find_level(self.levels, position)
        self._check_fits(number, position)
        return number

    def _check_fits(self, level: int, position: Position[Any]) -> None:
        if not self.packings[level].fits(position):
            raise GridproofError("the kernel of the game cannot hold the position")

    def place(self, number: int, position: Position[Any]) -> None:
        """Move a game that has just begun to a position of its level; call `update_observations` afterwards."""
        packing = self.packings[int(self._games[number, step_kernel.LEVEL])]
        self.plays[number, : packing.words] = packing.pack(position)
        self._games[number, step_kernel.STATUS] = _STATUS[position.status]

    def check_begin(self, marked: Array) -> None:
        """Check that marked games can begin.

        ResetNeeded when the other games were never reset; GridproofError after the end.
        """
        self._check_open()
        if not (self._begun or marked.all()):
            raise ResetNeeded("the first reset must reset all games")

    def _check_open(self) -> None:
        if self._closed:
            raise GridproofError("the environment is closed")

    def observe(self) -> tuple[Array, Array]:
        """Return the symbols and the masks of all games."""
        return self._current.seen.copy(), self._current.masks.copy()

    def update_observations(self) -> None:
        """Update the observations after a change of `plays`."""
        self._compiled.see(self._world, self.plays, self.level, self._current.seen, self._current.masks)

    def observe_ends(self, numbers: Array) -> tuple[Array, Array, Array]:
        """Return the last symbols, masks and levels of games that were reset in the same step."""
        seen, masks = (np.empty_like(array[: len(numbers)]) for array in self._current[:2])
        levels = self.finals[numbers, -1].astype(np.int64)
        self._compiled.see(self._world, self.finals[numbers], levels, seen, masks)
        return seen, masks, levels

    def observe_positions(self, positions: Iterable[Position[Any]]) -> tuple[Array, Array]:
        """Return the symbols and masks of positions of the first level, which no game needs to be in."""
        plays = np.stack([self.packings[0].pack(position) for position in positions])
        levels = np.zeros(len(plays), np.int64)
        seen, masks = (np.empty((len(plays), one.shape[1]), np.uint8) for one in self._current[:2])
        self._compiled.see(self._world, plays, levels, seen, masks)
        return seen, masks

    def step(self, actions: Array) -> StepArrays:
        """Do an action in each game, int64 (games,).

        ResetNeeded when no game was ever reset; GridproofError after the end, and for an unknown action: then no game
        changes. An error in a kernel ends the threads.
        """
        self.check_steps()
        result = self._empty_result()
        try:
            is_valid = self._advance(actions, result)
            for error in self._crew.errors:
                raise error
        except BaseException:
            self._closed = self._crew.fail(result)
            raise
        if not is_valid:
            self._check_actions(actions)
        return StepArrays(result.seen, result.masks, result.rewards, result.levels, *result.flags)

    def _advance(self, actions: Array, result: step_kernel.StepResult) -> bool:
        if self._threads == 1:
            return self._compiled.advance(self._world, self._scratch, actions, result, alone=True)
        begin, alone = time.perf_counter(), self._tuner.alone
        if not alone:
            self._crew.wake()
        is_valid = self._compiled.advance(self._world, self._scratch, actions, result, alone)
        self._tuner.record(time.perf_counter() - begin)
        return is_valid

    def _check_actions(self, actions: Array) -> None:
        """Raise an error for the first unknown action."""
        for action in actions[(actions < 0) | (actions >= len(self.actions))]:
            raise GridproofError(f"no action {action}: use 0 to {len(self.actions) - 1}")

    def check_steps(self) -> None:
        """Check that games can step; errors as of `step`."""
        if not self._begun:
            raise ResetNeeded("call reset before the first step")
        self._check_open()

    def close(self) -> None:
        """End the threads."""
        self._closed = True
        self._crew.close()


def find_level(levels: Sequence[Level], position: Position[Any]) -> int:
    """Return the number of a position's level; GridproofError when it is of none of them, or no position."""
    if not isinstance(position, Position):
        raise GridproofError(f"a position is needed, not {type(position).__name__}")
    if position.level not in levels:
        raise GridproofError(
            "the position is of none of the environment's levels: name its level by levels=..."
        )
    return levels.index(position.level)

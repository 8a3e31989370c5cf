"""Games stepped in Python by the rules, for levels without a kernel.

They are slower than games of a kernel, and their observation is the characters of the cells.
"""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.look import top
from gridproof.core.position import NATURE, Level, Position, Status
from gridproof.core.rng import Rng, derive
from gridproof.core.text.phrases import short_repr
from gridproof.envs import step_kernel
from gridproof.envs.game_batch import Array, Games, StepArrays, UnsupportedLevels
from gridproof.envs.rewards import Reward
from gridproof.envs.step_kernel import CHOSEN, DONE, ELAPSED, EPISODE, KEY, LEVEL, LIMIT, MODE, OVER, SEED
from gridproof.kernels.game import packing_of


class PythonGames(Games):
    """Games that a Python method steps one by one."""

    def _others(self) -> Mapping[str, Any]:
        return self._copy({name: getattr(self, name) for name in self._STATE})

    def _set_others(self, others: Mapping[str, Any]) -> None:
        vars(self).update(self._copy(others))

    def _copy(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return copy.deepcopy(dict(values), {id(level): level for level in self.levels})  # levels need no copy

    def step(self, actions: Array) -> StepArrays:
        self.check_steps()
        self._check_actions(actions)
        rewards, flags = np.zeros(self.count), np.zeros((step_kernel.FLAGS, self.count), np.bool_)
        mode = self._settings[MODE]
        over = self._games[:, OVER].astype(np.bool_)
        for number in map(int, np.flatnonzero(~over)):
            rewards[number], flags[:, number] = self._step_game(number, int(actions[number]))
        if mode == step_kernel.NEXT_STEP and over.any():
            self.enter(over)
        elif mode == step_kernel.DISABLED:
            for number in map(int, np.flatnonzero(over)):
                flags[:, number] = self._flags(number, illegal=True)
        ended = flags[step_kernel.TERMINATED] | flags[step_kernel.TRUNCATED]
        if mode == step_kernel.SAME_STEP and ended.any():
            self._keep_ends(ended)
            self.enter(ended)
        self.update_observations()
        return StepArrays(*self.observe(), rewards, self.level, *flags)

    def _step_game(self, number: int, action: int) -> tuple[float, tuple[bool, bool, bool, bool]]:
        """Step a game; return its reward and its flags."""
        _, won_before = self._end_status(number)
        illegal, gain, growth = self._act(number, action)
        self._games[number, ELAPSED] += 1
        ended, late, _, won = flags = self._flags(number, illegal)
        self._games[number, OVER] = ended or late
        won, lost = won and not won_before, ended and not won
        reward = self._reward.of_step(gain, growth, won=won, lost=lost, illegal=illegal)
        return reward, flags

    def _flags(self, number: int, illegal: bool) -> tuple[bool, bool, bool, bool]:
        """Return the flags of a game after a step, in the order of `step_kernel`."""
        ended, won = self._end_status(number)
        late = bool(0 < self._settings[LIMIT] <= self._games[number, ELAPSED])
        return ended, late, illegal, won

    def _keep_ends(self, ended: Array) -> None:
        """Store the ends of games that are reset in this step."""
        self.finals[ended, :-1], self.finals[ended, -1] = self.plays[ended], self._games[ended, LEVEL]

    @abstractmethod
    def _act(self, number: int, action: int) -> tuple[bool, int, int]:
        """Do an action in a game; return whether it is illegal, the gained score, and the growth of the measure."""

    @abstractmethod
    def _end_status(self, number: int) -> tuple[bool, bool]:
        """Return whether a game has ended, and whether it is won."""


class RuleGames(PythonGames):
    """Games on levels without a kernel.

    An observation has the glyph of each cell's top piece in UTF-8, padded with zeros.
    """

    _STATE = ("_positions", "_ends")
    symbols = 256

    def _pack(self) -> None:
        self._action_numbers = [
            {action: number for number, action in enumerate(actions_of(level))} for level in self.levels
        ]
        self._positions: list[Position[Any]] = [level.start() for level in self.levels[:1]] * self.count
        self._ends: dict[int, Position[Any]] = {}

    def _use_boards(self, reward: Reward) -> None:
        """Keep the rules."""

    def _actions(self) -> tuple[str, ...]:
        texts = {tuple(map(str, one)) for one in self._action_numbers}
        if len(texts) > 1:
            raise self._incompatible_levels("they have the same actions")
        (found,) = texts
        if not found:
            raise GridproofError(f"{self.game.name} lists no actions: environments need `Level.all_actions`")
        return found

    def _shape(self) -> tuple[int, ...]:
        boards = [glyphs_of(level.start()) for level in self.levels]
        sizes = {(len(board), len(board[0])) for board in boards}
        if len(sizes) > 1:
            raise self._incompatible_levels("their boards have one size")
        longest = max(len(glyph) for board in boards for row in board for glyph in row)
        return (*sizes.pop(), *[longest] * (longest > 1))

    def _build(self, reward: Reward) -> None:
        measures: dict[str, Any] = {item.name: item.value for item in self.game.propositions}
        self._measure = measures.get(reward.measure, lambda position: 0)

    def _words(self) -> int:
        return 0

    def position(self, number: int) -> Position[Any]:
        return self._positions[number]

    def position_at_end(self, number: int) -> Position[Any]:
        return self._ends[number]

    def _enter(self, marked: Array) -> None:
        for number in map(int, np.flatnonzero(marked)):
            self._begin(number)
        self.update_observations()

    def _begin(self, number: int) -> None:
        """Begin the next episode of a game, as `step_kernel.begin_episode` does."""
        game, chance = self._games[number], self._chances[number]
        episode = derive(int(chance[KEY]), int(game[EPISODE]))
        drawn = Rng(episode, 1).below(len(self.levels))
        if game[CHOSEN] >= 0:
            game[LEVEL] = game[CHOSEN]
        elif self._settings[step_kernel.REDRAW] or game[EPISODE] == 0:
            game[LEVEL] = drawn
        chance[SEED] = derive(episode, 0)
        self._positions[number] = self.levels[int(game[LEVEL])].start(int(chance[SEED]))
        game[EPISODE] += 1
        game[[DONE, ELAPSED, OVER]] = 0

    def _check_fits(self, level: int, position: Position[Any]) -> None:
        """The rules support any position."""

    def place(self, number: int, position: Position[Any]) -> None:
        self._positions[number] = position

    def _keep_ends(self, ended: Array) -> None:
        super()._keep_ends(ended)
        self._ends = {int(number): self._positions[number] for number in np.flatnonzero(ended)}

    def update_observations(self) -> None:
        self._current.levels[:] = self._games[:, LEVEL]
        self._write_observations(self._positions, self.level, self._current.seen, self._current.masks)

    def observe_ends(self, numbers: Array) -> tuple[Array, Array, Array]:
        seen, masks = (np.empty_like(array[: len(numbers)]) for array in self._current[:2])
        levels = self.finals[numbers, -1].astype(np.int64)
        self._write_observations([self._ends[number] for number in map(int, numbers)], levels, seen, masks)
        return seen, masks, levels

    def observe_positions(self, positions: Iterable[Position[Any]]) -> tuple[Array, Array]:
        listed = list(positions)
        seen, masks = (np.empty((len(listed), one.shape[1]), np.uint8) for one in self._current[:2])
        self._write_observations(listed, np.zeros(len(listed), np.int64), seen, masks)
        return seen, masks

    def close(self) -> None:
        self._closed = True

    def _write_observations(
        self, positions: Iterable[Position[Any]], levels: Array, seen: Array, masks: Array
    ) -> None:
        """Write the observations and the masks of some positions."""
        masks[:] = 0
        longest = self._symbols // (self.shape[0] * self.shape[1])
        for place, (position, level) in enumerate(zip(positions, levels, strict=True)):
            glyphs = b"".join(pad_glyph(glyph, longest) for row in glyphs_of(position) for glyph in row)
            seen[place] = np.frombuffer(glyphs, np.uint8)
            for action in position.actions():
                masks[place, self._action_numbers[level][action]] = 1

    def _act(self, number: int, action: int) -> tuple[bool, int, int]:
        if not self.masks[number, action]:
            return True, 0, 0
        game, before = self._games[number], self._positions[number]
        game[DONE] += 1
        done = next(one for one, place in self._action_numbers[game[LEVEL]].items() if place == action)
        outcome = before.step(done, Rng(int(self._chances[number, SEED]), int(game[DONE])))
        after = self._positions[number] = outcome.position
        return False, outcome.reward, int(self._measure(after)) - int(self._measure(before))

    def _end_status(self, number: int) -> tuple[bool, bool]:
        return end_status(self._positions[number], bool(self._settings[step_kernel.AT_WIN]))


def end_status(position: Position[Any], at_win: bool) -> tuple[bool, bool]:
    """Return whether an episode ends in a position, and whether it is won; with `at_win`, a win ends it."""
    status = position.status
    if status is Status.WON and not at_win:
        return not position.actions(), True
    return status is not Status.PLAYING, status is Status.WON


def actions_of(level: Level) -> list[Hashable]:
    """Return the actions of a level's players, in order."""
    return [action for action in level.all_actions() if level.owner(action) != NATURE]


def glyphs_of(position: Position[Any]) -> list[list[bytes]]:
    """Return the glyph of each cell of the board, in UTF-8."""
    board = position.level.game.look.board(position)
    return [[top(cell).glyph.encode() for cell in row] for row in board]


def pad_glyph(glyph: bytes, longest: int) -> bytes:
    """Pad a glyph with zeros; GridproofError if it is longer than the glyphs of the starts."""
    if len(glyph) > longest:
        raise GridproofError(
            f"the glyph {short_repr(glyph.decode())} is longer than those at the start: choose observation='text'"
        )
    return glyph.ljust(longest, b"\0")


def create_games(levels: Sequence[Level], *arguments: Any) -> Games:
    """Create games by the kernel, or by the rules if it does not support the levels."""
    try:
        return Games(levels, *arguments)
    except UnsupportedLevels:
        return RuleGames(levels, *arguments)


def compatible_levels(levels: Sequence[Level]) -> list[Level]:
    """Return the levels that can share an environment with the first."""
    forms = list(map(_form, levels))
    return [level for level, form in zip(levels, forms, strict=True) if form == forms[0]]


def _form(level: Level) -> tuple[object, ...]:
    """Return what levels of one environment share: the actions, and the board's size, unless it can be padded."""
    found = packing_of(level)
    if found is None or not found[1].observed:
        board = level.game.look.board(level.start())
        return None, tuple(map(str, actions_of(level))), (len(board), len(board[0]))
    packing = found[1]
    size = len(packing.observed) if packing.framed else packing.observed
    return packing.framed is None, tuple(map(str, packing.actions)), size

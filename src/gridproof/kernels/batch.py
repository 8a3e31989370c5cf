"""Batches: many games of one kind, with one template each that begins, steps and observes them all.

Each game is what a `Session` with its level and seed would be: its start is drawn from stream 0 of the seed,
and the chance of its n-th action from stream n (T18). A play is one row of words: a state, and
behind it the knowledge of its players.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.position import NATURE, Level
from gridproof.core.rng import check_seed
from gridproof.core.text.phrases import short_repr
from gridproof.kernels.chance import derive_mixed, derive_stream
from gridproof.kernels.compile import Hole, borrowing, kernel, specialise
from gridproof.kernels.game import PLAYING, REFUSED, Packing, packing_of
from gridproof.kernels.states import mix

U = np.uint64
BOOL, UINT8, INT64, UINT64 = map(np.dtype, (np.bool_, np.uint8, np.int64, np.uint64))
Array = np.ndarray[Any, Any]

step: Any = Hole()
begin: Any = Hole()
status_of: Any = Hole()
observe: Any = Hole()
mask: Any = Hole()


class LevelTable(NamedTuple):
    """Levels of a batch."""

    data: Array
    """(levels, n): of each level, as its packing has it"""
    widths: Array
    """int64 (levels,): words that are played"""
    starts: Array
    """uint64 (levels, words)"""


class GameTable(NamedTuple):
    """States of games, and the results of their last step."""

    levels: Array
    """int64 (games,)"""
    plays: Array
    """uint64 (games, words)"""
    mixed: Array
    """uint64 (games,): the seeds, mixed"""
    counts: Array
    """int64 (games,): the actions done"""
    statuses: Array
    """uint8 (games,)"""
    rewards: Array
    """int64 (games,)"""
    events: Array
    """uint8 (games,)"""


@kernel
def keep_start(data: Any, random: Any, out: Any) -> None:
    """Keep the start: the `begin` of games without random starts."""


def begin_all(among: LevelTable, games: GameTable, wanted: Any, seeds: Any, over: Any) -> Any:
    """Begin the games that are marked in `over`, each on its wanted level.

    Where there is no such level, no game begins: returns the number of the first one of these games, else -1.
    """
    (data, widths, starts), (levels, plays, mixed, counts, statuses, _, _) = among, games
    for game in range(U(levels.shape[0])):
        if over[game] and U(wanted[game]) >= U(widths.shape[0]):  # a negative one is larger, too
            return np.int64(game)
    random = np.empty(1, np.uint64)
    for game in range(U(levels.shape[0])):
        if not over[game]:
            continue
        levels[game] = wanted[game]
        level, count = U(levels[game]), U(widths[levels[game]])
        for word in range(count):
            plays[game, word] = starts[level, word]
        mixed[game] = mix(seeds[game])
        random[0] = derive_mixed(mixed[game], 0)
        begin(data[level], random, plays[game, :count])
        statuses[game] = status_of(data[level], plays[game, :count])
        counts[game] = 0
    return np.int64(-1)


def step_all(
    among: LevelTable, games: GameTable, actions: Any, random: Any, out: Any, first: Any, last: Any
) -> None:
    """Do an action in each of the games from `first` to `last`; an illegal one changes no state.

    `random`, uint64 (games,), and `out`, uint64 (words,), are room to work in.
    """
    (data, widths, _), (levels, plays, mixed, counts, statuses, rewards, events) = among, games
    for game in range(U(first), U(last)):  # an unsigned index is not looked at for its sign
        random[game] = derive_mixed(mixed[game], counts[game] + 1)  # several at a time, in a loop of its own
    for game in range(U(first), U(last)):
        level = U(levels[game])
        count = U(widths[level])
        drawn = random[game : game + U(1)]
        reward, status, event = step(data[level], plays[game, :count], actions[game], drawn, out[:count])
        for word in range(count):
            plays[game, word] = out[word]
        counts[game] += event != REFUSED
        rewards[game], statuses[game], events[game] = reward, status, event


def observe_all(among: LevelTable, games: GameTable, player: Any, out: Any) -> None:
    """Write what a player sees in each of the games."""
    (data, widths, _), (levels, plays, _, _, _, _, _) = among, games
    for game in range(levels.shape[0]):
        level = levels[game]
        observe(data[level], plays[game, : widths[level]], player, out[game])


def mask_all(among: LevelTable, games: GameTable, masks: Any) -> None:
    """Write which actions are executable in each of the games."""
    (data, widths, _), (levels, plays, _, _, _, _, _) = among, games
    for game in range(levels.shape[0]):
        level = levels[game]
        mask(data[level], plays[game, : widths[level]], masks[game])


class Batch:
    """Games on some levels of one game, which must have equally many actions, all played at once.

    Parameters
    ----------
    levels : sequence of Level
    games : int
        Number of games; they take the levels in turn, until `level` is set.
    seed : int
        Game number i has the seed `derive(seed, i)`, until `seeds` is set.

    Attributes
    ----------
    level : int64 (games,)
        The level on which each game begins the next time.
    current : int64 (games,)
        The level of each game.
    seeds : uint64 (games,)
        Read when a game begins.
    counts, rewards : int64 (games,)
        The actions done in each game; the points of the last step.
    status, events : uint8 (games,)
        After the last step: PLAYING, WON or LOST; REFUSED, DONE, or another event of the game.

    Raises
    ------
    GridproofError
        When the levels cannot be played together by a kernel, there is no game or the seed is none.
    """

    def __init__(self, levels: Sequence[Level], games: int, seed: int = 0) -> None:
        if not isinstance(games, int | np.integer) or games < 1:
            raise GridproofError(
                f"the number of games is a whole number, at least 1, not {short_repr(games)}"
            )
        if wrong := [level for level in levels if not isinstance(level, Level)]:
            raise GridproofError(f"games are played on levels, not on {short_repr(wrong[0])}")
        check_seed(seed)
        found = [packing_of(level) for level in levels]
        packings = [one[1] for one in found if one]
        if not found or len(packings) < len(found) or found[0] is None:
            raise GridproofError("games are played at once on levels that a kernel can hold")
        kernel_of_game = found[0][0]
        if len({(one.level.game.name, len(one.actions)) for one in packings}) != 1:
            raise GridproofError("games are played at once on levels of one game with equally many actions")
        self.packings, self.kernel = packings, kernel_of_game
        self.data = stack_rows([one.data for one in packings])
        self.widths = np.array([one.words + one.memory for one in packings])
        starts = stack_rows([start_of(one) for one in packings])
        self._levels = LevelTable(self.data, self.widths, starts)
        self.level = np.arange(games, dtype=np.int64) % len(packings)
        self.current = self.level.copy()
        players = (set(one.level.game.actors(one.level)) - {NATURE} for one in packings)
        self._players = min(map(len, players))
        seen = [int(np.prod(one.observed)) if one.observed else 0 for one in packings]
        self._symbols = max(seen) if kernel_of_game.env.observe is not None and all(seen) else 0
        self.plays = np.zeros((games, starts.shape[1]), np.uint64)
        self.seeds = np.array([derive_stream(np.uint64(seed), number) for number in range(games)], np.uint64)
        self.counts, self.rewards = np.zeros(games, np.int64), np.zeros(games, np.int64)
        self.status, self.events = np.full(games, PLAYING, np.uint8), np.zeros(games, np.uint8)
        mixed = np.zeros(games, np.uint64)
        results = self.status, self.rewards, self.events
        self._games = GameTable(self.current, self.plays, mixed, self.counts, *results)
        begin = kernel_of_game.env.begin or keep_start
        self._begin = kernel(begin_all, begin=begin, status_of=kernel_of_game.status)
        self._step = borrowing(step_all, step=kernel_of_game.step)
        self._room = np.zeros(games, np.uint64), np.zeros(self.plays.shape[1], np.uint64)
        self._settled: Any = None
        self.begin(np.ones(games, np.uint8))

    def begin(self, over: Array) -> None:
        """Begin the marked games, bool or uint8 (games,), on their `level` and from their `seeds`.

        GridproofError when a game that is marked is to begin on a level that there is not: then no game begins.
        """
        games = self.plays.shape[:1]
        _check("the marks", over, games, BOOL, UINT8)
        _check("level", self.level, games, INT64)
        _check("seeds", self.seeds, games, UINT64)
        wrong = self._begin(self._levels, self._games, self.level, self.seeds, over)
        if wrong >= 0:
            levels = f"there are 0 to {len(self.packings) - 1}"
            raise GridproofError(f"game {wrong} is to begin on level {self.level[wrong]}: {levels}")

    def step(self, actions: Array) -> None:
        """Do an action in each game: numbers as `Level.all_actions` has them, nature's too, int64 (games,)."""
        _check("the actions", actions, self.plays.shape[:1], INT64)
        given = np.ascontiguousarray(actions), *self._room, 0, len(self.plays)
        if self._settled is None:  # not before: it may be compiled for that
            self._settled = specialise(self._step, self._levels, self._games, *given)
        self._settled(self._levels, self._games, *given)

    def observe(self, out: Array, player: int = 0) -> None:
        """Write what a player sees of each game into uint8 (games, symbols).

        GridproofError when a level has no such player or is not observed.
        """
        if not isinstance(player, int | np.integer) or not 0 <= player < self._players:
            raise GridproofError(
                f"there is no player {short_repr(player)}: there are 0 to {self._players - 1}"
            )
        if not self._symbols:
            raise GridproofError("these levels have no observation; a board may be too large")
        _check("what is seen", out, (len(self.plays), self._symbols), UINT8, written=True)
        work = kernel(observe_all, observe=self.kernel.env.observe)
        work(self._levels, self._games, player, out)

    def mask(self, out: Array) -> None:
        """Write which actions are executable in each game into uint8 (games, actions)."""
        shape = len(self.plays), len(self.packings[0].actions)
        _check("the mask", out, shape, UINT8, written=True)
        kernel(mask_all, mask=self.kernel.mask)(self._levels, self._games, out)


def _check(
    what: str, array: Any, shape: tuple[int, ...], *types: np.dtype[Any], written: bool = False
) -> None:
    """Check an array: kernels ignore the shape, and would read or write beside a wrong one."""
    if not isinstance(array, np.ndarray):
        found = f"a {type(array).__name__}"
    elif array.shape != shape or array.dtype not in types:
        found = f"{array.dtype} {array.shape}"
    elif written and not array.flags.writeable:
        found = "an array that cannot be written to"
    else:
        return
    names = " or ".join(one.name for one in types)
    raise GridproofError(f"{what}: {names} {shape} is needed, not {found}")


def start_of(packing: Packing) -> Array:
    """Return a start of a level, with the words of its players' memory behind it."""
    return np.append(packing.pack(packing.level.start()), np.zeros(packing.memory, np.uint64))


def stack_rows(rows: Sequence[Array]) -> Array:
    """Stack rows of different lengths in one array, with zeros behind the shorter ones."""
    table = np.zeros((len(rows), max(map(len, rows))), rows[0].dtype)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return table

"""Many games of one kind at once: one template each that begins, steps and observes them all.

Each game is what a `Session` with its level and seed would be: its start is drawn from stream 0 of the seed,
and the chance of its n-th action from stream n (T18). What is played stands in one row of words: a state, and
behind it what its players have been told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.position import NATURE, Level
from gridproof.core.rng import check_seed
from gridproof.core.wording import shown
from gridproof.kernels.chance import derived, derived_of
from gridproof.kernels.compile import Hole, borrowing, kernel
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


@kernel
def begins_given(data: Any, random: Any, out: Any) -> None:
    """The `begin` of games whose starts are not drawn."""


def begin_all(
    data: Any,
    wanted: Any,
    levels: Any,
    widths: Any,
    starts: Any,
    plays: Any,
    seeds: Any,
    mixed: Any,
    counts: Any,
    statuses: Any,
    over: Any,
) -> Any:
    """Begin the games that are marked in `over`, each on the level that is wanted.

    Where there is no such level, no game begins: returns the number of the first one of these games, else -1.
    """
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
        random[0] = derived_of(mixed[game], 0)
        begin(data[level], random, plays[game, :count])
        statuses[game] = status_of(data[level], plays[game, :count])
        counts[game] = 0
    return np.int64(-1)


def step_all(
    data: Any,
    levels: Any,
    widths: Any,
    plays: Any,
    mixed: Any,
    counts: Any,
    actions: Any,
    rewards: Any,
    statuses: Any,
    events: Any,
    random: Any,
    out: Any,
    first: Any,
    last: Any,
) -> None:
    """Do an action in each of the games from `first` to `last`; what cannot be done changes no state."""
    for game in range(U(first), U(last)):  # an unsigned index is not looked at for its sign
        random[game] = derived_of(mixed[game], counts[game] + 1)  # several at a time, in a loop of its own
    for game in range(U(first), U(last)):
        level = U(levels[game])
        count = U(widths[level])
        drawn = random[game : game + U(1)]
        reward, status, event = step(data[level], plays[game, :count], actions[game], drawn, out[:count])
        for word in range(count):
            plays[game, word] = out[word]
        counts[game] += event != REFUSED
        rewards[game], statuses[game], events[game] = reward, status, event


def observe_all(data: Any, levels: Any, widths: Any, plays: Any, player: Any, out: Any) -> None:
    """What a player sees in each of the games."""
    for game in range(levels.shape[0]):
        level = levels[game]
        observe(data[level], plays[game, : widths[level]], player, out[game])


def mask_all(data: Any, levels: Any, widths: Any, plays: Any, masks: Any) -> None:
    """Which actions are executable in each of the games."""
    for game in range(levels.shape[0]):
        level = levels[game]
        mask(data[level], plays[game, : widths[level]], masks[game])


class Batch:
    """Games on some levels of one game, which must have equally many actions, all played at once.

    Parameters
    ----------
    levels : sequence of Level
    games : int
        How many are played at once; they take the levels in turn, until `level` says otherwise.
    seed : int
        Game number i has the seed `derive(seed, i)`, until `seeds` says otherwise.

    Attributes
    ----------
    level : int64 (games,)
        On which of the levels each game begins the next time.
    current : int64 (games,)
        On which of the levels each game is.
    seeds : uint64 (games,)
        Looked at when a game begins.
    counts, rewards : int64 (games,)
        The actions done in each game; what the last step gained.
    status, events : uint8 (games,)
        After the last step: PLAYING, WON or LOST; REFUSED, DONE, or what the game says more.

    Raises
    ------
    GridproofError
        When the levels cannot be played together by a kernel, there is no game or the seed is none.
    """

    def __init__(self, levels: Sequence[Level], games: int, seed: int = 0) -> None:
        if not isinstance(games, int | np.integer) or games < 1:
            raise GridproofError(f"the number of games is a whole number, at least 1, not {shown(games)}")
        if wrong := [level for level in levels if not isinstance(level, Level)]:
            raise GridproofError(f"games are played on levels, not on {shown(wrong[0])}")
        check_seed(seed)
        found = [packing_of(level) for level in levels]
        packings = [one[1] for one in found if one]
        if not found or len(packings) < len(found) or found[0] is None:
            raise GridproofError("games are played at once on levels that a kernel can hold")
        kernel_of_game = found[0][0]
        if len({(one.level.game.name, len(one.actions)) for one in packings}) != 1:
            raise GridproofError("games are played at once on levels of one game with equally many actions")
        self.packings, self.kernel = packings, kernel_of_game
        self.data = stacked([one.data for one in packings])
        self.widths = np.array([one.words + one.memory for one in packings])
        self._starts = stacked([start_of(one) for one in packings])
        self.level = np.arange(games, dtype=np.int64) % len(packings)
        self.current = self.level.copy()
        players = (set(one.level.game.actors(one.level)) - {NATURE} for one in packings)
        self._players = min(map(len, players))
        seen = [int(np.prod(one.observed)) if one.observed else 0 for one in packings]
        self._symbols = max(seen) if kernel_of_game.observe is not None and all(seen) else 0
        self.plays = np.zeros((games, self._starts.shape[1]), np.uint64)
        self.seeds = np.array([derived(np.uint64(seed), number) for number in range(games)], np.uint64)
        self._mixed = np.zeros(games, np.uint64)
        self.counts, self.rewards = np.zeros(games, np.int64), np.zeros(games, np.int64)
        self.status, self.events = np.full(games, PLAYING, np.uint8), np.zeros(games, np.uint8)
        begin = kernel_of_game.begin or begins_given
        self._begin = kernel(begin_all, begin=begin, status_of=kernel_of_game.status)
        self._step = borrowing(step_all, step=kernel_of_game.step)
        self._room = np.zeros(games, np.uint64), np.zeros(self.plays.shape[1], np.uint64)
        self.begin(np.ones(games, np.uint8))

    def begin(self, over: Array) -> None:
        """Begin the games that are marked, bool or uint8 (games,), on their `level` and from their `seeds`.

        Raises
        ------
        GridproofError
            When the marks, `level` or `seeds` have another shape or type; or when a game that is marked is to
            begin on a level that there is not: then no game begins.
        """
        games = self.plays.shape[:1]
        _check("the marks", over, games, BOOL, UINT8)
        _check("level", self.level, games, INT64)
        _check("seeds", self.seeds, games, UINT64)
        plays = self.current, self.widths, self._starts, self.plays, self.seeds, self._mixed, self.counts
        wrong = self._begin(self.data, self.level, *plays, self.status, over)
        if wrong >= 0:
            levels = f"there are 0 to {len(self.packings) - 1}"
            raise GridproofError(f"game {wrong} is to begin on level {self.level[wrong]}: {levels}")

    def step(self, actions: Array) -> None:
        """Do an action in each game: numbers as `Level.all_actions` has them, nature's too, int64 (games,).

        Raises
        ------
        GridproofError
            When the actions have another shape or type.
        """
        _check("the actions", actions, self.plays.shape[:1], INT64)
        told = self.rewards, self.status, self.events
        plays = self.current, self.widths, self.plays, self._mixed, self.counts
        self._step(self.data, *plays, actions, *told, *self._room, 0, len(self.plays))

    def observe(self, out: Array, player: int = 0) -> None:
        """Write what a player sees of each game into uint8 (games, symbols).

        Raises
        ------
        GridproofError
            When a level has no such player or is not observed, or `out` has another shape or type.
        """
        if not isinstance(player, int | np.integer) or not 0 <= player < self._players:
            raise GridproofError(f"there is no player {shown(player)}: there are 0 to {self._players - 1}")
        if not self._symbols:
            raise GridproofError("these levels are not observed: a board may be too large for that")
        _check("what is seen", out, (len(self.plays), self._symbols), UINT8, written=True)
        self._each(kernel(observe_all, observe=self.kernel.observe), player, out)

    def mask(self, out: Array) -> None:
        """Write which actions are executable in each game into uint8 (games, actions).

        Raises
        ------
        GridproofError
            When `out` has another shape or type.
        """
        shape = len(self.plays), len(self.packings[0].actions)
        _check("the mask", out, shape, UINT8, written=True)
        self._each(kernel(mask_all, mask=self.kernel.mask), out)

    def _each(self, work: Any, *given: Any) -> None:
        work(self.data, self.current, self.widths, self.plays, *given)


def _check(
    what: str, array: Any, shape: tuple[int, ...], *types: np.dtype[Any], written: bool = False
) -> None:
    """Kernels do not look at the shape: what is wrong would be read, or written, beside the array."""
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
    """A start of a level, with the words of its players' memory behind it."""
    return np.append(packing.pack(packing.level.start()), np.zeros(packing.memory, np.uint64))


def stacked(rows: Sequence[Array]) -> Array:
    """Rows of different lengths in one array, with zeros behind the shorter ones."""
    table = np.zeros((len(rows), max(map(len, rows))), rows[0].dtype)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return table

"""Kernel of a game: its rules on packed words, and the data of one level."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.position import Level, Position
from gridproof.kernels.compile import Hole, borrowing

PLAYING, WON, LOST = 0, 1, 2
"""Results of the compiled `status`."""

REFUSED, DONE = 0, 1
"""The events of a step that every game has: the action was not executable, or it was done."""

Compiled = Any
"""A function made by `gridproof.kernels.compile.kernel`."""


def _always(position: Any) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Packing:
    """A prepared level: its data, and the conversion of its positions to words."""

    level: Level
    words: int
    """K, the uint64 words of a state."""
    most: int
    """No state has more outcomes, all actions together (nature's apart)."""
    data: np.ndarray[Any, Any]
    """Array (n,): the level's numbers and tables, all in one array of int64 or, in all levels of the game, uint64:
    the first argument of every compiled function. Each array handed over costs some nanoseconds a call; and levels
    of one size stand side by side in a batch."""
    actions: tuple[Any, ...]
    """All actions of the level's players, at their numbers: those with which `Level.all_actions` begins."""
    pack: Callable[[Any], np.ndarray[Any, Any]]
    """The words of a position of the level, an array of shape (K,)."""
    unpack: Callable[[np.ndarray[Any, Any]], Position[Any]]
    """The position of K words: `unpack(pack(p)) == p`."""
    most_of_nature: int = 0
    """No state has more outcomes of nature's actions."""
    most_before: int = 0
    """No state has more predecessors; 0 where the kernel does not tell them."""
    memory: int = 0
    """Words that stand behind those of a state while it is played: the knowledge of its players."""
    observed: tuple[int, ...] = ()
    """The shape of a player's observation."""
    symbols: int = 256
    """Upper bound of the symbols of an observation, exclusive."""
    framed: Callable[[tuple[int, ...]], np.ndarray[Any, Any]] | None = None
    """The data with which the board is observed in a larger shape, for levels that are seen together; None where a
    board cannot be larger than it is."""
    fits: Callable[[Any], bool] = _always
    """Returns whether a position of the level and all that can be reached from it can be packed; everything that can
    be reached from the level's starts can."""
    from_symbols: Callable[[np.ndarray[Any, Any]], Position[Any] | None] | None = None
    """The position with an observation of the shape `observed`: the inverse of `observe`. For other symbols it may be
    None or any position. None where observations do not contain the position."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """A level whose positions are numbered without (large) gaps, so that a few bits keep each.

    Its players' actions must be reversible: where something leads from p to q, something leads from
    q to p, except that ended positions have no actions.
    """

    level: Level
    size: int
    """Ranks are 0 to size - 1."""
    most: int
    """No state has more successors."""
    data: np.ndarray[Any, Any]
    """Array (n,): the first argument of the compiled `ranked_successors`."""
    rank: Callable[[Any], int]
    """The rank of a position of the level, an int. One that cannot be reached from the level's starts may have any: `has`."""
    unrank: Callable[[int], Position[Any]]
    """The position of a rank."""
    numbers: np.ndarray[Any, Any]
    """int32 (most,): the number of the action that leads to a rank's k-th successor, for every k."""
    scratch: int = 0
    """Words of room that the compiled function needs."""

    def has(self, position: Position[Any]) -> bool:
        """Return whether a position has a rank that it does not share with another one."""
        if position.level != self.level:
            return False
        rank = self.rank(position)
        return 0 <= rank < self.size and self.unrank(rank) == position


def join_tables(numbers: Sequence[int], tables: Sequence[Iterable[int]]) -> np.ndarray[Any, Any]:
    """Join a level's data, int64: some numbers, then the start of each table, then the tables."""
    rows = [np.fromiter(table, np.int64) for table in tables]
    begins = np.cumsum([len(numbers) + len(rows), *map(len, rows)])[:-1]
    return np.concatenate([np.array([*numbers], np.int64), begins, *rows])


def _numbers(level: Level, name: str, arguments: tuple[int | str, ...]) -> tuple[int, ...] | None:
    """Return arguments that are numbers already, else None."""
    numbers = tuple(value for value in arguments if isinstance(value, int))
    return numbers if len(numbers) == len(arguments) else None


def _no_symmetry(packing: Packing) -> np.ndarray[Any, Any] | None:
    return None


@dataclass(frozen=True, kw_only=True)
class SymmetryKernel:
    """Symmetry of positions: without `canonicalize`, there is none.

    The outcomes of a position are, up to symmetry, those of every other position of its orbit.
    """

    canonicalize: Compiled = None
    """(data, symmetry, state): replaces a state by another of its orbit, the same for all, or for as many as possible."""
    data: Callable[[Packing], np.ndarray[Any, Any] | None] = _no_symmetry
    """The second argument of `canonicalize` for a level; None where nothing would be gained."""
    size: Compiled = None
    """(data, symmetry, state) -> int64: the number of positions in the orbit; negative where `canonicalize` may have left
    two different states of it. Without it, positions are not counted."""
    invariant: frozenset[str] = frozenset()
    """The names of propositions and numbers with one value in all positions of an orbit, whatever their arguments."""


@dataclass(frozen=True, kw_only=True)
class SearchKernel:
    """Functions that direct searches: each may be left out."""

    predecessors: Compiled = None
    """Predecessors, with the parameters of `GameKernel.successors`: all states, none of them ended, from which a player's action can
    lead to this one. Only `out` is filled in."""
    bounds: Mapping[tuple[str, int], Compiled] = field(default_factory=dict)
    """The lower bounds of propositions that have one, by name and number of arguments: as `GameKernel.propositions`."""
    cost: Compiled = None
    """(tables, state, action, after, measure) -> int64: the cost of the action with this number that leads from
    one state to another, by the game's measure of this number: `Game.measures`, from 0."""
    symmetry: SymmetryKernel = SymmetryKernel()
    """Symmetry of positions, for searches that take one position of each orbit."""


@dataclass(frozen=True, kw_only=True)
class EnvKernel:
    """Functions for environments besides `step` and `mask`: each may be left out. Without `observe` they go by the rules."""

    observe: Compiled = None
    """(data, state, player, out): the observation of the player of that number, among the level's actors: symbols
    into uint8 (the packing's observed, in one row). The state has the words of its memory behind it."""
    begin: Compiled = None
    """(data, random, out): where starts are drawn, puts one that `random` draws into `out`, which holds some
    start of the level."""
    update: Compiled = None
    """(data, state, number, random, room, seen, mask) -> reward, status: does an executable action of a player, as `step`
    does, and brings up to date what its player sees (the first one's, as `observe` has it) and `mask`: both hold what
    they held before the action, so that only what has changed need be written. `room` is as large as the state, and
    of no meaning. Where a kernel has none it is made of `step`, `observe` and `mask`; environments are quicker by one."""
    boards: BoardKernel | None = None
    """Other functions, on states that are faster to step."""


@dataclass(frozen=True, kw_only=True)
class BoardKernel:
    """Functions for environments on states of their own, which need not be fast to search, nor canonical.

    Each takes the data and states of its own packing.
    """

    prepare: Callable[[Packing, tuple[int, ...]], Packing | None]
    """The packing for observations of a shape, from the level's packing; None if it has none: then no level uses them."""
    status: Compiled
    mask: Compiled
    propositions: Mapping[tuple[str, int], Compiled]
    """Numbers without arguments that rewards may measure; those with other measures use the other functions."""
    env: EnvKernel
    """With `observe` and `update`."""


@dataclass(frozen=True, kw_only=True)
class RankedKernel:
    """The rules on ranks, where positions are numbered with few gaps: without `ranking`, nowhere."""

    ranking: Callable[[Any], Ranking | None] | None = None
    """The ranking of a level; None when it has none."""
    successors: Compiled = None
    """(data, rank, out, scratch, through) -> n: the ranks of a rank's successors, into int64 (most,).
    Ended positions have none, unless `through` is true: then what their actions would lead to.
    `scratch` is uint64 (the ranking's scratch,), of no meaning afterwards."""
    state: Compiled = None
    """(data, rank, out): the words of a rank's position, as the level's packing has them."""
    expand: Compiled = None
    """(data, rank, out, scratch, state) -> n: the successors, and into `state` the words of the rank's position. Proofs of
    invariants are quicker by it."""


@dataclass(frozen=True, kw_only=True)
class GameKernel:
    """A game's compiled functions: the value `KERNEL` of its extension `kernel`.

    Every one takes a level's data first; a state is uint64 of shape (K,).
    """

    prepare: Callable[[Any], Packing | None]
    """The packing of a level; None when it is too large: engines then go by the rules."""
    successors: Compiled
    """(data, state, out, action, reward, weight) -> n: all outcomes of all players' actions, in the
    order of the rules. `out` is uint64 (most, K), `action` int32 (most,) the action's number in
    `Level.all_actions`, `reward` int64 (most,), `weight` int64 (most,): an outcome's probability is its
    weight divided by the sum of those of the same action."""
    status: Compiled
    """(data, state) -> PLAYING, WON or LOST, as `Position.status`."""
    step: Compiled
    """(data, state, number, random, out) -> reward, status, event: the state after action `number`, as
    `Level.all_actions` has it, nature's too, with chance drawn as the rules do from `random`, a uint64 array of shape (1,): the state of a
    `gridproof.core.rng.Rng`, moved on. An action that is not executable leaves the state and `random` as
    they are, and the event is REFUSED; else it is DONE, or another event of the game. The state may have the
    words of its memory behind it, which are then kept."""
    mask: Compiled
    """(data, state, mask): sets uint8 (actions,) to 1 where the action is executable, else 0. Environments take its word
    for that: they step no other."""
    propositions: Mapping[tuple[str, int], Compiled] = field(default_factory=dict)
    """Each of the game's own, by name and number of arguments: (tables, state, arguments) -> int64;
    the arguments are an int64 array."""
    numbers: Callable[[Any, str, tuple[int | str, ...]], tuple[int, ...] | None] = _numbers
    """The arguments of a proposition of that name on a level, as numbers; None when there are none."""
    nature: Compiled = None
    """Outcomes of nature's actions, as of `successors`."""
    search: SearchKernel = SearchKernel()
    """Functions that direct searches."""
    env: EnvKernel = EnvKernel()
    """Functions for environments."""
    ranked: RankedKernel = RankedKernel()
    """The rules on ranks."""


def kernel_of(game: Game) -> GameKernel | None:
    """Import and return the kernel of a game; None when the game has none."""
    return find_extension(game, "kernel", GameKernel)


def packing_of(level: Level) -> tuple[GameKernel, Packing] | None:
    """Return the kernel and the packing of a level; None when the rules must do."""
    kernel = kernel_of(level.game)
    packing = kernel.prepare(level) if kernel else None
    return (kernel, packing) if kernel and packing else None


# -- `update` made of `step`, `observe` and `mask`


step: Any = Hole()
observe: Any = Hole()
allow: Any = Hole()


def by_parts(data: Any, state: Any, number: Any, random: Any, room: Any, seen: Any, mask: Any) -> Any:
    """Do an executable action, and write observation and mask anew."""
    gained, status, _ = step(data, state, number, random, room)
    for word in range(np.uint64(state.shape[0])):
        state[word] = room[word]
    observe(data, state, 0, seen)
    allow(data, state, mask)
    return gained, status


def make_update(stepping: Any, observing: Any, masking: Any) -> Any:
    """Make the `update` of a kernel that has no quicker one, of its `step`, `observe` and `mask`."""
    return borrowing(by_parts, step=stepping, observe=observing, allow=masking)

"""Comparison of kernels with rules: positions, outcomes, probabilities."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import types
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.game import Proposition
from gridproof.core.position import NATURE, Level, Position, Status
from gridproof.core.proposition import propositions
from gridproof.core.rng import Rng
from gridproof.kernels.chance import stream
from gridproof.kernels.game import LOST, PLAYING, REFUSED, WON, GameKernel, Packing, Ranking, packing_of
from gridproof.testing.proposition_arguments import arguments_of

_FAR = 1 << 30
"""From this value on a kernel's bound may be lower than the rules': searches cut all bounds to it."""
_STATUS = {Status.PLAYING: PLAYING, Status.WON: WON, Status.LOST: LOST}


class Disagreement(AssertionError):
    """A kernel differs from its rules."""


def check_kernel(
    level: Level,
    *,
    seed: int = 0,
    walks: int = 2,
    depth: int = 30,
    whole: int = 0,
    nature: bool = False,
    plain: bool = False,
) -> int:
    """Compare a level's kernel with its rules on random walks, and on the first `whole` positions.

    With `nature`, positions reached by nature's actions are among the first ones. `plain` runs the kernel's functions
    as Python, not compiled.

    Returns
    -------
    int
        Number of compared positions; 0 when the kernel leaves the level to the rules.

    Raises
    ------
    Disagreement
        At the first difference, with the position.
    """
    found = packing_of(level)
    if found is None:
        return 0
    kernel, packing = found
    checker = _Checker(kernel_to_python(kernel) if plain else kernel, packing, seed)
    positions = itertools.chain(
        _random_walks(level, seed, walks, depth), _breadth_first(level, whole, nature)
    )
    return sum(checker.check(position) for position in positions)


def _random_walks(level: Level, seed: int, walks: int, depth: int) -> Iterator[Position[Any]]:
    for walk in range(walks):
        rng = Rng(seed, walk)
        position = level.start(seed)
        yield position
        for _ in range(depth):
            actions = position.all_actions()
            if not actions:
                break
            position = position.step(rng.choice(actions), rng).position
            yield position


def _breadth_first(level: Level, most: int, nature: bool) -> Iterator[Position[Any]]:
    found = dict.fromkeys(outcome.position for outcome in itertools.islice(level.starts(), most))
    queue = list(found)
    for position in queue:
        yield position
        for action in position.all_actions() if nature else position.actions():
            for outcome in position.outcomes(action):
                if outcome.position not in found and len(found) < most:
                    found[outcome.position] = None
                    queue.append(outcome.position)


class _Checker:
    def __init__(self, kernel: GameKernel, packing: Packing, seed: int) -> None:
        self.kernel, self.packing, self.seed = kernel, packing, seed
        most = max(packing.most, packing.most_of_nature, packing.most_before)
        self.out = np.zeros((most, packing.words), np.uint64)
        self.action = np.zeros(most, np.int32)
        self.reward = np.zeros(most, np.int64)
        self.weight = np.zeros(most, np.int64)
        self.actions = packing.level.all_actions()
        self.mask = np.zeros(len(packing.actions), np.uint8)
        self.ranking = kernel.ranked.ranking(packing.level) if kernel.ranked.ranking else None
        self.values = list(_values(kernel, packing.level))

    def check(self, position: Position[Any]) -> int:
        state = self.packing.pack(position)
        self._same(position, "unpack(pack)", self.packing.unpack(state), position)
        status = self.kernel.status(self.packing.data, state)
        self._same(position, "status", int(status), _STATUS[position.status])
        self._check_mask(position, state)
        self._check_outcomes(position, state, self.kernel.successors, position.actions())
        if self.packing.most_of_nature and self.kernel.nature is not None:
            self._check_outcomes(position, state, self.kernel.nature, position.actions(NATURE))
        self._check_steps(position, state)
        if self.kernel.env.update is not None and self.packing.observed:
            self._check_updates(position, state)
        self._check_values(position, state)
        if self.packing.most_before:
            self._check_predecessors(position)
        if self.ranking is not None:
            self._check_ranks(position, self.ranking)
        return 1

    def _same(self, position: Position[Any], what: str, got: object, wanted: object) -> None:
        if got != wanted:
            raise Disagreement(f"{what}: the kernel says {got}, the rules {wanted}, of\n{position.text()}")

    def _check_mask(self, position: Position[Any], state: Any) -> None:
        self.kernel.mask(self.packing.data, state, self.mask)
        allowed = [action for action, one in zip(self.packing.actions, self.mask, strict=True) if one]
        self._same(position, "mask", list(map(str, allowed)), list(map(str, position.actions())))

    def _check_outcomes(
        self, position: Position[Any], state: Any, function: Any, actions: Iterable[Any]
    ) -> None:
        count = function(self.packing.data, state, self.out, self.action, self.reward, self.weight)
        whole: Counter[int] = Counter()
        for number, weight in zip(self.action[:count].tolist(), self.weight[:count].tolist(), strict=True):
            whole[number] += weight
        got = [
            (
                str(self.actions[self.action[i]]),
                self.packing.unpack(self.out[i]),
                int(self.reward[i]),
                Fraction(int(self.weight[i]), whole[int(self.action[i])]),
            )
            for i in range(count)
        ]
        wanted = [
            (str(action), outcome.position, outcome.reward, outcome.probability)
            for action in actions
            for outcome in position.outcomes(action)
        ]
        self._same(position, "number of outcomes", len(got), len(wanted))
        for one, other in zip(got, wanted, strict=True):
            self._same(position, "outcome", one, other)

    def _check_steps(self, position: Position[Any], state: Any) -> None:
        out = np.zeros(self.packing.words, np.uint64)
        numbers = {str(action): number for number, action in enumerate(self.actions)}
        executable = {str(action) for actor in (None, NATURE) for action in position.actions(actor)}
        for name, number in numbers.items():
            random = stream(self.seed, number)
            got = tuple(map(int, self.kernel.step(self.packing.data, state, number, random, out)))
            after = self.packing.unpack(out)
            if name in executable:
                rng = Rng(self.seed, number)
                outcome = position.step(position.action(name), rng)
                wanted = outcome.reward, _STATUS[outcome.position.status]
                self._same(position, f"step {name}", after, outcome.position)
                self._same(position, f"reward and status of {name}", got[:2], wanted)
                self._same(position, f"whether {name} was done", got[2] != REFUSED, True)
                continue
            self._same(position, f"step {name}, which is refused", after, position)
            self._same(position, f"what {name} says", got, (0, _STATUS[position.status], REFUSED))
            self._same(position, f"chance drawn by {name}", int(random[0]), int(stream(self.seed, number)[0]))

    def _check_updates(self, position: Position[Any], state: Any) -> None:
        """Check that an update is a step with the observation and the mask after it."""
        data, out = self.packing.data, np.zeros_like(state)
        for number in map(int, np.flatnonzero(self._observe(state)[1])):
            random = stream(self.seed, number)
            after, (seen, mask) = state.copy(), self._observe(state)
            got = self.kernel.env.update(data, after, number, random, np.empty_like(state), seen, mask)
            updated = *map(int, got), *after.tolist(), seen.tolist(), mask.tolist()
            done = self.kernel.step(data, state, number, stream(self.seed, number), out)
            wanted = *map(int, done[:2]), *out.tolist(), *(one.tolist() for one in self._observe(out))
            self._same(position, f"update by {self.packing.actions[number]}", updated, wanted)

    def _observe(self, state: Any) -> tuple[Any, Any]:
        """Return the first player's observation of a state, and the mask."""
        seen = np.zeros(int(np.prod(self.packing.observed)), np.uint8)
        mask = np.zeros(len(self.packing.actions), np.uint8)
        self.kernel.env.observe(self.packing.data, state, 0, seen)
        self.kernel.mask(self.packing.data, state, mask)
        return seen, mask

    def _check_values(self, position: Position[Any], state: Any) -> None:
        for item in self.values:
            got = item.compiled(self.packing.data, state, np.array(item.numbers, np.int64))
            wanted = item.function(position, *item.arguments)
            if item.is_bound and got <= wanted >= _FAR:
                continue
            self._same(position, f"{item.what}{item.arguments}", int(got), int(wanted))

    def _check_predecessors(self, position: Position[Any]) -> None:
        """Check that each predecessor leads here and has not ended, and that all successors have this predecessor."""
        found = self._predecessors(position)
        for before in found:
            self._same(before, "whether a predecessor has ended", before.ended, False)
            self._same(before, "whether it leads to its successor", position in _successors(before), True)
        by_rules = position.level.game.predecessors
        self._same(position, "whether the rules tell what comes before", by_rules is not None, True)
        self._same(position, "predecessors", found, set((by_rules and by_rules(position)) or ()))
        for after in _successors(position):
            self._same(after, "whether it knows its predecessor", position in self._predecessors(after), True)

    def _predecessors(self, position: Position[Any]) -> set[Position[Any]]:
        room = self.out, self.action, self.reward, self.weight
        count = self.kernel.search.predecessors(self.packing.data, self.packing.pack(position), *room)
        return set(map(self.packing.unpack, self.out[:count]))

    def _check_ranks(self, position: Position[Any], ranking: Ranking) -> None:
        rank = ranking.rank(position)
        self._same(position, "unrank(rank)", ranking.unrank(rank), position)
        out, scratch = np.zeros(ranking.most, np.int64), np.zeros(ranking.scratch, np.uint64)
        count = self.kernel.ranked.successors(ranking.data, rank, out, scratch, False)
        got = [
            (str(self.actions[number]), ranking.unrank(int(after)))
            for number, after in zip(ranking.numbers, out[:count], strict=False)
        ]
        wanted = [
            (str(action), *(outcome.position for outcome in position.outcomes(action)))
            for action in position.actions()
        ]
        self._same(position, "successors by ranks", got, wanted)
        if self.kernel.ranked.state is not None:
            state = np.zeros(self.packing.words, np.uint64)
            self.kernel.ranked.state(ranking.data, rank, state)
            self._same(position, "the state of its rank", self.packing.unpack(state), position)
        if self.kernel.ranked.expand is not None:
            after, state = np.zeros_like(out), np.zeros(self.packing.words, np.uint64)
            number = self.kernel.ranked.expand(ranking.data, rank, after, scratch, state)
            self._same(position, "the expansion of its rank", after[:number].tolist(), out[:count].tolist())
            self._same(position, "the state of its expanded rank", self.packing.unpack(state), position)


def _successors(position: Position[Any]) -> set[Position[Any]]:
    return {outcome.position for action in position.actions() for outcome in position.outcomes(action)}


class _Value(NamedTuple):
    """A proposition with valid arguments on a level, or its bound."""

    what: str
    compiled: Any
    function: Callable[..., int]
    arguments: tuple[int | str, ...]
    numbers: tuple[int, ...]
    is_bound: bool


def _values(kernel: GameKernel, level: Level) -> Iterator[_Value]:
    known = propositions(level.game)
    for (name, count), compiled in kernel.propositions.items():
        for arguments, numbers in _valid_arguments(kernel, known[name], level, count):
            yield _Value(name, compiled, known[name].value, arguments, numbers, is_bound=False)
    for (name, count), compiled in kernel.search.bounds.items():
        bound = known[name].bound
        if bound is None:
            raise Disagreement(f"the kernel bounds {name}, the rules do not")
        for arguments, numbers in _valid_arguments(kernel, known[name], level, count):
            yield _Value(f"bound of {name}", compiled, bound, arguments, numbers, is_bound=True)


def _valid_arguments(
    kernel: GameKernel, proposition: Proposition, level: Level, count: int
) -> Iterator[tuple[tuple[int | str, ...], tuple[int, ...]]]:
    """Yield valid arguments, with the kernel's numbers for them."""
    for arguments in arguments_of(proposition, level, count):
        numbers = None
        with contextlib.suppress(GridproofError):
            numbers = kernel.numbers(level, proposition.name, arguments)
        if numbers is not None:
            yield arguments, numbers


# -- kernels as plain Python, for debuggers, coverage and comparison


def to_python(compiled: Any) -> Callable[..., Any]:
    """Return a kernel as a plain function; the kernels that it calls are plain as well."""
    function: Callable[..., Any] = np.errstate(over="ignore")(_plain(compiled.py_func, {}))
    return function


def kernel_to_python(kernel: GameKernel) -> GameKernel:
    """Return a game's kernel with plain functions for compiled ones."""
    plain: GameKernel = _to_python_value(kernel)
    return plain


def _to_python_value(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _to_python_value(item) for name, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = {item.name: _to_python_value(getattr(value, item.name)) for item in dataclasses.fields(value)}
        return dataclasses.replace(value, **parts)
    return to_python(value) if hasattr(value, "py_func") else value


def _plain(function: types.FunctionType, done: dict[Any, types.FunctionType]) -> types.FunctionType:
    if function not in done:
        scope = dict(function.__globals__)
        twin = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
        twin.__kwdefaults__ = function.__kwdefaults__
        done[function] = twin
        for name in function.__code__.co_names:
            found = scope.get(name)
            inner = getattr(found, "py_func", None) or getattr(found, "plain", None)
            if inner is not None:
                scope[name] = _plain(inner, done)
    return done[function]

"""New levels from a seed, each with a certificate of fewest requests, proved.

Belts, broken tiles and hints are drawn on a board, homes on cells that are left, and the robots at a
distance from them that follows from the difficulty of the boards drawn before. A breadth-first search over all
robots' requests then finds the shortest win; boards that nobody can win are dropped.

Difficulty is search effort: how many positions that search (the one of `gp.solve`) has found when it comes
to the first win. It grows with the length of the shortest win and with what else the robots could do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gridproof.core.distances import cell_distances
from gridproof.core.errors import GridproofError, InvalidLevel
from gridproof.core.generate import (
    Generator,
    MeasuredDifficulty,
    best,
    check_optional,
    check_range,
    difficulty_gap,
    finish_level,
)
from gridproof.core.limit import Limit
from gridproof.core.rng import Rng
from gridproof.core.trace import Trace
from gridproof.games.robots.board import ROTATIONS, Cell, Kind, Tile
from gridproof.games.robots.generator.belt_plan import lay_belts, lay_broken, shuffle
from gridproof.games.robots.requests import Robot, Rule
from gridproof.games.robots.rules import Level
from gridproof.search.question import build_goal_question
from gridproof.search.refusal import Refused
from gridproof.search.shared_engines import BreadthFirst

LONGEST, MOST_ROBOTS, MOST_DIFFICULTY = 20, 6, 10**6
_NAMES = "abcdef"
_TRIALS, _TRIALS_FOR_DIFFICULTY = 12, 40  # boards that are drawn
_EFFORT = 60_000  # positions of a proof without a target for the difficulty


class Target(NamedTuple):
    """Parameters of the level."""

    width: int
    height: int
    robots: int
    conveyors: int
    hints: int
    broken: int
    difficulty: int | None

    @property
    def effort(self) -> int:
        """Most positions of a proof."""
        return _EFFORT if self.difficulty is None else 2 * self.difficulty + 1000

    @property
    def limit(self) -> Limit:
        """Limit of a proof."""
        return Limit(states=self.effort)

    def distance(self, candidate: Candidate) -> float:
        """Return how far a level is from the target: 0 is good enough; without one, the harder the better."""
        if self.difficulty:
            return difficulty_gap(candidate.effort, self.difficulty)
        return 1 / candidate.effort


class Candidate(NamedTuple):
    """Level with its shortest win."""

    level: Level
    trace: Trace
    effort: int

    @property
    def keys(self) -> Mapping[str, int]:
        """Keys of the level."""
        return {"Actions": len(self.trace.steps), "Difficulty": self.effort}


def generate(  # noqa: PLR0913  # the public parameters of `generate`
    seed: int,
    *,
    width: int = 8,
    height: int = 8,
    robots: int = 3,
    conveyors: int | None = None,
    hints: int | None = None,
    broken: int | None = None,
    difficulty: int | None = None,
) -> Level:
    """Make a new level, always the same for the same arguments.

    Parameters
    ----------
    seed : int
        64 bits.
    width, height : int
        Size of the board in cells: 1 to 20.
    robots : int
        2 to 6; each takes two cells, for itself and for its home.
    conveyors, hints, broken : int, optional
        Number of each kind of tile, all together at most the cells left by robots and homes.
        By default about a quarter, a sixteenth and a tenth of the board.
    difficulty : int, optional
        Target for the search effort, 1 to 1,000,000 positions; by default the hardest of a few candidates.

    Returns
    -------
    Level
        Its `certificate` wins it by the fewest requests, whoever asks. Its `keys` say the `Actions`, the
        `Difficulty`, and under `Missed` what could not be reached.

    Raises
    ------
    GridproofError
        For a seed or parameters outside these bounds.
    """
    check_range("width", width, 1, LONGEST)
    check_range("height", height, 1, LONGEST)
    check_range("robots", robots, 2, MOST_ROBOTS)
    wanted = {"conveyors": conveyors, "hints": hints, "broken": broken}
    counts = _count_tiles(width, height, robots, wanted)
    check_optional("difficulty", difficulty, 1, MOST_DIFFICULTY)
    target = Target(width, height, robots, *counts, difficulty)
    rng = Rng(seed)
    candidate = best(_draw_candidates(rng, target), target.distance) or _make_fallback(rng, target)
    steps = candidate.trace.steps
    return finish_level(candidate.level, seed, steps, candidate.keys, (), (candidate.effort, difficulty))


def _count_tiles(
    width: int, height: int, robots: int, wanted: Mapping[str, int | None]
) -> tuple[int, int, int]:
    """Return how many conveyors, hints and broken tiles are laid."""
    area = width * height
    rest = area - 2 * robots
    if rest < 0:
        raise GridproofError(
            f"width={width}, height={height}: {robots} robots and their homes need {2 * robots} cells"
        )
    for name, count in wanted.items():
        check_optional(name, count, 0, rest)
    room = rest - sum(count or 0 for count in wanted.values())
    if room < 0:
        given = ", ".join(f"{name}={count}" for name, count in wanted.items() if count is not None)
        raise GridproofError(f"{given}: there is room for {rest} of them")
    conveyors, hints, broken = (
        min(area // part, room // 3) if count is None else count
        for count, part in zip(wanted.values(), (4, 16, 10), strict=True)
    )
    return conveyors, hints, broken


def _draw_candidates(rng: Rng, target: Target) -> Iterator[tuple[Candidate | None, float]]:
    """Yield levels, ever further from home while they are too easy."""
    distance = (target.width + target.height) // 2
    for _ in range(_TRIALS if target.difficulty is None else _TRIALS_FOR_DIFFICULTY):
        level = _draw_level(rng, target, distance)
        if level is None:
            continue
        candidate = _solve_level(level, target.limit)
        yield candidate, 0.0
        harder = candidate is not None and candidate.effort < (target.difficulty or target.effort)
        distance = max(1, min(target.width * target.height, distance + (2 if harder else -1)))


def _draw_level(rng: Rng, target: Target, distance: int) -> Level | None:
    """Draw a level whose robots stand about `distance` steps from home; None if it is invalid."""
    blank = {(x, y) for x in range(target.width) for y in range(target.height)}
    tiles = lay_belts(rng, blank, target.conveyors)
    tiles |= lay_broken(rng, blank, tuple(tiles), target.broken)
    for cell in shuffle(rng, blank)[: target.hints]:
        tiles[cell] = Tile(Kind.HINT)
        blank.remove(cell)
    walkable = blank | {cell for cell, tile in tiles.items() if tile.kind is not Kind.BROKEN}
    for name in _NAMES[: target.robots]:
        home = rng.choice(sorted(blank))
        blank.remove(home)
        start = _choose_start(rng, home, blank, walkable, distance)
        if start is None:
            return None
        blank.remove(start)
        tiles[home], tiles[start] = Tile(Kind.HOME, target=name), Tile(occupier=name)
    return _make_level(_draw_robots(rng, target), tiles, target)


def _choose_start(rng: Rng, home: Cell, blank: set[Cell], walkable: set[Cell], distance: int) -> Cell | None:
    """Draw a blank cell whose distance from home is nearest to the target; None without any."""
    steps = cell_distances(home, walkable)
    off = {cell: abs(steps[cell] - distance) for cell in sorted(blank) if cell in steps}
    nearest = min(off.values(), default=0)
    return rng.choice([cell for cell in off if off[cell] == nearest]) if off else None


def _draw_robots(rng: Rng, target: Target) -> tuple[Robot, ...]:
    """Draw robots by both rules (R8), in any order."""
    rules = [rng.choice((Rule.A, Rule.B)) for _ in range(target.robots)]
    first = rng.below(target.robots)
    rules[first], rules[first - 1] = Rule.A, Rule.B
    return tuple(
        Robot(name, rule, rng.choice(ROTATIONS))
        for name, rule in zip(_NAMES[: target.robots], rules, strict=True)
    )


def _make_level(robots: tuple[Robot, ...], tiles: dict[Cell, Tile], target: Target) -> Level | None:
    rows = tuple(tuple(tiles.get((x, y), Tile()) for x in range(target.width)) for y in range(target.height))
    try:
        return Level(robots, rows)
    except InvalidLevel:
        return None


def measure(level: Level, limit: Limit | None = None) -> MeasuredDifficulty | None:
    """Return the fewest requests and the difficulty of any level; None if they are not proved."""
    candidate = _solve_level(level, limit)
    return MeasuredDifficulty(candidate.trace, candidate.keys) if candidate else None


def _solve_level(level: Level, limit: Limit | None) -> Candidate | None:
    """Return the level with its shortest win; None if there is none, or the search gives up."""
    try:
        found = BreadthFirst().answer(build_goal_question(level.start(), limit=limit))
    except Refused:  # larger than the boards that are drawn here
        return None
    return Candidate(level, found.trace, found.states) if found.trace else None


def _make_fallback(rng: Rng, target: Target) -> Candidate:
    """Make a level with every robot beside its home, along a snake through the board."""
    cells = [
        (x if y % 2 == 0 else target.width - 1 - x, y)
        for y in range(target.height)
        for x in range(target.width)
    ]
    tiles = {}
    for number, name in enumerate(_NAMES[: target.robots]):
        tiles[cells[2 * number]] = Tile(occupier=name)
        tiles[cells[2 * number + 1]] = Tile(Kind.HOME, target=name)
    rest = set(cells[2 * target.robots :])
    tiles |= lay_belts(rng, rest, target.conveyors)
    others = shuffle(rng, rest)
    tiles |= dict.fromkeys(others[: target.hints], Tile(Kind.HINT))
    tiles |= dict.fromkeys(others[target.hints : target.hints + target.broken], Tile(Kind.BROKEN))
    level = _make_level(_draw_robots(rng, target), tiles, target)
    candidate = level and _solve_level(level, target.limit)
    assert candidate, "a robot by rule A walks home in one step"
    return candidate


GENERATOR = Generator(generate, measure)

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

from gridproof.core.errors import GridproofError, InvalidLevel
from gridproof.core.generate import Measured, best, check_whole, check_wished, difficulty_missed, finished
from gridproof.core.limit import Limit
from gridproof.core.rng import Rng
from gridproof.core.trace import Trace
from gridproof.games.robots.board import ROTATIONS, Cell, Kind, Tile
from gridproof.games.robots.level import Level, Robot
from gridproof.games.robots.making.beltplan import lay_belts, lay_broken, shuffled, steps_from
from gridproof.games.robots.requests import Rule
from gridproof.search.by_kernel import BreadthFirst
from gridproof.search.question import asked_for_goal
from gridproof.search.refusal import Refused

LONGEST, MOST_ROBOTS, MOST_DIFFICULTY = 20, 6, 10**6
_NAMES = "abcdef"
_TRIALS, _TRIALS_FOR_DIFFICULTY = 12, 40  # boards that are drawn
_EFFORT = 60_000  # positions that a proof may take, where no difficulty is wished for


class Wish(NamedTuple):
    """What the level shall be like."""

    width: int
    height: int
    robots: int
    conveyors: int
    hints: int
    broken: int
    difficulty: int | None

    @property
    def effort(self) -> int:
        """The positions that a proof may take."""
        return _EFFORT if self.difficulty is None else 2 * self.difficulty + 1000

    @property
    def limit(self) -> Limit:
        """The limit of a proof."""
        return Limit(states=self.effort)

    def badness(self, made: Made) -> float:
        """How far a level is from what is wished: 0 is good enough; without a wish, the harder the better."""
        return difficulty_missed(made.effort, self.difficulty) if self.difficulty else 1 / made.effort


class Made(NamedTuple):
    """A level that can be won."""

    level: Level
    trace: Trace
    effort: int

    @property
    def keys(self) -> Mapping[str, int]:
        """What is said of the level."""
        return {"Actions": len(self.trace.steps), "Difficulty": self.effort}


def generate(
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
    """A new level: the same one for the same arguments, always.

    Parameters
    ----------
    seed : int
        64 bits.
    width, height : int
        Of the board in cells: 1 to 20.
    robots : int
        2 to 6; each takes two cells, for itself and for its home.
    conveyors, hints, broken : int, optional
        How many of these tiles there are, all together no more than robots and homes leave. By default
        about a quarter, a sixteenth and a tenth of the board.
    difficulty : int, optional
        The search effort wished for, 1 to 1,000,000 positions; by default, as hard as a few trials make it.

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
    wish = _checked(width, height, robots, conveyors, hints, broken, difficulty)
    rng = Rng(seed)
    made = best(_candidates(rng, wish), wish.badness) or _simplest(rng, wish)
    steps = made.trace.steps
    return finished(made.level, seed, steps, made.keys, (), (made.effort, difficulty))


def _checked(
    width: int,
    height: int,
    robots: int,
    conveyors: int | None,
    hints: int | None,
    broken: int | None,
    difficulty: int | None,
) -> Wish:
    check_whole("width", width, 1, LONGEST)
    check_whole("height", height, 1, LONGEST)
    check_whole("robots", robots, 2, MOST_ROBOTS)
    area = width * height
    left = area - 2 * robots
    if left < 0:
        raise GridproofError(
            f"width={width}, height={height}: {robots} robots and their homes need {2 * robots} cells"
        )
    given = {"conveyors": conveyors, "hints": hints, "broken": broken}
    for name, count in given.items():
        check_wished(name, count, 0, left)
    room = left - sum(count or 0 for count in given.values())
    if room < 0:
        told = ", ".join(f"{name}={count}" for name, count in given.items() if count is not None)
        raise GridproofError(f"{told}: there is room for {left} of them")
    counts = [
        min(area // part, room // 3) if count is None else count
        for count, part in zip(given.values(), (4, 16, 10), strict=True)
    ]
    check_wished("difficulty", difficulty, 1, MOST_DIFFICULTY)
    return Wish(width, height, robots, counts[0], counts[1], counts[2], difficulty)


def _candidates(rng: Rng, wish: Wish) -> Iterator[tuple[Made | None, float]]:
    """Levels, ever further from home while they are too easy."""
    distance = (wish.width + wish.height) // 2
    for _ in range(_TRIALS if wish.difficulty is None else _TRIALS_FOR_DIFFICULTY):
        level = _drawn(rng, wish, distance)
        if level is None:
            continue
        made = _made(level, wish.limit)
        yield made, 0.0
        harder = made is not None and made.effort < (wish.difficulty or wish.effort)
        distance = max(1, min(wish.width * wish.height, distance + (2 if harder else -1)))


def _drawn(rng: Rng, wish: Wish, distance: int) -> Level | None:
    """A board whose robots stand about `distance` steps from home; None when it is no valid level."""
    blank = {(x, y) for x in range(wish.width) for y in range(wish.height)}
    tiles = lay_belts(rng, blank, wish.conveyors)
    tiles |= lay_broken(rng, blank, tuple(tiles), wish.broken)
    for cell in shuffled(rng, blank)[: wish.hints]:
        tiles[cell] = Tile(Kind.HINT)
        blank.remove(cell)
    walkable = blank | {cell for cell, tile in tiles.items() if tile.kind is not Kind.BROKEN}
    for name in _NAMES[: wish.robots]:
        home = rng.choice(sorted(blank))
        blank.remove(home)
        start = _start(rng, home, blank, walkable, distance)
        if start is None:
            return None
        blank.remove(start)
        tiles[home], tiles[start] = Tile(Kind.HOME, target=name), Tile(occupier=name)
    return _level(_crew(rng, wish), tiles, wish)


def _start(rng: Rng, home: Cell, blank: set[Cell], walkable: set[Cell], distance: int) -> Cell | None:
    """A blank cell whose distance from home comes nearest to the wished one."""
    steps = steps_from(home, walkable)
    off = {cell: abs(steps[cell] - distance) for cell in sorted(blank) if cell in steps}
    nearest = min(off.values(), default=0)
    return rng.choice([cell for cell in off if off[cell] == nearest]) if off else None


def _crew(rng: Rng, wish: Wish) -> tuple[Robot, ...]:
    """Robots by both rules (R8), in any order."""
    rules = [rng.choice((Rule.A, Rule.B)) for _ in range(wish.robots)]
    first = rng.below(wish.robots)
    rules[first], rules[first - 1] = Rule.A, Rule.B
    return tuple(
        Robot(name, rule, rng.choice(ROTATIONS))
        for name, rule in zip(_NAMES[: wish.robots], rules, strict=True)
    )


def _level(crew: tuple[Robot, ...], tiles: dict[Cell, Tile], wish: Wish) -> Level | None:
    rows = tuple(tuple(tiles.get((x, y), Tile()) for x in range(wish.width)) for y in range(wish.height))
    try:
        return Level(crew, rows)
    except InvalidLevel:
        return None


def measure(level: Level, limit: Limit | None = None) -> Measured | None:
    """The fewest requests and the difficulty of any level; None when they are not proved."""
    made = _made(level, limit)
    return Measured(made.trace, made.keys) if made else None


def _made(level: Level, limit: Limit | None) -> Made | None:
    """The level with its shortest win; None when there is none, or the search gives up."""
    try:
        found = BreadthFirst().answer(asked_for_goal(level.start(), limit=limit))
    except Refused:  # larger than the boards that are drawn here
        return None
    return Made(level, found.trace, found.states) if found.trace else None


def _simplest(rng: Rng, wish: Wish) -> Made:
    """The fallback: every robot beside its home, along a snake through the board."""
    cells = [
        (x if y % 2 == 0 else wish.width - 1 - x, y) for y in range(wish.height) for x in range(wish.width)
    ]
    tiles = {}
    for number, name in enumerate(_NAMES[: wish.robots]):
        tiles[cells[2 * number]] = Tile(occupier=name)
        tiles[cells[2 * number + 1]] = Tile(Kind.HOME, target=name)
    left = set(cells[2 * wish.robots :])
    tiles |= lay_belts(rng, left, wish.conveyors)
    others = shuffled(rng, left)
    tiles |= dict.fromkeys(others[: wish.hints], Tile(Kind.HINT))
    tiles |= dict.fromkeys(others[wish.hints : wish.hints + wish.broken], Tile(Kind.BROKEN))
    level = _level(_crew(rng, wish), tiles, wish)
    made = level and _made(level, wish.limit)
    assert made, "a robot by rule A walks home in one step"
    return made

"""Which tiles may be exchanged: against every pair by itself, and on large boards (R21)."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest
from tests.games.robots.boards import board
from tests.measurement import Clock, lines_run

import gridproof as gp
from gridproof.games.robots import EXCHANGE, Position
from gridproof.games.robots.board import BROKEN, NORMAL, find_cut_off_robots, is_conveyor, to_bits
from gridproof.games.robots.exchange import Pair, Partners, has_pair, partners_of


def partners_in(position: Position) -> Partners:
    return partners_of(position.layout, position.cells, position.level.homes)


def list_pairs(position: Position) -> Iterator[Pair]:
    """Yield all pairs of tiles after whose exchange R8 holds."""
    codes, cells, level = position.layout.codes, position.cells, position.level
    movable = [s for s in level.grid.squares if is_conveyor(codes[s]) or codes[s] in (NORMAL, BROKEN)]
    for one, other in itertools.combinations(movable, 2):
        swap = {one: other, other: one}
        after = tuple(swap.get(cell, cell) for cell in cells)
        open_ = to_bits(s for s in level.grid.squares if codes[swap.get(s, s)] != BROKEN)
        ways = 4 ** (is_conveyor(codes[one]) + is_conveyor(codes[other]))
        if not {one, other} & {*cells}:
            alike = codes[one] == codes[other] or (is_conveyor(codes[one]) and is_conveyor(codes[other]))
            ways -= alike
        if ways and not [
            *find_cut_off_robots(after, level.homes, open_ & ~to_bits(after), level.grid.stride)
        ]:
            yield Pair(one, other, ways)


def draw_position(seed: int) -> Position | None:
    """Draw a board of few free squares, many of them cut squares; None if it breaks R8."""
    chance = random.Random(seed)
    width, height, robots = chance.randint(2, 6), chance.randint(2, 5), chance.randint(2, 3)
    tiles = [chance.choice(".......>^?" + "#" * chance.randint(1, 8)) for _ in range(width * height)]
    places = chance.sample(range(width * height), min(2 * robots, width * height))
    for number in range(len(places) // 2):
        tiles[places[2 * number]] = "abc"[number] + chance.choice(["", "", ">"])
        tiles[places[2 * number + 1]] = "ABC"[number]
    names = " ".join(f"{name}={name.upper()}0" for name in "abc"[: len(places) // 2])
    rows = (" ".join(tiles[y * width : (y + 1) * width]) for y in range(height))
    try:
        return board(names, *rows)
    except gp.GridproofError:
        return None


@pytest.mark.slow
@pytest.mark.clause("R21", "R8")
def test_partners_agree_with_listed_pairs() -> None:
    cut = 0
    for position in filter(None, map(draw_position, range(250))):
        pairs = [*list_pairs(position)]
        assert bool(Partners(position.layout, position.cells, position.level.homes)) == bool(pairs)
        assert has_pair(position.layout, position.cells, position.level.homes) == bool(pairs)
        assert [*partners_in(position)] == pairs, position.text()
        assert partners_in(position).total == sum(pair.turns for pair in pairs)
        ways = [(pair, way) for pair in pairs for way in range(pair.turns)]
        numbers = range(0, len(ways), 1 + len(ways) // 5)
        assert [partners_in(position).find_pair_at(number) for number in numbers] == [
            ways[n] for n in numbers
        ]
        cut += bool(partners_in(position)._replacements)
    assert cut > 25


@pytest.mark.clause("R26")
def test_exchange_existence_needs_no_tiles_of_robots_when_others_show_it() -> None:
    position = board("a=A0 b=B0", "a > A", "> . B", "b . .")
    found = Partners(position.layout, position.cells, position.level.homes)
    assert found
    assert "_ridden" not in vars(found)


@pytest.mark.clause("R26")
def test_exchange_existence_needs_no_cut_squares_when_conveyor_is_free() -> None:
    position, known = board("a=A0 b=B0", "a > A", ". . B", "b . ."), partners_of.cache_info().misses
    assert position.actions("nature")
    assert partners_of.cache_info().misses == known


@pytest.mark.clause("R21")
def test_exchange_outcome_is_found_by_label() -> None:
    position = board("a=A0 b=B0", "a ? A", "> ? B", "b ? ?")
    for outcome in position.outcomes(EXCHANGE):
        assert position.outcome(EXCHANGE, outcome.label) == outcome
    for label in ("", "(0,0)<->(0,2) 0", "(0,0)<->(9,9)", "(0,2)<->(0,0)", "(1,0)<->(0,1) 0", "(0,0)<->(0,2"):
        with pytest.raises(gp.IllegalAction, match="no outcome"):
            position.outcome(EXCHANGE, label)


def large(side: int) -> Position:
    chance = random.Random(side)
    rows = [[chance.choice("....>v#") for _ in range(side)] for _ in range(side)]
    for x in range(side):
        rows[0][x] = rows[x][-1] = "."
    rows[0][0], rows[1][1], rows[-1][-1], rows[-2][-1] = "a", "b", "A", "B"
    return board("a=A0 b=B0", *map(" ".join, rows))


@pytest.mark.slow
def test_exchanges_of_large_board_are_generated_one_by_one() -> None:
    """There are more than half a million: one is found without going through the others."""
    position = large(40)
    assert partners_in(position).total > 500_000
    partners_of.cache_clear()
    assert lines_run(lambda: next(iter(position.outcomes(EXCHANGE)))) < 500_000


def test_limits_of_a_search_in_which_nature_exchanges_tiles(clock: Clock) -> None:
    clock.each_look = 0.4
    solution = gp.solve(large(25), actors="all", limit=gp.Limit(seconds=1))
    assert (solution.found, solution.stopped_by) == (None, "seconds")
    assert solution.states < 2000

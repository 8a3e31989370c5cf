"""Levels from rows, random levels, and random positions for Sokoban's tests."""

from __future__ import annotations

import dataclasses
import itertools
import random
from typing import Any

from hypothesis import strategies as st

import gridproof as gp
from gridproof.core.text import recognition
from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban import Level, Position
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.pull_search import PullSearch

WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=12)
LINES = WORDS.map(lambda text: text.replace(";", "").strip())


def level(text: str) -> Level:
    """The only level of a text."""
    (found,) = recognition.read(text, "sokoban")
    assert isinstance(found, Level)
    return found


def position(text: str) -> Position:
    """The start of the only level of a text."""
    return level(text).start()


def after(start: Position, *actions: str) -> Position:
    """The position after some actions."""
    for action in actions:
        (outcome,) = start.outcomes(start.action(action))
        start = outcome.position
    return start


def random_level(seed: int) -> Level:
    """A room with walls, boxes and depots strewn in it."""
    chance = random.Random(seed)
    width, height, boxes = chance.randint(4, 7), chance.randint(4, 6), chance.randint(2, 4)
    cells = [(x, y) for x in range(width) for y in range(height)]
    player, *rest = chance.sample(cells, len(cells))
    walls = rest[2 * boxes :][: len(cells) * chance.randint(10, 35) // 100]
    return Level(player, 0, rest[:boxes], rest[boxes : 2 * boxes], walls, (width, height))


def winnable(seed: int) -> Level:
    """The same walls and depots, with the boxes where some pulls have brought them from the depots."""
    level = random_level(seed)
    board = Board(level.start())
    pulled = PullSearch(board, 1 << 10)
    boxes, player = pulled.arrangement(random.Random(seed).randrange(pulled.states // 2, pulled.states))
    apart = level.depots - board.number.keys()
    starts = apart.union(board.cells[box] for box in boxes)
    return dataclasses.replace(level, boxes=starts, player=board.cells[player])


def wasteful_solution(seed: int) -> Trace:
    """A solution of a random level that begins with random actions, and has pushes."""
    for number in itertools.count(seed, 1000):
        chance, start = random.Random(number), winnable(number).start()
        position, steps = start, list[Step]()
        for _ in range(chance.randrange(20)):
            actions = position.actions()
            if actions:
                steps.append(Step(chance.choice(actions)))
                position = after(position, str(steps[-1].action))
        rest = gp.solve(position, None, limit=gp.Limit(states=20_000)).trace
        if rest is not None and position.boxes | start.boxes != start.level.depots:
            return Trace(start, (*steps, *rest.steps))
    raise AssertionError("some level is won")


@st.composite
def levels(draw: st.DrawFn, /, **about: Any) -> Level:
    """Levels of up to 6 x 6 cells, many of them with walls inside and without a border."""
    width, height = draw(st.integers(2, 6)), draw(st.integers(2, 6))
    cells = draw(st.permutations([(x, y) for x in range(width) for y in range(height)]))
    count = draw(st.integers(1, min(4, len(cells) - 1)))
    player, boxes, others = cells[0], cells[1 : 1 + count], cells[1 + count :]
    walls = others[: draw(st.integers(0, len(others)))]
    open_cells = [cell for cell in cells if cell not in walls]
    depots = draw(st.permutations(open_cells))[:count]
    bombs = draw(st.integers(0, 3))
    return Level(player, bombs, boxes, depots, walls, (width, height), **about)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Positions that a few random actions reach."""
    found = draw(levels()).start()
    for choice in draw(st.lists(st.integers(0, 4), max_size=10)):
        actions = found.actions()
        if not actions:
            break
        found = found.outcomes(actions[choice % len(actions)])[0].position
    return found


def pack_contents(pack: Any) -> tuple[Any, ...]:
    """Return all texts of a pack and its levels, without the order of keys; `==` of levels ignores them."""
    said = [
        (item, item.title, item.author, dict(item.keys), item.notes_above, item.notes_below) for item in pack
    ]
    return said, pack.title, pack.author, dict(pack.keys), pack.notes

"""Boards for the tests, written in few characters, and random ones."""

from __future__ import annotations

from typing import Any

import gridproof as gp
from gridproof.core.position import Outcome
from gridproof.games.robots import Position, Response, parse_request
from gridproof.games.robots.text import read_position


def text_of(robots: str, *rows: str) -> str:
    """Return the text of a board: robots as "a=A0 b=B270", each row as in R33."""
    header = "".join(f"{item[0]}: rule={item[2]} rotation={item[3:]}\n" for item in robots.split())
    return f"robots {len(rows[0].split())}x{len(rows)}\n{header}board:\n" + "".join(
        f"{row}\n" for row in rows
    )


def board(robots: str, *rows: str) -> Position:
    """Return a position, which must satisfy R8, but not R9."""
    return read_position(text_of(robots, *rows))


def ask(position: Position, text: str) -> Response:
    """Return the board's answer."""
    return position.respond(parse_request(text))


def only(position: Position, text: str) -> Outcome[Position]:
    """Return the only outcome of an action."""
    (outcome,) = position.outcomes(position.action(text))
    return outcome


def after(position: Position, *texts: str) -> Position:
    """Return the position after actions without chance."""
    for text in texts:
        position = only(position, text).position
    return position


def rows_of(position: Position) -> list[str]:
    """Return the rows of the board's text."""
    return position.text().split("board:\n")[1].splitlines()


def problems(text: str) -> list[tuple[str, Any]]:
    """Return the codes and places of a broken level's defects."""
    try:
        gp.read(text, "robots")
    except gp.InvalidLevel as error:
        return [(problem.code, problem.where) for problem in error.problems]
    return []


def random_board(rng: gp.Rng, width: int, height: int, robots: int) -> Position:
    """Draw tiles, robots and their rotations until R8 holds."""
    names = "abcdefg"[:robots]
    while True:
        floor = [rng.choice("....?##<v>^<v>^") for _ in range(width * height)]
        cells = list(range(width * height))
        for name in names:
            floor[cells.pop(rng.below(len(cells)))] = name.upper()
        for name in names:
            cell = cells.pop(rng.below(len(cells)))
            floor[cell] = name + floor[cell].replace(".", "").replace("#", "")
        rows = [" ".join(floor[y * width : (y + 1) * width]) for y in range(height)]
        rules = ["A", "B", *(rng.choice("AB") for _ in names[2:])]
        header = " ".join(
            f"{name}={rule}{90 * rng.below(4)}" for name, rule in zip(names, rules, strict=True)
        )
        try:
            return board(header, *rows)
        except gp.InvalidLevel:
            continue

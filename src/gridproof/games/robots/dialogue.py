"""Requests of robots as people say them: in directions of the board, with the answers of the board."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.look import Dialogue, Seen
from gridproof.core.position import NATURE, Outcome
from gridproof.core.text.phrases import join_names
from gridproof.games.robots.requests import (
    Action,
    Carried,
    Exchange,
    Exchanged,
    Request,
    Response,
    Rotate,
    Rotated,
    Walk,
    Walked,
)
from gridproof.games.robots.rules import Position

DIRECTIONS = ("right", "down", "left", "up")
"""Directions of the board by quarter turns clockwise from east (R3)."""
EXCHANGE_WORDS = "exchange two tiles"
"""Nature's action in words."""
_LOCAL = {(1, 0): 0, (0, 1): 1, (-1, 0): 2, (0, -1): 3}
"""Quarter turns of a step in local coordinates (R3)."""
_OWN_WAYS = ("ahead", "to my right", "back", "to my left")
_OWN_TURNS = {0: "stay as I am", 90: "turn to my right", 180: "turn round", 270: "turn to my left"}


@functools.lru_cache(maxsize=4096)
def _seen(action: Action, rotation: int) -> Seen:
    match action:
        case Walk(robot, dx, 0) if dx > 1:
            way = DIRECTIONS[rotation // 90]
            return Seen(way, f"{robot} walks {dx} cells {way}")
        case Walk(robot, dx, dy):
            way = DIRECTIONS[(_LOCAL[dx, dy] + rotation // 90) % 4]
            return Seen(way, f"{robot} steps {way}")
        case Rotate(robot, 0):
            return Seen("", f"{robot} waits")
        case Rotate(robot, by):
            way = DIRECTIONS[(rotation + by) // 90 % 4]
            return Seen(way, f"{robot} turns to face {way}")
    return Seen("", EXCHANGE_WORDS)


def seen(position: Position, action: Action) -> Seen:
    """Return an action in directions of the board."""
    return _seen(action, 0 if isinstance(action, Exchange) else position.rotation(action.robot))


def dialogue(position: Position, action: Action, outcome: Outcome[Position] | None) -> Dialogue:
    """Return what a robot asks, and what the board answers (R12)."""
    answers = () if outcome is None else tuple(_answers(position, action, outcome))
    if isinstance(action, Exchange):
        words = "Two tiles are exchanged: they change places."
        return Dialogue(NATURE, words, words, answers, () if outcome is None else _exchanged_cells(outcome))
    way = seen(position, action).way
    match action:
        case Walk(_, dx, 0) if dx > 1:
            asked, own = f"walk {dx} cells {way}", f"walk {dx} cells ahead"
        case Walk(_, dx, dy):
            asked, own = f"step {way}", f"step {_OWN_WAYS[_LOCAL[dx, dy]]}"
        case Rotate(_, by):
            asked, own = f"turn to face {way}" if way else _OWN_TURNS[0], _OWN_TURNS[by]
    return Dialogue(action.robot, f"May I {asked}?", f"May I {own}?", answers)


def describe_pass(position: Position, request: Request) -> str:
    """Return why a robot passes its turn by a request that fails: the board refuses it, or it waits by one that no rule lists (R25)."""
    robot = request.robot
    if request not in position.level.robots[position.level.number(robot)].requests:
        return f"{robot} waits"
    try:
        position.action(str(request))
    except IllegalAction as error:
        return f"{robot} passes: its request was refused ({error.reason})"
    raise GridproofError(f"{request} does not pass the turn of {robot}")


def _answers(position: Position, action: Action, outcome: Outcome[Position]) -> Iterator[str]:
    """Yield what the board answers to a request, and what it tells other robots (R17, R18, R20, R22)."""
    walkers = {event.robot for event in outcome.events if isinstance(event, Walked)}
    for event in outcome.events:
        match event:
            case Rotated():
                yield "Yes."
            case Walked():
                yield _describe_landing(position, _belt_entry(position, action), outcome, event)
            case Carried(robot, response=response) if robot not in walkers:
                home = " home!" if response is Response.WIN else "."
                yield f"A belt carries {robot} on{home}"
            case Exchanged((x, y), (u, v), riders=riders):
                yield f"They were in row {y + 1}, column {x + 1} and in row {v + 1}, column {u + 1}."
                for robot in riders:
                    yield f"{robot} rides along."


def _belt_entry(position: Position, action: Action) -> tuple[int, int] | None:
    """Return the cell where a belt takes up a robot that walks (R15); None without a belt in its way."""
    if not isinstance(action, Walk) or (path := position.path(action)) is None:
        return None
    route = position.layout.route(position.cells[position.level.number(action.robot)], path)
    return position.level.grid.cell(route.squares[-1]) if route is not None and route.auto else None


def _describe_landing(
    position: Position, entry: tuple[int, int] | None, outcome: Outcome[Position], walked: Walked
) -> str:
    """Return the answer to a walk, with where belts carry the robot at its end (R18, R20)."""
    robot, to = walked.robot, outcome.position.cell(walked.robot)
    is_home = robot in outcome.position.winners
    if not (walked.auto or to != walked.to):
        return "Yes: you are home!" if is_home else "Yes."
    if to == entry:
        return "Yes, but the belt is blocked: you wait on it."
    if to == position.cell(robot):
        return "Yes, but a belt carries you back to where you were."
    return f"Yes, and a belt carries you on{': you are home!' if is_home else '.'}"


def _exchanged_cells(outcome: Outcome[Position]) -> tuple[tuple[int, int], ...]:
    return next(((event.first, event.second) for event in outcome.events if isinstance(event, Exchanged)), ())


def place(position: Position, robot: str) -> tuple[int, int] | None:
    """Return the cell of a robot; None for a robot that is not on the level."""
    return position.cell(robot) if robot in position.level.names else None


def reason(position: Position) -> str:
    """Return who is home first, and who has lost (R26, R29)."""
    winners = position.winners
    losers = [name for name in position.level.names if name not in winners]
    if not winners:
        return ""
    first = f"{join_names(winners)} {'is' if len(winners) == 1 else 'are'} home first"
    if not losers:
        return f"{first}."
    return f"{first}: {join_names(losers)} {'has' if len(losers) == 1 else 'have'} lost."

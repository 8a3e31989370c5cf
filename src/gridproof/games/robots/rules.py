"""The rules of Robots: outcomes of each request in a position (R12-R18)."""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from gridproof.core import position as core
from gridproof.core.errors import GridproofError, IllegalAction, ParseError
from gridproof.core.position import NATURE
from gridproof.core.rng import Rng, check_rng
from gridproof.core.text.phrases import join_names
from gridproof.games.robots import belts
from gridproof.games.robots.board import (
    CONVEYOR,
    HINT,
    OUTSIDE,
    Cell,
    Layout,
    Path,
    Route,
    Tile,
    cut_off_robots,
    is_connected,
    is_conveyor,
    tile_of,
)
from gridproof.games.robots.exchange import Pair, Partners, has_pair, list_turns, partners_of
from gridproof.games.robots.hints import HintGiven, possible_hints
from gridproof.games.robots.requests import (
    EXCHANGE,
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
    parse_request,
)
from gridproof.games.robots.setup import Setup, WalkSquares


@dataclass(frozen=True)
class Level(Setup):
    """A board with at least two robots on it.

    Parameters
    ----------
    robots : sequence of Robot
        In their order (R20, R33).
    tiles : sequence of rows of Tile
        The top row first; each tile has its robot.
    midgame : bool
        True for a moment of a game, which must satisfy R8, but not R9.

    Raises
    ------
    InvalidLevel
        With every broken part of R8 and R9.
    """

    def starts(self) -> Iterator[core.Outcome[Position]]:
        rotations = tuple(robot.rotation for robot in self.robots)
        yield core.Outcome(Position(self, self.layout, self.cells, rotations))


class Landing(NamedTuple):
    """End of a walk that R8 may still bar."""

    square: int
    auto: bool
    """True if a belt carries the robot there."""


MAX_CACHED = 1 << 16
"""Limit of cached boards of a level."""
Rotations = tuple[int, ...]
"""Degrees: each robot's rotation, clockwise from facing east (R3); or turns of one robot."""
State = tuple[bytes, belts.Squares, Rotations]
"""Code of each square, and each robot's square and rotation."""
_LABEL = re.compile(r"\((\d{1,4}),(\d{1,4})\)<->\((\d{1,4}),(\d{1,4})\)")


def describe_cut(names: Sequence[str]) -> str:
    """Return in words why R16 bars a walk, by the robots that no free cells would join to their homes: "cut b off from its home"."""
    return f"cut {join_names(names)} off from {'its home' if len(names) == 1 else 'their homes'}"


@functools.lru_cache(maxsize=4096)
def _rotate_robot(facing: Rotations, number: int, rotations: Rotations) -> tuple[Rotations, ...]:
    """Return all robots' rotations after each of these turns of one of them (R13)."""
    return tuple((*facing[:number], (facing[number] + by) % 360, *facing[number + 1 :]) for by in rotations)


@dataclass(frozen=True, slots=True)
class Position(core.Position[Action]):
    """Position: the tiles, and each robot's square and rotation."""

    level: Level = field(hash=False)
    layout: Layout
    cells: belts.Squares
    """Robots' squares, in the level's order."""
    rotations: Rotations
    """Robots' rotations, clockwise from facing east (R3)."""
    _cached_requests: tuple[Action, ...] | None = field(default=None, init=False, repr=False, compare=False)
    """Cache of all robots' requests that are not answered FAILED."""

    # -- observation

    @property
    def won(self) -> bool:
        """True if some robot stands on its own home (R17, R20)."""
        return any(map(operator.eq, self.cells, self.level.homes))

    @property
    def winners(self) -> tuple[str, ...]:
        """Robots on their own homes, in order."""
        robots = zip(self.level.names, self.cells, self.level.homes, strict=True)
        return tuple(name for name, cell, home in robots if cell == home)

    def cell(self, robot: str) -> Cell:
        """Return a robot's cell."""
        return self.level.grid.cell(self.cells[self.level.number(robot)])

    def rotation(self, robot: str) -> int:
        """Return a robot's rotation."""
        return self.rotations[self.level.number(robot)]

    @property
    def tiles(self) -> tuple[tuple[Tile, ...], ...]:
        """Rows of tiles with their occupiers (R2, R4)."""
        names, grid, codes = self.level.names, self.level.grid, self.layout.codes
        on = dict(zip(self.cells, names, strict=True))
        row = [tile_of(codes[square], names, on.get(square, "")) for square in grid.squares]
        return tuple(tuple(row[y * grid.width : (y + 1) * grid.width]) for y in range(grid.height))

    # -- actions

    def actions(self, actor: str | None = None) -> tuple[Action, ...]:
        """Return the requests not answered FAILED, of all robots in their order or of one; or the exchange."""
        if actor is None:
            if self._cached_requests is None:
                requests = self._executable_requests(range(len(self.cells)))
                object.__setattr__(self, "_cached_requests", requests)
            return self._cached_requests or ()
        if actor == NATURE:
            return (EXCHANGE,) if self._can_exchange() else ()
        return self._executable_requests(self.level.robot_numbers(actor))

    def _executable_requests(self, numbers: Iterable[int]) -> tuple[Action, ...]:
        if self.won:
            return ()  # R12, R26
        return tuple(action for number in numbers for action in self._list_requests(number))

    def _list_requests(self, number: int) -> Iterator[Action]:
        level, turns = self.level, self.rotations[number] // 90
        routes = self.layout.routes(self.cells[number], level.walk_paths[number][turns])
        for walk, route in zip(level.paths[number][turns], routes, strict=True):
            if route and (end := self._find_end(route)) is not None and self._land(number, end):
                yield walk
        yield from level.rotation_requests[number]

    def action(self, text: str) -> Action:
        if not isinstance(text, str):
            raise self.refusal(str(text))
        try:
            action = EXCHANGE if text == str(EXCHANGE) else parse_request(text)
        except ParseError:
            raise self.refusal(text) from None
        if isinstance(action, Exchange):
            legal = self.actions(NATURE)
        else:
            legal = self.actions(action.robot) if self._cached_requests is None else self._cached_requests
        if action not in legal:
            raise self._explain_refusal(action)
        return action

    def _explain_refusal(self, action: Action) -> IllegalAction:
        """Return the error for an action that is not executable; of a walk it says why."""
        if not isinstance(action, Walk) or action.robot not in self.level.names:
            return self.refusal(str(action))
        if self.won:
            return IllegalAction(action, "the game is over")
        path = self.path(action)
        if path is None:
            return self.refusal(str(action))
        return IllegalAction(action, self._explain_failure(self.level.number(action.robot), path))

    def _explain_failure(self, number: int, path: Path) -> str:
        """Return in words why a walk of a robot fails."""
        here = self.cells[number]
        route = self.layout.route(here, path)
        if route is None:
            codes = (self.layout.codes[here + step] for step in path)  # to the first OUTSIDE
            return "it leads off the board" if OUTSIDE in codes else "a wreck is in the way"  # R14, R15
        end = self._find_end(route)
        if end is None:
            return "a robot is in the way"  # R15
        return f"this would {describe_cut(self._cut_off(number, end))}"  # R16

    def _cut_off(self, number: int, square: int) -> list[str]:
        """Return the robots that could not reach their homes after a walk to a square."""
        cells = (*self.cells[:number], square, *self.cells[number + 1 :])
        return [self.level.names[place] for place in cut_off_robots(self.layout, cells, self.level.homes)]

    def cut_off_after(self, walk: Walk) -> list[str]:
        """Return the robots for whose sake a walk is refused (R16), as they could not reach their homes then; [] if none is."""
        landing = self.find_landing(walk)
        return [] if landing is None else self._cut_off(self.level.number(walk.robot), landing.square)

    def respond(self, request: Request) -> Response:
        """Return the board's answer to any request, without a change (R12).

        Raises
        ------
        GridproofError
            When the game is over, or the level has no such robot.
        """
        number = self._check_request(request)
        if isinstance(request, Rotate):  # R13
            return Response.SUCCESS if request in self.level.rotation_requests[number] else Response.FAILED
        landing = self.find_landing(request)
        if landing is None or self._land(number, landing.square) is None:
            return Response.FAILED
        return self._response(number, landing.square)

    def _check_request(self, request: Request) -> int:
        """Return the number of the robot that asks; raise if the game is over (R12)."""
        if not isinstance(request, (Walk, Rotate)):  # R12: exactly one of the two
            raise IllegalAction(
                request, f"{self.no_action(request).reason}: a robot asks for a walk or a rotation"
            )
        if self.won:
            raise IllegalAction(request, "the game is over")
        try:
            return self.level.number(request.robot)
        except GridproofError as error:
            raise IllegalAction(request, str(error)) from None

    def path(self, walk: Walk) -> Path | None:
        """Return the steps of a walk from its robot's square (R14); None if its rule has no such move."""
        number = self.level.number(walk.robot)
        return self.level.paths[number][self.rotations[number] // 90].get(walk)

    def _response(self, number: int, square: int) -> Response:
        return Response.WIN if square == self.level.homes[number] else Response.SUCCESS  # R17

    def find_landing(self, walk: Walk) -> Landing | None:
        """Return the end of a walk (R14, R15); None if something bars it, or its rule has no such move."""
        path = self.path(walk)
        route = None if path is None else self.layout.route(self.cells[self.level.number(walk.robot)], path)
        end = None if route is None else self._find_end(route)
        return None if route is None or end is None else Landing(end, route.auto)

    def find_end(self, walk: Walk) -> int | None:
        """Return the robot's square after a possible walk, when belts have started again (R20); None if it is refused."""
        number, landing = self.level.number(walk.robot), self.find_landing(walk)
        if landing is None or not landing.auto:
            return landing and landing.square
        cells = self._land(number, landing.square)
        return None if cells is None else self.run_belts(self.layout, cells, self.rotations)[0].cells[number]

    def _find_end(self, route: Route) -> int | None:
        """Return the last square of a walk (R15); None if another robot bars it."""
        for square in route.squares:
            if square in self.cells:
                return None  # an occupied cell comes before what lies there
        end = route.squares[-1]
        return belts.destination(self.layout, self.cells, end) if route.auto else end

    def _land(self, number: int, square: int) -> belts.Squares | None:
        """Return the robots' squares after a walk; None if R16 bars it."""
        cells = (*self.cells[:number], square, *self.cells[number + 1 :])
        # no second try at the path's end
        return cells if is_connected(self.layout, cells, self.level.homes) else None

    def outcomes(self, action: Action) -> Iterable[core.Outcome[Position]]:
        """Return the outcomes of an action: one, one for each possible hint (R19), or every exchange (R21)."""
        if isinstance(action, Exchange):
            return self._exchanges()
        number = self._check_request(action)
        if isinstance(action, Rotate):
            return (self._rotate(number, action),)
        return self._walk(number, action)

    def successors(self, actor: str | None = None) -> list[State]:
        """Return the codes of the tiles, and the robots' squares and rotations, after all requests or the exchange."""
        if actor == NATURE:
            after = (outcome.position for action in self.actions(actor) for outcome in self.outcomes(action))
            return [(position.layout.codes, position.cells, position.rotations) for position in after]
        if self.won:
            return []  # R12
        level, codes, here, facing = self.level, self.layout.codes, self.cells, self.rotations
        walks, found = self._cached_walks(), list[State]()
        for number in range(len(here)) if actor is None else level.robot_numbers(actor):
            key = number, facing[number]  # where a robot can walk to depends on no other's rotation
            if (squares := walks.get(key)) is None:
                squares = walks[key] = self._squares_after_walks(number)
            found += [(codes, cells, facing) for cells in squares]
            if turns := level.rotation_angles[number]:
                found += [(codes, here, turned) for turned in _rotate_robot(facing, number, turns)]
        return found

    def _cached_walks(self) -> WalkSquares:
        """Return the cache of walks with these robots and tiles."""
        memory, key = self.level.walk_cache, (self.layout.codes, self.cells)
        if (found := memory.get(key)) is None:
            if len(memory) >= MAX_CACHED:
                memory.clear()
            found = memory[key] = {}
        return found

    def _squares_after_walks(self, number: int) -> list[belts.Squares]:
        """Return the robots' squares after each walk of one of them."""
        level, layout, cells, found = self.level, self.layout, self.cells, list[belts.Squares]()
        before, behind = cells[:number], cells[number + 1 :]
        for route in layout.routes(cells[number], level.walk_paths[number][self.rotations[number] // 90]):
            if route is None or (end := self._find_end(route)) is None:
                continue
            if after := belts.finish_walk(layout, (*before, end, *behind), level.homes):
                found.append(after)
        return found

    def at(self, successor: State) -> Position:
        codes, cells, rotations = successor
        layout = self.layout if codes == self.layout.codes else Layout(self.layout.grid, codes)
        return Position(self.level, layout, cells, rotations)

    def _rotate(self, number: int, request: Rotate) -> core.Outcome[Position]:
        """Return the outcome of a rotation (R13); no belt starts, as none has changed (R20)."""
        if request not in self.level.rotation_requests[number]:
            raise IllegalAction(request)
        (turned,) = _rotate_robot(self.rotations, number, (request.by,))
        position = Position(self.level, self.layout, self.cells, turned)
        return core.Outcome(position, events=(Rotated(request.robot, request.by),))

    def _walk(self, number: int, request: Walk) -> tuple[core.Outcome[Position], ...]:
        """Return the outcomes of a walk (R18): a landing, a hint; then belts start again (R20)."""
        landing = self.find_landing(request)
        cells = None if landing is None else self._land(number, landing.square)
        if landing is None or cells is None:
            raise IllegalAction(request)
        square, auto = landing
        cell = self.level.grid.cell(square)
        walked = Walked(request.robot, cell, auto, self._response(number, square))
        position, carried = self.run_belts(self.layout, cells, self.rotations)
        if self.layout.codes[square] != HINT:
            return (core.Outcome(position, events=(walked, *carried)),)
        home = self.level.grid.cell(self.level.homes[number])
        hints = possible_hints(home[0] - cell[0], home[1] - cell[1], self.rotations[number])
        chance = Fraction(1, len(hints))
        return tuple(
            core.Outcome(
                position,
                chance,
                events=(walked, HintGiven(request.robot, hint), *carried),
                label=str(hint) if len(hints) > 1 else "",
            )
            for hint in hints
        )

    def run_belts(
        self, layout: Layout, cells: belts.Squares, rotations: Rotations
    ) -> tuple[Position, tuple[Carried, ...]]:
        """Return the position with these robots and tiles after belts have carried on all blocked robots (R20)."""
        cells, carried = belts.run_belts(layout, cells, self.level.homes)
        names, cell = self.level.names, self.level.grid.cell
        events = tuple(
            Carried(names[number], cell(origin), cell(to), self._response(number, to))
            for number, origin, to in carried
        )
        return Position(self.level, layout, cells, rotations), events

    def step(self, action: Action, rng: Rng) -> core.Outcome[Position]:
        if not isinstance(action, Exchange):
            return core.draw(self.outcomes(action), rng)
        partners = self._partners()
        total = partners.total
        pair, turn = partners.find_pair_at(check_rng(rng).below(total) if total > 1 else 0)
        codes = list(list_turns(self.layout, self.cells, pair))[turn]
        return self._exchange(pair, codes, total)

    def outcome(self, action: Action, label: str) -> core.Outcome[Position]:
        if not isinstance(action, Exchange):
            return core.Position.outcome(self, action, label)
        partners = self._partners()
        if match := _LABEL.match(label):
            x, y, u, v = map(int, match.groups())
            pair = partners.find_pair(self.level.grid.square((x, y)), self.level.grid.square((u, v)))
            for outcome in self._turned_exchanges(pair, partners.total) if pair else ():
                if outcome.label == label:
                    return outcome
        raise IllegalAction(EXCHANGE, f"it has no outcome {label[:60]!r} here")

    # -- exchanges

    def _can_exchange(self) -> bool:
        return not self.won and has_pair(self.layout, self.cells, self.level.homes)

    def _partners(self) -> Partners:
        """Return the tiles that can be exchanged; IllegalAction without any."""
        if not self._can_exchange():
            raise IllegalAction(EXCHANGE, "the game is over" if self.won else "no two tiles can be exchanged")
        return partners_of(self.layout, self.cells, self.level.homes)

    def _exchanges(self) -> Iterator[core.Outcome[Position]]:
        """Return an iterator over all exchanges, each as likely (R21)."""
        partners = self._partners()
        return (outcome for pair in partners for outcome in self._turned_exchanges(pair, partners.total))

    def _turned_exchanges(self, pair: Pair, total: int) -> Iterator[core.Outcome[Position]]:
        """Return the exchanges of two tiles, of `total` in all: one for each way in which conveyors may turn."""
        return (self._exchange(pair, codes, total) for codes in list_turns(self.layout, self.cells, pair))

    def _exchange(self, pair: Pair, codes: tuple[int, int], total: int) -> core.Outcome[Position]:
        """Return the exchange, one of `total`, with these new codes of two tiles; belts start again (R20, R22)."""
        level, (first, second, _) = self.level, pair
        ends = {first: second, second: first}
        riders = tuple(name for name, cell in zip(level.names, self.cells, strict=True) if cell in ends)
        tiles = bytearray(self.layout.codes)
        tiles[second], tiles[first] = codes
        position, carried = self.run_belts(
            self.layout if tiles == self.layout.codes else Layout(level.grid, bytes(tiles)),
            tuple(ends.get(cell, cell) for cell in self.cells),  # robots ride along (R21)
            self._turn_riders({first: codes[0], second: codes[1]}),
        )
        turns = tuple((code - CONVEYOR) * 90 for code in codes if is_conveyor(code))
        (x, y), (u, v) = places = level.grid.cell(first), level.grid.cell(second)
        label = " ".join((f"({x},{y})<->({u},{v})", *map(str, turns)))
        events = (Exchanged(*places, turns, riders), *carried)
        return core.Outcome(position, Fraction(1, total), events=events, label=label)

    def _turn_riders(self, new: dict[int, int]) -> Rotations:
        """Return the robots' rotations: if a conveyor's grows by q, its rider's falls by q (R21)."""
        codes = self.layout.codes
        return tuple(
            (rotation - 90 * (new.get(cell, codes[cell]) - codes[cell])) % 360
            for cell, rotation in zip(self.cells, self.rotations, strict=True)
        )


def to_position(start: core.Level | core.Position[Any], user: str) -> Position:
    """Return a position, or the start of a level; GridproofError for those of other games, which `user` cannot use."""
    position = start.start() if isinstance(start, core.Level) else start
    if not isinstance(position, Position):
        raise GridproofError(f"{user} needs a level or a position of robots, not {type(start).__name__}")
    return position

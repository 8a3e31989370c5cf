"""The meaning of Robots: what each request does to a position (R12-R18)."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from gridproof.core import position as core
from gridproof.core.errors import GridproofError, IllegalAction, ParseError
from gridproof.core.position import NATURE
from gridproof.core.rng import Rng
from gridproof.games.robots import belts, exchange
from gridproof.games.robots.board import (
    HINT,
    Cell,
    Layout,
    Path,
    Tile,
    Way,
    connected,
    tile_of,
)
from gridproof.games.robots.hints import HintGiven, possible_hints
from gridproof.games.robots.level import AfterWalks, Level
from gridproof.games.robots.requests import (
    EXCHANGE,
    Action,
    Carried,
    Exchange,
    Request,
    Response,
    Rotate,
    Rotated,
    Walk,
    Walked,
    parse_request,
)


class Landing(NamedTuple):
    """Where a walk leads, before it is asked whether R8 allows it."""

    square: int
    auto: bool
    """Whether a belt carries the robot there."""


class Settled(NamedTuple):
    """A position after belts have started again, and what that did."""

    position: Position
    events: tuple[Carried, ...]


REMEMBERED = 1 << 16
"""Boards of a level whose walks are remembered."""
Rotations = tuple[int, ...]
"""In degrees: each robot's, clockwise from facing east (R3); or some by which one robot can turn."""
State = tuple[bytes, belts.Squares, Rotations]
"""The code of each square, and each robot's square and rotation."""


@functools.lru_cache(maxsize=4096)
def _turned(facing: Rotations, number: int, rotations: Rotations) -> tuple[Rotations, ...]:
    """All robots' rotations after each of these rotations of one of them (R13)."""
    return tuple((*facing[:number], (facing[number] + by) % 360, *facing[number + 1 :]) for by in rotations)


def _make_room(memory: dict[Any, Any]) -> None:
    if len(memory) >= REMEMBERED:
        memory.clear()


@dataclass(frozen=True, slots=True)
class Position(core.Position[Action]):
    """The tiles as they lie, and where each robot stands and faces."""

    level: Level = field(hash=False)
    layout: Layout
    cells: belts.Squares
    """Each robot's square, in the level's order."""
    rotations: tuple[int, ...]
    """Each robot's rotation, clockwise from facing east (R3)."""
    _requested: tuple[Action, ...] | None = field(default=None, init=False, repr=False, compare=False)
    """All robots' requests that are not answered FAILED, once they were asked for."""
    _exchange: tuple[Action, ...] | None = field(default=None, init=False, repr=False, compare=False)
    """The exchange, or none, once it was asked for."""

    # -- what can be seen

    @property
    def won(self) -> bool:
        """Whether some robot stands on its own home (R17, R20)."""
        return any(map(operator.eq, self.cells, self.level.homes))

    @property
    def winners(self) -> tuple[str, ...]:
        """The robots that stand on their own homes, in order."""
        stands = zip(self.level.names, self.cells, self.level.homes, strict=True)
        return tuple(name for name, cell, home in stands if cell == home)

    def cell(self, robot: str) -> Cell:
        """Where a robot stands."""
        return self.level.grid.cell(self.cells[self.level.number(robot)])

    def rotation(self, robot: str) -> int:
        """Where a robot faces."""
        return self.rotations[self.level.number(robot)]

    @property
    def tiles(self) -> tuple[tuple[Tile, ...], ...]:
        """A copy of the board: rows of tiles with their occupiers (R2, R4)."""
        names, grid, codes = self.level.names, self.level.grid, self.layout.codes
        on = dict(zip(self.cells, names, strict=True))
        row = [tile_of(codes[square], names, on.get(square, "")) for square in grid.squares]
        return tuple(tuple(row[y * grid.width : (y + 1) * grid.width]) for y in range(grid.height))

    # -- what can be done

    def actions(self, actor: str | None = None) -> tuple[Action, ...]:
        """The requests not answered FAILED: of all robots in their order, or of one; or the exchange."""
        if actor is None:
            if self._requested is None:
                object.__setattr__(self, "_requested", self._executable(range(len(self.cells))))
            return self._requested or ()
        if actor == NATURE:
            if self._exchange is None:
                there_is = not self.won and exchange.possible(self)  # R26
                object.__setattr__(self, "_exchange", (EXCHANGE,) if there_is else ())
            return self._exchange or ()
        return self._executable(self.level.numbers_of(actor))

    def _executable(self, numbers: Iterable[int]) -> tuple[Action, ...]:
        if self.won:
            return ()  # R12, R26
        return tuple(action for number in numbers for action in self._requests(number))

    def _requests(self, number: int) -> Iterator[Action]:
        level, turns = self.level, self.rotations[number] // 90
        ways = self.layout.ways(self.cells[number], level.walks[number][turns])
        for walk, way in zip(level.paths[number][turns], ways, strict=True):
            if way is not None and self._walked(number, way) is not None:
                yield walk
        yield from level.rotates[number]

    def action(self, text: str) -> Action:
        if not isinstance(text, str):
            raise self.refusal(str(text))
        try:
            action = EXCHANGE if text == str(EXCHANGE) else parse_request(text)
        except ParseError:
            raise self.refusal(text) from None
        if isinstance(action, Exchange):
            known = self.actions(NATURE)
        else:
            known = self.actions(action.robot) if self._requested is None else self._requested
        if action not in known:
            raise self.refusal(str(action))
        return action

    def respond(self, request: Request) -> Response:
        """The board's answer to any request, nothing being changed (R12).

        Raises
        ------
        GridproofError
            When the game is over, or the level has no such robot.
        """
        number = self._asking(request)
        if isinstance(request, Rotate):
            return Response.SUCCESS if request in self.level.rotates[number] else Response.FAILED  # R13
        moved = self._asked(number, request)
        return Response.FAILED if moved is None else self._response(number, moved[0][number])

    def _asking(self, request: Request) -> int:
        """The number of the robot that asks; an error when the game is over (R12)."""
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
        """The steps of a walk from where its robot stands (R14); None when its rule has no such move."""
        number = self.level.number(walk.robot)
        return self.level.paths[number][self.rotations[number] // 90].get(walk)

    def _response(self, number: int, square: int) -> Response:
        return Response.WIN if square == self.level.homes[number] else Response.SUCCESS  # R17

    def landing(self, number: int, path: Path) -> Landing | None:
        """Where the robot comes to on a path (R14, R15); None when the way is barred."""
        way = self.layout.way(self.cells[number], path)
        end = None if way is None else self._end(way)
        return None if way is None or end is None else Landing(end, way.auto)

    def _end(self, way: Way) -> int | None:
        """Where the robot comes to that walks there (R15); None when another is in its way."""
        for square in way.squares:
            if square in self.cells:
                return None  # an occupied cell comes before what lies there
        end = way.squares[-1]
        return belts.destination(self.layout, self.cells, end) if way.auto else end

    def _asked(self, number: int, walk: Walk) -> tuple[belts.Squares, bool] | None:
        """As `_walked`, of a walk that somebody asks for."""
        path = self.path(walk)
        way = None if path is None else self.layout.way(self.cells[number], path)
        return None if way is None else self._walked(number, way)

    def _walked(self, number: int, way: Way) -> tuple[belts.Squares, bool] | None:
        """The robots' squares once it is put down, and whether by auto movement; None for FAILED."""
        end = self._end(way)
        if end is None:
            return None
        cells = self._put(number, end)
        # R16: no second try at the path's end
        return (cells, way.auto) if connected(self.layout, cells, self.level.homes) else None

    def _put(self, number: int, square: int) -> belts.Squares:
        """The robots' squares with one of them put down elsewhere."""
        return (*self.cells[:number], square, *self.cells[number + 1 :])

    def outcomes(self, action: Action) -> Iterable[core.Outcome[Position]]:
        """What can follow: one outcome, one for each possible hint (R19), or every exchange (R21)."""
        if isinstance(action, Exchange):
            return exchange.outcomes(self)
        number = self._asking(action)
        if isinstance(action, Rotate):
            return (self._rotate(number, action),)
        return self._walk(number, action)

    def successors(self, actor: str | None = None) -> list[State]:
        """The codes of the tiles, and the robots' squares and rotations, after all requests or the exchange."""
        if actor == NATURE:
            after = (outcome.position for action in self.actions(actor) for outcome in self.outcomes(action))
            return [(position.layout.codes, position.cells, position.rotations) for position in after]
        if self.won:
            return []  # R12
        level, codes, here, facing = self.level, self.layout.codes, self.cells, self.rotations
        walks, found = self._remembered(), list[State]()
        for number in range(len(here)) if actor is None else level.numbers_of(actor):
            way = number, facing[number]  # where a robot can walk to depends on no other's rotation
            if (walked := walks.get(way)) is None:
                walked = walks[way] = self._after_walks(number)
            found += [(codes, cells, facing) for cells in walked]
            if turns := level.turns[number]:
                found += [(codes, here, turned) for turned in _turned(facing, number, turns)]
        return found

    def _remembered(self) -> AfterWalks:
        """What is remembered of walks with the robots and tiles where they are."""
        memory, key = self.level.after_walks, (self.layout.codes, self.cells)
        if (found := memory.get(key)) is None:
            _make_room(memory)
            found = memory[key] = {}
        return found

    def _after_walks(self, number: int) -> list[belts.Squares]:
        """The robots' squares after each walk of one of them."""
        level, layout, cells, found = self.level, self.layout, self.cells, list[belts.Squares]()
        codes, known, before, behind = layout.codes, level.after_putting, cells[:number], cells[number + 1 :]
        for way in layout.ways(cells[number], level.walks[number][self.rotations[number] // 90]):
            if way is not None and (end := self._end(way)) is not None:
                put = codes, (*before, end, *behind)
                if put not in known:
                    _make_room(known)
                    known[put] = belts.put_down(layout, put[1], level.homes)
                if after := known[put]:
                    found.append(after)
        return found

    def at(self, successor: State) -> Position:
        codes, cells, rotations = successor
        layout = self.layout if codes == self.layout.codes else Layout(self.layout.grid, codes)
        return Position(self.level, layout, cells, rotations)

    def _rotate(self, number: int, request: Rotate) -> core.Outcome[Position]:
        """R13; no belt starts, as none of the ways has changed (R20)."""
        if request not in self.level.rotates[number]:
            raise IllegalAction(request)
        (turned,) = _turned(self.rotations, number, (request.by,))
        position = Position(self.level, self.layout, self.cells, turned)
        return core.Outcome(position, events=(Rotated(request.robot, request.by),))

    def _walk(self, number: int, request: Walk) -> tuple[core.Outcome[Position], ...]:
        """R18: put down, told, given a hint; then blocked robots are carried on (R20)."""
        moved = self._asked(number, request)
        if moved is None:
            raise IllegalAction(request)
        cells, auto = moved
        square = cells[number]
        cell = self.level.grid.cell(square)
        walked = Walked(request.robot, cell, auto, self._response(number, square))
        position, carried = self.settled(self.layout, cells, self.rotations)
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

    def settled(self, layout: Layout, cells: belts.Squares, rotations: tuple[int, ...]) -> Settled:
        """The position with these robots and tiles, once no blocked robot can be carried on (R20)."""
        cells, carried = belts.carry_on(layout, cells, self.level.homes)
        names, cell = self.level.names, self.level.grid.cell
        events = tuple(
            Carried(names[number], cell(origin), cell(to), self._response(number, to))
            for number, origin, to in carried
        )
        return Settled(Position(self.level, layout, cells, rotations), events)

    def step(self, action: Action, rng: Rng) -> core.Outcome[Position]:
        return (
            exchange.draw(self, rng)
            if isinstance(action, Exchange)
            else core.draw(self.outcomes(action), rng)
        )

    def outcome(self, action: Action, label: str) -> core.Outcome[Position]:
        if isinstance(action, Exchange):
            return exchange.named(self, label)
        return core.Position.outcome(self, action, label)

"""Whether a structure is a model, or can be completed to one; else its first violated clause (S18)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gridproof.core.answer import Answer
from gridproof.core.errors import GridproofError, InvalidLevel
from gridproof.core.limit import Limit
from gridproof.core.reading import read, recognised
from gridproof.games.shiftit.elements import Call, Element, spelled
from gridproof.games.shiftit.idp.conversion import table_of
from gridproof.games.shiftit.idp.facts import Facts, move_element
from gridproof.games.shiftit.idp.structure import FORMAT, Row, Structure, Table, read_structures, write
from gridproof.games.shiftit.picture import run_picture
from gridproof.games.shiftit.rules import Level, Move, Position
from gridproof.games.shiftit.runs import Run

TIMED = ("GetPos", "MoveAt", "Reach", "Won", "GameEnded", "C_GetPos", "CN_GetPos")
"""The symbols of a run."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A clause that a structure breaks."""

    clause: str
    """Its number: "S5"."""
    time: int | None
    """When; None for what has no time."""
    where: str | None
    """The tile, side or symbol concerned; None where there is none."""
    message: str

    def __str__(self) -> str:
        time = "" if self.time is None else f" at time {self.time}"
        where = "" if self.where is None else f", {self.where}"
        return f"{self.clause}{time}{where}: {self.message}"


@dataclass(frozen=True, slots=True)
class ModelVerdict:
    """Whether a structure is a model."""

    holds: bool | None
    """True, False, or None (a limit was reached first)."""
    violation: Violation | None
    """The first violated clause, when it is no model."""
    run: Run | None
    """The run that it is, or that completes it."""


LONGEST = 100_000
"""The largest horizon that may be asked for."""


def check_model(structure: Structure, limit: Limit | None = None, horizon: int | None = None) -> ModelVerdict:
    """Whether a structure is a model of the theory, completed where it leaves something unknown.

    The board is the input and must be given; of the run everything may be left out, or be given in
    part. "First" means: what has no time comes first, then the earliest time, and at one time the
    lowest clause. Where moves are unknown, the violation is of a completion that agrees with the
    structure for the longest time.

    Parameters
    ----------
    structure : Structure
    limit : Limit, optional
        For structures that leave moves unknown: completing one is a search.
    horizon : int, optional
        Of a structure that lists no times: those from 0 to this are taken (S16).

    Raises
    ------
    GridproofError
        When the horizon is invalid, or larger than LONGEST.
    """
    if horizon is not None and not 0 <= horizon <= LONGEST:
        raise GridproofError(f"a horizon is a whole number from 0 to {LONGEST}, not {horizon}")
    try:
        if horizon is not None and "Time" not in structure.tables:
            times = {"Time": table_of(range(horizon + 1))}
            structure = dataclasses.replace(structure, tables={**times, **structure.tables})
        level, horizon = structure.level, structure.horizon
    except InvalidLevel as error:
        problem = error.problems[0]
        where = None if problem.where is None else _spelled_place(problem.where)
        return ModelVerdict(False, Violation(problem.code.split("-")[0], None, where, problem.message), None)
    facts = Facts(level, (str(colour) for colour in structure.types["Colour"]))
    for violation in _timeless(structure, facts, horizon):
        return ModelVerdict(False, violation, None)
    return _Completion(structure, facts, horizon).search(limit or Limit())


def model(text: str, game: str | None, limit: Limit, horizon: int | None = None) -> Iterator[Answer]:
    """Check whether a structure is a model of the rules.

    One that leaves something open is completed; so is a level.

    Exit status: 0 yes, with the run; 1 no, with the first violated clause; 3 neither within the limits.

    Parameters
    ----------
    horizon : T
        The last time, of levels, and of structures that list none.
    """
    owner, form = recognised(text, game)
    if owner.name != "shiftit":
        raise GridproofError(f"{owner.name} checks no structures")
    if form.name != FORMAT.name:
        text = write(read(text, owner))
        if horizon is None:
            raise GridproofError("up to which time? A level lists none: --horizon T says it")
    for structure in read_structures(text):
        yield _answer(structure, check_model(structure, limit, horizon))


def _answer(structure: Structure, verdict: ModelVerdict) -> Answer:
    violation, run = verdict.violation, verdict.run
    words = (
        f"no model; {violation}"
        if violation
        else "a model"
        if verdict.holds
        else "no answer within the limit"
    )
    picture = run_picture(run) if run else ""
    data = {
        "structure": structure.name,
        "title": structure.title,
        "holds": verdict.holds,
        "violation": dataclasses.asdict(violation) if violation else None,
        "actions": [str(move) for move in run.trace().actions] if run else None,
        "picture": picture or None,
    }
    return Answer(verdict.holds, f"{f'{structure.name}  {structure.title}'.rstrip()}: {words}", data, picture)


def _spelled_place(where: object) -> str:
    return f"P({where[0]},{where[1]})" if type(where) is tuple else str(where)


# -- comparing rows


def _clash(table: Table | None, arguments: Row, value: Element | None) -> str | None:
    """How a function's table contradicts a value, None being undefined; None when it does not."""
    if table is None:
        return None
    given = table.values.get(arguments)
    right = "undefined" if value is None else spelled(value)
    if given is not None and given != value:
        return f"{spelled(given)} is given, {right} is right"
    if value is not None and table.holds((*arguments, value)) is False:
        return f"{right} is right, and is excluded"
    return None


def _timeless(structure: Structure, facts: Facts, horizon: int) -> Iterator[Violation]:
    tables = structure.tables
    for row, colour in facts.colouring():
        if clash := _clash(tables.get("Colouring"), row, colour):
            yield Violation("S3", None, spelled(row[0]), f"Colouring: {clash}")
    for row, side in facts.ref():
        if clash := _clash(tables.get("Ref"), row, side):
            given = structure.values("Ref").get(row, side)
            yield Violation("S11", None, spelled(given or row[0]), f"Ref({row[0]}): {clash}")
    if clash := _clash(tables.get("Start"), (), 0):
        yield Violation("S16", None, "Start", clash)
    for time in range(horizon + 1):
        if clash := _clash(tables.get("Next"), (time,), time + 1 if time < horizon else None):
            yield Violation("S16", time, "Next", clash)


# -- completing


@dataclass(frozen=True, slots=True)
class _Node:
    """A position at a time, as some completion has it."""

    position: Position
    parent: _Node | None
    move: Move | None
    """The move that led here; None at the start and after the end."""


class _Completion:
    """The positions that agree with a structure, time by time."""

    def __init__(self, structure: Structure, facts: Facts, horizon: int) -> None:
        self.level: Level = facts.level
        self.facts = facts
        self.horizon = horizon
        self.tables: Mapping[str, Table] = {
            name: structure.tables[name] for name in TIMED if name in structure.tables
        }
        self._told = {name: _times(table) for name, table in self.tables.items()}

    def search(self, limit: Limit) -> ModelVerdict:
        meter = limit.start()
        layer = [_Node(self.level.start(), None, None)]
        states = 0
        for time in range(self.horizon + 1):
            following: dict[Position, _Node] = {}
            faults: list[list[Violation]] = []
            for node in layer:
                faults.append(self._extend(time, node, following))
                states += 1
                if states % 1024 == 0 and meter.reached(states + len(following)):
                    return ModelVerdict(None, None, None)
            if not following:
                return ModelVerdict(False, _latest(faults), None)
            layer = list(following.values())
            if not any(times is None or any(told > time for told in times) for times in self._told.values()):
                layer = layer[:1]  # nothing is said of later times: any completion will do
        return ModelVerdict(True, None, self._run(layer[0]))

    def _extend(self, time: int, node: _Node, following: dict[Position, _Node]) -> list[Violation]:
        """Add what may follow a node, itself when no move is made; else say what it violates."""
        faults = list(self._faults(time, node))
        moves, refused = self._moves(time, node.position)
        if faults or refused:
            return sorted([*faults, *refused], key=_number)
        for move in moves:
            caused = list(self._cause_faults(time, node.position, move))
            faults += caused
            if not caused:
                position = node.position if move is None else node.position.outcomes(move)[0].position
                following.setdefault(position, _Node(position, node, move))
        return faults

    def _tells(self, name: str, time: int) -> Table | None:
        """The table of a symbol, when it says something of a time."""
        if name not in self.tables:
            return None
        times = self._told[name]
        return self.tables[name] if times is None or time in times else None

    def _faults(self, time: int, node: _Node) -> Iterator[Violation]:
        """What a node violates by itself; of each symbol the first."""
        position = node.position
        yield from self._place_faults(time, node)
        for row, reached in self.facts.reach(time, position) if self._tells("Reach", time) else ():
            if self.tables["Reach"].holds(row) is (not reached):
                word = "is connected" if reached else "is not connected"
                yield Violation("S12", time, spelled(row[1]), f"the side {word} with Ref({row[2]})")
                break
        for name, clause, right in (("Won", "S13", position.won), ("GameEnded", "S14", position.ended)):
            table = self._tells(name, time)
            if table and table.holds((time,)) is (not right):
                yield Violation(
                    clause, time, self._apart(position), f"{name} is {'true' if right else 'false'} here"
                )

    def _apart(self, position: Position) -> str | None:
        """The first side that is not reached, which shows that the game is not won."""
        for sides, reached in zip(self.facts.sides, position.reached(), strict=True):
            if False in reached:
                return spelled(sides[reached.index(False)])
        return None

    def _place_faults(self, time: int, node: _Node) -> Iterator[Violation]:
        table = self._tells("GetPos", time)
        if table is None:
            return
        for tile, (row, place) in zip(self.level.tiles, self.facts.get_pos(time, node.position), strict=True):
            if clash := _clash(table, row, place):
                clause = "S1" if not time else "S15" if node.move is None else "S6" if tile.locked else "S5"
                yield Violation(clause, time, tile.name, f"GetPos: {clash}")
                return

    def _moves(self, time: int, position: Position) -> tuple[tuple[Move | None, ...], list[Violation]]:
        """The moves that may be made at a time, or why none may; (None,) when none is asked for."""
        table = self._tells("MoveAt", time)
        given = table.values.get((time,)) if table else None
        if isinstance(given, Call):
            return self._given_move(time, position, given)
        if position.ended or time == self.horizon:
            return (None,), []
        moves = position.actions()
        if table:
            moves = tuple(move for move in moves if table.holds((time, move_element(move))) is not False)
        fault = Violation("S7", time, "MoveAt", "the game has not ended, so one valid move must be made")
        return moves, [] if moves else [fault]

    def _given_move(
        self, time: int, position: Position, given: Call
    ) -> tuple[tuple[Move | None, ...], list[Violation]]:
        text = spelled(given)
        move = next((move for move in self.level.moves if str(move) == text), None)
        lock = self.level.lock(move) if move else None
        if move is None:
            fault = Violation(
                "S6", time, "MoveAt", f"{text} is no move: RM goes left or right, CM up or down"
            )
        elif lock:
            fault = Violation("S6", time, lock.name, f"the tile is locked, {text} cannot be made")
        elif position.ended:
            fault = Violation("S15", time, "MoveAt", f"the game has ended, {text} cannot be made")
        elif time == self.horizon:
            fault = Violation("S16", time, "MoveAt", f"{text} is given for the last time")
        else:
            return (move,), []
        return (), [fault]

    def _cause_faults(self, time: int, position: Position, move: Move | None) -> Iterator[Violation]:
        causes, ends = self._tells("C_GetPos", time), self._tells("CN_GetPos", time)
        if causes is None and ends is None:
            return
        for tile, (row, to, here) in zip(
            self.level.tiles, self.facts.caused(time, position, move), strict=True
        ):
            for name, table, value in (("C_GetPos", causes, to), ("CN_GetPos", ends, here)):
                if clash := _clash(table, row, value):
                    yield Violation("S17", time, tile.name, f"{name}: {clash}")
                    return

    def _run(self, node: _Node) -> Run:
        moves = []
        last: _Node | None = node
        while last is not None:
            if last.move is not None:
                moves.append(last.move)
            last = last.parent
        return Run(self.level, self.horizon, reversed(moves))


def _number(violation: Violation) -> int:
    return int(violation.clause[1:])


def _times(table: Table) -> frozenset[int] | None:
    """The times that a table mentions; None for all times."""
    if "" in table.given or "u" in table.given:
        return None
    return frozenset(row[0] for _, row in table.rows() if isinstance(row[0], int))


def _latest(faults: list[list[Violation]]) -> Violation:
    """Of the first violations of all completions, the one with the last clause."""
    found = max((fault[0] for fault in faults if fault), key=_number)
    if len(faults) == 1:
        return found
    message = f"in one of the {len(faults)} ways to complete the times before: {found.message}"
    return Violation(found.clause, found.time, found.where, message)

"""Check of structures: a run that completes the structure, or its first violated clause (S18)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gridproof.core.errors import GridproofError, InvalidLevel
from gridproof.core.extension import Answer
from gridproof.core.limit import Limit
from gridproof.core.text.recognition import read, recognise
from gridproof.games.shiftit.elements import Call, Element, spell
from gridproof.games.shiftit.idp.conversion import Facts, horizon_of, level_of, move_element, table_of
from gridproof.games.shiftit.idp.format import FORMAT, read_structures, write
from gridproof.games.shiftit.idp.structure import Structure
from gridproof.games.shiftit.idp.vocabulary import Row, Table
from gridproof.games.shiftit.rules import Level, Move, Position
from gridproof.games.shiftit.runs import LONGEST, Run
from gridproof.games.shiftit.text_picture import run_picture

TIMED = ("GetPos", "MoveAt", "Reach", "Won", "GameEnded", "C_GetPos", "CN_GetPos")
"""The symbols of a run."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A clause that a structure breaks."""

    clause: str
    """Its number: "S5"."""
    time: int | None
    """The time; None for a violation without a time."""
    where: str | None
    """The tile, side or symbol; None where there is none."""
    message: str

    def __str__(self) -> str:
        time = "" if self.time is None else f" at time {self.time}"
        where = "" if self.where is None else f", {self.where}"
        return f"{self.clause}{time}{where}: {self.message}"


@dataclass(frozen=True, slots=True)
class ModelVerdict:
    """The answer whether a structure is a model."""

    holds: bool | None
    """True, False, or None (a limit was reached first)."""
    violation: Violation | None
    """The first violated clause of a structure that is no model."""
    run: Run | None
    """The run that it describes, or that completes it."""


def check_model(structure: Structure, limit: Limit | None = None, horizon: int | None = None) -> ModelVerdict:
    """Check whether a structure is a model of the theory, or can be completed to one.

    The board is the input and must be complete; the run may be partial or left out. The first violation
    has no time, or the earliest time, and at one time the lowest clause. Where moves are unknown, it is
    that of a completion that agrees with the structure for the longest time.

    Parameters
    ----------
    structure : Structure
    limit : Limit, optional
        For structures that leave moves unknown: completing one is a search.
    horizon : int, optional
        The last time, for a structure that lists no times (S16).

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
        level, horizon = level_of(structure), horizon_of(structure)
    except InvalidLevel as error:
        problem = error.problems[0]
        where = None if problem.where is None else _place_text(problem.where)
        return ModelVerdict(False, Violation(problem.code.split("-")[0], None, where, problem.message), None)
    facts = Facts(level, (str(colour) for colour in structure.types["Colour"]))
    for violation in _check_timeless(structure, facts, horizon):
        return ModelVerdict(False, violation, None)
    return _Completion(structure, facts, horizon).search(limit or Limit())


def model(text: str, game: str | None, limit: Limit, horizon: int | None = None) -> Iterator[Answer]:
    """Check whether a structure is a model of the rules.

    A partial structure is completed, and so is a level.

    Exit status: 0 yes, with the run; 1 no, with the first violated clause; 3 undecided at a limit.

    Parameters
    ----------
    horizon : T
        Last time, for levels and for structures that list no times.
    """
    owner, form = recognise(text, game)
    if owner.name != "shiftit":
        raise GridproofError(f"{owner.name} has no structures; model checks those of shiftit")
    if form.name != FORMAT.name:
        text = write(read(text, owner))
        if horizon is None:
            raise GridproofError("a level has no horizon; give one with --horizon T")
    for structure in read_structures(text):
        yield _answer(structure, check_model(structure, limit, horizon))


def _answer(structure: Structure, verdict: ModelVerdict) -> Answer:
    violation, run = verdict.violation, verdict.run
    words = "a model" if verdict.holds else "no answer within the limit"
    if violation:
        words = f"no model; {violation}"
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


def _place_text(where: object) -> str:
    return f"P({where[0]},{where[1]})" if type(where) is tuple else str(where)


# -- comparing rows


def _find_clash(table: Table | None, arguments: Row, value: Element | None) -> str | None:
    """Return how a function's table contradicts a value (None: undefined); None when it does not."""
    if table is None:
        return None
    given = table.values.get(arguments)
    right = "undefined" if value is None else spell(value)
    if given is not None and given != value:
        return f"{spell(given)} is given, {right} is right"
    if value is not None and table.holds((*arguments, value)) is False:
        return f"{right} is right, and is excluded"
    return None


def _check_timeless(structure: Structure, facts: Facts, horizon: int) -> Iterator[Violation]:
    tables = structure.tables
    for row, colour in facts.colouring():
        if clash := _find_clash(tables.get("Colouring"), row, colour):
            yield Violation("S3", None, spell(row[0]), f"Colouring: {clash}")
    for row, side in facts.ref():
        if clash := _find_clash(tables.get("Ref"), row, side):
            given = structure.values("Ref").get(row, side)
            yield Violation("S11", None, spell(given or row[0]), f"Ref({row[0]}): {clash}")
    if clash := _find_clash(tables.get("Start"), (), 0):
        yield Violation("S16", None, "Start", clash)
    for time in range(horizon + 1):
        if clash := _find_clash(tables.get("Next"), (time,), time + 1 if time < horizon else None):
            yield Violation("S16", time, "Next", clash)


# -- completing


@dataclass(frozen=True, slots=True)
class _Node:
    """A position of some completion at a time."""

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
        self._times = {name: _times_of(table) for name, table in self.tables.items()}

    def search(self, limit: Limit) -> ModelVerdict:
        meter = limit.start()
        layer = [_Node(self.level.start(), None, None)]
        states = 0
        for time in range(self.horizon + 1):
            successors: dict[Position, _Node] = {}
            faults: list[list[Violation]] = []
            for node in layer:
                faults.append(self._extend(time, node, successors))
                states += 1
                if states % 1024 == 0 and meter.is_reached(states + len(successors)):
                    return ModelVerdict(None, None, None)
            if not successors:
                return ModelVerdict(False, _choose_latest(faults), None)
            layer = list(successors.values())
            if not any(
                times is None or any(mention > time for mention in times) for times in self._times.values()
            ):
                layer = layer[:1]  # no table mentions later times: any completion will do
        return ModelVerdict(True, None, self._make_run(layer[0]))

    def _extend(self, time: int, node: _Node, successors: dict[Position, _Node]) -> list[Violation]:
        """Add the successors of a node, itself when no move is made; return the violations."""
        faults = list(self._check_node(time, node))
        moves, refused = self._find_moves(time, node.position)
        if faults or refused:
            return sorted([*faults, *refused], key=_clause_number)
        for move in moves:
            caused = list(self._check_causes(time, node.position, move))
            faults += caused
            if not caused:
                position = node.position if move is None else node.position.outcomes(move)[0].position
                successors.setdefault(position, _Node(position, node, move))
        return faults

    def _table_at(self, name: str, time: int) -> Table | None:
        """Return the table of a symbol, if it mentions a time."""
        if name not in self.tables:
            return None
        times = self._times[name]
        return self.tables[name] if times is None or time in times else None

    def _check_node(self, time: int, node: _Node) -> Iterator[Violation]:
        """Yield the violations of a node by itself, the first of each symbol."""
        position = node.position
        yield from self._check_places(time, node)
        for row, reached in self.facts.reach(time, position) if self._table_at("Reach", time) else ():
            if self.tables["Reach"].holds(row) is (not reached):
                word = "is connected" if reached else "is not connected"
                yield Violation("S12", time, spell(row[1]), f"the side {word} with Ref({row[2]})")
                break
        for name, clause, right in (("Won", "S13", position.won), ("GameEnded", "S14", position.ended)):
            table = self._table_at(name, time)
            if table and table.holds((time,)) is (not right):
                message = f"{name} is {'true' if right else 'false'} here"
                yield Violation(clause, time, self._find_separate_side(position), message)

    def _find_separate_side(self, position: Position) -> str | None:
        """Return the first side without a connection to its Ref, which shows that the game is not won."""
        for sides, reached in zip(self.facts.sides, position.reachable_sides(), strict=True):
            if False in reached:
                return spell(sides[reached.index(False)])
        return None

    def _check_places(self, time: int, node: _Node) -> Iterator[Violation]:
        table = self._table_at("GetPos", time)
        if table is None:
            return
        for tile, (row, place) in zip(self.level.tiles, self.facts.get_pos(time, node.position), strict=True):
            if clash := _find_clash(table, row, place):
                clause = "S1" if not time else "S15" if node.move is None else "S6" if tile.locked else "S5"
                yield Violation(clause, time, tile.name, f"GetPos: {clash}")
                return

    def _find_moves(self, time: int, position: Position) -> tuple[tuple[Move | None, ...], list[Violation]]:
        """Return the moves of a time ((None,) when none is made), or the violation where there are none."""
        table = self._table_at("MoveAt", time)
        given = table.values.get((time,)) if table else None
        if isinstance(given, Call):
            return self._check_move(time, position, given)
        if position.ended or time == self.horizon:
            return (None,), []
        moves = position.actions()
        if table:
            moves = tuple(move for move in moves if table.holds((time, move_element(move))) is not False)
        fault = Violation("S7", time, "MoveAt", "the game has not ended, so one valid move must be made")
        return moves, [] if moves else [fault]

    def _check_move(
        self, time: int, position: Position, element: Call
    ) -> tuple[tuple[Move | None, ...], list[Violation]]:
        text = spell(element)
        move = next((move for move in self.level.moves if str(move) == text), None)
        if move is None:
            fault = "S6", "MoveAt", f"{text} is no move: RM goes left or right, CM up or down"
        elif (lock := self.level.lock(move)) is not None:
            fault = "S6", self.level.tiles[lock].name, f"the tile is locked, {text} cannot be made"
        elif position.ended:
            fault = "S15", "MoveAt", f"the game has ended, {text} cannot be made"
        elif time == self.horizon:
            fault = "S16", "MoveAt", f"{text} is given for the last time"
        else:
            return (move,), []
        clause, where, message = fault
        return (), [Violation(clause, time, where, message)]

    def _check_causes(self, time: int, position: Position, move: Move | None) -> Iterator[Violation]:
        causes, ends = self._table_at("C_GetPos", time), self._table_at("CN_GetPos", time)
        if causes is None and ends is None:
            return
        for tile, (row, to, here) in zip(
            self.level.tiles, self.facts.causes(time, position, move), strict=True
        ):
            for name, table, value in (("C_GetPos", causes, to), ("CN_GetPos", ends, here)):
                if clash := _find_clash(table, row, value):
                    yield Violation("S17", time, tile.name, f"{name}: {clash}")
                    return

    def _make_run(self, node: _Node) -> Run:
        moves = []
        last: _Node | None = node
        while last is not None:
            if last.move is not None:
                moves.append(last.move)
            last = last.parent
        return Run(self.level, self.horizon, reversed(moves))


def _clause_number(violation: Violation) -> int:
    return int(violation.clause[1:])


def _times_of(table: Table) -> frozenset[int] | None:
    """Return the times that a table mentions; None for all times."""
    if "" in table.rows_by_truth or "u" in table.rows_by_truth:
        return None
    every = (row[0] for rows in table.rows_by_truth.values() for row in rows)
    return frozenset(time for time in every if isinstance(time, int))


def _choose_latest(faults: list[list[Violation]]) -> Violation:
    """Return the one with the last clause among the first violations of all completions."""
    found = max((fault[0] for fault in faults if fault), key=_clause_number)
    if len(faults) == 1:
        return found
    message = f"in one of the {len(faults)} ways to complete the times before: {found.message}"
    return Violation(found.clause, found.time, found.where, message)

"""The claims and the numbers of runs by the theory: an answer-set program (`theory.lp`), solved by clingo (S27)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, Meter
from gridproof.core.loading import load
from gridproof.core.trace import Trace
from gridproof.games.shiftit.claims.verdict import ClaimVerdict, verdict
from gridproof.games.shiftit.elements import DIRECTIONS
from gridproof.games.shiftit.rules import Level, Move
from gridproof.games.shiftit.runs import Run

if TYPE_CHECKING:
    import clingo

THEORY = Path(__file__).with_name("theory.lp")

_LARGEST = 2_000_000  # of the theory's largest rule, instances that are made
_WAIT = 0.1  # seconds between two looks at the clock

QUESTIONS = {
    1: ("", "win"),
    2: ("lost", "ended"),
    3: ("less", "win"),
    4: ("", "keeping"),
    5: ("", "near"),
    6: ("changed", "back"),
}
"""Of each claim, what refutes it, "" where it is about some run, and what shows it or is an example."""


class Stopped(Exception):
    """A limit was reached."""


class Theory:
    """The theory with the facts of a board and a horizon.

    Raises
    ------
    GridproofError
        When the program would be too large.
    """

    def __init__(self, level: Level, horizon: int, meter: Meter) -> None:
        self.level, self.horizon, self._meter = level, horizon, meter
        _check_size(level, horizon)
        with meter.paused():
            self._clingo = load("clingo")
        self._control = self._clingo.Control(["--models=0"], logger=_silent)
        self._control.load(str(THEORY))
        self._control.add("base", [], "".join(f"{fact}.\n" for fact in facts(level, horizon)))
        self._control.ground([("base", [])])
        self._grounded = {"base"}

    def models(self, question: str = "") -> Iterator[clingo.Model]:
        """The answer sets: all runs, or those that show something. Each is valid until the next is asked for.

        Raises
        ------
        Stopped
            When a limit is reached.
        """
        if question == "keeping" and question not in self._grounded:
            self._control.ground([(question, [])])
            self._grounded.add(question)
        asked = [(self._clingo.Function("ask", [self._clingo.Function(question)]), True)] if question else []
        for atom, _ in asked:
            self._control.assign_external(atom, True)
        try:
            yield from self._solved()
        finally:
            for atom, _ in asked:
                self._control.assign_external(atom, False)

    def _solved(self) -> Iterator[clingo.Model]:
        with self._control.solve(yield_=True, async_=True) as handle:
            while True:
                self._look()
                handle.resume()
                while not handle.wait(_WAIT):
                    self._look()
                model = handle.model()
                if model is None:
                    return
                yield model

    def _look(self) -> None:
        if self._meter.reached(0):
            raise Stopped

    def run(self, model: clingo.Model) -> Run:
        """The run that an answer set is; the rules check it."""
        moves = {}
        for atom in model.symbols(atoms=True):
            if atom.name == "moveAt":
                time, move = atom.arguments
                line, direction = move.arguments
                moves[time.number] = Move(move.name.upper(), line.number, direction.name)
        return Run(self.level, self.horizon, [moves[time] for time in sorted(moves)])

    def example(self, question: str) -> Trace | None:
        """A run that shows something; None when there is none."""
        for model in self.models(question):  # which stay valid as long as the search is held
            return self.run(model).trace()
        return None

    def won(self, model: clingo.Model) -> bool:
        """Whether a run wins."""
        return model.contains(self._clingo.Function("won", [self._clingo.Number(self.horizon)]))


def _silent(code: object, message: str) -> None:
    """Say nothing of symbols without facts, such as locks."""


def _check_size(level: Level, horizon: int) -> None:
    places = len(level.tiles)
    instances = (horizon + 1) * len(level.connection.borders) * places * places
    if instances > _LARGEST:
        raise GridproofError(
            f"the theory is too large for this board up to {horizon:,}: {instances:,} borders of two tiles at a time, at most "
            f"{_LARGEST:,} are taken; the explicit engine has no such bound"
        )


def facts(level: Level, horizon: int) -> Iterator[str]:
    """The facts of a board and of Time = {0..T}."""
    yield f"time(0..{horizon})"
    yield "start(0)"
    yield from (f"next({time},{time + 1})" for time in range(horizon))
    yield f"xCo({level.columns[0]}..{level.columns[-1]})"
    yield f"yCo({level.rows[0]}..{level.rows[-1]})"
    for tile in level.tiles:
        name = quoted(tile.name)
        yield f"tile({name})"
        yield f"init_GetPos({name},p({tile.x},{tile.y}))"
        if tile.locked:
            yield f"isLocked({name})"
        if len(set(tile.colours)) == 1:
            yield f"init_Colouring_Full({name},{quoted(tile.colours[0] or '')})"
            continue
        for direction, colour in zip(DIRECTIONS, tile.colours, strict=True):
            yield f"init_Colouring(s({name},{direction}),{quoted(colour or '')})"


def quoted(text: str) -> str:
    """A text as a term of the program."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def claims(level: Level, horizon: int, meter: Meter) -> list[ClaimVerdict]:
    """The six claims, in order."""
    theory = Theory(level, horizon, meter)
    return [
        verdict(number, *_answer(theory, *asked), meter, states=0, horizon=horizon, engine="clingo")
        for number, asked in QUESTIONS.items()
    ]


def _answer(theory: Theory, refuting: str, showing: str) -> tuple[bool | None, Trace | None]:
    try:
        against = theory.example(refuting) if refuting else None
        if against is not None:
            return False, against
        example = theory.example(showing)
    except Stopped:
        return None, None
    return bool(refuting) or example is not None, example


def count(level: Level, horizon: int, meter: Meter) -> tuple[int | None, int | None, int]:
    """The numbers of runs and of those that win, one by one; None at a limit. No positions are listed."""
    theory = Theory(level, horizon, meter)
    number = won = 0
    try:
        for model in theory.models():
            number += 1
            won += theory.won(model)
    except Stopped:
        return None, None, 0
    return number, won, 0


def all_models(level: Level, horizon: int) -> Iterator[Run]:
    """Every run, as clingo finds them."""
    theory = Theory(level, horizon, Limit().start())
    return map(theory.run, theory.models())

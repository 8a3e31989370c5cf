"""Claims and numbers of runs by the theory: an answer-set program (`theory.lp`) for clingo (S27)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gridproof.core.errors import GridproofError
from gridproof.core.lazy_import import load
from gridproof.core.limit import Limit, Meter, Stopped
from gridproof.core.trace import Trace
from gridproof.games.shiftit.claims.verdict import ClaimVerdict, make_verdict
from gridproof.games.shiftit.elements import Call, Element
from gridproof.games.shiftit.idp.conversion import board_tables
from gridproof.games.shiftit.idp.vocabulary import sort_rows
from gridproof.games.shiftit.rules import Level, Move
from gridproof.games.shiftit.runs import Run
from gridproof.prove.answer_sets import ignore_message, iterate_models

if TYPE_CHECKING:
    import clingo

THEORY = Path(__file__).with_name("theory.lp")

_LARGEST = 2_000_000  # instances of the theory's largest rule

QUESTIONS = {
    1: ("", "win"),
    2: ("lost", "ended"),
    3: ("less", "win"),
    4: ("", "keeping"),
    5: ("", "near"),
    6: ("changed", "back"),
}
"""The questions of each claim: what refutes it ("" for a claim about some run), and what is an example of it."""


class Theory:
    """The theory with the facts of a board and a horizon.

    Raises
    ------
    GridproofError
        When the program would be too large.
    """

    def __init__(self, level: Level, horizon: int, meter: Meter) -> None:
        self.level, self.horizon, self._meter = level, horizon, meter
        check_size(level, horizon)
        with meter.pause():
            self._clingo = load("clingo")
        self._control = self._clingo.Control(["--models=0"], logger=ignore_message)
        self._control.load(str(THEORY))
        self._control.add("base", [], "".join(f"{fact}.\n" for fact in facts(level, horizon)))
        self._control.ground([("base", []), ("initial", [])])
        self._grounded = {"base"}

    def models(self, question: str = "") -> Iterator[clingo.Model]:
        """Yield the answer sets: all runs, or those that answer a question. Each is valid until the next one.

        Raises
        ------
        Stopped
            When a limit is reached.
        """
        if question == "keeping" and question not in self._grounded:
            self._control.ground([(question, [])])
            self._grounded.add(question)
        atoms = [self._clingo.Function("ask", [self._clingo.Function(question)])] if question else []
        for atom in atoms:
            self._control.assign_external(atom, True)
        try:
            yield from iterate_models(self._control, self._meter)
        finally:
            for atom in atoms:
                self._control.assign_external(atom, False)

    def run_of(self, model: clingo.Model) -> Run:
        """Return the run of an answer set; the rules check it."""
        moves = {}
        for atom in model.symbols(atoms=True):
            if atom.name == "moveAt":
                time, move = atom.arguments
                line, direction = move.arguments
                moves[time.number] = Move(move.name.upper(), line.number, direction.name)
        return Run(self.level, self.horizon, [moves[time] for time in sorted(moves)])

    def find_example(self, question: str) -> Trace | None:
        """Return the trace of a run that answers a question; None when there is none."""
        for model in self.models(question):  # a model is valid as long as the search is held
            return self.run_of(model).trace()
        return None

    def is_won(self, model: clingo.Model) -> bool:
        """Return whether a run wins."""
        return model.contains(self._clingo.Function("won", [self._clingo.Number(self.horizon)]))


def check_size(level: Level, horizon: int) -> None:
    """Raise GridproofError when the program for a board would be too large."""
    places = len(level.tiles)
    instances = (horizon + 1) * len(level.connection.borders) * places * places
    if instances > _LARGEST:
        raise GridproofError(
            f"the theory is too large for this board up to {horizon:,}: {instances:,} borders of two tiles at a time, at most "
            f"{_LARGEST:,} are taken; the explicit engine has no such bound"
        )


def facts(level: Level, horizon: int) -> Iterator[str]:
    """Yield the facts of a board and of Time = {0..T}: the rows of its structure."""
    for symbol, table in board_tables(level, horizon).items():
        for row in sort_rows(table.certain):
            yield f"{symbol[0].lower()}{symbol[1:]}({','.join(map(term_of, row))})"


def term_of(element: Element) -> str:
    """Return an element as a term of the program; its names begin with small letters."""
    if isinstance(element, Call):
        inside = ",".join(map(term_of, element.arguments))
        return f"{element.name.lower()}({inside})" if inside else element.name
    if isinstance(element, int):
        return str(element)
    text = element if isinstance(element, str) else element.text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def check_claims(level: Level, horizon: int, meter: Meter) -> list[ClaimVerdict]:
    """Check the six claims, in order."""
    theory = Theory(level, horizon, meter)
    return [
        make_verdict(
            number, *_answer_claim(theory, *question), meter, states=0, horizon=horizon, engine="clingo"
        )
        for number, question in QUESTIONS.items()
    ]


def _answer_claim(theory: Theory, refutation: str, example: str) -> tuple[bool | None, Trace | None]:
    try:
        trace = theory.find_example(refutation) if refutation else None
        if trace is not None:
            return False, trace
        trace = theory.find_example(example)
    except Stopped:
        return None, None
    return bool(refutation) or trace is not None, trace


def count_runs(level: Level, horizon: int, meter: Meter) -> tuple[int | None, int | None, int]:
    """Count the runs and those that win, one by one; None at a limit. No positions are listed."""
    theory = Theory(level, horizon, meter)
    number = won = 0
    try:
        for model in theory.models():
            number += 1
            won += theory.is_won(model)
    except Stopped:
        return None, None, 0
    return number, won, 0


def all_models(level: Level, horizon: int) -> Iterator[Run]:
    """Yield every run, as clingo finds them."""
    theory = Theory(level, horizon, Limit().start())
    return map(theory.run_of, theory.models())

"""S27 in FO(.): what is written, and, where IDP-Z3 is (`make test-idp`), that its models are the runs."""

from __future__ import annotations

import copy
import functools
import itertools
import re
from typing import Any

import pytest
from tests.games.shiftit.boards import level, structure_of_run, unwinnable_board

import gridproof as gp
from gridproof.games.shiftit import Level, Move, Tile
from gridproof.games.shiftit.claims.fodot import VERIFICATIONS, fodot, make_identifiers, read_theory
from gridproof.games.shiftit.elements import Call, Element, spell
from gridproof.games.shiftit.idp.conversion import structure_of
from gridproof.games.shiftit.idp.vocabulary import CONSTRUCTED, LISTED, SYMBOLS, Symbol
from gridproof.games.shiftit.runs import Run, all_runs

ANSWERS = ("MoveAt", "GetPos", "C_GetPos", "CN_GetPos", "Reach", "Ref", "GameEnded", "Won", "Colouring")
BOARDS = {
    "won at once, by any move": "b r\nr b",
    "a lock": "b r*\nr b",
    "sides": "brrb rryy\nggrr roor",
    "won at the start": "r r\nr r",
    "no valid move": "b* r\nr b*",
}


def awkward_board() -> Level:
    """A board whose names are words of the language or of the vocabulary, or no words, or both a tile's and a colour's."""
    return Level(
        [
            Tile('"up"', -1, 4, "dark blue"),
            Tile("7", 0, 4, ["Won", "a", "a", "Won"], locked=True),
            Tile('"my tile"', -1, 5, "a"),
            Tile("a", 0, 5, "time"),
        ]
    )


# -- what is written


@pytest.mark.clause("S16", "S17", "S27")
def test_vocabulary_is_that_of_the_document() -> None:
    text = read_theory()
    for name, symbol in SYMBOLS.items():
        sorts, partial = " * ".join(symbol.types), "partial " if symbol.partial else ""
        assert f"  {name} : {partial}({sorts}) -> {symbol.result or 'Bool'}\n" in text, name
    for name in (*LISTED, *CONSTRUCTED):
        assert len(re.findall(rf"^  type {name}\b", text, re.MULTILINE)) == 1, name
    for name, forms in CONSTRUCTED.items():
        (made,) = re.findall(rf"^  type {name} := constructed from \{{(.*)\}}$", text, re.MULTILINE)
        types = [f"{form}({', '.join(inner)})" if inner else form for form, inner in forms.items()]
        assert re.sub(r"\w+: ", "", made) in (", ".join(order) for order in itertools.permutations(types))
    assert {*VERIFICATIONS} | {"ShiftIt"} == set(re.findall(r"^theory (\w+) :", text, re.MULTILINE))


@pytest.mark.clause("S16", "S17", "S27")
def test_board_is_written_as_a_structure() -> None:
    written = fodot("shiftit 2x1\ntitle: Two\nrbrr b*\n", None, horizon=2)
    assert written.startswith(read_theory())
    assert (
        "// title: Two\nstructure Board : ShiftItVoc {\n  Time := {0..2}.\n  Start := 0.\n  dom_Next := {0, 1}.\n"
        "  Next := {0 -> 1, 1 -> 2}.\n  Co := {0, 1}.\n  XCo := {0, 1}.\n  YCo := {0}.\n  Tile := {t1, t2}.\n"
        "  Colour := {red, blue}.\n  Init_GetPos := {t1 -> P(0, 0), t2 -> P(1, 0)}.\n  IsLocked := {t2}.\n"
        "  dom_Init_Colouring_Full := {t2}.\n  Init_Colouring_Full := {t2 -> blue}.\n"
        "  dom_Init_Colouring := {S(t1, up), S(t1, right), S(t1, down), S(t1, left)}.\n"
        "  Init_Colouring := {S(t1, up) -> red, S(t1, right) -> blue, S(t1, down) -> red, S(t1, left) -> red}.\n}\n"
    ) in written
    assert "\n  Next :=" not in fodot("shiftit 1x1\nr\n", None, horizon=0)


@pytest.mark.clause("S16")
def test_fodot_uses_the_times_of_structures_and_checks_each_board() -> None:
    both = "".join(structure_of(level("b r"), last).text() for last in (3, 0))
    written = fodot(both, "shiftit", horizon=9)
    assert re.findall(r"^structure (\w+) .*\n  Time := (.*)\.$", written, re.MULTILINE) == [
        ("Board1", "{0..3}"),
        ("Board2", "{0..0}"),
    ]
    assert written.count("model_expand(ShiftIt, Board2, ") == 1
    assert written.count("model_check(ShiftIt, Board1, ") == len(VERIFICATIONS)


def test_names_are_identifiers_all_different() -> None:
    tiles = make_identifiers(["up", "7", "tile_1", '"my tile"', "dom_x", "größe", "a1"], "tile")
    assert tiles == {
        "up": "tile_2", "7": "tile_3", "tile_1": "tile_1", '"my tile"': "tile_4", "dom_x": "tile_5",
        "größe": "tile_6", "a1": "a1",
    }  # fmt: skip
    assert make_identifiers(["a1", "red"], "colour", tiles.values()) == {"a1": "colour_1", "red": "red"}
    told = re.findall(
        r"^// (\w+) stands for (.+)$", fodot(awkward_board().text(), None, horizon=0), re.MULTILINE
    )
    assert {name for _, name in told} == {"Won", "a", "dark blue", "time", '"my tile"', '"up"', "7"}
    assert {one for one, _ in told} == {
        *(f"colour_{n}" for n in range(1, 5)),
        *(f"tile_{n}" for n in range(1, 4)),
    }


@pytest.mark.parametrize(
    ("text", "horizon", "message"),
    [
        ("shiftit 1x1\nr\n", None, "no times are listed"),
        ("shiftit 1x1\nr\n", 10**6, "runs are written up to a horizon of 100,000, not 1000000"),
        ("#####\n#@$.#\n#####\n", 1, "sokoban has no claims"),
    ],
)
def test_fodot_refuses_other_games_and_horizons(text: str, horizon: int | None, message: str) -> None:
    with pytest.raises(gp.GridproofError, match=re.escape(message)):
        fodot(text, None, horizon)


# -- the answers of IDP-Z3


class Read:
    """A board's text as IDP-Z3 reads it."""

    def __init__(self, board: Level, horizon: int) -> None:
        self.engine: Any = pytest.importorskip("idp_engine", reason="`make test-idp` brings IDP-Z3")
        self.board, self.horizon = board, horizon
        blocks = self.engine.IDP.from_str(fodot(board.text(), "shiftit", horizon))
        self.theories, self.given = blocks.theories, blocks.structures["Board"]
        self.tiles = make_identifiers((tile.name for tile in board.tiles), "tile")
        self.colours = make_identifiers(board.colours, "colour", self.tiles.values())

    @functools.cached_property
    def runs(self) -> Any:
        """The theory whose models are the runs, which takes seconds to ground."""
        return self.engine.Theory(self.theories["ShiftIt"], self.given)

    def models(self) -> list[str]:
        """All models, each in the words of IDP-Z3."""
        *models, last = self.runs.expand(max=0, timeout_seconds=0)
        assert str(last).strip() == ("No more models." if models else "No models.")
        return [str(model) for model in models]

    def holds(self, theory: str) -> bool:
        """Return whether some run is a model of a theory, too."""
        block = self.theories[theory]
        if block.definitions:
            asked = self.engine.Theory(self.theories["ShiftIt"], self.given, block)
            return bool(next(iter(asked.expand(max=1, timeout_seconds=0))) != "No models.")
        self.engine.Theory(self.given, block)  # an error if some term of it has no value
        solver = self.runs.solver
        solver.push()
        for constraint in block.constraints:
            solver.add(copy.deepcopy(constraint).interpret(self.runs, {}).translate(self.runs))
        answer = str(solver.check())
        solver.pop()
        assert answer in ("sat", "unsat")
        return answer == "sat"

    def run(self, model: str) -> Run:
        """The run of a model's moves."""
        moves = {
            int(time): Move(kind, int(line), direction)
            for time, kind, line, direction in re.findall(
                r"(\d+) -> (RM|CM)\((-?\d+), (\w+)\)", model_value(model, "MoveAt")
            )
        }
        return Run(self.board, self.horizon, [moves[time] for time in sorted(moves)])

    def rows(self, run: Run) -> dict[str, set[str]]:
        """Return the facts of a run, in the words of IDP-Z3."""
        tables = structure_of_run(run).tables
        return {name: {self._row(SYMBOLS[name], row) for row in tables[name].certain} for name in ANSWERS}

    def _row(self, symbol: Symbol, row: tuple[Element, ...]) -> str:
        words = list(map(self._to_text, symbol.row_types, row))
        value = [words.pop()] if symbol.result else []
        arguments = f"({', '.join(words)})" if len(words) > 1 else words[0]
        return " -> ".join([arguments, *value])

    def _to_text(self, kind: str, element: Element) -> str:
        if isinstance(element, Call):
            inside = ", ".join(map(self._to_text, CONSTRUCTED[kind][element.name], element.arguments))
            return f"{element.name}({inside})" if inside else element.name
        if kind == "Tile":
            return self.tiles[spell(element)]
        return self.colours[str(element)] if kind == "Colour" else str(element)


def model_value(model: str, name: str) -> str:
    """Return the rows of a symbol in a model as text; "" without any."""
    found = re.search(rf"^{name} := \{{(.*)\}}\.$", model, re.MULTILINE)
    return found[1] if found else ""


def model_rows(model: str, name: str) -> set[str]:
    """Return the rows of a symbol in a model; commas outside of parentheses divide them."""
    rows, depth = [""], 0
    for character in model_value(model, name):
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            rows.append("")
        else:
            rows[-1] += character
    return {row.strip() for row in rows if row}


def check_models(board: Level, horizon: int) -> None:
    """Check that the models are the runs, with the same facts."""
    read = Read(board, horizon)
    models = read.models()
    runs = [read.run(model) for model in models]
    assert len(runs) == len(set(runs)) == gp.runs(board, horizon).count
    assert set(runs) == set(all_runs(board, horizon))
    for model, run in zip(models, runs, strict=True):
        for name, rows in read.rows(run).items():
            assert model_rows(model, name) == rows, (name, run.moves)


def check_verdicts(board: Level, horizon: int) -> None:
    read = Read(board, horizon)
    held = {theory: read.holds(theory) for theory in VERIFICATIONS}
    verdicts = gp.claims(board, horizon)
    assert [verdict.holds for verdict in verdicts] == [
        held["Wins"], not held["EndsUnwon"], not held["WinsUnreached"],
        held["WinsKeeping"], held["WinsNear"], not held["GoesBackElsewhere"],
    ]  # fmt: skip
    assert verdicts[1].vacuous is not held["Ends"]
    assert verdicts[5].vacuous is not held["GoesBack"]


@pytest.mark.slow
@pytest.mark.clause("S16", "S17", "S27")
@pytest.mark.parametrize("name", BOARDS)
def test_models_are_the_runs(name: str) -> None:
    for horizon in range(2):
        check_models(level(BOARDS[name]), horizon)


@pytest.mark.slow
@pytest.mark.clause("S17", "S27")
def test_models_are_the_runs_with_awkward_names() -> None:
    check_models(awkward_board(), 1)


@pytest.mark.slow
@pytest.mark.clause("S16", "S27")
def test_models_are_the_runs_at_longer_horizon() -> None:
    check_models(level("b r\nr b"), 2)
    check_models(unwinnable_board(2, 2, locked=(0,)), 2)


@pytest.mark.slow
@pytest.mark.clause("S19", "S20", "S21", "S22", "S23", "S24", "S27")
@pytest.mark.parametrize("name", BOARDS)
def test_verifications_are_the_claims(name: str) -> None:
    check_verdicts(level(BOARDS[name]), 1)


@pytest.mark.slow
@pytest.mark.clause("S22", "S23", "S24", "S27")
def test_verifications_are_the_claims_when_claims_differ() -> None:
    """Won in two moves without parting anything, but not near; and columns that go back."""
    (board,) = gp.levels_at("shiftit/boards/2")
    assert isinstance(board, Level)
    check_verdicts(board, 2)

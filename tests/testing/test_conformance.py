"""The conformance kit on broken games."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from tests.testing.mutations import (
    FORMAT,
    NULL,
    SHORT,
    Change,
    actions,
    change_outcomes,
    check,
    fault,
    outcomes,
)

import gridproof as gp
from gridproof.core import position as core
from gridproof.core.difficulty import Kind, Puzzles
from gridproof.core.game import Claim, Format, Measure, Proposition
from gridproof.core.generate import Generator
from gridproof.core.lesson import Example, Lesson, LessonStep
from gridproof.core.look import Board, Mark, Piece
from gridproof.core.position import Outcome, Status
from gridproof.core.registry import game
from gridproof.core.text.pack import Pack
from gridproof.games.null import Level, Move, Position
from gridproof.games.null.propositions import flag_positions
from gridproof.games.null.text import TEXT
from gridproof.prove.enumeration import Enumeration
from gridproof.prove.game_formulas import Domain, GameFormulas
from gridproof.prove.position_status import StatusNotes
from gridproof.search.improver import Improver
from gridproof.search.solver import Solver
from gridproof.testing.conformance.steps import check_outcomes

pytestmark = pytest.mark.usefixtures("no_packs")

CELL = Piece("cell", ".", "floor", ("floor",))
SOKOBAN = game("sokoban")
LAMBDA = lambda: 1  # noqa: E731  # what cannot be pickled
ORDER = itertools.cycle([1, 1, 1, -1])

starts, level_text = Level.starts, Level.text
position_text = Position.text


# -- what breaks a game


def formats(**changes: Any) -> tuple[Format, ...]:
    return (dataclasses.replace(FORMAT, **changes),)


def proposition(value: object, parameters: tuple[str, ...] = (), **more: Any) -> tuple[Proposition, ...]:
    return (Proposition("odd", parameters, "odd", value, **more),)  # type: ignore[arg-type]  # what is tried


def at(**changes: Any) -> tuple[Proposition, ...]:
    """Return another value of null with an argument."""
    [at] = (item for item in NULL.propositions if item.name == "at")
    return (dataclasses.replace(at, **changes),)


def all_places(level: Level) -> tuple[Position, ...]:
    return tuple(Position(level, cell) for cell in range(level.width))


def measure(cost: object, name: str = "steps") -> tuple[Measure, ...]:
    return (Measure(name, "steps", lambda position, action, outcome: cost),)  # type: ignore[return-value, arg-type]  # what is tried


EXAMPLE = Example(name="walk", title="Walking", text="Walk on.", level="@.o\n", actions=("right",))
STEP = LessonStep(task="Walk to the flag.", level="@.o\n", solution=("right", "right"), praise="Well done.")


def lesson(part: Example | LessonStep, **changes: Any) -> Lesson:
    """Return a lesson whose example or step is changed."""
    changed: Any = dataclasses.replace(part, **changes)
    return Lesson(
        examples=(changed if part is EXAMPLE else EXAMPLE,), steps=(changed if part is STEP else STEP,)
    )


def outcomes_with(**changes: Any) -> object:
    return change_outcomes(lambda outcome: outcome._replace(**changes))


def starts_with(**changes: Any) -> object:
    return lambda self: [start._replace(**changes) for start in starts(self)]


def enumeration(*walkers: int, size: int = 1) -> Enumeration:
    return Enumeration(
        size=lambda starts, who: size,
        positions=lambda starts, who: (Position(starts[0].level, walker) for walker in walkers),
    )


def board_of(*rows: tuple[object, ...]) -> Callable[[object], Board]:
    return lambda position: rows  # type: ignore[return-value]  # what is tried


def piece(**changes: Any) -> Callable[[object], Board]:
    return board_of(((CELL._replace(**changes),),))


def mark(x: int, y: int) -> object:
    return lambda position, action: (Mark(x, y, CELL),)


def make_counter() -> Callable[..., Any]:
    """Return a function with another result at each call."""
    calls = itertools.count()
    return lambda *arguments: next(calls)


def losing_position(level: Level, text: str) -> Position:
    position = TEXT.position_of(level, text)
    return Position(level, 0) if position.walker == 2 else position


def first_outcome(self: Position, action: Move, label: str) -> Outcome[Position]:
    if label.startswith("by"):
        return outcomes(self, action)[0]
    return core.Position.outcome(self, action, label)


def position_at(level: Level, text: str) -> Position:
    raise KeyError(text)


class Loose:
    """A mutable event."""

    __dataclass_fields__ = ("to",)
    to = 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Loose)

    def __hash__(self) -> int:
        return 1


def puzzles(**changed: Any) -> Puzzles:
    kind = Kind(name="own", title="Own", meaning="own ones", by_difficulty={"easy": {}})
    return Puzzles(**{"most": (1, 2, 3, 4), "kinds": (kind,), "measure": "actions", **changed})


def solver(
    name: str = "own",
    meaning: str = "own way",
    function: str = "gridproof.games.null.rules:Level",
    **more: Any,
) -> tuple[Solver, ...]:
    return (Solver(name, meaning, function, **more),)


def design(**parts: Any) -> SimpleNamespace:
    return SimpleNamespace(**{"canonical": lambda level: 1, "ablations": lambda level: (), **parts})


BROKEN: list[tuple[str, object, str]] = [
    # what a game says of itself
    ("title", "", "null: the title is not one line of words, but ''"),
    ("meaning", "two\nlines", "null: the meaning is not one line of words"),
    ("look.actors_help", " ", "null: look.actors_help is not one line"),
    ("package", "nowhere", "null: there is no module 'nowhere'"),
    ("kernel", "nowhere.kernel", "null: there is no module 'nowhere.kernel'"),
    ("generate", "gridproof.games.null.magic", "there is no module"),
    ("COMMANDS", {"model": "gridproof.games.null.model"}, "there is no module"),
    ("COMMANDS", {"walk": "gridproof.games.null.rules"}, "there is no function 'walk' in"),
    ("first_pack", "last", "null: the pack to begin with is 'last', which does not come with it"),
    ("policy", None, "null: policy is no Policy"),
    ("formats", (), "null: it has no format"),
    ("formats", formats(write=None), "must have a writer"),
    ("formats", (FORMAT, FORMAT), "formats with the same name: null"),
    ("formats", formats(name="two words"), "format 'two words': the name has spaces"),
    ("formats", formats(meaning=""), "format 'null': the meaning is not one line"),
    ("formats", formats(extensions=()), "format 'null': it has no ending"),
    ("formats", formats(extensions=("null",)), "the ending 'null' is not a dot"),
    ("formats", formats(extensions=(".NULL",)), "the ending '.NULL' is not a dot and lower-case"),
    ("propositions", NULL.propositions * 2, "propositions with the same name: at, won"),
    ("propositions", (dataclasses.replace(NULL.propositions[0], name="a b"),), "the name is no word"),
    ("propositions", (dataclasses.replace(NULL.propositions[1], optional=2),), "2 of 1 arguments cannot"),
    ("measures", measure(1, "actions"), "measures (every game has actions) with the same name: actions"),
    ("measures", measure(1, "a b"), "measure 'a b': the name is no word"),
    ("SOLVERS", solver("rules"), "solvers (with those of all games) with the same name: rules"),
    ("SOLVERS", solver("two words"), "solver 'two words': the name is not lower-case"),
    ("SOLVERS", solver(meaning=""), "solver 'own': the meaning is not one line"),
    ("SOLVERS", solver(function="gridproof.games.null"), "'gridproof.games.null' is not module:function"),
    ("SOLVERS", solver(function="nowhere.solver:solve"), "there is no module 'nowhere.solver'"),
    ("SOLVERS", solver(function="gridproof.games.null.rules:win"), "there is no function 'win' in"),
    ("SOLVERS", solver(measures=("actions", "pushes")), "solver 'own': it minimises pushes"),
    ("SOLVERS", solver(measures=()), "solver 'own': it minimises nothing"),
    ("look", None, "null: look is no Look"),
    ("look.welcome", "", "null: look.welcome is not one line of words"),
    ("look.keys", {"": "left"}, "a key of look.keys is not one line"),
    ("look.keys", {"x": ""}, "look.keys['x'] is not one line"),
    ("clauses", {"N1": "two\nlines"}, "null: clause N1 is not one line"),
    ("LESSON", Lesson(examples=(), steps=(STEP,)), "lesson: it shows no rule"),
    ("LESSON", Lesson(examples=(EXAMPLE,), steps=()), "lesson: it has no step"),
    ("LESSON", lesson(EXAMPLE, name="Two words"), "the name is not lower-case letters"),
    ("LESSON", lesson(EXAMPLE, text="no sentence"), "example 'walk': the text is no sentence"),
    ("LESSON", lesson(EXAMPLE, text=f"A{'h' * 300}!"), "the text has more than 240 characters"),
    ("LESSON", lesson(EXAMPLE, actions=()), "nothing is done in it"),
    ("LESSON", lesson(EXAMPLE, actions=("fly",)), "example 'walk': raises IllegalAction"),
    ("LESSON", lesson(EXAMPLE, counts=("wings",)), "the look has no count wings"),
    ("LESSON", lesson(STEP, level="?"), "step 1: raises"),
    ("LESSON", lesson(STEP, task=""), "step 1: the task is not one line"),
    ("LESSON", lesson(STEP, actors=("nobody",)), "step 1: its level has no actor nobody"),
    ("LESSON", lesson(STEP, solution=()), "step 1: it has no solution"),
    ("LESSON", lesson(STEP, within=1), "step 1: its solution takes more than 1 actions"),
    ("LESSON", lesson(STEP, goal="lost"), "step 1: its task cannot be fulfilled"),
    ("LESSON", lesson(STEP, solution=STEP.solution[:1]), "step 1: raises GridproofError: the solution does not fulfil"),
    ("FORMULAS", GameFormulas(invariants={"N9": "AG won"}), "an invariant of N9, which is no clause"),
    ("FORMULAS", GameFormulas(invariants={"N1": "AG(won)"}), "invariant N1: 'AG(won)' is to be written 'AG won'"),
    ("FORMULAS", GameFormulas(invariants={"N1": "AG (won"}), "invariant N1"),
    ("FORMULAS", GameFormulas(questions={"EF won": ""}), "question EF won: what it asks is not one line"),
    ("FORMULAS", GameFormulas(domains={"p": Domain(("x",), "", list)}), "domain p: what its things are is not one line"),
    ("FORMULAS", GameFormulas(domains={"actors": Domain(("x",), "p", list)}), "domain actors: every game has this domain"),
    ("FORMULAS", GameFormulas(domains={"p": Domain((), "p", list)}), "domain p: its things have no values"),
    ("KERNEL", "x", "gridproof.games.null.kernel has no KERNEL of the kind GameKernel"),
    ("SOLVERS", ("x",), "SOLVERS has what is no Solver"),
    ("IMPROVER", "x", "has no IMPROVER of the kind Improver"),
    ("IMPROVER", Improver("two words", "own way", "x:y"), "improver: the name is not lower-case"),
    ("IMPROVER", Improver("own", "own way", "gridproof.games.null.rules:win"), "there is no function 'win' in"),
    ("GENERATOR", Generator(generate=1), "generator: generate cannot be called"),  # type: ignore[arg-type]  # what is tried
    ("PUZZLES", "x", "has no PUZZLES of the kind Puzzles"),
    ("PUZZLES", puzzles(most=(3, 2, 4, 5)), "puzzles: the limits of difficulties do not grow"),
    ("PUZZLES", puzzles(measure="pushes"), "puzzles: there is no measure 'pushes'"),
    ("PUZZLES", puzzles(kinds=()), "puzzles: PUZZLES has no kinds"),
    ("PUZZLES", puzzles(), "puzzles: raises GridproofError: null has no level generator"),
    ("AGENTS", "x", "agents: AGENTS is none of Players, Demos, CoPlayers, Adviser, WinChances, Heuristic"),
    ("STATUS", StatusNotes(actions=""), "status: what actions are called is not one line"),
    ("VALUES", 1, "has no VALUES of the kind ValueEngine"),
    ("CERTIFICATES", {"own": 1}, "certificates: 'own' is no CertificateKind"),
    ("THEORY", "x", "has no THEORY of the kind PlayTheory"),
    ("ENUMERATION", "x", "has no ENUMERATION of the kind Enumeration"),
    ("ENUMERATION", enumeration(*range(9), 0, size=99), "a position is listed twice, or the size is too small"),
    ("ENUMERATION", enumeration(*range(2), size=1), "a position is listed twice, or the size is too small"),
    ("ENUMERATION", enumeration(0), "a start is not listed"),
    ("WARM", {"all": 1}, "warm: the call for 'all' cannot be called"),
    ("EXPORTS", {"walk": "nowhere"}, "exports: there is no module 'nowhere'"),
    ("ENV", SimpleNamespace(id="mine", max_episode_steps=None, defaults={}), "env: ENV.id is no name with a version"),
    ("DESIGN", "x", "has no DESIGN of the kind Design"),
    ("DESIGN", design(canonical=make_counter()), "canonical changes from call to call"),
    ("DESIGN", design(ablations=lambda level: ("x",)), "'x' is no Ablation"),
    ("EDITOR", "x", "has no EDITOR of the kind Editor"),
    # packs and levels
    ("formats", formats(recognises=lambda text: False), "format 'null': its own text is not recognised"),
    ("formats", formats(write=lambda pack: pack[0].text()), "the text of the levels is read as other levels"),
    ("formats", formats(read=lambda text: Pack()), "is read as other levels"),
    ("formats", formats(read=lambda text: 1 // 0), "format 'null': raises ZeroDivisionError"),
    ("Level.game", dataclasses.replace(NULL, title="Another"), ": its game is gridproof.game("),
    ("Level.__hash__", None, "level 1: raises TypeError: unhashable"),
    ("Level.__setattr__", object.__setattr__, "the level is not immutable: its title can be assigned"),
    ("Level.text", lambda self: level_text(self).rstrip(), "its text does not end with a newline"),
    ("Level.text", lambda self: level_text(SHORT if "park" in self.title else self), "is read as 1 other levels"),
    ("Level.text", lambda self: level_text(self) * (1 + ("park" in self.title)), "is read as 2 other levels"),
    ("Level.text", lambda self: level_text(self).split("\n")[-2] + "\n", "its text keeps not the title 'A walk'"),
    ("Level.text", lambda self: level_text(dataclasses.replace(self, author="")), "keeps not the author 'A. Walker'"),
    ("Level.position", position_at, "reading the broken text"),
    ("Level.starts", lambda self: iter(()), "starts: there are no starts"),
    ("Level.starts", lambda self: [*starts(self)] * 2, "starts: two starts have the label ''"),
    ("Level.starts", starts_with(probability=1.0), "1.0 is no Fraction"),
    ("Level.starts", starts_with(probability=Fraction(1, 2)), "sum to 1/2"),
    ("Level.starts", lambda self: starts(SHORT), "start(0) is a position of another level"),
    ("Level.start", lambda self, seed=0: Position(self, 2), "start(0) is none of its starts"),
    ("Level.__reduce__", lambda self: (Level, (3, 1, 2)), "level 1: pickling gives another level"),
    # positions
    ("Position.__setattr__", object.__setattr__, "the position is not immutable: its level can be assigned"),
    ("Position.__eq__", lambda self, other: True, "it is equal to what is no position"),
    ("Position.__hash__", make_counter(), "an equal position has another hash"),
    ("Position.text", lambda self: position_text(self).rstrip(), "its text does not end with a newline"),
    ("Level.position", losing_position, "gives another position"),
    ("Position.__reduce__", lambda self: (Position, (self.level, 0)), "pickling gives another position"),
    ("Level.all_actions", lambda self: (Move.LEFT,), "right is none of all_actions() of the level"),
    ("Position.actions", lambda self, actor=None: [Move.RIGHT][self.won :], "its actions are no tuple"),
    ("actors", lambda level: ("a", "b"), "look.actors_help is 'one player', but the actors are a, b"),
    ("Position.actions", lambda self, actor=None: actions(self) or (Move.LEFT,), "it is won, but has actions"),
    ("Position.actions", lambda self, actor=None: actions(self)[::next(ORDER)], "its actions change from call to"),
    ("Position.action", lambda self, text: Move.HOP, "is another action"),
    ("Position.status", Status.PLAYING, "it is won, but its status is PLAYING"),
    ("Position.ended", False, "with 0 actions, ended is False"),
    ("propositions", proposition(lambda p: p.walker), "proposition 'odd': with the arguments (): its value is"),
    ("propositions", proposition(lambda p: "x", number=True), "its value is 'x', which is no int"),
    ("propositions", proposition(lambda p: p.nonsense), "raises AttributeError"),
    ("propositions", proposition(lambda p, x: 1 // 0, ("x",)), "arguments ('nonsense',): raises ZeroDivision"),
    ("propositions", proposition(lambda p: p.won, bound=lambda p: -1), "the bound -1 is no whole number from 0"),
    ("propositions", proposition(lambda p: p.won, bound=lambda p: 9), "the bound is 9, but 0 actions are enough"),
    ("propositions", proposition(lambda p: p.won, where=lambda level: []), "it is not said that it holds in"),
    ("propositions", proposition(lambda p: p.won, where=all_places), "it does not hold in every position"),
    ("propositions", proposition(lambda p: p.won, where=lambda level: 2 * flag_positions(level)), "it holds twice in one position"),
    ("propositions", at(bound=lambda p, x: 9), "'at': with the arguments (1,): the bound is 9, but 0 actions"),
    ("propositions", at(bound=lambda p, x: -1), "with the arguments (0,): the bound -1 is no whole number"),
    ("propositions", at(chance=lambda p, actions, x: Fraction(0)), "its chance within 1 actions is said to be 0 at most, but is 1"),
    ("propositions", at(bound=lambda p, x: abs(x - p.walker)), "the bound is 2, but 1 actions"),
    ("propositions", at(where=lambda level, x: []), "with the arguments (1,): it is not said that it holds in"),
    ("propositions", at(where=lambda level, x: all_places(level)), "(0,): it does not hold in every position"),
    ("propositions", at(where=lambda level, x: 2 * (Position(level, x),)), "(0,): it holds twice in one position"),
    ("predecessors", lambda position: (), "leads here, and is none of the predecessors"),
    ("predecessors", lambda position: all_places(position.level), "does not lead here"),
    # steps
    ("Position.outcomes", lambda self, action: (), "action left: there are no outcomes"),
    ("Position.outcomes", outcomes_with(probability=Fraction(1, 3)), "sum to"),
    ("Position.outcomes", outcomes_with(probability=Fraction(0)), "is not above 0"),
    ("Position.outcomes", outcomes_with(probability=Fraction(3, 2)), "at most 1"),
    ("Position.outcomes", outcomes_with(label=""), "two outcomes have the label ''"),
    ("Position.outcomes", outcomes_with(label=1), "is not one line of text"),
    ("Position.outcomes", outcomes_with(reward=0.5), "0.5 is no whole number"),
    ("Position.outcomes", outcomes_with(events=[]), "a list, no tuple"),
    ("Position.outcomes", outcomes_with(events=([],)), "event list: raises TypeError: unhashable"),
    ("Position.outcomes", outcomes_with(events=(Loose(),)), "event Loose: the event is not immutable"),
    ("Position.outcomes", outcomes_with(events=(LAMBDA,)), "raises PicklingError"),
    ("Position.outcomes", outcomes_with(position="x"), "a str is no Position"),
    ("Position.outcomes", change_outcomes(tuple), "a tuple is no Outcome"),
    ("Position.outcomes", outcomes_with(position=SHORT.start()), "another level"),
    ("Position.outcome", lambda self, action, label: outcomes(self, action)[0], "an unknown label does not raise"),
    ("Position.outcome", first_outcome, "outcome(hop, 'by 2') is not the listed outcome"),
    ("Position.step", lambda self, action, rng: outcomes(self, Move.LEFT)[0], "none of its outcomes"),
    ("measures", measure(-1), "measure 'steps': the cost is -1"),
    ("measures", measure(0.5), "measure 'steps': the cost is 0.5"),
    # looks
    ("look.pointed", lambda position, at: ("fly",), "it means 'fly', which is no action"),
    ("look.keys_of", lambda level, name: {"f": "fly"}, "the key 'f' of player means 'fly', which is no action"),
    ("look.board", board_of(), "board: it has no cells"),
    ("look.board", board_of((), ()), "board: it has no cells"),
    ("look.board", board_of(((CELL,),), ((CELL,), (CELL,))), "not rectangular: its rows have [1, 2] cells"),
    ("look.board", board_of(([CELL],)), "row 0: the cell is no tuple"),
    ("look.board", board_of((("x",),)), "row 0: a str is no Piece"),
    ("look.board", piece(name=""), "has no name"),
    ("look.board", piece(shape="blob"), "the piece 'cell' has an unknown shape, 'blob'"),
    ("look.board", piece(colours=("pink",)), "the piece 'cell' has an unknown colour, 'pink'"),
    ("look.board", piece(colours=("#12345",)), "unknown colour, '#12345'"),
    ("look.board", piece(turn=45), "the piece 'cell' is turned by 45"),
    ("look.board", piece(glyph="\n"), "the piece 'cell' has '\\n' on it, which is no line of text"),
    ("look.board", piece(text=7), "the piece 'cell' has 7 on it"),
    ("look.numbers", lambda position: ((0,), (0, 1)), "it numbers 1 rows and 2 columns, and has 1 and"),
    ("look.counts", lambda position, done: (("steps", 1),), "counts: ('steps', 1) is no pair"),
    ("look.words", lambda action: "", "its words are ''"),
    ("look.marks", mark(7, 0), "the mark at column 7, row 0 is neither on the board nor beside it"),
    ("look.marks", mark(0, -2), "the mark at column 0, row -2"),
    ("look.marks", lambda position, action: ("here",), "'here' is no Mark"),
    ("look.keys", {"f": "fly"}, "look.keys: the key 'f' means 'fly', which was never an executable action"),
    # several actions in one text
    ("format.split_actions", lambda text: [text], "are split into"),
    ("format.join_actions", lambda trace: " ".join(["left"] * len(trace.steps)), "is joined and split to 'left'"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "message"), BROKEN, ids=[f"{n}-{name}" for n, (name, *_) in enumerate(BROKEN)]
)
def test_conformance_kit_finds_each_breakage(change: Change, name: str, value: object, message: str) -> None:
    change(name, value)
    assert message in fault()


@pytest.mark.parametrize(
    ("claim", "message"),
    [(Claim.PART, ""), (True, "also claims the pack sokoban/"), (Claim.MARK, "also claims the pack")],
)
def test_formats_must_not_claim_packs_of_other_games(
    change: Change, monkeypatch: pytest.MonkeyPatch, claim: bool | Claim, message: str
) -> None:
    monkeypatch.setattr("gridproof.testing.conformance.levels.games", lambda: (NULL, SOKOBAN))
    change("formats", formats(recognises=lambda text: claim))
    if message:
        assert message in fault()
    else:
        check()


def test_keys_of_levels_must_be_immutable(change: Change) -> None:
    change("Level.__post_init__", lambda self: None)
    assert "level 1: its keys can be changed" in fault((Level(3, 1, 2, keys={"a": "b"}),))


def test_probabilities_are_summed_up_to_the_largest_number_of_outcomes() -> None:
    position = gp.read("2048 2x2 spawn=spec target=16\n")[0].start(1)
    whole = list(position.outcomes(position.actions()[0]))
    halves = [outcome._replace(probability=outcome.probability / 2) for outcome in whole]
    assert check_outcomes(whole, "outcomes", len(whole)) == tuple(whole)
    with pytest.raises(gp.GridproofError, match="sum to 1/2, not 1"):
        check_outcomes(halves, "outcomes", len(halves))
    assert check_outcomes(halves, "outcomes", len(halves) - 1) == tuple(halves)

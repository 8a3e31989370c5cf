"""Proofs by induction, against the definitions on all positions of random small levels."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from tests.extensions import remove_extension
from tests.sizes import size

import gridproof as gp
from gridproof.core.position import NATURE, Level, Position
from gridproof.prove import evaluate
from gridproof.prove.enumeration import enumeration_of
from gridproof.prove.formula import Atom, Binary, Formula, Unary, negate
from gridproof.prove.induction import InductionVerdict
from gridproof.prove.logic import Logic
from gridproof.search.actors import Who, resolve_actors, starts_of

from .twins import BOOLEAN, Played, atoms_of, small_level

LEVELS = size("inductions", 24)
PLAYERS: Who = (None,)


# -- slow twins


def all_positions(level: Level, who: Who) -> set[Position[Any]]:
    """All positions of a level, by definitions of its own, and all that follows from them."""
    starts = starts_of(level)
    own = {
        "null": _walkers,
        "sokoban": _rooms,
        "robots": _boards,
        "shiftit": _placements,
        "twenty48": _tiles,
    }[starts[0].level.game.name]
    found = set(own(starts, who))
    waiting = list(found)
    for position in waiting:
        new = set(after(position, who)) - found
        found |= new
        waiting += new
    return found


def after(position: Position[Any], who: Who) -> list[Position[Any]]:
    actions = [action for actor in who for action in position.actions(actor)]
    return [outcome.position for action in actions for outcome in position.outcomes(action)]


def _walkers(starts: list[Any], who: Who) -> Iterator[Any]:
    row = starts[0].text().replace("@", ".").replace("*", "o").strip()
    for place, cell in enumerate(row):
        yield starts[0].level.position(f"{row[:place]}{'*' if cell == 'o' else '@'}{row[place + 1 :]}\n")


def _placements(starts: list[Any], who: Who) -> Iterator[Any]:
    level = starts[0].level
    locked = {place for place, tile in enumerate(level.tiles) if tile.locked}
    for order in itertools.permutations(range(len(level.tiles))):
        if all(order[place] == place for place in locked):
            yield type(starts[0])(level, order)


def _rooms(starts: list[Any], who: Who) -> Iterator[Any]:
    level = starts[0].level
    cells = set(itertools.product(range(level.size[0]), range(level.size[1])))
    rooms = {(start.bombs, start.walls) for start in starts}
    for _ in range(max(start.bombs for start in starts)):
        rooms |= {
            (bombs - 1, frozenset((x, y) for x, y in walls if x != column and y != row))
            for bombs, walls in rooms
            if bombs
            for column, row in cells - walls
        }
    for bombs, walls in rooms:
        for player, *boxes in itertools.permutations(cells - walls, 1 + len(level.boxes)):
            yield type(starts[0])(level, player, frozenset(boxes), bombs, walls)


def _boards(starts: list[Any], who: Who) -> Iterator[Any]:
    level = starts[0].level
    for start in starts:
        for squares in itertools.product(level.grid.squares, repeat=len(level.robots)):
            for rotations in itertools.product((0, 90, 180, 270), repeat=len(level.robots)):
                position = type(start)(level, start.layout, squares, rotations)
                if len(set(squares)) == len(squares) and evaluate.holds(Atom("valid"), position, who):
                    yield position


def _exchanges(starts: list[Any], who: Who) -> Iterator[Any]:
    """All boards after exchanges: the tiles that can be exchanged in any order, and conveyors turned in any way."""
    level, layout = starts[0].level, starts[0].layout
    movable = [one for one in level.grid.squares if layout.codes[one] in (0, 2, 4, 5, 6, 7)]
    kinds = [min(layout.codes[one], 4) for one in movable]
    for order in set(itertools.permutations(kinds)):
        for turned in itertools.product(*([kind] if kind < 4 else (4, 5, 6, 7) for kind in order)):
            codes = bytearray(layout.codes)
            for square, code in zip(movable, turned, strict=True):
                codes[square] = code
            changed = replace(starts[0], layout=type(layout)(level.grid, bytes(codes)))
            yield from _boards([changed], who)


def _tiles(starts: list[Any], who: Who) -> Iterator[Any]:
    level, cells = starts[0].level, len(starts[0].cells)
    largest = max(2 if level.spawn == "spec" else 4, *(max(start.cells) for start in starts)) * 2 ** (
        cells - 1
    )
    values = [value for value in (0, *(2**power for power in range(1, 20))) if value <= largest]
    for board in itertools.product(values, repeat=cells):
        if sum(map(bool, board)) > 1:
            yield type(starts[0])(level, board)


def distances(positions: set[Position[Any]], wanted: Any, who: Who) -> dict[Position[Any], int]:
    """The number of actions to the nearest position without p, of those with p from which one can be reached."""
    found: dict[Position[Any], int] = {}
    inside = {position for position in positions if wanted(position)}
    for distance in range(1, len(inside) + 1):
        new = {
            one
            for one in inside - found.keys()
            if any(found.get(two, 0 if not wanted(two) else -9) == distance - 1 for two in after(one, who))
        }
        if not new:
            break
        found |= dict.fromkeys(new, distance)
    return found


def fewest_actions(level: Level, wanted: Any, who: Who) -> int | None:
    """The number of actions of a shortest counterexample, None without one."""
    layer = seen = set(starts_of(level))
    for distance in itertools.count():
        if not layer:
            return None
        if not all(map(wanted, layer)):
            return distance
        layer = {two for one in layer for two in after(one, who)} - seen
        seen = seen | layer
    raise AssertionError


def random_state_formula(played: Played, random: Random, size: int) -> Formula:
    if size <= 0:
        return random.choice(atoms_of(played, random))
    if random.random() < 0.3:
        return Unary("!", random_state_formula(played, random, size - 1))
    left = random.randint(0, size - 1)
    parts = (random_state_formula(played, random, one) for one in (left, size - 1 - left))
    return Binary(random.choice(BOOLEAN), *parts)


def random_question(seed: int) -> tuple[Level, Formula, Formula]:
    """A level, p, and a formula that may be an invariant: often one that implies p, or is closed."""
    random = Random(seed)
    level = small_level(random)
    played = Played(level)
    wanted, stated = (random_state_formula(played, random, random.randint(0, 3)) for _ in range(2))
    if not wanted_at_starts(played, wanted) and random.random() < 0.8:
        wanted = negate(wanted)
    kind = random.random()
    if kind < 0.4:
        stated = Binary("&", wanted, stated)
    elif kind < 0.6:
        stated = wanted
    return level, wanted, stated


def wanted_at_starts(played: Played, wanted: Formula) -> bool:
    return all(evaluate.holds(wanted, played.positions[number], PLAYERS) for number in range(played.starts))


def _always(wanted: Formula) -> Formula:
    return Unary("A", Unary("G", wanted))


# -- enumerations


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_enumeration_lists_each_position_once(seed: int) -> None:
    level = small_level(Random(seed))
    starts = starts_of(level)
    enumeration = enumeration_of(starts[0].level.game)
    listed = list(enumeration.positions(starts, PLAYERS))
    assert len(set(listed)) == len(listed) <= enumeration.size(starts, PLAYERS)
    assert set(starts) <= set(listed)
    assert set(listed) <= all_positions(level, PLAYERS)
    assert starts[0].level.game.name == "twenty48" or set(listed) == all_positions(level, PLAYERS)
    for position in Random(seed).sample(listed, min(20, len(listed))):
        assert position.level.position(position.text()) == position


YARDS = ("a # .\nA B b\n", "a # B\nA > b\n", "a > ?\nA B b\n", "? a > .\nA B b .\n")


@pytest.mark.long
@pytest.mark.parametrize(
    "rows", [YARDS[0], *(pytest.param(rows, marks=pytest.mark.slow) for rows in YARDS[1:])]
)
def test_enumeration_of_robots_exchanges_tiles(rows: str) -> None:
    yard = _yard(rows)
    who, starts = resolve_actors(yard, "all"), starts_of(yard)
    enumeration = enumeration_of(yard.game)
    listed = list(enumeration.positions(starts, who))
    assert set(listed) == set(_exchanges(starts, who))
    assert len(set(listed)) == len(listed) <= enumeration.size(starts, who)
    assert set(gp.explore(yard, "all")) <= set(listed)
    assert all(set(after(position, who)) <= set(listed) for position in listed[:200])
    assert NATURE in who


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_invariant_of_robots_with_exchanges_is_judged_as_by_its_definition(seed: int) -> None:
    yard, random = _yard(YARDS[seed % 3]), Random(seed)
    who, played = resolve_actors(yard, "all"), Played(yard)
    wanted, stated = (random_state_formula(played, random, random.randint(0, 3)) for _ in range(2))
    stated = random.choice((stated, Binary("|", Atom("valid"), stated)))
    found = gp.check(yard, _always(wanted), invariant=stated, actors="all")
    assert isinstance(found, InductionVerdict)
    positions = set(_exchanges(starts_of(yard), who))
    inside = {position for position in positions if evaluate.holds(stated, position, who)}
    assert [one.holds for one in found.obligations] == [
        yard.start() in inside,
        all(set(after(position, who)) <= inside for position in inside),
        all(evaluate.holds(wanted, position, who) for position in inside),
    ]


def _yard(rows: str) -> Level:
    width = len(rows.partition("\n")[0].split())
    return gp.read(f"robots {width}x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\n{rows}")[0]


def test_enumeration_of_sokoban_counts_walls_after_bombs() -> None:
    (room,) = gp.read("Bombs: 1\n\n@#\n$.\n", "sokoban")
    listed = list(enumeration_of(room.game).positions([room.start()], PLAYERS))
    assert {(position.bombs, len(position.walls)) for position in listed} == {(1, 1), (0, 1), (0, 0)}


# -- invariants


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(LEVELS))
def test_invariant_is_judged_as_by_its_definition(seed: int) -> None:
    level, wanted, stated = random_question(seed)
    found = gp.check(level, _always(wanted), invariant=stated)
    assert isinstance(found, InductionVerdict)

    def holds(formula: Formula, position: Position[Any]) -> bool:
        return evaluate.holds(formula, position, PLAYERS)

    positions = all_positions(level, PLAYERS)
    inside = {position for position in positions if holds(stated, position)}
    base = all(holds(stated, start) for start in starts_of(level))
    step = all(set(after(position, PLAYERS)) <= inside for position in inside)
    implication = all(holds(wanted, position) for position in inside)
    answers = {one.name: one.holds for one in found.obligations}
    if (
        starts_of(level)[0].level.game.name == "twenty48"
    ):  # some of the positions follow from unreachable ones alone
        assert answers["base"] is base
        assert answers["implication"] is implication or not step
        assert answers["step"] is False or _is_closed(level, stated)
    else:
        assert answers == {"base": base, "step": step, "implication": implication}
        assert found.states == len(positions)
        assert found.inside == len(inside)
    refuted = not all(holds(wanted, start) for start in starts_of(level))
    assert found.holds is (False if refuted else True if all(answers.values()) else None)
    assert not refuted or (found.trace and not holds(wanted, found.trace.start))
    for one in found.obligations:
        _check_counterexample(one.name, one.trace, wanted, stated, one.holds)
    if found.holds:
        assert gp.check(level, _always(wanted)).holds is True


def _is_closed(level: Level, stated: Formula) -> bool:
    """Return whether the invariant is kept from the boards that are listed, and from those that follow."""
    starts = starts_of(level)
    listed = enumeration_of(starts[0].level.game).positions(starts, PLAYERS)
    waiting = [position for position in listed if evaluate.holds(stated, position, PLAYERS)]
    seen = set(waiting)
    for position in waiting:
        for one in set(after(position, PLAYERS)) - seen:
            if not evaluate.holds(stated, one, PLAYERS):
                return False
            seen.add(one)
            waiting.append(one)
    return True


def _check_counterexample(
    name: str, trace: gp.Trace | None, wanted: Formula, stated: Formula, holds: bool | None
) -> None:
    assert (trace is None) is (holds is True)
    if trace is None:
        return
    end = trace.replay()
    truths = [evaluate.holds(stated, position, PLAYERS) for position in trace.positions()]
    expected = {"base": [False], "step": [True, False], "implication": [True]}[name]
    assert truths == expected
    if name == "implication":
        assert not evaluate.holds(wanted, end, PLAYERS)


@pytest.mark.parametrize("seed", range(LEVELS // 2))
def test_invariant_with_limit_never_contradicts(seed: int) -> None:
    level, wanted, stated = random_question(seed)
    whole = gp.check(level, _always(wanted), invariant=stated)
    most = Random(seed).randint(0, 2000)
    found = gp.check(level, _always(wanted), invariant=stated, limit=gp.Limit(states=most))
    assert isinstance(whole, InductionVerdict)
    assert isinstance(found, InductionVerdict)
    if found.stopped_by:
        assert found.stopped_by == "states"
        assert found.holds in (None, whole.holds)
        for one, all_known in zip(found.obligations, whole.obligations, strict=True):
            assert one.holds in (None, all_known.holds)
    else:
        assert found.holds is whole.holds
        assert found.states <= most


def test_invariant_verdict_reads_as_a_proof() -> None:
    verdict = gp.check("sokoban/first-steps/1", "AG valid", invariant="valid")
    assert (verdict.holds, verdict.satisfying, verdict.complete) == (True, None, True)
    assert verdict.sentence() == (
        "`AG valid` holds at the start. `valid` is an inductive invariant that implies it."
    )
    assert verdict.work.startswith("The invariant holds in 132 of all 132 positions of the level (")


def test_formula_that_fails_at_start_is_refuted() -> None:
    for engine in ("explicit", "clingo"):
        verdict = gp.check("sokoban/first-steps/1", "AG !home", invariant="valid", engine=engine)
        assert isinstance(verdict, InductionVerdict)
        assert (verdict.holds, verdict.shows) == (False, "counterexample")
        assert [one.holds for one in verdict.obligations] == [True, True, False]
        assert verdict.trace
        assert verdict.trace.steps == ()
        assert "\ncounterexample:\n" in str(verdict)
        assert verdict.sentence() == "`AG !home` does not hold at the start."


def test_invariant_is_said_as_it_was_given() -> None:
    text = "forall (x,y) in squares: at(x,y) -> !box(x,y)"
    for engine in ("explicit", "clingo"):
        verdict = gp.check("sokoban/first-steps/1", "AG valid", invariant=text, engine=engine)
        assert isinstance(verdict, InductionVerdict)
        assert str(verdict.invariant) == text
        assert verdict.holds is True


def test_invariant_that_fails_shows_counterexamples() -> None:
    verdict = gp.check("null/first/2", "AG !at(6)", invariant="at(5) | at(6)")
    assert verdict.holds is None
    lines = str(verdict).splitlines()
    assert lines[0].startswith(
        "No answer for `AG !at(6)`. `at(5) | at(6)` does not prove it: the base, the step and the implication fail."
        " The invariant holds in 2 of all 7 positions of the level ("
    )
    assert "counterexample to the base:" in lines
    assert lines[lines.index("counterexample to the step:") + 1 :][:4] == [
        ".....@o",
        "at(5) true, at(6) false",
        "1  left",
        "   .....@o  ->  ....@.o",
    ]
    assert verdict.shows == "counterexample to the base"


def test_invariant_knows_the_actors() -> None:
    text = "robots 3x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na # B\nA . b\n"
    (yard,) = gp.read(text)
    assert gp.check(yard, "AG valid", invariant="valid", actors="all").holds is True
    assert gp.check(yard, "AG at(b,2,1)", invariant="at(b,2,1)", actors="a").holds is True
    assert gp.check(yard, "AG at(b,2,1)", invariant="at(b,2,1)").holds is None


def test_invariant_of_too_many_positions_has_no_answer() -> None:
    verdict = gp.check("twenty48/standard/1", "AG valid", invariant="valid")
    assert (verdict.holds, verdict.stopped_by, verdict.states) == (None, "states", 0)
    assert verdict.work.startswith(
        "The limit of positions was reached after 0 positions; the level has up to "
    )


@pytest.mark.parametrize(
    ("formula", "arguments", "words"),
    [
        ("EF won", {"invariant": "won"}, "induction proves AG p, with p about one position and without temporal"),
        ("AG EF won", {"invariant": "won"}, "induction proves AG p, with p about one position"),
        ("won", {"induction": 1}, "induction proves AG p"),
        ("AG !won", {"invariant": "AG won"}, "an invariant is about one position, without temporal operators, not AG won"),
        ("AG !won", {"invariant": "[left]"}, "an invariant is about one position, without temporal operators"),
        ("AG !won", {"invariant": "wonn"}, "null has no proposition 'wonn'"),
        ("AG !won", {"invariant": "won", "induction": 2}, "a proof is either by an invariant or by k-induction"),
        ("AG !won", {"induction": 0}, "k of k-induction is a whole number from 1 to 1,000,000, not 0"),
        ("AG !won", {"induction": True}, "k of k-induction is a whole number"),
        ("AG !won", {"invariant": "won", "fair": "weak left"}, "takes neither fairness nor shortest"),
        ("AG !won", {"induction": 1, "shortest": True}, "takes neither fairness nor shortest"),
        ("AG cost(actions) < 7", {"invariant": "won"}, "positions, which have no costs"),
        ("AG !won", {"invariant": "cost(actions) < 7"}, "positions, which have no costs"),
    ],
)  # fmt: skip
def test_induction_refuses_other_questions(formula: str, arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(gp.GridproofError, match=words.replace("[", r"\[")):
        gp.check("null/first/2", formula, **arguments)


def test_induction_refuses_games_without_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    remove_extension(monkeypatch, gp.game("null"), "enumeration")
    for how in ({"invariant": "won"}, {"induction": 20}):
        with pytest.raises(
            gp.GridproofError, match="null does not list all positions of a level, which a proof"
        ):
            gp.check("null/first/2", "AG !won", **how)


def test_induction_refuses_spaces() -> None:
    with pytest.raises(gp.GridproofError, match="about a level, not about an explored space"):
        gp.check(gp.explore("null/first/2"), "AG !won", invariant="won")
    assert gp.check("null/first/2", "G !won", invariant="won").holds is None
    assert gp.check("null/first/2", "AG !won", paths="all", induction=1).logic is Logic.CTL


# -- k-induction


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(LEVELS))
def test_k_induction_is_judged_as_by_its_definition(seed: int) -> None:
    level, wanted, _ = random_question(seed)
    depth = Random(seed).randint(1, 5)
    found = gp.check(level, _always(wanted), induction=depth)
    assert isinstance(found, InductionVerdict)

    def holds(position: Position[Any]) -> bool:
        return evaluate.holds(wanted, position, PLAYERS)

    fewest = fewest_actions(level, holds, PLAYERS)
    base, step = found.obligations
    if fewest is not None and fewest < depth:
        assert (found.holds, base.holds, found.bound) == (False, False, None)
        assert found.trace is not None
        assert not holds(found.trace.replay())
        assert len(found.trace.steps) == fewest
        assert found.trace.start in starts_of(level)
        return
    assert base.holds is True
    far = depth in distances(all_positions(level, PLAYERS), holds, PLAYERS).values()
    if starts_of(level)[0].level.game.name != "twenty48" and found.size:
        assert step.holds is not far
    assert found.holds is (True if step.holds else None)
    if found.holds:
        assert fewest is None
    else:
        assert step.trace is not None
        assert len(step.trace.steps) == found.bound == depth
        assert [holds(one) for one in step.trace.positions()] == [True] * depth + [False]


@pytest.mark.parametrize("seed", range(LEVELS // 2))
def test_k_induction_with_limit_has_a_proved_bound(seed: int) -> None:
    level, wanted, _ = random_question(seed)
    random = Random(seed)
    limit = gp.Limit(states=random.randint(0, 60))
    found = gp.check(level, _always(wanted), induction=random.randint(1, 5), limit=limit)

    def holds(position: Position[Any]) -> bool:
        return evaluate.holds(wanted, position, PLAYERS)

    fewest = fewest_actions(level, holds, PLAYERS)
    assert found.holds in (None, fewest is None)
    if found.bound is not None and fewest is not None:
        assert found.bound <= fewest
    if found.stopped_by:
        assert found.holds is None


def test_k_induction_says_its_bound() -> None:
    verdict = gp.check("null/first/2", "AG !at(6)", induction=2)
    assert (verdict.holds, verdict.bound, verdict.shows) == (None, 2, "counterexample to the step")
    assert verdict.work.endswith(" No counterexample has fewer than 2 actions.")
    assert gp.check("null/first/2", "AG !at(6)", induction=4).shows == "counterexample"


def test_k_induction_proves_what_one_step_does_not() -> None:
    (room,) = gp.read("#####\n#@$.#\n#####\n", "sokoban")
    answers = {k: gp.check(room, "AG !at(3,1)", induction=k).holds for k in (1, 2)}
    assert answers == {1: None, 2: True}


def test_base_is_about_all_starts() -> None:
    (walk,) = gp.read(".@....o\n", "null")
    several = _Starts(positions=tuple(walk.position(text) for text in (".@....o\n", "..@...o\n")))
    verdict = gp.check(several, "AG !at(0)", invariant="at(1)")
    assert isinstance(verdict, InductionVerdict)
    assert verdict.obligations[0].holds is False
    assert gp.check(several, "AG !at(0)", induction=2).holds is False


class _Starts(Level):
    """Some positions of a level as its starts."""

    def __init__(self, positions: tuple[Position[Any], ...]) -> None:
        vars(self)["positions"] = positions

    def starts(self) -> Iterator[gp.Outcome[Any]]:
        positions: tuple[Position[Any], ...] = vars(self)["positions"]
        return (gp.Outcome(position, Fraction(1, len(positions))) for position in positions)

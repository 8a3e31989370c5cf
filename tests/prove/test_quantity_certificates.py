"""Certificates of probabilities of paths and of expected costs: all verify, and spoiled ones prove nothing that is false."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.prove import spoiled
from tests.prove.twins import Played, Several, small_level

import gridproof as gp
from gridproof.core.measure import measures
from gridproof.prove.checkers.comparisons import ComparisonsStatement
from gridproof.prove.checkers.quantity_statement import QuantityStatement

ATOMS = {
    "null": ("won", "at(1)", "!home"),
    "sokoban": ("won", "placed >= 1", "at(1,1)", "box(2,1)"),
    "robots": ("won", "won(a)", "at(a,1,0)"),
    "shiftit": ("won", "near", "!home"),
    "twenty48": ("won", "tile(8)", "max_tile = 4", "empty = 0"),
}
PATHS = ("F ({0})", "G ({0})", "({0}) U ({1})", "({0}) W ({1})", "({0}) R ({1})", "X ({0})")
BOUNDED = (
    "F<={2} ({0})",
    "G<{2} ({0})",
    "({0}) U<={2} ({1})",
    "F={2} ({0})",
    "({0}) U={2} ({1})",
    "({0}) R<={2} ({1})",
)


STAYING = ("G ({0})", "({0}) W ({1})", "({0}) R ({1})")
CONDITIONS = ("F ({0})", "({0}) U ({1})", "X ({0})", *STAYING, *BOUNDED)


def random_conditional(level: Any, random: Random, sign: str) -> str:
    """Ask for a probability with a condition, which may be impossible."""
    atoms = [random.choice(ATOMS[Played(level).level.game.name]) for _ in range(4)]
    event = random.choice(PATHS + BOUNDED).format(*atoms[:2], random.randint(1, 4))
    return f"P{sign} [{event} || {random.choice(CONDITIONS).format(*atoms[2:], random.randint(1, 4))}]"


def random_question(level: Any, random: Random, sign: str) -> str:
    name = Played(level).level.game.name
    atoms = [random.choice(ATOMS[name]) for _ in range(2)]
    counted = [*measures(Played(level).level.game)]
    if random.random() < 0.3:
        sign_of_cost = random.choice(("<=", ">=", "="))
        atoms[0] += (
            f" {random.choice('&|')} cost({random.choice(counted)}) {sign_of_cost} {random.randint(0, 3)}"
        )
    if random.random() < 0.3:
        by = random.choice([*counted, *(["score"] if name == "twenty48" else [])])
        return f'R{{"{by}"}}{sign} [F ({atoms[0]})]'
    path = random.choice(PATHS + BOUNDED).format(*atoms, random.randint(1, 4))
    return f"P{sign} [{path}]"


def true_bounds(said: QuantityStatement) -> list[tuple[float, float]]:
    """The bounds of the best and the worst number, by the engine."""
    subject: Any = said.starts[0] if len(said.starts) == 1 else Several(positions=said.starts)
    question = str(said.question)
    if said.question.bound is not None:
        question = f"{'R{' + chr(34) + said.question.measure + chr(34) + '}' if said.question.measure else 'P'}=? [{said.question.operand}]"
    who: Any = None if said.who == (None,) else said.who
    found = gp.value(subject, question, actors=who)
    return [(float(one.low), float(one.high)) for one in (found.best_bounds, found.worst_bounds)]


def random_formula(level: Any, random: Random) -> str:
    """Join two comparisons and a proposition."""
    signs = [random.choice((">=1/2", "<3/4", "max>=1", "min<=1/4", ">0")) for _ in range(2)]
    one, two = (random_question(level, random, sign) for sign in signs)
    atom = random.choice(ATOMS[Played(level).level.game.name])
    return (
        f"({one} {random.choice(('&', '|', '->', '<->'))} {two}) {random.choice(('&', '|', '->'))} !({atom})"
    )


def is_true(said: QuantityStatement | ComparisonsStatement) -> bool:
    if isinstance(said, ComparisonsStatement):
        return all(is_true(one) for one in said.quantities if isinstance(one, QuantityStatement))
    true = true_bounds(said)
    listed = ((low, math.inf if high is None else high) for low, high in (said.best, said.worst))
    return all(
        low <= above + 1e-6 and high >= below - 1e-6
        for (below, above), (low, high) in zip(true, listed, strict=True)
    )


def change_bound(lines: spoiled.Lines, random: Random) -> spoiled.Lines:
    """Change a bound of a line."""
    place = random.randrange(len(lines.values))
    value = list(lines.values[place])
    inside = random.choice(value[1:])  # of a formula with several comparisons, the values of one of them
    bounds = list(inside) if isinstance(inside, list) else value[1:]
    if bounds:
        place_inside = random.choice([one for one in range(len(bounds)) if one % 3 < 2])
        bounds[place_inside] = random.choice(["0", "1", "1/2", "3", "99/100", None, "-1", "1/0", 1])
    if isinstance(inside, list):
        value[value.index(inside)] = bounds
    else:
        value[1:] = bounds
    values = list(lines.values)
    values[place] = value
    return lines._replace(values=values)


def claim_infinite(lines: spoiled.Lines, random: Random) -> spoiled.Lines:
    """Claim that costs are infinite, in the first line and in some others, with some ranks."""
    share = random.random()

    def change(bounds: list[Any]) -> list[Any]:
        found = list(bounds)
        for place in range(0, len(bounds) - 2, 3):
            if random.random() < share:
                found[place : place + 3] = [None, None, random.choice([0, 0, 0, 1, bounds[place + 2]])]
        return found

    values = []
    for text, *rest in lines.values:
        listed = [change(one) for one in rest] if any(isinstance(one, list) for one in rest) else change(rest)
        values.append([text, *listed])
    if "bounds" not in lines.header:
        return lines._replace(values=values).but(**{random.choice(["best", "worst"]): [None, None]})
    bounds = [dict(one) for one in lines.header["bounds"]]
    one = random.choice(bounds)
    one[random.choice(list(one))] = [None, None]
    return lines._replace(values=values).but(bounds=bounds)


def change_claim(lines: spoiled.Lines, random: Random) -> spoiled.Lines:
    """Claim other bounds."""
    side = random.choice(["best", "worst"])
    claimed = random.choice([["0", "0"], ["1", "1"], ["1/3", "1/2"], ["5", None], ["1", "0"], [None, "1"]])
    if "bounds" not in lines.header:
        return lines.but(**{side: claimed})
    bounds = [dict(one) for one in lines.header["bounds"]]
    random.choice(bounds)[side] = claimed
    return lines.but(bounds=bounds)


def change_rank(lines: spoiled.Lines, random: Random) -> spoiled.Lines:
    """Change a rank of a line with a condition, and the bounds that are claimed with it."""
    values = [list(value) for value in lines.values]
    one = random.choice(values)
    place = random.randrange(1, len(one), 2)
    one[place : place + 2] = [random.choice([one[place], "0", "1", "1/2"]), random.choice([-1, 0, 1, 2, 3])]
    return random.choice([lines, change_claim(lines, random)])._replace(values=values)


def spoil(seed: int, path: Path, number: int) -> int:
    """Write and verify a certificate of a random level, and spoiled copies; return how many were refused."""
    random = Random(seed)
    level = small_level(random)
    starts: Any = level if type(level) is not Several else level.start()
    question = random_question(
        level, random, random.choice(("=?", "=?", ">=1/2", "<3/4", "max>=1", "min<=1/4"))
    )
    if random.random() < 0.4:
        question = random_formula(level, random)
    return spoil_question(starts, question, path, number, random)


def spoil_joined(seed: int, path: Path, number: int) -> int:
    """Write and verify a certificate of a formula with two conditions or one, and spoiled copies; return how many were refused."""
    random = Random(seed)
    level = small_level(random)
    starts: Any = level if type(level) is not Several else level.start()
    signs = [random.choice((">=1/2", "<3/4", "max>=1", "min<=1/4", ">0")) for _ in range(2)]
    other = random.choice((random_conditional, random_question))(level, random, signs[1])
    formula = f"{random_conditional(level, random, signs[0])} {random.choice(('&', '|', '->'))} {other}"
    try:
        return spoil_question(starts, formula, path, number, random)
    except gp.GridproofError as error:
        if "has probability 0, whatever is done" not in str(error):
            raise
        return 0


def spoil_conditional(seed: int, path: Path, number: int) -> int:
    """Write and verify a certificate of a question with a condition, and spoiled copies; return how many were refused."""
    random = Random(seed)
    level = small_level(random)
    starts: Any = level if type(level) is not Several else level.start()
    refused = 0
    for _ in range(2):
        question = random_conditional(level, random, random.choice(("=?", "=?", ">=1/2", "<3/4", "max>=1")))
        try:
            refused += spoil_question(starts, question, path, number, random, change_rank)
        except gp.GridproofError as error:
            if "has probability 0, whatever is done" not in str(error):
                raise
    return refused


def spoil_question(
    starts: Any,
    question: str,
    path: Path,
    number: int,
    random: Random,
    *more: Callable[[spoiled.Lines, Random], spoiled.Lines],
) -> int:
    """Write and verify a certificate of a question, and spoiled copies; return how many were refused."""
    if "=?" in question:
        made = gp.certify(starts, path, question, value=True)
        if not made.holds:
            return 0
    else:
        made = gp.certify(starts, path, formula=question)
        if made.holds is None:  # the bounds of the certificate do not decide it
            return 0
    answer = gp.verify(path)
    assert (answer.holds, answer.reason, answer.positions) == (True, "", made.positions), question
    assert is_true(answer.statement), (question, str(answer.statement))
    if "=?" not in question:
        assert answer.statement.holds is gp.check(starts, question).holds, question
    spoilers = [*spoiled.SPOILERS, change_bound, change_bound, change_claim, *more]
    kinds = QuantityStatement, ComparisonsStatement
    return spoiled.count_refusals(path, random, number, kinds, is_true, spoilers)


@pytest.mark.slow
def test_certificates_of_random_questions_verify_and_spoiled_ones_are_refused(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 4) for seed in range(8)) > 5


@pytest.mark.slow
def test_certificates_with_a_condition_verify_and_spoiled_ones_are_refused(tmp_path: Path) -> None:
    assert sum(spoil_conditional(seed, tmp_path / "proof", 4) for seed in range(12)) > 20


@pytest.mark.slow
def test_certificates_of_joined_conditions_verify_and_spoiled_ones_are_refused(tmp_path: Path) -> None:
    assert sum(spoil_joined(seed, tmp_path / "proof", 3) for seed in range(12)) > 3


@pytest.mark.long
def test_many_spoiled_certificates_of_joined_conditions_prove_nothing_false(tmp_path: Path) -> None:
    assert sum(spoil_joined(seed, tmp_path / "proof", 10) for seed in range(100, 200)) > 200


@pytest.mark.long
def test_many_spoiled_certificates_with_a_condition_prove_nothing_false(tmp_path: Path) -> None:
    assert sum(spoil_conditional(seed, tmp_path / "proof", 20) for seed in range(100, 170)) > 600


@pytest.mark.long
def test_many_spoiled_certificates_of_questions_prove_nothing_false(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 15) for seed in range(100, 160)) > 200


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("P=? [F<=7 won]", "is 26557/160000 at best and 0 at worst"),
        ("P=? [(empty > 0) U tile(8)]", "at best and"),
        ("P=? [G<=5 !lost]", "is 0.980445 at best and 0.0154184 at worst"),
        ("P=? [X tile(8)]", "is 1/150 at best and 0 at worst"),
        ('R{"score"}=? [F ended]', "is 66.9641 at best and 8.03854 at worst"),
    ],
)
def test_question_is_certified_with_its_exact_value(question: str, claim: str, tmp_path: Path) -> None:
    (board,) = gp.read("2048 2x2 spawn=classic target=16\n")
    assert gp.certify(board, tmp_path / "proof", question, value=True).kind == "quantity"
    answer, value = gp.verify(tmp_path / "proof", board), gp.value(board, question)
    assert answer.holds
    assert claim in answer.statement.claim
    for side, bounds in (
        (answer.statement.best, value.best_bounds),
        (answer.statement.worst, value.worst_bounds),
    ):
        assert side[0] == side[1]
        assert float(side[0]) == pytest.approx(float(bounds.middle))


def test_least_cost_in_circles_is_certified(tmp_path: Path) -> None:
    for measure, least in (("pushes", 2), ("actions", 3)):
        gp.certify("sokoban/first-steps/1", tmp_path / "proof", f'R{{"{measure}"}}=? [F won]', value=True)
        said = gp.verify(tmp_path / "proof", "sokoban/first-steps/1").statement
        assert said.worst == (least, least)
        assert said.best[1] is None


@pytest.mark.slow
def test_comparison_is_certified(tmp_path: Path) -> None:
    (board,) = gp.read("2048 2x2 spawn=classic target=16\n")
    for formula, holds in (
        ("P>=0.9 [F won]", False),
        ("Pmax>=0.9 [F<=20 won]", True),
        ("R<=12 [F ended]", True),
    ):
        made = gp.certify(board, tmp_path / "proof", formula=formula)
        answer = gp.verify(tmp_path / "proof", board)
        assert (made.holds, answer.holds, answer.statement.holds) == (True, True, holds)
        assert (" holds, as the " in made.claim) is holds


@pytest.mark.slow
def test_joined_comparisons_are_certified(tmp_path: Path) -> None:
    (board,) = gp.read("2048 2x2 spawn=classic target=16\n")
    formula = "P>=0.9 [F won] | !won & R<=12 [F ended] & P>=0.9 [F won]"
    for text, holds in (
        (formula, False),
        (f"!({formula})", True),
        ("Pmax>=0.9 [F won] & P>=1 [F ended]", True),
    ):
        made = gp.certify(board, tmp_path / "proof", formula=text)
        answer = gp.verify(tmp_path / "proof", board)
        assert (made.kind, answer.holds, answer.statement.holds) == ("comparisons", True, holds)
        assert answer.statement.claim.count(", as the ") == 2


@pytest.mark.slow
def test_number_beside_a_comparison_is_refused(tmp_path: Path) -> None:
    (board,) = gp.read("2048 2x2 spawn=classic target=16\n")
    path = tmp_path / "proof"
    gp.certify(board, path, formula="P>=0.9 [F won] & P>=1 [F ended]")
    lines = spoiled.read(path)
    for formula in ("P=? [F won] & P>=1 [F ended]", "X (P>=0.9 [F won] & P>=1 [F ended])", "won & !lost"):
        path.write_text(lines.but(formula=formula).text())
        assert gp.verify(path).holds is False


@pytest.mark.slow
def test_comparison_claimed_for_other_bounds_is_refused(tmp_path: Path) -> None:
    (board,) = gp.read("2048 2x2 spawn=classic target=16\n")
    path = tmp_path / "proof"
    gp.certify(board, path, formula="P>=0.9 [F won] & P>=1 [F ended]")
    lines = spoiled.read(path)
    for bounds, reason in (
        (lines.header["bounds"][::-1], "do not prove"),
        (lines.header["bounds"][:1], "for each comparison"),
        ([*lines.header["bounds"][:1], {"best": ["0", "1"]}], "for each comparison"),
        ([{"best": ["0", "1"], "worst": ["0", "1"]}] * 2, "do not decide"),
    ):
        path.write_text(lines.but(bounds=bounds).text())
        answer = gp.verify(path)
        assert answer.holds is False
        assert reason in answer.reason


def forge(path: Path, change: Any, **header: Any) -> str:
    """Change each line of a certificate and its first line; return the reason for which it is refused."""
    lines = spoiled.read(path)
    path.write_text(lines.listing([change(list(value)) for value in lines.values]).but(**header).text())
    answer = gp.verify(path)
    assert answer.holds is False
    return answer.reason


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "header", "reason"),
    [
        (lambda line: [line[0], *["1", 9] * 4], {"best": ["1", "1"], "worst": ["1", "1"]}, "the bound 1"),
        (lambda line: [line[0], *["0", 9] * 4], {"best": ["0", "0"], "worst": ["0", "0"]}, "the bound 0"),
        (lambda line: [line[0], *["1/2", -1] * 4], {"best": ["1/2", "1/2"]}, "do not prove"),
        (lambda line: [line[0], "1/2", 0, *line[2:]], {"best": ["1/2", "1"]}, "not a text with the values"),
        (lambda line: [line[0].replace("open", "came"), *line[1:]], {}, "is not listed"),
        (lambda line: [line[0].replace("fate", "memory"), *line[1:]], {}, "is not listed"),
        (lambda line: line, {"question": "P=? [F tile(8)]"}, "the kind conditional cannot have"),
        (lambda line: line, {"kind": "quantity"}, "the kind quantity cannot have"),
        (lambda line: line, {"question": "P=? [F tile(8) || F won]"}, "is not listed"),
    ],
)
def test_forged_certificate_with_a_condition_is_refused(
    change: Any, header: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    (board,) = gp.read("2048 2x2 spawn=classic target=16\n2 4\n2 0\n")
    gp.certify(board, tmp_path / "proof", "P=? [F tile(8) || F lost]", value=True)
    assert gp.verify(tmp_path / "proof", board).holds
    assert reason in forge(tmp_path / "proof", change, **header)


def test_condition_that_is_never_reached_proves_no_bound(tmp_path: Path) -> None:
    path, board = tmp_path / "proof", "sokoban/first-steps/1"
    assert gp.certify(board, path, "P=? [F won || F placed = 1]", value=True).holds

    def idle(line: list[Any]) -> list[Any]:
        return [line[0], "1", 0, "1", 0, "1", 0, "1", 0]

    assert "the bound 1 is wrong" in forge(path, idle, best=["1", "1"], worst=["1", "1"])
    forge(path, lambda line: [line[0], "0", -1, "1", 1, "0", 1, "1", -1], best=["0", "1"], worst=["0", "1"])


CORRIDOR = "#####\n#@$.#\n#####\n"


def test_condition_that_stays_open_is_certified(tmp_path: Path) -> None:
    path, (room,) = tmp_path / "proof", gp.read("######\n#@ $.#\n#    #\n######\n")
    for question in (
        "P=? [F won || G !box(1,1)]",
        "P=? [G !won || G !box(1,1)]",
        "P=? [F at(1,2) || !at(2,2) W box(4,1)]",
        "P=? [F box(1,1) || at(2,1) R !won]",
    ):
        assert gp.certify(room, path, question, value=True).holds
        answer, found = gp.verify(path, room), gp.value(room, question)
        assert answer.holds
        assert (answer.statement.best, answer.statement.worst) == (found.best_bounds, found.worst_bounds)
        idle = forge(path, lambda line: [line[0], *["1/2", 0] * 4], best=["1/2", "1/2"], worst=["1/2", "1/2"])
        assert "the bound 1/2 is wrong" in idle


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text, plain, fate: [text, plain, []], "has no bounds"),
        (lambda text, plain, fate: [text, plain, plain or fate], "is not a text with the values"),
        (lambda text, plain, fate: [text, plain or ["0", "1", 0] * 2, fate], "is not a text with the values"),
        (lambda text, plain, fate: [text, fate, plain], "is not a text with the values"),
        (
            lambda text, plain, fate: [text.replace("fate", "fates"), plain, fate],
            "is not listed",
        ),
        (
            lambda text, plain, fate: [text, plain, fate and [*fate[:2], "0", *fate[3:]]],
            "the bound 0 is wrong",
        ),
        (lambda text, plain, fate: [text, plain and [plain[0], "0", *plain[2:]], fate], "are wrong"),
    ],
)
def test_condition_beside_another_comparison_is_certified(change: Any, reason: str, tmp_path: Path) -> None:
    path, (room,) = tmp_path / "proof", gp.read("######\n#@ $.#\n#    #\n######\n")
    formula = "Pmin<=0.5 [F won] & Pmax>=0.5 [F at(1,2) || G !box(1,1)]"
    made = gp.certify(room, path, formula=formula)
    answer = gp.verify(path, room)
    assert (made.kind, answer.holds, answer.statement.holds) == ("comparisons", True, True)
    assert answer.statement.holds is gp.check(room, formula).holds
    assert reason in forge(path, lambda line: change(*line))


@pytest.mark.slow
def test_condition_that_cannot_stay_open_proves_no_bound(tmp_path: Path) -> None:
    """The only action wins, so the condition is missed, and no rank makes a bound of it right."""
    path, (corridor,) = tmp_path / "proof", gp.read(CORRIDOR)
    assert gp.certify(corridor, path, "P=? [F at(2,1) || F won]", value=True).holds
    lines, question = spoiled.read(path), "P=? [F at(2,1) || G !won]"
    texts = [text.replace("came came", "came missed") for text, *_ in lines.values]
    claims = [*itertools.product(("0", "1"), (-1, 0, 1, 2))]
    for claimed, first, second in itertools.product(("0", "1"), claims, claims):
        values = [[text, *claim * 4] for text, claim in zip(texts, (first, second), strict=True)]
        ends = [claimed, claimed]
        path.write_text(lines.listing(values).but(question=question, best=ends, worst=ends).text())
        assert gp.verify(path).holds is False
    with pytest.raises(gp.GridproofError, match="the condition G !won has probability 0"):
        gp.certify(corridor, path, question, value=True)


def test_odd_rank_proves_no_condition(tmp_path: Path) -> None:
    """A player who always loses the condition has no share of it, though the bound is kept until then."""
    path, (room,) = tmp_path / "proof", gp.read("######\n#@ $.#\n#    #\n######\n")
    assert gp.certify(room, path, "P=? [F won || G !box(1,1)]", value=True).holds

    def losing(line: list[Any]) -> list[Any]:
        is_over = line[0].endswith("missed")
        return [line[0], "1", -1 if is_over else 1, *line[3:]]

    assert forge(path, losing)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text.removesuffix(" 0"), "is not listed"),
        (lambda text: text.replace(" open 1", " open 2"), "is not listed"),
        (lambda text: text.replace(" open came 2", " open came 4"), "is not listed"),
        (lambda text: text.replace(" open came 2", " came came 2"), ""),
    ],
)
def test_condition_with_bound_counts_actions(change: Any, reason: str, tmp_path: Path) -> None:
    (board,), path = gp.read("2048 2x2 spawn=classic target=16\n2 4\n2 0\n"), tmp_path / "proof"
    question = "P=? [F<=3 tile(8) || G<=2 max_tile < 16]"
    assert gp.certify(board, path, question, value=True).holds
    assert gp.verify(path, board).statement.best == gp.value(board, question).best_bounds
    assert reason in forge(path, lambda line: [change(line[0]), *line[1:]])


@pytest.mark.slow
def test_question_with_costs_is_certified_with_a_memory(tmp_path: Path) -> None:
    (board,), path = gp.read("2048 2x2 spawn=classic target=16\n"), tmp_path / "proof"
    for question, claim in (
        (
            "P=? [F (won & cost(actions) <= 7)]",
            "`P=? [F (won & cost(actions) <= 7)]` is 26557/160000 at best",
        ),
        ("P=? [cost(actions) < 2 U tile(8) || F won]", "at best and"),
    ):
        assert gp.certify(board, path, question, value=True).holds
        answer = gp.verify(path, board)
        assert answer.holds
        assert claim in answer.statement.claim
        assert "\nmemory 0" in spoiled.read(path).values[0][0]
        cheaper = forge(path, lambda line: [line[0].replace("memory 1", "memory 0"), *line[1:]])
        assert "is repeated" in cheaper
    formula = "P>=0.16 [F (won & cost(actions) <= 7)] | cost(actions) = 0"
    assert gp.certify(board, path, formula=formula).kind == "comparisons"
    assert gp.verify(path, board).statement.holds
    longer = formula.replace("7", "8")
    assert forge(path, lambda line: line, formula=longer)


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        ("P>=0.9 [F<=1001 won]", "no certificate can have more than 1000 actions"),
        (
            "P>=0.1 [F won] & P>=0.9 [F won || F<=1001 tile(8)]",
            "no certificate can have more than 1000 actions",
        ),
        ("P>=0.9 [F won || F<=1001 tile(8)]", "no certificate can have more than 1000 actions"),
    ],
)
def test_other_questions_have_no_certificates(formula: str, reason: str, tmp_path: Path) -> None:
    (board,) = gp.read("2048 2x2 spawn=classic target=8\n2 2\n0 0\n")
    with pytest.raises(gp.GridproofError, match=reason):
        gp.certify(board, tmp_path / "proof", formula=formula)


def test_certificate_with_temporal_operators_inside_is_refused(tmp_path: Path) -> None:
    (board,) = gp.read("2048 2x2 spawn=classic target=16\n")
    gp.certify(board, tmp_path / "proof", "P=? [F won]", value=True)
    lines = spoiled.read(tmp_path / "proof")
    for question in (
        "P=? [F (G won)]",
        "P=? [F (P=? [F won])]",
        "P=? [F won || F won]",
        "F won",
        'R{"x"}=? [F won]',
    ):
        (tmp_path / "proof").write_text(lines.but(question=question).text())
        assert gp.verify(tmp_path / "proof").holds is False


def test_bounds_that_no_float_has_are_written_out(tmp_path: Path) -> None:
    path, huge = tmp_path / "proof", ["0", "9" * 400]
    assert gp.certify("sokoban/first-steps/1", path, "P=? [F won]", value=True).holds
    path.write_text(spoiled.read(path).but(best=huge, worst=huge).text())
    answer = gp.verify(path)
    assert answer.holds
    assert answer.statement is not None
    assert "from 0 to 1.00000e+400 at best" in answer.statement.claim


@pytest.mark.parametrize(
    ("question", "why"),
    [("P=? [F e(fly)]", "no action 'fly'"), ("P=? [F exists x in boxes: won]", r"each of boxes is \(x,y\)")],
)
def test_question_with_meaningless_name_is_refused(question: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(gp.ParseError, match=why):
        gp.certify("sokoban/first-steps/1", tmp_path / "proof", question, value=True)


def test_question_about_all_things_is_certified_for_each(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    question = "P=? [F exists (x, y) in boxes: at(x,y)]"
    assert gp.certify("sokoban/first-steps/1", path, question, value=True).holds
    statement = gp.verify(path).statement
    assert isinstance(statement, QuantityStatement)
    found = gp.value("sokoban/first-steps/1", question)
    assert (statement.best, statement.worst) == (found.best_bounds, found.worst_bounds)

"""Certificates of infinite expected costs: written for all, and spoiled ones prove nothing that is false."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.prove import spoiled, test_forced_certificates, test_quantity_certificates
from tests.prove.test_quantity_certificates import ATOMS, claim_infinite
from tests.prove.twins import Played, Several, small_level

import gridproof as gp
from gridproof.core.measure import measures
from gridproof.prove.checkers.comparisons import ComparisonsStatement
from gridproof.prove.checkers.forced_bounds import ForcedStatement
from gridproof.prove.checkers.quantity_statement import QuantityStatement

HUGE = 10**14


def is_true(said: QuantityStatement | ComparisonsStatement) -> bool:
    """Return whether all bounds of a statement are right, by the engine."""
    if isinstance(said, ComparisonsStatement) and isinstance(said.quantities[0], ForcedStatement):
        return test_forced_certificates.is_true(said)
    return test_quantity_certificates.is_true(said)


def random_cost(level: Any, random: Random) -> str:
    """Compare a cost with a number that it exceeds only if it is infinite."""
    inner = Played(level).level
    players = [name for name in inner.game.actors(inner) if name != "nature"]
    by, goal = random.choice([*measures(inner.game)]), random.choice(ATOMS[inner.game.name])
    if random.random() < 0.5:
        coalition = ",".join(random.sample(players, random.randint(0, len(players))))
        return f'<<{coalition}>> R{{"{by}"}}{random.choice(("<=", ">="))}{HUGE} [F ({goal})]'
    return f'R{{"{by}"}}{random.choice(("max>=", "min>=", "min<=", "max<="))}{HUGE} [F ({goal})]'


def spoil(seed: int, path: Path, number: int) -> tuple[int, int]:
    """Certify a random comparison; return whether the cost is infinite, and how many spoiled copies are refused."""
    random = Random(seed)
    level = small_level(random)
    starts: Any = level if type(level) is not Several else level.start()
    formula = random_cost(level, random)
    made, holds = gp.certify(starts, path, formula=formula), gp.check(starts, formula).holds
    assert made.holds, (seed, formula)
    answer = gp.verify(path)
    assert (answer.holds, answer.reason, answer.statement.holds) == (True, "", holds), (seed, formula)
    assert is_true(answer.statement), (seed, formula)
    spoilers = [claim_infinite, claim_infinite, spoiled.change_value, spoiled.change_number]
    kinds = QuantityStatement, ComparisonsStatement
    refused = spoiled.count_refusals(path, random, number, kinds, is_true, spoilers)
    return int((">=" in formula) is holds), refused


@pytest.mark.slow
def test_infinite_costs_are_certified_and_spoiled_certificates_refused(tmp_path: Path) -> None:
    found = [spoil(seed, tmp_path / "proof", 6) for seed in range(12)]
    assert sum(infinite for infinite, _ in found) > 3
    assert sum(refused for _, refused in found) > 20


@pytest.mark.long
def test_many_infinite_costs_are_certified_and_spoiled_certificates_refused(tmp_path: Path) -> None:
    found = [spoil(seed, tmp_path / "proof", 25) for seed in range(100, 200)]
    assert sum(infinite for infinite, _ in found) > 30
    assert sum(refused for _, refused in found) > 600


SIDE = "######\n#@$ .#\n######\n"


@pytest.mark.parametrize(
    ("formula", "holds", "claim"),
    [
        ("Rmax>=1e14 [F won]", True, "as the greatest value is infinite"),
        ("Rmin>=1e14 [F won]", False, "as the least value is 2"),
        ("Rmin>=1e14 [F (at(1,1) & won)]", True, "as the least value is infinite"),
        ("<<>> R<1e14 [F won]", False, "infinite"),
    ],
)
def test_infinite_cost_of_a_corridor_is_certified(
    formula: str, holds: bool, claim: str, tmp_path: Path
) -> None:
    (level,) = gp.read(SIDE)
    made = gp.certify(level, tmp_path / "proof", formula=formula)
    answer = gp.verify(tmp_path / "proof", level)
    assert (made.holds, answer.holds) == (True, True)
    assert answer.statement.holds is holds
    assert claim in answer.statement.claim


@pytest.mark.parametrize("rank", [0, 1])
def test_finite_cost_is_not_infinite_whatever_the_ranks(rank: int, tmp_path: Path) -> None:
    (level,) = gp.read(SIDE)
    gp.certify(level, tmp_path / "proof", formula="Rmin<=3 [F won]")
    lines = spoiled.read(tmp_path / "proof")
    values = [[*line[:4], None, None, rank] for line in lines.values]
    forged = lines._replace(values=values).but(question="Rmin>3 [F won]", worst=[None, None])
    (tmp_path / "proof").write_text(forged.text())
    assert "for the worst play are wrong" in gp.verify(tmp_path / "proof").reason

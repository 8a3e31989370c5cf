"""Checks of a game's own solvers: each answer is compared with the rules."""

from __future__ import annotations

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, Stopped
from gridproof.core.measure import ANY
from gridproof.core.position import Level
from gridproof.search.engine import ask_one
from gridproof.search.path_engine import OwnEngine
from gridproof.search.question import build_goal_question
from gridproof.search.refusal import Declined
from gridproof.search.solution import Solution
from gridproof.search.solve import solution_of
from gridproof.search.solver import Solver, solvers_of
from gridproof.testing.conformance.fault import NonConformance, place, require

MOST = 5
"""Number of levels of a pack to solve; the first are the easiest in sorted packs."""
_LIMIT = Limit(states=2000)


def check_solvers(level: Level) -> None:
    """Ask every solver about the level, for each measure that it minimises."""
    solutions: dict[str, Solution] = {}
    for item in solvers_of(level.game):
        for measure in item.measures:
            with place(f"solver {item.name!r}"), place(f"minimising {measure}"):
                found = _ask(item, level, measure)
                if found is None:
                    continue
                if measure not in solutions:
                    solutions[measure] = _solve_by_rules(level, measure)
                _compare(found, solutions[measure], level)


def _solve_by_rules(level: Level, measure: str) -> Solution:
    minimise = None if measure == ANY else measure
    return solution_of(build_goal_question(level.start(), minimise, limit=_LIMIT), "rules")


def _ask(item: Solver, level: Level, measure: str) -> Solution | None:
    """Return the answer of a solver; None when it declines or reaches the limit."""
    question = build_goal_question(level.start(), None if measure == ANY else measure, limit=_LIMIT)
    try:
        return ask_one(question, OwnEngine(item)).answer
    except (Declined, Stopped):
        return None
    except GridproofError as error:
        raise NonConformance(str(error)) from error


def _compare(found: Solution, by_rules: Solution, level: Level) -> None:
    """Check refutations and costs; found solutions are replayed already."""
    known = level.certificate is not None and level.certificate.start == level.start()
    if found.found is False:
        require(not known and not by_rules.found, "it says that there is no way to win, but there is one")
    if found.found and by_rules.found and found.cost is not None and by_rules.cost is not None:
        longer = found.optimal and found.cost > by_rules.cost
        require(not longer, f"it says that {found.cost} is the least cost, but {by_rules.cost} is enough")
        shorter = by_rules.optimal and found.cost < by_rules.cost
        require(not shorter, f"it wins at cost {found.cost}, but the rules say that {by_rules.cost} is least")

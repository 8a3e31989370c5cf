"""A game's own solvers: each is asked alone, and what it says is held to the rules."""

from __future__ import annotations

from gridproof.core.errors import GridproofError
from gridproof.core.game import ANY, Solver
from gridproof.core.limit import Limit, Stopped
from gridproof.core.position import Level
from gridproof.search.engine import ask_one
from gridproof.search.question import asked_for_goal
from gridproof.search.refusal import Declined
from gridproof.search.solution import Solution
from gridproof.search.solve import solution_of
from gridproof.search.ways import OwnEngine
from gridproof.testing.conformance.fault import NonConformance, place, require

MOST = 5
"""So many levels of a pack are solved; the first are the easiest where packs are sorted."""
_LIMIT = Limit(states=2000)


def check_solvers(level: Level) -> None:
    """Ask every solver about the level, for each measure that it minimises."""
    by_rules: dict[str, Solution] = {}
    for item in level.game.solvers:
        for measure in item.measures:
            with place(f"solver {item.name!r}"), place(f"minimising {measure}"):
                found = _asked(item, level, measure)
                if found is None:
                    continue
                if measure not in by_rules:
                    by_rules[measure] = _by_rules(level, measure)
                _compare(found, by_rules[measure], level)


def _by_rules(level: Level, measure: str) -> Solution:
    minimise = None if measure == ANY else measure
    return solution_of(asked_for_goal(level.start(), minimise, limit=_LIMIT), "rules")


def _asked(item: Solver, level: Level, measure: str) -> Solution | None:
    """The answer of a solver; None when it does not take the question or comes to the limit."""
    question = asked_for_goal(level.start(), None if measure == ANY else measure, limit=_LIMIT)
    try:
        return ask_one(question, OwnEngine(item)).answer
    except (Declined, Stopped):
        return None
    except GridproofError as error:
        raise NonConformance(str(error)) from error


def _compare(found: Solution, by_rules: Solution, level: Level) -> None:
    """What is found has been replayed: what is left are refutations, and what is said to be the least."""
    known = level.certificate is not None and level.certificate.start == level.start()
    if found.found is False:
        require(not known and not by_rules.found, "it says that there is no way to win, but there is one")
    if found.found and by_rules.found and found.cost is not None and by_rules.cost is not None:
        longer = found.optimal and found.cost > by_rules.cost
        require(not longer, f"it says that {found.cost} is the least cost, but {by_rules.cost} is enough")
        shorter = by_rules.optimal and found.cost < by_rules.cost
        require(not shorter, f"it wins at cost {found.cost}, but the rules say that {by_rules.cost} is least")

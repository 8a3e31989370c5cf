"""Checks of a game's extensions; the answers of its solvers are compared with the rules."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from gridproof.agents.demos import co_players, demos
from gridproof.agents.extension import PARTS
from gridproof.agents.players import players
from gridproof.analysis.design import Design
from gridproof.core.design import Ablation
from gridproof.core.difficulty import DIFFICULTIES, puzzles_of
from gridproof.core.editor import Editor
from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_extension, function_table, module_of
from gridproof.core.game import Game
from gridproof.core.generate import Generator, parameters_of
from gridproof.core.lazy_import import is_module
from gridproof.core.limit import Limit, Stopped
from gridproof.core.measure import ANY, measures
from gridproof.core.position import Level
from gridproof.kernels.game import kernel_of
from gridproof.prove.certificate import CertificateKind, kinds_of
from gridproof.prove.enumeration import enumeration_of
from gridproof.prove.estimate import Estimator
from gridproof.prove.game_formulas import COMMON, formulas_of
from gridproof.prove.parsing import parse
from gridproof.prove.position_status import StatusNotes
from gridproof.prove.theory import theory_of
from gridproof.prove.value_engines import ValueEngine
from gridproof.search.actors import starts_of
from gridproof.search.engine import ask_one
from gridproof.search.improver import Improver, improver_of
from gridproof.search.path_engine import OwnEngine
from gridproof.search.question import build_goal_question
from gridproof.search.refusal import Declined
from gridproof.search.solution import Solution
from gridproof.search.solve import SHARED, solution_of
from gridproof.search.solver import Solver, solvers_of
from gridproof.testing.conformance.editors import check_editor
from gridproof.testing.conformance.fault import NonConformance, place, require
from gridproof.testing.conformance.lessons import check_lesson
from gridproof.testing.conformance.metadata import require_distinct, require_line

MOST = 5
"""Number of levels of a pack to solve; the first are the easiest in sorted packs."""
MOST_LISTED = 1000
"""Number of positions of a level that are all listed."""
_LIMIT = Limit(states=2000)


def check_extensions(game: Game) -> None:
    """Check all extensions of the game, as far as possible without levels."""
    for name, check in _CHECKS.items():
        if module_of(game, name):
            with place(name):
                check(game)


def check_on_levels(game: Game, levels: Sequence[Level]) -> None:
    """Check the extensions `editor`, `design` and `enumeration` on levels."""
    with place("editor"):
        if editor := find_extension(game, "editor", Editor):
            check_editor(editor, game, levels)
    with place("design"):
        if design := find_extension(game, "design", Design):
            for level in levels:
                with place(f"level {level.title!r}"):
                    _check_design(design, level)
    with place("enumeration"):
        if module_of(game, "enumeration"):
            _check_enumeration(game, levels)


def _check_enumeration(game: Game, levels: Sequence[Level]) -> None:
    """Check that the positions listed for small levels are different, with all starts, and no more than announced."""
    for level in levels:
        starts, who = starts_of(level), (None,)
        with place(f"level {level.title!r}"):
            size = enumeration_of(game).size(starts, who)
            if size > MOST_LISTED:
                continue
            listed = list(enumeration_of(game).positions(starts, who))
            require(
                len(set(listed)) == len(listed) <= size,
                "a position is listed twice, or the size is too small",
            )
            require(set(starts) <= set(listed), "a start is not listed")


def _check_solvers(game: Game) -> None:
    """Check the names and functions of the game's own solvers; `check_solvers` their answers."""
    require(all(isinstance(item, Solver) for item in solvers_of(game)), "SOLVERS has what is no Solver")
    names = {*measures(game), ANY}
    require_distinct(
        [*(item.name for item in solvers_of(game)), *SHARED], "solvers (with those of all games)"
    )
    for item in solvers_of(game):
        with place(f"solver {item.name!r}"):
            _check_function(item)
            unknown = sorted({name for one in item.measures for name in one.split(",")} - names)
            require(item.measures and not unknown, f"it minimises {', '.join(unknown) or 'nothing'}")


def _check_improver(game: Game) -> None:
    """Check the name and the function of the game's own improver; the game's own tests ask it."""
    improver = improver_of(game)
    if improver is not None:
        _check_function(improver)


def _check_function(item: Solver | Improver) -> None:
    """Check the name, the meaning and the function of a solver or an improver."""
    require(re.fullmatch(r"[a-z][a-z0-9-]*", item.name), "the name is not lower-case letters, digits and -")
    require_line(item.meaning, "the meaning")
    module, colon, function = item.function.partition(":")
    require(colon and function.isidentifier(), f"{item.function!r} is not module:function")
    _require_function(module, function)


def _require_function(module: str, name: str) -> None:
    require(is_module(module), f"there is no module {module!r}")
    named = getattr(importlib.import_module(module), name, None)
    require(callable(named), f"there is no function {name!r} in {module}")


def _check_generator(game: Game) -> None:
    generator = find_extension(game, "generator", Generator)
    require(generator and callable(generator.generate), "generate cannot be called")
    for given, _ in parameters_of(game):
        require(all(given), "a parameter has no name")


def _check_puzzles(game: Game) -> None:
    """Check the kinds of puzzles: their names fit into ids, and the generator has their parameters."""
    puzzles = puzzles_of(game)
    require(puzzles and puzzles.kinds, "PUZZLES has no kinds")
    assert puzzles is not None, "it was just required"
    require(list(puzzles.most) == sorted(set(puzzles.most)), "the limits of difficulties do not grow")
    require(puzzles.measure in ("", *measures(game)), f"there is no measure {puzzles.measure!r}")
    require_distinct([kind.name for kind in puzzles.kinds], "kinds of puzzles")
    known = {text.partition("=")[0] for row in parameters_of(game) for text in row.forms}
    for kind in puzzles.kinds:
        with place(f"kind {kind.name!r}"):
            require(
                re.fullmatch("[a-z][a-z0-9]*", kind.name), "the name is not lower-case letters and digits"
            )
            require_line(kind.title, "the title")
            require_line(kind.meaning, "the meaning")
            require(kind.difficulties, f"it offers none of the difficulties {', '.join(DIFFICULTIES)}")
            given = {name for more in kind.by_difficulty.values() for name in {**kind.parameters, **more}}
            require(given <= known, f"the generator has no parameter {', '.join(sorted(given - known))}")


def _check_agents(game: Game) -> None:
    agents = find_extension(game, "agents", object)
    parts = ", ".join(part.__name__ for part in PARTS)
    require(any(isinstance(agents, part) for part in PARTS), f"AGENTS is none of {parts}")
    for what, table in (("player", players(game)), ("demo", demos(game)), ("co-player", co_players(game))):
        for name, make in table.items():
            require_line(name, f"the name of a {what}")
            require(callable(make), f"the {what} {name!r} cannot be called")


def _check_design(design: Design, level: Level) -> None:
    hash(design.canonical(level))
    require(design.canonical(level) == design.canonical(level), "canonical changes from call to call")
    for item in design.ablations(level):
        sound = isinstance(item, Ablation) and item.levels and level not in item.levels
        require(sound, f"{item!r} is no Ablation with levels that differ from this one")
        require_line(item.piece, "what an ablation takes away")


def _check_formulas(game: Game) -> None:
    for clause, formula in formulas_of(game).invariants.items():
        require(clause in game.clauses, f"an invariant of {clause}, which is no clause")
        with place(f"invariant {clause}"):
            _require_canonical(formula)
    for formula, meaning in formulas_of(game).questions.items():
        with place(f"question {formula}"):
            require_line(meaning, "what it asks")
            _require_canonical(formula)
    for name, domain in formulas_of(game).domains.items():
        with place(f"domain {name}"):
            require_line(domain.meaning, "what its things are")
            require(name not in COMMON, "every game has this domain")
            require(bool(domain.parameters), "its things have no values")


def _require_canonical(formula: str) -> None:
    require(str(parse(formula)) == formula, f"{formula!r} is to be written {str(parse(formula))!r}")


def _check_status(game: Game) -> None:
    notes = find_extension(game, "status", StatusNotes)
    assert notes is not None  # its module is there
    require_line(notes.actions, "what actions are called")
    require_line(notes.dead, "what a dead position is called")
    require_line(notes.nature, "what acts of nature are called")


def _check_certificates(game: Game) -> None:
    for name, kind in kinds_of(game).items():
        require_line(name, "the name of a kind of certificates")
        require(isinstance(kind, CertificateKind), f"{name!r} is no CertificateKind")


def _check_env(game: Game) -> None:
    try:
        extension: Any = importlib.import_module("gridproof.envs.extension")
    except ImportError:  # environments are an extra that is not installed
        return
    env = find_extension(game, "env", extension.EnvExtension)
    require(
        env and re.fullmatch(r"\S+-v\d+", env.id), "ENV.id is no name with a version, such as mine/Puzzle-v0"
    )
    own = (env.scalar, env.vector) if isinstance(env, extension.OwnEnvs) else ()
    modules = [name.partition(":")[0] for name in own]
    modules += env.pettingzoo.values() if isinstance(env, extension.AgentEnvs) else ()
    for module in modules:
        require(is_module(module), f"there is no module {module!r}")


def _check_warm(game: Game) -> None:
    for name, use in (find_extension(game, "warm", Mapping) or {}).items():
        require_line(name, "what is compiled")
        require(callable(use), f"the call for {name!r} cannot be called")


def _check_functions(extension: str) -> Callable[[Game], None]:
    def check(game: Game) -> None:
        for name, module in function_table(game, extension).items():
            _require_function(module, name)

    return check


_CHECKS: Mapping[str, Callable[[Game], object]] = MappingProxyType(
    {
        "kernel": kernel_of,  # `gridproof.testing.agreement.check_kernel` compares it with the rules
        "solvers": _check_solvers,
        "improver": _check_improver,
        "generator": _check_generator,
        "puzzles": _check_puzzles,
        "agents": _check_agents,
        "lesson": check_lesson,
        "formulas": _check_formulas,
        "status": _check_status,
        "estimate": lambda game: find_extension(game, "estimate", Estimator),
        "values": lambda game: find_extension(game, "values", ValueEngine),
        "certificates": _check_certificates,
        "enumeration": enumeration_of,
        "theory": theory_of,
        "env": _check_env,
        "warm": _check_warm,
        "commands": _check_functions("commands"),
        "exports": _check_functions("exports"),
    }
)


# -- answers of solvers


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

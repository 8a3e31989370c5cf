"""Extensions of games: modules of fixed names in a game's package, imported on demand.

An extension is a module with the name of its kind, such as `editor`, with one object of that name in capitals, such
as `EDITOR`. The part of gridproof that uses it defines the type of the object:

============  =================================================  ====================================
module        its object                                         user
============  =================================================  ====================================
kernel        `gridproof.kernels.game.GameKernel`                engines and environments
solvers       tuple of `gridproof.search.solver.Solver`          `gridproof.search.solve`
improver      `gridproof.search.improver.Improver`               `gridproof.search.improve`
generator     `gridproof.core.generate.Generator`                `gridproof.core.generate`
puzzles       `gridproof.core.difficulty.Puzzles`                new puzzles, and words for difficulties
editor        `gridproof.core.editor.Editor`                     the server
agents        parts of `gridproof.agents.extension`              players, demos, hints
design        `gridproof.analysis.design.Design`                 analysis and environments
lesson        `gridproof.core.lesson.Lesson`                     the page's rules and lessons
formulas      `gridproof.prove.game_formulas.GameFormulas`       `gridproof games`, the page's formulas
status        `gridproof.prove.position_status.StatusNotes`      the badge
estimate      `gridproof.prove.estimate.Estimator`               the badge
values        `gridproof.prove.value_engines.ValueEngine`        `gridproof.prove.value`
certificates  mapping of names to `gridproof.prove.             `gridproof.prove.certify` and `verify`
              certificate.CertificateKind`
enumeration   `gridproof.prove.enumeration.Enumeration`          proofs by induction
theory        `gridproof.prove.theory.PlayTheory`                proofs by induction with clingo
commands      mapping of commands to the modules of functions    the command line
exports       mapping of formats to the modules of functions     `gridproof convert`, the server
env           parts of `gridproof.envs.extension`                environments
warm          mapping of words to functions that compile more    `gridproof warm`
============  =================================================  ====================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.lazy_import import is_module, load

T = TypeVar("T")


def module_of(game: Game, extension: str) -> str:
    """Return the name of an extension's module, which is not imported; "" when the game does not have it."""
    if extension == "kernel":
        return game.kernel
    if extension == "generator":
        return game.generate
    module = f"{game.package}.{extension}"
    return module if game.package and is_module(module) else ""


def find_extension(game: Game, extension: str, kind: type[T]) -> T | None:
    """Import a game's extension and return its object; None when the game does not have it.

    GridproofError if the module has no object of that kind.
    """
    module = module_of(game, extension)
    if not module:
        return None
    found = getattr(load(module), extension.upper(), None)
    if found is None or not isinstance(found, kind):
        raise GridproofError(f"{module} has no {extension.upper()} of the kind {kind.__name__}")
    return found


def function_table(game: Game, extension: str) -> Mapping[str, str]:
    """Return `commands` or `exports` of a game: name of a function -> its module, not imported yet."""
    return find_extension(game, extension, Mapping) or {}


def find_function(game: Game, extension: str, name: str) -> Callable[..., Any] | None:
    """Return the function of a name in `commands` or `exports` of a game; None when the game has none of that name."""
    modules = function_table(game, extension)
    if name not in modules:
        return None
    function: Callable[..., Any] = getattr(load(modules[name]), name)
    return function


class Answer(NamedTuple):
    """Result of a command that a game adds (`Game.commands`)."""

    holds: bool | None
    """Yes, no, or None where a limit was reached first."""
    words: str
    """A paragraph for people."""
    data: Mapping[str, Any]
    """The same for programs, as JSON has it."""
    picture: str = ""
    """Lines below the words."""

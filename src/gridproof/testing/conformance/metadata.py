"""What a game says of itself: names, one-line meanings, formats, and that it is registered."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable

from gridproof.core.game import ANY, Format, Game, Measure, Policy, Proposition
from gridproof.core.look import Look
from gridproof.core.measure import measures
from gridproof.core.registry import game as game_named
from gridproof.core.registry import is_game
from gridproof.core.shelf import pack_names
from gridproof.prove.parsing import parse
from gridproof.search.solve import SHARED
from gridproof.testing.conformance.fault import place, require

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_WORD = re.compile(r"[A-Za-z_]\w*")


def check_metadata(game: Game) -> None:
    """All that can be said without a level."""
    require(_NAME.fullmatch(game.name), f"the name {game.name!r} is not lower-case letters, digits and _")
    require(
        is_game(game.name) and game_named(game.name) is game,
        f"gridproof.game({game.name!r}) is not this game: it is not registered, or the name is taken",
    )
    _require_line(game.title, "the title")
    _require_line(game.meaning, "the meaning")
    _require_line(game.acting, "acting")
    added = (*game.commands.items(), *game.exports.items())
    for module in filter(
        None,
        (
            game.package,
            game.kernel,
            game.editor,
            game.generate,
            game.shows,
            *(module for _, module in added),
        ),
    ):
        require(_is_module(module), f"there is no module {module!r}")
    for name, module in added:
        named = getattr(importlib.import_module(module), name, None)
        require(callable(named), f"there is no function {name!r} in {module}")
    known = not game.first_pack or game.first_pack in pack_names(game)
    require(known, f"the pack to begin with is {game.first_pack!r}, which does not come with it")
    require(isinstance(game.policy, Policy), "policy is no Policy")
    _check_formats(game.formats)
    _check_propositions(game.propositions)
    _check_measures(game.measures)
    _check_solvers(game)
    _check_words(game.look)
    for number, meaning in game.clauses.items():
        _require_line(meaning, f"clause {number}")
    unknown = sorted(game.planned - set(game.clauses))
    require(not unknown, f"planned clauses that are no clauses: {', '.join(unknown)}")
    for clause, formula in game.invariants.items():
        require(clause in game.clauses, f"an invariant of {clause}, which is no clause")
        with place(f"invariant {clause}"):
            _require_canonical(formula)
    for formula, meaning in game.questions.items():
        with place(f"question {formula}"):
            _require_line(meaning, "what it asks")
            _require_canonical(formula)


def _require_canonical(formula: str) -> None:
    require(str(parse(formula)) == formula, f"{formula!r} is to be written {str(parse(formula))!r}")


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False


def _require_line(text: object, what: str) -> None:
    sound = isinstance(text, str) and text.strip() and "\n" not in text
    require(sound, f"{what} is not one line of words, but {text!r}")


def _require_distinct(names: Iterable[str], what: str) -> None:
    listed = list(names)
    twice = sorted({name for name in listed if listed.count(name) > 1})
    require(not twice, f"{what} with the same name: {', '.join(twice)}")


def _check_formats(formats: tuple[Format, ...]) -> None:
    require(formats, "it has no format")
    require(
        formats[0].write, f"the first format, {formats[0].name}, is the game's own and must have a writer"
    )
    _require_distinct((item.name for item in formats), "formats")
    for item in formats:
        with place(f"format {item.name!r}"):
            require(re.fullmatch(r"\S+", item.name), "the name has spaces or is empty")
            _require_line(item.meaning, "the meaning")
            require(item.extensions, "it has no ending of file names")
            for ending in item.extensions:
                sound = re.fullmatch(r"(\.[^.\s/]+)+", ending) and ending == ending.lower()
                require(sound, f"the ending {ending!r} is not a dot and lower-case characters")


def _check_propositions(propositions: tuple[Proposition, ...]) -> None:
    _require_distinct((item.name for item in propositions), "propositions")
    for item in propositions:
        with place(f"proposition {item.name!r}"):
            require(_WORD.fullmatch(item.name), "the name is no word")
            _require_line(item.meaning, "the meaning")
            sound = 0 <= item.optional <= len(item.parameters)
            require(sound, f"{item.optional} of {len(item.parameters)} arguments cannot be left out")


def _check_measures(measures: tuple[Measure, ...]) -> None:
    _require_distinct([item.name for item in measures] + ["actions"], "measures (every game has actions)")
    for item in measures:
        with place(f"measure {item.name!r}"):
            require(_WORD.fullmatch(item.name), "the name is no word")
            _require_line(item.meaning, "the meaning")


def _check_solvers(game: Game) -> None:
    known = {*measures(game), ANY}
    _require_distinct([*(item.name for item in game.solvers), *SHARED], "solvers (with those of all games)")
    for item in game.solvers:
        with place(f"solver {item.name!r}"):
            require(
                re.fullmatch(r"[a-z][a-z0-9-]*", item.name),
                "the name is not lower-case letters, digits and -",
            )
            _require_line(item.meaning, "the meaning")
            module, colon, function = item.function.partition(":")
            require(colon and function.isidentifier(), f"{item.function!r} is not module:function")
            require(_is_module(module), f"there is no module {module!r}")
            named = getattr(importlib.import_module(module), function, None)
            require(callable(named), f"there is no function {function!r} in {module}")
            unknown = sorted({*item.measures} - known)
            require(item.measures and not unknown, f"it minimises {', '.join(unknown) or 'nothing'}")


def _check_words(look: Look) -> None:
    require(isinstance(look, Look), "look is no Look")
    for name in ("welcome", "prompt", "won", "lost", "farewell"):
        _require_line(getattr(look, name), f"look.{name}")
    for key, action in look.keys.items():
        _require_line(key, "a key of look.keys")
        _require_line(action, f"look.keys[{key!r}]")

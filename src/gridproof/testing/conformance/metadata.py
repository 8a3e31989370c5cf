"""Checks of a game's metadata: names, one-line meanings, formats, registration."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gridproof.core.game import Format, Game, Measure, Policy, Proposition
from gridproof.core.lazy_import import is_module
from gridproof.core.look import Look
from gridproof.core.registry import game as game_named
from gridproof.core.registry import is_game
from gridproof.core.text.level_lookup import pack_names
from gridproof.testing.conformance.fault import place, require

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_WORD = re.compile(r"[A-Za-z_]\w*")


def check_metadata(game: Game) -> None:
    """Check a game without levels."""
    require(_NAME.fullmatch(game.name), f"the name {game.name!r} is not lower-case letters, digits and _")
    require(
        is_game(game.name) and game_named(game.name) is game,
        f"gridproof.game({game.name!r}) is not this game: it is not registered, or the name is taken",
    )
    require_line(game.title, "the title")
    require_line(game.meaning, "the meaning")
    for module in filter(None, (game.package, game.kernel, game.generate)):
        require(is_module(module), f"there is no module {module!r}")
    known = not game.first_pack or game.first_pack in pack_names(game)
    require(known, f"the pack to begin with is {game.first_pack!r}, which does not come with it")
    require(isinstance(game.policy, Policy), "policy is no Policy")
    _check_formats(game.formats)
    _check_propositions(game.propositions)
    _check_measures(game.measures)
    _check_words(game.look)
    for number, meaning in game.clauses.items():
        require_line(meaning, f"clause {number}")


def require_line(text: object, what: str) -> None:
    """Require that a text is one line of words."""
    sound = isinstance(text, str) and text.strip() and "\n" not in text
    require(sound, f"{what} is not one line of words, but {text!r}")


def require_distinct(names: Iterable[str], what: str) -> None:
    """Require that names are distinct."""
    listed = list(names)
    twice = sorted({name for name in listed if listed.count(name) > 1})
    require(not twice, f"{what} with the same name: {', '.join(twice)}")


def _check_formats(formats: tuple[Format, ...]) -> None:
    require(formats, "it has no format")
    require(
        formats[0].write, f"the first format, {formats[0].name}, is the game's own and must have a writer"
    )
    require_distinct((item.name for item in formats), "formats")
    for item in formats:
        with place(f"format {item.name!r}"):
            require(re.fullmatch(r"\S+", item.name), "the name has spaces or is empty")
            require_line(item.meaning, "the meaning")
            require(item.extensions, "it has no ending of file names")
            for ending in item.extensions:
                sound = re.fullmatch(r"(\.[^.\s/]+)+", ending) and ending == ending.lower()
                require(sound, f"the ending {ending!r} is not a dot and lower-case characters")


def _check_propositions(propositions: tuple[Proposition, ...]) -> None:
    require_distinct((item.name for item in propositions), "propositions")
    for item in propositions:
        with place(f"proposition {item.name!r}"):
            require(_WORD.fullmatch(item.name), "the name is no word")
            require_line(item.meaning, "the meaning")
            sound = 0 <= item.optional <= len(item.parameters)
            require(sound, f"{item.optional} of {len(item.parameters)} arguments cannot be left out")


def _check_measures(measures: tuple[Measure, ...]) -> None:
    require_distinct([item.name for item in measures] + ["actions"], "measures (every game has actions)")
    for item in measures:
        with place(f"measure {item.name!r}"):
            require(_WORD.fullmatch(item.name), "the name is no word")
            require_line(item.meaning, "the meaning")


def _check_words(look: Look) -> None:
    require(isinstance(look, Look), "look is no Look")
    for name in ("actors_help", "welcome", "prompt", "won", "lost", "completed", "farewell"):
        require_line(getattr(look, name), f"look.{name}")
    for key, action in look.keys.items():
        require_line(key, "a key of look.keys")
        require_line(action, f"look.keys[{key!r}]")

"""Checks of levels: texts in every format, starts, certificates."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.game import Format, Game, one_player
from gridproof.core.immutable import FrozenDict
from gridproof.core.look import Look
from gridproof.core.position import Level
from gridproof.core.registry import game_names, games
from gridproof.core.rng import Rng
from gridproof.core.text import recognition
from gridproof.core.text.level_lookup import pack_names, pack_text
from gridproof.core.text.pack import Pack
from gridproof.testing.conformance.directions import check_directions
from gridproof.testing.conformance.fault import place, raises, require, require_immutable
from gridproof.testing.conformance.steps import MANY, check_outcomes

_TITLE = "A walk in the park"
_AUTHOR = "A. Walker"
_FOREIGN = '\N{SNOWMAN}\t;"<>:0-#@'
_BROKEN_TEXTS = 12


def check_pack(game: Game, pack: Pack) -> None:
    """Check that each format with a writer reads its own texts back."""
    for item in game.formats:
        with place(f"format {item.name!r}"):
            _check_format(game, item, pack)


def _check_format(game: Game, item: Format, pack: Pack) -> None:
    if item.write is None:
        return
    try:
        text = item.write(pack)
    except GridproofError:
        own = item is game.formats[0]
        require(not own, "the game's own format cannot write the levels")
        return  # another format may say that it cannot hold such levels
    require(item.claim(text), "its own text is not recognised")
    require(item.read(text) == pack, "the text of the levels is read as other levels")


def check_claims(game: Game) -> None:
    """Check that no format claims the packs of other games as surely as their own formats do."""
    for other in games():
        for name in () if other.name == game.name else pack_names(other):
            text = pack_text(other, name)
            own = max(item.claim(text) for item in other.formats)
            for item in game.formats:
                claimed = item.claim(text) >= own
                require(not claimed, f"the format {item.name!r} also claims the pack {other.name}/{name}")


def check_level(level: Level, game: Game) -> None:
    """Check a level without actions."""
    require(level.game is game, f"its game is {level.game!r}")
    fixed = isinstance(level.keys, FrozenDict)
    require(fixed, "its keys can be changed: its __post_init__ does not call that of Level")
    _check_actors(level, game)
    hash(level)
    require_immutable(level, "title", "the level")
    _check_text(level, game)
    _check_broken_texts(level, game)
    require(pickle.loads(pickle.dumps(level)) == level, "pickling gives another level")  # noqa: S301  # our own
    if level.certificate is not None:
        with place("certificate"):
            _check_certificate(level)


def _check_actors(level: Level, game: Game) -> None:
    """Check that the look describes the actors, unless they are the default."""
    actors = game.actors(level)
    words = game.look.actors_help
    described = words != Look.actors_help or actors == one_player(level)
    require(described, f"look.actors_help is {words!r}, but the actors are {', '.join(actors)}")


def _check_text(level: Level, game: Game) -> None:
    metadata: dict[str, Any] = {"title": _TITLE, "author": _AUTHOR}
    named = dataclasses.replace(level, **metadata) if dataclasses.is_dataclass(level) else level
    for candidate in (level, named):
        text = candidate.text()
        require(isinstance(text, str) and text.endswith("\n"), "its text does not end with a newline")
        _check_round_trip(text, candidate, game)
        if game.name in game_names():  # the template is not listed
            with place("read without naming the game"):
                _check_round_trip(text, candidate, None)


def _check_round_trip(text: str, level: Level, game: Game | None) -> None:
    found = recognition.read(text, game)
    require(found == [level], f"its text is read as {len(found)} other levels: {text!r}")
    for name in ("title", "author", "keys"):
        kept, wanted = getattr(found[0], name), getattr(level, name)
        require(kept == wanted, f"its text keeps not the {name} {wanted!r}, but {kept!r}")


def _check_broken_texts(level: Level, game: Game) -> None:
    """Check that readers of broken texts raise GridproofError, or return levels."""
    text, rng = level.text(), Rng(len(level.text()))
    for _ in range(_BROKEN_TEXTS):
        cut = rng.below(len(text))
        for broken in (text[:cut], text[:cut] + rng.choice(_FOREIGN) + text[cut + 1 :]):
            with place(f"reading the broken text {broken!r}"):
                raises(GridproofError, lambda broken=broken: recognition.read(broken, game))  # type: ignore[misc]  # mypy infers no type of a lambda with defaults
                raises(GridproofError, lambda broken=broken: level.position(broken))  # type: ignore[misc]  # mypy infers no type of a lambda with defaults


def check_starts(level: Level) -> None:
    """Check the starts of a level."""
    with place("starts"):
        starts = check_outcomes(level.starts(), "starts", MANY)
    for seed in range(3):
        start = level.start(seed)
        require(start == level.start(seed), f"start({seed}) differs from call to call")
        require(start.level == level, f"start({seed}) is a position of another level")
        known = len(starts) > MANY or any(outcome.position == start for outcome in starts)
        require(known, f"start({seed}) is none of its starts")


def _check_certificate(level: Level) -> None:
    trace: Any = level.certificate
    require(trace.level == level, "it is of another level")
    possible = any(outcome.position == trace.start for outcome in level.starts())
    require(possible, "it begins at no start of the level")
    require(trace.replay().won, "it does not win")
    positions = list(trace.positions())
    done = zip(positions, trace.actions, strict=False)
    if all(action in position.actions() for position, action in done):  # nature has no part in it
        check_directions(positions)

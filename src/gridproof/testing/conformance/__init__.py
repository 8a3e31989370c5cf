"""Conformance kit: checks of all that front ends and engines rely on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gridproof.core.game import Game
from gridproof.core.position import Level, Outcome, Position
from gridproof.core.rng import Rng, derive
from gridproof.core.text.level_lookup import builtin_pack, pack_names
from gridproof.core.text.pack import Pack
from gridproof.testing.conformance.directions import check_directions
from gridproof.testing.conformance.extensions import MOST, check_extensions, check_on_levels, check_solvers
from gridproof.testing.conformance.fault import NonConformance, place, require
from gridproof.testing.conformance.levels import check_claims, check_level, check_pack, check_starts
from gridproof.testing.conformance.looks import check_keys, check_look
from gridproof.testing.conformance.metadata import check_metadata
from gridproof.testing.conformance.positions import check_position
from gridproof.testing.conformance.sessions import check_session
from gridproof.testing.conformance.steps import FEW, MANY, check_refusals, check_steps, check_successors

__all__ = ["NonConformance", "check_game"]


def check_game(
    game: Game, *, levels: Iterable[Level] = (), seed: int = 0, walks: int = 1, depth: int = 12
) -> None:
    """Check all that front ends and engines rely on, on every level of the game's packs.

    Parameters
    ----------
    game : Game
        A registered game, such as an installed one.
    levels : iterable of Level
        More levels to check.
    seed : int
        Determines the random walks.
    walks, depth : int
        Number of random walks on each level, and of actions in each.

    Raises
    ------
    NonConformance
        At the first fault, with a sentence that says what is wrong, and where.

    Examples
    --------
    >>> import gridproof as gp
    >>> check_game(gp.game("null"))
    """
    with place(str(game.name)):
        check_metadata(game)
        packs = [*_packs(game), ("more levels", Pack(levels))]
        require(any(pack for _, pack in packs), "there is no level to check: it has no pack")
        check_extensions(game)
        check_claims(game)
        known: dict[str, Any] = {}
        for name, pack in packs:
            with place(name):
                _check_levels(game, pack, known, Rng(derive(seed)), walks, depth)
        check_on_levels(game, [level for _, pack in packs for level in pack])
        with place("look.keys"):
            check_keys(game.look, known)


def _packs(game: Game) -> Iterator[tuple[str, Pack]]:
    for name in pack_names(game):
        with place(f"pack {name}"):
            yield f"pack {name}", builtin_pack(game, name)


def _check_levels(game: Game, pack: Pack, known: dict[str, Any], rng: Rng, walks: int, depth: int) -> None:
    for number, level in enumerate(pack, 1):
        with place(f"level {number}"):
            check_starts(level)
    if pack:
        check_pack(game, pack)
    for number, level in enumerate(pack, 1):
        with place(f"level {number}"):
            check_level(level, game)
            for _ in range(walks):
                _check_walk(level, known, rng, depth)
                check_session(level, rng, depth)
            if number <= MOST:
                check_solvers(level)


def _check_walk(level: Level, known: dict[str, Any], rng: Rng, depth: int) -> None:
    """Check along a random walk; collect its actions in `known` by their texts."""
    done: list[Outcome[Any]] = []
    position = level.start(rng.word())
    path = [position]  # by players' actions
    for _ in range(depth + 1):
        with place(f"position {position.text()!r}"):
            _check_moment(position, known, done, rng)
        actions = position.all_actions()
        if not actions:
            break
        action = rng.choice(actions)
        by_player = action in position.actions()
        done.append(position.step(action, rng))
        position = done[-1].position
        path = [*path, position] if by_player else [position]
    check_directions(path)


def _check_moment(position: Position[Any], known: dict[str, Any], done: list[Outcome[Any]], rng: Rng) -> None:
    game = position.level.game
    check_position(position, game)
    check_steps(position, game, rng, FEW if done else MANY)
    check_successors(position, game, FEW if done else MANY)
    check_refusals(position, known.values())
    check_look(position, game.look, done)
    known.update((str(action), action) for action in position.all_actions())

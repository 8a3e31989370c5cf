"""Calls of kernels of 2048 outside its game kernel, for `gridproof warm` to compile."""

from __future__ import annotations


def _warm_playouts() -> None:
    """Play random games on both kinds of boards of `playouts`."""
    from gridproof.games.twenty48.playouts import playouts
    from gridproof.games.twenty48.rules import Level

    for size in (4, 2):
        playouts(Level(size, size), 1)


def _warm_values() -> None:
    """Compute score and win probability of a small board."""
    from gridproof.core.limit import Limit
    from gridproof.core.proposition import parse_goal
    from gridproof.games.twenty48.rules import Level
    from gridproof.games.twenty48.values import values

    level = Level(2, 2, target=8)
    for wanted in (None, parse_goal(level.game, "won")):
        values([level.start()], wanted, Limit().start(), None)


def _warm_estimates() -> None:
    """Estimate a position of both kinds of boards, near the target, by games that are played out."""
    from gridproof.core.limit import Limit
    from gridproof.games.twenty48.estimate import estimate
    from gridproof.games.twenty48.rules import Level

    for size in (4, 3):
        next(estimate(Level(size, size, target=16).start(), Limit()), None)


def _warm_players() -> None:
    """Look for a move by expectimax, with lines and with the network of the package; make an endgame table."""
    from gridproof.games.twenty48.endgame import EndgameTable
    from gridproof.games.twenty48.expectimax import ExpectimaxPlayer
    from gridproof.games.twenty48.network_player import NetworkPlayer
    from gridproof.games.twenty48.rules import Level

    start = Level().start()
    for player in (ExpectimaxPlayer(start.level.game), NetworkPlayer(start.level.game)):
        player(start)
    EndgameTable(Level(2, 2).start(), 8)


WARM = {
    "random games": _warm_playouts,
    "exact values": _warm_values,
    "estimates": _warm_estimates,
    "players": _warm_players,
}

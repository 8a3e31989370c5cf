"""Robots: robots race home over conveyor belts, knowing little more than hints."""

from gridproof.core.game import Game
from gridproof.core.position import NATURE
from gridproof.games.robots import text
from gridproof.games.robots.board import Kind, Tile
from gridproof.games.robots.clauses import CLAUSES
from gridproof.games.robots.hints import Hint, HintGiven
from gridproof.games.robots.look import LOOK
from gridproof.games.robots.propositions import PROPOSITIONS
from gridproof.games.robots.requests import (
    EXCHANGE,
    Carried,
    Exchange,
    Exchanged,
    Response,
    Robot,
    Rotate,
    Rotated,
    Rule,
    Walk,
    Walked,
    parse_request,
)
from gridproof.games.robots.rules import Level, Position

__all__ = [
    "EXCHANGE",
    "GAME",
    "Carried",
    "Exchange",
    "Exchanged",
    "Hint",
    "HintGiven",
    "Kind",
    "Level",
    "Position",
    "Response",
    "Robot",
    "Rotate",
    "Rotated",
    "Rule",
    "Tile",
    "Walk",
    "Walked",
    "parse_request",
]


def _actors(level: Level) -> tuple[str, ...]:
    """The level's robots in their order (R31), and nature for the exchange (R21)."""
    return (*level.names, NATURE)


GAME = Game(
    name="robots",
    first_pack="races",
    title="Robots",
    meaning="bring a robot home over conveyor belts; the first one home wins",
    package=__name__,
    formats=(text.FORMAT,),
    look=LOOK,
    actors=_actors,
    propositions=PROPOSITIONS,
    clauses=CLAUSES,
)

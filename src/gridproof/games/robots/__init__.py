"""Robots: robots race home over conveyor belts, knowing little more than hints."""

from gridproof.core.game import Game
from gridproof.core.position import NATURE
from gridproof.games.robots import text
from gridproof.games.robots.board import Kind, Tile
from gridproof.games.robots.clauses import CLAUSES, PLANNED
from gridproof.games.robots.designing import canonical, without
from gridproof.games.robots.hints import Hint, HintGiven
from gridproof.games.robots.level import Level, Robot
from gridproof.games.robots.look import LOOK
from gridproof.games.robots.propositions import INVARIANTS, PROPOSITIONS, QUESTIONS, nearest
from gridproof.games.robots.requests import (
    EXCHANGE,
    Carried,
    Exchange,
    Exchanged,
    Response,
    Rotate,
    Rotated,
    Rule,
    Walk,
    Walked,
    parse_request,
)
from gridproof.games.robots.rules import Position

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
    meaning="robots race home over conveyor belts",
    package=__name__,
    formats=(text.FORMAT,),
    look=LOOK,
    actors=_actors,
    acting="the level's robots, and nature for the exchange of tiles",
    propositions=PROPOSITIONS,
    questions=QUESTIONS,
    appraise=nearest,
    invariants=INVARIANTS,
    position=text.position,
    clauses=CLAUSES,
    kernel=f"{__name__}.kernel",
    editor=f"{__name__}.editor",
    generate=f"{__name__}.making",
    planned=PLANNED,
    shows=f"{__name__}.race",
    commands={"watch": f"{__name__}.race"},
    badge=f"{__name__}.badge",
    canonical=canonical,
    without=without,
)

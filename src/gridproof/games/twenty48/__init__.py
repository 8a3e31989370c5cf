"""2048: equal tiles that meet become one; make the target tile, then go on as far as you can."""

from gridproof.core.game import Game, Policy
from gridproof.games.twenty48 import text
from gridproof.games.twenty48.clauses import CLAUSES
from gridproof.games.twenty48.look import LOOK
from gridproof.games.twenty48.propositions import PROPOSITIONS
from gridproof.games.twenty48.rules import Level, Move, Position
from gridproof.games.twenty48.tiles import Merged, Spawned

__all__ = ["GAME", "Level", "Merged", "Move", "Position", "Spawned"]


def _score_key(level: Level) -> str:
    """Boards of one size and rule share a high score (T4)."""
    return f"{level.width}x{level.height} {level.spawn}"


GAME = Game(
    name="twenty48",
    title="2048",
    meaning="slide tiles on a board; equal ones combine, and a new one appears after each move",
    package=__name__,
    formats=(text.FORMAT,),
    look=LOOK,
    first_pack="standard",
    policy=Policy(act_after_win=True, keeps_score=True, score_key=_score_key),  # T11, T7
    propositions=PROPOSITIONS,
    clauses=CLAUSES,
)

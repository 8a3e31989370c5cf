"""2048: equal tiles that meet become one; make the target tile, then go on as far as you can."""

from gridproof.core.game import Game, Policy
from gridproof.games.twenty48 import text
from gridproof.games.twenty48.clauses import CLAUSES
from gridproof.games.twenty48.designing import canonical, without
from gridproof.games.twenty48.look import LOOK
from gridproof.games.twenty48.propositions import INVARIANTS, PROPOSITIONS, QUESTIONS
from gridproof.games.twenty48.rules import Level, Move, Position
from gridproof.games.twenty48.tiles import Merged, Spawned

__all__ = ["GAME", "Level", "Merged", "Move", "Position", "Spawned"]

GAME = Game(
    name="twenty48",
    title="2048",
    meaning="slide tiles on a board; equal ones combine, and a new one appears after each move",
    package=__name__,
    formats=(text.FORMAT,),
    look=LOOK,
    first_pack="standard",
    policy=Policy(act_after_win=True, keeps_score=True),  # T11, T7
    propositions=PROPOSITIONS,
    questions=QUESTIONS,
    invariants=INVARIANTS,
    clauses=CLAUSES,
    kernel=f"{__name__}.kernel",
    editor=f"{__name__}.editor",
    generate=f"{__name__}.making",
    values=f"{__name__}.values",
    shows=f"{__name__}.shows",
    score_key=lambda level: f"{level.width}x{level.height} {level.spawn}",  # T4
    badge=f"{__name__}.badge",
    canonical=canonical,
    without=without,
)

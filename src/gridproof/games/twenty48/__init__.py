"""2048: equal tiles that meet become one; make the target tile, then go on as far as you can."""

from gridproof.core.game import Game, Policy, Proposition
from gridproof.games.twenty48 import text
from gridproof.games.twenty48.look import LOOK
from gridproof.games.twenty48.rules import (
    CLAUSES,
    Level,
    Move,
    Position,
    empty,
    max_tile,
    tile,
    until_tile,
    until_won,
)
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
    propositions=(
        Proposition("won", (), "some tile is the target or more", lambda p: p.won, bound=until_won),
        Proposition("lost", (), "no move is valid (true of some won positions too)", lambda p: p.lost),
        Proposition("empty", (), "how many cells are empty", empty, number=True),
        Proposition("max_tile", (), "the largest tile", max_tile, number=True),
        Proposition("tile", ("value",), "some tile has that value or more", tile, bound=until_tile),
    ),
    clauses=CLAUSES,
    kernel=f"{__name__}.kernel",
    generator=f"{__name__}.generate",
    shows=f"{__name__}.shows",
    score_key=lambda level: f"{level.width}x{level.height} {level.spawn}",  # T4
)

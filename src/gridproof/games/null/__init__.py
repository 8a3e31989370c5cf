"""null: the smallest game that has everything; copy this folder to begin a new one.

A walker on a row of cells wants to reach the flag. It can step left or right, or hop to the right,
which carries it one cell or two, as chance has it.
"""

from gridproof.core.game import Game
from gridproof.games.null.clauses import CLAUSES
from gridproof.games.null.look import LOOK
from gridproof.games.null.propositions import PROPOSITIONS
from gridproof.games.null.rules import Level, Move, Position
from gridproof.games.null.text import TEXT

__all__ = ["GAME", "Level", "Move", "Position"]

GAME = Game(
    name="null",
    title="Null",
    meaning="a walker on a row of cells wants to reach the flag",
    package=__name__,
    formats=(TEXT.format,),
    look=LOOK,
    propositions=PROPOSITIONS,
    clauses=CLAUSES,
    predecessors=Position.predecessors,
)

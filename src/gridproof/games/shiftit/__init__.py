"""shiftit: rows and columns of coloured tiles are shifted until every colour is connected.

`rules` is the meaning; `idp` reads and writes boards and runs as IDP3 structures, and
checks that a structure is a model, and `document` offers the source document's vocabulary.
"""

from gridproof.core.game import Game
from gridproof.games.shiftit import text
from gridproof.games.shiftit.clauses import CLAUSES
from gridproof.games.shiftit.idp import format as idp_format
from gridproof.games.shiftit.look import LOOK
from gridproof.games.shiftit.propositions import PROPOSITIONS
from gridproof.games.shiftit.rules import Level, Move, Position, Shifted, Tile

__all__ = ["GAME", "Level", "Move", "Position", "Shifted", "Tile"]

GAME = Game(
    name="shiftit",
    title="Shift It",
    meaning="shift rows and columns of coloured tiles until every colour is connected",
    package=__name__,
    formats=(text.FORMAT, idp_format.FORMAT),
    look=LOOK,
    propositions=PROPOSITIONS,
    clauses=CLAUSES,
    predecessors=Position.predecessors,
)

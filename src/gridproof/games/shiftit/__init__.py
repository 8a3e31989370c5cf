"""shiftit: rows and columns of coloured tiles are shifted until every colour is connected.

`rules` is the meaning; `structure` reads and writes boards and runs as IDP3 structures, `model`
checks that a structure is a model, and `document` offers the source document's vocabulary.
"""

from gridproof.core.game import Game
from gridproof.games.shiftit import text
from gridproof.games.shiftit.clauses import CLAUSES
from gridproof.games.shiftit.designing import canonical, without
from gridproof.games.shiftit.idp import structure
from gridproof.games.shiftit.look import LOOK
from gridproof.games.shiftit.propositions import PROPOSITIONS, QUESTIONS, joined
from gridproof.games.shiftit.rules import Level, Move, Position, Shifted, Tile
from gridproof.games.shiftit.solver import SOLVERS

__all__ = ["GAME", "Level", "Move", "Position", "Shifted", "Tile"]

GAME = Game(
    name="shiftit",
    title="Shift It",
    meaning="rows and columns of coloured tiles are shifted until every colour is connected",
    package=__name__,
    formats=(text.FORMAT, structure.FORMAT),
    look=LOOK,
    position=text.position,
    propositions=PROPOSITIONS,
    questions=QUESTIONS,
    appraise=joined,
    clauses=CLAUSES,
    predecessors=Position.predecessors,
    kernel=f"{__name__}.kernel",
    editor=f"{__name__}.editor",
    generate=f"{__name__}.making",
    solvers=SOLVERS,
    commands={
        "model": f"{__name__}.idp.model",
        "claims": f"{__name__}.claims.commands",
        "runs": f"{__name__}.claims.commands",
        "properties": f"{__name__}.claims.commands",
    },
    exports={"fodot": f"{__name__}.claims.fodot"},
    badge=f"{__name__}.badge",
    canonical=canonical,
    without=without,
)

"""Extended Sokoban: push every box onto a depot, with bombs that delete rows and columns of walls."""

from gridproof.core.game import Game, Policy
from gridproof.games.sokoban.clauses import CLAUSES
from gridproof.games.sokoban.formats import slc, xsb
from gridproof.games.sokoban.look import LOOK
from gridproof.games.sokoban.propositions import MEASURES, PROPOSITIONS
from gridproof.games.sokoban.rules import Action, Bombed, Level, Position, Pushed, Stepped

__all__ = ["GAME", "Action", "Bombed", "Level", "Position", "Pushed", "Stepped"]

GAME = Game(
    name="sokoban",
    title="Extended Sokoban",
    meaning="push every box onto a depot; bombs delete the walls of a row and a column",
    package=__name__,
    formats=(xsb.FORMAT, slc.FORMAT),
    look=LOOK,
    first_pack="first-steps",
    policy=Policy(next_level_after_win=True, undo_after_win=False),  # K16, K17
    propositions=PROPOSITIONS,
    measures=MEASURES,
    clauses=CLAUSES,
    predecessors=Position.predecessors,
)

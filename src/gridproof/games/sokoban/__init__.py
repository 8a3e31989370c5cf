"""Extended Sokoban: push every box onto a depot, with bombs that delete rows and columns of walls."""

from gridproof.core.game import Game, Policy
from gridproof.games.sokoban.clauses import CLAUSES
from gridproof.games.sokoban.designing import canonical, deed, without
from gridproof.games.sokoban.formats import lurd, slc, xsb
from gridproof.games.sokoban.look import LOOK
from gridproof.games.sokoban.propositions import INVARIANTS, MEASURES, PROPOSITIONS, QUESTIONS
from gridproof.games.sokoban.rules import Action, Bombed, Level, Position, Pushed, Stepped
from gridproof.games.sokoban.solver import SOLVERS

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
    invariants=INVARIANTS,
    questions=QUESTIONS,
    measures=MEASURES,
    clauses=CLAUSES,
    kernel=f"{__name__}.kernel",
    editor=f"{__name__}.editor",
    solvers=SOLVERS,
    generate=f"{__name__}.making",
    predecessors=Position.predecessors,
    certificates={"pushes": f"{__name__}.certificate"},
    split_actions=lurd.split_actions,  # K22
    join_actions=lurd.write_solution,
    badge=f"{__name__}.badge",
    canonical=canonical,
    deed=deed,
    without=without,
)

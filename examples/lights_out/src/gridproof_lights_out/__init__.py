"""Lights out: pressing a lamp switches it and its neighbours; all lamps must go dark."""

from gridproof.core.game import Game, Proposition
from gridproof_lights_out.look import LOOK
from gridproof_lights_out.rules import CLAUSES, Level, Position, Press, dark_positions, lit, on, won
from gridproof_lights_out.text import TEXT

__all__ = ["GAME", "Level", "Position", "Press"]

GAME = Game(
    name="lights_out",
    title="Lights out",
    meaning="pressing a lamp switches it and its neighbours; all lamps must go dark",
    package=__name__,
    formats=(TEXT.format,),
    look=LOOK,
    propositions=(
        Proposition("won", (), "all lamps are dark", won, where=dark_positions),
        Proposition("lit", (), "how many lamps are lit", lit, number=True),
        Proposition("on", ("x", "y"), "the lamp in column x and row y, from 0, is lit", on),
    ),
    clauses=CLAUSES,
    predecessors=Position.predecessors,  # solutions are searched for from both ends
)

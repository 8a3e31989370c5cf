"""Formulas that the rules of Robots promise, and formulas to begin with."""

from __future__ import annotations

from gridproof.prove.game_formulas import GameFormulas

FORMULAS = GameFormulas(
    invariants={"R8": "AG valid"},
    questions={
        "<<a>> F won(a)": "can a get home first, whatever the others do?",
        "AG EF won": "can a robot always still reach its home?",
        "E[!won(b) U won(a)]": "can a get home before b?",
    },
)

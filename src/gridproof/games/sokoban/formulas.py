"""Formulas that the rules of Sokoban guarantee, and formulas to begin with."""

from __future__ import annotations

from gridproof.prove.game_formulas import GameFormulas

FORMULAS = GameFormulas(
    invariants={"K3": "AG valid", "K10": "G ([bomb] -> X !won)"},
    questions={
        "EF (won & bombs > 0)": "can it be won with a bomb to spare?",
        "AG (placed > 0 -> EF won)": "is a box on a depot never a mistake?",
        "G (won -> Y O [left])": "does every way to the win go to the left at some time?",
    },
)

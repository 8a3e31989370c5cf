"""Example formulas about Shift It."""

from __future__ import annotations

from gridproof.prove.game_formulas import GameFormulas

FORMULAS = GameFormulas(
    questions={
        "EF (won & near)": "is there a win with every tile at its start or next to it?",
        "E[near U won]": "can it be won without taking a tile far from its start?",
        "AG (!ended -> EF home)": "can the start always be reached again?",
    },
)

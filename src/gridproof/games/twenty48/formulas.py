"""Invariants of 2048, and example formulas."""

from __future__ import annotations

from gridproof.prove.game_formulas import GameFormulas

FORMULAS = GameFormulas(
    invariants={"T3": "AG valid"},
    questions={
        "EF tile(16)": "can a 16 be made?",
        "EF (lost & !tile(16))": "can the game be lost before a 16 is made, and how?",
        "AG (empty > 1 -> EX true)": "is a move always possible while two cells are empty?",
    },
)

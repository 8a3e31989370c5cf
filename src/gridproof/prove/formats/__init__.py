"""Models, formulas and automata in the formats of other model checkers."""

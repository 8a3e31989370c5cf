"""Clauses of the rules of null, a line each."""

CLAUSES = {
    "N1": "A level is a row of at least two cells, a start and a flag, both in the row, on different cells.",
    "N2": "A step left or right is executable when it stays in the row.",
    "N3": "A hop goes one cell or two to the right, each as likely; it is executable when both stay in the row.",
    "N4": "The game is won when the walker stands on the flag; then no action is executable.",
}  # fmt: skip

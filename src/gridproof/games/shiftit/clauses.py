"""The clauses of Shift It, a line each; where they are realised their numbers stand beside the code."""

from __future__ import annotations

CLAUSES = {
    "S1": "The board is rectangular, x grows to the right and y upwards, both finite intervals; at the start exactly one tile lies on each position.",
    "S2": "A tile has four sides, up, right, down, left, cut by its diagonals; each has one colour.",
    "S3": "A tile's colour colours its four sides, but for a side that is given its own; a side with neither is an error that names it.",
    "S4": "Some tiles are locked.",
    "S5": "RM(y, left/right) shifts a row, CM(x, up/down) a column by one; the tile that leaves the board enters on the other end.",
    "S6": "A line that contains a locked tile cannot move; RM goes left or right, CM up or down, nothing else is a move.",
    "S7": "While the game has not ended and a valid move exists, exactly one move is made at each time.",
    "S8": "On a board of width 1 a row move, at height 1 a column move, is valid and changes nothing.",
    "S9": "Sides that share an edge are adjacent: neighbours round a tile's centre, and sides that face each other across a border of two positions, never round the edge of the board.",
    "S10": "Adjacent sides of the same colour are connected; connection is the reflexive and transitive closure.",
    "S11": "Ref(c) is the largest side of colour c by its tile's y and x at the start, then down < left < right < up; undefined for a colour that does not occur.",
    "S12": "Reach(t, s, c): at time t side s is connected with Ref(c).",
    "S13": "Won(t): at t or before, every side of each colour is reached.",
    "S14": "GameEnded(t): Won(t), or no valid move exists, or the game ended before.",
    "S15": "Once the game has ended the tiles stay where they are and there are no moves.",
    "S16": "A structure gives Time = {0..T} and the board; a run gives the rest. MoveAt(t) is defined exactly when t < T and the game has not ended.",
    "S17": "The names of the vocabulary keep their arities and types wherever a structure is read or written; symbols may be added, types may not.",
    "S18": "A given structure can be checked to be a model; if it is none, the first violated clause is named with its time and its tile or side.",
    "S19": "Claim 1: some run wins.",
    "S20": "Claim 2: in every run, if the game has not ended at the start and has ended at t, it is won at t.",
    "S21": "Claim 3: when the game is won, as many sides are reached under each colour as at any time of any run.",
    "S22": "Claim 4: some run wins and separates no two connected sides on the way.",
    "S23": "Claim 5: some run wins with every tile at its start or next to it, without wrap-around.",
    "S24": "Claim 6: a column move followed at once by its opposite gives back the board.",
    "S25": "The game as a transition system whose events are the moves with their guards, without a bound on time.",
    "S26": "A picture of a run: coloured sides, screws on locked tiles, an arrow beside the line about to move.",
    "S27": "The specification in logic: vocabulary, theory and verifications, as an answer-set program and as an FO(.) theory.",
}  # fmt: skip

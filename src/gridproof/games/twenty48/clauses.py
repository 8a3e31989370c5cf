"""The clauses of the rules of 2048, a line each."""

CLAUSES = {
    "T1": "A board has 2 to 6 rows and columns (4 by default); a cell is empty (0) or holds 2, 4, 8, ...; the target is a power of two, at least 8 (2048 by default).",
    "T2": "The state: board, score, high score, the set of empty cells, won, lost.",
    "T3": "After every operation at least two cells hold a tile, and 0 <= score <= high score.",
    "T4": "All boards of the same size and spawn rule share one high score; it survives a reset, and for a person's games the process.",
    "T5": "At the start two different cells, chosen uniformly, get two 2s (9 of 10 times) or a 2 and a 4; the score is 0.",
    "T6": "Tiles slide as far as they can; equal tiles that meet combine, first at the edge they move towards, and a tile just made does not combine again.",
    "T7": "Each combination adds the new tile's value to the score; the high score follows.",
    "T8": "A move is valid when some tile can slide or combine, that is when it changes the board.",
    "T9": "A move that changes nothing is invalid: nothing happens and no tile appears.",
    "T10": "After a valid move a uniformly chosen empty cell gets a 2; under the rule `classic` a 4 one time in ten, and the two tiles of the start likewise.",
    "T11": "Won: a combination has made the target or more, until reset or set_board; the player may go on. Lost: no move is valid. Both can be true.",
    "T12": "set_board takes rows of the board's size holding at least two tiles, else a ValueError; scores stay, the rest is recomputed.",
    "T13": "reset starts a new game on the same object, with a seed derived from the one before.",
    "T14": "Several boards exist independently, but for the high score.",
    "T15": "The view: welcome, board, prompt, score, high score, winning and losing messages with what can be chosen then, farewell.",
    "T16": "The model does not know the view; the view has no state and reads the model through its access routines.",
    "T17": "For analysis a state is a board after the spawn, an action a valid direction, its outcomes the spawns; the score is no part of it.",
    "T18": "A seed determines every random choice; the n-th action's chance depends on the seed and n alone.",
}  # fmt: skip

"""The clauses of extended Sokoban in one line each."""

CLAUSES = {
    "K1": "A cell is a pair (x, y) of whole numbers from 0; x grows to the right, y downwards.",
    "K2": "A level has one player, a number of bombs, and sets of boxes, depots and walls.",
    "K3": "A valid level has a box, as many boxes as depots, the player on neither box nor wall, "
    "and no wall on a box or depot; all defects are reported.",
    "K4": "The grid is the rectangle of the text's rows, or as large as the sets need; nothing leaves it.",
    "K5": "A cell is free when it is inside the grid and holds neither wall nor box.",
    "K6": "A step needs a free cell, or a box with a free cell behind it, which then moves along by one.",
    "K7": "A bomb can be set off while one is left.",
    "K8": "A bomb deletes every wall in the player's row and column; all else stays, and one bomb is gone.",
    "K9": "A level is completed when the boxes stand exactly on the depots.",
    "K10": "A bomb never completes a level.",
    "K11": "The history holds every state since the start, the newest first.",
    "K12": "Undo brings a whole earlier state back, walls and bombs too; out of range it changes nothing.",
    "K13": "Redo does undone actions again, until another action is done.",
    "K14": "A game has at least one level; they keep their order and the first is current.",
    "K15": "One acts only while the current level is not completed.",
    "K16": "A completed level makes the next incomplete one current, around the end; one completed from the start is passed over.",
    "K17": "With no level incomplete the game is won: the last completed stays current, nothing can be done or undone.",
    "K18": "Undo acts on the current level alone.",
    "K19": "Player, bombs, boxes, depots, walls and history can be seen; current, completed and incomplete levels too.",
    "K20": "Levels are equal when their contents and grids are; in a game they are told apart by their place.",
    "K21": "XSB and .slc are read and written without loss, with run lengths, keys, comments and bombs.",
    "K22": "Solutions are LURD with `!` for bombs, in any case; moves, pushes and bombs are counted.",
}

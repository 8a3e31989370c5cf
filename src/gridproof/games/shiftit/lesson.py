"""A first lesson in Shift It: rows, columns, connection, locked tiles."""

from __future__ import annotations

from gridproof.core.lesson import Example, Lesson, LessonStep

_EXAMPLES = (
    Example(
        name="goal",
        title="One region for each colour",
        text="You win when all sides of a colour are connected, for every colour on the board.",
        level="shiftit 3x2\nb b r\nr r b\n",
        actions=("CM(2,up)",),
    ),
    Example(
        name="rows",
        title="Rows shift",
        text="Shift a row to the left or to the right by one. The tile that leaves at one end comes in at the other.",
        level="shiftit 3x2\nr g b\ny y r\n",
        actions=("RM(1,right)", "RM(1,right)"),
    ),
    Example(
        name="columns",
        title="Columns shift",
        text="Columns go up and down in the same way.",
        level="shiftit 2x3\nr y\ng y\nb r\n",
        actions=("CM(0,down)", "CM(0,down)"),
    ),
    Example(
        name="connection",
        title="Sides touch at edges",
        text=(
            "A tile has four sides, each of one colour. Two sides of the same colour connect if they lie next to each other in "
            "their tile, or face each other across the edge of two tiles. Tiles do not connect at corners or round the rim."
        ),
        level="shiftit 2x2\nbrrb rryy\nggrr roor\n",
        actions=("RM(0,left)", "CM(1,up)"),
    ),
    Example(
        name="locked",
        title="Locked tiles hold a line",
        text="A tile with screws is locked. Its row and its column cannot move; all others can.",
        level="shiftit 3x2\nb b* r\nr r b\n",
        actions=("CM(0,up)", "CM(0,up)", "CM(2,up)"),
    ),
    Example(
        name="end",
        title="The end",
        text="Nothing is ever lost: each shift can be shifted back. The game ends with the win, or at once if every line is locked.",
        level="shiftit 2x2\nb r\nr b\n",
        actions=("RM(0,left)",),
    ),
)

_STEPS = (
    LessonStep(
        task="Shift the bottom row by an arrow at its end, so that each colour is connected.",
        level="shiftit 3x3\nb r g\nb r g\nr g b\n",
        within=1,
        solution=("RM(0,right)",),
        praise="The whole row went one place, and the tile that left came in at the other end.",
        lost="That tears the colours apart. Undo it, and shift the bottom row the other way.",
    ),
    LessonStep(
        task="Now shift one column, so that each colour is connected.",
        level="shiftit 3x2\nb b r\nr r b\n",
        within=1,
        solution=("CM(2,up)",),
        praise="Rows and columns: there is nothing else to shift.",
        lost="That leaves a colour in two parts. Undo it, and look at the last column.",
    ),
    LessonStep(
        task="Bring the red tiles to one side: shift both rows the same way.",
        level="shiftit 3x2\nb r b\nb r b\n",
        within=2,
        solution=("RM(0,left)", "RM(1,left)"),
        praise="Lines wrap, but colours do not connect round the rim: that is why it was not won before.",
        lost="The blue tiles are still apart. Undo it.",
    ),
    LessonStep(
        task="Corners do not connect: make two whole regions with one shift.",
        level="shiftit 2x2\ng y\ny g\n",
        within=1,
        solution=("RM(0,left)",),
        praise="Two tiles that touched at a corner now share an edge.",
    ),
    LessonStep(
        task="The tile with screws is locked, and holds its row and its column. Win all the same.",
        level="shiftit 3x2\nb b* r\nr r b\n",
        within=1,
        solution=("CM(2,up)",),
        praise="Locked tiles do not move, so plan round them.",
        lost="There is a quicker way: one column is enough. Undo it.",
    ),
    LessonStep(
        task="Each side has a colour of its own: two shifts make every colour whole.",
        level="shiftit 2x2\nbyyb rrbb\nbboo gbbg\n",
        within=2,
        solution=("RM(0,right)", "CM(0,up)"),
        praise="Look for the colour that needs to meet at the middle of the board, and start there.",
        lost="Two shifts are enough, and this was another way. Undo it.",
    ),
    LessonStep(
        task="A whole puzzle: take as many shifts as you like.",
        level="shiftit 2x2\ngyyg ggoo\nbbgg rggr\n",
        solution=("RM(0,right)", "RM(1,right)", "CM(1,up)"),
        praise="Three shifts are the fewest. Now you know all the rules.",
    ),
)

LESSON = Lesson(examples=_EXAMPLES, steps=_STEPS)

"""A first lesson in Sokoban: pushing, corners, bombs."""

from __future__ import annotations

from gridproof.core.lesson import Example, Lesson, LessonStep

_EXAMPLES = (
    Example(
        name="pushing",
        title="Push, never pull",
        text="You walk up, down, left and right. Walk into a box and it moves along by one cell.",
        level="#######\n#@ $ .#\n#######\n",
        actions=("right", "right", "right"),
    ),
    Example(
        name="goal",
        title="Every box on a depot",
        text="The level is won when every box stands on a depot. Any box may go to any depot.",
        level="######\n#@$. #\n# $. #\n#    #\n######\n",
        actions=("right", "left", "down", "right"),
    ),
    Example(
        name="one-box",
        title="One box at a time",
        text="A box moves only if the cell beyond it is free: no wall, no second box. Go round and push from another side.",
        level="#######\n#     #\n#@$$ .#\n#    .#\n#######\n",
        actions=("up", "right", "down"),
    ),
    Example(
        name="corners",
        title="Corners keep boxes",
        text="You cannot pull. A box in a corner without a depot never comes out again, and the level is lost. Undo takes any move back.",
        level="######\n#   .#\n# $@ #\n######\n",
        actions=("left",),
    ),
    Example(
        name="bombs",
        title="Bombs clear your row and your column",
        text=(
            "Some levels give you bombs. A bomb deletes every wall in your row and in your column, right across the board. "
            "Boxes, depots and you stay where you are."
        ),
        level="#########\n#   #   #\n#@$ # . #\n#   #   #\n#########\nBombs: 1\n",
        actions=("bomb", "right", "right", "right", "right"),
        counts=("bombs left",),
    ),
    Example(
        name="edge",
        title="The edge holds",
        text="A bomb may remove the outer wall, too. Nobody and nothing leaves the board all the same.",
        level="#####\n#@$.#\n#####\nBombs: 1\n",
        actions=("bomb", "left", "right", "right"),
    ),
)

_STEPS = (
    LessonStep(
        task="Push the box onto the depot: walk into it from the left.",
        level="########\n#@  $ .#\n########\n",
        solution=("right",) * 4,
        praise="That is all there is to pushing: the box goes where you go.",
    ),
    LessonStep(
        task="Now it has to go up: walk round the box and push from below.",
        level="#######\n#  .  #\n#     #\n# @$  #\n#     #\n#######\n",
        solution=("down", "right", "up", "up"),
        praise="Think first of where you must stand, then of where the box goes.",
        lost="From this wall the box cannot come back. Take the move back.",
    ),
    LessonStep(
        task="Two boxes in a row do not move: bring both onto the depots.",
        level="#######\n#  .  #\n#     #\n#@$$ .#\n#     #\n#######\n",
        solution=(
            *("down", "right", "right", "up", "up"),
            *("left", "left", "down", "right", "right", "right"),
        ),
        praise="You move one box at a time, and any box may take any depot.",
        lost="One of the boxes can reach no depot any more. Take the move back.",
    ),
    LessonStep(
        task="Mind the corners: bring the box to the depot, and never into a corner without one.",
        level="######\n#   .#\n# $  #\n#@   #\n######\n",
        solution=("up", "right", "right", "down", "right", "up"),
        praise="Before you push towards a wall, look whether a depot waits there.",
        lost="The box is stuck at a wall, and no depot is there. Take the move back.",
    ),
    LessonStep(
        task="A wall is in the way. You have one bomb: set it off.",
        level="#######\n#  #  #\n#@$#. #\n#  #  #\n#######\nBombs: 1\n",
        action="bomb",
        solution=("bomb",),
        praise="Every wall of your row and of your column is gone, also far away.",
    ),
    LessonStep(
        task="Choose the place: the bomb must open the wall between the box and the depot.",
        level="########\n#@  #  #\n#   #  #\n# $ # .#\n#   #  #\n########\nBombs: 1\n",
        solution=("down", "down", "bomb", "right", "right", "right", "right"),
        praise="The bomb cleared the row in which you stood; the box did not mind.",
        lost="The wall is still between the box and the depot, and the bomb is used. Take the move back.",
    ),
)

LESSON = Lesson(examples=_EXAMPLES, steps=_STEPS)

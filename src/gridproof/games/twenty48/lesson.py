"""A first lesson in 2048: sliding, merging, new tiles, the target."""

from __future__ import annotations

from gridproof.core.lesson import Example, Lesson, LessonStep

_FREE = "Take the move back and try another direction."

_EXAMPLES = (
    Example(
        name="sliding",
        title="All tiles slide",
        text="Choose a direction. Every tile slides that way as far as it can.",
        level="2048 4x4 spawn=spec target=2048\n2 0 0 0\n0 0 4 0\n0 8 0 0\n0 0 0 0\n",
        actions=("right", "left"),
    ),
    Example(
        name="merging",
        title="Equal tiles merge",
        text="Two equal tiles that meet become one of twice the value. Its value is added to your score.",
        level="2048 4x4 spawn=spec target=2048\n4 0 0 4\n0 0 0 0\n8 8 0 0\n0 0 0 0\n",
        actions=("left",),
    ),
    Example(
        name="once",
        title="Once in a move",
        text="Pairs merge beginning at the edge that the tiles move to. A tile that was just made does not merge again in this move.",
        level="2048 4x4 spawn=spec target=2048\n2 2 2 0\n4 4 8 0\n2 2 2 2\n0 0 0 0\n",
        actions=("right",),
        seed=1,
    ),
    Example(
        name="new-tiles",
        title="A new tile after each move",
        text=(
            "After your move a 2 appears in an empty cell, each equally likely. By the classic rule one in ten is a 4. "
            "A move that changes nothing does not count."
        ),
        level="2048 4x4 spawn=spec target=2048\n2 0 0 0\n4 0 0 0\n0 0 0 0\n0 0 0 0\n",
        actions=("right", "up", "left"),
    ),
    Example(
        name="target",
        title="The target wins",
        text="You win when a merge makes the target tile, usually 2048. You may play on for a higher score.",
        level="2048 4x4 spawn=spec target=2048\n1024 1024 8 2\n16 32 4 0\n2 4 0 0\n0 0 0 0\n",
        actions=("left",),
        counts=("target",),
    ),
    Example(
        name="end",
        title="No move, no game",
        text="The game ends when no direction changes anything: the board is full, and no two equal tiles are neighbours.",
        level="2048 4x4 spawn=spec target=2048\n2 4 8 16\n32 64 128 256\n8 16 4 8\n4 2 64 64\n",
        actions=("right",),
    ),
)

_STEPS = (
    LessonStep(
        task="Slide both tiles to the right edge.",
        level="2048 4x4 spawn=spec target=2048\n2 0 0 0\n0 4 0 0\n0 0 0 0\n0 0 0 0\n",
        action="right",
        within=1,
        solution=("right",),
        praise="Every tile went as far as it could. And did you see the new 2?",
        lost="That was another direction. Take the move back.",
    ),
    LessonStep(
        task="Merge the two 4s in one move.",
        level="2048 4x4 spawn=spec target=8\n0 4 0 0\n0 0 0 0\n0 4 0 0\n0 0 0 0\n",
        goal="tile(8)",
        within=1,
        solution=("up",),
        praise="Two equal tiles became one of twice the value, and you scored 8 points.",
        lost="They do not meet that way: they stand in one column. Take the move back.",
    ),
    LessonStep(
        task="Three 4s stand in a row: make the 8 at the left edge.",
        level="2048 4x4 spawn=spec target=8\n4 4 4 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n",
        action="left",
        within=1,
        solution=("left",),
        praise="Pairs merge from the edge that the tiles move to, so the third 4 stayed alone.",
        lost="The pair at the other edge merged. Take the move back and slide to the left.",
    ),
    LessonStep(
        task="Make a 16: it takes two moves, since a new tile does not merge again at once.",
        level="2048 4x4 spawn=spec target=16\n4 4 8 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n",
        within=3,
        solution=("left", "left"),
        praise="First 4 and 4, then 8 and 8: large tiles are made in steps.",
        lost=_FREE,
    ),
    LessonStep(
        task="After each move a 2 appears in an empty cell: move until four tiles are on the board.",
        level="2048 3x3 spawn=spec target=64\n0 0 0\n0 8 0\n0 0 16\n",
        goal="empty = 5",
        solution=("up", "left"),
        praise="New tiles come where there is room: keep your large tiles out of their way.",
        lost=_FREE,
    ),
    LessonStep(
        task="Only one direction changes anything here: move that way.",
        level="2048 4x4 spawn=spec target=2048\n2 4 8 16\n32 64 128 256\n2 4 8 16\n0 0 0 0\n",
        action="down",
        solution=("down",),
        praise="A move that changes nothing is no move, and brings no tile. Without any move the game is over.",
    ),
    LessonStep(
        task="Win: make the 2048.",
        level="2048 4x4 spawn=spec target=2048\n1024 512 256 256\n2 8 4 16\n0 2 0 2\n0 0 0 0\n",
        solution=("left", "left", "left"),
        praise="A chain of halves beside each other folds up in a few moves: that is the art of the game.",
        lost=_FREE,
    ),
)

LESSON = Lesson(examples=_EXAMPLES, steps=_STEPS)

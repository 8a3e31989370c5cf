"""A first lesson in lights out."""

from gridproof.core.lesson import Example, Lesson, LessonStep

LESSON = Lesson(
    examples=(
        Example(
            name="pressing",
            title="A press switches five lamps",
            text="Press a lamp: it switches, and so do its neighbours above, below, left and right.",
            level="lights:\n...\n...\n..O\n",
            actions=("press(1,1)", "press(1,1)"),
        ),
        Example(
            name="goal",
            title="All dark",
            text="You win when no lamp is lit. The order of your presses does not matter.",
            level="lights:\nOO.\nO..\n...\n",
            actions=("press(0,0)",),
        ),
    ),
    steps=(
        LessonStep(
            task="Press the lamp in the middle of the cross.",
            level="lights:\n.O.\nOOO\n.O.\n",
            within=1,
            solution=("press(1,1)",),
            praise="One press switched five lamps.",
        ),
        LessonStep(
            task="Two presses make it dark: the lamps between them switch twice.",
            level="lights:\nO..O\n.OO.\n",
            within=2,
            solution=("press(1,0)", "press(2,0)"),
            praise="A lamp that is switched twice is as it was.",
        ),
    ),
)

"""A first lesson in Robots: walking, turning, belts, wrecks, hints, exchanges, the race."""

from __future__ import annotations

from gridproof.core.lesson import Example, Lesson, LessonStep

_ROBOTS = "a: rule=A rotation=0\nb: rule=B rotation=0\nboard:\n"

_EXAMPLES = (
    Example(
        name="race",
        title="First one home",
        text="Every robot has a home in its own colour. The first robot to reach its home wins, and the others explode.",
        level=f"robots 4x2\n{_ROBOTS}a . . A\nb . . B\n",
        actions=("a:walk(1,0)", "b:walk(2,0)", "b:walk(1,0)"),
    ),
    Example(
        name="stepping",
        title="Some robots step",
        text="Some robots step in all directions: one cell ahead, back, or to a side. They never turn. The text beside the board says which these are.",
        level=f"robots 4x3\n{_ROBOTS}a . . .\n. . . A\nb . . B\n",
        actions=("a:walk(1,0)", "a:walk(0,1)", "a:walk(1,0)", "a:walk(1,0)"),
    ),
    Example(
        name="turning",
        title="Some walk and turn",
        text="Others walk and turn: one, two or three cells straight ahead. To go elsewhere, they turn first.",
        level=f"robots 4x4\n{_ROBOTS}b . . .\n. . . .\n. . . a\nA . . B\n",
        actions=("b:walk(3,0)", "b:rotate(90)"),
    ),
    Example(
        name="belts",
        title="Belts carry",
        text="A robot that steps onto a belt is carried to its end at once. If the belt is blocked, the robot waits there, and goes on when the way is free.",
        level=f"robots 5x3\n{_ROBOTS}a > > v .\n. . . v A\nb . . . B\n",
        actions=("a:walk(1,0)",),
    ),
    Example(
        name="wrecks",
        title="Nobody passes a wreck",
        text=(
            "Nothing may stand on a wreck, and no robot walks through another one. The board refuses such requests, and nothing changes. "
            "It also refuses a walk after which some robot could not reach its home: nobody closes another's last way."
        ),
        level=f"robots 4x3\n{_ROBOTS}a . # A\n. . . .\nb . . B\n",
        actions=("a:walk(1,0)", "a:walk(0,1)", "a:walk(1,0)", "a:walk(1,0)"),
    ),
    Example(
        name="hints",
        title="Question marks whisper",
        text=(
            "A robot that ends its own walk on a question mark hears in which direction its home is. "
            "Robots know nothing else. Being carried makes them forget."
        ),
        level=f"robots 4x3\n{_ROBOTS}a ? . .\n. . . A\nb . . B\n",
        actions=("a:walk(1,0)",),
        counts=("heard by",),
    ),
    Example(
        name="exchanges",
        title="Tiles change places",
        text=(
            "Anybody may ask for an exchange: chance swaps two tiles, never homes or question marks. Robots ride along, "
            "and a belt that moves may turn. Every home stays within reach."
        ),
        level=f"robots 4x3\n{_ROBOTS}a > . A\n. # . .\nb . v B\n",
        actions=("exchange", "exchange"),
    ),
)

_STEPS = (
    LessonStep(
        task="Bring robot a home: it steps one cell at a time, and never turns.",
        level=f"robots 5x3\n{_ROBOTS}a . . A .\n. . . . .\nb . . . B\n",
        actors=("a",),
        goal="won(a)",
        solution=("a:walk(1,0)",) * 3,
        praise="Home first: a has won, and b explodes.",
    ),
    LessonStep(
        task="Robot b looks to the right. Turn it so that it faces down, then let it walk three cells at once.",
        level=f"robots 4x4\n{_ROBOTS}b . . .\n. . . .\n. . . .\nB . a A\n",
        actors=("b",),
        goal="won(b)",
        within=2,
        solution=("b:rotate(90)", "b:walk(3,0)"),
        praise="A robot that turns goes only where it looks, but up to three cells at once.",
        lost="Two requests are enough: one turn to its right, one walk of three cells. Take it back.",
    ),
    LessonStep(
        task="Take the belt: bring a home in two steps.",
        level=f"robots 6x3\n{_ROBOTS}a > > > . A\n. . . . . .\nb . . . . B\n",
        actors=("a",),
        goal="won(a)",
        within=2,
        solution=("a:walk(1,0)", "a:walk(1,0)"),
        praise="One step onto the belt, and it carried a to its end.",
        lost="On foot it takes too long. Take it back, and step onto the belt.",
    ),
    LessonStep(
        task="Two wrecks block the way home: go round them, by the belt.",
        level=f"robots 4x3\n{_ROBOTS}A . . b\n# # ^ .\na . ^ B\n",
        actors=("a",),
        goal="won(a)",
        solution=("a:walk(1,0)", "a:walk(1,0)", "a:walk(-1,0)", "a:walk(-1,0)"),
        praise="You may step onto a belt from any side; then its arrows decide.",
    ),
    LessonStep(
        task="Robots do not see the board. Walk onto the question mark, and hear where home is.",
        level=f"robots 5x3\n{_ROBOTS}a . . . .\n. . ? . .\nb . . B A\n",
        actors=("a",),
        goal="at(a,2,1)",
        solution=("a:walk(1,0)", "a:walk(1,0)", "a:walk(0,1)"),
        praise="A whisper gives the direction of home, not how far it is.",
    ),
    LessonStep(
        task="Ask for an exchange: two tiles change places, and chance chooses them.",
        level=f"robots 4x3\n{_ROBOTS}a > . A\n. # . .\nb . v B\n",
        actors=("nature",),
        action="exchange",
        solution=("exchange",),
        praise="Robots on such tiles ride along, and belts may turn. No home is ever cut off.",
    ),
    LessonStep(
        task="You move both. Robot a stands in the way of b: bring b home with three requests.",
        level=f"robots 5x3\n{_ROBOTS}b . a . B\n. # . # .\n. . . . A\n",
        actors=("a", "b"),
        goal="won(b)",
        within=3,
        solution=("a:walk(0,1)", "b:walk(3,0)", "b:walk(1,0)"),
        praise="That is a race: others are in your way, and sometimes they step aside.",
        lost="That does not bring b home with three requests. Take it back.",
    ),
)

_PLAY = (
    "There are no turns: each robot may ask at any time. The board answers yes, or no with the reason; then nothing changes. "
    "A robot wins when it walks onto its home, or when a belt carries it there.",
    "You can move all robots, or race: the button Race gives each robot a player. Programs ask once after each of your "
    "requests, and wait on the next level until you have begun. The button Share invites somebody else to play one of the "
    "robots in another browser.",
)

LESSON = Lesson(examples=_EXAMPLES, steps=_STEPS, play=_PLAY)

"""What a new level shall be like, and how near one comes to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.generate import check_whole, check_wished, difficulty_missed
from gridproof.games.sokoban.making.proving import Proof
from gridproof.games.sokoban.rules import Level

SMALLEST, LARGEST, LARGEST_WITH_BOMBS = 3, 50, 20
MOST_BOXES, MOST_BOMBS = 50, 9
_LONG = 40  # pushes that are enough for any level


class Wish(NamedTuple):
    """What the level shall be like."""

    width: int
    height: int
    boxes: int
    bombs: int
    difficulty: int | None

    @property
    def least_floor(self) -> int:
        """Cells of floor that boxes need to be moved about."""
        return min((self.width - 2) * (self.height - 2), 3 * self.boxes + 3)

    def enough(self, done: float) -> float:
        """What badness is good enough when so much of the work is done, from 0 to 1: less and less is asked for."""
        return done if self.difficulty is None else 0.0


class Made(NamedTuple):
    """A level with its proof."""

    level: Level
    proof: Proof
    needed: int
    """How many bombs are needed: it is proved that one fewer does not suffice."""


def checked(wish: Wish) -> Wish:
    """The wish, when it is within bounds; GridproofError when it is not."""
    largest = LARGEST_WITH_BOMBS if wish.bombs else LARGEST
    check_whole("width", wish.width, SMALLEST, largest)
    check_whole("height", wish.height, SMALLEST, largest)
    check_whole("bombs", wish.bombs, 0, MOST_BOMBS)
    if max(wish.width, wish.height) < SMALLEST + 2:
        raise GridproofError(f"width or height must be at least {SMALLEST + 2}: a push needs three cells")
    inside = (wish.width - 2) * (wish.height - 2)
    check_whole("boxes", wish.boxes, 1, min(MOST_BOXES, inside - 2))
    check_wished("difficulty", wish.difficulty, 1, 10**9)
    return wish


def badness(made: Made, wish: Wish) -> float:
    """How far a level is from what is wished: 0 is good enough."""
    missing = 2.0 * (wish.bombs - made.needed)
    if wish.difficulty is None:
        return missing + max(0.0, 1 - made.proof.pushes / min(8 * wish.boxes, _LONG))
    return missing + difficulty_missed(made.proof.effort, wish.difficulty)


def missed(made: Made, wish: Wish) -> Iterator[str]:
    """What could not be reached."""
    if made.needed < wish.bombs:
        yield f"that all bombs are needed: {made.needed} of {wish.bombs} are"

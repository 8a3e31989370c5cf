"""Fireworks over the board when a level is won."""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import cos, pi, sin

from rich.segment import Segment
from rich.style import Style
from textual.timer import Timer

from gridproof.pictures.palette import DARK
from gridproof.terminal.board import BoardView

FRAME = 1 / 15
FRAMES = 40
ROCKETS = 6
_SPARKS = 18
_COLOURS = ("yellow", "orange", "red", "green", "blue", "purple")
_SPARK_LETTERS = "✦*+·"


@dataclass(frozen=True, slots=True)
class Rocket:
    """A burst at a place and time, in a colour."""

    x: float
    y: float
    frame: int
    colour: str

    def sparks(self, frame: int) -> dict[tuple[int, int], Segment]:
        """Return the sparks by place."""
        age = frame - self.frame
        if not 0 <= age < 16:
            return {}
        letter = _SPARK_LETTERS[min(age // 4, len(_SPARK_LETTERS) - 1)]
        spark = Segment(letter, Style(color=DARK[self.colour], bold=age < 8))
        far, fallen = 1.2 + age * 0.45, age * age * 0.012
        angles = [2 * pi * number / _SPARKS for number in range(_SPARKS)]
        return {
            (round(self.x + 2 * far * cos(angle)), round(self.y + far * sin(angle) + fallen)): spark
            for angle in angles
        }


class Fireworks:
    """Rockets over a board, for two or three seconds."""

    def __init__(self, board: BoardView) -> None:
        chance = random.Random(0)  # noqa: S311  # a show
        width, height = board.size
        self._board = board
        self._rockets = [
            Rocket(
                chance.uniform(0.15, 0.85) * width,
                chance.uniform(0.15, 0.75) * height,
                number * 4,
                _COLOURS[number % len(_COLOURS)],
            )
            for number in range(ROCKETS)
        ]
        self._frame = 0
        self._clock: Timer | None = None

    def start(self) -> None:
        """Start the fireworks."""
        self._clock = self._board.set_interval(FRAME, self._draw_frame)

    def stop(self) -> None:
        """Stop the fireworks."""
        if self._clock is not None:
            self._clock.stop()
        self._board.show_sparks({})

    def _draw_frame(self) -> None:
        sparks: dict[tuple[int, int], Segment] = {}
        for rocket in self._rockets:
            sparks |= rocket.sparks(self._frame)
        self._board.show_sparks(sparks)
        self._frame += 1
        if self._frame > FRAMES:
            self.stop()

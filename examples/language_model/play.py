"""A language model plays any game of gridproof: replace `answer` by a call of your model.

gridproof evaluate sokoban --levels sokoban-easy --player examples/language_model/play.py:Player --games 10
gridproof watch twenty48 --player examples/language_model/play.py:Player --actions 20
"""

from __future__ import annotations

import re
import zlib

from gridproof.agents.language import LanguagePlayer
from gridproof.core.game import Game


def answer(prompt: str) -> str:
    """Reply as a model would. This stub names one of the possible actions, and sometimes makes a mistake.

    With a real model, send the prompt, and return the text of its reply.
    """
    listed = re.search("^Possible actions: (.*)$", prompt, re.MULTILINE)
    actions = listed[1].split(", ") if listed else []
    number = zlib.crc32(prompt.encode())  # the same reply to the same prompt, in every process
    if number % 5 == 0 and "was not valid" not in prompt:
        return "I do not know."
    return f"I look at the board.\n\nAction: {actions[number % len(actions)]}"


class Player(LanguagePlayer):
    """Player that `gridproof evaluate` makes for each game."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        super().__init__(game, answer, seed)

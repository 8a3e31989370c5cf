"""Random player: does any possible input, so that front ends can be compared with a fresh load or redraw."""

from __future__ import annotations

import random

import gridproof as gp
from gridproof.core.session import Session
from gridproof.core.text.level_lookup import pack_names
from gridproof.core.text.pack import Pack

GAMES = (*gp.game_names(), "null")
SOON_OVER = {
    "sokoban": "######\n#@*$.#\n##$###\n#  . #\n######\nBombs: 1\n",
    "twenty48": "2048 3x3 spawn=spec target=32\n. . .\n. 2 .\n. . 2\n",
}
"""Levels that luck wins or loses within some actions."""


def starts(game: str) -> list[dict[str, str]]:
    """Return the packs of a game, and a short level."""
    packs = [{"pack": f"{game}/{name}"} for name in pack_names(gp.game(game))]
    return packs + [{"text": text} for name, text in SOON_OVER.items() if name == game]


def levels_of(start: dict[str, str]) -> Pack:
    """The levels of one of them."""
    return gp.levels_at(start["pack"]) if "pack" in start else gp.read(start["text"])


class Player:
    """Somebody who plays some levels by luck, and solves one at times."""

    def __init__(self, levels: Pack, luck: random.Random) -> None:
        self.luck = luck
        self.solutions = [level.certificate and [*map(str, level.certificate.actions)] for level in levels]

    def texts(self, level: int, done: int, actions: list[str]) -> list[str]:
        """Actions or a command, on the level of a number from 1 on."""
        choice, solution = self.luck.random(), self.solutions[level - 1]
        if choice < 0.03 and solution and not done:
            return solution[:200]
        if choice < 0.8 and actions:
            return [self.luck.choice(actions)]
        another = f"level {self.luck.randint(1, len(self.solutions))}"
        words = ["undo"] * 6 + ["redo"] * 6 + ["restart", "new", "continue", "hint", another]
        return [self.luck.choice(words)]

    def next(self, session: Session) -> list[str]:
        """The same, where a session stands."""
        return self.texts(session.current + 1, session.actions_done, [*map(str, session.position.actions())])

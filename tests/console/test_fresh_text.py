"""After each input, the last board in lines of text equals a fresh one."""

from __future__ import annotations

import io
import random

import pytest
from tests.table.random_player import GAMES, Player, levels_of, starts

from gridproof.console.plain import PlainPlay
from gridproof.core.look import board_text
from gridproof.core.session import Session
from gridproof.table.table import Table


class Output(io.StringIO):
    """Output with its last board."""

    board = ""
    after = ""
    """Return the output since the last call."""

    def write(self, text: str) -> int:
        if text.startswith("\n") and len(text) > 1:
            self.board, self.after = text[1:-1], ""
        else:
            self.after += text
        return super().write(text)


class Typist(io.StringIO):
    """Random lines; compares the output before each."""

    def __init__(self, player: Player, table: Table, output: Output, count: int) -> None:
        super().__init__()
        self.player, self.table, self.output, self.left = player, table, output, count

    def readline(self, *_: object) -> str:  # type: ignore[override]
        session, board = self.table.session, self.table.board
        assert self.output.board == board_text(
            session.position.level.game.look.board_with_numbers(session.position)
        )
        assert self.output.after.replace("\n", " ").startswith(board.words().replace("\n", " "))
        self.left -= 1
        texts = [text for text in self.player.next(session) if text != "hint"]
        return f"{'; '.join(texts) or 'undo'}\n" if self.left >= 0 else ""


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_text_shows_what_a_fresh_board_shows(game: str) -> None:
    found, left, seed = starts(game), 1000, 0
    while left > 0:  # what is typed ends when all levels are won
        levels, output = levels_of(found[seed % len(found)]), Output()
        table, player = Table(Session(levels, seed)), Player(levels, random.Random(seed))
        typist = Typist(player, table, output, min(left, 200))
        PlainPlay(table, typist, output).run()
        left, seed = left - (min(left, 200) - max(typist.left, 0)), seed + 1

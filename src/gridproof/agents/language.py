"""Players by language models: a position as text, a function from text to text, and a parser of its replies."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from gridproof.agents.players import RandomPlayer
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.look import board_text, top
from gridproof.core.position import Action, Position
from gridproof.core.representation import Representable
from gridproof.core.text.phrases import format_count, short_repr

Model = Callable[[str], str]
"""Returns the reply to a prompt."""

_ANSWER = re.compile(r"^[\s*_#>-]*(?:final )?action[\s*_]*:[\s*_]*(.*)$", re.IGNORECASE | re.MULTILINE)
_MARKS = " \t*_`'\".,;<>[]"  # the prompt has the action in brackets


def rules_text(game: Game) -> str:
    """Return the goal and the rules of a game, a clause a line."""
    rules = "\n".join(f"{number}: {text}" for number, text in game.clauses.items())
    return f"You play {game.title}. Your goal: {game.meaning}.\n\nRules:\n{rules}\n"


def position_text(position: Position[Any]) -> str:
    """Return the board with a legend, the position in the game's own format, and the executable actions."""
    board = position.level.game.look.board(position)
    pieces = {piece.glyph: piece.name for row in board for piece in map(top, row) if piece.glyph}
    legend = "\n".join(f"{glyph} = {name}" for glyph, name in pieces.items())
    return (
        f"Board:\n{board_text(board)}\nLegend:\n{legend}\n\n"
        f"Position in the game's format:\n{position.text()}\n"
        f"Possible actions: {', '.join(map(str, position.actions()))}\n"
    )


def prompt_text(position: Position[Any], error: str = "") -> str:
    """Return the whole prompt: the rules, the position, what was wrong with the last reply, and the form of a reply."""
    wrong = f"\nYour last reply was not valid: {error}.\n" if error else ""
    return (
        f"{rules_text(position.level.game)}\n{position_text(position)}{wrong}\n"
        "Think if you like. End your reply with one line of this form:\nAction: <one of the possible actions>\n"
    )


def parse_reply(reply: str, position: Position[Any]) -> Action:
    """Return the action that a reply names: in its last line "Action: ..." or below it, or as the whole reply.

    Case, quotation marks, brackets around the action, and Markdown do not count.

    Raises
    ------
    GridproofError
        Says what is wrong: there is no such line, the text is no action, or the action is not executable here.
    """
    if not isinstance(reply, str):
        raise GridproofError(f"a reply must be a text, not {type(reply).__name__}")
    found = _ANSWER.findall(reply)
    text = (found[-1] if found else reply).strip().strip(_MARKS)
    actions: dict[str, Action] = {_normalize(str(action)): action for action in position.actions()}
    if (action := actions.get(_normalize(text))) is not None:
        return action
    choices = f"the possible actions are {', '.join(map(str, position.actions()))}"
    if not found and (not text or "\n" in text):
        raise GridproofError(f"it has no line 'Action: ...'; {choices}")
    if not text:
        raise GridproofError(f"its last line 'Action:' has no action; {choices}")
    if _normalize(text) in {_normalize(str(one)) for one in position.level.all_actions()}:
        raise GridproofError(f"{short_repr(text)} is not possible here; {choices}")
    raise GridproofError(f"{short_repr(text)} is no action; {choices}")


def _normalize(text: str) -> str:
    return "".join(text.lower().split())


class LanguagePlayer(Representable):
    """Player that asks a model for each action.

    After a reply that is not valid, it asks again and says what was wrong. After the last attempt it plays a random
    action, so that a game always goes on; the counts say how often that was.

    Parameters
    ----------
    game : Game
    model : function from text to text
    seed : int
        Of the random actions.
    attempts : int
        Prompts for one action, at least 1.

    Examples
    --------
    >>> import gridproof as gp
    >>> player = LanguagePlayer(gp.game("sokoban"), lambda prompt: "Action: **Down**")
    >>> print(player(gp.level("sokoban/first-steps/1").start()))
    down
    """

    def __init__(self, game: Game, model: Model, seed: int = 0, attempts: int = 3) -> None:
        if attempts < 1:
            raise GridproofError(f"attempts {attempts}: a model must be asked at least once")
        self._game, self._model, self._attempts = game, model, attempts
        self._random = RandomPlayer(game, seed)
        self.prompts = 0
        """Number of prompts."""
        self.errors = 0
        """Number of replies that were not valid."""
        self.random_actions = 0
        """Number of actions that were drawn because no reply was valid."""

    def __str__(self) -> str:
        return (
            f"a language model that plays {self._game.name}: {format_count(self.prompts, 'prompts')}, "
            f"{format_count(self.errors, 'errors')}, {format_count(self.random_actions, 'random actions')}"
        )

    @property
    def counts(self) -> Mapping[str, int]:
        """Numbers of prompts, wrong replies and random actions; `gridproof evaluate` reports them."""
        return {
            "prompts": self.prompts,
            "wrong replies": self.errors,
            "random actions": self.random_actions,
        }

    def _summary(self) -> str:
        return f"<LanguagePlayer of {self._game.name}>"

    def __call__(self, position: Position[Any]) -> Action:
        error = ""
        for _ in range(self._attempts):
            self.prompts += 1
            try:
                return parse_reply(self._model(prompt_text(position, error)), position)
            except GridproofError as wrong:
                self.errors, error = self.errors + 1, str(wrong)
        self.random_actions += 1
        return self._random(position)

    def values(self, position: Position[Any]) -> Mapping[Action, float]:
        """Return 1 for the action that the model chooses, and 0 for the others."""
        chosen = self(position)
        return {action: float(action == chosen) for action in position.actions()}

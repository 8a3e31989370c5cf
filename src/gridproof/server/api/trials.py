"""REST route of trials: a level of a text is played without a session, such as a draft of the editor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fastapi import APIRouter, Request

from gridproof.analysis.json_data import Data
from gridproof.core.errors import IllegalAction
from gridproof.core.look import PointedCell, actions_at_mark
from gridproof.core.position import NATURE
from gridproof.core.session import Session
from gridproof.core.text.phrases import format_count
from gridproof.prove.verdict_line import spoken_word
from gridproof.server.api.formulas import level_of
from gridproof.server.api.schemas import PlayActions, PlayTrial
from gridproof.server.context import context_of
from gridproof.server.live.board_delta import replay_data
from gridproof.server.live.piece_table import PieceTable
from gridproof.server.live.serializers import Actions, actors_data, choosable_actors
from gridproof.server.rate_limits import Limits
from gridproof.server.session_memory import check_board, check_steps
from gridproof.table.commands import COMMANDS_BY_NAME
from gridproof.table.keys import directions, keys_on, meanings

router = APIRouter(prefix="/api")
COMMANDS = ("undo", "restart")
"""Commands in a trial."""


@router.post("/trials")
async def trial(request: Request, body: PlayTrial) -> Data:
    """Play the first level of a text from its start: do the actions, then perhaps those of a click or a drag.

    An action that the rules refuse ends them, with its reason. Chance always draws the same.
    """
    context = context_of(request)
    return await context.read_checked(body.text, _play, body, context.limits)


def _play(body: PlayTrial, limits: Limits) -> Data:
    level, start = level_of(body.text, body.game)
    check_board(start, limits)
    check_steps(start, len(body.actions), limits)
    session = Session(level)
    return _state(session, play_actions(body, session, session.act))


def play_actions(
    body: PlayActions, session: Session, act: Callable[[str], object], actor: str | None = None
) -> Data:
    """Do the actions of a request, and those of its click or drag, until one is refused.

    Return that one with the reason, and the actions of which the player chooses one, if the click means several.
    """
    refused, choice = _act(act, body.actions), tuple[str, ...]()
    if body.x is not None and body.y is not None and not refused:
        to = (body.to[0], body.to[1]) if body.to else None
        at = PointedCell(body.x, body.y, to, actor)
        look, position = session.game.look, session.position
        if texts := look.pointed(position, at):
            refused = _act(act, texts)
        else:
            choice = actions_at_mark(position, at)
            refused = None if choice else {"text": f"{look.pointed_in_vain(position, at)}.", "action": ""}
    return {"refused": refused, "choice": [*choice]}


def _act(act: Callable[[str], object], texts: Sequence[str]) -> Data | None:
    for text in texts:
        try:
            act(text)
        except IllegalAction as error:
            return {"text": error.reason, "action": text}
    return None


def _state(session: Session, played: Data) -> Data:
    """Return the board, the steps, the possible actions and the end as JSON."""
    pieces, position, trace = PieceTable(), session.position, session.trace()
    level, game = trace.level, session.game
    several, known = len(game.actors(level)) > 1, Actions(pieces)
    over = position.won and not game.policy.act_after_win
    listed: Sequence[Any] = () if over else position.all_actions()
    replay = replay_data(pieces, trace.start, trace.actions, session.outcomes)
    return {
        "won": position.won,
        "over": over or not listed,
        "text": _summary(session),
        **played,
        **replay,
        "actions": [known.action_data(position, action, several) for action in listed],
        "game": game.name,
        **keys_data(session, COMMANDS),
    }


def _summary(session: Session) -> str:
    """Return in words how far the trial has come."""
    done = format_count(session.actions_done, spoken_word(session.position.level))
    if session.position.won:
        return f"Won in {done}"
    return f"{done[0].upper()}{done[1:]}" + (
        "" if session.position.actions() else ", and nothing can be done"
    )


def keys_data(session: Session, commands: Sequence[str], actors: Sequence[str] = ()) -> Data:
    """Return the keys of commands and of the actions of some actors, by default all, and the words of the actions.

    Arrows also have the directions of the board, for an actor with directions of its own. Of several such actors the
    player chooses one for the keys.
    """
    level, position = session.levels[session.current], session.position
    look, actor = level.game.look, actors[0] if len(actors) == 1 and actors[0] != NATURE else None
    own = {str(action) for action in level.all_actions() if level.owner(action) in actors}

    def filter_own(found: Mapping[str, str]) -> dict[str, str]:
        return {key: text for key, text in found.items() if not own or text in own}

    players = [one for one in level.game.actors(level) if one != NATURE and (not actors or one in actors)]
    choosable = choosable_actors(level, players)
    keys_of = {one: filter_own(keys_on(level, one)) for one in choosable}
    keys = {} if choosable else filter_own(keys_on(level, actor))
    return {
        "keys": {key: name for name in commands for key in COMMANDS_BY_NAME[name].keys} | keys,
        "keys_of": keys_of,
        "directions": filter_own(directions(position, actor)),
        "each": actors_data(position, choosable),
        "place": None if actor is None or look.place is None else look.place(position, actor),
        "meanings": meanings(level, {text for one in (keys, *keys_of.values()) for text in one.values()}),
        "commands": [{"word": name} for name in commands],
    }

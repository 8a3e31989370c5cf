"""REST routes of rules and lessons: examples as steps on boards, and the play of a lesson's steps."""

from __future__ import annotations

import asyncio
import functools
from typing import Annotated

from fastapi import APIRouter, Path

from gridproof.analysis.json_data import Data
from gridproof.core.game import Game
from gridproof.core.lesson import Example, Lesson, LessonStep, StepPlay, lesson_of, read_level
from gridproof.core.registry import game as game_named
from gridproof.core.registry import is_game
from gridproof.core.session import Session
from gridproof.core.text.level_lookup import pack_names
from gridproof.server.api.schemas import PlayLesson
from gridproof.server.api.trials import keys_data, play_actions
from gridproof.server.errors import NotFound
from gridproof.server.live.board_delta import replay_data
from gridproof.server.live.piece_table import PieceTable
from gridproof.server.live.serializers import Actions

router = APIRouter(prefix="/api")
Name = Annotated[str, Path(max_length=100)]
Number = Annotated[int, Path(ge=1, le=1000)]
COMMANDS = ("undo", "restart", "hint")
"""Commands in a lesson."""


def find_lesson(name: str) -> tuple[Game, Lesson]:
    """Return a game and its lesson; NotFound when there is no such game, or it has none."""
    game = game_named(name) if is_game(name) else None
    lesson = lesson_of(game) if game else None
    if game is None or lesson is None:
        raise NotFound(f"there is no lesson in {name!r}")
    return game, lesson


def find_step(name: str, number: int) -> tuple[Game, LessonStep, int]:
    """Return a game, a step of its lesson by its number from 1, and the number of steps."""
    game, lesson = find_lesson(name)
    if number > len(lesson.steps):
        raise NotFound(f"choose a step from 1 to {len(lesson.steps)}")
    return game, lesson.steps[number - 1], len(lesson.steps)


@router.get("/lessons/{game}")
async def lesson(game: Name) -> Data:
    """Return the rules of a game, each with an example to replay, and the tasks of its lesson."""
    return await asyncio.to_thread(_lesson_data, game)


@router.post("/lessons/{game}/{number}")
async def play(game: Name, number: Number, body: PlayLesson) -> Data:
    """Play a step of a lesson from its start: do the actions, then perhaps those of a click or a drag.

    An action that the rules refuse ends them, with its reason.
    """
    return await asyncio.to_thread(_play, game, number, body)


@functools.cache
def _lesson_data(name: str) -> Data:
    game, lesson = find_lesson(name)
    packs = sorted(pack_names(game), key=lambda pack: pack != game.first_pack)
    return {
        "game": game.name,
        "title": game.title,
        "meaning": game.meaning,
        "pack": f"{game.name}/{packs[0]}" if packs else None,
        "play": [*lesson.play],
        "examples": [_example_data(game, example) for example in lesson.examples],
        "steps": [step.task for step in lesson.steps],
    }


def _example_data(game: Game, example: Example) -> Data:
    session = Session(read_level(game, example.level), example.seed)
    start = session.position
    for action in example.actions:
        session.act(action)
    return {
        "name": example.name,
        "title": example.title,
        "text": example.text,
        **replay_data(PieceTable(), start, session.trace().actions, session.outcomes),
    }


def _play(name: str, number: int, body: PlayLesson) -> Data:
    game, step, count = find_step(name, number)
    play = StepPlay(game, step)

    def act(text: str) -> None:
        if not play.is_done:
            play.act(text)

    actor = step.actors[0] if len(step.actors) == 1 else None
    played = play_actions(body, play.session, act, actor)
    return {"game": name, "title": game.title, "number": number, "count": count, **_state(play, played)}


def _state(play: StepPlay, played: Data) -> Data:
    """Return the state of a step; its answer is what is said when the task is fulfilled, or lost."""
    pieces, step, session = PieceTable(), play.step, play.session
    start, *_ = play.positions
    done, lost = play.is_done, play.is_lost
    replay = replay_data(pieces, start, session.trace().actions, play.outcomes)
    several, known = len(play.level.game.actors(play.level)) > 1, Actions(pieces)
    listed = [known.action_data(session.position, action, several) for action in play.actions()]
    return {
        "task": step.task,
        "solution": [*step.solution],
        "done": done,
        "lost": lost,
        "answer": step.praise if done else step.lost if lost else "",
        **played,
        **replay,
        "actions": listed,
        **keys_data(session, COMMANDS, step.actors),
    }

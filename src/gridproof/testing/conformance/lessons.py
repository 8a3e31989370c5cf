"""Checks of a game's lesson: its texts, its boards, and the solution of each step."""

from __future__ import annotations

import re

from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.lesson import Example, Lesson, LessonStep, StepPlay, play_solution, read_level
from gridproof.core.look import ON_BOARD
from gridproof.core.position import Level
from gridproof.core.session import Session
from gridproof.testing.conformance.fault import place, require
from gridproof.testing.conformance.metadata import require_distinct, require_line

_SCORES = ("score", "best")
"""Counts that front ends add to those of the look, in a game that keeps a score."""
_NAME = re.compile(r"[a-z][a-z0-9-]*")
_SENTENCE = re.compile(r"[^a-z\s].*[.!?:]")
MOST_CHARACTERS = 240
"""Longest text of an example or a step: a player reads it in a few seconds."""


def check_lesson(game: Game) -> None:
    """Check the lesson of a game: what it says, and that all that it shows can be played."""
    lesson = find_extension(game, "lesson", Lesson)
    assert lesson is not None  # its module is there
    require(lesson.examples, "it shows no rule")
    require(lesson.steps, "it has no step")
    require_distinct((example.name for example in lesson.examples), "examples")
    for example in lesson.examples:
        with place(f"example {example.name!r}"):
            _check_example(game, example)
    for number, step in enumerate(lesson.steps, 1):
        with place(f"step {number}"):
            _check_step(game, step)


def _check_example(game: Game, example: Example) -> None:
    require(_NAME.fullmatch(example.name), "the name is not lower-case letters, digits and -")
    require_line(example.title, "the title")
    _require_sentence(example.text, "the text")
    level = read_level(game, example.level)
    require(example.actions, "nothing is done in it")
    session = Session(level, example.seed)
    for action in example.actions:
        session.act(action)
    shown = game.look.counts_in(session.position, session.tally(), ON_BOARD)  # as players read them
    known = [count for count, _ in shown] + list(_SCORES if game.policy.keeps_score else ())
    missing = [one for one in example.counts if not any(count.startswith(one) for count in known)]
    require(not missing, f"the look has no count {', '.join(missing)}")


def _check_step(game: Game, step: LessonStep) -> None:
    for text, what in (
        (step.task, "the task"),
        (step.praise, "the praise"),
        (step.lost, "the text for a loss"),
    ):
        _require_sentence(text, what)
    _check_actors(read_level(game, step.level), step)
    require(step.solution, "it has no solution")
    few = not step.within or len(step.solution) <= step.within
    require(few, f"its solution takes more than {step.within} actions")
    require(not StepPlay(game, step).is_lost, "its task cannot be fulfilled")
    play_solution(game, step)


def _check_actors(level: Level, step: LessonStep) -> None:
    unknown = sorted({*step.actors} - {*level.game.actors(level)})
    require(not unknown, f"its level has no actor {', '.join(unknown)}")


def _require_sentence(text: str, what: str) -> None:
    require_line(text, what)
    require(_SENTENCE.fullmatch(text), f"{what} is no sentence: {text!r}")
    require(len(text) <= MOST_CHARACTERS, f"{what} has more than {MOST_CHARACTERS} characters")

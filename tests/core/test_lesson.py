"""Tests of lessons: the play of a step, and the lessons of all games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.lesson import LessonStep, StepPlay, explained_counts, lesson_of, play_solution
from gridproof.core.registry import game
from gridproof.testing.conformance.lessons import check_lesson

SOKOBAN = game("sokoban")
CORNER = LessonStep(
    task="Push the box onto the depot.",
    level="######\n#   .#\n# $@ #\n#    #\n######\n",
    solution=("down", "left", "up", "left", "up", "right", "right"),
    praise="Done.",
)
ROOM = replace(CORNER, level="#######\n#@ $ .#\n#     #\n#######\n", solution=("right",) * 3)
RACE = "robots 5x3\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . . A .\n. . . . .\nb . . . B\n"


@pytest.mark.parametrize("name", ["robots", "shiftit", "sokoban", "twenty48"])
def test_lesson_of_game_conforms(name: str) -> None:
    lesson = lesson_of(game(name))
    assert lesson is not None
    assert 5 <= len(lesson.steps) <= 8
    check_lesson(game(name))


def test_game_without_lesson_has_none() -> None:
    assert lesson_of(game("null")) is None
    assert explained_counts(game("null")) == {}


def test_explained_counts_name_their_examples() -> None:
    assert explained_counts(SOKOBAN)["bombs left"] == "bombs"
    assert explained_counts(game("twenty48"))["best"] == "best"


def test_step_is_done_when_its_goal_holds() -> None:
    play = play_solution(SOKOBAN, ROOM)
    assert play.is_done
    assert not play.actions()
    with pytest.raises(IllegalAction, match="the task is done"):
        play.act("left")


def test_step_is_lost_in_dead_position_until_the_move_is_taken_back() -> None:
    play = StepPlay(SOKOBAN, CORNER)
    assert not play.is_lost
    play.act("left")
    assert play.is_lost
    play.undo()
    assert not play.is_lost


def test_step_is_lost_when_too_few_actions_are_left() -> None:
    play = StepPlay(SOKOBAN, replace(ROOM, within=3))
    play.act("down")
    assert play.is_lost


def test_step_refuses_with_reason_of_the_rules() -> None:
    with pytest.raises(IllegalAction, match="wall"):
        StepPlay(SOKOBAN, ROOM).act("up")


def test_step_of_one_actor_refuses_actions_of_others() -> None:
    step = LessonStep(
        task="Walk.", level=RACE, actors=("a",), goal="won(a)", solution=("a:walk(1,0)",) * 3, praise="Home."
    )
    play = StepPlay(game("robots"), step)
    assert {str(action).partition(":")[0] for action in play.actions()} == {"a"}
    with pytest.raises(IllegalAction, match="you move a only"):
        play.act("b:walk(1,0)")


def test_step_draws_the_same_tiles_each_time() -> None:
    lesson = lesson_of(game("twenty48"))
    assert lesson is not None
    for step in lesson.steps:
        first, second = (play_solution(game("twenty48"), step) for _ in range(2))
        assert first.positions == second.positions


@pytest.mark.parametrize(
    ("solution", "fault"),
    [
        (("right",), "does not fulfil"),
        (("right",) * 4, "before action 4"),
        (("right", "up"), "wall"),
    ],
)
def test_wrong_solution_is_refused(solution: tuple[str, ...], fault: str) -> None:
    with pytest.raises(GridproofError, match=fault):
        play_solution(SOKOBAN, replace(ROOM, solution=solution))


def test_lesson_of_bombs_names_all_that_they_clear() -> None:
    lesson = lesson_of(SOKOBAN)
    assert lesson is not None
    texts = [text for step in lesson.steps for text in (step.task, step.praise)]
    said = [text for text in texts if "row" in text.split()]
    assert len(said) > 2
    assert all("column" in text for text in said)


def test_rules_of_robots_say_that_a_race_of_programs_is_watched() -> None:
    lesson = lesson_of(game("robots"))
    assert lesson is not None
    assert "The button Race lets programs play all robots while you watch." in lesson.play[-1]

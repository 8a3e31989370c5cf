from __future__ import annotations

import pytest

import gridproof as gp
from gridproof.play.typed import Typed


@pytest.mark.parametrize("name", [*gp.game_names(), "null"])
def test_short_forms_mean_what_they_stand_for(name: str) -> None:
    typed = Typed(gp.game(name))
    for action in typed.names:
        for form in typed.short_forms(action):
            assert typed.meanings(form) == (action,)


def test_numbers_count_from_one_and_can_be_switched_off() -> None:
    position = gp.levels_at("null/first/3")[0].start()
    typed = Typed(position.level.game)
    assert [str(typed.action(position, text)) for text in ("1", "2", "3")] == ["left", "right", "hop"]
    with pytest.raises(gp.IllegalAction, match="numbered from 1 to 3"):
        typed.action(position, "4")
    with pytest.raises(gp.IllegalAction, match="cannot be executed"):
        typed.action(position, "1", numbers=False)


def test_a_named_action_that_is_not_executable_is_refused_by_its_name() -> None:
    position = gp.levels_at("null/first/1")[0].start()
    at_the_edge = position.outcome(position.action("left"), "").position
    with pytest.raises(gp.IllegalAction, match="left: it cannot be executed here"):
        Typed(position.level.game).action(at_the_edge, "l")


def test_keys_are_told_apart_by_case_and_digits_are_numbers() -> None:
    position = gp.read("shiftit 2x2\nr g\ng r\n")[0].start()
    typed = Typed(position.level.game)
    assert typed.meanings("a") != typed.meanings("A")
    assert str(typed.action(position, "A")) == typed.meanings("A")[0]
    assert str(typed.action(position, "1")) == str(position.actions()[0])

from __future__ import annotations

import pytest

import gridproof as gp
from gridproof.core.shelf import pack_names
from gridproof.play.typed import Typed


@pytest.mark.parametrize("name", [*gp.game_names(), "null"])
def test_short_forms_mean_what_they_stand_for(name: str) -> None:
    typed = Typed(gp.levels_at(f"{name}/{pack_names(gp.game(name))[0]}")[0].start())
    for action in typed.names:
        for form in typed.short_forms(action):
            assert typed.meanings(form) == (action,)


def test_numbers_count_from_one_and_can_be_switched_off() -> None:
    position = gp.levels_at("null/first/3")[0].start()
    typed = Typed(position)
    assert [str(typed.action(text)) for text in ("1", "2", "3")] == ["left", "right", "hop"]
    with pytest.raises(gp.IllegalAction, match="numbered from 1 to 3"):
        typed.action("4")
    with pytest.raises(gp.IllegalAction, match="1: no action: there are left, right, hop"):
        typed.action("1", numbers=False)


def test_a_named_action_that_is_not_executable_is_refused_by_its_name() -> None:
    position = gp.levels_at("null/first/1")[0].start()
    at_the_edge = position.outcome(position.action("left"), "").position
    with pytest.raises(gp.IllegalAction, match="left: it cannot be executed here"):
        Typed(at_the_edge).action("l")


def test_keys_are_told_apart_by_case_and_digits_are_numbers() -> None:
    position = gp.read("shiftit 2x2\nr g\ng r\n")[0].start()
    typed = Typed(position)
    assert typed.meanings("a") != typed.meanings("A")
    assert str(typed.action("A")) == typed.meanings("A")[0]
    assert str(typed.action("1")) == str(position.actions()[0])


def test_only_what_the_board_has_is_meant() -> None:
    position = gp.read("shiftit 2x2\nr g\ng r*\n")[0].start()
    typed = Typed(position)
    assert "f" in position.level.game.look.keys
    assert typed.meanings("f") == ()
    with pytest.raises(gp.IllegalAction, match=r"^RM: it may mean RM\(1,left\) or RM\(1,right\)$"):
        typed.action("RM")
    with pytest.raises(gp.IllegalAction, match=r"^RM\(0,left\): it cannot be executed"):
        typed.action("RM(0,l")
    with pytest.raises(gp.IllegalAction, match=r"^f: no action: there are RM\(0,left\), "):
        typed.action("f")


def test_all_rows_of_a_board_have_short_forms_and_long_lists_are_cut() -> None:
    rows = "".join(f"{' '.join('rgrgrg')}\n" for _ in range(6))
    typed = Typed(gp.read(f"shiftit 6x6\n{rows}")[0].start())
    assert str(typed.action("RM(5,l")) == "RM(5,left)"
    with pytest.raises(gp.IllegalAction, match=r"or RM\(4,right\) or \.\.\.$"):
        typed.action("RM")


def test_what_is_unclear_on_the_level_stays_so_where_one_meaning_is_left() -> None:
    position = gp.read("2048 2x2 spawn=spec target=8\n2 0\n4 0\n")[0].start()
    assert [str(action) for action in position.actions()] == ["right"]
    with pytest.raises(gp.IllegalAction, match=r"^d: it may mean right$"):
        Typed(position).action("d")

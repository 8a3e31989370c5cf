from __future__ import annotations

import pytest
from tests.table.tables import kinds, one, table_of

import gridproof as gp
from gridproof.core.position import NATURE
from gridproof.core.text.level_lookup import pack_names
from gridproof.table.action_parser import ActionParser, name_arrows
from gridproof.table.keys import WASD, keys_on
from gridproof.table.messages import Moved


@pytest.mark.parametrize("name", [*gp.game_names(), "null"])
def test_short_forms_are_parsed_as_actions(name: str) -> None:
    typed = ActionParser(gp.levels_at(f"{name}/{pack_names(gp.game(name))[0]}")[0].start())
    for action in typed.names:
        for form in typed.short_forms(action):
            assert typed.meanings(form) == (action,)


@pytest.mark.parametrize("name", [*gp.game_names(), "null"])
def test_wasd_are_arrow_keys_or_nothing(name: str) -> None:
    level = gp.levels_at(f"{name}/{pack_names(gp.game(name))[0]}")[0]
    for actor in {None, *level.game.actors(level)} - {NATURE}:
        keys = keys_on(level, actor)
        for letter, arrow in WASD.items():
            assert keys.get(letter) == keys.get(arrow)
            assert keys.get(letter.upper()) is None


def test_action_numbers_start_at_one_and_can_be_disabled() -> None:
    position = gp.levels_at("null/first/3")[0].start()
    typed = ActionParser(position)
    assert [str(typed.action(text)) for text in ("1", "2", "3")] == ["left", "right", "hop"]
    with pytest.raises(gp.IllegalAction, match="from 1 to 3"):
        typed.action("4")
    with pytest.raises(gp.IllegalAction, match="1: no such action; choose from left, right, hop"):
        typed.action("1", numbers=False)


def test_refusal_names_action_that_is_not_executable() -> None:
    position = gp.levels_at("null/first/1")[0].start()
    at_the_edge = position.outcome(position.action("left"), "").position
    with pytest.raises(gp.IllegalAction, match="left: it cannot be executed here"):
        ActionParser(at_the_edge).action("l")


def test_keys_are_case_sensitive_and_digits_are_numbers() -> None:
    position = gp.read("shiftit 2x2\nr g\ng r\n")[0].start()
    typed = ActionParser(position)
    assert typed.meanings("f") != typed.meanings("F")
    assert str(typed.action("F")) == typed.meanings("F")[0]
    assert str(typed.action("1")) == str(position.actions()[0])


def test_short_forms_mean_only_actions_of_the_board() -> None:
    position = gp.read("shiftit 2x2\nr g\ng r*\n")[0].start()
    typed = ActionParser(position)
    assert "j" in position.level.game.look.keys
    assert typed.meanings("j") == ()
    with pytest.raises(gp.IllegalAction, match=r"^RM: it may mean RM\(1,left\) or RM\(1,right\)$"):
        typed.action("RM")
    with pytest.raises(gp.IllegalAction, match=r"^RM\(0,left\): the tile in column 2 is locked$"):
        typed.action("RM(0,l")
    with pytest.raises(gp.IllegalAction, match=r"^j: no such action; choose from RM\(0,left\), "):
        typed.action("j")


def test_short_forms_cover_all_rows_and_long_lists_are_cut() -> None:
    rows = "".join(f"{' '.join('rgrgrg')}\n" for _ in range(6))
    typed = ActionParser(gp.read(f"shiftit 6x6\n{rows}")[0].start())
    assert str(typed.action("RM(5,l")) == "RM(5,left)"
    with pytest.raises(gp.IllegalAction, match=r"or RM\(4,right\) or \.\.\.$"):
        typed.action("RM")


ROOM = "#####\n#  .#\n# @ #\n#  $#\n#####\n"


@pytest.mark.parametrize("text", [ROOM, "2048 2x2\n2 0\n0 2\n"])
def test_wasd_mean_arrow_keys_only(text: str) -> None:
    typed = ActionParser(gp.read(text)[0].start())
    for keys in ("wasd", "WASD"):
        assert [str(typed.action(key)) for key in keys] == ["up", "left", "down", "right"]
    assert typed.short_forms("right")[-1] == "d"
    assert "d" not in typed.short_forms("down")


def test_d_does_not_mean_down_when_right_is_impossible() -> None:
    position = gp.read("#####\n#@###\n# $.#\n#####\n")[0].start()
    with pytest.raises(gp.IllegalAction, match=r"^right: a wall is in"):
        ActionParser(position).action("d")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("d", ["right"]),
        ("dd", ["right", "right"]),
        ("d D", ["right", "right"]),
        ("wa sd", ["up", "left", "down", "right"]),
        ("up d", ["up", "right"]),
        ("w d r", ["up", "right", "right"]),
        ("rd", ["right", "down"]),  # a solution in letters (K22)
        ("rdd dd", ["right", *["down"] * 4]),
        ("2u", ["up", "up"]),
        ("down right", ["down", "right"]),
    ],
)
def test_letters_of_a_line_are_keys_or_a_solution(line: str, meant: list[str]) -> None:
    typed = ActionParser(gp.read(ROOM)[0].start())
    assert [str(typed.action(text)) for text in typed.texts(line)] == meant


def test_prefix_means_the_only_executable_action_with_it() -> None:
    position = gp.read("shiftit 2x2\nr g*\ng r\n")[0].start()
    names = [str(action) for action in position.actions()]
    assert [name for name in names if name.startswith("CM")] == ["CM(0,up)", "CM(0,down)"]
    with pytest.raises(gp.IllegalAction, match=r"^CM: it may mean CM\(0,up\) or CM\(0,down\)$"):
        ActionParser(position).action("CM")
    narrow = gp.read("2048 2x2 spawn=spec target=8\n2 0\n4 0\n")[0].start()
    assert [str(action) for action in narrow.actions()] == ["right"]
    assert str(ActionParser(narrow).action("r")) == "right"


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("\x1b[A", "up"),
        ("\x1bOB\x1bOB", "down down"),
        ("\x1b[1;2C", "right"),
        ("undo \x1b[D", "undo left"),
        ("\x1b[2J", "\x1b[2J"),
    ],
)
def test_arrow_keys_in_a_line_are_named(line: str, named: str) -> None:
    assert " ".join(name_arrows(line).split()) == named


# -- at a table


@pytest.mark.parametrize("typed", ["w", "a", "s", "d", "W", "w w", "dd"])
def test_wasd_are_arrow_keys_in_every_game_with_arrows(typed: str) -> None:
    table, pressed = table_of(gp.levels_at("robots/duels/1")), table_of(gp.levels_at("robots/duels/1"))
    table.typed(typed)
    for letter in typed.replace(" ", "").lower():
        assert pressed.keys[letter].startswith("a:walk(")
        pressed.key(letter)
    assert table.session.trace().actions == pressed.session.trace().actions
    assert "replay" not in kinds(table.typed("w solver"))


@pytest.mark.parametrize("typed", ["w", "a", "s", "d", "W", "w solver", "a x"])
def test_wasd_are_no_prefixes_of_commands(typed: str) -> None:
    assert kinds(table_of(gp.read("lights: A pair\nO.OO\n")).typed(typed)) == ["refusal"]


TWO = "shiftit 2x2\nr g\ng r\n"


def test_own_keys_of_a_game_are_no_prefixes() -> None:
    for letter in "gG":
        table = table_of(gp.read(TWO))
        assert kinds(table.typed("w")) == ["refusal"]
        meant = table.keys[letter]
        assert one(Moved, table.typed(letter)).change.steps[0][0] == gp.read(TWO)[0].start().action(meant)


def test_line_of_wasd_letters_is_no_command() -> None:
    table = table_of(gp.read(ROOM))
    assert kinds(table.typed("wa")) == ["action", "action", "position"]
    assert kinds(table.typed("sd")) == ["action", "action", "position"]
    assert kinds(table.typed("as")) == ["action", "action", "position"]


def test_letter_is_a_key_when_it_means_nothing_else() -> None:
    table = table_of(gp.read(ROOM), keys={"l": "right", "x": "undo"})
    assert table.typed("l")[0].words() == "go right"
    assert table.typed("x")[0].words() == "1 action undone"
    assert table.typed("y")[0].words() == "1 action redone"
    assert table.typed("h")[0].kind == "refusal"


def test_keys_in_lines_belong_to_the_played_robot() -> None:
    table = table_of(gp.levels_at("robots/duels/1"))
    table.do("as b")
    assert table.parser.meanings("w") == (table.keys["w"],)
    assert table.keys["w"].startswith("b:")

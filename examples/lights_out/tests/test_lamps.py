"""The rules, the text and the kernel of lights out."""

import itertools

import pytest
from gridproof_lights_out import GAME, Level, Press
from gridproof_lights_out.rules import Switched

import gridproof as gp
from gridproof.search.explore import explore_by_rules
from gridproof.testing.agreement import check_kernel


def level_of(*rows: str) -> Level:
    (level,) = gp.read("lights:\n" + "\n".join(rows) + "\n")
    assert isinstance(level, Level)
    return level


@pytest.mark.slow
def test_kernel_and_rules_agree() -> None:
    for level in gp.levels_at("lights_out/first"):
        assert check_kernel(level, walks=2, depth=10, whole=20) > 20


def test_boards_too_large_for_its_kernel_are_left_to_the_rules() -> None:
    assert check_kernel(level_of(*["O" * 9] * 9)) == 0


@pytest.mark.clause("L1")
@pytest.mark.parametrize(
    ("width", "height", "lamps", "codes"),
    [
        (0, 3, 1, ["L1-size"]),
        (3, 17, 1, ["L1-size"]),
        (-1, 3, 0, ["L1-size", "L1-dark"]),
        (2, 2, 0, ["L1-dark"]),
        (2, 2, 16, ["L1-outside"]),
        (2, 2, -1, ["L1-outside"]),
    ],
)
def test_level_breaks_clauses(width: int, height: int, lamps: int, codes: list[str]) -> None:
    with pytest.raises(gp.InvalidLevel) as caught:
        Level(width, height, lamps)
    assert [problem.code for problem in caught.value.problems] == codes


@pytest.mark.clause("L2")
def test_lamps_can_all_be_pressed() -> None:
    presses = level_of("O..", "...").start().actions()
    assert presses == (Press(0, 0), Press(1, 0), Press(2, 0), Press(0, 1), Press(1, 1), Press(2, 1))


@pytest.mark.clause("L3")
@pytest.mark.parametrize(
    ("press", "rows"),
    [
        ("press(1,1)", (".O.", "OO.", ".O.")),
        ("press(0,0)", ("OO.", "O.O", "...")),
        ("press(2,2)", ("...", "...", ".OO")),
    ],
)
def test_press_switches_a_cross(press: str, rows: tuple[str, ...]) -> None:
    start = level_of("...", "..O", "...").start()
    (outcome,) = start.outcomes(start.action(press))
    assert outcome.position.text() == "lights:\n" + "\n".join(rows) + "\n"


@pytest.mark.clause("L3")
def test_events_tell_each_lamp() -> None:
    start = level_of("O.").start()
    (outcome,) = start.outcomes(Press(0, 0))
    assert outcome.events == (Switched(0, 0, lit=False), Switched(1, 0, lit=True))


def test_level_must_begin_with_its_mark() -> None:
    with pytest.raises(gp.ParseError, match="begins with its mark") as caught:
        gp.read("O.\nlights:\nO\n", GAME)
    assert (caught.value.line, caught.value.expected) == (1, "lights:")


def test_position_of_another_level() -> None:
    with pytest.raises(gp.ParseError, match="a board of 3x1 cells"):
        level_of("O.").position("lights:\nOO.\n")


def test_title_author_and_keys_are_kept() -> None:
    text = "lights: The cross\nauthor: Somebody\ndate: 2024\n.O.\n"
    (level,) = gp.read(text)
    assert (level.title, level.author, level.keys) == ("The cross", "Somebody", {"date": "2024"})
    assert level.text() == text


@pytest.mark.parametrize(("goal", "cost"), [("lit >= 6", 1), ("!on(0,0)", 1), ("won", 3)])
def test_goals(goal: str, cost: int) -> None:
    assert gp.solve(level_of("O..", ".O.", "..O"), goal=goal).cost == cost


@pytest.mark.parametrize("arguments", ["9,0", "0,-1", "a,0"])
def test_proposition_on_refuses_missing_lamp(arguments: str) -> None:
    with pytest.raises(gp.GridproofError, match="columns are 0 to 1"):
        gp.solve(level_of("O."), goal=f"on({arguments})")


def test_fewest_presses_are_those_of_all_subsets() -> None:
    """No lamp is pressed twice in a shortest solution, so trying all subsets is a proof."""
    for level in gp.levels_at("lights_out/first"):
        assert isinstance(level, Level)
        masks = level.presses.values()
        counts = (
            size
            for size in range(len(masks) + 1)
            for chosen in itertools.combinations(masks, size)
            if _together(chosen) == level.lamps
        )
        assert gp.solve(level).cost == next(counts)


def _together(masks: tuple[int, ...]) -> int:
    lamps = 0
    for mask in masks:
        lamps ^= mask
    return lamps


def test_level_of_two_lamps_is_impossible_when_one_is_lit() -> None:
    solution = gp.solve(level_of("O."))
    assert solution.found is False
    assert solution.states == 2


def test_unknown_action_is_refused_with_the_choices() -> None:
    level = level_of("OO", ".O")
    assert level.all_actions() == level.start().actions()
    assert len(level.all_actions()) == 4
    with pytest.raises(gp.IllegalAction, match="no such action; choose from press"):
        level.start().action("jump")


@pytest.mark.slow  # the search by ranks is compiled
def test_positions_are_numbered_by_their_lamps() -> None:
    level = level_of("O..O", "....", "O...", ".OO.")
    space, ruled = gp.explore(level), explore_by_rules(level)
    assert (space.engine, space.states, space.by_depth) == ("ranks", 4096, ruled.by_depth)
    assert set(space) == set(ruled)
    last = list(ruled)[-1]
    assert space.depth(last) == ruled.depth(last)
    assert space.trace_to(last).replay() == last

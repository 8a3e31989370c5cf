"""The rules of extended Sokoban, clause by clause."""

from __future__ import annotations

import dataclasses
import pickle
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from tests.games.sokoban.boards import after, level, position, positions

import gridproof
from gridproof.core.errors import GridproofError, IllegalAction, InvalidLevel
from gridproof.core.position import Status
from gridproof.core.proposition import parse_goal
from gridproof.games.sokoban import GAME, Action, Bombed, Level, Position, Pushed, Stepped

UP, DOWN, LEFT, RIGHT, BOMB = Action
STEPS = {UP: (0, -1), DOWN: (0, 1), LEFT: (-1, 0), RIGHT: (1, 0)}
ROOM = """
#######
#     #
#  @  #
#  $ .#
#######
Bombs: 2
"""
OPEN = "--.\n-@-\n$--\n"  # without any wall: the grid alone holds everything


def codes(**parts: Any) -> list[tuple[str, object]]:
    """The problems of a level that is fine but for the given parts."""
    fine: dict[str, Any] = {"player": (0, 0), "bombs": 0, "boxes": {(1, 0)}, "depots": {(2, 0)}, "walls": ()}
    with pytest.raises(InvalidLevel) as caught:
        Level(**(fine | parts))
    return [(problem.code, problem.where) for problem in caught.value.problems]


# -- levels


@pytest.mark.clause("K1")
@pytest.mark.parametrize(
    ("action", "to"), [(UP, (1, 0)), (DOWN, (1, 2)), (LEFT, (0, 1)), (RIGHT, (2, 1))], ids=str
)
def test_x_grows_to_the_right_and_y_downwards(action: Action, to: tuple[int, int]) -> None:
    start = Level((1, 1), 0, {(0, 0)}, {(2, 2)}, ()).start()
    assert start.outcomes(action)[0].position.player == to


@pytest.mark.clause("K2")
def test_level_has_player_bombs_boxes_depots_and_walls() -> None:
    made = Level((1, 1), 3, [(2, 1)], [(3, 1), (3, 1)], {(0, 0)})
    assert (made.player, made.bombs) == ((1, 1), 3)
    assert (made.boxes, made.depots, made.walls) == tuple(map(frozenset, ({(2, 1)}, {(3, 1)}, {(0, 0)})))
    assert isinstance(made.boxes, frozenset)


@pytest.mark.clause("K2", "K3")
def test_level_problems_have_codes_and_cells() -> None:
    assert codes(player=None) == [("K2-no-player", None)]
    assert codes(bombs=-1) == [("K2-bombs", -1)]
    assert codes(player=(1, 0)) == [("K3-player-on-box", (1, 0))]
    assert codes(walls={(0, 0)}) == [("K3-player-on-wall", (0, 0))]
    assert codes(depots={(2, 0), (3, 0)}) == [("K3-counts", None)]
    assert codes(walls={(1, 0)}) == [("K3-wall-on-box", (1, 0))]
    assert codes(walls={(2, 0)}) == [("K3-wall-on-depot", (2, 0))]
    assert codes(boxes=(), depots=()) == [("K3-no-box", None)]
    assert codes(walls={(-1, 0)}) == [("K4-outside", (-1, 0))]


@pytest.mark.clause("K2")
def test_level_refuses_several_drawn_players() -> None:
    with pytest.raises(InvalidLevel) as caught:
        level("@+$*\n.@\n")
    assert [(p.code, p.where) for p in caught.value.problems] == [
        ("K2-many-players", (1, 0)),
        ("K2-many-players", (1, 1)),
        ("K3-counts", None),
    ]


@pytest.mark.clause("K3", "K4")
def test_level_problems_are_reported_at_once_in_fixed_order() -> None:
    with pytest.raises(InvalidLevel) as caught:
        Level((1, 0), -2, {(1, 0), (9, 1), (0, 3)}, {(2, 0), (0, -1)}, {(2, 0), (1, 0), (0, 3)}, size=(4, 4))
    assert str(caught.value).split("; ") == [
        "K2-bombs at -2: the number of bombs is negative",
        "K3-player-on-box at (1, 0): the player stands on a box",
        "K3-player-on-wall at (1, 0): the player stands on a wall",
        "K3-counts: there are 3 boxes and 2 depots",
        "K3-wall-on-box at (1, 0): a wall stands on a box",
        "K3-wall-on-box at (0, 3): a wall stands on a box",
        "K3-wall-on-depot at (2, 0): a wall stands on a depot",
        "K4-outside at (9, 1): the box is outside the grid of 4 x 4 cells",
        "K4-outside at (0, -1): the depot is outside the grid of 4 x 4 cells",
    ]


@pytest.mark.clause("K3")
def test_level_is_valid_when_its_boxes_stand_on_depots() -> None:
    assert Level((0, 0), 0, {(1, 0)}, {(1, 0)}, ()).start().won


@pytest.mark.clause("K4")
def test_grid_has_the_needed_or_the_given_size() -> None:
    assert Level((0, 0), 0, {(1, 4)}, {(2, 0)}, {(7, 2)}).size == (8, 5)
    assert Level((0, 0), 0, {(1, 0)}, {(2, 0)}, (), size=(9, 9)).size == (9, 9)
    assert codes(boxes={(3, 1)}, size=(3, 1)) == [("K4-outside", (3, 1))]


@pytest.mark.clause("K4")
def test_grid_holds_its_corners_and_nothing_beyond_its_sides() -> None:
    corners = {(0, 0), (3, 0), (0, 2), (3, 2)}
    assert Level((1, 1), 0, {(2, 1)}, {(1, 0)}, corners, size=(4, 3)).walls == corners
    for beyond in [(-1, 1), (4, 1), (1, -1), (1, 3)]:
        assert codes(walls={beyond}, size=(4, 3)) == [("K4-outside", beyond)]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"player": 5}, "the player stands at a pair of whole numbers (x, y), not 5"),
        ({"player": "ab"}, "the player stands at a pair of whole numbers (x, y), not 'ab'"),
        ({"player": (1.0, 2)}, "x of the player is a whole number, not 1.0"),
        ({"player": (1, True)}, "y of the player is a whole number, not True"),
        ({"boxes": [(1, 2, 3)]}, "a box stands at a pair of whole numbers (x, y), not (1, 2, 3)"),
        ({"boxes": 7}, "cells are needed for a box, not 7"),
        ({"depots": ["a"]}, "a depot stands at a pair of whole numbers (x, y), not 'a'"),
        ({"walls": None}, "cells are needed for a wall, not None"),
        ({"walls": [(0, 10**5000)]}, "y of a wall has more than 9 digits"),
        ({"walls": [(1000, 0)]}, "a grid of 1001 x 1 cells: each side has from 1 to 1000 of them"),
        ({"bombs": "3"}, "the number of bombs is a whole number, not '3'"),
        ({"bombs": 10**9}, "the number of bombs has more than 9 digits"),
        ({"size": 3}, "a size is a pair of whole numbers (width, height), not 3"),
        ({"size": (0, 3)}, "a grid of 0 x 3 cells: each side has from 1 to 1000 of them"),
        ({"size": (3, 0)}, "a grid of 3 x 0 cells: each side has from 1 to 1000 of them"),
        ({"size": (3, 1001)}, "a grid of 3 x 1001 cells: each side has from 1 to 1000 of them"),
        ({"size": (3, None)}, "the height is a whole number, not None"),
    ],
)
def test_values_of_another_kind_are_refused(parts: dict[str, Any], message: str) -> None:
    fine: dict[str, Any] = {"player": (0, 0), "bombs": 0, "boxes": {(1, 0)}, "depots": {(2, 0)}, "walls": ()}
    with pytest.raises(GridproofError) as caught:
        Level(**(fine | parts))
    assert str(caught.value) == message


@pytest.mark.clause("K20")
def test_levels_are_equal_when_contents_and_grids_are() -> None:
    one = Level((0, 0), 1, {(1, 0)}, {(2, 0)}, (), title="one", keys={"Date": "today"})
    assert one == Level((0, 0), 1, [(1, 0)], [(2, 0)], [], (3, 1), author="somebody")
    assert hash(one) == hash(dataclasses.replace(one, title="two"))
    for other in (
        {"player": (2, 0)},
        {"bombs": 0},
        {"depots": {(0, 0)}},
        {"walls": {(3, 0)}},
        {"size": (3, 2)},
    ):
        assert one != dataclasses.replace(one, **({"size": None} | other))


def test_repr_of_level_evaluates_to_the_level() -> None:
    made = level("; A title\n@$.#\nAuthor: me\nDate: now\n; a note\n")
    again = eval(repr(made), {"gridproof": gridproof})
    assert again == made
    assert (again.title, again.author, again.keys) == ("A title", "me", {"Date": "now"})
    assert made.game is GAME


# -- actions


@pytest.mark.clause("K4")
def test_player_and_boxes_stay_in_the_grid() -> None:
    corner = Level((0, 0), 0, {(1, 1)}, {(2, 2)}, (), (3, 3)).start()
    assert corner.actions() == (DOWN, RIGHT)
    opposite = Level((2, 2), 0, {(1, 1)}, {(0, 0)}, (), (3, 3)).start()
    assert opposite.actions() == (UP, LEFT)
    beside = Level((1, 0), 0, {(0, 0), (2, 0)}, {(0, 2), (2, 2)}, (), (3, 3)).start()
    assert beside.actions() == (DOWN,)


@pytest.mark.clause("K4")
def test_cells_outside_the_outer_wall_are_floor() -> None:
    assert after(position("  ####\n@ #$.#\n  ####\nBombs: 1\n"), "up").player == (0, 0)


@pytest.mark.clause("K5", "K6")
def test_step_to_a_free_cell_moves_only_the_player() -> None:
    start = position(ROOM)
    (outcome,) = start.outcomes(LEFT)
    assert outcome.events == (Stepped((2, 2)),)
    assert outcome.position == dataclasses.replace(start, player=(2, 2))
    assert (outcome.probability, outcome.reward, outcome.label) == (Fraction(1), 0, "")


@pytest.mark.clause("K6")
def test_push_moves_only_the_box_in_the_way() -> None:
    start = position("#######\n#@$ $.#\n#.    #\n#######\n")
    (outcome,) = start.outcomes(RIGHT)
    assert outcome.events == (Pushed((2, 1), (3, 1)),)
    assert outcome.position.player == (2, 1)
    assert outcome.position.boxes == {(3, 1), (4, 1)}
    assert outcome.position.walls == start.walls


@pytest.mark.clause("K5", "K6")
def test_step_is_refused_against_wall_or_blocked_box() -> None:
    start = position("--#--\n--@$$\n--$--\n--#--\n...--\n")
    assert start.actions() == (LEFT,)
    for action in (UP, DOWN, RIGHT):
        with pytest.raises(IllegalAction):
            start.outcomes(action)


@pytest.mark.parametrize(
    ("text", "action", "message"),
    [
        ("#@$.#", "left", "left: a wall is in row 1, column 1"),
        ("#@$#.#", "right", "right: the box in row 1, column 3 cannot be pushed to row 1, column 4"),
        (".@$", "right", "right: the box in row 1, column 3 cannot be pushed out of the grid"),
        ("#@$.#", "up", "up: nobody leaves the grid"),
        ("#@$.#", "bomb", "bomb: no bomb is left"),
        ("#@*#", "left", "left: the level is completed"),
        ("#@$.#", "jump", "jump: no such action; choose from up, down, left, right, bomb"),
        ("#@$.#", "", ": no such action; choose from up, down, left, right, bomb"),
    ],
)
def test_refused_action_says_why(text: str, action: str, message: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        position(text).action(action)
    assert str(caught.value) == message


def test_text_of_action_is_read_without_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Position, "execute", None)
    start = position(ROOM)
    assert [start.action(name) for name in ("up", "left", "right", "bomb")] == [UP, LEFT, RIGHT, BOMB]
    with pytest.raises(IllegalAction, match="cannot be pushed"):
        start.action("down")


@pytest.mark.clause("K7")
def test_bomb_action_needs_only_a_bomb() -> None:
    shut_in = position("####\n#@##\n#$.#\n####\nBombs: 1\n")
    assert shut_in.actions() == (BOMB,)
    spent = after(shut_in, "bomb")
    assert BOMB not in spent.actions()
    with pytest.raises(IllegalAction, match="no bomb is left"):
        spent.outcomes(BOMB)


@pytest.mark.clause("K8")
def test_bomb_deletes_only_the_walls_of_its_row_and_column() -> None:
    start = position("# ## #\n#$#@.#\n######\n#.#*$#\nBombs: 2\n")
    (outcome,) = start.outcomes(BOMB)
    hit = {(0, 1), (2, 1), (5, 1), (3, 0), (3, 2)}
    assert outcome.events == (Bombed(frozenset(hit)),)
    assert outcome.position == dataclasses.replace(start, bombs=1, walls=start.walls - hit)


@pytest.mark.clause("K8")
def test_bomb_is_spent_when_it_hits_nothing() -> None:
    (outcome,) = position("@ .\n$ #\nBombs: 3\n").outcomes(BOMB)
    assert outcome.events == (Bombed(frozenset()),)
    assert outcome.position.bombs == 2
    assert outcome.position.walls == {(2, 1)}


@pytest.mark.clause("K9")
def test_level_is_completed_when_the_boxes_are_the_depots() -> None:
    one = after(position("#@$.#\n# $.#\n"), "right")
    assert (one.won, one.status) == (False, Status.PLAYING)
    two = after(one, "left", "down", "right")
    assert two.boxes == two.level.depots
    assert (two.won, two.status) == (True, Status.WON)


def test_position_without_actions_is_lost() -> None:
    stuck = position("####\n#@##\n#$.#\n####\n")
    assert (stuck.status, stuck.ended, stuck.actions()) == (Status.LOST, True, ())


@pytest.mark.clause("K10")
@given(positions())
def test_bomb_never_completes_a_level(start: Position) -> None:
    if BOMB in start.actions():
        assert not start.outcomes(BOMB)[0].position.won


@pytest.mark.clause("K15")
def test_completed_level_has_no_actions() -> None:
    done = after(position("#@ $.#\nBombs: 5\n"), "right", "right")
    assert (done.status, done.ended, done.actions()) == (Status.WON, True, ())
    for action in Action:
        with pytest.raises(IllegalAction, match="the level is completed"):
            done.outcomes(action)


def test_actions_have_a_fixed_order_and_one_actor() -> None:
    start = position(ROOM)
    assert start.actions() == (UP, LEFT, RIGHT, BOMB)
    assert start.actions("player") == start.actions()
    assert start.actions("nature") == ()
    assert [str(action) for action in Action] == ["up", "down", "left", "right", "bomb"]


@pytest.mark.clause("K22")
def test_actions_have_names_and_letters_in_either_case() -> None:
    start = position("-@$.\n----\nBombs: 1\n")
    for texts, action in {"dD": DOWN, "lL": LEFT, "rR": RIGHT, "!": BOMB}.items():
        assert [start.action(text) for text in (str(action), *texts)] == [action] * (1 + len(texts))
    assert after(start, "down").action("U") is UP


# -- positions


def naive_after(start: Position, action: Action) -> tuple[Any, ...] | None:
    """K5 to K8 word by word: player, boxes, bombs and walls after the action, None when it cannot be."""

    def free(cell: tuple[int, int]) -> bool:
        inside = cell in [(x, y) for x in range(width) for y in range(height)]
        return inside and cell not in walls and cell not in boxes

    width, height = start.level.size
    (x, y), boxes, walls = start.player, set(start.boxes), set(start.walls)
    if action is BOMB:
        left = {wall for wall in walls if x != wall[0] and y != wall[1]}
        return (start.player, boxes, start.bombs - 1, left) if start.bombs else None
    dx, dy = STEPS[action]
    one, two = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
    if one in boxes and free(two):
        return one, boxes - {one} | {two}, start.bombs, walls
    return (one, boxes, start.bombs, walls) if free(one) else None


@pytest.mark.clause("K5", "K6", "K7", "K8", "K9", "K15")
@given(positions())
def test_rules_agree_with_their_words(start: Position) -> None:
    assert start.won == (set(start.boxes) == set(start.level.depots))
    for action in Action:
        expected = None if start.won else naive_after(start, action)
        assert (action in start.actions()) == (expected is not None)
        if expected is None:
            with pytest.raises(IllegalAction):
                start.outcomes(action)
        else:
            (outcome,) = start.outcomes(action)
            found = outcome.position
            assert (found.player, found.boxes, found.bombs, found.walls) == expected


@given(positions())
def test_positions_are_values(start: Position) -> None:
    twin = pickle.loads(pickle.dumps(start))
    assert twin == start
    assert hash(twin) == hash(start)
    assert start != dataclasses.replace(start, bombs=start.bombs + 1)
    assert start != dataclasses.replace(start, level=dataclasses.replace(start.level, bombs=99))
    assert start != start.text()


# -- what may be asked of positions


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("won", False),
        ("lost", False),
        ("ended", False),
        ("home", True),
        ("bombs = 2", True),
        ("bombs > 2", False),
        ("placed = 0", True),
        ("at(3,2)", True),
        ("at(2,2)", False),
        ("box(3,3)", True),
        ("!box(3,2)", True),
    ],
)
def test_propositions(text: str, holds: bool) -> None:
    assert parse_goal(GAME, text)(position(ROOM)) is holds


def test_placed_counts_boxes_on_depots() -> None:
    assert parse_goal(GAME, "placed = 2")(position("@**$.\n"))


@pytest.mark.parametrize("text", ["at(7,0)", "at(0,-1)", "box(a,0)", "box(0,5)"])
def test_cells_outside_the_grid_cannot_be_asked_for(text: str) -> None:
    with pytest.raises(GridproofError, match=r"x is from 0 to 6 and y from 0 to 4"):
        parse_goal(GAME, text)(position(ROOM))


@pytest.mark.clause("K22")
@pytest.mark.parametrize(("action", "costs"), [("up", (1, 0)), ("right", (1, 1)), ("bomb", (0, 0))], ids=str)
def test_moves_are_steps_and_pushes(action: str, costs: tuple[int, int]) -> None:
    start = position("----\n-@$.\nBombs: 1\n")
    chosen = start.action(action)
    (outcome,) = start.outcomes(chosen)
    assert tuple(measure.cost(start, chosen, outcome) for measure in GAME.measures) == costs
    assert [measure.name for measure in GAME.measures] == ["moves", "pushes"]

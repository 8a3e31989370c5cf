"""Actions for a pointer on Sokoban's board."""

from __future__ import annotations

import pytest
from tests.games.sokoban.boards import position

from gridproof.core.look import PointedCell
from gridproof.games.sokoban import GAME, Position

pointed = GAME.look.pointed

ROOM = """\
#######
#@    #
# # # #
#  $  #
# .   #
#######
"""


def apply(there: Position, actions: tuple[str, ...]) -> Position:
    for text in actions:
        (outcome,) = there.outcomes(there.action(text))
        there = outcome.position
    return there


@pytest.mark.parametrize(("cell", "steps"), [((5, 1), 4), ((1, 4), 3), ((3, 4), 5), ((3, 2), 3)])
def test_pointed_free_cell_means_the_shortest_walk(cell: tuple[int, int], steps: int) -> None:
    there = position(ROOM)
    actions = pointed(there, PointedCell(*cell))
    assert len(actions) == steps
    assert apply(there, actions).player == cell
    assert apply(there, actions).boxes == there.boxes


def test_pointer_gives_no_actions_for_unreachable_cells() -> None:
    there = position(ROOM)
    for cell in ((0, 0), (2, 2), (3, 3), (-1, 0), (99, 99)):
        assert pointed(there, PointedCell(*cell)) == ()
    shut = position("#####\n#@$ #\n##.##\n#####\n")
    assert pointed(shut, PointedCell(3, 1)) == ()


def test_pointed_box_beside_the_player_is_pushed() -> None:
    there = position("######\n#@$ .#\n######\n")
    assert pointed(there, PointedCell(2, 1)) == ("right",)


def test_dragged_box_takes_the_fewest_steps() -> None:
    there = position(ROOM)
    actions = pointed(there, PointedCell(3, 3, to=(2, 4)))
    after = apply(there, actions)
    assert after.won
    assert len(actions) == 7
    assert pointed(there, PointedCell(3, 3, to=(3, 3))) == ()
    assert pointed(there, PointedCell(3, 3, to=(2, 2))) == ()


def test_dragged_player_walks_to_a_free_cell() -> None:
    there = position(ROOM)
    assert pointed(there, PointedCell(1, 1, to=(2, 1))) == ("right",)
    actions = pointed(there, PointedCell(1, 1, to=(3, 2)))
    assert (len(actions), apply(there, actions).player) == (3, (3, 2))


@pytest.mark.parametrize(
    ("start", "end", "step"),
    [
        ((1, 1), (2, 1), ("right",)),
        ((1, 1), (4, 1), ("right",)),  # a push, and no walk round the box
        ((5, 3), (5, 9), ("down",)),
        ((5, 3), (5, 2), ()),
        ((5, 3), (6, 4), ()),
        ((-1, 0), (-3, 1), ()),
    ],
)
def test_swipe_anywhere_is_a_step(
    start: tuple[int, int], end: tuple[int, int], step: tuple[str, ...]
) -> None:
    there = position("#######\n#@$ . #\n#     #\n#     #\n#######\n")
    assert pointed(there, PointedCell(*start, to=end)) == step


def test_other_boxes_stay_while_one_is_dragged() -> None:
    there = position("########\n#@ $ $.#\n#     .#\n########\n")
    assert pointed(there, PointedCell(3, 1, to=(6, 1))) == ()
    actions = pointed(there, PointedCell(3, 1, to=(4, 1)))
    assert apply(there, actions).boxes == {(4, 1), (5, 1)}


def test_pointer_at_bombs_sets_off_a_bomb_if_any_is_left() -> None:
    armed = position("#####\n#@$.#\n#####\nBombs: 1\n")
    assert pointed(armed, PointedCell(0, 3)) == ("bomb",)
    assert pointed(apply(armed, ("bomb",)), PointedCell(0, 3)) == ()
    assert pointed(position("#####\n#@$.#\n#####\n"), PointedCell(0, 3)) == ()


def test_pointing_at_the_player_means_nothing() -> None:
    assert pointed(position("#####\n#@$.#\n#####\nBombs: 1\n"), PointedCell(1, 1)) == ()


@pytest.mark.parametrize(
    ("end", "bombs", "why"),
    [
        ((6, 2), "", "No way there without moving another box"),
        ((6, 2), "Bombs: 1\n", "No way there without moving another box or setting off a bomb"),
        ((3, 1), "", "Another box is there"),
        ((3, 0), "", "A wall is there"),
        (
            (3, 2),
            "",
            "No way was found to bring the box there",
        ),  # a page without a server asks so for any cell
    ],
)
def test_drag_in_vain_says_what_else_must_happen(end: tuple[int, int], bombs: str, why: str) -> None:
    there = position(f"########\n#@ $   #\n#  $ # #\n#   #..#\n########\n{bombs}")
    assert pointed(there, PointedCell(3, 2, to=end)) == ()
    assert GAME.look.pointed_in_vain(there, PointedCell(3, 2, to=end)) == why


def test_box_can_never_be_brought_only_where_it_is_alone() -> None:
    alone = "######\n#@ $.#\n#    #\n######\n"
    at = PointedCell(3, 1, to=(3, 2))
    assert GAME.look.pointed_in_vain(position(alone), at) == "The box can never be brought there"
    armed = position(f"{alone}Bombs: 1\n")
    assert GAME.look.pointed_in_vain(armed, at) == "No way there without setting off a bomb"
    wide = 110 * " "
    long = position(f"{114 * '#'}\n#@ $.{wide[1:]}#\n#  {wide} #\n{114 * '#'}\n")
    assert GAME.look.pointed_in_vain(long, at) == "No way was found to bring the box there"


def test_drag_to_a_dead_position_is_done() -> None:
    there = position("######\n#@   #\n# $ .#\n#    #\n######\n")
    assert pointed(there, PointedCell(2, 2, to=(2, 3))) == ("right", "down")

"""Drafts of levels, and the tools of editors."""

from __future__ import annotations

from dataclasses import replace

import pytest

import gridproof as gp
from gridproof.core.editor import Draft, Editor
from gridproof.core.errors import GridproofError, Problem
from gridproof.core.extension import find_extension

GAMES = ("null", "robots", "shiftit", "sokoban", "twenty48")


def editor_of(name: str) -> Editor:
    found = find_extension(gp.game(name), "editor", Editor)
    assert found is not None
    return found


def rows(draft: Draft) -> list[str]:
    return [" ".join(row) for row in draft.cells]


def paint(name: str, *strokes: tuple[str, tuple[int, int]], part: str = "") -> list[str]:
    editor = editor_of(name)
    draft = editor.first
    for tool, place in strokes:
        draft = editor.apply_tool(draft, tool, place, part)
    return rows(draft)


def test_draft_grows_and_shrinks_at_each_side() -> None:
    draft = Draft((("a", "b"),))
    assert draft.add_line("left", ".").cells == ((".", "a", "b"),)
    assert draft.add_line("right", ".").cells == (("a", "b", "."),)
    assert draft.add_line("top", ".").cells == ((".", "."), ("a", "b"))
    assert draft.add_line("bottom", ".").cells == (("a", "b"), (".", "."))
    for side in ("left", "right", "top", "bottom"):
        assert draft.add_line(side, ".").remove_line(side) == draft


@pytest.mark.parametrize("name", GAMES)
def test_apply_tool_refuses_unknown_tool_cell_or_part(name: str) -> None:
    editor = editor_of(name)
    for tool, place, part in (("nonsense", (0, 0), ""), (editor.tools(editor.first)[0].name, (99, 0), "")):
        with pytest.raises(GridproofError):
            editor.apply_tool(editor.first, tool, place, part)
    with pytest.raises(GridproofError, match="cannot be put"):
        editor.apply_tool(editor.first, editor.tools(editor.first)[0].name, (0, 0), "middle")


@pytest.mark.parametrize("name", GAMES)
def test_check_refuses_invalid_drafts(name: str) -> None:
    editor = editor_of(name)
    wide = Draft((("x",) * 61,))
    ragged = Draft((*editor.first.cells, editor.first.cells[0][:1]))
    broken = editor.first.with_field("bombs", "1\n2")
    for draft in (wide, ragged, broken):
        with pytest.raises(GridproofError):
            editor.check(draft)


def test_pieces_share_a_cell_when_a_character_exists() -> None:
    floor = (1, 1)
    assert paint("sokoban", ("depot", floor), ("box", floor))[1] == "# * - - - - #"
    assert paint("sokoban", ("depot", floor), ("box", floor), ("player", floor))[1] == "# + - - - - #"
    assert paint("sokoban", ("depot", floor), ("wall", floor))[1] == "# # - - - - #"
    assert paint("sokoban", ("depot", floor), ("box", floor), ("floor", floor))[1] == "# - - - - - #"


def test_player_is_moved_when_painted_elsewhere() -> None:
    assert paint("sokoban", ("player", (1, 1)))[1:3] == ["# @ - - - - #", "# - - $ . - #"]


def test_robots_and_homes_move_and_turn() -> None:
    found = paint("robots", ("robot a", (4, 2)), ("home of a", (1, 1)), ("belt running left", (0, 0)))
    assert found == ["< . . . .", ". A # . .", "b . . . aB"]
    editor = editor_of("robots")
    turned = editor.apply_tool(editor.first, "robot b", (0, 2))
    assert "b: rule=B rotation=90\n" in editor.text(turned)
    assert editor.board(turned)[2][0][-1].turn == 90


@pytest.mark.clause("R8")
def test_problem_of_robot_is_on_its_cells() -> None:
    editor = editor_of("robots")
    assert editor.problem_cells(editor.first, Problem("R8d", "a", "")) == [(0, 0), (4, 0)]
    assert [*editor.problem_cells(editor.first, Problem("R9-home", (1, 2), ""))] == [(1, 2)]


@pytest.mark.clause("T15")
def test_twenty48_names_cells_by_row_and_column() -> None:
    editor = editor_of("twenty48")
    assert [*editor.problem_cells(editor.first, Problem("T12-value", (0, 3), ""))] == [(3, 0)]


@pytest.mark.clause("T5")
def test_empty_board_starts_by_chance() -> None:
    editor = editor_of("twenty48")
    draft = editor.apply_tool(editor.apply_tool(editor.first, "empty", (1, 2)), "empty", (2, 2))
    assert editor.text(draft) == "2048 4x4 spawn=spec target=2048\n"
    (level,) = gp.read(editor.text(draft))
    assert editor.draft(level) == Draft((("0",) * 4,) * 4, {"spawn": "spec", "target": "2048"})


def test_sides_of_a_tile_are_painted_one_by_one() -> None:
    assert paint("shiftit", ("yellow", (0, 0)), part="right")[0] == "ryrr b r"
    assert paint("shiftit", ("locked", (1, 1)), ("green", (1, 1)))[1] == "b g* r"
    assert paint("shiftit", ("locked", (1, 1)), ("not locked", (1, 1)))[1] == "b b r"


def test_editor_refuses_colours_without_letter() -> None:
    tile = gp.games.shiftit.Tile("t", 0, 0, ("cyan",) * 4)
    with pytest.raises(GridproofError, match="no letter"):
        editor_of("shiftit").draft(gp.games.shiftit.Level((tile,)))


@pytest.mark.parametrize("name", GAMES)
def test_editor_keeps_title_author_and_keys(name: str) -> None:
    editor = editor_of(name)
    (level,) = gp.read(editor.text(editor.first), name)
    about = editor.draft(level).about._replace(title="A title", author="Somebody", keys={"difficulty": "3"})
    (again,) = gp.read(editor.text(replace(editor.draft(level), about=about)), name)
    assert (again.title, again.author, dict(again.keys)) == ("A title", "Somebody", {"difficulty": "3"})

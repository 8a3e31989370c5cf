"""Editors: drafts mean the levels they were made of, can be shown however they are painted, and are read by the game."""

from __future__ import annotations

from collections.abc import Iterable

from gridproof.core import reading
from gridproof.core.editor import SIDES, Draft, Editor
from gridproof.core.errors import BrokenLevel, GridproofError, InvalidLevel
from gridproof.core.game import Game
from gridproof.core.loading import load
from gridproof.core.position import Level
from gridproof.testing.conformance.fault import place, raises, require
from gridproof.testing.conformance.looks import check_board


def check_editor(game: Game, levels: Iterable[Level]) -> None:
    """Drafts of levels, and of what the tools make of the first one."""
    editor: Editor = getattr(load(game.editor), "EDITOR", None)  # type: ignore[assignment]  # seen next
    require(isinstance(editor, Editor), f"{game.editor} has no EDITOR")
    with place("the first draft"):
        require(len(reading.read(editor.text(editor.first), game)) == 1, "it is not one level")
        _check_drawn(editor, editor.first)
        _check_tools(editor, game)
    foreign = editor.first.put((0, 0), "\N{SNOWMAN}")
    refused = raises(GridproofError, lambda: editor.board(foreign))
    require(refused, "a symbol that stands for nothing is shown")
    for number, level in enumerate(levels, 1):
        with place(f"level {number} ({level.title})"):
            _check_level(editor, level)


def _check_level(editor: Editor, level: Level) -> None:
    draft = editor.draft(level)
    text = editor.text(draft)
    again = reading.read(text, level.game)
    require(list(again) == [level], f"its draft means another level:\n{text}")
    for what in ("title", "author", "keys"):
        require(getattr(again[0], what) == getattr(level, what), f"its draft has another {what}")


def _check_drawn(editor: Editor, draft: Draft) -> None:
    editor.check(draft)
    board = editor.board(draft)
    require([*map(len, board)] == [*map(len, draft.cells)], "its board is of another size")
    check_board(board)


def _check_tools(editor: Editor, game: Game) -> None:
    """Each tool on the first cell and the last, alone and after the others."""
    all_of_them = editor.first
    last = editor.first.size[0] - 1, editor.first.size[1] - 1
    for tool in editor.tools(editor.first):
        with place(f"tool {tool.name!r}"):
            for part in ("", *editor.parts):
                for cell in ((0, 0), last):
                    _check_read(editor, editor.edited(editor.first, tool.name, cell, part), game)
                    if tool.name in {
                        item.name for item in editor.tools(all_of_them)
                    }:  # they go with the draft
                        all_of_them = editor.edited(all_of_them, tool.name, cell, part)
            _check_read(editor, all_of_them, game)
    for side in SIDES:
        with place(f"a line at the {side}"):
            _check_drawn_if_fits(editor, editor.first.grown(side, editor.blank), game)


def _check_drawn_if_fits(editor: Editor, draft: Draft, game: Game) -> None:
    if draft.size[0] <= editor.largest[0] and draft.size[1] <= editor.largest[1]:
        _check_read(editor, draft, game)


def _check_read(editor: Editor, draft: Draft, game: Game) -> None:
    """A draft is shown, and read or refused with what is wrong, on its cells."""
    _check_drawn(editor, draft)
    try:
        reading.read(editor.text(draft), game)
    except InvalidLevel as error:
        width, height = draft.size
        for problem in error.problems:
            for x, y in editor.concerned(draft, problem):
                require(0 <= x < width and 0 <= y < height, f"{problem} concerns a cell beside the board")
    except BrokenLevel:
        pass

"""Checks of editors: drafts keep their levels, and every draft can be shown and read."""

from __future__ import annotations

from collections.abc import Iterable

from gridproof.core.editor import SIDES, Draft, Editor
from gridproof.core.errors import BrokenLevel, GridproofError, InvalidLevel
from gridproof.core.game import Game
from gridproof.core.position import Level
from gridproof.core.text import recognition
from gridproof.testing.conformance.fault import place, raises, require
from gridproof.testing.conformance.looks import check_board


def check_editor(editor: Editor, game: Game, levels: Iterable[Level]) -> None:
    """Check drafts of levels, and drafts by the tools from the first one."""
    with place("the first draft"):
        require(len(recognition.read(editor.text(editor.first), game)) == 1, "it is not one level")
        _check_board(editor, editor.first)
        _check_tools(editor, game)
    foreign = editor.first.with_symbol((0, 0), "\N{SNOWMAN}")
    refused = raises(GridproofError, lambda: editor.board(foreign))
    require(refused, "a symbol that stands for nothing is shown")
    for number, level in enumerate(levels, 1):
        with place(f"level {number} ({level.title})"):
            _check_level(editor, level)


def _check_level(editor: Editor, level: Level) -> None:
    draft = editor.draft(level)
    text = editor.text(draft)
    again = recognition.read(text, level.game)
    require(list(again) == [level], f"its draft means another level:\n{text}")
    for what in ("title", "author", "keys"):
        require(getattr(again[0], what) == getattr(level, what), f"its draft has another {what}")


def _check_board(editor: Editor, draft: Draft) -> None:
    editor.check(draft)
    board = editor.board(draft)
    require([*map(len, board)] == [*map(len, draft.cells)], "its board is of another size")
    check_board(board)


def _check_tools(editor: Editor, game: Game) -> None:
    """Check each tool on the first cell and the last, alone and after the others."""
    combined = editor.first
    last = editor.first.size[0] - 1, editor.first.size[1] - 1
    for tool in editor.tools(editor.first):
        with place(f"tool {tool.name!r}"):
            for part in ("", *editor.parts):
                for cell in ((0, 0), last):
                    _check_draft(editor, editor.apply_tool(editor.first, tool.name, cell, part), game)
                    known = {item.name for item in editor.tools(combined)}  # they depend on the draft
                    if tool.name in known:
                        combined = editor.apply_tool(combined, tool.name, cell, part)
            _check_draft(editor, combined, game)
    for side in SIDES:
        with place(f"a line at the {side}"):
            draft = editor.first.add_line(side, editor.blank)
            if draft.size[0] <= editor.largest[0] and draft.size[1] <= editor.largest[1]:
                _check_draft(editor, draft, game)


def _check_draft(editor: Editor, draft: Draft, game: Game) -> None:
    """Check that a draft can be shown, and that it is read or refused with problems on its cells."""
    _check_board(editor, draft)
    try:
        recognition.read(editor.text(draft), game)
    except InvalidLevel as error:
        width, height = draft.size
        for problem in error.problems:
            for x, y in editor.problem_cells(draft, problem):
                require(0 <= x < width and 0 <= y < height, f"{problem} concerns a cell beside the board")
    except BrokenLevel:
        pass

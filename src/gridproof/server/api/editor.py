"""REST routes of the level editor: a draft comes with edits, and goes back with its problems."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from gridproof.analysis.json_data import Data
from gridproof.core.difficulty import KEY
from gridproof.core.editor import Draft, Editor, Tool
from gridproof.core.errors import BrokenLevel, GridproofError, InvalidLevel, ParseError, Problem
from gridproof.core.extension import find_extension, find_function, function_table
from gridproof.core.game import Game
from gridproof.core.generate import MISSED
from gridproof.core.measure import measures, spoken_name
from gridproof.core.position import Level
from gridproof.core.puzzle import PUZZLE_KEY, is_generated_title
from gridproof.core.registry import game as game_named
from gridproof.core.registry import is_game
from gridproof.core.text import recognition
from gridproof.core.text.display import printable
from gridproof.core.text.lines import LevelHeader
from gridproof.core.text.pack import Pack
from gridproof.server.api.schemas import ConvertText, DraftEdit, DraftSchema, EditDraft
from gridproof.server.context import context_of
from gridproof.server.errors import RequestError
from gridproof.server.live.piece_table import PieceTable
from gridproof.server.rate_limits import Limits
from gridproof.server.session_memory import check_board
from gridproof.store import digest

router = APIRouter(prefix="/api")
MOST_PROBLEMS = 200
OWN_TITLE = "My level"
"""Title of a changed level that had a generated one: it is another level now."""


def editor_of(game: Game) -> Editor:
    """Return the editor of a game; raise a RequestError if it has none."""
    found = find_extension(game, "editor", Editor)
    if found is None:
        raise RequestError("missing", f"levels of {game.name} cannot be edited here")
    return found


@router.post("/drafts")
async def draft(request: Request, body: EditDraft) -> Data:
    """Apply edits to a draft; return its picture, its text, the tools, and every broken clause with its cells.

    The draft is the sent one, the level of a text, or the start of a new level.
    """
    context, text = context_of(request), body.text or ""
    return await context.read_checked(text, _answer, body, context.limits)


def _answer(body: EditDraft, limits: Limits) -> Data:
    game, found, levels, notice = _load_draft(body, limits)
    editor = editor_of(game)
    editor.check(found)
    for edit in body.edits:
        edited = _apply_edit(editor, found, edit)
        is_changed = (edited.cells, edited.fields) != (found.cells, found.fields)
        found = _forget_results(game, edited) if is_changed else edited
    editor.check(found)
    about: Data = {"game": game.name, "title": game.title, "levels": levels, "formats": _formats(game)}
    return {**about, **_draft_data(game, editor, found), **({"notice": notice} if notice else {})}


def _load_draft(body: EditDraft, limits: Limits) -> tuple[Game, Draft, int, str]:
    """Return the game, the draft, the number of levels in the text, and what could not be read."""
    if body.text is not None:
        return _draft_of_text(body.text, body.game, body.level, limits)
    if body.game is None or not is_game(body.game):
        raise RequestError("missing", f"there is no game {printable(body.game or '')!r}")
    game = game_named(body.game)
    return game, editor_of(game).first if body.draft is None else _draft(body.draft), 1, ""


def _draft_of_text(text: str, name: str | None, number: int, limits: Limits) -> tuple[Game, Draft, int, str]:
    """Return the draft of a level of a text: also of a position in mid-game, or a sketch of a broken level."""
    broken: BrokenLevel | None = None
    levels: dict[int, Level] = {}
    wrong: dict[int, BrokenLevel] = {}
    try:
        levels = dict(enumerate(recognition.read(text, name), 1))
    except BrokenLevel as error:
        broken, wrong = error, {one.number or 1: one for one in error.level_errors()}
        if error.pack is not None:
            levels = dict(zip(error.pack.numbers, error.pack, strict=True))
        elif (inside := _inside(text, name)) is not None:
            levels, wrong = {1: inside}, {}
    count = len(levels) + len(wrong)
    if number in levels:
        level = levels[number]
        check_board(level.start(), limits)
        return level.game, editor_of(level.game).draft(level), count, ""
    if broken is None or number not in wrong:
        raise RequestError("input", f"choose a level from 1 to {count}")
    return _sketch(text, name, wrong[number], count)


def _inside(text: str, name: str | None) -> Level | None:
    """Return the level of a text that shows a position in mid-game; None if it does not."""
    try:
        level: Level = recognition.position(text, name).level
    except GridproofError:
        return None
    return level


def _sketch(text: str, name: str | None, error: BrokenLevel, count: int) -> tuple[Game, Draft, int, str]:
    """Recover the drawable part of a broken level; raise its error if there is none."""
    try:
        game = recognition.recognise(text, name)[0]
    except GridproofError:
        raise error from None
    found = editor_of(game).sketch(text, error.line)
    if found is None:
        raise error
    return game, found, count, printable(error.description) if isinstance(error, ParseError) else ""


def _draft(sent: DraftSchema) -> Draft:
    about = LevelHeader(sent.title, sent.author, sent.keys)
    if not sent.cells or not sent.cells[0]:
        raise RequestError("input", "a draft needs at least one cell")
    return Draft(tuple(map(tuple, sent.cells)), sent.fields, about)


def _apply_edit(editor: Editor, draft: Draft, edit: DraftEdit) -> Draft:
    if edit.tool is not None:
        return editor.apply_tool(draft, edit.tool, (edit.x, edit.y), edit.part)
    if edit.field is not None:
        return draft.with_field(edit.field, edit.value)
    if edit.grow is not None:
        return draft.add_line(edit.grow, editor.blank)
    if edit.shrink is None:
        raise RequestError("input", "an edit needs a tool, a field, grow or shrink")
    if draft.size[edit.shrink in ("top", "bottom")] == 1:
        raise RequestError("action", "the last line of cells cannot be removed")
    return draft.remove_line(edit.shrink)


def _forget_results(game: Game, draft: Draft) -> Draft:
    """Return a changed draft without what was found out about the level before and its author; a generated title is replaced."""
    found = {KEY, PUZZLE_KEY, MISSED, "study", *measures(game), *map(spoken_name, measures(game))}
    results = {name.lower() for name in found}
    about = draft.about
    kept = {name: value for name, value in about.keys.items() if name.lower() not in results}
    title = OWN_TITLE if is_generated_title(game, about.title) else about.title
    author = about.author if len(kept) == len(about.keys) else ""
    return replace(draft, about=LevelHeader(title, author, kept))


def _formats(game: Game) -> list[Data]:
    """List the formats that can hold the levels of the game."""
    written = [
        {"name": item.name, "ending": item.extensions[0], "meaning": item.meaning}
        for item in game.formats
        if item.write
    ]
    return written + [_export(game, name) for name in function_table(game, "exports")]


def _export(game: Game, name: str) -> Data:
    """Return an export format for other programs, with its options."""
    exporter = find_function(game, "exports", name)
    asks = _asks(exporter) if exporter else []
    return {"name": name, "ending": f".{name}", "meaning": "for other programs", "asks": asks}


def _asks(exporter: Callable[..., str]) -> list[str]:
    """Return the options of an exporter that are numbers, which the page asks for."""
    options = [*inspect.signature(exporter, eval_str=True).parameters.values()][2:]
    return [option.name for option in options if option.annotation == int | None]


def _draft_data(game: Game, editor: Editor, draft: Draft) -> Data:
    table = PieceTable()
    board = editor.board(draft)
    text = editor.text(draft)
    fields = [
        {
            "name": item.name,
            "value": editor.value(draft, item.name),
            "label": item.label or item.name,
            **(
                {"choices": item.choices, "words": item.words or item.choices}
                if item.choices
                else {"least": item.least, "most": item.most}
            ),
        }
        for item in editor.fields(draft)
    ]
    data: Data = {
        "draft": {
            "cells": draft.cells,
            "fields": draft.fields,
            "title": draft.about.title,
            "author": draft.about.author,
            "keys": dict(draft.about.keys),
        },
        "text": text,
        "tools": [_tool_data(tool, table) for tool in editor.tools(draft)],
        "parts": editor.parts,
        "least": editor.least,
        "largest": editor.largest,
        "fields": fields,
        "board": table.board(board, ()),
        "problems": _problems(game, editor, draft, text),
    }
    if not data["problems"]:
        data["key"] = digest(recognition.read(text, game)[0])
    return {**data, "pieces": table.pieces}


def _tool_data(tool: Tool, table: PieceTable) -> Data:
    return {"name": tool.name, "pile": table.pile(((tool.picture,),), 0, 0), "whole": tool.whole}


def _problems(game: Game, editor: Editor, draft: Draft, text: str) -> list[Data]:
    """List the problems that the game's reader finds in the text."""
    try:
        recognition.read(text, game)
    except InvalidLevel as error:
        found = [_problem(editor, draft, problem) for problem in error.problems[:MOST_PROBLEMS]]
        if more := len(error.problems) - len(found):
            found.append(
                {"code": "", "text": f"and {more:,} more, which are not listed", "cells": [], "more": more}
            )
        return found
    except ParseError as error:
        place = {"line": error.line, "column": error.column, "expected": error.expected}
        return [{"code": "", "text": printable(error.description), "cells": [], **place}]
    return []


def _problem(editor: Editor, draft: Draft, problem: Problem) -> Data:
    width, height = draft.size
    cells = [(x, y) for x, y in editor.problem_cells(draft, problem) if 0 <= x < width and 0 <= y < height]
    return {"code": problem.code, "text": printable(problem.message), "cells": cells}


@router.post("/texts", response_class=PlainTextResponse)
async def text(request: Request, body: ConvertText) -> PlainTextResponse:
    """Convert levels to another format."""
    return PlainTextResponse(await context_of(request).read_checked(body.text, _convert, body))


def _convert(body: ConvertText) -> str:
    levels: Pack = recognition.read(body.text, body.game)
    exporter: Callable[..., str] | None = find_function(levels.game, "exports", body.format)
    if exporter is None:
        return levels.text(body.format)
    if foreign := sorted(body.options.keys() - {*_asks(exporter)}):
        raise RequestError("input", f"{body.format} has no number {printable(', '.join(foreign))}")
    return exporter(body.text, levels.game.name, **body.options)

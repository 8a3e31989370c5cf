"""Levels that are made on the page: a draft comes with what is to be done with it, and goes back with all that is wrong."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from gridproof.core import reading
from gridproof.core.editor import Draft, Editor, Tool
from gridproof.core.errors import BrokenLevel, GridproofError, InvalidLevel, ParseError, Problem
from gridproof.core.game import Game
from gridproof.core.lines import About
from gridproof.core.loading import load
from gridproof.core.pack import Pack
from gridproof.core.position import Level
from gridproof.core.registry import game as game_named
from gridproof.core.registry import is_game
from gridproof.play.data import Data
from gridproof.play.text import printable
from gridproof.play.web.asked import DraftAsked, DraftSent, EditAsked, TextAsked
from gridproof.play.web.faults import Fault
from gridproof.play.web.house import check_length, house_of
from gridproof.play.web.pieces import PieceTable

router = APIRouter(prefix="/api")
MOST_PROBLEMS = 200


def editor_of(game: Game) -> Editor:
    """The editor of a game; a Fault where it has none."""
    if not game.editor:
        raise Fault("missing", f"levels of {game.name} cannot be edited here")
    found: Editor = load(game.editor).EDITOR
    return found


@router.post("/drafts")
async def draft(request: Request, asked: DraftAsked) -> Data:
    """A draft after some edits: how it looks, its text, what can be put on it, and every broken clause with its cells.

    It is that which was sent, that of a level's text, or that which a new level begins with.
    """
    check_length(asked.text or "", house_of(request).limits)
    return await asyncio.to_thread(_answer, asked)


def _answer(asked: DraftAsked) -> Data:
    game, found, levels, notice = _asked(asked)
    editor = editor_of(game)
    editor.check(found)
    for edit in asked.edits:
        found = _edited(editor, found, edit)
    editor.check(found)
    about: Data = {"game": game.name, "title": game.title, "levels": levels, "formats": _formats(game)}
    return {**about, **_told(game, editor, found), **({"notice": notice} if notice else {})}


def _asked(asked: DraftAsked) -> tuple[Game, Draft, int, str]:
    """The game, the draft, how many levels there are to choose from, and what was left out."""
    if asked.text is not None:
        return _drawn(asked.text, asked.game, asked.level)
    if asked.game is None or not is_game(asked.game):
        raise Fault("missing", f"there is no game {printable(asked.game or '')!r}")
    game = game_named(asked.game)
    return game, editor_of(game).first if asked.draft is None else _draft(asked.draft), 1, ""


def _drawn(text: str, name: str | None, number: int) -> tuple[Game, Draft, int, str]:
    """A level of a text, from 1; also one that starts in the middle of a game, or as much as can be drawn of one that is none."""
    broken: BrokenLevel | None = None
    levels: dict[int, Level] = {}
    wrong: dict[int, BrokenLevel] = {}
    try:
        levels = dict(enumerate(reading.read(text, name), 1))
    except BrokenLevel as error:
        broken, wrong = error, {one.number or 1: one for one in error.each()}
        if error.pack is not None:
            levels = dict(zip(error.pack.numbers, error.pack, strict=True))
        elif (inside := _inside(text, name)) is not None:
            levels, wrong = {1: inside}, {}
    count = len(levels) + len(wrong)
    if number in levels:
        level = levels[number]
        return level.game, editor_of(level.game).draft(level), count, ""
    if broken is None or number not in wrong:
        raise Fault("input", f"the levels are numbered from 1 to {count}")
    return _sketched(text, name, wrong[number], count)


def _inside(text: str, name: str | None) -> Level | None:
    """The level of a text that shows the middle of a game; None where it shows none."""
    try:
        level: Level = reading.position(text, name).level
    except GridproofError:
        return None
    return level


def _sketched(text: str, name: str | None, error: BrokenLevel, count: int) -> tuple[Game, Draft, int, str]:
    """What can be drawn of a broken level; where nothing can, its error is raised."""
    try:
        game = reading.recognised(text, name)[0]
    except GridproofError:
        raise error from None
    found = editor_of(game).sketch(text, error.line)
    if found is None:
        raise error
    return game, found, count, printable(error.told) if isinstance(error, ParseError) else ""


def _draft(sent: DraftSent) -> Draft:
    about = About(sent.title, sent.author, sent.keys)
    if not sent.cells or not sent.cells[0]:
        raise Fault("input", "a draft has a cell at least")
    return Draft(tuple(map(tuple, sent.cells)), sent.fields, about)


def _edited(editor: Editor, draft: Draft, edit: EditAsked) -> Draft:
    if edit.tool is not None:
        return editor.edited(draft, edit.tool, (edit.x, edit.y), edit.part)
    if edit.field is not None:
        return draft.named(edit.field, edit.value)
    if edit.grow is not None:
        return draft.grown(edit.grow, editor.blank)
    if edit.shrink is None:
        raise Fault("input", "an edit has a tool, a field, grow or shrink")
    if draft.size[edit.shrink in ("top", "bottom")] == 1:
        raise Fault("action", "one line of cells has to stay")
    return draft.shrunk(edit.shrink)


def _formats(game: Game) -> list[Data]:
    """Those that its levels can be written in."""
    written = [
        {"name": item.name, "ending": item.extensions[0], "meaning": item.meaning}
        for item in game.formats
        if item.write
    ]
    return written + [_export(game, name) for name in game.exports]


def _export(game: Game, name: str) -> Data:
    """What is written for other programs, with the numbers that it asks for."""
    exporter = game.exporter(name)
    asks = _asks(exporter) if exporter else []
    return {"name": name, "ending": f".{name}", "meaning": "for other programs", "asks": asks}


def _asks(exporter: Callable[..., str]) -> list[str]:
    """The options of what writes for other programs."""
    return [*inspect.signature(exporter).parameters][2:]


def _told(game: Game, editor: Editor, draft: Draft) -> Data:
    table = PieceTable()
    board = editor.board(draft)
    text = editor.text(draft)
    fields = [
        {
            "name": item.name,
            "value": editor.value(draft, item.name),
            **({"choices": item.choices} if item.choices else {"least": item.least, "most": item.most}),
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
    return {**data, "pieces": table.known}


def _tool_data(tool: Tool, table: PieceTable) -> Data:
    return {"name": tool.name, "pile": table.pile(((tool.picture,),), 0, 0), "whole": tool.whole}


def _problems(game: Game, editor: Editor, draft: Draft, text: str) -> list[Data]:
    """What the game's reader says of the text."""
    try:
        reading.read(text, game)
    except InvalidLevel as error:
        return [_problem(editor, draft, problem) for problem in error.problems[:MOST_PROBLEMS]]
    except ParseError as error:
        place = {"line": error.line, "column": error.column, "expected": error.expected}
        return [{"code": "", "text": printable(error.told), "cells": [], **place}]
    return []


def _problem(editor: Editor, draft: Draft, problem: Problem) -> Data:
    width, height = draft.size
    cells = [(x, y) for x, y in editor.concerned(draft, problem) if 0 <= x < width and 0 <= y < height]
    return {"code": problem.code, "text": printable(problem.message), "cells": cells}


@router.post("/texts", response_class=PlainTextResponse)
async def text(request: Request, asked: TextAsked) -> PlainTextResponse:
    """Levels in another format."""
    check_length(asked.text, house_of(request).limits)
    return PlainTextResponse(await asyncio.to_thread(_written, asked))


def _written(asked: TextAsked) -> str:
    levels: Pack = reading.read(asked.text, asked.game)
    exporter: Callable[..., str] | None = levels.game.exporter(asked.format)
    if exporter is None:
        return levels.text(asked.format)
    if foreign := sorted(asked.options.keys() - {*_asks(exporter)}):
        raise Fault("input", f"{asked.format} does not ask for {printable(', '.join(foreign))}")
    return exporter(asked.text, levels.game.name, **asked.options)

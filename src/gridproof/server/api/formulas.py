"""REST routes that parse and check formulas and list their vocabulary."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

from fastapi import APIRouter, Request

from gridproof.analysis.json_data import Data
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.limit import Limit
from gridproof.core.measure import measures
from gridproof.core.position import Level, Position
from gridproof.core.proposition import propositions
from gridproof.core.text import recognition
from gridproof.core.text.phrases import format_count
from gridproof.prove.game_formulas import formulas_of
from gridproof.search.cost_product import COST
from gridproof.server.api.schemas import CheckFormula, CreateReplay, LevelText, ParseFormula
from gridproof.server.context import check_length, context_of
from gridproof.server.jobs import JobRequest
from gridproof.server.live.board_delta import BoardSnapshot
from gridproof.server.live.piece_table import PieceTable
from gridproof.server.live.replays import Replays, trace_length, trace_of
from gridproof.server.middleware import client_of
from gridproof.server.rate_limits import Limits
from gridproof.server.session_memory import check_board

router = APIRouter(prefix="/api")
MOST_ACTIONS = 200
"""Actions listed for completion."""
OPERATORS = {
    "!": "not", "&": "and", "|": "or", "->": "if, then", "<->": "just if",
    "AG": "in all reachable positions, on all paths", "AF": "at some point, on all paths",
    "AX": "in each next position", "EG": "always, on some path", "EF": "at some point, on some path",
    "EX": "in some next position", "A[... U ...]": "on all paths: until", "E[... U ...]": "on some path: until",
    "G": "always from now on", "F": "at some point from now on", "X": "in the next position",
    "U": "until", "W": "until, or for ever", "R": "up to and with, or for ever",
    "H": "always up to now", "O": "at some point up to now", "Y": "in the previous position", "S": "since",
    "true": "everywhere", "false": "nowhere", "deadlock": "no action is possible",
    "e(...)": "the action is possible", "[...]": "the next action is this one", "<<...>>": "these players can force",
}  # fmt: skip
"""Parts of formulas besides propositions."""
COMMON = {
    "EF won": "can it be won?",
    "AG EF won": "can it always still be won?",
    "AG (ended -> won)": "is every end a win?",
    "EF AG !won": "how is a lost position reached?",
}
"""Questions for every game."""


@router.post("/vocabularies")
async def vocabulary(request: Request, body: LevelText) -> Data:
    """Return the names and operators for formulas about a level, and some questions worth asking."""
    context = context_of(request)
    check_length(body.text, context.limits)
    return await context.read_text(len(body.text), partial(_vocabulary, body, context.limits))


def _vocabulary(body: LevelText, limits: Limits) -> Data:
    level, start = level_of(body.text, body.game)
    check_board(start, limits)
    names = propositions(level.game).values()
    costs = measures(level.game).values()
    listed = [
        {
            "name": item.name,
            "form": f"{item.name}({','.join(item.parameters)})" if item.parameters else item.name,
            "meaning": item.meaning,
            "number": item.number,
        }
        for item in names
    ] + [
        {
            "name": COST,
            "form": f"{COST}({item.name})",
            "meaning": f"spent since the start: {item.meaning}",
            "number": True,
        }
        for item in costs
    ]
    table = PieceTable()
    data: Data = {
        "game": level.game.name,
        "title": level.title,
        "propositions": listed,
        "operators": [{"form": form, "meaning": meaning} for form, meaning in OPERATORS.items()],
        "actions": [*map(str, itertools.islice(level.all_actions() or start.actions(), MOST_ACTIONS))],
        "actors": [*level.game.actors(level)],
        "examples": [
            {"formula": formula, "meaning": meaning}
            for formula, meaning in {
                **COMMON,
                **_about_costs(level.game),
                **formulas_of(level.game).questions,
            }.items()
            if _fits(formula, start)
        ],
        "board": BoardSnapshot(start).data(table),
    }
    return {**data, "pieces": table.pieces}


def _about_costs(game: Game) -> dict[str, str]:
    """Return a question about the least cost of a win, for each measure of a game."""
    return {
        f"EF (won & cost({name}) <= 1)": f"can it be won with {format_count(1, name)}?"
        for name in measures(game)
    }


def level_of(text: str, game: str | None) -> tuple[Level, Position[Any]]:
    """Return the first level of a text, or the level of a position, and a start of it."""
    try:
        level: Level = recognition.read(text, game)[0]
    except GridproofError as error:
        try:
            level = recognition.position(text, game).level
        except GridproofError:
            raise error from None
    return level, next(iter(level.starts())).position


def _fits(formula: str, start: Position[Any]) -> bool:
    """Return whether a formula applies to a level, which may have no robot b."""
    try:
        _parse_formula(formula, start)
    except GridproofError:
        return False
    return True


def _parse_formula(text: str, start: Position[Any]) -> Data:
    from gridproof.prove.formula import logic_of
    from gridproof.prove.name_check import check_names
    from gridproof.prove.parsing import parse

    formula = parse(text)
    check_names(formula, start)
    return {"formula": str(formula), "logic": logic_of(formula).value}


@router.post("/formulas")
async def formula(request: Request, body: ParseFormula) -> Data:
    """Parse a formula about a level and return its logic; the error says where it is wrong."""
    context = context_of(request)
    check_length(body.text, context.limits)
    return await context.read_text(len(body.text), partial(_formula, body))


def _formula(body: ParseFormula) -> Data:
    return _parse_formula(body.formula, level_of(body.text, body.game)[1])


def _check(level: Level, formula: str, paths: str, limit: Limit, progress: Callable[[int], None]) -> Data:
    """Prove or refute a formula and return the verdict as JSON."""
    from gridproof.prove.check import check

    verdict = check(level, formula, paths, limit=limit, progress=progress)
    result: Data = {
        "formula": str(verdict.formula),
        "holds": verdict.holds,
        "answer": verdict.answer,
        "statement": verdict.sentence("The formula"),
        "work": verdict.work,
        "remarks": verdict.remarks,
        "stopped_by": verdict.stopped_by,
    }
    if verdict.trace is not None:
        trace = {"shows": verdict.shows, "trace": verdict.trace.to_json(), "loop": verdict.trace.loop}
        result |= {**trace, "actions": len(verdict.trace.steps)}
    return result


@router.post("/checks", status_code=202)
async def check(request: Request, body: CheckFormula) -> Data:
    """Start checking a formula; poll the job's id until it is done."""
    context = context_of(request)
    check_length(body.text, context.limits)

    level = await context.read_text(len(body.text), partial(_level_to_check, body, context.limits))
    work = partial(_check, level, body.formula, body.paths)
    job = JobRequest("Checking a formula", work, context.jobs.limit(body.seconds))
    name = context.jobs.submit(client_of(request.scope), job)
    return job.data(name)


def _level_to_check(body: CheckFormula, limits: Limits) -> Level:
    level, start = level_of(body.text, body.game)
    check_board(start, limits)
    _parse_formula(body.formula, start)
    return level


@router.post("/replays")
async def replay(request: Request, body: CreateReplay) -> Data:
    """Start a replay of a trace: the board at its start, and its first steps."""
    context = context_of(request)
    return await context.read_text(trace_length(body.trace), partial(_replay, body, context.limits))


def _replay(body: CreateReplay, limits: Limits) -> Data:
    replays, table = Replays(limits), PieceTable()
    start = replays.start_trace(trace_of(body.trace, limits), table)
    steps: list[Data] = []
    end = False
    while len(steps) < body.count and not end:
        part = replays.steps(start["replay"], len(steps), body.count - len(steps)).data(table)
        steps += part["steps"]
        end = part["end"]
    return {**start, "steps": steps, "end": end, "pieces": table.pieces}

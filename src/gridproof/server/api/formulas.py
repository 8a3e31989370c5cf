"""Formulas that are asked on the page: what there is to write, whether a text is one, and what is proved."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

from fastapi import APIRouter, Request

from gridproof.core import reading
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.position import Level, Position
from gridproof.core.proposition import propositions
from gridproof.play.data import Data
from gridproof.play.web.asked import CheckAsked, FormulaAsked, LevelAsked, ReplayAsked
from gridproof.play.web.guard import client_of
from gridproof.play.web.house import check_length, house_of
from gridproof.play.web.pieces import PieceTable
from gridproof.play.web.replays import Replays
from gridproof.play.web.steps import Drawn
from gridproof.play.web.working import Question

router = APIRouter(prefix="/api")
MOST_ACTIONS = 200
"""That are told for completion."""
OPERATORS = {
    "!": "not", "&": "and", "|": "or", "->": "if, then", "<->": "just if",
    "AG": "in all positions that come, on all paths", "AF": "some time, on all paths",
    "AX": "at each next position", "EG": "always, on some path", "EF": "some time, on some path",
    "EX": "at some next position", "A[... U ...]": "on all paths: until", "E[... U ...]": "on some path: until",
    "G": "always from now on", "F": "at some time from now on", "X": "at the next position",
    "U": "until", "W": "until, or for ever", "R": "up to and with, or for ever",
    "H": "always up to now", "O": "at some time up to now", "Y": "at the position before", "S": "since",
    "true": "everywhere", "false": "nowhere", "deadlock": "no action can be done",
    "e(...)": "the action can be done", "[...]": "the next action is this one", "<<...>>": "these players can force",
}  # fmt: skip
"""What formulas are made of, besides propositions."""
COMMON = {
    "EF won": "can it be won?",
    "AG EF won": "can one never get stuck?",
    "AG (ended -> won)": "is every end a win?",
    "EF AG !won": "how does one come to a position without hope?",
}
"""Questions for every game."""


@router.post("/vocabularies")
async def vocabulary(request: Request, asked: LevelAsked) -> Data:
    """What a formula about a level can be made of, and some that are worth asking of it."""
    check_length(asked.text, house_of(request).limits)
    return await asyncio.to_thread(_vocabulary, asked)


def _vocabulary(asked: LevelAsked) -> Data:
    level, start = level_of(asked.text, asked.game)
    known = propositions(level.game).values()
    listed = [
        {
            "name": item.name,
            "form": f"{item.name}({','.join(item.parameters)})" if item.parameters else item.name,
            "meaning": item.meaning,
            "number": item.number,
        }
        for item in known
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
            for formula, meaning in {**COMMON, **level.game.questions}.items()
            if _fits(formula, start)
        ],
        "board": Drawn(start).data(table),
    }
    return {**data, "pieces": table.known}


def level_of(text: str, game: str | None) -> tuple[Level, Position[Any]]:
    """The first level of a text, or one that starts with the position that it shows; and a start of it."""
    try:
        level: Level = reading.read(text, game)[0]
    except GridproofError as error:
        try:
            level = reading.position(text, game).level
        except GridproofError:
            raise error from None
    return level, next(iter(level.starts())).position


def _fits(formula: str, start: Position[Any]) -> bool:
    """Whether a formula can be asked of a level, which may have no robot b."""
    try:
        _understood(formula, start)
    except GridproofError:
        return False
    return True


def _understood(text: str, start: Position[Any]) -> Data:
    from gridproof.prove.formula import logic_of
    from gridproof.prove.names import check_names
    from gridproof.prove.parsing import parse

    formula = parse(text)
    check_names(formula, start)
    return {"formula": str(formula), "logic": logic_of(formula).value}


@router.post("/formulas")
async def formula(request: Request, asked: FormulaAsked) -> Data:
    """Whether a text is a formula about a level, and of which logic; an error tells where it is none."""
    check_length(asked.text, house_of(request).limits)

    def read() -> Data:
        return _understood(asked.formula, level_of(asked.text, asked.game)[1])

    return await asyncio.to_thread(read)


def _check(level: Level, formula: str, paths: str, limit: Limit, progress: Callable[[int], None]) -> Data:
    """What is proved of a formula, as pages are told of it."""
    from gridproof.prove.check import check

    verdict = check(level, formula, paths, limit=limit, progress=progress)
    result: Data = {
        "formula": str(verdict.formula),
        "holds": verdict.holds,
        "answer": verdict.answer,
        "work": verdict.work,
        "remarks": verdict.remarks,
        "stopped_by": verdict.stopped_by,
    }
    if verdict.trace is not None:
        trace = {"shows": verdict.shows, "trace": verdict.trace.to_json(), "loop": verdict.trace.loop}
        result |= {**trace, "actions": len(verdict.trace.steps)}
    return result


@router.post("/checks", status_code=202)
async def check(request: Request, asked: CheckAsked) -> Data:
    """Have a formula checked: ask for the job's id again until it is done."""
    house = house_of(request)
    check_length(asked.text, house.limits)

    def read() -> Level:
        level, start = level_of(asked.text, asked.game)
        _understood(asked.formula, start)
        return level

    level = await asyncio.to_thread(read)
    work = partial(_check, level, asked.formula, asked.paths)
    question = Question("Checking a formula", work, house.jobs.limit(asked.seconds))
    name = house.jobs.put(client_of(request.scope), question)
    return question.data(name)


@router.post("/replays")
async def replay(request: Request, asked: ReplayAsked) -> Data:
    """What a trace shows: the board at its start, and its first steps."""
    limits = house_of(request).limits

    def shown() -> Data:
        replays, table = Replays(limits), PieceTable()
        begun = replays.begin(replays.of_trace(asked.trace), table)
        steps: list[Data] = []
        end = False
        while len(steps) < asked.count and not end:
            part = replays.steps(begun["replay"], len(steps), asked.count - len(steps)).data(table)
            steps += part["steps"]
            end = part["end"]
        return {**begun, "steps": steps, "end": end, "pieces": table.known}

    return await asyncio.to_thread(shown)

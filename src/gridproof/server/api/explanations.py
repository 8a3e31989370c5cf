"""REST route that explains why a level cannot be won, for its designer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from fastapi import APIRouter, Request

from gridproof.analysis.design import ablations
from gridproof.analysis.json_data import Data
from gridproof.core.design import Ablation
from gridproof.core.limit import Budget, Limit
from gridproof.core.look import Look
from gridproof.core.position import Level
from gridproof.prove.position_status import prove
from gridproof.prove.verdict_line import explain_death
from gridproof.search.solve import solve
from gridproof.server.api.formulas import level_within
from gridproof.server.api.jobs import submit_job
from gridproof.server.api.schemas import AnalyseLevel
from gridproof.server.context import context_of
from gridproof.server.jobs import JobRequest

router = APIRouter(prefix="/api")
MOST_REMEDIES = 3
"""Pieces without which the level can be won, in an explanation."""


@router.post("/explanations", status_code=202)
async def explain(request: Request, body: AnalyseLevel) -> Data:
    """Start to explain why a level cannot be won; poll the job's id until it is done."""
    context = context_of(request)
    level = await context.read_checked(body.text, level_within, body, context.limits)
    job = JobRequest("Explaining", partial(_explain, level), context.jobs.limit(body.seconds))
    return submit_job(request, job)


def _explain(level: Level, limit: Limit, progress: Callable[[int], None]) -> Data:
    """Return the reason in words, the cells that show it, and the pieces without which the level can be won."""
    budget, meter = Budget(limit), limit.start()
    start = next(iter(level.starts())).position
    badge = prove(start, limit)
    budget.charge(meter)
    return {
        "why": explain_death(badge, level.game),
        "cells": [cell for note in badge.notes for cell in note.cells],
        "remedies": [*_remedies(level, budget)] if badge.dead else [],
    }


def _remedies(level: Level, budget: Budget) -> Iterator[Data]:
    """Yield in words without which pieces the level can be won, each with its cell."""
    found = 0
    for item in ablations(level):
        if found == MOST_REMEDIES or budget.is_spent:
            return
        if any(_can_be_won(one, budget) for one in item.levels):
            found += 1
            yield {
                "condition": item.condition.format(_in_words(item, level)),
                "cells": [] if item.place is None else [item.place],
            }


def _in_words(item: Ablation, level: Level) -> str:
    """Name a piece by the numbers of its row and column beside the board: "the box in row 2, column 5"."""
    if item.place is None or not item.noun:
        return item.piece
    look: Look = level.game.look
    return f"{item.noun} in {look.place_in_words(next(iter(level.starts())).position, item.place)}"


def _can_be_won(level: Level, budget: Budget) -> bool:
    return not budget.is_spent and bool(
        budget.charge(solve(level, None, limit=budget.remaining_limit())).found
    )

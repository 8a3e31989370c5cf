"""REST routes that analyse levels and packs and write certificates."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request

from gridproof.analysis.json_data import Data
from gridproof.core.difficulty import DIFFICULTIES, difficulty_standard, spoken_difficulty
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.position import Level, Position
from gridproof.core.text import recognition
from gridproof.core.text.pack import Pack
from gridproof.core.text.phrases import format_count
from gridproof.server.api import catalogue
from gridproof.server.api.formulas import level_of, level_within
from gridproof.server.api.jobs import submit_job
from gridproof.server.api.schemas import AnalyseLevel, AnalysePack, CreateCertificate
from gridproof.server.context import check_length, context_of
from gridproof.server.errors import RequestError
from gridproof.server.jobs import JobRequest
from gridproof.server.rate_limits import Limits

router = APIRouter(prefix="/api")

LARGEST_CERTIFICATE = 1 << 20
"""Bytes of a compressed certificate in a result."""
MOST_POSITIONS = 400_000
"""Positions of a certificate; one with more is too large, and takes long to write."""


@router.post("/analyses", status_code=202)
async def analyse(request: Request, body: AnalyseLevel) -> Data:
    """Start the analysis of a level; poll the job's id until it is done."""
    context = context_of(request)
    level = await context.read_checked(body.text, level_within, body, context.limits)
    limit = context.jobs.limit(body.seconds)
    return submit_job(request, JobRequest("Analysing", partial(_analyse, level), limit))


@router.post("/analyses/packs", status_code=202)
async def analyse_pack(request: Request, body: AnalysePack) -> Data:
    """Start the analysis of a pack; the job shows the finished levels meanwhile."""
    context = context_of(request)
    if (body.pack is None) == (body.text is None):
        raise RequestError("input", "give a built-in pack or a text")
    levels = await context.read_text(len(body.text or ""), partial(_levels, body, context.limits))
    limit = Limit(seconds=context.limits.pack_seconds)
    work = partial(_analyse_pack, levels.title, [*levels], context.limits.job_seconds / 2)
    return submit_job(request, JobRequest("Analysing a pack", work, limit))


@router.post("/certificates", status_code=202)
async def certificate(request: Request, body: CreateCertificate) -> Data:
    """Start writing a certificate that a level or a position cannot be won; poll the job's id until it is done.

    The result has the file that `gridproof verify` checks as base64; null when the limit was reached before.
    """
    context = context_of(request)
    check_length(body.text, context.limits)

    what = await context.read_text(len(body.text) + len(body.position or ""), partial(_subject, body))
    work = partial(_certify, what, None if body.actors is None else tuple(body.actors))
    return submit_job(request, JobRequest("Writing a certificate", work, context.jobs.limit(body.seconds)))


def _subject(body: CreateCertificate) -> Level | Position[Any]:
    level, _ = level_of(body.text, body.game)
    return level if body.position is None else level.position(body.position)


def _levels(body: AnalysePack, limits: Limits) -> Pack:
    if body.pack is not None:
        return catalogue.find_pack(*body.pack.partition("/")[::2])
    text = body.text or ""
    check_length(text, limits)
    return recognition.read(text, body.game)


def _analyse(level: Level, limit: Limit, progress: Callable[[int], None]) -> Data:
    from gridproof.analysis import analyse
    from gridproof.analysis.level_report import page_of

    analysis = analyse(level, limit, progress)
    return {
        "analysis": analysis.to_dict(),
        "report": page_of(analysis).data(),
        "difficulties": [*DIFFICULTIES],
        "difficulty_words": spoken_difficulty(level.game, analysis.difficulty_word),
        "standard": difficulty_standard(level.game),
    }


def _certify(
    what: Level | Position[Any], actors: tuple[str, ...] | None, limit: Limit, progress: Callable[[int], None]
) -> Data:
    from gridproof.prove.certify import certify

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.gz"
        limit = replace(limit, states=MOST_POSITIONS)
        found = certify(what, path, actors=actors, limit=limit, progress=progress)
        if found.holds is False:
            raise GridproofError("it can be won")
        if found.stopped_by == "states" or (found.holds and path.stat().st_size > LARGEST_CERTIFICATE):
            raise GridproofError(
                "the certificate is too large for a page; write it with gridproof analyse --proofs"
            )
        data = base64.b64encode(path.read_bytes()).decode() if found.holds else None
    return {"certificate": data, "positions": found.positions}


def _analyse_pack(
    title: str, levels: Sequence[Level], each: float, limit: Limit, progress: Callable[[Any], None]
) -> Data:
    """Analyse as many levels as the limit allows, each within its own limit, and report after each of them."""
    from gridproof.analysis import analyse
    from gridproof.analysis.pack import combine_analyses, page_of

    meter, found, data = limit.start(), list[Any](), Data()
    for number, level in enumerate(levels, 1):
        left = (limit.seconds or each) - meter.seconds
        if found and (left <= 0 or meter.is_reached(0)):
            break
        found.append(analyse(level, replace(limit, seconds=min(each, max(0.0, left)))))
        pack = combine_analyses(levels[:number], None, found)
        data = {"done": number, "levels": len(levels), "pack": pack.to_dict()}
        report = page_of(pack)
        if title:
            report.title = title
        if number < len(levels):
            report.lead += f" Not analysed yet: {format_count(len(levels) - number, 'levels')}."
        data["report"] = report.data()
        progress(data)
    return data

"""What designers ask of levels and packs, for pages and programs."""

from __future__ import annotations

import asyncio
import base64
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request

from gridproof.core import reading
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.pack import Pack
from gridproof.core.position import Level, Position
from gridproof.core.wording import counted
from gridproof.play.data import Data
from gridproof.play.web import catalogue
from gridproof.play.web.asked import AnalysisAsked, CertificateAsked, PackAnalysisAsked
from gridproof.play.web.checking import level_of
from gridproof.play.web.faults import Fault
from gridproof.play.web.guard import client_of
from gridproof.play.web.house import House, check_length, house_of
from gridproof.play.web.working import Question

router = APIRouter(prefix="/api")

LARGEST_CERTIFICATE = 1 << 20
"""Bytes of a certificate, packed, that is kept for whoever asked."""
MOST_POSITIONS = 400_000
"""Of a certificate: one of more is hardly smaller than that, and takes long to write."""


@router.post("/analyses", status_code=202)
async def analyse(request: Request, asked: AnalysisAsked) -> Data:
    """Have a level analysed: ask for the job's id again until it is done."""
    house = house_of(request)
    check_length(asked.text, house.limits)
    level, _ = await asyncio.to_thread(level_of, asked.text, asked.game)
    limit = house.jobs.limit(asked.seconds)
    return _put(request, house, Question("Analysing", partial(_analyse, level), limit))


@router.post("/analyses/packs", status_code=202)
async def analyse_pack(request: Request, asked: PackAnalysisAsked) -> Data:
    """Have a pack analysed as a whole; what is known so far comes with the job, level by level."""
    house = house_of(request)
    if (asked.pack is None) == (asked.text is None):
        raise Fault("input", "a pack that comes with a game is analysed, or a text")
    levels = await asyncio.to_thread(_levels, asked, house)
    limit = Limit(seconds=house.limits.pack_seconds)
    work = partial(_analyse_pack, levels.title, [*levels], house.limits.job_seconds / 2)
    return _put(request, house, Question("Analysing a pack", work, limit))


@router.post("/certificates", status_code=202)
async def certificate(request: Request, asked: CertificateAsked) -> Data:
    """Have it certified that a level or a position can never be won: ask for the job's id again until it is done.

    The result has the file that `gridproof verify` checks as base64; null when the limit was reached before.
    """
    house = house_of(request)
    check_length(asked.text, house.limits)

    def read() -> Level | Position[Any]:
        level, _ = level_of(asked.text, asked.game)
        return level if asked.position is None else level.position(asked.position)

    what = await asyncio.to_thread(read)
    work = partial(_certify, what, None if asked.actors is None else tuple(asked.actors))
    return _put(request, house, Question("Writing a certificate", work, house.jobs.limit(asked.seconds)))


def _put(request: Request, house: House, question: Question) -> Data:
    name = house.jobs.put(client_of(request.scope), question)
    return question.data(name)


def _levels(asked: PackAnalysisAsked, house: House) -> Pack:
    if asked.pack is not None:
        return catalogue.pack_named(*asked.pack.partition("/")[::2])
    text = asked.text or ""
    check_length(text, house.limits)
    return reading.read(text, asked.game)


def _analyse(level: Level, limit: Limit, progress: Callable[[int], None]) -> Data:
    from gridproof.play.analysis import analyse
    from gridproof.play.analysis.page import page_of

    analysis = analyse(level, limit, progress)
    return {"analysis": analysis.data(), "report": page_of(analysis).data()}


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
                "this certificate is too large for a page: gridproof analyse --proofs writes it"
            )
        data = base64.b64encode(path.read_bytes()).decode() if found.holds else None
    return {"certificate": data, "positions": found.positions}


def _analyse_pack(
    title: str, levels: Sequence[Level], each: float, limit: Limit, progress: Callable[[Any], None]
) -> Data:
    """The analysis of as many levels as the limit allows, each within its own; told after each of them."""
    from gridproof.play.analysis import analyse
    from gridproof.play.analysis.pack import together
    from gridproof.play.analysis.pack_page import page_of

    meter, found, told = limit.start(), list[Any](), Data()
    for number, level in enumerate(levels, 1):
        left = (limit.seconds or each) - meter.seconds
        if found and (left <= 0 or meter.reached(0)):
            break
        found.append(analyse(level, replace(limit, seconds=min(each, max(0.0, left)))))
        pack = together(levels[:number], None, found)
        told = {"done": number, "levels": len(levels), "pack": pack.data()}
        report = page_of(pack)
        if title:
            report.title = title
        if number < len(levels):
            report.lead += f" Not looked at yet: {counted(len(levels) - number, 'levels')}."
        told["report"] = report.data()
        progress(told)
    return told

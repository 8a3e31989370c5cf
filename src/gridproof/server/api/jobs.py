"""REST routes of a program's jobs: it submits one by another route, and polls it until it is done."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from gridproof.analysis.json_data import Data
from gridproof.server.context import ServerContext, context_of
from gridproof.server.errors import RequestError
from gridproof.server.jobs import JobRequest
from gridproof.server.middleware import client_of

router = APIRouter(prefix="/api")
Id = Annotated[str, Path(max_length=64)]


def submit_job(request: Request, job: JobRequest) -> Data:
    """Queue a job of a request's client and return its progress, with its id; errors as of `JobQueue.submit`."""
    name = context_of(request).jobs.submit(client_of(request.scope), job)
    return job.data(name)


@router.get("/jobs/{id}")
async def job(request: Request, id: Id) -> Data:
    """Return the progress or the result of a job; a job that nobody polls for 90 seconds is stopped."""
    return _job_of(context_of(request), id).data(id)


@router.delete("/jobs/{id}", status_code=204)
async def end_job(request: Request, id: Id) -> Response:
    """Stop a job."""
    context = context_of(request)
    _job_of(context, id)
    context.jobs.delete(id)
    return Response(status_code=204)


def _job_of(context: ServerContext, name: str) -> JobRequest:
    job = context.jobs.get(name)
    if job is None:
        raise RequestError("missing", "no such job")
    return job

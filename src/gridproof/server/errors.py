"""Error handlers: the HTTP status and the text of each error."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from gridproof.analysis.json_data import Data, plain
from gridproof.core.errors import GridproofError, IllegalAction, InvalidLevel, ParseError
from gridproof.core.text.display import printable
from gridproof.server.fair_executor import ServerShutdown, TooManyJobs
from gridproof.server.session_memory import ServerOverloaded, TooLarge
from gridproof.store import StoreError


class NotFound(GridproofError):
    """No such game, pack or level."""


class SessionNotFound(GridproofError):
    """No session has this id."""


class Forbidden(GridproofError):
    """The session's own id is needed."""


class WrongShard(GridproofError):
    """The session belongs to another server process."""


STATUS = {
    "input": 400, "forbidden": 403, "missing": 404, "action": 409, "large": 413, "parse": 422, "level": 422,
    "elsewhere": 421, "limit": 429, "store": 503, "memory": 503, "ending": 503,
}  # fmt: skip
HEADERS = {429: {"Retry-After": "60"}, 503: {"Retry-After": "60"}, 421: {"Connection": "close"}}
"""Headers by status; after 421 a new connection reaches the right process."""
ERRORS: Mapping[type[GridproofError], str] = {
    SessionNotFound: "missing", NotFound: "missing", StoreError: "store", TooManyJobs: "limit", TooLarge: "large", ServerOverloaded: "memory",
    ServerShutdown: "ending", WrongShard: "elsewhere", Forbidden: "forbidden", IllegalAction: "action", InvalidLevel: "level", ParseError: "parse",
}  # fmt: skip
"""Codes of errors; all other errors have the code "input"."""
CODES = {403: "forbidden", 404: "missing", 405: "input", 413: "large", 429: "rate"}


class RequestError(GridproofError):
    """A refused request, with one of the codes of `STATUS`."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(code, text)  # unpickling calls the class with these arguments
        self.code, self.text = code, text

    def __str__(self) -> str:
        return self.text


def error_data(error: GridproofError) -> tuple[int, Data]:
    """Return the status and the JSON of an error."""
    code = error.code if isinstance(error, RequestError) else code_of(error)
    data: Data = {"code": code, "text": printable(str(error))}
    if isinstance(error, InvalidLevel):
        data |= {"problems": [*map(plain, error.problems[:100])]}
    if isinstance(error, ParseError):
        data |= {"line": error.line, "column": error.column, "expected": error.expected}
    return STATUS[data["code"]], {"error": data}


def code_of(error: GridproofError) -> str:
    """Return the code of an error."""
    return next((code for kind, code in ERRORS.items() if isinstance(error, kind)), "input")


def add_error_handlers(application: FastAPI) -> None:
    """Add handlers that answer all errors in one form."""

    @application.exception_handler(GridproofError)
    async def handle_error(request: Request, error: GridproofError) -> JSONResponse:
        status, data = error_data(error)
        return JSONResponse(data, status, headers=HEADERS.get(status))

    @application.exception_handler(MemoryError)
    async def handle_memory_error(request: Request, error: MemoryError) -> JSONResponse:
        return await handle_error(request, ServerOverloaded())

    @application.exception_handler(RequestValidationError)
    async def handle_validation_error(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return JSONResponse({"error": {"code": "input", "text": f"{where}: {first['msg']}"}}, 400)

    @application.exception_handler(HTTPException)
    async def handle_http_error(request: Request, error: HTTPException) -> JSONResponse:
        data = {"code": CODES.get(error.status_code, "input"), "text": str(error.detail)}
        return JSONResponse({"error": data}, error.status_code)

"""What is wrong with a request, with its status and its words."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from gridproof.core.errors import GridproofError, IllegalAction, InvalidLevel, ParseError
from gridproof.play.data import Data, plain
from gridproof.play.text import printable
from gridproof.play.web.catalogue import Unknown
from gridproof.play.web.rooms import Missing, Uninvited
from gridproof.play.web.share import Elsewhere
from gridproof.play.web.working import Busy
from gridproof.store import StoreError

STATUS = {
    "input": 400, "forbidden": 403, "missing": 404, "action": 409, "large": 413, "parse": 422, "level": 422,
    "elsewhere": 421, "rate": 429, "limit": 429, "store": 503,
}  # fmt: skip
HEADERS = {429: {"Retry-After": "60"}, 421: {"Connection": "close"}}
"""Of some statuses; whom this connection leads to the wrong process a new one leads to the right one."""
CODES = {403: "forbidden", 404: "missing", 405: "input", 413: "large", 429: "rate"}


class Fault(GridproofError):
    """A request that is refused, with one of the codes of `STATUS`."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def fault_data(error: GridproofError) -> tuple[int, Data]:
    """The status and the words of an error."""
    data: Data = {"code": "input", "text": printable(str(error))}
    match error:
        case Fault():
            data["code"] = error.code
        case Missing() | Unknown():
            data["code"] = "missing"
        case StoreError():
            data["code"] = "store"
        case Busy():
            data["code"] = "limit"
        case Elsewhere():
            data["code"] = "elsewhere"
        case Uninvited():
            data["code"] = "forbidden"
        case IllegalAction():
            data["code"] = "action"
        case InvalidLevel():
            data |= {"code": "level", "problems": [*map(plain, error.problems[:100])]}
        case ParseError():
            data |= {"code": "parse", "line": error.line, "column": error.column, "expected": error.expected}
    return STATUS[data["code"]], {"error": data}


def add_faults(application: FastAPI) -> None:
    """Answer errors in one form."""

    @application.exception_handler(GridproofError)
    async def refused(request: Request, error: GridproofError) -> JSONResponse:
        status, data = fault_data(error)
        return JSONResponse(data, status, headers=HEADERS.get(status))

    @application.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return JSONResponse({"error": {"code": "input", "text": f"{where}: {first['msg']}"}}, 400)

    @application.exception_handler(HTTPException)
    async def failed(request: Request, error: HTTPException) -> JSONResponse:
        data = {"code": CODES.get(error.status_code, "input"), "text": str(error.detail)}
        return JSONResponse({"error": data}, error.status_code)

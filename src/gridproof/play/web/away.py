"""What a page has done while the server was away: it is done here when it comes back, nothing twice and nothing lost.

A page says where it stood when it went away, and its deeds since. Whatever of them the session has already gone through
is found by comparing what was done, so it does not matter how often they are sent, or after which of them the
connection or the server broke off. A session that stands elsewhere was moved by others meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.core.progress import SavedPlay
from gridproof.core.rng import derive
from gridproof.core.session import Session
from gridproof.core.viewer import Keeper
from gridproof.play.data import Data
from gridproof.play.inputs import check_text, check_whole
from gridproof.play.messages import Message, Refused
from gridproof.play.text import printable
from gridproof.play.web.asked import CopyAsked, PartAsked
from gridproof.play.web.chance import CHOSEN
from gridproof.play.web.faults import Fault
from gridproof.play.web.guard import client_of
from gridproof.play.web.house import House, house_of
from gridproof.play.web.limits import Limits
from gridproof.play.web.tables import around_here, around_start

if TYPE_CHECKING:
    from gridproof.play.table import Table
    from gridproof.play.web.socket import Page

router = APIRouter(prefix="/api")
ACT = "act"
COMMANDS = ("undo", "redo", "restart")
MOST_DEEDS = 200
"""In one message."""
FOR_EVER = {"Content-Encoding": "gzip", "Cache-Control": "private, max-age=31536000, immutable"}
"""A table's name says what it was made for."""

Deed = tuple[str, str]
"""One of `COMMANDS` and "", or `ACT` and the text of an action."""


@dataclass(frozen=True, slots=True)
class Line:
    """What was done on a level, the place on it, and what can be done again."""

    place: int
    """Of the level, from 0."""
    steps: tuple[tuple[str, str], ...]
    """Texts of actions and labels of what came of them; "" for a label that the player has not learnt."""
    done: int

    def after(self, deed: Deed) -> Line:
        """The line after one more deed.

        Raises
        ------
        GridproofError
            When there is nothing to take back, or to do again.
        """
        kind, text = deed
        if kind == ACT:
            return replace(self, steps=(*self.steps[: self.done], (text, "")), done=self.done + 1)
        done = {"undo": self.done - 1, "redo": self.done + 1, "restart": 0}[kind]
        if not 0 <= done <= len(self.steps):
            raise GridproofError(f"there is nothing to {kind}")
        return replace(self, done=done)

    def is_of(self, saved: SavedPlay | None) -> bool:
        """Whether this is what was done in a session on that level."""
        if saved is None or (saved.done, saved.length) != (self.done, len(self.steps)):
            return False
        pairs = zip(self.steps, saved.steps, strict=True)
        return all(text == known and label in ("", drawn) for (text, label), (known, drawn) in pairs)


def done_already(session: Session, line: Line, deeds: Sequence[Deed]) -> int | None:
    """How many deeds of a page that stood at a line the session has gone through; None when it stands elsewhere.

    Errors as of `Line.after`.
    """
    saved = session.saved(line.place) if 0 <= line.place < len(session.levels) else None
    found = 0 if line.is_of(saved) else None
    for number, deed in enumerate(deeds, 1):
        line = line.after(deed)
        if line.is_of(saved):
            found = number
    left = found is not None and found < len(deeds)
    return None if left and session.current != line.place else found


def do_deeds(table: Table, deeds: Sequence[Deed]) -> tuple[tuple[Message, ...], int, str]:
    """Do one after the other: what is told, how many were done, and why the next was refused, if so."""
    told: tuple[Message, ...] = ()
    place = table.session.current
    for number, (kind, text) in enumerate(deeds):
        if table.session.current != place:
            return told, number, "the level is won, and another one has begun"
        try:
            if kind == ACT:
                table.session.position.action(text)  # no command
        except GridproofError as error:
            return told, number, printable(str(error))
        answer = table.do(text if kind == ACT else kind)
        told += answer
        refused = next((message for message in answer if isinstance(message, Refused)), None)
        if refused is not None:
            return told, number, refused.reason
    return told, len(deeds), ""


def needs_server(page: Page) -> str:
    """Why a page cannot go on without the server, if so."""
    if not page.plays or page.name != page.room.name:
        return "As a guest you need the server."
    if page.room.race is not None or page.seat.table.partners.chosen:
        return "Others play here with the server's help: without it, nobody can go on."
    return ""


def line_data(page: Page, near: bool) -> Data:
    """Where a page's session stands, and the table to take along; or why there is none.

    Parameters
    ----------
    near : bool
        Whether the table is to begin at the present position, not at the level's start.
    """
    why = needs_server(page)
    return {"why": why} if why else level_line(page.house, page.room.session, near)


def level_line(house: House, session: Session, near: bool = False) -> Data:
    """The same of a session's current level, whoever plays it."""
    saved = session.saved(session.current)
    assert saved is not None, "the current level has been entered"
    if saved.length + MOST_DEEDS > house.limits.steps:
        return {"why": "So much was done on this level that you need the server."}
    first = 0
    if near:
        name, asked, first = around_here(session)
    else:
        name, asked = around_start(session)
    line = {"level": session.current + 1, "steps": saved.steps, "done": saved.done}
    return {"line": line, "table": house.tables.offer(name, asked), "near": near, "first": first}


def line_in(data: Data, deeds: object, limits: Limits) -> Line:
    """A line as a page sends it with its deeds since; a GridproofError for what is none, or with them too long."""
    level, steps, done = data.get("level"), data.get("steps"), data.get("done")
    check_whole(level, "the number of a level")
    check_whole(done, "how many actions are done")
    if not isinstance(steps, list) or not 0 <= int(done or 0) <= len(steps):
        raise GridproofError("the steps of a line are a list, and as many of them are done")
    if len(steps) + (len(deeds) if isinstance(deeds, list) else 0) > limits.steps:
        raise Fault("large", f"a line has at most {limits.steps} steps here, with the deeds since")
    return Line(int(level or 0) - 1, tuple(_pair(step, "a step") for step in steps), int(done or 0))


def deeds_in(deeds: object) -> tuple[Deed, ...]:
    """Deeds as a page sends them; a GridproofError for what are none."""
    if not isinstance(deeds, list) or len(deeds) > MOST_DEEDS:
        raise GridproofError(f"deeds are a list of at most {MOST_DEEDS}")
    found = tuple(_pair(deed, "a deed") for deed in deeds)
    if not all(kind in (ACT, *COMMANDS) for kind, _ in found):
        raise GridproofError(f"a deed is {ACT}, {', '.join(COMMANDS)}")
    return found


def _pair(value: object, what: str) -> tuple[str, str]:
    if not isinstance(value, list) or len(value) != 2:
        raise GridproofError(f"{what} is a list of two texts")
    for text in value:
        check_text(text, what)
    return value[0], value[1]


@router.get("/surroundings/{name}", response_class=Response)
async def surroundings(
    request: Request, name: str = Path(max_length=64), ahead: bool = Query(False)
) -> Response:
    """A table of positions around one of a session, to go on with while the server is away; the session tells its name.

    What is asked for `ahead`, for a level that is not played yet, is made when nobody waits for another.
    """
    table = await _while_there(request, house_of(request).tables.get(name, ahead))
    return Response(table, media_type="application/json", headers=FOR_EVER)


async def _while_there(request: Request, work: Coroutine[Any, Any, bytes]) -> bytes:
    """What work gives; when the client goes before, the work is cancelled and nothing is given."""
    given, gone = asyncio.create_task(work), asyncio.create_task(_gone(request))
    try:
        await asyncio.wait((given, gone), return_when=asyncio.FIRST_COMPLETED)
        return given.result() if given.done() else b""
    finally:
        given.cancel()
        gone.cancel()


async def _gone(request: Request) -> None:
    """Wait until the client has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


@router.post("/sessions/{id}/copies", status_code=201)
async def copy(request: Request, asked: CopyAsked, id: str = Path(max_length=64)) -> Data:
    """Begin a session that goes on where a page went on by itself, while others have moved the session that it left."""
    house = house_of(request)
    guest = await house.rooms.guest(id)
    guest.check_owns()
    parts = _parts_in((asked, *asked.then), house.limits)
    session = guest.room.session
    async with guest.room.lock:
        begun = await asyncio.to_thread(_begun, session, parts)
    house.count_session(client_of(request.scope))
    room = await house.rooms.continued(partial(_copied, session.levels, begun, parts))
    return {"id": room.name}


Part = tuple[Line, Sequence[Deed]]
"""What was done on a level since a page stood at a line."""


def _parts_in(asked: Sequence[PartAsked], limits: Limits) -> list[Part]:
    parts = [_part_in(part, limits) for part in asked]
    if sum(len(line.steps) + len(deeds) for line, deeds in parts) > limits.steps:
        raise Fault(
            "large",
            f"a copy has at most {limits.steps} steps here, of all its levels together, with the deeds since",
        )
    return parts


def _part_in(asked: PartAsked, limits: Limits) -> Part:
    return line_in(asked.line, asked.deeds, limits), [deeds_in([deed])[0] for deed in asked.deeds]


def _begun(session: Session, parts: Sequence[Part]) -> dict[int, SavedPlay]:
    """The levels of these parts at their start, with the chance that they have in a session."""
    found = {}
    for line, _ in parts:
        place, count = line.place, len(session.levels)
        if not 0 <= place < count:
            raise GridproofError(f"the levels are numbered from 1 to {count}")
        saved = session.saved(place)
        seed = saved.seed if saved else derive(session.seed, place)
        found[place] = SavedPlay(seed, (), 0, False, saved.brought if saved else 0)
    return found


def _copied(
    levels: Sequence[Level], begun: Mapping[int, SavedPlay], parts: Sequence[Part], keeper: Keeper
) -> Session:
    """Another session of the same levels, in which all of that is done; for scores its chance counts as chosen."""
    seed = next(iter(begun.values())).seed % CHOSEN
    plays: dict[int, SavedPlay] = {}
    for line, deeds in parts:
        others = {place: replace(play, steps=(), done=0) for place, play in plays.items()}  # not done again
        made = Session.resume(levels, seed, line.place, {**others, line.place: begun[line.place]})
        acts: list[Deed] = [(ACT, text) for text, _ in line.steps]
        for kind, text in (*acts, *[("undo", "")] * (len(acts) - line.done), *deeds):
            made.act(text) if kind == ACT else getattr(made, kind)()
        entered = {place: play for place in range(len(levels)) if (play := made.saved(place))}
        plays = {**entered, **plays, line.place: entered[line.place]}
    return Session.resume(levels, seed, made.current, plays, keeper)

"""What is asked over REST: games, levels, sessions, pictures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Literal, TypeVar

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import PlainTextResponse, Response

import gridproof
from gridproof.core import reading
from gridproof.core.errors import GridproofError
from gridproof.core.pack import Pack
from gridproof.core.position import NATURE
from gridproof.pictures.picture import svg
from gridproof.play.data import Data
from gridproof.play.messages import left_out
from gridproof.play.text import printable
from gridproof.play.web import catalogue
from gridproof.play.web.asked import (
    InvitationAsked,
    JobAsked,
    KnownAsked,
    PictureAsked,
    ScoreAsked,
    SessionAsked,
)
from gridproof.play.web.chance import has_luck, is_drawn
from gridproof.play.web.faults import Fault
from gridproof.play.web.guard import client_of
from gridproof.play.web.house import House, check_length, house_of
from gridproof.play.web.replays import session_of, trace_of
from gridproof.play.web.room import Room
from gridproof.play.web.rooms import Guest, Missing, Rooms
from gridproof.play.web.working import Question, solving
from gridproof.store import digest
from gridproof.store.invitations import Invitation
from gridproof.store.ranks import SCORE, Rank

router = APIRouter(prefix="/api")
Result = TypeVar("Result")
Word = Annotated[str, Path(max_length=100)]
Id = Annotated[str, Path(max_length=64)]
Number = Annotated[int, Path(ge=1, lt=2**63)]
"""A number from 1, no larger than a database can keep."""
Theme = Annotated[Literal["auto", "light", "dark"], Query()]
Width = Annotated[int | None, Query(ge=1, le=4000)]
FOR_LONG = {"Cache-Control": "public, max-age=3600"}


@router.get("/health")
async def health(request: Request) -> Data:
    """Whether the server is ready, and how much it does: of several processes, the one that answers."""
    house = house_of(request)
    return {
        "ready": True,
        "version": gridproof.__version__,
        "processes": house.share.count,
        "sessions": len(house.rooms.rooms),
        "connections": house.connections.total(),
    }


@router.get("/games")
async def games() -> Data:
    """The games and their packs."""
    return {"games": await asyncio.to_thread(catalogue.games_data)}


@router.get("/packs/{game}/{pack}")
async def pack(request: Request, game: Word, pack: Word) -> Data:
    """A pack with its levels, and the best counts of everybody."""
    return await asyncio.to_thread(catalogue.pack_data, game, pack, house_of(request).rooms.keeping)


@router.get("/packs/{game}/{pack}/{number}.svg", response_class=Response)
async def level_picture(
    game: Word, pack: Word, number: Number, theme: Theme = "auto", width: Width = None
) -> Response:
    """A picture of a level's start."""
    drawn = await asyncio.to_thread(_level_picture, game, pack, number, theme, width)
    return Response(drawn, media_type="image/svg+xml", headers=FOR_LONG)


def _level_picture(game: str, pack: str, number: int, theme: str, width: int | None) -> str:
    return svg(catalogue.level_named(game, pack, number).start(), theme=theme, width=width)


@router.get("/packs/{game}/{pack}/{number}.txt", response_class=PlainTextResponse)
async def level_text(game: Word, pack: Word, number: Number) -> PlainTextResponse:
    """A level as text."""
    level = await asyncio.to_thread(catalogue.level_named, game, pack, number)
    return PlainTextResponse(level.text())


@router.post("/pictures", response_class=Response)
async def picture(request: Request, asked: PictureAsked) -> Response:
    """A picture of a level's start, or of a position."""
    check_length(asked.text, house_of(request).limits)

    def drawn() -> str:
        position = reading.position(asked.text, asked.game)
        return svg(position, theme=asked.theme, width=asked.width)

    return Response(await asyncio.to_thread(drawn), media_type="image/svg+xml")


@router.post("/sessions", status_code=201)
async def begin(request: Request, asked: SessionAsked) -> Data:
    """Begin a session: of a pack, of a text, or of a trace, at whose end it stands."""
    house = house_of(request)
    if [asked.pack, asked.text, asked.trace].count(None) != 2:
        raise Fault("input", "a session is made of a pack, a text or a trace: of one of them")
    house.count_session(client_of(request.scope))
    if asked.trace is not None:
        trace = await asyncio.to_thread(trace_of, asked.trace, house.limits)
        room = await house.rooms.continued(lambda keeping: session_of(trace, keeping))
        return {**session_data(Guest(room, None, True)), "notices": []}
    levels = await asyncio.to_thread(_levels_asked, asked, house)
    if asked.level > len(levels):
        raise Fault("input", f"the levels are numbered from 1 to {len(levels)}")
    room = await house.rooms.create(levels, asked.level - 1, asked.seed)
    notices = [*left_out(levels), *levels.notices.values()]
    return {**session_data(Guest(room, None, True)), "notices": notices}


def _levels_asked(asked: SessionAsked, house: House) -> Pack:
    if asked.pack is not None:
        return catalogue.pack_named(*asked.pack.partition("/")[::2])
    text = asked.text or ""
    check_length(text, house.limits)
    levels = reading.read(text, asked.game, lenient=True)
    if len(levels) > house.limits.levels:
        raise Fault("large", f"at most {house.limits.levels} levels are taken at once")
    return levels


@router.post("/sessions/known")
async def known(request: Request, asked: KnownAsked) -> Data:
    """Those of some sessions that are kept."""
    found = [await _known(house_of(request).rooms, name) for name in asked.ids]
    return {"sessions": [data for data in found if data is not None]}


async def _known(rooms: Rooms, name: str) -> Data | None:
    try:
        return await rooms.line(name, session_data)
    except Missing:
        return None


@router.get("/sessions/{id}")
async def session(request: Request, id: Id) -> Data:
    """How a session stands."""
    return session_data(await house_of(request).rooms.guest(id))


@router.delete("/sessions/{id}", status_code=204)
async def forget(request: Request, id: Id) -> Response:
    """Remove a session."""
    room = await _own(request, id)
    await house_of(request).rooms.forget(room.name)
    return Response(status_code=204)


@router.post("/sessions/{id}/invitations", status_code=201)
async def invite(request: Request, id: Id, asked: InvitationAsked) -> Data:
    """Another id of a session: for somebody who only watches, or plays one actor alone."""
    room, house = await _own(request, id), house_of(request)
    session = room.session
    actors = [name for name in session.game.actors(session.levels[session.current]) if name != NATURE]
    if asked.actor is not None and asked.actor not in actors:
        raise Fault("input", f"there is no {printable(asked.actor)} here: there are {', '.join(actors)}")
    house.count_session(client_of(request.scope))
    invitation = Invitation(room.name, asked.actor, asked.plays)
    return {"id": await asyncio.to_thread(house.rooms.store.invitations.add, invitation)}


@router.get("/sessions/{id}/trace")
async def trace(request: Request, id: Id, level: Annotated[int | None, Query(ge=1)] = None) -> Response:
    """What was done on a level."""
    room = await _own(request, id)
    text = await _in(room, lambda: room.session.trace(None if level is None else level - 1).to_json())
    return Response(text, media_type="application/json")


@router.get("/sessions/{id}/level", response_class=PlainTextResponse)
async def played_level(
    request: Request, id: Id, level: Annotated[int | None, Query(ge=1)] = None
) -> PlainTextResponse:
    """A level of a session as text."""
    room = (await house_of(request).rooms.guest(id)).room
    levels, place = room.session.levels, room.session.current if level is None else level - 1
    if place >= len(levels):
        raise Fault("missing", f"the levels are numbered from 1 to {len(levels)}")
    return PlainTextResponse(await asyncio.to_thread(levels[place].text))


@router.get("/sessions/{id}/position", response_class=PlainTextResponse)
async def position(request: Request, id: Id) -> PlainTextResponse:
    """The position now, as text."""
    room = (await house_of(request).rooms.guest(id)).room
    return PlainTextResponse(await _in(room, lambda: str(room.session.position.text())))


@router.get("/scores/{key}")
async def scores(request: Request, key: Word) -> Data:
    """The best players of a level by each measure."""
    best = await asyncio.to_thread(house_of(request).rooms.store.ranks.best, key)
    return {"key": key, "measures": [_measure_data(name, ranked) for name, ranked in best.items()]}


def _measure_data(name: str, ranked: list[Rank]) -> Data:
    listed = [
        {"rank": place, "name": one.player, "value": one.value, "when": one.reached, "id": one.id}
        for place, one in enumerate(ranked, 1)
    ]
    return {"name": name, "better": "more" if name == SCORE else "less", "scores": listed}


@router.get("/scores/{key}/{number}/trace")
async def score_trace(request: Request, key: Word, number: Number) -> Response:
    """The trace that shows a score."""
    text = await asyncio.to_thread(house_of(request).rooms.store.ranks.trace, key, number)
    if text is None:
        raise Fault("missing", "there is no such score")
    return Response(text, media_type="application/json")


@router.post("/scores", status_code=201)
async def add_score(request: Request, asked: ScoreAsked) -> Data:
    """Put a trace among the scores, once the server has replayed it; of games of chance only what it has drawn."""
    house, name = house_of(request), printable(asked.name)
    if (asked.session is None) == (asked.trace is None) or not name:
        raise Fault("input", "a score has a name, and a session or a trace")
    if asked.session is not None:
        guest = await house.rooms.seen(asked.session)
        guest.check_owns()
        room, place = guest.room, None if asked.level is None else asked.level - 1
        played = await _in(room, lambda: room.session.trace(place))
        if has_luck(played) and not is_drawn(room.session):
            raise Fault(
                "action", "its seed was chosen: of games of chance only those count that are drawn here"
            )
    else:
        played = await asyncio.to_thread(trace_of, asked.trace, house.limits)
        if has_luck(played):
            raise Fault("action", "chance has a part in it: only what was played here counts")
    reached = partial(house.rooms.store.ranks.add, played, name)
    return {"key": digest(played.level), "ranks": await asyncio.to_thread(_reached, reached)}


def _reached(add: Callable[[], Mapping[str, int]]) -> Mapping[str, int]:
    try:
        return add()
    except GridproofError as error:
        raise Fault("action", str(error)) from None


@router.post("/jobs", status_code=202)
async def solve(request: Request, asked: JobAsked) -> Data:
    """Have a level or a position solved: ask for the job's id again until it is done."""
    house = house_of(request)
    check_length(asked.text, house.limits)
    position = await asyncio.to_thread(reading.position, asked.text, asked.game)
    question = solving(position, asked.minimise, house.jobs.limit(asked.seconds))
    name = house.jobs.put(client_of(request.scope), question)
    return _question(house, name).data(name)


@router.get("/jobs/{id}")
async def job(request: Request, id: Id) -> Data:
    """How far a job is, or what was found; one that nobody asks about for 90 seconds is ended."""
    return _question(house_of(request), id).data(id)


@router.delete("/jobs/{id}", status_code=204)
async def end_job(request: Request, id: Id) -> Response:
    """End a job."""
    house = house_of(request)
    _question(house, id)
    house.jobs.forget(id)
    return Response(status_code=204)


def _question(house: House, name: str) -> Question:
    question = house.jobs.question(name)
    if question is None:
        raise Fault("missing", "there is no such job")
    return question


async def _own(request: Request, name: str) -> Room:
    """The session of an id that is its own, and no invitation."""
    guest = await house_of(request).rooms.guest(name)
    guest.check_owns()
    return guest.room


async def _in(room: Room, deed: Callable[[], Result]) -> Result:
    """Do something with a session while nothing else is done with it."""
    async with room.lock:
        return await asyncio.to_thread(deed)


def session_data(guest: Guest) -> Data:
    """How a session stands, in a line."""
    now = guest.room.session
    return {
        "id": guest.name,
        "game": now.game.name,
        "title": now.levels[now.current].title,
        "level": now.current + 1,
        "levels": len(now.levels),
        "completed": [place + 1 for place in now.completed],
        "plays": guest.plays,
        "actor": guest.actor,
    }

"""REST routes for games, levels, sessions, pictures, scores and jobs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import PlainTextResponse, Response

import gridproof
from gridproof.analysis.json_data import Data
from gridproof.core.errors import GridproofError
from gridproof.core.position import NATURE, Position
from gridproof.core.puzzle import hash_seed, parse_id, title_daily, today
from gridproof.core.session import Session
from gridproof.core.text import recognition
from gridproof.core.text.display import printable
from gridproof.core.text.pack import Pack
from gridproof.core.trace import Trace
from gridproof.pictures.picture import svg
from gridproof.prove.distances import has_distances
from gridproof.server.api import catalogue
from gridproof.server.api.formulas import level_of
from gridproof.server.api.jobs import submit_job
from gridproof.server.api.schemas import (
    CreateInvitation,
    CreateSession,
    ListSessions,
    NoteHelp,
    RenderPicture,
    StartJob,
    SubmitScore,
)
from gridproof.server.context import ServerContext, check_length, context_of
from gridproof.server.errors import RequestError, SessionNotFound
from gridproof.server.jobs import build_distances_job, build_solve_job
from gridproof.server.live.live_session import LiveSession
from gridproof.server.live.replays import session_of, trace_length, trace_of
from gridproof.server.live.serializers import puzzle_data
from gridproof.server.live.session_registry import Access, SessionRegistry
from gridproof.server.middleware import client_of
from gridproof.server.ranked_seed import has_chance, has_server_seed
from gridproof.server.rate_limits import Limits
from gridproof.server.session_memory import check_board, check_boards
from gridproof.store import digest
from gridproof.store.invitations import Invitation
from gridproof.store.leaderboard import SCORE, RankedScore
from gridproof.table.messages import broken_level_notes
from gridproof.table.win_message import has_just_won

router = APIRouter(prefix="/api")
Result = TypeVar("Result")
Word = Annotated[str, Path(max_length=100)]
Id = Annotated[str, Path(max_length=64)]
Number = Annotated[int, Path(ge=1, lt=2**63)]
"""A number from 1 that fits into a database column."""
Theme = Annotated[Literal["auto", "light", "dark"], Query()]
Width = Annotated[int | None, Query(ge=1, le=4000)]
CACHED = {"Cache-Control": "public, max-age=3600"}


@router.get("/health")
async def health(request: Request) -> Data:
    """Report whether this server process is ready, and its load."""
    context = context_of(request)
    return {
        "ready": True,
        "version": gridproof.__version__,
        "processes": context.shard.count,
        "sessions": len(context.registry.sessions),
        "connections": context.connections.total(),
    }


@router.get("/games")
async def games() -> Data:
    """List the games and their packs."""
    return {"games": await asyncio.to_thread(catalogue.games_data)}


@router.get("/packs/{game}/{pack}")
async def pack(request: Request, game: Word, pack: Word) -> Data:
    """Return a pack with its levels and everybody's best counts."""
    return await asyncio.to_thread(catalogue.pack_data, game, pack, context_of(request).registry.cached_store)


@router.get("/packs/{game}/{pack}/{number}.svg", response_class=Response)
async def level_picture(
    game: Word, pack: Word, number: Number, theme: Theme = "auto", width: Width = None
) -> Response:
    """Return a picture of a level's start."""
    text = await asyncio.to_thread(_level_picture, game, pack, number, theme, width)
    return Response(text, media_type="image/svg+xml", headers=CACHED)


def _level_picture(game: str, pack: str, number: int, theme: str, width: int | None) -> str:
    return svg(catalogue.find_level(game, pack, number).start(), theme=theme, width=width)


@router.get("/packs/{game}/{pack}/{number}.txt", response_class=PlainTextResponse)
async def level_text(game: Word, pack: Word, number: Number) -> PlainTextResponse:
    """Return a level as text."""
    level = await asyncio.to_thread(catalogue.find_level, game, pack, number)
    return PlainTextResponse(level.text())


@router.post("/pictures", response_class=Response)
async def picture(request: Request, body: RenderPicture) -> Response:
    """Return a picture of a level's start, or of a position."""
    context = context_of(request)
    text = await context.read_checked(body.text, _picture, body, context.limits)
    return Response(text, media_type="image/svg+xml")


def _picture(body: RenderPicture, limits: Limits) -> str:
    if body.level is None:
        position = recognition.position(body.text, body.game)
    else:
        levels = recognition.read(body.text, body.game, lenient=True)
        if body.level > len(levels):
            raise RequestError("input", f"choose a level from 1 to {len(levels)}")
        position = next(iter(levels[body.level - 1].starts())).position
    check_board(position, limits)
    return svg(position, theme=body.theme, width=body.width)


@router.post("/sessions", status_code=201)
async def begin(request: Request, body: CreateSession) -> Data:
    """Create a session from a pack, a text or the end of a trace.

    `watch` in the answer: the session is at the start, for its trace has ended the game, is to be watched, or cannot be continued.
    """
    context = context_of(request)
    if [body.pack, body.text, body.trace, body.puzzle].count(None) != 3:
        raise RequestError("input", "give exactly one of pack, text, trace and puzzle")
    if body.watch and body.trace is None:
        raise RequestError("input", "only a trace is watched: give watch with a trace")
    context.count_session(client_of(request.scope))
    if body.puzzle is not None:
        return await _begin_puzzle(context, body.puzzle)
    if body.trace is not None:
        trace = await _read_trace(body.trace, context)
        live = await context.registry.adopt(partial(session_of, trace, watch=body.watch))
        watch = live.session.actions_done < len(trace.steps)
        return {**await _begin_data(live), "watch": watch}
    levels = await context.read_text(len(body.text or ""), partial(_read_levels, body, context.limits))
    if body.level > len(levels):
        raise RequestError("input", f"choose a level from 1 to {len(levels)}")
    live = await context.registry.create(levels, body.level - 1, body.seed)
    notices = [*broken_level_notes(levels), *levels.notices.values()]
    return await _begin_data(live, notices)


async def _begin_data(live: LiveSession, notices: Sequence[str] = ()) -> Data:
    """Return the state of a new session, with the actor that the player should have while programs play the others."""
    await live.prepare_level()
    data: Data = {"default_actor": live.default_actor, "notices": [*notices]}
    return {**session_data(Access(live, None, True)), **data}


async def _begin_puzzle(context: ServerContext, text: str) -> Data:
    """Create the session of a puzzle; its chance follows from the id, so that it is the same for all."""
    puzzle_id = parse_id(text)
    puzzle = await context.puzzles.get(puzzle_id)
    if puzzle is None:
        raise RequestError("missing", f"{puzzle_id} is not ready; request it first")
    live = await context.registry.create(Pack([puzzle.level]), seed=hash_seed(str(puzzle_id), 32))
    return await _begin_data(live)


async def _read_trace(data: dict[str, Any] | str | None, context: ServerContext) -> Trace:
    return await context.read_text(trace_length(data), partial(trace_of, data, context.limits))


def _read_levels(body: CreateSession, limits: Limits) -> Pack:
    if body.pack is not None:
        return catalogue.find_pack(*body.pack.partition("/")[::2])
    text = body.text or ""
    check_length(text, limits)
    levels = recognition.read(text, body.game, lenient=True)
    if len(levels) > limits.levels:
        raise RequestError("large", f"at most {limits.levels} levels are accepted at once")
    check_boards(levels, limits)
    return levels


@router.post("/sessions/known")
async def list_sessions(request: Request, body: ListSessions) -> Data:
    """List the sessions that exist among the given ids."""
    found = [await _summary(context_of(request).registry, name) for name in body.ids]
    return {"sessions": [data for data in found if data is not None]}


async def _summary(registry: SessionRegistry, name: str) -> Data | None:
    try:
        return await registry.summary(name, session_data)
    except SessionNotFound:
        return None


@router.get("/sessions/{id}")
async def session(request: Request, id: Id) -> Data:
    """Return the state of a session."""
    return session_data(await context_of(request).registry.access(id))


@router.delete("/sessions/{id}", status_code=204)
async def forget(request: Request, id: Id) -> Response:
    """Delete a session."""
    live = await _own_session(request, id)
    await context_of(request).registry.delete(live.name)
    return Response(status_code=204)


@router.post("/sessions/{id}/invitations", status_code=201)
async def invite(request: Request, id: Id, body: CreateInvitation) -> Data:
    """Create an invitation: another id of a session, for a viewer or for the player of one actor."""
    live, context = await _own_session(request, id), context_of(request)
    session = live.session
    actors = [name for name in session.game.actors(session.levels[session.current]) if name != NATURE]
    if body.actor is not None and body.actor not in actors:
        raise RequestError(
            "input", f"there is no {printable(body.actor)} here: there are {', '.join(actors)}"
        )
    context.count_session(client_of(request.scope))
    invitation = Invitation(live.name, body.actor, body.plays)
    return {"id": await asyncio.to_thread(context.registry.store.invitations.add, invitation)}


@router.post("/sessions/{id}/help", status_code=204)
async def note_help(request: Request, id: Id, body: NoteHelp) -> Response:
    """Note that a hint was shown on the current level; one on another level changes nothing."""
    live = await _own_session(request, id)
    async with live.lock:
        if live.key == body.key:
            await asyncio.to_thread(live.session.note_help)
            live.publish(None, {})
    return Response(status_code=204)


@router.get("/sessions/{id}/trace")
async def trace(request: Request, id: Id, level: Annotated[int | None, Query(ge=1)] = None) -> Response:
    """Return the trace of a level."""
    live = await _own_session(request, id)
    text = await _run_exclusively(
        live, lambda: live.session.trace(None if level is None else level - 1).to_json()
    )
    return Response(text, media_type="application/json")


@router.post("/sessions/{id}/distances", status_code=202)
async def distances(request: Request, id: Id, level: Annotated[int | None, Query(ge=1)] = None) -> Data:
    """Start to prove how far each position of a played level is from the win; poll the job's id until it is done."""
    context = context_of(request)
    live = await _own_session(request, id)
    played, badges = await _run_exclusively(live, lambda: live.known_statuses(level and level - 1))
    if not has_distances(played):
        raise RequestError("missing", "this game has no distances to the win")
    return submit_job(request, build_distances_job(played, badges, context.jobs.limit(None)))


@router.get("/sessions/{id}/level", response_class=PlainTextResponse)
async def played_level(
    request: Request, id: Id, level: Annotated[int | None, Query(ge=1)] = None
) -> PlainTextResponse:
    """Return a level of a session as text; the puzzle of the day has the title of its day."""
    live = (await context_of(request).registry.access(id)).live
    levels, place = live.session.levels, live.session.current if level is None else level - 1
    if place >= len(levels):
        raise RequestError("missing", f"choose a level from 1 to {len(levels)}")
    return PlainTextResponse(await asyncio.to_thread(title_daily(levels[place], today()).text))


@router.get("/sessions/{id}/position", response_class=PlainTextResponse)
async def position(
    request: Request, id: Id, level: Annotated[int | None, Query(ge=1)] = None
) -> PlainTextResponse:
    """Return the current position as text, or the one in which a level was won or left."""
    session = (live := (await context_of(request).registry.access(id)).live).session

    def text() -> str:
        found = session.position if level is None else session.trace(level - 1).replay()
        return str(found.text())

    return PlainTextResponse(await _run_exclusively(live, text))


@router.get("/sessions/{id}/picture.svg", response_class=Response)
async def session_picture(request: Request, id: Id, theme: Theme = "auto", width: Width = None) -> Response:
    """Return a picture of the current position."""
    live = (await context_of(request).registry.read_access(id)).live
    text = await _run_exclusively(live, lambda: svg(live.session.position, theme=theme, width=width))
    return Response(text, media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


@router.get("/scores/{key}")
async def scores(request: Request, key: Word) -> Data:
    """List the best players of a level by each measure."""
    best = await asyncio.to_thread(context_of(request).registry.store.leaderboard.best, key)
    return {"key": key, "measures": [_measure_data(name, ranked) for name, ranked in best.items()]}


def _measure_data(name: str, ranked: list[RankedScore]) -> Data:
    listed = [
        {"rank": place, "name": one.player, "value": one.value, "when": one.reached, "id": one.id}
        for place, one in enumerate(ranked, 1)
    ]
    return {"name": name, "better": "more" if name == SCORE else "less", "scores": listed}


@router.get("/scores/{key}/{number}/trace")
async def score_trace(request: Request, key: Word, number: Number) -> Response:
    """Return the trace of a score."""
    text = await asyncio.to_thread(context_of(request).registry.store.leaderboard.trace, key, number)
    if text is None:
        raise RequestError("missing", "no such score")
    return Response(text, media_type="application/json")


@router.post("/scores", status_code=201)
async def add_score(request: Request, body: SubmitScore) -> Data:
    """Add a score after the server has replayed its trace; random games count only if the server drew their seed."""
    context, name = context_of(request), printable(body.name)
    if (body.session is None) == (body.trace is None) or not name:
        raise RequestError("input", "a score needs a name, and a session or a trace")
    if body.session is not None:
        access = await context.registry.read_access(body.session)
        access.check_owner()
        live, place = access.live, None if body.level is None else body.level - 1
        played = await _run_exclusively(live, lambda: _own_trace(live.session, place))
        if has_chance(played) and not has_server_seed(live.session):
            raise RequestError("action", "games with a chosen seed do not count; play with a random seed")
    else:
        played = await _read_trace(body.trace, context)
        if has_chance(played):
            raise RequestError("action", "random games count only if they were played on this server")
    reached = partial(context.registry.store.leaderboard.add, played, name)
    return {"key": digest(played.level), "ranks": await asyncio.to_thread(_call_add, reached)}


def _own_trace(session: Session, place: int | None) -> Trace:
    """Return the trace of a level; RequestError after hints, or if programs have won it."""
    if session.is_helped(place):
        raise RequestError("action", "a game with hints does not enter the high scores")
    if session.is_won_by_programs(place):
        raise RequestError("action", "a win of programs does not enter the high scores")
    return session.trace(place)


def _call_add(add: Callable[[], Mapping[str, int]]) -> Mapping[str, int]:
    try:
        return add()
    except GridproofError as error:
        raise RequestError("action", str(error)) from None


@router.post("/jobs", status_code=202)
async def solve(request: Request, body: StartJob) -> Data:
    """Start solving a level or a position; poll the job's id until it is done."""
    context = context_of(request)
    position = await context.read_checked(body.text, _read_position, body, context.limits)
    return submit_job(request, build_solve_job(position, body.minimise, context.jobs.limit(body.seconds)))


def _read_position(body: StartJob, limits: Limits) -> Position[Any]:
    if body.position is None:
        position = recognition.position(body.text, body.game)
    else:
        position = level_of(body.text, body.game)[0].position(body.position)
    check_board(position, limits)
    return position


async def _own_session(request: Request, name: str) -> LiveSession:
    """Return the session of its own id; refuse invitations."""
    access = await context_of(request).registry.access(name)
    access.check_owner()
    return access.live


async def _run_exclusively(live: LiveSession, call: Callable[[], Result]) -> Result:
    """Call a function with a session while nothing else uses it."""
    async with live.lock:
        return await asyncio.to_thread(call)


def session_data(access: Access) -> Data:
    """Summarise the state of a session."""
    now = access.live.session
    level = now.levels[now.current]
    puzzle = puzzle_data(level)
    return {
        "id": access.name,
        "game": now.game.name,
        "title": level.title,
        "key": access.live.key_of(now.current),
        "helped": now.is_helped(),
        **({"score": now.score} if now.game.policy.keeps_score else {}),
        "of_the_day": puzzle is not None and puzzle["of_the_day"],
        "puzzle": puzzle and puzzle["id"],
        "begun": _is_begun(now),
        "over": _is_over(now),
        "level": now.current + 1,
        "actions": now.actions_done,
        "levels": len(now.levels),
        "completed": [place + 1 for place in now.completed],
        "completed_word": now.game.look.completed,
        "plays": access.plays,
        "actor": access.actor,
    }


def _is_begun(session: Session) -> bool:
    return bool(session.actions_done or session.actions_undone or session.completed)


def _is_over(session: Session) -> bool:
    """Return whether nothing is left to do: the current level is won or has ended, and no other one follows."""
    position, policy = session.position, session.game.policy
    if policy.act_after_win:  # no other level follows by itself
        return has_just_won(session) or not position.actions()
    return position.ended and (len(session.levels) == 1 or len(session.completed) == len(session.levels))

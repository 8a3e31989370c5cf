"""REST routes that parse and check formulas and list their vocabulary."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request

from gridproof.analysis.json_data import Data
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.limit import Limit
from gridproof.core.measure import ACTIONS, measures
from gridproof.core.position import Level, Position
from gridproof.core.proposition import propositions
from gridproof.core.text import recognition
from gridproof.core.text.phrases import format_count
from gridproof.prove.game_formulas import domains_of, formulas_of
from gridproof.prove.verdict_line import needs_luck, spoken_word
from gridproof.search.cost_product import COST
from gridproof.server.api.jobs import submit_job
from gridproof.server.api.schemas import CheckFormula, CreateReplay, LevelOrPosition, LevelText, ParseFormula
from gridproof.server.context import context_of
from gridproof.server.jobs import JobRequest
from gridproof.server.live.board_delta import BoardSnapshot
from gridproof.server.live.piece_table import PieceTable
from gridproof.server.live.replays import Replays, trace_length, trace_of
from gridproof.server.rate_limits import Limits
from gridproof.server.session_memory import check_board
from gridproof.store import digest

if TYPE_CHECKING:
    from gridproof.prove.verdict import Verdict

router = APIRouter(prefix="/api")
MOST_ACTIONS = 200
"""Actions listed for completion."""
OPERATORS = {
    "!": "not", "&": "and", "|": "or", "->": "if, then", "<->": "just if",
    "AG": "in all reachable positions, on all paths", "AF": "at some point, on all paths",
    "AX": "in each next position", "EG": "always, on some path", "EF": "at some point, on some path",
    "EX": "in some next position", "A[... U ...]": "on all paths: until", "E[... U ...]": "on some path: until",
    "G": "always from now on", "F": "at some point from now on", "X": "in the next position",
    "U": "until", "W": "until, or for ever", "R": "up to and with, or for ever",
    "H": "always up to now", "O": "at some point up to now", "Y": "in the previous position", "S": "since",
    "true": "everywhere", "false": "nowhere", "deadlock": "no action is possible",
    "e(...)": "the action is possible", "[...]": "the next action is this one", "<<...>>": "these players can force",
    "forall x in": "for all things of a domain, named after it and a colon", "exists x in": "for some of them",
}  # fmt: skip
"""Parts of formulas besides propositions."""
COMMON = {
    "EF won": "can it be won?",
    "AG EF won": "can it always still be won?",
    "AG (ended -> won)": "is every end a win?",
    "EF AG !won": "can the win be lost?",
}
"""Questions for every game; all are answered by yes or no."""
MOST_STATES = 500
"""States of a trace that are listed."""
START, HERE = "at the start", "in your position"


@router.post("/vocabularies")
async def vocabulary(request: Request, body: LevelOrPosition) -> Data:
    """Return the names and operators for formulas about a level, and some questions worth asking."""
    context = context_of(request)
    return await context.read_checked(body.text, _vocabulary, body, context.limits)


def _vocabulary(body: LevelOrPosition, limits: Limits) -> Data:
    level, start = subject_of(body)
    check_board(start, limits)
    names = propositions(level.game).values()
    costs = measures(level.game).values()
    listed = [
        {
            "name": item.name,
            "form": f"{item.name}({','.join(item.parameters)})" if item.parameters else item.name,
            "meaning": item.meaning,
            "number": item.number,
        }
        for item in names
    ] + [
        {
            "name": COST,
            "form": f"{COST}({item.name})",
            "meaning": f"spent since the start: {item.meaning}",
            "number": True,
        }
        for item in costs
    ]
    table = PieceTable()
    data: Data = {
        "game": level.game.name,
        "title": level.title,
        "key": digest(level),
        "propositions": listed,
        "domains": [
            {"form": name, "parameters": list(domain.parameters), "meaning": domain.meaning}
            for name, domain in domains_of(level.game).items()
        ],
        "operators": [{"form": form, "meaning": meaning} for form, meaning in OPERATORS.items()],
        "actions": [*map(str, itertools.islice(level.all_actions() or start.actions(), MOST_ACTIONS))],
        "actors": [*level.game.actors(level)],
        "examples": _examples(level.game, start),
        "board": BoardSnapshot(start).data(table),
    }
    return {**data, "pieces": table.pieces}


def _examples(game: Game, start: Position[Any]) -> list[Data]:
    """Return the questions that apply to a level, those of its game last."""
    own = formulas_of(game)
    asked = {text: words for text, words in own.questions.items() if own.is_worth_asking(start.level, text)}
    groups = {"win": {**COMMON, **_about_costs(start.level)}, "game": asked}
    return [
        {"formula": formula, "meaning": meaning, "about": about}
        for about, questions in groups.items()
        for formula, meaning in questions.items()
        if _fits(formula, start)
    ]


def _about_costs(level: Level) -> dict[str, str]:
    """Return a question about the least cost of a win, for the actions, by the word that players say, and each other measure."""
    spoken = spoken_word(level)
    words = {name: name for name in measures(level.game) if name != spoken} | {ACTIONS.name: spoken}
    return {
        f"EF (won & cost({name}) <= 1)": f"can it be won with {format_count(1, word)}?"
        for name, word in words.items()
    }


def level_of(text: str, game: str | None) -> tuple[Level, Position[Any]]:
    """Return the first level of a text, or the level of a position, and a start of it."""
    try:
        level: Level = recognition.read(text, game)[0]
    except GridproofError as error:
        try:
            level = recognition.position(text, game).level
        except GridproofError:
            raise error from None
    return level, next(iter(level.starts())).position


def level_within(body: LevelText, limits: Limits) -> Level:
    """Return the first level of a request's text as `level_of`; TooLarge if its board is."""
    level, start = level_of(body.text, body.game)
    check_board(start, limits)
    return level


def subject_of(body: LevelOrPosition) -> tuple[Level, Position[Any]]:
    """Return the level of a request, and its position or a start."""
    level, start = level_of(body.text, body.game)
    return level, start if body.position is None else level.position(body.position)


def _fits(formula: str, start: Position[Any]) -> bool:
    """Return whether a formula applies to a level, which may have no robot b."""
    try:
        _parse_formula(formula, start)
    except GridproofError:
        return False
    return True


def _parse_formula(text: str, start: Position[Any]) -> Data:
    from gridproof.prove.expansion import expand_things
    from gridproof.prove.logic import logic_of
    from gridproof.prove.name_check import check_names
    from gridproof.prove.parsing import parse

    formula = parse(text)
    expanded = expand_things(formula, start.level)
    check_names(expanded, start)
    return {"formula": str(formula), "logic": logic_of(expanded).value}


@router.post("/formulas")
async def formula(request: Request, body: ParseFormula) -> Data:
    """Parse a formula about a level and return its logic; the error says where it is wrong."""
    return await context_of(request).read_checked(body.text, _formula, body)


def _formula(body: ParseFormula) -> Data:
    return _parse_formula(body.formula, subject_of(body)[1])


def _check(
    subject: Level | Position[Any],
    formula: str,
    paths: str,
    limit: Limit,
    progress: Callable[[int], None],
) -> Data:
    """Prove or refute a formula and return the verdict as JSON."""
    from gridproof.prove.check import check

    verdict = check(subject, formula, paths, limit=limit, progress=progress)
    result: Data = {
        "formula": str(verdict.formula),
        "holds": verdict.holds,
        "answer": verdict.answer,
        "statement": verdict.sentence("The formula"),
        "words": _words(verdict, START if isinstance(subject, Level) else HERE),
        "work": verdict.work,
        "counted": verdict.satisfying is not None,
        "remarks": verdict.remarks,
        "stopped_by": verdict.stopped_by,
    }
    if verdict.trace is not None:
        trace = {"shows": verdict.shows, "trace": verdict.trace.to_json(), "loop": verdict.trace.loop}
        result |= {**trace, "actions": len(verdict.trace.steps), "states": _states(verdict)}
        result["wins"] = any(position.won for position in verdict.trace.positions())
        result["luck"] = bool(verdict.holds) and needs_luck(verdict.trace)
    return result


def _words(verdict: Verdict, place: str) -> str:
    """Return a verdict in words: "Fails at the start; holds in 7 of 26 reachable positions."."""
    from gridproof.prove.logic import Logic

    if verdict.holds is None:
        return "No answer yet."
    answer = "Holds" if verdict.holds else "Fails"
    if verdict.logic is Logic.LTL:
        paths = "all paths" if verdict.holds else "some path"
        if verdict.paths == "some":
            paths = "some path" if verdict.holds else "all paths"
        return f"{answer} on {paths} that begin{'s' if paths == 'some path' else ''} {place}."
    if verdict.satisfying is None:
        return f"{answer} {place}."
    return f"{answer} {place}; holds in {_share(verdict.satisfying, verdict.states)}."


def _share(number: int, states: int) -> str:
    """Return a part of the reachable positions in words."""
    if states == 1:
        return "the only reachable position" if number else "no other"
    if number in (0, states):
        return f"{'all' if number else 'none'} of the {states:,} reachable positions"
    return f"{number:,} of {states:,} reachable positions"


def _states(verdict: Verdict) -> list[list[list[str]]]:
    """Return what changes in each state of a trace: name, value before ("" at the start), and value.

    The formula's atoms are listed, and changes of the game's propositions that need no arguments.
    """
    from gridproof.prove.cost import to_counted_trace
    from gridproof.prove.expansion import expand_things
    from gridproof.prove.formula import Atom
    from gridproof.prove.trace_text import atom_values, atoms_of

    assert verdict.trace is not None  # the caller has looked
    level = verdict.trace.level
    formula, game = expand_things(verdict.formula, level), level.game
    trace, atoms = to_counted_trace(verdict.trace, formula), atoms_of(formula)
    own = ("won", *(item.name for item in game.propositions if not item.parameters))
    known = dict.fromkeys(map(str, atoms))
    listed = [*atoms, *(Atom(name) for name in dict.fromkeys(own) if name not in known)]
    found: list[list[list[str]]] = []
    before: dict[str, str] = {}
    for position in itertools.islice(trace.positions(), MOST_STATES):
        values = atom_values(listed, position, verdict.who)
        shown = values if before else [*known] or ["won"]
        changed = {name: values[name] for name in shown if before.get(name) != values[name]}
        found.append([[name, before.get(name, ""), value] for name, value in changed.items()])
        before = values
    return found


@router.post("/checks", status_code=202)
async def check(request: Request, body: CheckFormula) -> Data:
    """Start checking a formula; poll the job's id until it is done."""
    context = context_of(request)
    subject = await context.read_checked(body.text, _subject_to_check, body, context.limits)
    work = partial(_check, subject, body.formula, body.paths)
    job = JobRequest("Checking a formula", work, context.jobs.limit(body.seconds))
    return submit_job(request, job)


def _subject_to_check(body: CheckFormula, limits: Limits) -> Level | Position[Any]:
    level, start = subject_of(body)
    check_board(start, limits)
    _parse_formula(body.formula, start)
    return level if body.position is None else start


@router.post("/replays")
async def replay(request: Request, body: CreateReplay) -> Data:
    """Start a replay of a trace: the board at its start, and its first steps."""
    context = context_of(request)
    return await context.read_text(trace_length(body.trace), partial(_replay, body, context.limits))


def _replay(body: CreateReplay, limits: Limits) -> Data:
    replays, table = Replays(limits), PieceTable()
    start = replays.start_trace(trace_of(body.trace, limits), table)
    steps: list[Data] = []
    end = False
    while len(steps) < body.count and not end:
        part = replays.steps(start["replay"], len(steps), body.count - len(steps)).data(table)
        steps += part["steps"]
        end = part["end"]
    return {**start, "steps": steps, "end": end, "pieces": table.pieces}

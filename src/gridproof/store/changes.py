"""Changes of sessions as data, written one by one or many in one transaction."""

from __future__ import annotations

import json
import operator
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import sqlalchemy as sa

from gridproof.core.errors import GridproofError
from gridproof.core.play_record import SavedPlay
from gridproof.core.session import Session
from gridproof.core.text.pack import Pack
from gridproof.core.trace import Trace
from gridproof.store.level_digest import digest, text_digest
from gridproof.store.rows import COLUMNS, NEXT, OverwriteRule, Row, update_sessions, upsert
from gridproof.store.schema import bests, packs, plays, scores, sessions, steps, traces

LESS, MORE = OverwriteRule("value", operator.lt), OverwriteRule("best", operator.gt)
DIFFERENT = OverwriteRule("text", operator.ne)
"""An existing row is not changed, but locked against deletion."""


Win = tuple[Trace, dict[str, int]]
"""A winning trace with its costs by measure; without costs if hints were shown."""


@dataclass(slots=True)
class Change:
    """Changes of a session since its last save."""

    name: str
    """The session's id."""
    before: str | None
    """Mark of the last saved change; None for a new session."""
    mark: str
    """Unique to this change."""
    session: Session
    current: int
    plays: dict[int, Row] = field(default_factory=dict)
    """Place -> row."""
    steps: dict[tuple[int, int], Row] = field(default_factory=dict)
    """(place, number from 1) -> row."""
    scores: dict[str, int] = field(default_factory=dict)
    wins: list[Win] = field(default_factory=list)

    @property
    def title(self) -> str:
        """Return the title of the current level."""
        return self.session.levels[self.current].title

    def merge(self, later: Change) -> None:
        """Add the next change of the same session."""
        self.mark, self.current = later.mark, later.current
        self.plays |= later.plays
        self.steps |= later.steps
        self.scores |= later.scores
        self.wins += later.wins


def build_change(
    session: Session,
    names: tuple[str, str | None, str],
    places: Collection[int],
    high_scores: Mapping[str, int],
    won: int | None,
) -> Change:
    """Build the change of a session at some places.

    Parameters
    ----------
    names : tuple
        The session's id, the mark of the change before (None for a new session), and the mark of this one.
    places : places of levels
        In a saved session, only the last step of each has changed.
    high_scores : mapping
        New high scores by key.
    won : int, optional
        Place of the level that was won.
    """
    name, before, mark = names
    change = Change(name, before, mark, session, session.current, scores=dict(high_scores))
    for place in places:
        if (play := session.to_data(place, last_step=before is not None)) is not None:
            _add_play(change, place, play)
    if won is not None and not session.is_won_by_programs(won):
        change.wins.append((session.trace(won), session.best_costs(won)))
    return change


def _add_play(change: Change, place: int, play: SavedPlay) -> None:
    here: Row = {"session": change.name, "place": place}
    change.plays[place] = here | {
        "seed": str(play.seed),
        "done": play.done,
        "length": play.length,
        "finished": play.finished,
        "brought": play.initial_score,
        "helped": play.helped,
        "programs": json.dumps(dict(play.programs)),
    }
    for number, (action, label) in enumerate(play.steps, play.skipped + 1):
        change.steps[place, number] = here | {"number": number, "action": action, "label": label}


def write(connection: sa.Connection, changes: Sequence[Change]) -> None:
    """Write changes of different sessions, in the connection's transaction.

    Rows of several sessions are written in the same order in all processes, to avoid deadlocks.
    GridproofError if a session was changed in another process.
    """
    _insert_sessions(connection, [change for change in changes if change.before is None])
    _update_sessions(connection, [change for change in changes if change.before is not None])
    upsert(connection, plays, [row for change in changes for row in change.plays.values()])
    upsert(connection, steps, [row for change in changes for row in change.steps.values()])
    keys = sorted({key for change in changes for key in change.scores})
    best = {key: max(change.scores.get(key, 0) for change in changes) for key in keys}
    upsert(connection, scores, [{"key": key, "best": score} for key, score in best.items()], MORE)
    if wins := [win for change in changes for win in change.wins]:
        rows = sorted(_insert_wins(connection, wins), key=operator.itemgetter("level", "measure"))
        upsert(connection, bests, rows, LESS)


# Built once, because building a statement takes longer than executing it.
_INSERT_SESSION = sa.insert(sessions).values(revision=NEXT)


def _insert_sessions(connection: sa.Connection, changes: Sequence[Change]) -> None:
    texts = {change.name: Pack(change.session.levels).text() for change in changes}
    ids = {name: text_digest(text) for name, text in texts.items()}
    rows: dict[str, Row] = {ids[name]: {"id": ids[name], "text": text} for name, text in texts.items()}
    upsert(connection, packs, [rows[pack] for pack in sorted(rows)], DIFFERENT)
    new: list[Row] = [
        {
            "id": change.name,
            "mark": change.mark,
            "game": change.session.game.name,
            "title": change.title,
            "levels": ids[change.name],
            "seed": str(change.session.seed),
            "current": change.current,
            "changed": datetime.now(UTC),
        }
        for change in changes
    ]
    if new:
        connection.execute(_INSERT_SESSION, new)


def _update_sessions(connection: sa.Connection, changes: Sequence[Change]) -> None:
    values = [(change.name, change.before, change.mark, change.current, change.title) for change in changes]
    if update_sessions(connection, [dict(zip(COLUMNS, row, strict=True)) for row in values]) != len(changes):
        names = " or ".join(change.name for change in changes)
        raise GridproofError(f"the session {names} was changed elsewhere; open it again")


_KNOWN_TRACES = sa.select(traces.c.level, traces.c.content, traces.c.id).where(
    traces.c.level.in_(sa.bindparam("levels", expanding=True)),
    traces.c.content.in_(sa.bindparam("contents", expanding=True)),
)
_INSERT_TRACE = sa.insert(traces).returning(traces.c.id)


def _insert_wins(connection: sa.Connection, wins: Iterable[Win]) -> list[Row]:
    """Insert winning traces and return the rows of their costs; a known trace may have had none, if hints were shown."""
    new: dict[tuple[str, str], tuple[str, dict[str, int]]] = {}
    for trace, costs in wins:
        text = trace.to_json(lines=False)
        key = digest(trace.level), text_digest(text)
        _, known_costs = new.get(key, (text, {}))
        new[key] = text, costs or known_costs
    levels, contents = map(list, zip(*new, strict=True))
    answer = connection.execute(_KNOWN_TRACES, {"levels": levels, "contents": contents}).all()
    known = {(level, content): number for level, content, number in answer}
    rows: list[Row] = []
    for (level, content), (text, costs) in new.items():
        number = known.get((level, content))
        if number is None:
            row = {"level": level, "finished": datetime.now(UTC), "trace": text, "content": content}
            number = connection.scalar(_INSERT_TRACE, row)
        rows += [
            {"level": level, "measure": name, "value": cost, "trace": number} for name, cost in costs.items()
        ]
    return rows

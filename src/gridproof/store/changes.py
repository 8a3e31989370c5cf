"""Changes of sessions as data, and how they are written: one, or many in one transaction."""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from gridproof.core.errors import GridproofError
from gridproof.core.pack import Pack
from gridproof.core.progress import SavedPlay
from gridproof.core.session import Session
from gridproof.core.trace import Trace
from gridproof.store.content import digest, text_digest
from gridproof.store.rows import COLUMNS, NEXT, Better, Row, go_on, put
from gridproof.store.schema import bests, packs, plays, scores, sessions, steps, traces

LESS, MORE = Better("value", operator.lt), Better("best", operator.gt)
OTHER = Better("text", operator.ne)
"""What is there already is not written again, but locked: nobody removes it meanwhile."""


@dataclass(slots=True)
class Change:
    """What has changed in a session since it was kept last."""

    name: str
    """The session's id."""
    before: str | None
    """The mark of the change that was kept last; None for a session that is new."""
    mark: str
    """Unique to this change."""
    session: Session
    current: int
    plays: dict[int, Row] = field(default_factory=dict)
    """By place."""
    steps: dict[tuple[int, int], Row] = field(default_factory=dict)
    """By place and number, from 1."""
    scores: dict[str, int] = field(default_factory=dict)
    wins: list[tuple[Trace, dict[str, int]]] = field(default_factory=list)
    """Each with what it costs by each measure."""

    @property
    def title(self) -> str:
        """That of the level that is played now."""
        return self.session.levels[self.current].title

    def follow(self, later: Change) -> None:
        """Make it this change and the next one of the same session."""
        self.mark, self.current = later.mark, later.current
        self.plays |= later.plays
        self.steps |= later.steps
        self.scores |= later.scores
        self.wins += later.wins


def change_of(
    session: Session,
    names: tuple[str, str | None, str],
    changed: Collection[int],
    risen: Mapping[str, int],
    won: int | None,
) -> Change:
    """What has changed at some places of a session, as it is now.

    Parameters
    ----------
    names : tuple
        The session's id, and the marks of the change before (None: the session is new) and of this one.
    changed : places of levels
        On those of a session that is kept already, no step but the last one has changed.
    risen : mapping
        The high scores that it may have raised.
    won : int, optional
        The place of the level that it has won.
    """
    name, before, mark = names
    change = Change(name, before, mark, session, session.current, scores=dict(risen))
    for place in changed:
        if (play := session.saved(place, last_step=before is not None)) is not None:
            _add_play(change, place, play)
    if won is not None:
        change.wins.append((session.trace(won), session.costs(won)))
    return change


def _add_play(change: Change, place: int, play: SavedPlay) -> None:
    here: Row = {"session": change.name, "place": place}
    change.plays[place] = here | {
        "seed": str(play.seed),
        "done": play.done,
        "length": play.length,
        "finished": play.finished,
        "brought": play.brought,
    }
    for number, (action, label) in enumerate(play.steps, play.skipped + 1):
        change.steps[place, number] = here | {"number": number, "action": action, "label": label}


def write(connection: sa.Connection, changes: Sequence[Change]) -> None:
    """Write changes of different sessions, in the connection's transaction.

    Rows that other sessions write, too, go in the same order in all processes: else two might wait for each other.

    Raises
    ------
    GridproofError
        When a session has gone on in another process.
    """
    _insert_sessions(connection, [change for change in changes if change.before is None])
    _update_sessions(connection, [change for change in changes if change.before is not None])
    put(connection, plays, [row for change in changes for row in change.plays.values()])
    put(connection, steps, [row for change in changes for row in change.steps.values()])
    best = {key: max(change.scores.get(key, 0) for change in changes) for key in _keys(changes)}
    put(connection, scores, [{"key": key, "best": score} for key, score in best.items()], MORE)
    won = [row for change in changes for win in change.wins for row in _kept_win(connection, *win)]
    put(connection, bests, sorted(won, key=operator.itemgetter("level", "measure")), LESS)


def _keys(changes: Iterable[Change]) -> list[str]:
    """The keys of all scores."""
    return sorted({key for change in changes for key in change.scores})


# The statements are made once: to make one takes longer than to execute it.
_INSERT_SESSION = sa.insert(sessions).values(revision=NEXT)


def _insert_sessions(connection: sa.Connection, changes: Iterable[Change]) -> None:
    texts = {change.name: Pack(change.session.levels).text() for change in changes}
    ids = {name: text_digest(text) for name, text in texts.items()}
    rows: dict[str, Row] = {ids[name]: {"id": ids[name], "text": text} for name, text in texts.items()}
    put(connection, packs, [rows[pack] for pack in sorted(rows)], OTHER)
    for change in changes:
        session = change.session
        row: Row = {
            "id": change.name,
            "mark": change.mark,
            "game": session.game.name,
            "title": change.title,
            "levels": ids[change.name],
            "seed": str(session.seed),
            "current": change.current,
            "changed": datetime.now(UTC),
        }
        connection.execute(_INSERT_SESSION, row)


def _update_sessions(connection: sa.Connection, changes: Sequence[Change]) -> None:
    values = [(change.name, change.before, change.mark, change.current, change.title) for change in changes]
    if go_on(connection, [dict(zip(COLUMNS, row, strict=True)) for row in values]) != len(changes):
        names = " or ".join(change.name for change in changes)
        raise GridproofError(f"the session {names} has gone on elsewhere: take it up again")


_GIVEN: Mapping[str, sa.BindParameter[Any]] = {
    column.name: sa.bindparam(column.name, type_=column.type) for column in traces.c if column.name != "id"
}
_SAME = sa.select(traces.c.id).where(traces.c.level == _GIVEN["level"], traces.c.content == _GIVEN["content"])
_INSERT_TRACE = (
    sa.insert(traces).from_select([*_GIVEN], sa.select(*_GIVEN.values()).where(~_SAME.exists()))
).returning(traces.c.id)


def _kept_win(connection: sa.Connection, trace: Trace, costs: Mapping[str, int]) -> list[Row]:
    """Keep a trace that has won, and give what it costs; nothing for one that is kept: a win taken back and done again."""
    level, text = digest(trace.level), trace.to_json(lines=False)
    row: Row = {
        "level": level, "finished": datetime.now(UTC), "trace": text, "content": text_digest(text),
    }  # fmt: skip
    number = connection.scalars(_INSERT_TRACE, row).one_or_none()
    if number is None:
        return []
    return [{"level": level, "measure": name, "value": cost, "trace": number} for name, cost in costs.items()]

"""Serializers: session state, changes and messages as JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import orjson

from gridproof.analysis.json_data import Data
from gridproof.core.difficulty import difficulty_word, puzzles_of
from gridproof.core.extension import module_of
from gridproof.core.game import Game
from gridproof.core.lesson import explained_counts
from gridproof.core.look import ON_BOARD, OWN, Look, Mark, Seen, no_marks
from gridproof.core.observers import Change
from gridproof.core.position import NATURE, Action, Level, Outcome, Position
from gridproof.core.puzzle import daily_id, daily_title, puzzle_of, today
from gridproof.core.session import Session
from gridproof.prove.verdict_line import spoken_word
from gridproof.server.live.board_delta import BoardSnapshot, events_data, heard_data, step_data, words_data
from gridproof.server.live.piece_table import PieceTable
from gridproof.table import messages
from gridproof.table.board_diff import same_shape
from gridproof.table.commands import COMMANDS, COMMANDS_BY_NAME, Command
from gridproof.table.keys import directions, explain_refusal, keys_on, meanings
from gridproof.table.messages import Message
from gridproof.table.replay import ReplayMessage
from gridproof.table.table import Table
from gridproof.table.win_message import count_own

MOST_STEPS = 40
"""Steps of an undo or a redo that are sent one by one; for more, only the board is sent."""
MOST_ACTIONS = 400
"""Actions in the list of possible actions."""
MOST_MOVES = 1000
"""Moves in the list of a state before the position, and after it."""
MOST_REQUESTS = 40
"""Latest requests of several actors in a state."""
HIDDEN_COMMANDS = {"games", "resume", "open", "save", "quit", "as"}
"""Commands for one player alone: they would reveal sessions of others, or end a table for all."""


def json_text(data: object) -> str:
    """Encode JSON without whitespace."""
    try:
        return orjson.dumps(data).decode()
    except TypeError:  # integers above 64 bits and lone surrogates need the standard library
        return json.dumps(data, separators=(",", ":"))


def json_parts(data: Data) -> dict[str, str]:
    """Encode each value of an object as JSON."""
    return {name: json_text(value) for name, value in data.items()}


def json_object(parts: Mapping[str, str]) -> str:
    """Join values that are JSON already to an object."""
    return "{" + ",".join([f'"{name}":{text}' for name, text in parts.items()]) + "}"


class Win(NamedTuple):
    """A level that was won."""

    place: int
    costs: dict[str, int]
    """Measure -> cost."""


class Changes:
    """Observer of a session that serializes each change once for all tables."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.pieces = PieceTable()
        self.actions = Actions(self.pieces)
        self.snapshot = BoardSnapshot(session.position)
        self._recent: dict[int, tuple[Change, Data, str]] = {}
        """Id of a change -> the change, its data, and its JSON."""
        self._won: list[Win] = []
        session.attach(self)

    def changed(self, session: Session, change: Change) -> None:
        """Serialize a change."""
        data: Data = {
            "change": change.kind,
            "level": change.place + 1,
            "current": change.current + 1,
            "won": change.won,
            "passed": [place + 1 for place in change.passed],
            "steps": self._steps(change, self.snapshot),
        }
        if self.snapshot.position is not session.position:
            self.snapshot = BoardSnapshot(session.position)
            data["board"] = self.snapshot.data(self.pieces)
        if change.won:
            self._won.append(Win(change.place, session.best_costs(change.place)))
        self._recent[id(change)] = change, data, json_text(data)

    def take_wins(self) -> list[Win]:
        """Mark the changes as sent, and return the wins."""
        won, self._won = self._won, []
        self._recent.clear()
        return won

    def text(self, change: Change, actor: str | None, counts: Mapping[int, Data]) -> str:
        """Return a recent change as JSON, as far as one actor may learn it.

        Parameters
        ----------
        counts : mapping
            Final counts of won levels as `counts_data`, by place.
        """
        _, data, text = self._recent[id(change)]
        look = change.before.level.game.look
        outcomes = [outcome for _, outcome in change.steps]
        steps, visible = data["steps"], look.filter_outcomes(outcomes, actor)
        same = not steps or visible == tuple(outcomes)
        if same and not change.won:
            return text
        if not same:
            in_order = visible[::-1] if change.kind == "undo" else visible
            private = [_replace_events(look, step, item) for step, item in zip(steps, in_order, strict=True)]
            data = {**data, "steps": private}
        last = counts.get(change.place, {}) if change.won else {}
        return json_text({**data, **last})

    def _steps(self, change: Change, before: BoardSnapshot) -> list[Data]:
        """Return the steps of a change that are sent one by one, and update `snapshot`."""
        if change.kind not in ("act", "redo", "undo") or len(change.steps) > MOST_STEPS:
            return []
        back = change.kind == "undo"
        if before.position is not change.before:
            before = BoardSnapshot(change.before)
        first = change.after if back else change.before
        positions: list[Position[Any]] = [first, *[outcome.position for _, outcome in change.steps]]
        snapshots = [
            before if position is before.position else BoardSnapshot(position) for position in positions
        ]
        if back:
            snapshots[-1] = before
        for item in snapshots:
            if item is not before and not same_shape(item.board, before.board):
                return []
        deltas = [
            step_data(self.pieces, snapshots[number], snapshots[number + 1], action, outcome, back)
            for number, (action, outcome) in enumerate(change.steps)
        ]
        self.snapshot = snapshots[0] if back else snapshots[-1]
        return deltas[::-1] if back else deltas


def _replace_events(look: Look, step: Data, outcome: Outcome[Any]) -> Data:
    public = {name: value for name, value in step.items() if name not in ("heard", "seen_heard")}
    return {**public, **events_data(look, outcome)}


def requests_data(table: Table) -> list[Data]:
    """Return the latest requests of the actors on this level, as the player may see them."""
    if len(table.actors) < 2:
        return []
    session, look = table.session, table.look
    actions, latest = session.trace().actions[-MOST_REQUESTS:], session.outcomes[-MOST_REQUESTS:]
    before = session.history[len(actions) : 0 : -1]
    visible = look.filter_outcomes(latest, table.actor)
    return [_request_data(look, *request) for request in zip(before, actions, visible, strict=True)]


def _request_data(look: Look, position: Position[Any], action: Action, outcome: Outcome[Any]) -> Data:
    data: Data = {**words_data(position, action), "heard": (), **heard_data(look, outcome)}
    if look.dialogue is not None:
        data["dialogue"] = look.dialogue(position, action, outcome)._asdict()
    return data


Shown: TypeAlias = tuple[Sequence[Mark], Seen | None]
"""Marks of an action, and how the board shows it."""


def moves_data(session: Session) -> Data:
    """Return the moves of the current level, done and undone, near the position; `first` moves come before them.

    `game` tells a new game of the level from the one before; it does not tell the secret seed.
    """
    first, steps = session.line(MOST_MOVES)
    return {
        "game": hashlib.sha256(str(session.level_seed).encode()).hexdigest()[:8],
        "first": first,
        "list": [[str(action), *words_data(position, action).values()] for position, action in steps],
    }


class Actions:
    """The possible actions as JSON, rebuilt only if their marks change."""

    def __init__(self, pieces: PieceTable) -> None:
        self._pieces = pieces
        self._level: Level | None = None
        self._several = False
        """True if the level has several actors."""
        self._cache: dict[Action, tuple[Shown, Data]] = {}
        self._latest: tuple[Sequence[Action], list[Shown], list[Data]] = (), [], []
        """Latest actions, how they are shown, and their JSON."""

    def data(self, table: Table) -> list[Data]:
        """Return the actions that a player can do, each with its marks."""
        if self._level is not table.level:
            self._level, self._cache, self._latest = table.level, {}, ((), [], [])
            self._several = len(table.actors) > 1
        found = self._all_data(table.session.position, self._several)
        if table.actor is None and not table.taken:
            return found
        return [data for data in found if _is_offered(data.get("actor"), table)]

    def _all_data(self, position: Position[Any], several: bool) -> list[Data]:
        actions = position.all_actions()[:MOST_ACTIONS]
        shown = _show_actions(position, actions)
        if self._latest[:2] != (actions, shown):
            level = position.level
            found = [
                self._cached_data(level, *action, several) for action in zip(actions, shown, strict=True)
            ]
            self._latest = actions, shown, found
        return self._latest[2]

    def action_data(self, position: Position[Any], action: Action, several: bool) -> Data:
        """Return one action, with its owner if there are several actors."""
        return self._cached_data(position.level, action, _show_actions(position, (action,))[0], several)

    def _cached_data(self, level: Level, action: Action, shown: Shown, several: bool) -> Data:
        cached = self._cache.get(action)
        if cached is None or cached[0] != shown:
            cached = self._cache[action] = shown, self._serialize(level, action, shown, several)
        return cached[1]

    def _serialize(self, level: Level, action: Action, shown: Shown, several: bool) -> Data:
        marks, seen = shown
        data: Data = {"text": str(action), "words": level.game.look.describe(level, action)}
        if several:
            data["actor"] = level.owner(action)
        if level.game.look.confirmed(action):
            data["confirm"] = True
        if marks:
            data["marks"] = marks_data(marks, self._pieces)
        if seen is not None:
            data["seen"], data["way"] = seen.words, seen.way
        return data


def _is_offered(owner: str | None, table: Table) -> bool:
    """Return whether a player is offered the actions of an actor."""
    return owner not in table.taken and (table.actor is None or owner in (table.actor, NATURE))


def _show_actions(position: Position[Any], actions: Sequence[Action]) -> list[Shown]:
    """Return the marks of actions, and how the board shows them, as far as the game has any."""
    look: Look = position.level.game.look
    marks, seen = look.marks, look.seen
    if seen is not None:
        return [(marks(position, action), seen(position, action)) for action in actions]
    return (
        [((), None)] * len(actions)
        if marks is no_marks
        else [(marks(position, item), None) for item in actions]
    )


STEADY_FIELDS = frozenset(
    {
        "levels",
        "title",
        "key",
        "completed",
        "best",
        "actions",
        "question",
        "partners",
        "about",
        "end",
        "next_goal",
        "directions",
        "each",
        "helped",
        "seen_meanings",
    }
)
"""Fields of a level's state that are left out if unchanged."""


def field_delta(now: Data, before: Data) -> Data:
    """Return the fields of a level's state that changed."""
    delta = dict(now)
    for name in STEADY_FIELDS:
        if name in before and (before[name] is now[name] or before[name] == now[name]):
            del delta[name]
    return delta


def level_state_data(table: Table, board: messages.Board, actions: list[Data], key: str, best: Data) -> Data:
    """Return the state of the current level as JSON."""
    session, question, end = table.session, table.question, table.end
    data: Data = {
        "level": session.current + 1,
        "levels": len(session.levels),
        "title": table.level.title,
        "key": key,
        "status": str(session.status),
        "completed": board.completed,
        "done": session.actions_done,
        "undone": session.actions_undone,
        "undo_refusal": table.co_players.undo_refusal,
        **counts_data(board),
        "best": best,
        "actions": actions,
        "question": {
            "text": question.text,
            "commands": [word for word in question.commands if _is_available(COMMANDS_BY_NAME[word], table)],
        },
        "end": end and end.data(),
        "next_goal": table.look.next_goal(session.position),
        "going": table.going,
        "helped": session.is_helped(),
        **_actor_data(table, session.position),
    }
    if board.score is not None:
        data["score"], data["high_score"] = board.score
    return data


def counts_data(board: messages.Board) -> Data:
    """Return the counts of a board, in an actor's own directions, and in those of the board: None if they are the same.

    Pages keep fields that are left out, so games without such words alone have no second field.
    """
    own = board.counts_in(OWN)
    if board.position.level.game.look.spoken_counts is None:
        return {"counts": own}
    seen = board.counts_in(ON_BOARD)
    return {"counts": own, "seen_counts": None if seen == own else seen}


def _actor_data(table: Table, position: Position[Any]) -> Data:
    """Return the directions in which arrows move, the number of the player's own actions, and the cell of the own actor."""
    look, actor, data = table.look, table.actor, Data()
    if look.seen is not None:
        data["directions"] = dict(directions(position, actor))
        data["each"] = actors_data(position, _each_actor(table))
        data["seen_meanings"] = _seen_meanings(table, position)
    if len(table.actors) > 1:
        data["own_done"] = count_own(table.session.trace(), table.co_players.player_actors)
    if look.place is not None:
        data["place"] = None if actor is None else look.place(position, actor)
    return data


def _each_actor(table: Table) -> tuple[str, ...]:
    """Return the actors of which the player can choose one for the keys, where actors have directions of their own."""
    if table.actor is not None:
        return ()
    return tuple(actor for actor in choosable_actors(table.level, table.actors) if actor not in table.taken)


def choosable_actors(level: Level, actors: Sequence[str]) -> Sequence[str]:
    """Return the actors of which a player of all can choose one for the keys: several that have directions of their own."""
    return actors if len(actors) > 1 and level.game.look.seen is not None else ()


def actors_data(position: Position[Any], actors: Iterable[str]) -> Data:
    """Return the directions and the cells of actors of which the player can choose one for the keys."""
    place = position.level.game.look.place
    return {
        one: {
            "directions": dict(directions(position, one)),
            "place": None if place is None else place(position, one),
        }
        for one in actors
    }


def _seen_meanings(table: Table, position: Position[Any]) -> Data:
    """Return actions of keys in directions of the board, those too that are impossible now."""
    level, seen = table.level, table.look.seen
    actors = (table.actor,) if table.actor is not None else table.actors
    texts = {text for actor in actors for text in keys_on(level, actor).values()}
    return {
        text: seen(position, action).words
        for action in level.all_actions()
        if seen is not None and (text := str(action)) in texts
    }


def marks_data(marks: Iterable[Mark], pieces: PieceTable) -> list[Sequence[int]]:
    """Return the marks of an action as JSON."""
    return [(pieces.number(mark.piece), mark.x, mark.y) for mark in marks]


def message_data(message: Message, table: Table, pieces: PieceTable) -> Data:
    """Return a table's messages as JSON."""
    data: Data = {"kind": message.kind, "text": message.words()}
    if (seen := message.words_in(ON_BOARD)) != data["text"]:
        data["seen"] = seen
    if isinstance(message, messages.AllDone):
        data["kind"] = "done"
    elif isinstance(
        message,
        messages.Best
        | messages.Choice
        | messages.Ended
        | messages.NextActions
        | messages.Nudge
        | messages.Refused,
    ):
        data |= message.details()
        if isinstance(message, messages.Refused) and message.sentence:
            data["text"] = message.sentence
        blocked = message.blocked if isinstance(message, messages.Refused) else ""
        position = table.session.position
        if blocked and (reason := explain_refusal(position, blocked)):
            data["reason"], data["own_reason"] = reason, explain_refusal(position, blocked, OWN)
    elif isinstance(message, messages.Hint):
        data |= {"action": str(message.action), "left": message.left}
        data["marks"] = marks_data(table.look.marks(message.position, message.action), pieces)
    elif isinstance(message, messages.Solved):
        data["text"] = f"{message.summary()}."
        data["actions"] = [*map(str, message.trace.actions)]
        data["fewest"] = message.fewest
        data["trace"] = message.trace.to_json()
    return data


def plain_messages(answer: Iterable[Message]) -> list[Message]:
    """Return the messages that are sent as lines, without changes, boards and replays."""
    return [item for item in answer if not isinstance(item, (messages.Moved, messages.Board, ReplayMessage))]


def about_data(table: Table, default_actor: str | None) -> Data:
    """Return the data of the whole level: actors, the one that the player gets by default, keys and commands."""
    keys_of = {actor: keys_on(table.level, actor) for actor in _each_actor(table)}
    usual = keys_on(table.level) if keys_of else {}
    keys = {key: text for key, text in table.keys.items() if usual.get(key) != text}
    named = {text: None for one in (keys, *keys_of.values()) for text in one.values()}
    return {
        "actors": table.actors,
        "default_actor": default_actor,
        "taken": [actor for actor in table.actors if actor in table.taken],
        "turns": table.look.turns if len(table.actors) > 1 else "",
        "keys": keys,
        "keys_of": keys_of,
        "meanings": meanings(table.level, named),
        "commands": _commands(table),
        "difficulty": difficulty_word(table.level),
        "goal": table.look.goal(table.level) or table.level.game.meaning,
        "word": spoken_word(table.level),
        "random": table.session.has_chance,
        "puzzle": puzzle_data(table.level),
    }


def puzzle_data(level: Level) -> Data | None:
    """Return the id and the parts of the id of a generated puzzle; None for any other level."""
    puzzle = puzzle_of(level)
    if puzzle is None:
        return None
    day = today()
    is_daily = puzzle.id == daily_id(puzzle.id.game, day)
    return {
        "id": str(puzzle.id),
        **{name: getattr(puzzle.id, name) for name in ("game", "kind", "difficulty")},
        "of_the_day": is_daily,
        "daily_title": daily_title(puzzle.id.game, day) if is_daily else "",
        "meaning": offered.meaning if (offered := puzzles_of(level.game)) else "",
    }


def rules_data(game: Game) -> Data | None:
    """Return the counts that the rules page of a game explains, with the places on it; None without such a page."""
    return explained_counts(game) if module_of(game, "lesson") else None


def _commands(table: Table) -> list[Data]:
    return [
        {
            "word": command.words[0],
            "argument": command.argument,
            "meaning": command.meaning,
            "keys": command.keys,
        }
        for command in COMMANDS
        if _is_available(command, table)
    ]


def _is_available(command: Command, table: Table) -> bool:
    return command.words[0] not in HIDDEN_COMMANDS and table.offers(command)

"""All readers of texts, by name, each with valid texts; they are fuzzed, and measured on hostile text."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gridproof.core.game import Format, Game
from gridproof.core.position import Level, Position
from gridproof.core.proposition import parse_goal, propositions
from gridproof.core.registry import TEMPLATE, game, game_names
from gridproof.core.session import Session
from gridproof.core.text import files, recognition
from gridproof.core.text.level_lookup import builtin_pack, pack_names
from gridproof.core.text.pack import Pack
from gridproof.core.trace import Trace

_FEW = 8
"""Samples of one kind."""


@dataclass(frozen=True, slots=True)
class Reader:
    """What reads texts of one kind: it answers, or raises GridproofError."""

    name: str
    """As in "sokoban/xsb"."""
    read: Callable[[str], object]
    samples: tuple[str, ...]
    """Texts that it reads, short ones first."""


@functools.cache
def readers() -> Mapping[str, Reader]:
    """The readers of every game, the template's and installed ones' too, and the one that recognises formats."""
    owners = [game(name) for name in (*game_names(), TEMPLATE)]
    own = [reader for owner in owners for reader in _readers_of(owner)]
    texts = [
        text for owner in owners for form in owner.formats for text in _written(form, _levels(owner)[:1])
    ]
    every = Reader("formats", lambda text: recognition.recognise(files.clean(text), None), tuple(texts))
    return {reader.name: reader for reader in (every, *own)}


def _readers_of(owner: Game) -> Iterator[Reader]:
    levels = _levels(owner)
    traces = [level.certificate or _played(level) for level in levels]
    middles = [_middle(trace) for trace in traces]
    middle, level = middles[0], levels[0]
    actions = [owner.own_format.join_actions(trace) for trace in traces]

    def reader(kind: str, read: Callable[[str], object], samples: Any) -> Reader:
        return Reader(f"{owner.name}/{kind}", read, tuple(sorted(samples, key=len)))

    for form in owner.formats:
        yield reader(form.name, functools.partial(_read_levels, form), _written(form, levels))
    yield reader("position", lambda text: recognition.position(text, owner), map(_text, middles))
    yield reader("level-position", level.position, [level.start().text(), middle.text()])
    yield reader("action", middle.action, map(str, (*level.all_actions(), *middle.all_actions())))
    yield reader("actions", owner.own_format.split_actions, actions)
    yield reader("goal", lambda text: parse_goal(owner, text)(middle), _goals(owner))
    yield reader("trace", Trace.from_json, [trace.to_json() for trace in traces])


def _levels(owner: Game) -> list[Level]:
    """A few small levels of the game's own packs."""
    found = [level for name in pack_names(owner) for level in builtin_pack(owner, name)]
    return sorted(found, key=lambda level: len(level.text()))[:_FEW]


def _played(level: Level) -> Trace:
    """The first actions again and again, where no certificate is known."""
    session = Session(level)
    for _ in range(_FEW):
        if actions := session.position.actions():
            session.act(actions[session.actions_done % len(actions)])
    return session.trace()


def _middle(trace: Trace) -> Position[Any]:
    """A position in the middle of a game."""
    return next(itertools.islice(trace.positions(), len(trace.steps) // 2, None))


def _text(position: Position[Any]) -> str:
    return position.text()


def _read_levels(form: Format, text: str) -> Pack:
    pack: Pack = form.read(files.clean(text))
    return pack


def _written(form: Format, levels: list[Level]) -> list[str]:
    write = form.write
    return [write(Pack([level])) for level in levels] + [write(Pack(levels))] if write else []


def _goals(owner: Game) -> list[str]:
    return [
        f"{item.name}{'(1,1)' if len(item.parameters) == 2 else '(1)' if item.parameters else ''}"
        f"{' >= 1' if item.number else ''}"
        for item in propositions(owner).values()
    ]

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
from gridproof.prove.expansion import Expander
from gridproof.prove.formats.hoa import violations
from gridproof.prove.formats.hoa_reader import parse_automaton
from gridproof.prove.formula import Formula
from gridproof.prove.game_formulas import formulas_of
from gridproof.prove.logic import Logic, logic_of
from gridproof.prove.name_check import check_names
from gridproof.prove.parsing import parse
from gridproof.prove.property_file import parse_properties

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
    traces = [level.certificate or _play(level) for level in levels]
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
    yield reader("properties", functools.partial(_read_properties, middle), _properties(owner))
    yield reader("automaton", lambda text: parse_automaton(files.clean(text), "automaton"), _automata(owner))
    yield reader("trace", Trace.from_json, [trace.to_json() for trace in traces])


def _levels(owner: Game) -> list[Level]:
    """A few small levels of the game's own packs."""
    found = [level for name in pack_names(owner) for level in builtin_pack(owner, name)]
    return sorted(found, key=lambda level: len(level.text()))[:_FEW]


def _play(level: Level) -> Trace:
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


def _read_properties(position: Position[Any], text: str) -> list[Formula]:
    """The formulas of a property file, with definitions and things of a level, and their names checked."""
    file = parse_properties(text)
    expander = Expander(position.level, file.definitions)
    found = [expander.expand(one.formula) for one in file.properties]
    for one in found:
        logic_of(one)
        check_names(one, position)
    return found


def _properties(owner: Game) -> list[str]:
    formulas = formulas_of(owner)
    listed = [
        *formulas.invariants.values(),
        *formulas.questions,
        "AG forall m in actions: e(m) -> E (F won & G !lost)",
    ]
    lines = [f"{'not ' * (number % 2)}p{number}: {text}" for number, text in enumerate(listed)]
    definitions = (
        "define one(x) = won & e(x)\ndefine other = # nothing\n  (exists m in actions: one(m)) | EF won\n"
    )
    return [lines[0], "\n".join(lines), f"{definitions}q: AG other\n"]


def _automata(owner: Game) -> list[str]:
    formulas = [parse(one) for one in formulas_of(owner).questions]
    linear = [one for one in formulas if logic_of(one) in (Logic.LTL, Logic.STATE)]
    written = ["\n".join(violations(one)) for one in (*linear, parse("G (home -> F (won & !lost))"))]
    return [
        *written,
        written[-1].replace("Acceptance", "Alias: @a 0 | !1 /* one */\nAcceptance").replace("[t]", "[@a]"),
    ]


def _goals(owner: Game) -> list[str]:
    return [
        f"{item.name}{'(1,1)' if len(item.parameters) == 2 else '(1)' if item.parameters else ''}"
        f"{' >= 1' if item.number else ''}"
        for item in propositions(owner).values()
    ]

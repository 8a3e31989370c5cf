"""Traces: replayed and verified, written and read, and documents that are none."""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema.exceptions import best_match
from tests.measurement import lines_run

import gridproof as gp
from gridproof.core.game import Game
from gridproof.core.text import files
from gridproof.core.trace import Step, Trace, parse_trace, replay_steps, schema, steps_to_data
from gridproof.games.null import Level, Move, Position

LEVEL = Level(6, 1, 5, title="A walk")
START = LEVEL.start()
TRACE = Trace(START, (Step(Move.HOP, "by 2"), Step(Move.LEFT), Step(Move.RIGHT), Step(Move.HOP, "by 2")))
LASSO = Trace(START, TRACE.steps[:3], loop=1, seed=2**64 - 1)


def document(**changes: object) -> str:
    return json.dumps(json.loads(LASSO.to_json()) | changes)


def without(key: str) -> str:
    return json.dumps({name: value for name, value in json.loads(LASSO.to_json()).items() if name != key})


# -- what a trace is


def test_replay_visits_every_position() -> None:
    assert [position.text().index("@") for position in list(TRACE.positions())[:4]] == [1, 3, 2, 3]
    assert TRACE.replay() == Position(LEVEL, 5)
    assert [outcome.position.walker for outcome in TRACE.outcomes()] == [3, 2, 3, 5]
    assert TRACE.actions == (Move.HOP, Move.LEFT, Move.RIGHT, Move.HOP)
    assert TRACE.level is LEVEL


def test_lasso_returns_to_its_loop() -> None:
    assert LASSO.replay() == Position(LEVEL, 3)


@pytest.mark.parametrize(
    ("trace", "message"),
    [
        (Trace(START, (Step(Move.LEFT), Step(Move.LEFT))), "left: step 2: it cannot be executed here"),
        (Trace(START, (Step(Move.HOP, "by 3"),)), "hop: step 1: it has no outcome 'by 3' here"),
        (Trace(START, (Step(Move.RIGHT, "by 1"),)), "right: step 1: it has no outcome 'by 1' here"),
        (Trace(START, TRACE.steps, loop=1), "the loop does not return to the position after 1 step"),
        (Trace(START, TRACE.steps, loop=4), "the loop begins at 4, but the trace has 4 steps"),
        (Trace(START, TRACE.steps, loop=-1), "the loop begins at -1, but the trace has 4 steps"),
        (Trace(START, (), loop=0), "the loop begins at 0, but the trace has 0 steps"),
        (Trace(START, (Step("left"),)), "left: step 1: 'left' is no action of null"),
        (Trace(START, TRACE.steps, seed=6), "step 1: the seed 6 draws 'by 1', not 'by 2'"),
    ],
)
def test_invalid_trace_is_refused(trace: Trace, message: str) -> None:
    with pytest.raises(gp.GridproofError) as caught:
        trace.replay()
    assert message in str(caught.value)


def test_trace_refuses_start_that_reads_back_differently(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Level, "position", lambda level, text: Position(level, 4))
    with pytest.raises(gp.GridproofError, match="start is no position of its level"):
        Trace(TRACE.start, TRACE.steps).replay()


def test_trace_refuses_tuple_equal_to_action() -> None:
    start = gp.levels_at("shiftit/boards/1")[0].start()
    action = start.actions()[0]
    bare = tuple(action)
    assert bare == action
    Trace(start, (Step(action),)).replay()
    with pytest.raises(gp.IllegalAction, match="step 1: no such action; choose from"):
        Trace(start, (Step(bare),)).replay()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"start": None}, "a trace starts with a position, not with NoneType"),
        ({"start": LEVEL}, "not with Level"),
        ({"steps": ((Move.LEFT, ""),)}, "the steps of a trace are a tuple of Step"),
        ({"steps": [Step(Move.LEFT)]}, "the steps of a trace are a tuple of Step"),
        ({"loop": "1"}, "the loop begins at '1', which is no whole number"),
        ({"loop": True}, "the loop begins at True"),
        ({"seed": -1}, "seed -1: it must be a whole number"),
        ({"seed": "7"}, "seed '7'"),
    ],
)
def test_trace_refuses_wrong_types(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(gp.GridproofError, match=message):
        dataclasses.replace(TRACE, **changes)


def test_trace_seed_draws_start_and_labels(tmp_path: Path) -> None:
    (level,) = gp.read("2048 2x2\n")
    session = gp.Session(level, seed=5)
    for _ in range(3):
        session.act(session.position.actions()[0])
    trace = session.trace()
    assert trace.replay() == session.position
    other = next(seed for seed in range(99) if level.start(seed) != trace.start)
    with pytest.raises(gp.GridproofError, match=f"the seed {other} draws another start"):
        dataclasses.replace(trace, seed=other).replay()
    with pytest.raises(gp.GridproofError, match="draws another start"):
        Trace.from_json(json.dumps(json.loads(trace.to_json()) | {"seed": other}))

    path = tmp_path / "other.json"
    dataclasses.replace(trace, seed=other).save(path)
    with pytest.raises(gp.GridproofError, match=f"^{path}: the seed {other} draws another start$"):
        Trace.load(path)


# -- written and read


@pytest.mark.slow
@given(st.lists(st.sampled_from(list(Move)), max_size=12), st.integers(0, 2**64 - 1))
def test_trace_json_round_trip(moves: list[Move], seed: int) -> None:
    position, steps = START, list[Step]()
    for move in moves:
        if move in position.actions():
            outcome = position.step(move, gp.Rng(seed, len(steps) + 1))
            steps.append(Step(move, outcome.label))
            position = outcome.position
    trace = Trace(START, tuple(steps), seed=seed)
    again = Trace.from_json(trace.to_json())
    assert again == trace
    assert again.level.title == "A walk"
    assert again.replay() == position
    jsonschema.validate(json.loads(trace.to_json()), schema())


def test_trace_json_matches_schema() -> None:
    assert json.loads(LASSO.to_json()) == {
        "format": "gridproof-trace",
        "version": 1,
        "game": "null",
        "level": "title: A walk\n.@...o\n",
        "start": ".@...o\n",
        "steps": [{"action": "hop", "label": "by 2"}, {"action": "left"}, {"action": "right"}],
        "loop": 1,
        "seed": 18446744073709551615,
    }
    jsonschema.Draft202012Validator.check_schema(schema())


def test_trace_save_and_load(tmp_path: Path) -> None:
    for trace in (LASSO, TRACE):
        trace.save(tmp_path / "walk.json")
        assert Trace.load(str(tmp_path / "walk.json")) == trace


def test_trace_json_accepts_whole_numbers_with_a_point() -> None:
    trace = Trace.from_json(document(loop=1.0, seed=3.0, version=1.0))
    assert (trace.loop, trace.seed) == (1, 3)


def test_trace_json_reads_empty_label_as_none() -> None:
    steps = tuple(step for step, _ in replay_steps(START, [{"action": "right", "label": ""}]))
    assert steps == (Step(Move.RIGHT),)
    assert steps_to_data(steps) == [{"action": "right"}]


def test_unverified_trace_replays_no_step() -> None:
    start, data = parse_trace(document(steps=[{"action": "fly"}]))
    assert start == START
    assert data["steps"] == [{"action": "fly"}]


# -- documents that are none

BROKEN: list[tuple[str, type[gp.GridproofError], str]] = [
    ("", gp.ParseError, "line 1, column 1: not JSON: Expecting value"),
    ("{", gp.ParseError, "line 1, column 2: not JSON: Expecting property name"),
    (LASSO.to_json()[:60], gp.ParseError, "not JSON"),
    (LASSO.to_json() + "x", gp.ParseError, "line 22, column 1: not JSON: Extra data"),
    ("\n\n nonsense", gp.ParseError, "line 3, column 2: not JSON"),
    ("[" * 100_000, gp.ParseError, "not a trace: the JSON is nested too deeply"),
    ('{"seed": ' + "9" * 5000 + "}", gp.ParseError, "a number of thousands of digits"),
    ("null", gp.ParseError, "not a trace: $: None is not of type 'object'"),
    ("[]", gp.ParseError, "not a trace: $: [] is not of type 'object'"),
    ("NaN", gp.ParseError, "not a trace: $: nan is not of type 'object'"),
    ("{}", gp.ParseError, "is a required property"),
    (without("format"), gp.ParseError, "not a trace: $: 'format' is a required property"),
    (without("steps"), gp.ParseError, "not a trace: $: 'steps' is a required property"),
    (without("start"), gp.ParseError, "not a trace: $: 'start' is a required property"),
    (document(format="svg"), gp.ParseError, "not a trace: $.format: 'gridproof-trace' was expected"),
    (document(version=2), gp.ParseError, "not a trace: $.version: 1 was expected"),
    (document(version=True), gp.ParseError, "not a trace: $.version: 1 was expected"),
    (document(more=1), gp.ParseError, "('more' was unexpected)"),
    (document(game=""), gp.ParseError, "not a trace: $.game: '' should be non-empty"),
    (document(game=7), gp.ParseError, "not a trace: $.game: 7 is not of type 'string'"),
    (document(game="chess"), gp.GridproofError, "no game 'chess'"),
    (document(level=["..."]), gp.ParseError, "not a trace: $.level: ['...'] is not of type 'string'"),
    (document(level=""), gp.ParseError, "no level in this text: it is empty"),
    (document(level=".@.\n"), gp.ParseError, "line 1: a board without flag"),
    (document(level="*.\n"), gp.InvalidLevel, "N1-same at 0: the walker starts on the flag"),
    (document(level=".@o\n\n@.o\n"), gp.GridproofError, "a trace has one level, this one has 2"),
    (document(level=".\0@o\n"), gp.ParseError, "a NUL character"),
    (document(start=""), gp.ParseError, "the text has 0 levels"),
    (document(start="@o\n"), gp.ParseError, "a board of 2x1 cells"),
    (document(steps={}), gp.ParseError, "not a trace: $.steps: {} is not of type 'array'"),
    (
        document(steps=["left"]),
        gp.ParseError,
        "not a trace: $.steps[0]: 'left' is not of type 'object'",
    ),
    (document(steps=[{}]), gp.ParseError, "not a trace: $.steps[0]: 'action' is a required property"),
    (
        document(steps=[{"action": 1}]),
        gp.ParseError,
        "not a trace: $.steps[0].action: 1 is not of type 'string'",
    ),
    (document(steps=[{"action": "left", "by": 1}]), gp.ParseError, "('by' was unexpected)"),
    (
        document(steps=[{"action": "fly"}]),
        gp.IllegalAction,
        "fly: step 1: no such action; choose from left, right, hop",
    ),
    (document(steps=[{"action": "left"}] * 2), gp.IllegalAction, "left: step 2"),
    (document(steps=[{"action": "hop"}]), gp.IllegalAction, "hop: step 1: it has no outcome '' here"),
    (document(loop=-1), gp.ParseError, "not a trace: $.loop: -1 is less than the minimum of 0"),
    (document(loop="1"), gp.ParseError, "not a trace: $.loop: '1' is not of type 'integer'"),
    (document(loop=1.5), gp.ParseError, "not a trace: $.loop: 1.5 is not of type 'integer'"),
    (document(loop=True), gp.ParseError, "not a trace: $.loop: True is not of type 'integer'"),
    (document(loop=3), gp.GridproofError, "the loop begins at 3, but the trace has 3 steps"),
    (document(loop=0), gp.GridproofError, "the loop does not return to the position after 0 steps"),
    (document(seed=2**64), gp.ParseError, "is greater than the maximum"),
    (document(seed=-1), gp.ParseError, "not a trace: $.seed: -1 is less than the minimum of 0"),
]


@pytest.mark.parametrize(("text", "kind", "message"), BROKEN, ids=range(len(BROKEN)))
def test_trace_json_refuses_broken_documents(
    text: str, kind: type[gp.GridproofError], message: str, tmp_path: Path
) -> None:
    with pytest.raises(gp.GridproofError) as caught:
        Trace.from_json(text)
    assert type(caught.value) is kind
    assert message in str(caught.value)
    path = tmp_path / "broken.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(kind) as named:
        Trace.load(path)
    assert str(named.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}\0", "line 1, column 3: a NUL character"),
        ('{"seed":\n "\ud800"}', r"line 2, column 3: half of a surrogate pair"),
        (5, r"a text \(str\) is needed, not int"),
        (b"{}", r"a text \(str\) is needed, not bytes"),
    ],
)
def test_from_json_refuses_invalid_text(text: Any, message: str) -> None:
    with pytest.raises(gp.GridproofError, match=f"^{message}"):
        Trace.from_json(text)


def test_trace_larger_than_text_limit_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST", len(LASSO.to_json()) - 1)
    assert Trace.from_json(LASSO.to_json()) == LASSO
    LASSO.save(tmp_path / "long.json")
    assert Trace.load(tmp_path / "long.json") == LASSO


def test_trace_too_large_to_be_read_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "long.json"
    monkeypatch.setattr("gridproof.core.trace.LARGEST", len(LASSO.to_json()))
    LASSO.save(path)
    assert Trace.load(path) == LASSO
    monkeypatch.setattr("gridproof.core.trace.LARGEST", len(LASSO.to_json()) - 1)
    with pytest.raises(gp.GridproofError, match=f"^{path}: the trace is larger than 0 MiB"):
        dataclasses.replace(LASSO, seed=None, loop=None, steps=LASSO.steps * 9).save(path)
    with pytest.raises(gp.ParseError, match=f"^{path}: the text is larger than"):
        Trace.load(path)
    assert path.read_text() == LASSO.to_json()


@pytest.mark.slow
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists))
def test_random_json_is_a_trace_or_refused(value: Any) -> None:
    for key in ("level", "start", "steps", "loop", "seed"):
        try:
            Trace.from_json(document(**{key: value}))
        except gp.GridproofError:
            continue


# -- levels that begin in the middle of a game


def test_trace_of_level_that_starts_in_mid_game(register: Callable[[Game], None]) -> None:
    """The game says how such a text is read; what it refuses is refused."""

    def middle(text: str) -> Position:
        if text.startswith("*"):
            return Position(LEVEL, 3)
        raise gp.ParseError("not even that")

    null = gp.game("null")
    own = dataclasses.replace(null.own_format, read_midgame=middle)
    register(dataclasses.replace(null, formats=(own,)))
    data = json.loads(document(level="*.\n", steps=[{"action": "left"}]))
    del data["loop"]
    assert Trace.from_json(json.dumps(data)).level == LEVEL
    with pytest.raises(gp.ParseError, match="not even that"):
        Trace.from_json(document(level=".*\n"))


BROKEN_STEPS: tuple[object, ...] = (
    {"action": "left"},
    {"action": "hop", "label": "by 2"},
    {"action": 1},
    {"action": "left", "label": None},
    {"action": "left", "more": 1},
    {"action": 2, "more": 1},
    {"label": "by 2"},
    {"label": 1, "more": 2},
    {},
    [],
    3,
    None,
)


@pytest.mark.parametrize("steps", list(itertools.product(BROKEN_STEPS, repeat=2)))
def test_error_of_broken_steps_is_that_of_whole_schema(steps: tuple[object, ...]) -> None:
    text = document(steps=steps)
    found = best_match(jsonschema.Draft202012Validator(schema()).iter_errors(json.loads(text)))
    if found is None:
        parse_trace(text)
    else:
        with pytest.raises(gp.ParseError) as error:
            parse_trace(text)
        assert str(error.value) == f"not a trace: {found.json_path}: {found.message}"


def test_error_of_truncated_json_is_a_sentence() -> None:
    with pytest.raises(gp.ParseError, match=r"line 1, column 2: not JSON: Unterminated string$"):
        parse_trace('{"seed')


def test_many_broken_steps_are_refused_quickly() -> None:
    """The schema is asked of one of them alone: that takes hundreds of lines."""

    def work(count: int) -> int:
        text = document(steps=[{"action": 1}] * count)

        def refuse() -> None:
            with pytest.raises(
                gp.ParseError, match=rf"^not a trace: \$\.steps\[{count - 1}\]\.action: 1 is no"
            ):
                Trace.from_json(text)

        refuse()  # what is loaded first
        return lines_run(refuse)

    assert work(2000) - work(1000) < 20 * 1000


def test_replay_verifies_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    outcome = Position.outcome

    def count_call(position: Position, action: Any, label: str = "") -> Any:
        tried.append(str(action))
        return outcome(position, action, label)

    monkeypatch.setattr(Position, "outcome", count_call)
    trace = Trace.from_json(TRACE.to_json())
    assert trace.replay() == trace.replay()
    assert len(tried) == len(TRACE.steps)
    assert trace == TRACE
    assert repr(trace) == repr(TRACE)

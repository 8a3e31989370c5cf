"""The public interface called with what is of a wrong type or from another game: errors of ours, or TypeError."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import gridproof as gp
from gridproof.core.play_record import SavedPlay
from gridproof.core.text.level_lookup import pack_names

NAMES = ("null", "robots", "shiftit", "sokoban", "twenty48")
LEVELS = {name: gp.levels_at(f"{name}/{pack_names(gp.game(name))[0]}/1")[0] for name in NAMES}
STARTS = {name: level.start() for name, level in LEVELS.items()}
ACTIONS = {name: start.actions()[0] for name, start in STARTS.items()}
FEW = gp.Limit(states=20)

VALUES: list[Any] = [
    None,
    True,
    -1,
    0,
    7,
    10**30,
    1.5,
    float("nan"),
    Fraction(1, 2),
    "",
    "x",
    "won",
    "left",
    "\ud800",
]
VALUES += [b"left", [], (), {}, set(), object(), ("left", ""), int, len, gp.Rng(1), FEW, gp.Pack()]
VALUES += [value for made in (LEVELS, STARTS, ACTIONS) for value in made.values()]
VALUES += [gp.game("null"), gp.Session(LEVELS["null"]), gp.Trace(STARTS["null"]), gp.Step(ACTIONS["null"])]

NULL, START = LEVELS["null"], STARTS["null"]


def wrong_file(value: Any) -> Any:
    """Return a value; None in place of a text, which names a file."""
    return None if isinstance(value, str) else value


CALLS: dict[str, Callable[[Any], object]] = {
    "read": gp.read,
    "read(game)": lambda value: gp.read(NULL.text(), value),
    "position": gp.position,
    "position(game)": lambda value: gp.position(START.text(), value),
    "write": gp.write,
    "write(format)": lambda value: gp.write(NULL, None, value),
    "game": gp.game,
    "level": gp.level,
    "levels_at": gp.levels_at,
    "levels_at(game)": lambda value: gp.levels_at("null/first/1", value),
    "Session": gp.Session,
    "Session(seed)": lambda value: gp.Session(NULL, value),
    "Session(score)": lambda value: gp.Session(NULL, 0, None, value),
    "undo": lambda value: gp.Session(NULL).undo(value),
    "redo": lambda value: gp.Session(NULL).redo(value),
    "select": lambda value: gp.Session(NULL).select(value),
    "Session.trace": lambda value: gp.Session(NULL).trace(value),
    "Trace(start)": lambda value: gp.Trace(value).replay(),
    "Trace(steps)": lambda value: gp.Trace(START, value).replay(),
    "Trace(label)": lambda value: gp.Trace(START, (gp.Step(ACTIONS["null"], value),)).replay(),
    "Trace(loop)": lambda value: gp.Trace(START, (gp.Step(ACTIONS["null"]),), value).replay(),
    "Trace(seed)": lambda value: gp.Trace(START, (), None, value).replay(),
    "Trace.from_json": gp.Trace.from_json,
    "solve": lambda value: gp.solve(START if value in LEVELS.values() or value in STARTS.values() else value),
    "solve(minimise)": lambda value: gp.solve(NULL, value, limit=FEW),
    "solve(goal)": lambda value: gp.solve(NULL, goal=value, limit=FEW),
    "write(path)": lambda value: gp.write(NULL, wrong_file(value)),
    "Trace.save": lambda value: gp.Trace(STARTS["null"]).save(wrong_file(value)),
    "Trace.load": lambda value: gp.Trace.load(wrong_file(value)),
    "certify(path)": lambda value: gp.certify(NULL, wrong_file(value)),
    "verify": lambda value: gp.verify(wrong_file(value)),
    "improve": gp.improve,
    "improve(minimise)": lambda value: gp.improve(gp.Trace(STARTS["null"]), value, FEW),
    "value(goal)": lambda value: gp.value(NULL, value, limit=FEW),
    "analyse_pack": gp.analyse_pack,
    "solve(actors)": lambda value: gp.solve(NULL, actors=value, limit=FEW),
    "solve(limit)": lambda value: gp.solve(NULL, limit=value),
    "check": lambda value: gp.check(
        START if value in LEVELS.values() or value in STARTS.values() else value, "EF won"
    ),
    "check(formula)": lambda value: gp.check(NULL, value),
    "check(paths)": lambda value: gp.check(NULL, "F won", value),
    "check(actors)": lambda value: gp.check(NULL, "EF won", actors=value),
    "check(limit)": lambda value: gp.check(NULL, "EF won", limit=value),
    "check(fair)": lambda value: gp.check(NULL, "F won", fair=value),
    "coverage": lambda value: gp.coverage(NULL, value),
    "check_properties": lambda value: gp.check_properties(
        START if value in LEVELS.values() or value in STARTS.values() else value, "a: EF won"
    ),
    "check_properties(properties)": lambda value: gp.check_properties(NULL, value),
    "explore(actors)": lambda value: gp.explore(NULL, actors=value, limit=FEW),
    "generate": lambda value: gp.generate(value, 0),
    "Limit(seconds)": lambda value: gp.Limit(seconds=value),
    "Limit(states)": lambda value: gp.Limit(states=value),
    "Limit(memory)": lambda value: gp.Limit(memory=value),
    "Rng": gp.Rng,
    "Rng.below": lambda value: gp.Rng().below(value),
    "Rng.choice": lambda value: gp.Rng().choice(value),
    "Pack": gp.Pack,
    "Pack.text": lambda value: gp.Pack([NULL]).text(value),
    "Pack.find_level": lambda value: gp.Pack([NULL]).find_level(value),
}
OF_GAMES: dict[str, Callable[[str, Any], object]] = {
    "start": lambda name, value: LEVELS[name].start(value),
    "level.position": lambda name, value: LEVELS[name].position(value),
    "actions": lambda name, value: STARTS[name].actions(value),
    "action": lambda name, value: STARTS[name].action(value),
    "outcomes": lambda name, value: tuple(STARTS[name].outcomes(value)),
    "outcome": lambda name, value: STARTS[name].outcome(value, ""),
    "outcome(label)": lambda name, value: STARTS[name].outcome(ACTIONS[name], value),
    "step": lambda name, value: STARTS[name].step(value, gp.Rng()),
    "step(rng)": lambda name, value: STARTS[name].step(ACTIONS[name], value),
    "act": lambda name, value: gp.Session(LEVELS[name]).act(value),
    "replay": lambda name, value: gp.Trace(STARTS[name], (gp.Step(value),)).replay(),
}
CALLS |= {
    f"{name}.{what}": lambda value, name=name, call=call: call(name, value)  # type: ignore[misc]  # mypy infers no type of a lambda with defaults
    for name in NAMES
    for what, call in OF_GAMES.items()
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_wrong_types_raise_gridproof_error_or_type_error(name: str) -> None:
    for value in random.Random(name).sample(VALUES, 12):
        try:
            CALLS[name](value)
        except (gp.GridproofError, TypeError):
            continue


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("what", ["outcomes", "outcome", "step", "act", "replay"])
def test_actions_of_other_games_are_illegal(name: str, what: str) -> None:
    for other in NAMES:
        if other != name:
            with pytest.raises(gp.IllegalAction):
                OF_GAMES[what](name, ACTIONS[other])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [None, 7, 1.5, b"left"])
def test_wrong_action_is_named_in_error(name: str, value: Any) -> None:
    asked = ": a robot asks for a walk or a rotation" if name == "robots" else ""
    with pytest.raises(gp.IllegalAction, match=f": {value!r} is no action of {name}{asked}$"):
        OF_GAMES["outcomes"](name, value)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", ["nonsense", [], None, -1, True, 2**64])
def test_wrong_seed_is_refused(name: str, seed: Any) -> None:
    with pytest.raises(gp.GridproofError, match="it must be a whole number from 0"):
        LEVELS[name].start(seed)


@pytest.mark.parametrize("value", [[], {}, 5])
def test_wrong_measure_is_refused(value: Any) -> None:
    with pytest.raises(gp.GridproofError, match=r"^null cannot minimise .*; choose from actions"):
        gp.solve(NULL, minimise=value)


BOARD = "shiftit/boards/1"
LIMITED: dict[str, Callable[[Any], object]] = {
    "solve": lambda limit: gp.solve(NULL, limit=limit),
    "explore": lambda limit: gp.explore(NULL, limit=limit),
    "check": lambda limit: gp.check(NULL, "EF won", limit=limit),
    "value": lambda limit: gp.value(NULL, limit=limit),
    "claims": lambda limit: gp.claims(BOARD, 1, limit=limit),
    "runs": lambda limit: gp.runs(BOARD, 1, limit=limit),
    "improve": lambda limit: gp.improve(gp.Trace(START), limit=limit),
    "analyse": lambda limit: gp.analyse(NULL, limit),
    "analyse_pack": lambda limit: gp.analyse_pack([NULL], limit=limit),
    "certify": lambda limit: gp.certify(NULL, "proof.json", limit=limit),
    "verify": lambda limit: gp.verify("proof.json", limit=limit),
}


@pytest.mark.parametrize("name", LIMITED)
@pytest.mark.parametrize("limit", [3, 0, "3", []])
def test_wrong_limit_is_refused(name: str, limit: Any) -> None:
    with pytest.raises(gp.GridproofError, match=r"^a limit is gridproof\.Limit\(") as told:
        LIMITED[name](limit)
    assert str(told.value).endswith(f"not {limit!r}")


@pytest.mark.parametrize("value", [3, None, b"file"])
def test_wrong_file_is_refused(value: Any) -> None:
    calls = (
        lambda: gp.certify(NULL, value),
        lambda: gp.verify(value),
        lambda: gp.Trace(START).save(value),
        lambda: gp.Trace.load(value),
    )
    for call in calls:
        with pytest.raises(gp.GridproofError, match=r"^a file \(str or Path\) is needed, not "):
            call()


@pytest.mark.parametrize("name", ["states", "memory"])
def test_limit_allows_fractions_of_seconds_only(name: str) -> None:
    with pytest.raises(gp.GridproofError, match=f"^limit {name}=1.5: it must be a whole number$"):
        gp.Limit(**{name: 1.5})  # type: ignore[arg-type]  # what is tried
    assert gp.Limit(seconds=1.5).seconds == 1.5


@pytest.mark.parametrize("value", [5, "sqlite:///", object()])
def test_wrong_store_is_refused(value: Any) -> None:
    told = "^a store that keeps sessions and high scores is needed, not "
    with pytest.raises(gp.GridproofError, match=told):
        gp.Session(NULL, store=value)
    with pytest.raises(gp.GridproofError, match=told):
        gp.Session.resume(NULL, 0, 0, {0: SavedPlay(0, (), 0, False)}, store=value)


@pytest.mark.parametrize("what", ["undo", "redo"])
@pytest.mark.parametrize("value", [-1, "x", 1.0, True, None, []])
def test_wrong_number_of_actions_is_refused(what: str, value: Any) -> None:
    told = f"^{what} {re.escape(repr(value))}: the number must be 0 or more$"
    with pytest.raises(gp.IllegalAction, match=told):
        getattr(gp.Session(NULL), what)(value)


@pytest.mark.parametrize(
    "goal", ["{}", "{}!", "{} = 1", "won({})", "won(", "won = 1 {}", "bombs({})", "{}&won"]
)
def test_long_goal_is_cut_in_messages(goal: str) -> None:
    for level in (NULL, LEVELS["sokoban"]):
        with pytest.raises(gp.GridproofError) as told:
            gp.solve(level, goal=goal.format("x" * 100_000))
        assert len(str(told.value)) < 300


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [None, 7, b"left", ["left"], {}, object()])
def test_wrong_text_of_action_or_position_is_refused(name: str, value: Any) -> None:
    with pytest.raises(gp.IllegalAction):
        STARTS[name].action(value)
    with pytest.raises(gp.GridproofError, match=r"a text \(str\) is needed"):
        LEVELS[name].position(value)


@pytest.mark.parametrize("value", [7, 1.5, ["null"], object()])
def test_wrong_game_is_refused(value: Any) -> None:
    for call in (lambda: gp.read(NULL.text(), value), lambda: gp.generate(value, 0)):
        with pytest.raises(gp.GridproofError, match="a game or its name is needed, not "):
            call()


@pytest.mark.parametrize("value", [None, 7, int, "rng"])
def test_wrong_generator_raises_type_error(value: Any) -> None:
    hop = gp.read("@...o\n", "null")[0].start()
    with pytest.raises(TypeError, match=r"a generator \(gridproof.Rng\) is needed, not"):
        hop.step(hop.action("hop"), value)
    with pytest.raises(TypeError, match="a generator"):
        STARTS["twenty48"].step(ACTIONS["twenty48"], value)

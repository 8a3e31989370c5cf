"""Batches of games: each game agrees with a session of its level and seed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gridproof as gp
from gridproof.core.position import NATURE, Level, Status
from gridproof.core.rng import Rng
from gridproof.games.robots.hints import Hint, collect_hints, iterate_news
from gridproof.games.robots.kernel.play import OBSERVED
from gridproof.games.robots.requests import Response, parse_request
from gridproof.kernels.batch import Batch
from gridproof.kernels.game import LOST, PLAYING, REFUSED, WON

STATUS = {Status.PLAYING: PLAYING, Status.WON: WON, Status.LOST: LOST}
ROBOTS = """\
robots 4x3
a: rule=A rotation=90
b: rule=B rotation=180
board:
a ? B .
A > b ?
. v < ?
"""
LEVELS: dict[str, Callable[[], list[Level]]] = {
    "null": lambda: [gp.read(row, "null")[0] for row in ("@.....o", "..@o")],
    "sokoban": lambda: list(gp.levels_at("sokoban/bombs")[:3]),
    "boxes": lambda: list(gp.levels_at("sokoban/first-steps")[:3]),
    "2048": lambda: [
        gp.read(f"2048 4x4 spawn=spec target={target}\n", "twenty48")[0] for target in (16, 2048)
    ],
    "3x2": lambda: [gp.read("2048 3x2 spawn=classic target=32\n", "twenty48")[0]],
    "shiftit": lambda: list(gp.levels_at("shiftit/boards")[:1]),
    "robots": lambda: [gp.read(ROBOTS, "robots")[0]],
}


class Played:
    """One game by the rules, as a session with its seed plays it."""

    def __init__(self, level: Level, seed: int) -> None:
        self.session = gp.Session(level, seed)
        self.position, self.reward, self.done = self.session.position, 0, 0
        self.events: tuple[object, ...] = ()

    def act(self, text: str) -> bool:
        """Return whether the action was executable."""
        self.reward, self.events = 0, ()
        if text not in map(str, (*self.position.actions(), *self.position.actions(NATURE))):
            return False
        outcome = self.session.act(text)
        self.position, self.reward, self.events = outcome.position, outcome.reward, outcome.events
        self.done += 1
        return True


@pytest.mark.slow
@pytest.mark.parametrize("name", LEVELS)
def test_batch_agrees_with_sessions(name: str) -> None:
    levels, games, rng = LEVELS[name](), 6, Rng(5)
    batch = Batch(levels, games, seed=3)
    names = [*map(str, levels[0].all_actions()), "no", "none"]
    masks = np.zeros((games, len(batch.packings[0].actions)), np.uint8)
    played = [Played(levels[batch.level[i]], int(batch.seeds[i])) for i in range(games)]
    for _ in range(60):
        batch.mask(masks)
        allowed = [[names[i] for i in np.flatnonzero(row)] for row in masks]
        assert allowed == [list(map(str, game.position.actions())) for game in played]
        chosen = np.array([rng.below(len(names)) for _ in played])
        chosen[chosen == len(names) - 1] = -1
        batch.step(chosen)
        for number, game in enumerate(played):
            assert (batch.events[number] != REFUSED) == game.act(names[chosen[number]])
            state = batch.plays[number, : batch.packings[batch.level[number]].words]
            assert batch.packings[batch.level[number]].unpack(state) == game.position
            got = batch.rewards[number], batch.status[number], batch.counts[number]
            assert got == (game.reward, STATUS[game.position.status], game.done)
        over = np.array([game.position.ended for game in played])
        batch.begin(over)
        for number in np.flatnonzero(over).tolist():
            played[number] = Played(levels[batch.level[number]], int(batch.seeds[number]))


@pytest.mark.clause("R21", "R22", "R31")
@pytest.mark.parametrize("seed", range(4))
def test_batch_robots_know_their_hints(seed: int) -> None:
    level, rng = LEVELS["robots"]()[0], Rng(seed)
    batch = Batch([level], 1, seed)
    names = list(map(str, level.all_actions()))
    game, events = Played(level, int(batch.seeds[0])), list[object]()
    seen, asked, answers = np.zeros((1, OBSERVED), np.uint8), {"a": 0, "b": 0}, {"a": 0, "b": 0}
    notices: dict[str, list[Response]] = {"a": [], "b": []}
    for _ in range(80):
        if game.position.ended:
            break
        number = rng.below(len(names))
        position: Any = game.position
        if names[number] != "exchange":
            robot, wanted = names[number][0], position.respond(parse_request(names[number]))
            asked[robot] = 1 + number - 4 * (robot == "b")
            answers[robot], notices[robot] = 1 + list(Response).index(wanted), []
        game.act(names[number])
        batch.step(np.array([number]))
        events += game.events
        for who, news in iterate_news(game.events):
            if isinstance(news, Response):
                notices[who].append(news)
        hints = collect_hints(events)
        for player, name in enumerate("ab"):
            batch.observe(seen, player)
            known = {hint for hint, bit in zip(Hint, seen[0, 1:9], strict=True) if bit}
            assert known == hints.get(name, set())
            told_of = [notices[name].count(Response.SUCCESS), notices[name].count(Response.WIN)]
            assert seen[0].tolist()[9:] == [asked[name], answers[name], *told_of]
            assert seen[0, 0] == 1 + player
    assert events


@pytest.mark.long
def test_observe_writes_symbols() -> None:
    def seen(level: Level, *actions: str) -> list[int]:
        batch = Batch([level], 1)
        for action in actions:
            batch.step(np.array([list(map(str, level.all_actions())).index(action)]))
        out = np.zeros((1, int(np.prod(batch.packings[0].observed))), np.uint8)
        batch.observe(out)
        found: list[int] = out[0].tolist()
        return found

    assert seen(gp.read("@.o", "null")[0]) == [1, 0, 2]
    assert seen(gp.read("@.o", "null")[0], "right", "right") == [0, 0, 3]
    bombs = gp.read("Bombs: 1\n\n#####\n#@$.#\n#####\n", "sokoban")[0]
    assert seen(bombs) == [2, 2, 2, 2, 2, 2, 7, 3, 1, 2, 2, 2, 2, 2, 2]
    assert seen(bombs, "right") == [2, 2, 2, 2, 2, 2, 0, 7, 4, 2, 2, 2, 2, 2, 2]
    crossed = gp.read("Bombs: 1\n\n######\n#@#$.#\n# #  #\n######\n", "sokoban")[0]
    assert seen(crossed, "bomb")[6:12] == [0, 5, 0, 3, 1, 0]
    plain = gp.read("######\n#@ *.#\n#  $ #\n######\n", "sokoban")[0]
    assert seen(plain)[7:11] == [5, 0, 4, 1]  # the player is not taken for a box on a depot
    board = gp.read("2048 2x2 spawn=spec target=16\n2 0\n0 8\n", "twenty48")[0]
    assert seen(board) == [1, 0, 0, 3]
    tiles = gp.levels_at("shiftit/boards")[0]
    assert len(seen(tiles)) == 4 * len(tiles.tiles)  # type: ignore[attr-defined]  # Shift It's
    assert seen(tiles) != seen(tiles, str(tiles.start().actions()[0]))


def test_batch_refuses_incompatible_levels() -> None:
    with pytest.raises(gp.GridproofError, match="one game"):
        Batch([LEVELS["null"]()[0], LEVELS["3x2"]()[0]], 2)
    with pytest.raises(gp.GridproofError, match="kernel"):
        Batch([], 2)


def a_batch() -> Batch:
    return Batch(LEVELS["null"](), 4)


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (lambda b: b.step(np.zeros(3, np.int64)), r"the actions: int64 \(4,\) is needed, not int64 \(3,\)"),
        (lambda b: b.step(np.zeros(4)), r"the actions: .* not float64 \(4,\)"),
        (lambda b: b.step(np.zeros((4, 1), np.int64)), r"the actions: .* not int64 \(4, 1\)"),
        (lambda b: b.step([1] * 4), "the actions: .* not a list"),
        (lambda b: b.begin(np.ones(3, bool)), r"the marks: bool or uint8 \(4,\) is needed, not bool \(3,\)"),
        (lambda b: b.begin(np.ones(4)), "the marks: .* not float64"),
        (
            lambda b: b.mask(np.zeros((3, 2), np.uint8)),
            r"the mask: uint8 \(4, 3\) is needed, not uint8 \(3, 2\)",
        ),
        (lambda b: b.mask(np.broadcast_to(np.uint8(0), (4, 3))), "the mask: .* cannot be written to"),
        (lambda b: b.observe(np.zeros((4, 3), np.uint8)), r"what is seen: uint8 \(4, 7\) is needed"),
        (lambda b: b.observe(np.zeros((4, 7), np.uint8), 77), "there is no player 77: there are 0 to 0"),
        (lambda b: b.observe(np.zeros((4, 7), np.uint8), -1), "there is no player -1"),
    ],
)
def test_batch_refuses_arrays_of_other_shape_or_type(work: Callable[[Batch], None], message: str) -> None:
    batch = a_batch()
    with pytest.raises(gp.GridproofError, match=message):
        work(batch)


@pytest.mark.parametrize("name", ["level", "seeds"])
def test_begin_checks_levels_and_seeds(name: str) -> None:
    batch = a_batch()
    setattr(batch, name, np.zeros(3, np.int64))
    with pytest.raises(gp.GridproofError, match=rf"{name}: u?int64 \(4,\) is needed, not int64 \(3,\)"):
        batch.begin(np.ones(4, bool))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"games": -1}, "the number of games is a whole number, at least 1, not -1"),
        ({"games": 1.5}, "at least 1, not 1.5"),
        ({"seed": -1}, "seed -1"),
        ({"levels": [3]}, "games are played on levels, not on 3"),
    ],
)
def test_batch_refuses_invalid_number_of_games(given: dict[str, Any], message: str) -> None:
    with pytest.raises(gp.GridproofError, match=message):
        Batch(**dict[str, Any](levels=LEVELS["null"](), games=2) | given)


@pytest.mark.slow
@pytest.mark.parametrize("level", [9, -1])
def test_batch_game_restarts_on_its_level_until_another_is_set(level: int) -> None:
    batch = a_batch()
    batch.level[:] = 1
    batch.step(np.zeros(4, np.int64))
    assert batch.current.tolist() == [0, 1, 0, 1]
    batch.begin(np.array([1, 0, 0, 0], np.uint8))
    assert batch.current.tolist() == [1, 1, 0, 1]
    batch.level[2] = level
    with pytest.raises(gp.GridproofError, match=rf"game 2 is to begin on level {level}: there are 0 to 1"):
        batch.begin(np.ones(4, bool))


def test_batch_refuses_to_observe_too_large_boards() -> None:
    wide = [gp.read(f"{'#' * 200}\n#@$.{'#' * 196}\n" + f"{'#' * 200}\n" * 98, "sokoban")[0]]
    batch = Batch(wide, 1)
    assert batch.packings[0].observed == ()
    with pytest.raises(gp.GridproofError, match="these levels have no observation"):
        batch.observe(np.zeros((1, 1), np.uint8))

"""Many games at once: each is what a session with its level and seed would be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gridproof as gp
from gridproof.core.position import NATURE, Level, Status
from gridproof.core.rng import Rng
from gridproof.games.robots.hints import Hint, remembered, told
from gridproof.games.robots.kernel.playing import OBSERVED
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
        """Whether the action was executable."""
        self.reward, self.events = 0, ()
        if text not in map(str, (*self.position.actions(), *self.position.actions(NATURE))):
            return False
        outcome = self.session.act(text)
        self.position, self.reward, self.events = outcome.position, outcome.reward, outcome.events
        self.done += 1
        return True


@pytest.mark.parametrize("name", LEVELS)
def test_each_game_is_that_of_a_session(name: str) -> None:
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
def test_robots_know_what_they_are_told(seed: int) -> None:
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
        for who, news in told(game.events):
            if isinstance(news, Response):
                notices[who].append(news)
        hints = remembered(events)
        for player, name in enumerate("ab"):
            batch.observe(seen, player)
            known = {hint for hint, bit in zip(Hint, seen[0, 1:9], strict=True) if bit}
            assert known == hints.get(name, set())
            told_of = [notices[name].count(Response.SUCCESS), notices[name].count(Response.WIN)]
            assert seen[0].tolist()[9:] == [asked[name], answers[name], *told_of]
            assert seen[0, 0] == player
    assert events


def test_what_is_seen() -> None:
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
    assert seen(bombs) == [2, 2, 2, 2, 2, 2, 6, 3, 1, 2, 2, 2, 2, 2, 2]
    assert seen(bombs, "right") == [2, 2, 2, 2, 2, 2, 0, 6, 4, 2, 2, 2, 2, 2, 2]
    crossed = gp.read("Bombs: 1\n\n######\n#@#$.#\n# #  #\n######\n", "sokoban")[0]
    assert seen(crossed, "bomb")[6:12] == [0, 4, 0, 3, 1, 0]
    board = gp.read("2048 2x2 spawn=spec target=16\n2 0\n0 8\n", "twenty48")[0]
    assert seen(board) == [1, 0, 0, 3]
    tiles = gp.levels_at("shiftit/boards")[0]
    assert len(seen(tiles)) == 4 * len(tiles.tiles)  # type: ignore[attr-defined]  # Shift It's
    assert seen(tiles) != seen(tiles, str(tiles.start().actions()[0]))


def test_levels_that_cannot_be_played_together() -> None:
    with pytest.raises(gp.GridproofError, match="one game"):
        Batch([LEVELS["null"]()[0], LEVELS["3x2"]()[0]], 2)
    with pytest.raises(gp.GridproofError, match="kernel"):
        Batch([], 2)

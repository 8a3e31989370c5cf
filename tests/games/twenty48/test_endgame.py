"""Endgame tables have the values of `gp.value`, of a game in which large tiles may not move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import gridproof as gp
from gridproof.core.outcome import Outcome
from gridproof.games import twenty48
from gridproof.games.twenty48 import Level, Move, Position
from gridproof.games.twenty48.endgame import EndgameTable, Region, find_regions, region_of
from gridproof.games.twenty48.endgame_player import EndgamePlayer
from gridproof.games.twenty48.network import Network
from gridproof.games.twenty48.network_player import NetworkPlayer

TWENTY48 = gp.game("twenty48")
GAME = replace(
    TWENTY48,
    name="fixed",
    package=__name__,
    kernel="",
    propositions=tuple(item for item in TWENTY48.propositions if item.name in ("won", "lost")),
)
"""2048 without slides that move a large tile; won is the goal of a table. It has no kernel."""


ALL_FREE = Region(frozenset(), 8)


@dataclass(frozen=True)
class FixedLevel(twenty48.Level):
    region: Region = ALL_FREE

    def starts(self) -> Iterator[Any]:
        for outcome in super().starts():
            yield outcome._replace(position=FixedPosition(self, outcome.position.cells))


class FixedPosition(Position):
    @property
    def won(self) -> bool:
        return self._region.has_goal(self)

    def actions(self, actor: str | None = None) -> tuple[Move, ...]:
        return tuple(move for move in Move if self.can_move(move) and keeps_fixed(self, move, self._region))

    def outcomes(self, action: Move) -> tuple[Outcome[Any], ...]:
        return tuple(
            outcome._replace(position=FixedPosition(self.level, outcome.position.cells))
            for outcome in super().outcomes(action)
        )

    def successors(self, actor: str | None = None) -> list[Any]:
        return [outcome.position for action in self.actions(actor) for outcome in self.outcomes(action)]

    def at(self, successor: Any) -> Any:
        return successor

    @property
    def _region(self) -> Region:
        assert isinstance(self.level, FixedLevel)
        return self.level.region


def position_of(board: str, spawn: str = "classic") -> Position:
    rows = [list(map(int, row.split())) for row in board.split("/")]
    return Level(len(rows[0]), len(rows), spawn, board=rows).start()


def best_chance(position: Position, region: Region, known: dict[Position, float]) -> float:
    """The best chance of a region's goal, by brute force over the rules; `known` gets those of all positions that follow."""
    if position not in known:
        moves = position.actions() if not region.has_goal(position) else ()
        chances = [
            sum(
                float(outcome.probability) * best_chance(outcome.position, region, known)
                for outcome in position.outcomes(move)
            )
            for move in moves
            if keeps_fixed(position, move, region)
        ]
        known[position] = 1.0 if region.has_goal(position) else max(chances, default=0.0)
    return known[position]


def keeps_fixed(position: Position, move: Move, region: Region) -> bool:
    after = position.afterstate(move).cells
    return all(after[cell] == position.cells[cell] for cell in region.fixed)


SMALL_PARTS = [
    ("64 32/0 2", 16),
    ("64 32 128/0 2 0", 16),
    ("64 128 256 512/32 2 2 1024/2048 0 0 16384/4096 0 2 8192", 16),
    ("2 4/0 0", 16),
]
LARGE_PART = "4096 512 1024/0 0 2/2 0 0", 16


@pytest.mark.slow
@pytest.mark.parametrize("spawn", ["spec", "classic"])
@pytest.mark.parametrize(("board", "goal"), [*SMALL_PARTS, LARGE_PART])
def test_tables_are_as_brute_force(board: str, goal: int, spawn: str) -> None:
    position, known = position_of(board, spawn), dict[Position, float]()
    table, region = EndgameTable(position, goal), region_of(position, goal)
    best_chance(position, region, known)
    for here, chance in known.items():
        assert table.chance(here) == pytest.approx(chance, abs=1e-12)
        chances = table.chances(here)
        if region.has_goal(here):
            assert chances is None
            continue
        assert chances is not None
        assert max(chances.values(), default=0.0) == pytest.approx(chance, abs=1e-12)
        assert [*chances] == [*here.actions()]
        assert all(chances[move] == 0 for move in chances if not keeps_fixed(here, move, region))


@pytest.mark.parametrize(("board", "goal"), [*SMALL_PARTS, pytest.param(*LARGE_PART, marks=pytest.mark.slow)])
def test_tables_are_as_values_of_fixed_tiles(board: str, goal: int) -> None:
    position = position_of(board)
    level, region = position.level, region_of(position, goal)
    fixed = FixedLevel(level.width, level.height, level.spawn, board=level.board, region=region)
    found = gp.value(fixed, "won")
    assert found.converged
    assert EndgameTable(position, goal).chance(position) == pytest.approx(float(found.best), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "goal", "count"), [("0 2 0/0 0 2", 64, 10_000), ("0 2 0/0 0 0/0 0 2", 64, 10_000)]
)
def test_tables_are_as_values_on_ten_thousand_positions(board: str, goal: int, count: int) -> None:
    position = position_of(board)
    table, found = EndgameTable(position, goal), gp.value(position, f"tile({goal})")
    seen, queue = {position}, [position]
    for here in queue:
        worth = found.values.of(here)
        assert worth is not None
        assert table.chance(here) == pytest.approx(float(worth[0].middle), abs=1e-12)
        if len(seen) < count and not here.won:
            new = {after for after in map(here.at, here.successors()) if max(after.cells) < goal} - seen
            seen |= new
            queue += sorted(new, key=lambda one: one.cells)
    assert len(seen) >= count


def test_table_is_of_other_large_tiles_in_the_same_cells() -> None:
    table = EndgameTable(position_of("64 32/0 2"), 16)
    assert table.chance(position_of("1024 16/0 2")) == table.chance(position_of("64 32/0 2"))
    others = ["64 64/0 2", "64 8/0 2", "32 2/64 0", "64 32/32 2", "64 32 0/0 2 0"]
    assert [table.chance(position_of(board)) for board in others] == [None] * len(others)
    assert table.chance(position_of("64 32/0 2", "spec")) is None
    assert str(table) == f"an endgame table for the tile 16 with 2 fixed tiles: {table.states} boards"
    assert repr(table) == f"<EndgameTable: 16, {table.states} boards>"
    assert 0 < table.error < 1e-12


@pytest.mark.parametrize(
    ("board", "goal", "message"),
    [
        ("64 32/0 2", 12, "goal 12: it must be a tile from 2 to 32768"),
        ("64 32/0 2", 65536, "goal 65536: it must be a tile from 2 to 32768"),
        ("64 64/0 2", 16, "goal 16: the tiles from it on must be different"),
        ("65536 32768/0 2", 32768, "goal 32768: too many tiles are larger"),
        ("2 0 0 0 0/0 0 0 0 0/0 0 0 0 0/0 0 0 0 2", 16, "an endgame table is for boards of at most 16 cells"),
    ],
)
def test_odd_questions_are_refused(board: str, goal: int, message: str) -> None:
    with pytest.raises(gp.GridproofError, match=f"^{message}$"):
        EndgameTable(position_of(board), goal)


def test_table_ends_at_a_limit() -> None:
    with pytest.raises(gp.GridproofError, match=r"^no table: states ended the work$"):
        EndgameTable(position_of("0 2 0/0 0 0/0 0 2"), 32, gp.Limit(states=100))
    with pytest.raises(gp.GridproofError, match=r"^no table: seconds ended the work$"):
        EndgameTable(position_of("0 2 0/0 0 0/0 0 2"), 32, gp.Limit(seconds=0))


def test_regions_go_on_to_the_first_pair() -> None:
    position = position_of("65536 1024 256 64/16 16 8 4/0 0 0 0/0 0 0 2")
    assert [region.goal for region in find_regions(position)] == [1024, 256, 64]
    assert [len(region.fixed) for region in find_regions(position)] == [2, 3, 4]
    small = position_of("8 4/0 2")
    assert [*find_regions(small)] == [region_of(small, goal) for goal in (16, 8, 4, 2)]


def test_default_goal_is_the_next_tile() -> None:
    table = EndgameTable(position_of("8 2/0 2"))
    assert table.region == (frozenset(), 16)
    found = gp.value(position_of("8 2/0 2"), "tile(16)")
    assert table.chance(position_of("8 2/0 2")) == pytest.approx(float(found.best))


def test_endgame_player_adds_the_chance_of_the_next_tile() -> None:
    network = Network(3, 3, ((0, 1),))
    network.weights[:] = np.random.default_rng(1).uniform(1, 100, len(network.weights))
    position = position_of("2048 1024 512/256 128 64/2 0 64")
    player, plain = EndgamePlayer(TWENTY48, file=network), NetworkPlayer(TWENTY48, file=network)
    chances, values = player.chances(position) or {}, plain.values(position)
    assert chances == EndgameTable(position, 512).chances(position)
    assert len({*chances.values()}) > 1
    expected = {move: value + chances[move] * max(values.values()) for move, value in values.items()}
    assert player.values(position) == pytest.approx(expected)
    reasons = player.reasons(position)
    assert {move: parts.value for move, parts in reasons.items()} == pytest.approx(expected)
    assert max(parts.table for parts in reasons.values()) > 0
    after = next(iter(position.outcomes(player(position)))).position
    before = player._table
    assert player.chances(after) == EndgameTable(after, 512).chances(after)
    assert player._table is before


def test_endgame_player_is_the_network_without_a_table() -> None:
    network = Network(3, 3, ((0, 1),))
    player, plain = (EndgamePlayer(TWENTY48, file=network, states=8), NetworkPlayer(TWENTY48, file=network))
    for board in ("2048 1024 512/256 128 16/2 0 0", "0 2 0/0 0 0/0 0 2"):
        for _ in range(2):
            assert player.chances(position_of(board)) is None
            assert player.values(position_of(board)) == plain.values(position_of(board))
    with pytest.raises(gp.GridproofError, match=r"^limit states=-1"):
        gp.player("twenty48", "endgame", states=-1)

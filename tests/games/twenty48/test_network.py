"""Networks look up what plain Python sums up, and their players do what the rules and brute force say."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gridproof as gp
from gridproof.agents.evaluation import play
from gridproof.core.rng import derive
from gridproof.games.twenty48 import Level, Move, Position
from gridproof.games.twenty48.network import (
    Network,
    images_of,
    load_network,
    pack_board,
    parse_stages,
    parse_tuples,
    save_network,
    save_small_network,
    usual_tuples,
    write_tuples,
)
from gridproof.games.twenty48.network_games import play_games
from gridproof.games.twenty48.network_player import SHIPPED, NetworkPlayer, exponents_of

GAME = gp.game("twenty48")
PATTERNS = [
    (4, 4, "0123 4567 0145"),
    (4, 4, "048c 569a 37"),
    (4, 4, "5"),
    (2, 2, "012 03"),
    (3, 3, "0134 4 258"),
    (3, 2, "012 1245"),
    (5, 5, "01234 6bci no"),
    (5, 4, "01234 ej"),
]


def random_network(width: int, height: int, text: str, stages: tuple[int, ...] = ()) -> Network:
    network = Network(width, height, parse_tuples(text, width, height))
    for tile in stages:
        network = network.add_stage(tile)
    network.weights[:] = np.random.default_rng(1).uniform(-100, 100, len(network.weights))
    return network


def random_cells(luck: random.Random, cells: int, largest: int) -> list[int]:
    return [luck.choice([0, 1 << luck.randrange(1, largest + 1)]) for _ in range(cells)]


def turn(cells: list[int], width: int) -> list[int]:
    """The board turned by a quarter."""
    rows = [cells[first : first + width] for first in range(0, len(cells), width)]
    return [cell for column in zip(*rows[::-1], strict=True) for cell in column]


def mirror(cells: list[int], width: int) -> list[int]:
    return [cell for first in range(0, len(cells), width) for cell in cells[first : first + width][::-1]]


def plain_sum(network: Network, cells: list[int]) -> float:
    """The value by turning and mirroring the board itself."""
    images, board, width = list[list[int]](), cells, network.width
    for number in range(4):
        if number % 2 == 0 or network.width == network.height:
            images += [board, mirror(board, width)]
        board, width = turn(board, width), len(board) // width
    stage = sum(max(cells) >= tile for tile in network.stages)
    total, first = 0.0, stage * sum(16 ** len(cells_of_tuple) for cells_of_tuple in network.tuples)
    for cells_of_tuple in network.tuples:
        for image in images:
            digits = exponents_of([image[cell] for cell in cells_of_tuple])
            total += float(
                network.weights[first + sum(16**place * digit for place, digit in enumerate(digits))]
            )
        first += 16 ** len(cells_of_tuple)
    return total


@pytest.mark.slow
@pytest.mark.parametrize("stages", [(), (8, 64, 32768)])
@pytest.mark.parametrize(("width", "height", "text"), PATTERNS)
def test_network_values_are_plain_sums(width: int, height: int, text: str, stages: tuple[int, ...]) -> None:
    luck, network = random.Random(text), random_network(width, height, text, stages)
    boards = [random_cells(luck, width * height, luck.randint(1, 17)) for _ in range(40)]
    states = np.array([pack_board(board) for board in boards])
    found = np.zeros(len(boards))
    network.kernels.value_states(network.tables, states, found)
    indices = np.zeros(len(network.tables.lookups), np.int64)
    for board, state, value in zip(boards, states, found.tolist(), strict=True):
        expected = plain_sum(network, board)
        assert value == pytest.approx(expected, abs=0.01)
        assert network.value(exponents_of(board)) == pytest.approx(expected)
        network.kernels.find_indices(network.tables, state, indices)
        assert float(network.weights[indices].sum()) == pytest.approx(expected, abs=0.01)


def test_images_of_square_boards_are_eight_of_others_four() -> None:
    assert len(set(images_of(3, 3))) == len(images_of(3, 3)) == 8
    assert len(set(images_of(3, 2))) == len(images_of(3, 2)) == 4


@pytest.mark.parametrize("size", [(2, 2), (3, 3), (4, 4), (5, 4), (5, 5), (2, 5)])
def test_usual_tuples_cover_the_board(size: tuple[int, int]) -> None:
    tuples = usual_tuples(*size)
    assert Network(*size, tuples).tuples == tuples
    covered = {image[cell] for image in images_of(*size) for cells in tuples for cell in cells}
    assert covered == set(range(size[0] * size[1]))


def test_tuples_have_one_order_of_their_cells() -> None:
    tuples = parse_tuples("3210 f0", 4, 4)
    assert tuples == ((0, 1, 2, 3), (0, 15))
    assert write_tuples(tuples) == "0123 0f"


@pytest.mark.parametrize(
    ("width", "height", "text", "message"),
    [
        (4, 4, "", "a network needs at least one tuple"),
        (4, 4, "01g", "tuple 01g: the board of 4x4 has no such cell"),
        (4, 4, "0z", "tuple 0?: the board of 4x4 has no such cell"),
        (4, 4, "00", "tuple 00: it must have 1 to 7 different cells"),
        (4, 4, "01234567", "tuple 01234567: it must have 1 to 7 different cells"),
        (6, 4, "0", "a network is for boards from 2x2 to 5x5, not 6x4"),
    ],
)
def test_invalid_tuples_are_refused(width: int, height: int, text: str, message: str) -> None:
    with pytest.raises(gp.GridproofError) as caught:
        parse_tuples(text, width, height)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("8 4", "stages '8 4': they must be rising tiles from 4 to 32768"),
        ("8 8", "stages '8 8': they must be rising tiles from 4 to 32768"),
        ("2", "stages '2': they must be rising tiles from 4 to 32768"),
        ("8 12", "stages '8 12': they must be rising tiles from 4 to 32768"),
        ("many", "stages 'many': they must be tiles, such as 2048 8192"),
    ],
)
def test_invalid_stages_are_refused(text: str, message: str) -> None:
    with pytest.raises(gp.GridproofError) as caught:
        parse_stages(text)
    assert str(caught.value) == message


def test_stage_begins_with_the_weights_before_it() -> None:
    network = random_network(2, 2, "012 03")
    further = network.add_stage(8).add_stage(64)
    assert further.stages == (8, 64)
    assert network.value([1, 2, 3, 6]) == further.value([1, 2, 3, 6])


def test_weights_of_another_size_are_refused() -> None:
    with pytest.raises(
        gp.GridproofError, match=r"^the weights must be float32 \(256,\), not float64 \(3,\)$"
    ):
        Network(4, 4, ((0, 1),), np.zeros(3))


# -- files


def test_network_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    network = random_network(3, 3, "012 48")
    path = tmp_path / "network.npz"
    network = Network(3, 3, network.tuples, network.weights, {"seed": 7}).add_stage(512)
    save_network(path, network)
    found = load_network(path)
    assert (found.width, found.height, found.tuples, found.facts) == (3, 3, network.tuples, {"seed": 7})
    assert (found.weights == network.weights).all()
    assert found.stages == (512,)
    before = path.read_bytes()
    save_network(path, found)
    assert path.read_bytes() == before
    assert str(found) == "a network of 2 tuples for boards of 3x3: 012 48"


def test_small_network_file_rounds_the_weights(tmp_path: Path) -> None:
    network, path = random_network(4, 4, "0123 01"), tmp_path / "network.npz"
    save_small_network(path, network)
    found = load_network(path)
    assert np.abs(found.weights - network.weights).max() <= 100 / 8_000
    save_small_network(path, Network(4, 4, network.tuples))
    assert not load_network(path).weights.any()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"2048 4x4\n"])
def test_files_without_network_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.npz"
    with pytest.raises(gp.GridproofError, match="No such file"):
        load_network(path)
    path.write_bytes(content)
    with pytest.raises(gp.GridproofError, match="it has no network of 2048"):
        load_network(path)
    with pytest.raises(gp.GridproofError, match="null byte"):
        gp.player(GAME, "network", file="a\0b")
    np.savez(path, weights=np.zeros(3))
    with pytest.raises(gp.GridproofError, match="it has no network of 2048"):
        load_network(path)


# -- players


def brute_force(network: Network, position: Position, move: Move, plies: int) -> float:
    after = position.afterstate(move)
    if plies == 1:
        return after.reward + plain_sum(network, after.cells)
    found = 0.0
    for outcome in position.outcomes(move):
        then = outcome.position
        found += float(outcome.probability) * max(
            [0.0, *(brute_force(network, then, action, plies - 1) for action in then.actions())]
        )
    return after.reward + found


@pytest.mark.slow
@pytest.mark.parametrize("plies", [1, 2])
@pytest.mark.parametrize(
    "level",
    [
        Level(spawn="classic", board=[[2, 4, 8, 16], [4, 8, 16, 32], [2, 2, 64, 128], [4, 0, 256, 1024]]),
        Level(board=[[32768, 32768, 2, 2], [2, 4, 2, 4], [4, 2, 4, 2], [8, 4, 2, 0]], target=1 << 17),
        Level(3, 2, spawn="classic", board=[[2, 2, 4], [0, 8, 16]]),
        Level(
            5,
            5,
            board=[[2, 4, 8, 16, 32], [4, 2, 4, 2, 4], [8, 8, 2, 4, 2], [2, 4, 8, 2, 4], [0, 2, 4, 8, 16]],
        ),
    ],
    ids=["square", "large", "small", "wide"],
)
def test_network_player_values_are_those_of_brute_force(level: Level, plies: int) -> None:
    network = random_network(level.width, level.height, "012 14 5")
    player = gp.player(GAME, "network", file=network, plies=plies, downgrade=False)
    position = level.start()
    expected = {move: brute_force(network, position, move, plies) for move in position.actions()}
    values = player.values(position)
    assert values == pytest.approx(expected, abs=0.02)
    assert values[player(position)] == max(values.values())


def test_network_player_gives_reasons_by_tuple() -> None:
    network = random_network(3, 3, "012 48")
    player, position = (
        NetworkPlayer(GAME, file=network),
        Level(3, 3, board=[[2, 2, 0], [4, 0, 0], [0, 0, 0]]).start(),
    )
    reasons = player.reasons(position)
    assert {move: reason.points for move, reason in reasons.items()} == {
        Move.LEFT: 4,
        Move.RIGHT: 4,
        Move.DOWN: 0,
    }
    for move, value in player.values(position).items():
        assert [*reasons[move].tuples] == ["012", "48"]
        assert reasons[move].points + sum(reasons[move].tuples.values()) == pytest.approx(value)


@pytest.mark.slow
def test_adviser_plays_by_the_network_on_boards_of_its_size() -> None:
    position = Level(board=[[2, 4, 8, 16], [0, 0, 4, 8], [0, 2, 4, 2], [0, 0, 0, 2]]).start()
    player, solver = NetworkPlayer(GAME), gp.player(GAME, "solver")
    assert solver.values(position) == pytest.approx(player.values(position), rel=1e-5)
    assert solver(position) == player(position)
    large = Level(5, 5).start()
    assert solver.values(large) == gp.player(GAME, "snake").values(large)


def test_network_player_refuses_other_sizes() -> None:
    player = NetworkPlayer(GAME, file=random_network(3, 3, "012"))
    for ask in (player, player.values, player.reasons):
        with pytest.raises(gp.GridproofError, match=r"^the network is for boards of 3x3, not 4x4: train one"):
            ask(Level().start())
    assert str(player) == "the player network of twenty48, which looks 1 slide ahead"
    assert repr(player) == "<Player network of twenty48: 1 slide ahead>"


def test_network_player_reads_a_changed_file_again(tmp_path: Path) -> None:
    path, position = tmp_path / "network.npz", Level(2, 2, board=[[2, 2], [0, 0]]).start()
    for weight in (1.0, 2.0):
        network = Network(2, 2, ((0,),), np.full(16, weight, np.float32), {"weight": weight})
        save_network(path, network)
        os.utime(path, (0, weight))
        assert NetworkPlayer(GAME, file=path).values(position)[Move.LEFT] == 4 + 8 * weight


@pytest.mark.parametrize("options", [{"file": 3}, {"plies": 0}, {"seconds": -1}, {"file": "missing.npz"}])
def test_network_player_refuses_invalid_options(options: dict[str, Any]) -> None:
    with pytest.raises(gp.GridproofError):
        gp.player(GAME, "network", **options)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "text"), [(Level(spawn="classic"), "0123 0145"), (Level(3, 2), "0134")], ids=["square", "small"]
)
def test_games_of_kernels_are_those_of_the_player(level: Level, text: str) -> None:
    network = random_network(level.width, level.height, text)
    played = play_games(network, level, 3, seed=8)
    for number in range(3):
        result = play(level, "network", derive(8, number), None, {"file": network})
        own = played.lengths[number], played.scores[number], played.largest[number]
        assert own == (result.actions, result.score, result.tile)


def test_games_refuse_other_sizes() -> None:
    with pytest.raises(gp.GridproofError, match="for boards of 3x3, not 4x4: train one"):
        play_games(random_network(3, 3, "012"), Level(), 1)


# -- the network of the package


@pytest.mark.slow
def test_network_of_the_package_is_small_and_says_how_it_was_made() -> None:
    network = load_network(SHIPPED)
    assert SHIPPED.stat().st_size <= 5 * 1024 * 1024
    assert network.facts["command"].startswith("gridproof train twenty48/standard/2 ")
    assert network.facts["command"].count(write_tuples(network.tuples)) == 1
    assert network.facts["curve"][-1]["games"] == network.facts["games"]


@pytest.mark.slow
def test_network_of_the_package_reaches_2048() -> None:
    played = play_games(load_network(SHIPPED), Level(spawn="classic"), 20, seed=1)
    assert np.median(played.largest) >= 2048

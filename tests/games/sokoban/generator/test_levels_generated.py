"""All packs: lengths proved by the full solver too, every bomb needed; and levels of `gp.generate`."""

from __future__ import annotations

import dataclasses

import pytest
from tests.packs import each

import gridproof as gp
from gridproof.core.measure import cost_of, find_measure
from gridproof.core.text.level_lookup import builtin_pack, pack_names
from gridproof.core.text.pack import Pack
from gridproof.games.sokoban import GAME, Level

PACKS = ("drawn-lots", "drawn-lots-with-bombs")
LEVELS = each(*(f"sokoban/{name}" for name in pack_names(GAME)))


def fewest_pushes(level: Level) -> int | None:
    solution = gp.solve(level, "pushes", solver="fewest-pushes")
    assert solution.optimal
    return solution.cost


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_certificates_have_the_pushes_that_the_level_says_and_no_fewer_do(level: Level) -> None:
    assert level.certificate is not None
    assert level.certificate.replay().won
    pushes = cost_of(level.certificate, find_measure(GAME, "pushes"))
    assert pushes == int(level.keys["Pushes"]) == fewest_pushes(level)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.clause("K7", "K8")
def test_levels_need_all_their_bombs(level: Level) -> None:
    if level.bombs:
        assert fewest_pushes(dataclasses.replace(level, bombs=level.bombs - 1)) is None


@pytest.mark.parametrize("name", PACKS)
def test_difficulties_of_a_pack_are_far_apart(name: str) -> None:
    efforts = [int(level.keys["Difficulty"]) for level in builtin_pack(GAME, name)]
    assert efforts[-1] > 20 * efforts[0]


@pytest.mark.clause("K21")
@pytest.mark.parametrize("name", PACKS)
def test_packs_are_written_as_they_stand(name: str) -> None:
    pack = builtin_pack(GAME, name)
    assert gp.read(pack.text()) == Pack(pack)
    assert gp.read(pack.text()).text() == pack.text()


def test_packs_have_sixty_levels_and_twenty_with_bombs() -> None:
    levels = [level for name in pack_names(GAME) for level in builtin_pack(GAME, name)]
    assert len(levels) >= 60
    assert sum(isinstance(level, Level) and level.bombs > 0 for level in levels) >= 20
    assert len(set(levels)) == len(levels)
    assert len({level.title for level in levels}) == len(levels)
    assert all(level.certificate for level in levels)

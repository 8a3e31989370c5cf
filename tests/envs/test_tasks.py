"""Graded tasks: what they are for ever, and that each of their levels is certified."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import pytest

import gridproof as gp
import gridproof.envs
from gridproof.envs import tasks


def test_their_files_are_all_there() -> None:
    stems = {path.name.split(".")[0] for path in (Path(tasks.__file__).parent / "graded").iterdir()}
    assert stems == set(tasks.DIGESTS)


@pytest.mark.parametrize("name", tasks.DIGESTS)
def test_its_levels_are_certified(name: str) -> None:
    levels = tasks.task(name)
    assert len(levels) == len({level.text() for level in levels}) == tasks.LEVELS
    for level in levels[::10]:
        assert level.certificate is not None
        assert level.certificate.replay().won


@pytest.mark.slow
@pytest.mark.parametrize("name", tasks.DIGESTS)
def test_no_certificate_can_be_shorter(name: str) -> None:
    for level in tasks.task(name)[::20]:
        solution = gp.solve(level)
        assert solution.optimal
        assert level.certificate is not None
        assert solution.cost == len(level.certificate.steps)


def test_the_probability_of_a_win_is_known() -> None:
    for level in tasks.task("twenty48-easy")[::25]:
        best: Any = gp.value(level).best
        assert level.keys["Best"] == f"{float(best):.9f}"
    hardest = min(tasks.task("twenty48-hard"), key=lambda level: level.keys["Best"])
    assert 0 < float(hardest.keys["Best"]) < 1


@pytest.mark.slow
def test_the_probability_of_a_win_is_known_on_a_larger_board() -> None:
    level = tasks.task("twenty48-medium")[0]
    best: Any = gp.value(level).best
    assert level.keys["Best"] == f"{float(best):.9f}"


def test_it_is_played() -> None:
    envs = gymnasium.make_vec("gridproof/Sokoban-v0", 2, levels=gridproof.envs.task("sokoban-easy"))
    assert envs.reset(seed=1)[0].shape == (2, 7, 7)


def test_what_has_been_changed_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(gp.GridproofError, match="no task 'sokoban-impossible': there are sokoban-easy"):
        tasks.task("sokoban-impossible")
    monkeypatch.setitem(tasks.DIGESTS, "sokoban-easy", "0")
    tasks.task.cache_clear()
    with pytest.raises(gp.GridproofError, match="have been changed"):
        tasks.task("sokoban-easy")
    tasks.task.cache_clear()

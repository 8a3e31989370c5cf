"""Graded tasks: fixed levels, each with a certificate."""

from __future__ import annotations

import shutil
import statistics
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import gridproof as gp
import gridproof.envs
from gridproof.core.design import canonical
from gridproof.core.text import level_lookup
from gridproof.envs import LADDER, Generated, split_of, splits, tasks

LEVELS = 100


def test_task_files_exist() -> None:
    stems = {path.name.split(".")[0] for path in (Path(level_lookup.__file__).parent / "graded").iterdir()}
    assert stems == set(level_lookup.TASKS)


@pytest.mark.slow
@pytest.mark.parametrize("name", level_lookup.TASKS)
def test_task_levels_are_certified(name: str) -> None:
    levels = level_lookup.task(name)
    assert len(levels) == len({level.text() for level in levels}) == LEVELS
    for level in levels[::10]:
        assert level.certificate is not None
        assert level.certificate.replay().won


@pytest.mark.long
@pytest.mark.parametrize("name", level_lookup.TASKS)
def test_task_certificates_are_shortest(name: str) -> None:
    for level in level_lookup.task(name)[::20]:
        solution = gp.solve(level)
        assert solution.optimal
        assert level.certificate is not None
        assert solution.cost == len(level.certificate.steps)


@pytest.mark.slow
def test_task_win_probability_is_documented() -> None:
    for level in level_lookup.task("twenty48-easy")[::25]:
        best: Any = gp.value(level).best
        assert level.keys["Best"] == f"{float(best):.9f}"
    hardest = min(level_lookup.task("twenty48-hard"), key=lambda level: level.keys["Best"])
    assert 0 < float(hardest.keys["Best"]) < 1


@pytest.mark.long
def test_task_win_probability_is_documented_on_larger_board() -> None:
    level = level_lookup.task("twenty48-medium")[0]
    best: Any = gp.value(level).best
    assert level.keys["Best"] == f"{float(best):.9f}"


def test_task_is_a_pack_by_its_name() -> None:
    pack = gp.levels_at("sokoban-easy")
    assert pack == gridproof.envs.task("sokoban-easy")
    assert gp.levels_at("sokoban-easy/3") == [pack[2]]
    assert repr(gp.level("sokoban-easy/3")) == "gridproof.level('sokoban-easy/3')"
    with pytest.raises(gp.GridproofError, match="sokoban-easy/101: choose a level from 1 to 100"):
        gp.level("sokoban-easy/101")
    with pytest.raises(gp.GridproofError, match="did you mean sokoban-easy"):
        gp.levels_at("sokoban-eazy")
    assert gridproof.envs.GridEnv("sokoban", "sokoban-easy").reset(seed=1)[0].shape == (7, 7)


@pytest.mark.slow
def test_task_environment_is_played() -> None:
    envs = gymnasium.make_vec("gridproof/Sokoban-v0", 2, levels=gridproof.envs.task("sokoban-easy"))
    assert envs.reset(seed=1)[0].shape == (2, 7, 7)


def test_changed_task_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(gp.GridproofError, match="no task 'sokoban-impossible': there are sokoban-easy"):
        level_lookup.task("sokoban-impossible")
    monkeypatch.setitem(level_lookup.TASKS, "sokoban-easy", "0")
    level_lookup.task.cache_clear()
    with pytest.raises(gp.GridproofError, match="the levels of the task sokoban-easy have been changed"):
        level_lookup.task("sokoban-easy")
    level_lookup.task.cache_clear()


CHANGES: dict[str, Callable[[Path], object]] = {
    "longer": lambda path: path.write_text(
        path.read_text().replace("[\n", "[\n" + '{"level": 999, "steps": []},\n', 1)
    ),
    "shorter": lambda path: path.write_text("[]\n"),
    "other": lambda path: path.write_text(path.read_text().replace("left", "right", 1)),
    "deleted": Path.unlink,
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("ending", ["", ".certificates.json"])
def test_task_is_refused_when_its_file_has_changed(
    change: str, ending: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(Path(level_lookup.__file__).parent / "graded", tmp_path / "graded")
    monkeypatch.setattr(level_lookup, "__file__", str(tmp_path / "level_lookup.py"))
    path = tmp_path / "graded" / f"shiftit-easy.shiftit{ending}"
    level_lookup.task.cache_clear()
    assert len(level_lookup.task("shiftit-easy")) == LEVELS
    path.write_text(path.read_text() + "\n") if (change, ending) == ("other", "") else CHANGES[change](path)
    level_lookup.task.cache_clear()
    what = "certificates" if ending else "levels"
    told = "are missing" if change == "deleted" else "have been changed"
    if (change, ending) == ("longer", ""):
        path.write_text(path.read_text() + path.read_text())
    with pytest.raises(gp.GridproofError, match=f"{path.name}: the {what} of the task shiftit-easy {told}$"):
        level_lookup.task("shiftit-easy")
    level_lookup.task.cache_clear()


def test_certificate_file_is_refused_when_levels_have_certificates(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(Path(level_lookup.__file__).parent / "graded", tmp_path / "graded")
    monkeypatch.setattr(level_lookup, "__file__", str(tmp_path / "level_lookup.py"))
    (tmp_path / "graded" / "sokoban-easy.xsb.certificates.json").write_text("[]")
    level_lookup.task.cache_clear()
    with pytest.raises(
        gp.GridproofError, match="the certificates of the task sokoban-easy have been changed"
    ):
        level_lookup.task("sokoban-easy")
    level_lookup.task.cache_clear()


SIZES: dict[str, dict[str, Any]] = {
    "sokoban": {"width": 7, "height": 7, "boxes": 2},
    "shiftit": {"width": 3, "height": 2, "colours": 3},
    "robots": {"width": 5, "height": 5, "robots": 2},
}
"""Parameters of the levels of the easy tasks."""


@pytest.mark.long
@pytest.mark.parametrize("game", SIZES)
def test_generated_levels_exclude_task_levels(game: str) -> None:
    judges = {
        canonical(level)
        for name in level_lookup.TASKS
        if name.startswith(game)
        for level in level_lookup.task(name)
    }
    made = [gp.generate(game, seed, **SIZES[game]) for seed in range(4)]
    assert any(canonical(level) in judges for level in made), "they would have been learned from"
    levels = Generated(4, parameters=SIZES[game]).levels(gp.game(game))
    assert len(levels) == 4
    assert judges.isdisjoint(map(canonical, levels))
    kept = [level for level in made if canonical(level) not in judges]
    assert levels[: len(kept)] == kept, "the others stay, in the order of their seeds"


LEVELS_OF_TEXTS = {
    "level": "#####\n#@$.#\n#####",
    "turned": "###\n#.#\n#$#\n#@#\n###",
    "other": "######\n#@ $.#\n######",
    "third": "#######\n#@ $ .#\n#######",
}


@pytest.fixture(name="made")
def fixture_made(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], dict[str, Any]]:
    """Let the generator of Sokoban give the levels of these names, and then only the last one."""
    found = {name: gp.read(text, "sokoban")[0] for name, text in LEVELS_OF_TEXTS.items()}

    def give(names: str) -> dict[str, Any]:
        given = [found[name] for name in names.split()]
        last = len(given) - 1
        monkeypatch.setattr("gridproof.envs.levels.generate", lambda game, seed: given[min(seed, last)])
        return found

    judges = frozenset({canonical(found["level"])})
    monkeypatch.setattr(tasks, "canonical_levels", lambda game: judges)
    return give


def test_generated_levels_exclude_symmetric_copies(made: Callable[[str], dict[str, Any]]) -> None:
    levels = made("level turned other turned other third")
    game = gp.game("sokoban")
    assert Generated(2).levels(game) == [levels["other"], levels["third"]]
    assert Generated(1, seed=3).levels(game) == [levels["other"]]
    with pytest.raises(gp.GridproofError, match="the generator has no more levels that are not rotated"):
        Generated(3).levels(game)


def test_generated_levels_are_of_their_split(made: Callable[[str], dict[str, Any]], monkeypatch: Any) -> None:
    levels = made("other third")
    monkeypatch.setattr(splits, "split_of", lambda level: "test" if level == levels["third"] else "train")
    game = gp.game("sokoban")
    assert Generated(1, split="train").levels(game) == [levels["other"]]
    assert Generated(1, split="test").levels(game) == [levels["third"]]
    with pytest.raises(gp.GridproofError, match="no split 'both': there are train and test"):
        Generated(1, split="both").levels(game)


def test_split_is_the_same_for_symmetric_copies() -> None:
    found = Counter[str]()
    for level in gp.levels_at("sokoban-tier-1"):
        rows = [row.ljust(6, "-") for row in level.text().splitlines()[:6]]
        turned = ["".join(row) for row in zip(*rows[::-1], strict=True)]
        for copied in (turned, [row[::-1] for row in rows], [row[::-1] for row in turned]):
            assert split_of(gp.read("\n".join(copied), "sokoban")[0]) == split_of(level)
        found[split_of(level)] += 1
    assert found == {"train": 81, "test": 19}


def test_split_does_not_depend_on_titles_and_keys() -> None:
    (level,) = gp.read("@..o", "null")
    titled = [replace(level, title=str(number), keys={"Number": str(number)}) for number in range(50)]
    assert len({split_of(one) for one in titled}) == len({canonical(one) for one in titled}) == 1


def test_split_is_of_levels_alone() -> None:
    with pytest.raises(gp.GridproofError, match="a level is needed, not 'sokoban-easy/1'"):
        split_of("sokoban-easy/1")  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.slow
def test_split_never_changes() -> None:
    names = [
        f"{game}/{number}"
        for game in ("sokoban-easy", "shiftit-easy", "robots-easy", "twenty48-easy")
        for number in range(1, 9)
    ]
    assert [name for name in names if split_of(gp.level(name)) == "test"] == [
        "sokoban-easy/3",
        "sokoban-easy/7",
        "shiftit-easy/3",
        "twenty48-easy/2",
        "twenty48-easy/3",
        "twenty48-easy/8",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name in level_lookup.TASKS if "-tier-" in name or name.endswith("-v1")]
)
def test_tasks_have_no_symmetric_copies(name: str) -> None:
    assert len({canonical(level) for level in level_lookup.task(name)}) == LEVELS


@pytest.mark.slow
def test_ladder_has_levels_of_no_other_task_and_becomes_harder() -> None:
    ladder = {canonical(level) for name in LADDER for level in level_lookup.task(name)}
    others = [one for one in level_lookup.TASKS if one.startswith("sokoban") and one not in LADDER]
    assert len(ladder) == LEVELS * len(LADDER) == 1000
    assert ladder.isdisjoint(canonical(level) for name in others for level in level_lookup.task(name))
    pushes = [
        statistics.median(
            len(level.certificate.steps) for level in level_lookup.task(name) if level.certificate
        )
        for name in LADDER
    ]
    assert pushes[0] < pushes[3] < pushes[6] < pushes[9]


@pytest.mark.slow
def test_second_version_has_the_levels_of_the_first() -> None:
    for name in (one for one in level_lookup.TASKS if one.endswith("-v1")):
        first = {canonical(level) for level in level_lookup.task(name.removesuffix("-v1"))}
        assert first <= {canonical(level) for level in level_lookup.task(name)}


@pytest.mark.long
def test_levels_like_those_of_a_task_are_generated() -> None:
    levels: Any = Generated.of_task("sokoban-tier-1", 3, seed=7, split="train").levels(gp.game("sokoban"))
    assert [level.size for level in levels] == [(6, 6)] * 3
    assert {split_of(level) for level in levels} == {"train"}
    with pytest.raises(
        gp.GridproofError, match="no task 'twenty48-easy' with a generator: there are sokoban-easy"
    ):
        Generated.of_task("twenty48-easy")

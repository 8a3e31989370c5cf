"""`grade` measures packs and sorts them by difficulty."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import gridproof as gp
from gridproof.core.generate import measure_difficulty
from gridproof.core.measure import cost_of, find_measure
from gridproof.core.text.level_lookup import (
    CERTIFICATES,
    builtin_pack,
    certificate_file,
    certify_level,
    pack_names,
    read_certificates,
)
from gridproof.core.text.pack import Pack
from gridproof.testing.grade import grade, main

MEASURED = ("robots", "shiftit", "sokoban")
PACKS = [(name, pack) for name in MEASURED for pack in pack_names(gp.game(name))]
UNPROVED = {"Quarters astray"}
"""A scramble of ten moves; the fewest are unknown."""
FEW = 4
"""Number of a pack's easiest levels to measure, which takes no time."""


def check(level: gp.Level) -> None:
    """Check that the keys of the level are measured again, and that its certificate has the same cost."""
    found = measure_difficulty(level)
    assert found is not None
    assert {name: level.keys.get(name) for name in found.keys} == {
        name: str(value) for name, value in found.keys.items()
    }
    length = next(iter(found.keys.values()))
    assert level.certificate is not None
    assert level.certificate.replay().won
    assert cost_of(level.certificate, find_measure(level.game, found.measure)) == length


@pytest.mark.parametrize(("game", "pack"), PACKS)
def test_easiest_levels_of_packs_have_measured_keys(game: str, pack: str) -> None:
    for level in builtin_pack(gp.game(game), pack)[:FEW]:
        check(level)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "pack"), PACKS)
def test_other_levels_of_packs_have_measured_keys(game: str, pack: str) -> None:
    for level in builtin_pack(gp.game(game), pack)[FEW:]:
        if level.title not in UNPROVED:
            check(level)


@pytest.mark.parametrize(("game", "pack"), PACKS)
def test_packs_are_sorted_by_difficulty_with_unproved_levels_last(game: str, pack: str) -> None:
    levels = builtin_pack(gp.game(game), pack)
    proved = [level for level in levels if level.title not in UNPROVED]
    difficulties = [int(level.keys["Difficulty"]) for level in proved]
    assert difficulties == sorted(difficulties)
    assert levels[: len(proved)] == proved
    assert all(level.keys["Difficulty"] == "expert" for level in levels[len(proved) :])  # not measured


@pytest.mark.slow
@pytest.mark.parametrize("pack", pack_names(gp.game("sokoban")))
def test_grade_leaves_graded_packs_unchanged(pack: str, tmp_path: Path) -> None:
    folder = Path(gp.__file__).parent / "games" / "sokoban" / "levels"
    names = (f"{pack}.xsb", f"{pack}{CERTIFICATES}")
    for name in names:
        shutil.copy(folder / name, tmp_path)
    assert main(["sokoban", str(tmp_path / names[0])]) == 0
    for name in names:
        assert (tmp_path / name).read_text() == (folder / name).read_text()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
@pytest.mark.parametrize(
    ("game", "wish"),
    [
        ("sokoban", {"width": 7, "height": 7, "boxes": 2}),
        ("sokoban", {"width": 7, "height": 7, "boxes": 1, "bombs": 1}),
        ("shiftit", {"width": 3, "height": 2}),
        ("robots", {"width": 5, "height": 4, "robots": 2}),
    ],
)
def test_grade_measures_like_the_generator(game: str, wish: dict[str, Any], seed: int) -> None:
    level = gp.generate(game, seed, **wish)
    found = measure_difficulty(level)
    assert found is not None
    told = {name: value for name, value in level.keys.items() if name != "Missed"}
    assert {name: str(value) for name, value in found.keys.items()} == told


# -- a person's own pack

PACK = """\
Title: My levels
Comment: hard to easy

#######
#@ $ .#
#  #  #
# $  .#
#######
Title: Two boxes
Source: a friend

####
#@.#
# $#
####
Title: Never
Difficulty: hard

#####
#@$.#
#####
Title: One push
Pushes: 7
"""
DULL = "#####\n#@$.#\n#   #\n#####\nTitle: Dull\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "mine.xsb"
    file.write_text(PACK)
    return file


def test_grade_sorts_and_prints_levels(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sokoban", str(path)]) == 1
    two, never, one = capsys.readouterr().out.splitlines()
    assert one == "3 One push: Pushes 1, Difficulty 2"
    assert never == "2 Never: no proof"
    assert two.startswith("1 Two boxes: Pushes 5, Difficulty ")
    pack = gp.read(path)
    assert [level.title for level in pack] == ["One push", "Two boxes", "Never"]
    assert (pack.title, pack.keys) == ("My levels", {"Comment": "hard to easy"})
    assert pack[0].keys == {"Pushes": "1", "Difficulty": "2"}
    assert pack[1].keys == {"Source": "a friend", "Pushes": "5", "Difficulty": two.rsplit(" ", 1)[1]}
    assert pack[2].keys == {"Difficulty": "hard"}


def test_grade_moves_certificates_with_levels(path: Path) -> None:
    for _ in grade(path, "sokoban"):
        assert not certificate_file(path).exists()  # as long as it goes on
    found = read_certificates(certificate_file(path))
    assert found.keys() == {1, 2}
    for number, level in enumerate(gp.read(path)[:2], 1):
        assert certify_level(level, found[number]).certificate.replay().won


def write(path: Path, *actions: str) -> None:
    steps = [{"action": action} for action in actions]
    certificate_file(path).write_text(json.dumps([{"level": 1, "steps": steps}]))


def actions_of(path: Path) -> list[str]:
    return [step["action"] for step in read_certificates(certificate_file(path))[1]]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (("down", "up", "right"), True),  # not the shortest, but no fewer pushes win
        (("down",), False),  # no win
        (("left",), False),  # cannot be done
    ],
)
def test_grade_keeps_cheapest_certificate(given: tuple[str, ...], kept: bool, path: Path) -> None:
    path.write_text(DULL)
    write(path, *given)
    assert list(grade(path, "sokoban")) == ["1 Dull: Pushes 1, Difficulty 2"]
    assert actions_of(path) == (list(given) if kept else ["right"])


def test_grade_replaces_longer_certificate(path: Path) -> None:
    path.write_text("########\n#   $. #\n#@     #\n########\nTitle: There and back\n")
    write(
        path,
        *["right", "right", "right", "right", "up", "left", "down", "left", "left", "up", "right", "right"],
    )  # three pushes
    assert list(grade(path, "sokoban")) == ["1 There and back: Pushes 1, Difficulty 3"]
    certificate = certify_level(gp.read(path)[0], read_certificates(certificate_file(path))[1]).certificate
    assert certificate is not None
    assert cost_of(certificate, find_measure(gp.game("sokoban"), "pushes")) == 1


def test_grade_keeps_keys_of_level_without_proof(tmp_path: Path) -> None:
    hard = builtin_pack(gp.game("shiftit"), "boards")[-2:]
    path = tmp_path / "hard.shiftit"
    gp.write(Pack(reversed(hard)), path)
    lines = list(grade(path, "shiftit", gp.Limit(states=100)))
    assert [line.endswith("no proof") for line in lines] == [True, True]
    again = gp.read(path)
    assert again == hard
    assert [level.keys for level in again] == [level.keys for level in hard]


@pytest.mark.parametrize(("columns", "fits"), [(62, True), (63, False)])
def test_grade_skips_boards_too_large_for_the_kernel(columns: int, fits: bool) -> None:
    row = " ".join(["a", "A", *"." * (columns - 4), "b", "B"])
    text = f"robots {columns}x1\na: rule=A rotation=0\nb: rule=B rotation=180\nboard:\n{row}\n"
    found = measure_difficulty(gp.read(text)[0])
    assert (found is not None) == fits


# -- what cannot be


def test_grade_refuses_games_without_measure(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, ending in (("null", "null"), ("twenty48", "2048")):
        file = tmp_path / f"some.{ending}"
        gp.write(builtin_pack(gp.game(name), pack_names(gp.game(name))[0]), file)
        before = file.read_text()
        assert main([name, str(file)]) == 2
        assert capsys.readouterr().err == f"{name} does not measure difficulty\n"
        assert file.read_text() == before


def test_grade_refuses_wrong_files(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sokoban", str(path.with_name("none.xsb"))]) == 2
    assert "none.xsb" in capsys.readouterr().err
    certificate_file(path).write_text("{")
    assert main(["sokoban", str(path)]) == 2
    assert "does not hold certificates" in capsys.readouterr().err
    assert main(["chess", str(path)]) == 2
    assert "chess" in capsys.readouterr().err
    assert path.read_text() == PACK

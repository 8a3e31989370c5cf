"""Level files of other people: all of them are read, and written without loss."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.games.sokoban.boards import pack_contents

import gridproof as gp
from gridproof.games.sokoban import Level

COUNTS = {
    "Microban_155.xsb": 155,
    "Microban_III.xsb": 101,
    "Sasquatch_50.xsb": 50,
    "Takaken.slc": 7,
    "XSokoban_90.xsb": 90,
    "Yoshio_Murase_Handmade_54.xsb": 54,
    "boxoban_hard_000.xsb": 1000,
    "boxoban_medium_valid_000.xsb": 1000,
    "boxoban_unfiltered_test_000.xsb": 1000,
    "microban.slc": 155,
}


@pytest.mark.clause("K21")
def test_levels_are_read_and_written_without_loss(shared_level_file: Path) -> None:
    pack = gp.read(shared_level_file)
    assert len(pack) == COUNTS[shared_level_file.name]
    del pack[155:]  # enough of them; the next test writes all
    for form in ("xsb", "slc"):
        written = gp.write(pack, format=form)
        again = gp.read(written)
        assert pack_contents(again) == pack_contents(pack)
        assert gp.write(again, format=form) == written


@pytest.mark.clause("K21")
def test_xsb_file_is_written_unchanged(shared_level_file: Path) -> None:
    if shared_level_file.suffix != ".xsb":
        pytest.skip("no XSB")
    text = shared_level_file.read_text(encoding="utf-8")
    assert gp.read(shared_level_file).text() == text.rstrip("\n") + "\n"


@pytest.mark.clause("K21")
def test_both_files_of_microban_hold_the_same_levels(shared_levels: Path) -> None:
    files = [shared_levels / name for name in ("Microban_155.xsb", "microban.slc")]
    if not all(file.is_file() for file in files):
        pytest.skip("not both files of Microban are there")
    xsb, slc = map(gp.read, files)
    same = [one == other for one, other in zip(xsb, slc, strict=True)]
    assert sum(same) >= 150


def test_starts_read_back_from_their_text(shared_level_file: Path) -> None:
    for level in gp.read(shared_level_file)[:100]:
        assert isinstance(level, Level)
        assert level.position(level.start().text()) == level.start()

"""Tests of the catalogue: which levels are only for study."""

from __future__ import annotations

import gridproof as gp
from gridproof.core.text.level_lookup import levels_at
from gridproof.server.api.catalogue import study_note
from gridproof.table.menu import games_to_play


def test_study_note_names_levels_that_are_over_won_or_beyond_reach() -> None:
    notes = {level.title: note for level in levels_at("twenty48/positions") if (note := study_note(level))}
    assert notes == {
        "Checkerboard, dead": "over from the start",
        "Won, and on it goes": "won already",
        "Won, and over": "won already",
        "Two by two, beyond reach": "cannot be won",
    }


def test_levels_whose_text_says_that_they_cannot_be_won_cannot() -> None:
    levels = [level for entry in games_to_play() for pack in entry.packs for level in levels_at(pack)]
    hopeless = [level for level in levels if "study" in level.keys]
    assert len(hopeless) == 1
    assert all(gp.value(level.start(), "won").best == 0 for level in hopeless)

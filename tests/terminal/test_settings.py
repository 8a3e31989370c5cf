"""Settings of a player, and the player's own keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.table.tables import table_of

import gridproof as gp
from gridproof.core.errors import GridproofError
from gridproof.terminal.keys import CURSOR_KEYS, Keys
from gridproof.terminal.settings import Settings


def test_saved_settings_are_loaded(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "terminal.json"
    chosen = Settings(path, theme="nord", step=0.5, motion=False, keys={"sokoban": {"up": "up,e"}})
    chosen.save()
    assert Settings.load(path) == chosen


def test_settings_have_defaults_without_a_file(tmp_path: Path) -> None:
    assert Settings.load(tmp_path / "none.json") == Settings(tmp_path / "none.json")


@pytest.mark.parametrize(
    "text", ["", "[]", '{"theme": 3}', '{"keys": 1}', '{"step": "soon"}', '{"keys": {"a": 1}}']
)
def test_error_names_file_without_settings(tmp_path: Path, text: str) -> None:
    path = tmp_path / "terminal.json"
    path.write_text(text)
    with pytest.raises(GridproofError, match="invalid settings are ignored"):
        Settings.load(path)


def test_step_duration_is_limited(tmp_path: Path) -> None:
    path = tmp_path / "terminal.json"
    path.write_text('{"step": 1e9}')
    assert Settings.load(path).step == 4.0


def test_saving_fails_when_folder_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GridproofError):
        Settings(tmp_path / "file" / "terminal.json").save()


@pytest.mark.parametrize(
    ("level", "summary"),
    [
        ("sokoban/bombs/1", {"go": "left down up right", "set off a bomb": "space"}),
        ("sokoban/first-steps/1", {"go": "left down up right"}),
        ("twenty48/standard/1", {"move": "left down up right"}),
        (
            "shiftit/boards/5",
            {"row … left": "f g h", "row … right": "F G H", "column … up": "1 2 3", "column … down": "z x c"},
        ),
        ("robots/races/1", {"a steps": "left down up right", "exchange two tiles": "x"}),
    ],
)
def test_keys_are_summarized_by_what_they_do(level: str, summary: dict[str, str]) -> None:
    table = table_of(gp.levels_at(level))
    if table.actors:
        table.actor = table.actors[0]
    found = {meaning: " ".join(keys) for meaning, keys in Keys(Settings()).summarize(table).items()}
    cursor = {meaning: " ".join(keys) for meaning, keys in CURSOR_KEYS.items()}
    assert found == {**summary, **(cursor if level.startswith("shiftit") else {})}


def test_keys_combine_defaults_of_game_and_own_settings() -> None:
    table, keys = table_of(gp.levels_at("sokoban/bombs")), Keys(Settings())
    assert keys.action(table, "w", "w") == "up"
    assert keys.action(table, "exclamation_mark", "!") == "bomb"
    assert keys.action(table, "e", "e") is None
    row = next(row for row in keys.rows(table) if row.words == "up")
    keys.set(row, (*row.keys, "e"), table)
    assert (keys.action(table, "e", "e"), keys.action(table, "w", "w")) == ("up", "up")
    row = next(row for row in keys.rows(table) if row.words == "up")
    keys.reset(row)
    assert keys.action(table, "e", "e") is None


def test_set_key_loses_its_other_meaning() -> None:
    table, keys = table_of(gp.levels_at("sokoban/first-steps")), Keys(Settings())
    row = next(row for row in keys.rows(table) if row.name == "undo")
    keys.set(row, ("w",), table)
    assert keys.action(table, "w", "w") is None
    assert keys.keymap["undo"] == "w"


def test_keys_set_for_robots_apply_to_every_robot() -> None:
    table, keys = table_of(gp.levels_at("robots/races/4")), Keys(Settings())
    for actor in table.actors:
        table.do(f"as {actor}")
        row = next(row for row in keys.rows(table) if row.name == "up")
        keys.set(row, (*row.keys, "g"), table)
        assert keys.action(table, "g", "g") == keys.action(table, "up", None)

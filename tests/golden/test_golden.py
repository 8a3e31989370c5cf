"""The recordings are what the games do; the command that makes them."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.golden import record as golden
from tests.golden.record import Named

import gridproof as gp
from gridproof.core.position import NATURE
from gridproof.core.trace import Step, Trace
from gridproof.games.null import Level, Move

HERE = Path(__file__).parent
AGAIN = "python -m tests.golden.record"


@functools.cache
def recordings(name: str) -> Mapping[str, str]:
    return golden.recordings(gp.game(name))


@pytest.mark.parametrize("name", golden.built_in_games())
def test_recordings_are_current(name: str) -> None:
    texts = recordings(name)
    for file, text in texts.items():
        path = HERE / name / file
        assert path.is_file(), f"{path.name} is missing: {AGAIN}"
        assert path.read_text(encoding="utf-8") == text, f"{name} plays otherwise than recorded: see {AGAIN}"
    assert golden.differences(HERE / name, texts) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", golden.built_in_games())
def test_recordings_have_ten_games_and_counts_of_five_levels(name: str) -> None:
    texts = recordings(name)
    made = ["generated.txt"] * (name != "null")
    assert list(texts) == [*(f"playthrough-{n:02}.txt" for n in range(1, 11)), "nodes.txt", *made]
    assert texts["nodes.txt"].count("level ") == 5
    assert sum("-- position 1: " in text for text in texts.values()) >= 5  # others may end at their start


def test_game_without_packs_has_no_recordings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden, "pack_names", lambda game: ())
    with pytest.raises(gp.GridproofError, match="null has no pack"):
        golden.recordings(gp.game("null"))


def test_recordings_cover_built_in_games() -> None:
    assert golden.built_in_games()[0] == "null"
    assert set(golden.built_in_games()) == {"null", *gp.game_names()} - {"lights_out"}


# -- what a recording says

LEVEL = Level(6, 1, 4, title="A walk")
HOP = Step(Move.HOP, "by 2")


def with_certificate() -> Named:
    from gridproof.core.text.level_lookup import with_certificate

    return Named("null/x/1", with_certificate(LEVEL, Trace(LEVEL.start(), (HOP, Step(Move.RIGHT)))))


def test_playthrough_of_a_certificate() -> None:
    assert golden.playthrough(with_certificate(), 2) == (
        "level null/x/1\n"
        "recording 2\n"
        "\n"
        "    title: A walk\n"
        "    .@..o.\n"
        "\n"
        "-- position 0: PLAYING\n"
        "    .@..o.\n"
        "actions: left, right, hop\n"
        "action: hop\n"
        "outcomes: 2\n"
        "    1/2 by 1\n"
        "    1/2 by 2\n"
        "drawn: by 2 with probability 1/2\n"
        "event: Walked(to=3)\n"
        "reward: 0\n"
        "\n"
        "-- position 1: PLAYING\n"
        "    ...@o.\n"
        "actions: left, right, hop\n"
        "action: right\n"
        "outcomes: 1\n"
        "event: Walked(to=4)\n"
        "reward: 0\n"
        "\n"
        "-- position 2: WON\n"
        "    ....*.\n"
        "actions: none\n"
    )


def test_other_recordings_are_random() -> None:
    named = with_certificate()
    texts = {golden.playthrough(named, number) for number in (1, 3, 5)}
    assert len(texts) == 3
    assert golden.playthrough(named, 1) == golden.playthrough(named, 1)
    assert all(text.count("\naction: ") <= golden.STEPS for text in texts)


def test_many_outcomes_are_counted_and_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden, "_SHOWN_OUTCOMES", 1)
    text = golden.playthrough(with_certificate(), 2)
    assert "outcomes: 2\ndrawn: by 2 with probability 1/2\n" in text
    monkeypatch.setattr(golden, "_COUNTED_OUTCOMES", 2)
    assert "outcomes: 2 or more\n" in golden.playthrough(with_certificate(), 2)


def test_nature_acts_in_playthroughs_but_not_in_node_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(gp.game("null").__dict__, "actors", lambda level: ("player", NATURE))
    monkeypatch.setattr("gridproof.games.null.Position.actions", lambda self, actor=None: ())
    assert "actions: none" in golden.playthrough(with_certificate(), 1)
    assert golden.node_counts(with_certificate()).count("\n") == 5


def test_node_counts_agree_with_all_paths() -> None:
    """Every path of at most three actions, one by one."""
    paths = [[LEVEL.start()]]
    rows = []
    for depth in range(4):
        ends = [path[-1] for path in paths]
        won = len({end for end in ends if end.won})
        rows.append([depth, len(paths), len(set(ends)), won])
        paths = [
            [*path, outcome.position]
            for path in paths
            for action in path[-1].actions()
            for outcome in path[-1].outcomes(action)
        ]
    lines = [line.split() for line in golden.node_counts(Named("x", LEVEL)).splitlines()[4:8]]
    assert [[int(line[n]) for n in (0, 1, 2, 4)] for line in lines] == rows
    assert [int(line[3]) for line in lines] == [1, 3, 2, 0]  # new: cells 0 2 3, then 4 5


def test_node_counts_end_when_there_are_too_many_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden, "EXPANDED", 4)
    assert golden.node_counts(Named("x", LEVEL)).splitlines()[-1].split()[0] == "2"
    assert golden.node_counts(Named("x", Level(3, 0, 1))).splitlines()[-1].split()[0] == "2"


# -- which levels


def test_levels_are_recorded_once_before_any_twice() -> None:
    levels = [Named(str(n), Level(n, 0, 1)) for n in range(2, 9)]
    chosen = [named.name for named in golden._choose(levels, 10)]
    assert sorted(chosen[:7]) == [str(n) for n in range(2, 9)]
    assert len(set(chosen[7:])) == 3


def test_growing_pack_keeps_most_recordings() -> None:
    levels = [Named(str(n), Level(n, 0, 1)) for n in range(2, 42)]
    before, after = golden._choose(levels[:36], 10), golden._choose(levels, 10)
    assert len(set(before) & set(after)) >= 6


# -- the command


def test_record_command_writes_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "null"
    assert golden.main(["null", "--folder", str(tmp_path)]) == 0
    assert golden.main(["null", "--folder", str(tmp_path), "--check"]) == 0
    assert capsys.readouterr().out == ""
    (folder / "playthrough-03.txt").write_text("otherwise\n")
    (folder / "playthrough-04.txt").unlink()
    (folder / "playthrough-11.txt").write_text("one too many\n")
    assert golden.main(["null", "--folder", str(tmp_path), "--check"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.removeprefix(f"{folder}/") for line in lines] == [
        "playthrough-03.txt differs",
        "playthrough-04.txt differs",
        "playthrough-11.txt differs",
    ]
    assert golden.main(["null", "--folder", str(tmp_path)]) == 0
    assert golden.main(["null", "--folder", str(tmp_path), "--check"]) == 0


def test_record_command_writes_all_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden, "recordings", lambda game: {"nodes.txt": f"{game.name}\n"})
    assert golden.main(["--folder", str(tmp_path)]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(golden.built_in_games())

"""Tests of `corpus`: levels that are proved, different and the same again, and runs that go on."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import gridproof as gp
from gridproof.agents.dataset_card import digest_of_folder
from gridproof.cli import corpus
from gridproof.cli.parallel_map import parse_workers
from gridproof.core.design import canonical
from gridproof.core.difficulty import DIFFICULTIES, Source
from gridproof.core.errors import GridproofError
from gridproof.envs.corpus import MOST_LEFT_OUT, Corpus, list_candidates
from gridproof.jobs import Result
from gridproof.store.dataset import MANIFEST

from .conftest import Run


def read_files(folder: Path) -> dict[str, bytes]:
    """Return the bytes of the files of a folder by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.long
def test_corpus_has_proved_levels_of_each_difficulty(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    answer = run("corpus", "sokoban", "--count", "2", "--out", str(out), "--json").json
    dataset = gp.dataset(out)
    rows, levels = dataset.table().to_pylist(), dataset.levels()
    assert [row["difficulty"] for row in rows[:6]] == [word for word in DIFFICULTIES[:3] for _ in "12"]
    assert sorted(row["difficulty"] for row in rows[6:]) == ["expert", "expert", "hard", "hard"]
    for row, level in zip(rows, levels, strict=True):
        assert (
            level.title.partition(" ")[0].lower()
            == row["difficulty"]
            == gp.core.difficulty.difficulty_word(level)
        )
        assert (int(level.keys["Difficulty"]), int(level.keys["Pushes"])) == (row["effort"], row["cost"])
        made = gp.generate("sokoban", row["seed"], **json.loads(row["parameters"]))
        assert (made, made.keys["Difficulty"]) == (level, level.keys["Difficulty"])
    proved = gp.solve(levels[0], minimise="pushes")
    assert (proved.optimal, proved.cost) == (True, rows[0]["cost"])
    assert len({canonical(level) for level in levels}) == answer["levels"] == 10
    left_out = sum(row["copies"] + row["others"] for row in rows)
    assert answer["statistics"]["candidates"] == f"{10 + left_out:,}"
    assert answer["digest"] == digest_of_folder(out)
    card = (out / "README.md").read_text()
    assert "gridproof corpus sokoban --count 2 --seed 0 --out FOLDER" in card
    assert answer["digest"] in card


@pytest.mark.long
def test_corpus_goes_on_where_it_was_killed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "PART", 2)
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    command = ("corpus", "robots", "--count", "3", "--out")
    assert run(*command, str(whole)).status == 0
    files, lines = read_files(whole), (whole / MANIFEST).read_bytes().splitlines(keepends=True)
    names = [json.loads(line)["name"] for line in lines[1:]]
    killed.mkdir()
    for name in names[:3]:  # the third one was written, but is not in the manifest
        (killed / name).write_bytes(files[name])
    (killed / MANIFEST).write_bytes(b"".join(lines[:3]) + lines[3][:9])
    assert run(*command, str(killed)).status == 0
    assert read_files(killed) == files
    assert run(*command, str(killed)).status == 0
    assert read_files(killed) == files


@pytest.mark.long
def test_corpus_does_not_depend_on_processes(run: Run, tmp_path: Path) -> None:
    digests = {
        run("corpus", "shiftit", "--count", "2", "--jobs", jobs, "--out", str(tmp_path / jobs), "--json").json["digest"]
        for jobs in "12"
    }  # fmt: skip
    assert len(digests) == 1


def test_corpus_refuses_another_question_and_games_without_puzzles(run: Run, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    assert run("corpus", "robots", "--count", "1", "--out", out).status == 0
    refused = run("corpus", "robots", "--count", "1", "--seed", "5", "--out", out)
    assert refused.status == 2
    assert "use --force to overwrite it" in refused.err
    assert run("corpus", "robots", "--count", "1", "--seed", "5", "--force", "--out", out).status == 0
    assert len(gp.dataset(out)) == 5
    refused = run(
        "corpus", "robots", "--count", "1", "--seed", str(2**62 + 1), "--out", str(tmp_path / "far")
    )
    assert "the first seed of a corpus is at most 2**62" in refused.err
    assert refused.status == 2
    refused = run("corpus", "null", "--out", str(tmp_path / "null"))
    assert "null has no levels of five difficulties" in refused.err
    assert refused.status == 2


def choose(source: Source, levels: list[gp.Level], count: int = 9) -> list[Any]:
    """Return the rows that a corpus of Sokoban keeps."""
    return [*Corpus(gp.game("sokoban"), count, []).choose(source, levels, 0)]


class Results(list[Result]):
    """Results of tasks, in the order in which they arrive."""

    is_compiling = False


def test_corpus_ends_at_the_first_error_before_its_last_level(monkeypatch: pytest.MonkeyPatch) -> None:
    game = gp.game("sokoban")
    source = Source(difficulties=("beginner",), choices=({"width": 7, "height": 7, "boxes": 1},))
    level, error = gp.generate("sokoban", 700, **source.choices[0]), GridproofError("no level")
    request, workers = corpus.CorpusRequest(game, 1, 700, ""), parse_workers(None, 1)

    def choose_among(*arriving: Result) -> list[Any]:
        monkeypatch.setattr(corpus, "run", lambda *_, **__: nullcontext(Results(arriving)))
        return [*corpus._choose_levels(Corpus(game, 1, []), request, source, 700, workers)]

    assert [row["seed"] for row in choose_among(Result("1", error=error), Result("0", level))] == [700]
    with pytest.raises(GridproofError, match="no level"):
        choose_among(Result("1", level), Result("0", error=error))


def test_corpus_keeps_no_copies_and_no_other_difficulties() -> None:
    source = Source(difficulties=("beginner",), choices=({"width": 7, "height": 7, "boxes": 1},))
    game = gp.game("sokoban")
    tasks = list_candidates(game, source, 700)
    seeds = [next(tasks).arguments for _ in range(2)]
    first, second = (gp.generate(*arguments, **source.choices[0]) for arguments in seeds)
    hard = gp.generate("sokoban", 0, width=8, height=8, boxes=6)
    bare = gp.read(first.text())[0]
    rows = choose(source, [first, bare, first, hard, second])
    assert [(row["seed"], row["copies"], row["others"]) for row in rows] == [(0, 0, 0), (4, 1, 2)]
    assert len(choose(source, [first, second], 1)) == 1
    of_task = gp.levels_at("sokoban-tier-1")[0]
    assert choose(source, [gp.core.text.level_lookup.with_certificate(of_task, of_task.certificate)]) == []
    with pytest.raises(
        GridproofError, match="no more levels among 1,000 candidates for beginner: ask for fewer"
    ):
        choose(source, [first] * (MOST_LEFT_OUT + 1))

"""Tests of dataset folders."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gridproof as gp
from gridproof.store import dataset as datasets
from gridproof.store.dataset import MANIFEST, DatasetWriter, write_part

COLUMNS = {"key": str, "number": int, "share": float, "sure": bool, "game": str, "text": str}
CONTENT = {"goal": "won", "seeds": [1, 2]}
LEVEL = "sokoban/first-steps/1"


def row(number: int) -> dict[str, Any]:
    level = gp.level(LEVEL)
    return {
        "key": f"k{number}", "number": number, "share": number / 3, "sure": None if number % 2 else True,
        "game": level.game.name, "text": level.text(),
    }  # fmt: skip


def fill(path: Path, *numbers: int) -> None:
    with DatasetWriter(path, COLUMNS, CONTENT) as writer:
        for number in numbers:
            writer.add(write_part(path, f"part-{number}", COLUMNS, [row(number), row(-number)]))


def test_dataset_returns_rows_levels_and_content(tmp_path: Path) -> None:
    fill(tmp_path / "new" / "folder", 1, 2)
    fill(tmp_path / "new" / "folder", 3)
    found = gp.dataset(tmp_path / "new" / "folder")
    assert len(found) == 6
    assert repr(found) == f"<Dataset {tmp_path}/new/folder: 6 rows in 3 parts>"
    assert found.table().to_pylist() == [row(number) for one in (1, 2, 3) for number in (one, -one)]
    assert (found.columns, found.content) == (COLUMNS, CONTENT)
    assert found.levels() == [gp.level(LEVEL)] * 6
    assert {part.code for part in found.parts} == {gp.__version__}


def test_dataset_without_parts_has_columns(tmp_path: Path) -> None:
    fill(tmp_path)
    assert gp.dataset(str(tmp_path)).table().column_names == [*COLUMNS]
    assert len(gp.dataset(tmp_path)) == 0


@pytest.mark.parametrize(("package", "method"), [("pandas", "frame"), ("polars", "to_polars")])
def test_dataset_returns_data_frames(
    package: str, method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, 1)
    pytest.importorskip(package, reason=f"{package} is not installed")
    frame = getattr(gp.dataset(tmp_path), method)()
    assert list(frame["number"]) == [1, -1]
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(gp.GridproofError, match=f"{package} is not installed"):
        getattr(gp.dataset(tmp_path), method)()


def test_dataset_adds_parts_that_its_writer_did_not_list(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    write_part(tmp_path, "part-2", COLUMNS, [row(2)])
    (tmp_path / ".part-3.parquet.12345678").write_bytes(b"torn")
    with (tmp_path / MANIFEST).open("a") as file:
        file.write('{"name": "part-2.parq')
    with DatasetWriter(tmp_path, COLUMNS, CONTENT) as writer:
        assert [one["number"] for one in writer.rows] == [1, -1, 2]
        assert "text" not in writer.rows[0]
    assert sorted(os.listdir(tmp_path)) == [MANIFEST, "part-1.parquet", "part-2.parquet"]
    assert [part.rows for part in gp.dataset(tmp_path).parts] == [2, 1]


def test_dataset_refuses_damaged_and_missing_parts(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    part = tmp_path / "part-1.parquet"
    whole = part.read_bytes()
    part.write_bytes(whole[:-1] + b"?")
    with pytest.raises(gp.GridproofError, match=r"part-1\.parquet: its checksum is not the one"):
        gp.dataset(tmp_path).table()
    part.unlink()
    with pytest.raises(gp.GridproofError, match=r"part-1\.parquet: No such file"):
        fill(tmp_path, 2)


def test_dataset_refuses_foreign_parts(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    write_part(tmp_path, "other", {"key": str}, [{"key": "k"}])
    with pytest.raises(gp.GridproofError, match=r"other\.parquet: no part of this dataset"):
        fill(tmp_path, 2)
    (tmp_path / "other.parquet").write_bytes(b"nothing")
    with pytest.raises(gp.GridproofError, match=r"other\.parquet: "):
        fill(tmp_path, 2)


@pytest.mark.parametrize(
    "first", ["", "{}\n", "[]\n", "nothing\n", '{"gridproof": "dataset", "schema": 2}\n']
)
def test_dataset_refuses_other_manifests(first: str, tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text(first)
    with pytest.raises(gp.GridproofError, match=r"manifest\.jsonl: no dataset of version 1"):
        gp.dataset(tmp_path)


@pytest.mark.parametrize("line", ["{}", "[]", "x", '{"name": "../a", "rows": 1, "sha256": "", "code": ""}'])
def test_dataset_refuses_other_lines(line: str, tmp_path: Path) -> None:
    fill(tmp_path)
    with (tmp_path / MANIFEST).open("a") as file:
        file.write(line + "\n")
    with pytest.raises(gp.GridproofError, match=r"manifest\.jsonl, line 2: no part of a dataset"):
        gp.dataset(tmp_path)


def test_dataset_refuses_other_folders(tmp_path: Path) -> None:
    with pytest.raises(gp.GridproofError, match=r"manifest\.jsonl: No such file"):
        gp.dataset(tmp_path)
    (tmp_path / "mine.txt").touch()
    for empty in (False, True):
        with pytest.raises(gp.GridproofError, match=r"is no dataset: it has mine\.txt"):
            DatasetWriter(tmp_path, COLUMNS, CONTENT, empty)
    assert os.listdir(tmp_path) == ["mine.txt"]


def test_dataset_refuses_other_content_unless_emptied(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    for columns, content in ((COLUMNS, {"goal": "lost"}), ({"key": str}, CONTENT)):
        with pytest.raises(gp.GridproofError, match=r"has results of another question.*; use --force"):
            DatasetWriter(tmp_path, columns, content)
    with DatasetWriter(tmp_path, COLUMNS, {"goal": "lost"}, empty=True) as writer:
        assert writer.rows == []
    assert os.listdir(tmp_path) == [MANIFEST]
    assert gp.dataset(tmp_path).content == {"goal": "lost"}


def test_dataset_refuses_two_writers(tmp_path: Path) -> None:
    first = DatasetWriter(tmp_path, COLUMNS, CONTENT)
    with pytest.raises(gp.GridproofError, match="another process uses it"):
        DatasetWriter(tmp_path, COLUMNS, CONTENT)
    first.close()
    fill(tmp_path, 1)


def test_dataset_without_texts_has_no_levels(tmp_path: Path) -> None:
    with DatasetWriter(tmp_path, {"key": str}, {}):
        pass
    with pytest.raises(gp.GridproofError, match="has no levels"):
        gp.dataset(tmp_path).levels()


def test_dataset_needs_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(gp.GridproofError, match="Parquet needs pyarrow"):
        DatasetWriter(tmp_path, COLUMNS, CONTENT)
    assert os.listdir(tmp_path) == []


WRITER = """
import sys
from pathlib import Path
from gridproof.store.dataset import DatasetWriter, write_part
folder, columns = Path(sys.argv[1]), {"number": int}
print("begun", flush=True)
with DatasetWriter(folder, columns, {}) as writer:
    done = {row["number"] for row in writer.rows}
    for number in range(60):
        if number not in done:
            writer.add(write_part(folder, str(number), columns, [{"number": number}]))
"""


@pytest.mark.long
def test_dataset_loses_and_repeats_nothing_when_its_writer_is_killed(tmp_path: Path) -> None:
    random, killed, status = Random(7), 0, 1
    while status:
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        writer.stdout.readline()
        try:
            status = writer.wait(random.uniform(0, 0.15) if killed < 20 else 600)
        except subprocess.TimeoutExpired:
            writer.send_signal(signal.SIGKILL)
            killed += 1
        writer.communicate()
    assert killed > 5
    assert sorted(gp.dataset(tmp_path).table()["number"].to_pylist()) == [*range(60)]


def test_manifest_lists_columns_content_and_checksums(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    head, part = map(json.loads, (tmp_path / MANIFEST).read_text().splitlines())
    assert head == {
        "gridproof": "dataset", "schema": datasets.SCHEMA, "content": CONTENT,
        "columns": {"key": "str", "number": "int", "share": "float", "sure": "bool", "game": "str", "text": "str"},
    }  # fmt: skip
    assert (part["name"], part["rows"], len(part["sha256"])) == ("part-1.parquet", 2, 64)

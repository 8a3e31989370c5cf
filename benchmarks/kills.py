"""`kill -9` of commands at random moments: what is lost, and what is done twice, when the same command goes on.

A command is killed at a moment that is drawn from the time of a whole run, and started again, until it ends; then the next
folder begins. The rows, or the numbers of positions by layer, must be those of a run that was not killed, and the files that
were finished at a kill must stay as they were. `solve` and `evaluate` have two worker processes; the driver is killed.

    python benchmarks/kills.py [--kills 50] [--seed 1] [NAME ...]
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import gridproof as gp

KILLS, LEVELS = 50, 300
FILES = {"solve": "*.parquet", "evaluate": "*.parquet", "explore": "*-layer.words"}
"""Files of a finished part of the work."""


class Work(NamedTuple):
    """A command that goes on in a folder."""

    name: str
    arguments: list[str]
    read: Callable[[Path, str], object]
    """Returns the results from the folder and the output, without times."""

    def command(self, folder: Path) -> list[str]:
        """Return the command for a folder."""
        option = "--disk" if self.name == "explore" else "--out"
        return [sys.executable, "-m", "gridproof", self.name, *self.arguments, option, str(folder), "--json"]


class Count(NamedTuple):
    """What the kills of one command did."""

    kills: int
    folders: int
    wrong: int
    """Folders with other results than a run that was not killed."""
    repeated: int
    """Finished files that were written again."""


def works(folder: Path) -> Iterator[Work]:
    """Yield the commands; a pack of levels is written into a folder."""
    pack = folder / "many.xsb"
    pack.write_text("\n".join(f"; {one}\n\n######\n#@$ .#\n######\n" for one in range(LEVELS)))
    yield Work("solve", [str(pack), "--jobs", "2"], read_rows)
    games = ["--levels", "twenty48/standard/2", "--player", "greedy", "--games", "200", "--actions", "100"]
    yield Work("evaluate", ["twenty48", *games, "--jobs", "2"], read_rows)
    yield Work("explore", ["sokoban/workshop/5"], read_layers)


def read_rows(folder: Path, output: str) -> object:
    """Return the rows of a dataset folder; a row that is there twice is returned twice."""
    rows = gp.dataset(folder).table().drop_columns(["seconds"]).to_pylist()
    for row in rows:
        if row.get("result"):  # of one game, with its time
            row["result"] = {
                key: value for key, value in json.loads(row["result"]).items() if key != "seconds"
            }
    return sorted(str(sorted(row.items())) for row in rows)


def read_layers(folder: Path, output: str) -> object:
    """Return the numbers of positions by layer, of transitions, and whether they are all."""
    data = json.loads(output)
    return data["by_depth"], data["transitions"], data["complete"]


def finished_files(work: Work, folder: Path) -> dict[Path, int]:
    """Return when each finished file was written."""
    return {path: path.stat().st_mtime_ns for path in folder.glob(FILES[work.name])}


def listed_files(work: Work, folder: Path) -> dict[Path, int]:
    """Return the finished files at a kill; a layer is finished when the manifest has it."""
    found = finished_files(work, folder)
    if work.name != "explore":
        return found
    manifest = folder / "manifest.json"
    count = len(json.loads(manifest.read_text())["layers"]) if manifest.exists() else 0
    return {path: when for path, when in found.items() if int(path.name[:4]) < count}


def kill_often(work: Work, kills: int, seed: int, scratch: Path) -> Count:
    """Kill a command at random moments until it was killed so often, and compare each folder."""
    draw, whole = random.Random(seed), scratch / f"{work.name}-whole"
    begin = time.monotonic()
    ran = subprocess.run(work.command(whole), capture_output=True, text=True, check=True)
    seconds, expected = time.monotonic() - begin, work.read(whole, ran.stdout)
    killed = folders = wrong = repeated = 0
    while killed < kills:
        folders += 1
        folder, kept = scratch / f"{work.name}-{folders}", dict[Path, int]()
        while True:
            process = subprocess.Popen(
                work.command(folder), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
            try:
                output, _ = process.communicate(timeout=draw.uniform(0, seconds) if killed < kills else None)
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                killed += 1
            kept = listed_files(work, folder) | kept
        now = finished_files(work, folder)
        repeated += sum(now.get(path) != when for path, when in kept.items())
        wrong += process.returncode != 0 or work.read(folder, output) != expected
    return Count(killed, folders, wrong, repeated)


def main() -> int:
    """Print the figures; 1 if something was lost or repeated."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(FILES))
    parser.add_argument("--kills", type=int, default=KILLS, help="of each command")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as name:
        for work in works(Path(name)):
            if options.names and work.name not in options.names:
                continue
            count = kill_often(work, options.kills, options.seed, Path(name))
            failed |= count.wrong + count.repeated > 0
            print(
                f"{work.name:<8}  killed {count.kills} times in {count.folders} folders: "
                f"{count.wrong} folders with other results, {count.repeated} finished files written again"
            )
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Make the first puzzle of each series again: the same ones, as long as the generators do not change.

python docs/puzzles.py
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from gridproof.core.difficulty import puzzles_of
from gridproof.core.puzzle import PuzzleId, make_puzzle, puzzle_games, series
from gridproof.store.first_puzzles import FILE
from gridproof.store.puzzles import write_puzzle


def first_ids() -> Iterator[PuzzleId]:
    """Yield the id of the first puzzle of each series of the games that come with gridproof."""
    for game in puzzle_games():
        puzzles = puzzles_of(game)
        if puzzles is None or not game.package.startswith("gridproof.games."):
            continue
        for kind in puzzles.kinds:
            for difficulty in kind.difficulties:
                yield from series(game.name, kind.name, difficulty, 1)


def main() -> None:
    """Write the file."""
    lines = [
        f"{json.dumps(str(one))}: {json.dumps(json.loads(write_puzzle(make_puzzle(one))))}"
        for one in first_ids()
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()

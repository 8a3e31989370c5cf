"""The leaderboard of the graded tasks, from the submissions in docs/leaderboard.

python docs/leaderboard.py [--check]     write the table in docs/leaderboard.md; --check: replay all games first
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from pathlib import Path

from gridproof.agents.submission import Submission
from gridproof.core.text import files, level_lookup

FOLDER = Path(__file__).parent / "leaderboard"
PAGE = FOLDER.with_suffix(".md")
TABLE = re.compile(
    r"(?<=<!-- submissions, made by `make tables` -->\n).*(?=<!-- end of submissions -->)", re.DOTALL
)


def submissions() -> list[Submission]:
    """All submissions, none twice, as a GridproofError says."""
    return [Submission.load(path) for path in sorted(FOLDER.glob("*.json.gz"))]


def table(found: Iterable[Submission]) -> str:
    """A row for each submission, by task, the best first; the levels of tasks without one are named below."""
    places = {name: number for number, name in enumerate(level_lookup.TASKS)}
    rows = sorted(found, key=lambda one: (places[one.task], -one.mean, one.player))
    lines = ["| task | player | won | by seed | command |", "| --- | --- | --- | --- | --- |"]
    for one in rows:
        wins = ", ".join(map(str, one.wins))
        share = f"{one.mean:.1%} ± {one.margin:.1%}"
        lines.append(f"| `{one.task}` | `{one.player}` | {share} | {wins} | `{one.command}` |")
    missing = [f"`{name}`" for name in places if name not in {one.task for one in rows}]
    without = f"\nNo submissions: {', '.join(missing)}.\n" if missing else ""
    return "\n".join(lines) + "\n" + without


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="replay all games first")
    found = submissions()
    if parser.parse_args().check:
        for one in found:
            one.check()
    files.write(PAGE, TABLE.sub(lambda _: table(found), PAGE.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()

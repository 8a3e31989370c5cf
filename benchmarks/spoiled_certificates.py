"""Spoiled certificates on boards of all four games: those of impossible goals are refused, those of verdicts prove nothing false.

Certificates of impossible goals are damaged in all ways of `tests/prove/corruption.py`: each must be refused with a line, or
prove something true.
Certificates of the verdicts of 20 formulas are spoiled in all ways of `tests/prove/spoiled.py`: each must be refused, or state
something true; with the opposite claim, each must be refused.

    python benchmarks/spoiled_certificates.py [--number N]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # the tests
sys.path.insert(0, str(Path(__file__).parent))  # also when it is imported

from certificates import BOARDS, FORMULAS, small_boards
from shiftit_explore import board as board_without_win
from tests.prove import corruption, spoiled

import gridproof as gp
from gridproof.prove.checkers.statements import FormulaStatement

GOALS = {
    "sokoban": ("won", "home"),
    "shiftit": ("won",),
    "robots": ("won", "home"),
    "twenty48": ("tile(8)", "max_tile = 4"),
}
FEWEST, MOST = 3, 800
"""Positions of a certificate that is damaged."""


def dead_position(space: gp.StateSpace, goal: str) -> gp.Position[Any] | None:
    """The first position from which no position with a goal can be reached; None if there is none."""
    graph = space.graph()
    before: list[list[int]] = [[] for _ in range(space.states)]
    for source, target in zip(graph.sources().tolist(), graph.targets.tolist(), strict=True):
        before[target].append(source)
    reached = [number for number, value in enumerate(space.values(goal).tolist()) if value]
    seen = set(reached)
    for number in reached:
        new = set(before[number]) - seen
        seen |= new
        reached += new
    return next((space[number] for number in range(space.states) if number not in seen), None)


def impossible(game: str, path: Path) -> Iterator[corruption.File]:
    """Certificates of goals that some position of a board cannot reach, each with a position that has the goal, if any has."""
    for board in (
        *small_boards(game),
        *([board_without_win(3, 2, False, "far")] if game == "shiftit" else []),
    ):
        space = gp.explore(board)
        for goal in GOALS[game]:
            dead = dead_position(space, goal)
            if dead is None:
                continue
            made = gp.certify(dead, path, goal=goal)
            if made.holds and FEWEST <= made.positions <= MOST:
                values = space.values(goal)
                yield corruption.read(path, space[int(values.argmax())].text() if values.any() else "")


def count_damaged(game: str, number: int, folder: Path) -> tuple[int, int, int]:
    """Return how many certificates of impossible goals there are, how many damaged copies are refused, and how many are proofs.

    Of another goal that is impossible, too, or with fewer positions, where a lemma of Sokoban proves what is left out.
    """
    files = list(impossible(game, folder / "made"))
    refused = proofs = 0
    for what, name, data in corruption.corrupt_files(files, number, seed=1):
        (folder / name).write_bytes(data)
        answer = gp.verify(folder / name)
        refused += answer.holds is False and answer.reason.startswith("line ")
        if answer.holds and answer.statement is not None:
            goal, starts = answer.statement.goal_text, answer.statement.starts
            is_impossible = not any(gp.check(start, f"EF {goal}").holds for start in starts)
            proofs += is_impossible
            if not is_impossible:
                print(f"wrong: {game}, {what}: {goal} can be reached")
    return len(files), refused, proofs


def is_true(said: FormulaStatement) -> bool:
    """Return whether a statement is true, by the engine: on exactly its starts."""
    verdicts = [gp.check(start, said.formula, said.paths).holds for start in said.starts]
    if said.paths == "some":
        return any(verdicts) is said.holds
    return all(verdicts) is said.holds


def count_spoiled(game: str, number: int, path: Path) -> tuple[int, int, int, int]:
    """Return how many spoiled certificates of verdicts are refused of how many, and how many opposite claims of how many."""
    random, refused, tried, forged, claims = Random(1), 0, 0, 0, 0
    boards = list(small_boards(game))
    while tried < number:
        board, formula = random.choice(boards), random.choice(FORMULAS)
        gp.certify(board, path, formula=formula)
        lines: Any = spoiled.read(path)
        if "holds" not in lines.header:
            continue  # an impossible goal
        each = min(5, number - tried)
        refused += spoiled.count_refusals(path, random, each, FormulaStatement, is_true)
        tried += each
        path.write_text(spoiled.negate_claim(lines, random).text())
        claims += 1
        forged += gp.verify(path).holds is False
    return refused, tried, forged, claims


def main() -> None:
    """Print two lines for each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--number", type=int, default=2000, help="of each kind, in all")
    each = parser.parse_args().number // len(BOARDS)
    with tempfile.TemporaryDirectory() as folder:
        for game in BOARDS:
            files, refused, proofs = count_damaged(game, each, Path(folder))
            print(
                f"{game}, impossible goals: {refused} of {each} damaged copies of {files} refused, "
                f"{proofs} are proofs",
                flush=True,
            )
            refused, tried, forged, claims = count_spoiled(game, each, Path(folder) / "proof")
            print(
                f"{game}, verdicts: {refused} of {tried} spoiled copies refused, the others true; "
                f"{forged} of {claims} opposite claims refused",
                flush=True,
            )


if __name__ == "__main__":
    main()

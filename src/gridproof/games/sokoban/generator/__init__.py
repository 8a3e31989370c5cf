"""New levels from a seed, each with a certificate of fewest pushes that has been proved.

A generator draws a floor plan with depots; a search by pulls finds starts for the boxes;
floor that the solution does not need is filled in; and the solver proves the length. `with_bombs`
generates levels with bombs. Limits count work, never time.

Difficulty is search effort: how many positions (boxes, the player's region, walls and bombs) the
solver of this package finds until it has proved the fewest pushes, without its pruning by corrals
and its backward search. It grows, roughly, with what a person finds hard: the length of the solution,
the number of choices, and how misleading they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from gridproof.core.generate import Generator, MeasuredDifficulty, best, finish_level
from gridproof.core.limit import Limit, start_meter
from gridproof.core.rng import Rng
from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban.generator import floor_plan
from gridproof.games.sokoban.generator.bomb_plan import Budget
from gridproof.games.sokoban.generator.candidates import (
    SMALLEST,
    Candidate,
    Proof,
    Target,
    badness,
    check_target,
    list_shortfalls,
    measure_bomb_effort,
    prove,
)
from gridproof.games.sokoban.generator.chambers import FEWEST_BOXES, build_chambers
from gridproof.games.sokoban.generator.with_bombs import generate_bomb_levels
from gridproof.games.sokoban.generator.without_bombs import generate_candidates
from gridproof.games.sokoban.rules import Action, Level
from gridproof.games.sokoban.validity import sort_cells

_BOMB_WORK = 90_000  # units of work for a level with bombs


def generate(
    seed: int,
    *,
    width: int = 10,
    height: int = 10,
    boxes: int = 4,
    bombs: int = 0,
    difficulty: int | None = None,
) -> Level:
    """Generate a level, always the same one for the same arguments.

    Parameters
    ----------
    seed : int
        64 bits.
    width, height : int
        Size of the grid in cells, walls included: 3 to 50, up to 20 with bombs.
    boxes : int
        1 to 50; at least two cells inside the border must stay free of boxes.
    bombs : int
        0 to 9. If possible, the level cannot be won with one bomb fewer.
    difficulty : int, optional
        Target for the search effort, in positions; by default the hardest of a few candidates.

    Returns
    -------
    Level
        Its `certificate` has the fewest pushes, proved. Its `keys` say the `Pushes`, the `Difficulty`
        (with bombs only where it is quickly found out), and under `Missed` what could not be reached.

    Raises
    ------
    GridproofError
        For a seed or parameters outside these bounds.
    """
    target = check_target(Target(width, height, boxes, bombs, difficulty))
    rng = Rng(seed)
    candidate = build_chambers(rng, target) if _needs_chambers(target) else None
    candidates = (_candidates_with_bombs if bombs else generate_candidates)(rng, target)
    candidate = candidate or best(candidates, lambda other: badness(other, target)) or _fallback(target)
    return _finish(candidate, target, seed)


def _needs_chambers(target: Target) -> bool:
    """Return whether there are many boxes, and no target difficulty, which could not be measured."""
    return target.boxes >= FEWEST_BOXES and not target.bombs and target.difficulty is None


def _candidates_with_bombs(rng: Rng, target: Target) -> Iterator[tuple[Candidate | None, float]]:
    """Yield levels with bombs, each with the tolerance at this time."""
    budget = Budget(_BOMB_WORK)
    for candidate in generate_bomb_levels(rng, target.size, target.boxes, target.bombs, budget):
        if target.difficulty is not None and candidate.needed == target.bombs:
            proof = candidate.proof._replace(effort=measure_bomb_effort(candidate.level, budget))
            candidate = candidate._replace(proof=proof)  # noqa: PLW2901  # with its difficulty
        yield candidate, target.tolerance(1 - budget.work / _BOMB_WORK)


def _fallback(target: Target) -> Candidate:
    """Return a level of one push."""
    floor = floor_plan.interior(*target.size)
    across = target.width >= SMALLEST + 2
    player, box, depot = ((x, 1) for x in (1, 2, 3)) if across else ((1, y) for y in (1, 2, 3))
    others = [cell for cell in sort_cells(floor) if cell not in (player, box, depot)]
    rest = others[len(others) - (target.boxes - 1) :]
    walls = floor_plan.enclosing_walls(floor)
    level = Level(player, target.bombs, [box, *rest], [depot, *rest], walls, target.size)
    trace = Trace(level.start(), (Step(Action.RIGHT if across else Action.DOWN),))
    return Candidate(level, Proof(True, trace, 1, None if target.bombs else prove(level).effort), 0)


def measure(level: Level, limit: Limit | None = None) -> MeasuredDifficulty | None:
    """Measure the fewest pushes and the difficulty of a level; None when they are not proved."""
    meter = start_meter(limit)
    proof = prove(level, lambda board, states: meter.is_reached(states))
    return MeasuredDifficulty(proof.trace, proof.keys, "pushes") if proof.trace else None


def _finish(candidate: Candidate, target: Target, seed: int) -> Level:
    """Return the level with its keys and its certificate."""
    level, proof = candidate.level, candidate.proof
    if target.bombs and proof.effort is None:
        proof = proof._replace(effort=measure_bomb_effort(level, Budget(0)))
    steps = proof.trace.steps if proof.trace else ()
    efforts = candidate.proof.effort, target.difficulty
    return finish_level(level, seed, steps, proof.keys, list_shortfalls(candidate, target), efforts)


GENERATOR = Generator(generate, measure)

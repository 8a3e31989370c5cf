"""New levels from a seed, each with a certificate of fewest pushes that has been proved.

A floor plan is drawn and depots are set in it; a search by pulls finds where the boxes can come from;
floor that the solution does not need is filled in; and the solver proves the length. Levels with
bombs are made in another way, see `bombed`. Work is limited by counting it, never by time.

Difficulty is search effort: how many positions (boxes, the player's region, walls and bombs) the
solver of this package finds until it has proved the fewest pushes, without its pruning by corrals
and its backward search. It grows, roughly, with what a person finds hard: the length of the solution,
the number of choices, and how misleading they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from gridproof.core.generate import Measured, best, finished
from gridproof.core.limit import Limit, started
from gridproof.core.rng import Rng
from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban.making import floorplan
from gridproof.games.sokoban.making.blasting import Purse
from gridproof.games.sokoban.making.bombed import Bombed, bombed
from gridproof.games.sokoban.making.chambers import FEWEST_BOXES, chambered
from gridproof.games.sokoban.making.proving import Proof, effort_with_bombs, prove
from gridproof.games.sokoban.making.unarmed import unarmed
from gridproof.games.sokoban.making.wishes import SMALLEST, Made, Wish, badness, checked, missed
from gridproof.games.sokoban.rules import Action, Level
from gridproof.games.sokoban.validity import in_reading_order

_BLASTING = 90_000  # units of work for a level with bombs


def generate(
    seed: int,
    *,
    width: int = 10,
    height: int = 10,
    boxes: int = 4,
    bombs: int = 0,
    difficulty: int | None = None,
) -> Level:
    """A new level: the same one for the same arguments, always.

    Parameters
    ----------
    seed : int
        64 bits.
    width, height : int
        The size of the grid in cells, walls included: 3 to 50, with bombs up to 20.
    boxes : int
        1 to 50; at least two cells inside the border must be left without one.
    bombs : int
        0 to 9. Where it can be, the level cannot be won with one bomb fewer.
    difficulty : int, optional
        The search effort wished for, in positions; by default, as hard as a few trials make it.

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
    wish = checked(Wish(width, height, boxes, bombs, difficulty))
    rng = Rng(seed)
    made = chambered(rng, wish) if _is_for_chambers(wish) else None
    candidates = (_armed if bombs else unarmed)(rng, wish)
    made = made or best(candidates, lambda made: badness(made, wish)) or _simplest(wish)
    return _finished(made, wish, seed)


def _is_for_chambers(wish: Wish) -> bool:
    """Whether there are many boxes and no difficulty is wished for, which could not be measured then."""
    return wish.boxes >= FEWEST_BOXES and not wish.bombs and wish.difficulty is None


def _armed(rng: Rng, wish: Wish) -> Iterator[tuple[Made | None, float]]:
    """Levels with bombs, each with what is good enough by now."""
    purse = Purse(_BLASTING)
    for found in bombed(rng, (wish.width, wish.height), wish.boxes, wish.bombs, purse):
        wanted = wish.difficulty is not None and found.needed == wish.bombs
        yield _measured(found, purse if wanted else None), wish.enough(1 - purse.work / _BLASTING)


def _measured(found: Bombed, purse: Purse | None) -> Made:
    """A level with its difficulty, if that is wanted."""
    effort = effort_with_bombs(found.level, purse) if purse else None
    return Made(found.level, Proof(True, found.trace, found.pushes, effort), found.needed)


def _simplest(wish: Wish) -> Made:
    """The fallback: a level of one push."""
    floor = floorplan.whole_room(wish.width, wish.height)
    across = wish.width >= SMALLEST + 2
    player, box, depot = ((x, 1) for x in (1, 2, 3)) if across else ((1, y) for y in (1, 2, 3))
    others = [cell for cell in in_reading_order(floor) if cell not in (player, box, depot)]
    rest = others[len(others) - (wish.boxes - 1) :]
    walls = floorplan.walls_around(floor)
    level = Level(player, wish.bombs, [box, *rest], [depot, *rest], walls, (wish.width, wish.height))
    trace = Trace(level.start(), (Step(Action.RIGHT if across else Action.DOWN),))
    return Made(level, Proof(True, trace, 1, None if wish.bombs else prove(level).effort), 0)


def measure(level: Level, limit: Limit | None = None) -> Measured | None:
    """The fewest pushes and the difficulty of any level; None when they are not proved."""
    meter = started(limit)
    proof = prove(level, lambda board, states: meter.reached(states))
    return Measured(proof.trace, proof.keys, "pushes") if proof.trace else None


def _finished(made: Made, wish: Wish, seed: int) -> Level:
    """The level with all that is to be said of it, and its certificate."""
    proof = made.proof
    if wish.bombs and proof.effort is None:
        proof = proof._replace(effort=effort_with_bombs(made.level, Purse(0)))
    steps = proof.trace.steps if proof.trace else ()
    return finished(
        made.level, seed, steps, proof.keys, missed(made, wish), (made.proof.effort, wish.difficulty)
    )
